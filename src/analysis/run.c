/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/run.h"
#include "analysis/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "reports/check/check_all.h"
#include "statistics/median.h"
#include "trace/open/load.h"
#include "trace/open/rank.h"

/* A call over this many medians is slow. */
#define SLOW 1.5
/* Durations that differ by less than this share of the median are alike. */
#define LEAST_SPREAD 0.02

/* --- Statistics ------------------------------------------------------------------- */

/* What is usual on a track, and which of its first calls are not. */
static void measure(struct rln__track *track, double *scratch)
{
    for (size_t i = 0; i < track->n; i++)
        scratch[i] = track->calls[i].ns;
    track->median_ns = rln__median(scratch, track->n);
    for (size_t i = 0; i < track->n; i++)
        scratch[i] = fabs(track->calls[i].ns - track->median_ns);
    track->spread_ns =
        fmax(1.4826 * rln__median(scratch, track->n), LEAST_SPREAD * track->median_ns);
    for (size_t i = 0; track->median_ns > 0 && i < track->n / 10; i++) {
        if (track->calls[i].ns <= SLOW * track->median_ns)
            break;
        track->n_warm_up++;
        track->warm_up_ns += track->calls[i].ns - track->median_ns;
    }
}

/* --- Tracks ----------------------------------------------------------------------- */

/* A call before it is known how many there are on its thread. */
struct loose_call {
    struct rln__call call;
    uint32_t thread, process;
};

static int by_thread(const void *a, const void *b)
{
    const struct loose_call *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->call.range > y->call.range) - (x->call.range < y->call.range);
}

/* The calls of the step that are in no other call of it; owned. */
static struct loose_call *collect(struct rln__run *run)
{
    unsigned char *is_nested = rln__alloc(rln__nesting_count(run->nesting) + 1, 1);
    struct loose_call *calls = rln__alloc(1, sizeof(*calls));
    size_t capacity = 1;
    struct rln__nesting_row row;

    for (size_t i = 0; is_nested && rln__nesting_get(run->nesting, i, &row); i++) {
        struct loose_call *grown;

        if (row.parent != SIZE_MAX && is_nested[row.parent]) {
            is_nested[i] = 1;
            continue;
        }
        if (!rln__run_is_step(run, row.name))
            continue;
        is_nested[i] = 1;
        if (!rln__is_complete_call(&row))
            continue;
        grown = rln__grow(calls, &capacity, run->n_calls + 1, sizeof(*calls));
        if (!grown) {
            rln__free(calls);
            rln__free(is_nested);
            return NULL;
        }
        calls = grown;
        calls[run->n_calls++] =
            (struct loose_call){{i, row.start_ns, (double)(row.end_ns - row.start_ns)},
                                row.thread,
                                row.process};
    }
    if (!is_nested) {
        rln__free(calls);
        return NULL;
    }
    rln__free(is_nested);
    qsort(calls, run->n_calls, sizeof(*calls), by_thread);
    return calls;
}

static void cut_into_tracks(struct rln__run *run, const struct loose_call *calls)
{
    struct rln__track *track = NULL;

    for (size_t i = 0; i < run->n_calls; i++) {
        run->calls[i] = calls[i].call;
        if (i == 0 || calls[i].thread != calls[i - 1].thread) {
            track = &run->tracks[run->n_tracks++];
            track->thread = calls[i].thread;
            track->process = calls[i].process;
            track->rank = rln__run_rank(run, track->process);
            track->calls = run->calls + i;
        }
        track->n++;
    }
}

/* The longest of any process: traces may come from different times, and a process may
 * do other things before its first step and after its last one. */
static int measure_span(struct rln__run *run)
{
    const uint32_t n_processes = rln_info_totals(run->info)->n_processes;
    struct {
        int64_t from, to;
    } *spans = rln__alloc(n_processes + 1, sizeof(*spans));

    if (!spans)
        return -1;
    run->span_ns = run->n_tracks ? 0 : run->span_ns;
    for (size_t i = 0; i < run->n_tracks; i++) {
        const struct rln__track *t = &run->tracks[i];
        const struct rln__call *first = &t->calls[0];
        const int64_t end = rln__track_end_ns(t);
        const int is_first = spans[t->process].to == spans[t->process].from;

        if (is_first || first->start_ns < spans[t->process].from)
            spans[t->process].from = first->start_ns;
        if (is_first || end > spans[t->process].to)
            spans[t->process].to = end;
        run->span_ns =
            fmax(run->span_ns, (double)(spans[t->process].to - spans[t->process].from));
    }
    rln__free(spans);
    return 0;
}

static rln_status make_tracks(struct rln__run *run, rln_error *err)
{
    struct loose_call *calls = collect(run);
    double *scratch = calls ? rln__alloc(run->n_calls + 1, sizeof(*scratch)) : NULL;
    rln_status status = RLN_OK;
    struct rln__map ranks = {0};

    run->calls = calls ? rln__alloc(run->n_calls + 1, sizeof(*run->calls)) : NULL;
    run->tracks = calls ? rln__alloc(run->n_calls + 1, sizeof(*run->tracks)) : NULL;
    if (!scratch || !run->calls || !run->tracks) {
        status = rln__fail_nomem(err);
        goto out;
    }
    cut_into_tracks(run, calls);
    for (size_t i = 0; i < run->n_tracks; i++) {
        struct rln__track *track = &run->tracks[i];

        run->n_ranks +=
            rln__track_has_rank(track) && !rln__map_get(&ranks, track->rank);
        if (rln__map_put(&ranks, track->rank, 1)) {
            status = rln__fail_nomem(err);
            goto out;
        }
        if (track->n >= RLN__FEW_CALLS)
            measure(track, scratch);
        run->n_long_tracks += track->n >= RLN__LEAST_CALLS;
    }
    if (measure_span(run))
        status = rln__fail_nomem(err);
out:
    rln__map_clear(&ranks);
    rln__free(scratch);
    rln__free(calls);
    return status;
}

/* --- The whole -------------------------------------------------------------------- */

uint32_t rln__run_rank(const struct rln__run *run, uint32_t process)
{
    const rln_process_info *about = rln_info_process(run->info, process);

    if (!about)
        return 0;
    if (run->rank_kind == RLN__RANK_OF_JOB)
        return about->rank;
    return run->rank_kind == RLN__RANK_OF_TRACE ? about->part : about->pid;
}

static void describe(struct rln__run *run, const rln_reader *reader)
{
    const rln_totals *totals = rln_info_totals(run->info);
    const rln_finding *f;
    const rln_part_info *part;

    run->has_all_events = !totals->n_lost && !totals->n_dropped &&
                          !totals->n_damages_found && !totals->n_overwritten;
    run->has_steady_clock = true;
    for (size_t i = 0; (f = rln_check_at(run->check, i)); i++)
        run->has_steady_clock &= f->kind != RLN_FINDING_CLOCK;
    for (uint32_t i = 0; (part = rln_info_part(run->info, i)); i++)
        run->is_ring |= part->buffer_bytes != 0;
    if (rln__reader_count_ranks(reader))
        run->rank_kind = RLN__RANK_OF_JOB;
    else
        run->rank_kind =
            totals->n_parts > 1 ? RLN__RANK_OF_TRACE : RLN__RANK_OF_PROCESS;
}

rln_status rln__run_read(rln_reader *reader, const struct rln__step_request *request,
                         struct rln__run *out, rln_error *err)
{
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = rln_check_new(reader, &out->check, err);
    if (status)
        return status;
    out->info = rln__check_info(out->check);
    describe(out, reader);
    status = rln__nesting_new(reader, &out->nesting, err);
    if (!status)
        status = rln__find_step(out, request, err);
    if (!status && out->message.bytes)
        status = make_tracks(out, err);
    return status;
}

void rln__run_clear(struct rln__run *run)
{
    rln__free(run->calls);
    rln__free(run->tracks);
    rln__free(run->groups);
    rln__buf_clear(&run->folded_name);
    rln__nesting_free(run->nesting);
    rln_check_free(run->check);
    memset(run, 0, sizeof(*run));
}

const struct rln__track *rln__run_next_track(const struct rln__run *run, size_t *at)
{
    while (*at < run->n_tracks) {
        const struct rln__track *track = &run->tracks[(*at)++];

        if (track->n >= RLN__LEAST_CALLS)
            return track;
    }
    return NULL;
}

const struct rln__track **rln__run_tracks_by_thread(const struct rln__run *run)
{
    const size_t n_threads = rln_info_totals(run->info)->n_threads;
    const struct rln__track **tracks = rln__alloc(n_threads + 1, sizeof(*tracks));
    const struct rln__track *track;
    size_t at = 0;

    while (tracks && (track = rln__run_next_track(run, &at)))
        tracks[track->thread] = track;
    return tracks;
}
