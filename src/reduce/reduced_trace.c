/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_trace.c - reads one trace into sums.
 *
 *   trace --> sums of this trace alone --merge--> the others
 *
 * A trace that turns out to be unreadable halfway thus adds nothing.
 */
#include "base/alloc.h"
#include "base/allowance.h"
#include "base/fail.h"
#include "base/file_name.h"
#include "reduce/reduced_model.h"
#include "reports/report_build.h"
#include "reports/summary/summary.h"
#include "trace/open/losses.h"
#include "trace/open/rank.h"

#include <stdlib.h>
#include <string.h>

/* --- While the trace is read ------------------------------------------------------ */

/* CLOCK_REALTIME, by the clocks of the part alone: other parts of the file may have
 * been recorded on another machine. */
static int64_t realtime_of(const rln_reader *reader, uint32_t part, int64_t t_ns)
{
    const struct rln__clock_tuple *created =
        &reader->layout.parts[part].super.created[0];
    const uint64_t monotonic_ns =
        (uint64_t)t_ns - (uint64_t)reader->clock_fits[part].offset_ns;

    return (int64_t)(monotonic_ns - created->monotonic_ns + created->realtime_ns);
}

static int take(void *context, const struct rln__closing *c, uint64_t ns, uint32_t row,
                uint32_t process)
{
    struct rln__reduced_reading *r = context;
    const int is_pushed = !(c->state & RLN__STARTED);
    struct rln__reduced_range range = {
        .node = is_pushed ? c->tag : 0,
        .row = row,
        .process = process,
        .is_open = c->is_left_open,
        .start_ns = realtime_of(r->reader, c->part, c->start_ns),
        .ns = ns,
        .self_ns = is_pushed ? c->self_ns : 0,
    };
    int failed = 0;

    if (r->has_cpu_times) {
        range.split =
            rln__cpu_times_of_range(&r->cpu_times, c->thread, c->start_ns, c->end_ns);
        range.is_comparable = (uint8_t)rln__cpu_times_are_comparable(
            &r->cpu_times, c->part, &range.split);
    }
    for (size_t i = 0; r->adders[i].add && !failed; i++)
        failed = r->adders[i].add(r->adders[i].sums, r, &range);
    return failed;
}

/* --- What it was ------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The ranks of its processes, each once. */
static int describe_processes(const rln_reader *reader, uint32_t index,
                              struct rln__reduced_part *part)
{
    const struct rln__names *names = &reader->names;
    size_t n = 0;

    part->ranks = rln__alloc(names->n_processes + 1, sizeof(uint32_t));
    if (!part->ranks)
        return -1;
    for (uint32_t i = 0; i < names->n_processes; i++) {
        uint32_t rank;

        if (names->processes[i].part != index)
            continue;
        part->has_processes = 1;
        rank = rln__rank_of(reader, i);
        if (rank != RLN_NO_RANK)
            part->ranks[n++] = rank;
    }
    if (n)
        qsort(part->ranks, n, sizeof(uint32_t), by_number);
    for (size_t i = 0; i < n; i++) {
        if (!i || part->ranks[i] != part->ranks[i - 1])
            part->ranks[part->n_ranks++] = part->ranks[i];
    }
    return 0;
}

static int describe_parts(const struct rln__reduced_reading *r,
                          struct rln__reduced_trace *trace)
{
    const struct rln__layout *layout = &r->reader->layout;
    int failed = 0;

    trace->parts = rln__alloc(layout->n_parts, sizeof(*trace->parts));
    for (uint32_t i = 0; trace->parts && i < layout->n_parts && !failed; i++) {
        const struct rln__superblock *super = &layout->parts[i].super;
        const rln_text host = {super->host, strnlen(super->host, sizeof(super->host))};
        struct rln__reduced_part *part = &trace->parts[trace->n_parts++];

        const uint64_t n_windows = super->control.gate >> 32;

        part->id = super->trace_id;
        part->n_windows =
            n_windows < RLN__MAX_WINDOWS ? (uint32_t)n_windows : RLN__MAX_WINDOWS;
        part->start_ns = (int64_t)super->created[0].realtime_ns;
        part->cpu_times = !r->has_cpu_times || !rln__has_cpu_times(r->reader, i) ? 0
                          : r->cpu_times.by_readings[i] ? RLN__REDUCED_READINGS
                                                        : RLN__REDUCED_SWITCHES;
        part->host = host.length ? rln__reduced_string(r->to, host, &failed) : 0;
        failed |= describe_processes(r->reader, i, part);
    }
    return trace->parts ? failed : -1;
}

static void count(const struct rln__reduced_reading *r,
                  struct rln__reduced_trace *trace)
{
    const struct rln__stats_totals *t = &r->summary->totals;
    const struct rln__losses *losses = rln__reader_get_losses(r->reader);

    trace->counts[RLN__COUNT_EVENTS] = t->n_events;
    trace->counts[RLN__COUNT_MARKS] = t->n_marks;
    trace->counts[RLN__COUNT_UNMATCHED] = t->n_unmatched;
    trace->counts[RLN__COUNT_INHERITED] = t->n_inherited;
    trace->counts[RLN__COUNT_LOST_RANGES] = t->n_lost_ranges;
    trace->counts[RLN__COUNT_GAPS] = t->n_gaps;
    trace->counts[RLN__COUNT_LOST_EVENTS] = t->n_lost_events;
    trace->counts[RLN__COUNT_UNPLACED] = t->n_unplaced;
    trace->counts[RLN__COUNT_RESUMED] = t->n_resumed;
    trace->counts[RLN__COUNT_DROPPED] = losses->n_dropped;
    trace->counts[RLN__COUNT_OVERWRITTEN] = losses->n_overwritten;
    trace->counts[RLN__COUNT_DAMAGES] = losses->n_damages;
    trace->counts[RLN__COUNT_GPU_LOST] = losses->n_gpu_lost + r->n_gpu_unread;
    trace->damage_offset = losses->n_damages ? losses->damage.offset : 0;
    if (t->n_events) {
        trace->first_ns = realtime_of(r->reader, 0, t->first_ns);
        trace->last_ns = realtime_of(r->reader, 0, t->last_ns);
    }
}

static int describe_trace(const struct rln__reduced_reading *r, const char *path)
{
    const char *name = rln__file_name(path);
    const struct rln__losses *losses = rln__reader_get_losses(r->reader);
    struct rln__reduced_trace trace = {.is_finished =
                                           (uint8_t)rln_reader_is_finished(r->reader)};
    int failed = 0;

    count(r, &trace);
    trace.name = rln__reduced_string(r->to, (rln_text){name, strlen(name)}, &failed);
    if (losses->n_damages)
        trace.damage = rln__reduced_string(
            r->to, (rln_text){losses->damage.reason, strlen(losses->damage.reason)},
            &failed);
    trace.source = rln__strings_add(&r->to->sources, path, strlen(path));
    if (failed || !trace.source || describe_parts(r, &trace)) {
        rln__reduced_trace_clear(&trace);
        return -1;
    }
    return rln__reduced_append(r->to, &trace);
}

/* Sums of a trace alone. */
static rln_status read_trace(struct rln__reduced *to, rln_reader *reader,
                             const char *path, rln_error *err)
{
    struct rln__summary summary = {0};
    struct rln__reduced_reading r = {.to = to, .reader = reader, .summary = &summary};
    const struct rln__summary_taker taker = {&r, take};
    size_t n_adders = 0;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < RLN__N_REDUCED_KINDS; i++) {
        if (rln__reduced_kinds[i]->add) {
            r.adders[n_adders].add = rln__reduced_kinds[i]->add;
            r.adders[n_adders++].sums = to->sums[i];
        }
    }
    r.has_cpu_times = rln__has_cpu_times(reader, RLN__NONE) &&
                      rln__cpu_times_fit(reader, rln__processors());
    if (r.has_cpu_times)
        status = rln__cpu_times_load(&r.cpu_times, reader, err);
    if (!status)
        status = rln__summary_read_to(&summary, reader, &taker, err);
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS && !status; i++) {
        if (rln__reduced_kinds[i]->take)
            status = rln__reduced_kinds[i]->take(to->sums[i], &r, err);
    }
    if (!status && describe_trace(&r, path))
        status = rln__fail_nomem(err);
    rln__summary_clear(&summary);
    rln__cpu_times_clear(&r.cpu_times);
    return status;
}

/* --- Outside ---------------------------------------------------------------------- */

/* The first line of the message, in which the file is called by its name: without
 * folders, which others may have mounted elsewhere. */
static int list_unreadable(struct rln__reduced *r, const char *path,
                           const char *message)
{
    const char *name = rln__file_name(path);
    const char *at = *path ? strstr(message, path) : NULL;
    const size_t n_before = at ? (size_t)(at - message) : 0;
    struct rln__buf reason = {0};
    uint32_t name_number, reason_number = 0;
    int failed = 0;

    rln__buf_add(&reason, message, n_before);
    if (at)
        rln__buf_text(&reason, name);
    message = at ? at + strlen(path) : message;
    rln__buf_add(&reason, message, strcspn(message, "\n"));
    name_number = rln__reduced_string(r, (rln_text){name, strlen(name)}, &failed);
    if (!reason.has_failed)
        reason_number =
            rln__reduced_string(r, (rln_text){reason.bytes, reason.length}, &failed);
    failed |= reason.has_failed;
    rln__buf_clear(&reason);
    return failed ? -1 : rln__reduced_add_unreadable(r, name_number, reason_number);
}

/* Files that were merged with a part that they had already. */
static rln_status refuse_twice(rln_reader *reader, const char *path, rln_error *err)
{
    const struct rln__duplicate *duplicate;
    const rln_status status = rln__reader_find_duplicate(reader, &duplicate, err);

    if (status)
        return status == RLN_END ? RLN_OK : status;
    return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                     "cannot add trace twice: path=\"%.200s\": the file has it twice",
                     path);
}

static rln_status add_opened(struct rln__reduced *r, rln_reader *reader,
                             const char *path, rln_error *err)
{
    const struct rln__reduced_options options = {.size = sizeof(options),
                                                 .filter = r->filter,
                                                 .rules = (const char *const *)r->rules,
                                                 .n_rules = r->n_rules,
                                                 .steps = r->steps_name.bytes};
    struct rln__reduced *own;
    rln_status status = rln__reduced_new(&options, &own, err);

    if (status)
        return status;
    status = refuse_twice(reader, path, err);
    own->source = rln__strings_add(&own->sources, path, strlen(path) + 1);
    rln_reader_set_filter(reader, r->filter);
    if (!status && r->n_rules)
        status =
            rln__reader_rename(reader, (const char *const *)r->rules, r->n_rules, err);
    if (!status)
        status = read_trace(own, reader, path, err);
    if (!status)
        status = rln__reduced_merge(r, own, err);
    rln__reduced_free(own);
    return status;
}

rln_status rln__reduced_add_trace(struct rln__reduced *r, const char *path,
                                  rln_error *err)
{
    rln_error own = {0};
    rln_reader *reader;
    rln_status status = rln_reader_open(&path, 1, &reader, &own);

    rln__buf_clear(&r->bytes);
    if (!status)
        status = add_opened(r, reader, path, &own);
    if (!status) {
        rln_reader_close(reader);
        return RLN_OK;
    }
    rln_reader_close(reader);
    if (err)
        *err = own;
    if (status == RLN_ERR_NOMEM || status == RLN_ERR_ARGUMENT)
        return status;
    return list_unreadable(r, path, own.message) ? rln__fail_nomem(err) : status;
}
