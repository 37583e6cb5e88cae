/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_reports.c - reports of sums.
 *
 *   wholes of paths --> by name --> rln__stats      rows --> by rank --> rln__sums
 *                   --> rln__tree
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_model.h"
#include "reports/each_sum.h"
#include "reports/report_build.h"
#include "reports/report_parts.h"
#include "reports/summary/quantile.h"

#include <stdlib.h>
#include <string.h>

/* --- By name ---------------------------------------------------------------------- */

/* The wholes of all paths of a style, domain and message. */
struct names {
    struct rln__key_index keys;       /* {style, domain, message} */
    struct rln__reduced_whole *items; /* owned */
    size_t n, capacity;
};

static void names_clear(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        rln__duration_histogram_clear(&names->items[i].durations);
    rln__key_index_clear(&names->keys);
    rln__free(names->items);
}

static rln_status add_to_name(struct names *names, const struct rln__reduced *r,
                              uint32_t path, rln_error *err)
{
    const uint64_t *words = r->paths.entries[path].key.words;
    const struct rln__reduced_whole *whole = &r->wholes[path];
    const struct rln__key key = {
        {words[1] == RLN__RENAMED ? RLN_RANGE_PUSH_POP : words[1], words[2], words[3]}};
    const uint32_t number = rln__key_index_number(&names->keys, &key);
    struct rln__reduced_whole *name = rln__key_index_item(
        &names->items, &names->n, &names->capacity, number, sizeof(*name));

    if (!name || rln__duration_histogram_merge(&name->durations, &whole->durations))
        return rln__fail_nomem(err);
    return rln__reduced_row_add(&name->sum, &whole->sum)
               ? rln__fail(err, RLN_ERR_ARGUMENT, 0,
                           "cannot add sums: they exceed 64 bits")
               : RLN_OK;
}

/* To be cleared, also after a failure. */
static rln_status find_names(const struct rln__reduced *r, struct names *names,
                             rln_error *err)
{
    rln_status status = RLN_OK;

    memset(names, 0, sizeof(*names));
    for (uint32_t i = 0; i < r->paths.n && !status; i++) {
        if (r->wholes[i].sum.n)
            status = add_to_name(names, r, i, err);
    }
    return status;
}

size_t rln__reduced_count_rough(const struct rln__reduced *r)
{
    struct names names;
    size_t n = 0;

    if (!find_names(r, &names, NULL)) {
        for (size_t i = 0; i < names.n; i++)
            n += !rln__duration_histogram_is_exact(&names.items[i].durations);
    }
    names_clear(&names);
    return n;
}

static int fill_row(const struct rln__reduced *r, const uint64_t *name,
                    const struct rln__reduced_whole *whole, struct rln__stats_row *to)
{
    const struct rln__reduced_row *sum = &whole->sum;

    *to = (struct rln__stats_row){
        .style = (rln_range_style)name[0],
        .is_default_domain = name[1] == 0,
        .domain_name = rln__strings_get(&r->strings, (uint32_t)name[1]),
        .message = rln__strings_get(&r->strings, (uint32_t)name[2]),
        .n_ranges = sum->n,
        .n_open = sum->n_open,
        .total_ns = sum->total_ns,
        .average_ns = (double)sum->total_ns / (double)sum->n,
        .min_ns = sum->min_ns,
        .max_ns = sum->max_ns,
        .stddev_ns = rln__stddev(sum->n, sum->total_ns, sum->squares),
    };
    return rln__duration_histogram_median(&whole->durations, &to->median_ns);
}

static struct rln__stats_totals total_of(const struct rln__reduced *r)
{
    struct rln__stats_totals t = {.first_ns = INT64_MAX, .last_ns = INT64_MIN};

    for (size_t i = 0; i < r->n_traces; i++) {
        const struct rln__reduced_trace *trace = &r->traces[i];

        t.n_events += trace->counts[RLN__COUNT_EVENTS];
        t.n_marks += trace->counts[RLN__COUNT_MARKS];
        t.n_unmatched += trace->counts[RLN__COUNT_UNMATCHED];
        t.n_inherited += trace->counts[RLN__COUNT_INHERITED];
        t.n_lost_ranges += trace->counts[RLN__COUNT_LOST_RANGES];
        t.n_gaps += trace->counts[RLN__COUNT_GAPS];
        t.n_lost_events += trace->counts[RLN__COUNT_LOST_EVENTS];
        t.n_unplaced += trace->counts[RLN__COUNT_UNPLACED];
        t.n_resumed += trace->counts[RLN__COUNT_RESUMED];
        if (!trace->counts[RLN__COUNT_EVENTS])
            continue;
        t.first_ns = trace->first_ns < t.first_ns ? trace->first_ns : t.first_ns;
        t.last_ns = trace->last_ns > t.last_ns ? trace->last_ns : t.last_ns;
    }
    for (size_t i = 0; i < r->paths.n; i++) {
        t.n_ranges += r->wholes[i].sum.n;
        t.n_open += r->wholes[i].sum.n_open;
    }
    if (t.n_events == 0)
        t.first_ns = t.last_ns = 0;
    return t;
}

static rln_status make_stats(const struct rln__reduced *r, struct rln__stats **out,
                             rln_error *err)
{
    const struct rln__stats_totals totals = total_of(r);
    struct names names;
    struct rln__stats_row *rows = NULL;
    rln_status status = find_names(r, &names, err);

    if (!status) {
        rows = rln__alloc(names.n + 1, sizeof(*rows));
        if (!rows)
            status = rln__fail_nomem(err);
    }
    for (size_t i = 0; i < names.n && !status; i++) {
        if (fill_row(r, names.keys.entries[i].key.words, &names.items[i], &rows[i]))
            status = rln__fail_nomem(err);
    }
    if (status)
        rln__free(rows);
    else
        status = rln__stats_make(rows, names.n, &totals, out, err);
    names_clear(&names);
    return status;
}

/* --- By path ---------------------------------------------------------------------- */

static void add_to_node(const struct rln__reduced_row *sum, struct rln__tree_node *node)
{
    node->n_calls += sum->n;
    node->n_open += sum->n_open;
    node->total_ns += sum->total_ns;
    node->self_ns += sum->self_ns;
}

static rln_status make_tree(const struct rln__reduced *r, struct rln__tree **out,
                            rln_error *err)
{
    struct rln__tree_item *items = rln__alloc(r->paths.n + 1, sizeof(*items));
    rln_status status;

    if (!items)
        return rln__fail_nomem(err);
    for (uint32_t i = 0; i < r->paths.n; i++) {
        const uint64_t *words = r->paths.entries[i].key.words;
        struct rln__tree_item *item = &items[i + 1];

        item->parent = (uint32_t)words[0];
        item->is_omitted = words[1] != RLN_RANGE_PUSH_POP;
        item->node.is_default_domain = words[2] == 0;
        item->node.domain_name = rln__strings_get(&r->strings, (uint32_t)words[2]);
        item->node.message = rln__strings_get(&r->strings, (uint32_t)words[3]);
        add_to_node(&r->wholes[i].sum,
                    words[1] == RLN__RENAMED ? &items[item->parent].node : &item->node);
    }
    status = rln__tree_make(items, r->paths.n + 1, out, err);
    rln__free(items);
    return status;
}

/* --- By rank ---------------------------------------------------------------------- */

/* Which rank an origin is. */
struct ranks {
    enum rln__rank_kind kind;
    struct rln__rank *items; /* owned until they are handed over; by number */
    size_t n;
    struct rln__map by_number; /* -> index + 1 */
    struct rln__map parts;     /* id -> index + 1, in the order of the file */
    size_t n_parts;
};

static int by_number(const void *a, const void *b)
{
    const struct rln__rank *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static void add_rank(struct ranks *ranks, uint32_t number, size_t part)
{
    ranks->items[ranks->n++] = (struct rln__rank){
        .kind = ranks->kind, .number = number, .part = (uint32_t)part};
}

static size_t count_all_ranks(const struct rln__reduced *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_traces; i++)
        for (size_t k = 0; k < r->traces[i].n_parts; k++)
            n += r->traces[i].parts[k].n_ranks;
    return n;
}

/* Those of the job, or the parts. */
static void add_parts(struct ranks *ranks, const struct rln__reduced *r)
{
    size_t index = 0;

    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++, index++) {
            const struct rln__reduced_part *part = &r->traces[i].parts[k];

            for (size_t m = 0; m < part->n_ranks && ranks->kind == RLN__RANK_OF_JOB;
                 m++)
                add_rank(ranks, part->ranks[m], index);
            if (ranks->kind == RLN__RANK_OF_TRACE && part->has_processes)
                add_rank(ranks, (uint32_t)index, index);
        }
    }
}

static void add_processes(struct ranks *ranks, const struct rln__reduced *r)
{
    for (size_t i = 0; i < r->origins.n; i++)
        add_rank(ranks, (uint32_t)r->origins.entries[i].key.words[2], 0);
}

static int number_parts(struct ranks *ranks, const struct rln__reduced *r)
{
    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++) {
            if (rln__map_put(&ranks->parts, r->traces[i].parts[k].id, ++ranks->n_parts))
                return -1;
        }
    }
    return 0;
}

/* As rln__rank_sum_begin() does for traces. */
static int find_ranks(struct ranks *ranks, const struct rln__reduced *r)
{
    const size_t n_ranks = count_all_ranks(r);
    size_t n_kept = 0;

    if (number_parts(ranks, r))
        return -1;
    ranks->kind = n_ranks              ? RLN__RANK_OF_JOB
                  : ranks->n_parts > 1 ? RLN__RANK_OF_TRACE
                                       : RLN__RANK_OF_PROCESS;
    ranks->items =
        rln__alloc(n_ranks + ranks->n_parts + r->origins.n + 1, sizeof(*ranks->items));
    if (!ranks->items)
        return -1;
    if (ranks->kind == RLN__RANK_OF_PROCESS)
        add_processes(ranks, r);
    else
        add_parts(ranks, r);
    if (ranks->n)
        qsort(ranks->items, ranks->n, sizeof(*ranks->items), by_number);
    for (size_t i = 0; i < ranks->n; i++) {
        if (!n_kept || ranks->items[n_kept - 1].number != ranks->items[i].number)
            ranks->items[n_kept++] = ranks->items[i];
    }
    ranks->n = n_kept;
    for (size_t i = 0; i < n_kept; i++) {
        if (rln__map_put(&ranks->by_number, ranks->items[i].number, i + 1))
            return -1;
    }
    return 0;
}

/* The index of an origin's rank; UINT32_MAX if it does not count. */
static uint32_t rank_of(const struct ranks *ranks, const uint64_t *origin)
{
    const int is_rank = origin[0] == RLN__ORIGIN_RANK;
    uint64_t number = origin[1];

    if (is_rank != (ranks->kind == RLN__RANK_OF_JOB))
        return UINT32_MAX;
    if (ranks->kind == RLN__RANK_OF_TRACE)
        number = rln__map_get(&ranks->parts, origin[1]) - 1;
    else if (ranks->kind == RLN__RANK_OF_PROCESS)
        number = origin[2];
    return (uint32_t)rln__map_get(&ranks->by_number, number) - 1;
}

static int add_rows(const struct rln__reduced *r, const struct ranks *ranks,
                    struct rln__rank_sum *sum)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct rln__reduced_row *row = &r->rows[i];
        const uint64_t *words = r->paths.entries[row->path].key.words;
        const rln_attributes with = {
            .domain = (uint32_t)words[2],
            .domain_name = rln__strings_get(&r->strings, (uint32_t)words[2]),
            .message = rln__strings_get(&r->strings, (uint32_t)words[3]),
        };
        const uint32_t rank = rank_of(ranks, r->origins.entries[row->origin].key.words);
        uint32_t name;

        if (rank == UINT32_MAX)
            continue;
        if (rln__range_names_number(&sum->names, &with, &name) ||
            rln__rank_sum_put(sum, name, rank, row->n, row->total_ns))
            return -1;
    }
    return 0;
}

/* When the first trace began. */
static int64_t find_begin(const struct rln__reduced *r)
{
    int64_t begin = INT64_MAX;

    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++) {
            if (r->traces[i].parts[k].start_ns < begin)
                begin = r->traces[i].parts[k].start_ns;
        }
    }
    return r->n_traces ? begin : 0;
}

static int add_steps(const struct rln__reduced *r, const struct ranks *ranks,
                     struct rln__rank_steps *steps)
{
    const int64_t begin = find_begin(r);

    steps->kind = ranks->kind;
    if (!*r->steps_name.bytes)
        return 0;
    steps->name = rln__copy_name(r->steps_name.bytes);
    steps->items = rln__alloc(r->n_steps + 1, sizeof(*steps->items));
    if (!steps->name || !steps->items)
        return -1;
    for (size_t i = 0; i < r->n_steps; i++) {
        const struct rln__reduced_step *step = &r->steps[i];
        const uint32_t rank =
            rank_of(ranks, r->origins.entries[step->origin].key.words);

        if (rank != UINT32_MAX)
            steps->items[steps->n++] = (struct rln__rank_step){
                step->start_ns - begin, step->ns, ranks->items[rank].number};
    }
    return 0;
}

static rln_status add_gpus(const struct rln__reduced *r, const struct ranks *ranks,
                           struct rln__gpu_rows *out, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < r->gpus.n && !status; i++) {
        const struct rln__gpu_row *row = &r->gpus.items[i];
        const uint32_t rank = rank_of(ranks, r->origins.entries[row->of].key.words);

        if (rank != UINT32_MAX)
            status = rln__gpu_rows_add(out, ranks->items[rank].number, row->device,
                                       &row->use, err);
    }
    return status;
}

/* All that goes by rank. */
static rln_status make_sums(const struct rln__reduced *r,
                            struct rln__report_parts *parts, rln_error *err)
{
    struct rln__sums *sums = rln__alloc(1, sizeof(*sums));
    struct ranks ranks = {0};
    rln_status status =
        !sums || find_ranks(&ranks, r) || add_steps(r, &ranks, &parts->steps)
            ? rln__fail_nomem(err)
            : add_gpus(r, &ranks, &parts->gpus, err);

    if (status)
        rln__free(ranks.items);
    else if (rln__rank_sum_begin_with(&sums->ranks, ranks.kind, ranks.items, ranks.n) ||
             add_rows(r, &ranks, &sums->ranks) || rln__rank_sum_end(&sums->ranks))
        status = rln__fail_nomem(err);
    rln__map_clear(&ranks.by_number);
    rln__map_clear(&ranks.parts);
    if (status)
        rln__sums_free(sums);
    else
        parts->sums = sums;
    return status;
}

/* Those of all origins together. */
static rln_status add_collectives(const struct rln__reduced *r,
                                  struct rln__collectives *out, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < r->collectives.n && !status; i++) {
        const struct rln__collective_row *row = &r->collectives.items[i];

        status = rln__collectives_add(out, 0, row->name, row->bytes, &row->sum, err);
    }
    return status;
}

/* --- Outside ---------------------------------------------------------------------- */

int rln__reduced_has_report(const struct rln__reduced *r,
                            const struct rln__report_info *about, const char *argument)
{
    const char *steps = r->steps_name.bytes;

    return rln__report_needs_only_parts(about, argument, *steps ? steps : NULL);
}

rln_status rln__reduced_reports(struct rln__reduced *r,
                                const rln_report_request *requests, size_t n_requests,
                                struct rln__reports **out, rln_error *err)
{
    struct rln__report_parts parts = {.is_restricted = *r->filters.bytes != '\0'};
    rln_status status;

    *out = NULL;
    rln__reduced_sort(r); /* traces are numbered by name */
    status = make_stats(r, &parts.stats, err);
    if (!status)
        status = make_tree(r, &parts.tree, err);
    if (!status)
        status = make_sums(r, &parts, err);
    if (!status)
        status = add_collectives(r, &parts.collectives, err);
    if (!status)
        return rln__reports_make(&parts, requests, n_requests, out, err);
    rln__report_parts_clear(&parts);
    return status == RLN_ERR_FORMAT ? RLN_ERR_ARGUMENT : status;
}
