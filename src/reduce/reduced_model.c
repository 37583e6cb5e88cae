/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_model.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/renaming.h"
#include "base/shell_word.h"
#include "ranges/event_filter.h"
#include "trace/open/rank.h"
#include "trace/open/split_id.h"

#include <stdlib.h>
#include <string.h>

/* --- Strings and origins --------------------------------------------------------- */

uint32_t rln__reduced_string(struct rln__reduced *r, rln_text text, int *failed)
{
    uint32_t number;

    if (!text.bytes)
        return 0;
    number = rln__strings_add(&r->strings, text.bytes, text.length);
    *failed |= !number;
    return number;
}

uint32_t rln__reduced_origin(struct rln__reduced *r, unsigned kind, uint64_t rank_or_id,
                             uint32_t pid)
{
    const struct rln__key key = {{kind, rank_or_id, pid}};

    return rln__key_index_number(&r->origins, &key);
}

uint32_t rln__reduced_origin_of(struct rln__reduced *r, const rln_reader *reader,
                                uint32_t process)
{
    const struct rln__trace_process *p = &reader->names.processes[process];
    const uint32_t rank = rln__rank_of(reader, process);

    if (rank != RLN_NO_RANK)
        return rln__reduced_origin(r, RLN__ORIGIN_RANK, rank, 0);
    return rln__reduced_origin(r, RLN__ORIGIN_PROCESS,
                               reader->layout.parts[p->part].super.trace_id,
                               p->record.pid);
}

/* --- Traces ----------------------------------------------------------------------- */

void rln__reduced_trace_clear(struct rln__reduced_trace *t)
{
    for (size_t i = 0; i < t->n_parts; i++)
        rln__free(t->parts[i].ranks);
    rln__free(t->parts);
    memset(t, 0, sizeof(*t));
}

size_t rln__reduced_count_parts(const struct rln__reduced *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_traces; i++)
        n += r->traces[i].n_parts;
    return n;
}

size_t rln__reduced_count_cpu_times(const struct rln__reduced *r, unsigned from)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_traces; i++)
        for (size_t k = 0; k < r->traces[i].n_parts; k++)
            n += r->traces[i].parts[k].cpu_times == from;
    return n;
}

int rln__reduced_append(struct rln__reduced *r, struct rln__reduced_trace *trace)
{
    struct rln__reduced_trace *added =
        rln__append(&r->traces, &r->n_traces, &r->traces_capacity, sizeof(*added));

    if (!added) {
        rln__reduced_trace_clear(trace);
        return -1;
    }
    *added = *trace;
    for (size_t i = 0; i < trace->n_parts; i++) {
        if (rln__map_put(&r->traces_by_id, trace->parts[i].id, r->n_traces))
            return -1;
    }
    return 0;
}

int rln__reduced_add_unreadable(struct rln__reduced *r, uint32_t name, uint32_t reason)
{
    struct rln__unreadable *file;

    for (size_t i = 0; i < r->n_unreadable; i++) {
        if (r->unreadable[i].name == name && r->unreadable[i].reason == reason)
            return 0; /* a task that ran twice listed it */
    }
    file = rln__append(&r->unreadable, &r->n_unreadable, &r->unreadable_capacity,
                       sizeof(*file));
    if (!file)
        return -1;
    *file = (struct rln__unreadable){name, reason};
    return 0;
}

int rln__reduced_compare_traces(const struct rln__reduced *r,
                                const struct rln__reduced_trace *a,
                                const struct rln__reduced_trace *b)
{
    const int order = rln__compare_text(rln__strings_get(&r->strings, a->name),
                                        rln__strings_get(&r->strings, b->name));

    return order
               ? order
               : (a->parts[0].id > b->parts[0].id) - (a->parts[0].id < b->parts[0].id);
}

static int by_name(const void *a, const void *b, void *reduced)
{
    return rln__reduced_compare_traces(reduced, a, b);
}

static int by_file(const void *a, const void *b, void *reduced)
{
    const struct rln__strings *strings = &((struct rln__reduced *)reduced)->strings;
    const struct rln__unreadable *x = a, *y = b;
    const int order = rln__compare_text(rln__strings_get(strings, x->name),
                                        rln__strings_get(strings, y->name));

    return order ? order
                 : rln__compare_text(rln__strings_get(strings, x->reason),
                                     rln__strings_get(strings, y->reason));
}

void rln__reduced_sort(struct rln__reduced *r)
{
    if (r->n_traces)
        qsort_r(r->traces, r->n_traces, sizeof(*r->traces), by_name, r);
    if (r->n_unreadable)
        qsort_r(r->unreadable, r->n_unreadable, sizeof(*r->unreadable), by_file, r);
    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts;
             k++) /* they are there: no memory */
            (void)rln__map_put(&r->traces_by_id, r->traces[i].parts[k].id, i + 1);
    }
}

/* --- Outside ---------------------------------------------------------------------- */

struct rln__reduced *rln__reduced_alloc(void)
{
    struct rln__reduced *r = rln__alloc(1, sizeof(*r));
    int failed = 0;

    if (!r)
        return NULL;
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS && !failed; i++) {
        r->sums[i] = rln__alloc(1, rln__reduced_kinds[i]->size);
        failed = !r->sums[i];
    }
    rln__buf_char(&r->filters, '\0');
    rln__buf_char(&r->renames, '\0');
    rln__buf_char(&r->steps_name, '\0');
    if (failed || r->filters.has_failed || r->renames.has_failed ||
        r->steps_name.has_failed) {
        rln__reduced_free(r);
        return NULL;
    }
    return r;
}

/* Copies the rules, which must be valid. */
static rln_status copy_rules(struct rln__reduced *r, const char *const *rules, size_t n,
                             rln_error *err)
{
    struct rln__renaming renaming = {0};
    rln_status status = RLN_OK;

    r->rules = rln__alloc(n + 1, sizeof(char *));
    if (!r->rules)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < n && !status; i++) {
        const size_t length = strlen(rules[i]) + 1;

        status = rln__renaming_add(&renaming, rules[i], err);
        r->rules[i] = status ? NULL : rln__alloc(length, 1);
        if (r->rules[i])
            memcpy(r->rules[r->n_rules++], rules[i], length);
        else if (!status)
            status = rln__fail_nomem(err);
    }
    rln__renaming_clear(&renaming);
    return status;
}

static int describe_rules(struct rln__reduced *r)
{
    r->renames.length = 0;
    for (size_t i = 0; i < r->n_rules; i++) {
        rln__buf_text(&r->renames, i ? " " : "");
        if (strcmp(r->rules[i], "numbers") == 0) {
            rln__buf_text(&r->renames, "--fold-numbers");
            continue;
        }
        rln__buf_text(&r->renames, "--rename ");
        rln__buf_shell_word(&r->renames, r->rules[i], strlen(r->rules[i]));
    }
    rln__buf_char(&r->renames, '\0');
    return r->renames.has_failed;
}

static int describe(struct rln__reduced *r, const char *steps)
{
    r->filters.length = r->steps_name.length = 0;
    if (rln__filter_describe(r->filter, &r->filters) || describe_rules(r))
        return -1;
    rln__buf_char(&r->filters, '\0');
    rln__buf_text(&r->steps_name, steps ? steps : "");
    rln__buf_char(&r->steps_name, '\0');
    return r->filters.has_failed || r->steps_name.has_failed ? -1 : 0;
}

rln_status rln__reduced_new(const struct rln__reduced_options *options,
                            struct rln__reduced **out, rln_error *err)
{
    static const struct rln__reduced_options none = {0};
    const struct rln__reduced_options *o = options ? options : &none;
    struct rln__reduced *r = rln__reduced_alloc();
    rln_status status;

    *out = NULL;
    if (!r)
        return rln__fail_nomem(err);
    if (options && options->size < sizeof(*options)) {
        rln__reduced_free(r);
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot reduce: options have %zu bytes, not %zu",
                         options->size, sizeof(*options));
    }
    r->filter = o->filter && !rln__filter_is_empty(o->filter) ? o->filter : NULL;
    status = copy_rules(r, o->rules, o->n_rules, err);
    if (!status && describe(r, o->steps))
        status = rln__fail_nomem(err);
    if (status)
        rln__reduced_free(r);
    else
        *out = r;
    return status;
}

void rln__reduced_free(struct rln__reduced *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n_rules; i++)
        rln__free(r->rules[i]);
    for (size_t i = 0; i < r->n_traces; i++)
        rln__reduced_trace_clear(&r->traces[i]);
    rln__free(r->rules);
    rln__buf_clear(&r->filters);
    rln__buf_clear(&r->renames);
    rln__buf_clear(&r->steps_name);
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS && r->sums[i]; i++) {
        rln__reduced_kinds[i]->clear(r->sums[i]);
        rln__free(r->sums[i]);
    }
    rln__strings_clear(&r->strings);
    rln__strings_clear(&r->sources);
    rln__free(r->traces);
    rln__map_clear(&r->traces_by_id);
    rln__free(r->unreadable);
    rln__key_index_clear(&r->origins);
    rln__buf_clear(&r->bytes);
    rln__free(r);
}

const char *rln__reduced_filters(const struct rln__reduced *r)
{
    return r->filters.bytes;
}

const char *rln__reduced_renames(const struct rln__reduced *r)
{
    return r->renames.bytes;
}

const char *rln__reduced_steps(const struct rln__reduced *r)
{
    return r->steps_name.bytes;
}

size_t rln__reduced_count_traces(const struct rln__reduced *r)
{
    return r->n_traces;
}

const struct rln__reduced_trace_info *rln__reduced_trace_at(struct rln__reduced *r,
                                                            size_t index)
{
    const struct rln__reduced_trace *t;

    if (index >= r->n_traces)
        return NULL;
    t = &r->traces[index];
    r->trace = (struct rln__reduced_trace_info){
        .name = rln__strings_get(&r->strings, t->name),
        .host = rln__strings_get(&r->strings, t->parts[0].host),
        .id = t->parts[0].id,
        .n_parts = t->n_parts,
        .start_realtime_ns = t->parts[0].start_ns,
        .is_finished = t->is_finished,
        .n_events = t->counts[RLN__COUNT_EVENTS],
        .n_dropped = t->counts[RLN__COUNT_DROPPED],
        .n_overwritten = t->counts[RLN__COUNT_OVERWRITTEN],
        .n_damages = t->counts[RLN__COUNT_DAMAGES],
        .n_gpu_lost = t->counts[RLN__COUNT_GPU_LOST],
        .damage_offset = t->damage_offset,
        .damage = rln__strings_get(&r->strings, t->damage),
        .first_rank = UINT32_MAX,
        .first_realtime_ns = t->first_ns,
        .last_realtime_ns = t->last_ns,
    };
    for (size_t i = 0; i < t->n_parts; i++) {
        const struct rln__reduced_part *part = &t->parts[i];

        r->trace.n_ranks += part->n_ranks;
        if (part->n_ranks && part->ranks[0] < r->trace.first_rank)
            r->trace.first_rank = part->ranks[0];
    }
    return &r->trace;
}

const struct rln__reduced_unreadable *rln__reduced_unreadable_at(struct rln__reduced *r,
                                                                 size_t index)
{
    if (index >= r->n_unreadable)
        return NULL;
    r->lent_unreadable = (struct rln__reduced_unreadable){
        rln__strings_get(&r->strings, r->unreadable[index].name),
        rln__strings_get(&r->strings, r->unreadable[index].reason),
    };
    return &r->lent_unreadable;
}

/* The file of a window next to the trace that it was made of, as
 * rln__reader_find_duplicate() does. */
int rln__reduced_find_window(const struct rln__reduced *r, rln_text *window,
                             rln_text *of)
{
    for (size_t i = 0; i < r->n_traces; i++) {
        const struct rln__reduced_trace *trace = &r->traces[i];

        for (size_t k = 0; k < trace->n_parts; k++) {
            const struct rln__reduced_part *part = &trace->parts[k];

            for (uint32_t m = 0; m < part->n_windows; m++) {
                const uint64_t found =
                    rln__map_get(&r->traces_by_id, rln__split_id(part->id, m));

                if (!found)
                    continue;
                *window = rln__strings_get(&r->strings, r->traces[found - 1].name);
                *of = rln__strings_get(&r->strings, trace->name);
                return 1;
            }
        }
    }
    return 0;
}

size_t rln__reduced_count_ranks(const struct rln__reduced *r)
{
    struct rln__map seen = {0};
    size_t n = 0;

    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++) {
            const struct rln__reduced_part *part = &r->traces[i].parts[k];

            for (size_t m = 0; m < part->n_ranks; m++) {
                const uint64_t key = (uint64_t)part->ranks[m] + 1;

                if (rln__map_get(&seen, key))
                    continue;
                (void)rln__map_put(&seen, key, 1); /* without memory some count twice */
                n++;
            }
        }
    }
    rln__map_clear(&seen);
    return n;
}
