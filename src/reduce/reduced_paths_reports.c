/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_paths_reports.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_ranks.h"
#include "reports/report_build.h"
#include "reports/report_parts.h"
#include "reports/sums.h"
#include "statistics/deviation.h"

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
    for (size_t i = 0; i < names->n; i++) {
        rln__duration_histogram_clear(&names->items[i].durations);
        rln__reduced_cpu_clear(&names->items[i].cpu);
    }
    rln__key_index_clear(&names->keys);
    rln__free(names->items);
}

static rln_status add_to_name(struct names *names, const struct rln__reduced_paths *p,
                              uint32_t path, rln_error *err)
{
    const uint64_t *words = p->keys.entries[path].key.words;
    const struct rln__reduced_whole *whole = &p->wholes[path];
    const struct rln__key key = {
        {words[1] == RLN__RENAMED ? RLN_RANGE_PUSH_POP : words[1], words[2], words[3]}};
    const uint32_t number = rln__key_index_number(&names->keys, &key);
    struct rln__reduced_whole *name = rln__key_index_item(
        &names->items, &names->n, &names->capacity, number, sizeof(*name));

    if (!name || rln__duration_histogram_merge(&name->durations, &whole->durations) ||
        rln__reduced_cpu_merge(&name->cpu, &whole->cpu))
        return rln__fail_nomem(err);
    return rln__reduced_row_add(&name->sum, &whole->sum)
               ? rln__fail(err, RLN_ERR_ARGUMENT, 0,
                           "cannot add sums: they exceed 64 bits")
               : RLN_OK;
}

/* To be cleared, also after a failure. */
static rln_status find_names(const struct rln__reduced_paths *p, struct names *names,
                             rln_error *err)
{
    rln_status status = RLN_OK;

    memset(names, 0, sizeof(*names));
    for (uint32_t i = 0; i < p->keys.n && !status; i++) {
        if (p->wholes[i].sum.n)
            status = add_to_name(names, p, i, err);
    }
    return status;
}

size_t rln__reduced_count_rough(const struct rln__reduced *r)
{
    struct names names;
    size_t n = 0;

    if (!find_names(rln__reduced_sums(r, &rln__reduced_paths_kind), &names, NULL)) {
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
        .split = rln__reduced_cpu_split(&whole->cpu, sum->total_ns),
    };
    return rln__duration_histogram_median(&whole->durations, &to->median_ns);
}

static struct rln__stats_totals total_of(const struct rln__reduced *r,
                                         const struct rln__reduced_paths *p)
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
    for (size_t i = 0; i < p->keys.n; i++) {
        t.n_ranges += p->wholes[i].sum.n;
        t.n_open += p->wholes[i].sum.n_open;
    }
    if (t.n_events == 0)
        t.first_ns = t.last_ns = 0;
    return t;
}

static rln_status make_stats(const struct rln__reduced *r,
                             const struct rln__reduced_paths *p,
                             struct rln__stats **out, rln_error *err)
{
    const struct rln__stats_totals totals = total_of(r, p);
    struct names names;
    struct rln__stats_row *rows = NULL;
    rln_status status = find_names(p, &names, err);

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

static void add_to_node(const struct rln__reduced_whole *whole,
                        struct rln__tree_node *node)
{
    const struct rln__reduced_row *sum = &whole->sum;
    const struct rln__cpu_split split =
        rln__reduced_cpu_split(&whole->cpu, sum->total_ns);

    node->n_calls += sum->n;
    node->n_open += sum->n_open;
    node->total_ns += sum->total_ns;
    node->self_ns += sum->self_ns;
    rln__cpu_split_add(&node->split, &split);
}

static rln_status make_tree(const struct rln__reduced *r,
                            const struct rln__reduced_paths *p, struct rln__tree **out,
                            rln_error *err)
{
    struct rln__tree_item *items = rln__alloc(p->keys.n + 1, sizeof(*items));
    rln_status status;

    if (!items)
        return rln__fail_nomem(err);
    for (uint32_t i = 0; i < p->keys.n; i++) {
        const uint64_t *words = p->keys.entries[i].key.words;
        struct rln__tree_item *item = &items[i + 1];

        item->parent = (uint32_t)words[0];
        item->is_omitted = words[1] != RLN_RANGE_PUSH_POP;
        item->node.is_default_domain = words[2] == 0;
        item->node.domain_name = rln__strings_get(&r->strings, (uint32_t)words[2]);
        item->node.message = rln__strings_get(&r->strings, (uint32_t)words[3]);
        add_to_node(&p->wholes[i],
                    words[1] == RLN__RENAMED ? &items[item->parent].node : &item->node);
    }
    status = rln__tree_make(items, p->keys.n + 1, out, err);
    rln__free(items);
    return status;
}

/* --- By rank ---------------------------------------------------------------------- */

/* Their durations, or their time on a processor. */
static int add_rows(const struct rln__reduced_paths *p,
                    const struct rln__reduced_ranks *ranks, int is_cpu,
                    struct rln__rank_sum *sum)
{
    const struct rln__strings *strings = &ranks->of->strings;

    for (size_t i = 0; i < p->n_rows; i++) {
        const struct rln__reduced_row *row = &p->rows[i];
        const uint64_t *words = p->keys.entries[row->path].key.words;
        const rln_attributes with = {
            .domain = (uint32_t)words[2],
            .domain_name = rln__strings_get(strings, (uint32_t)words[2]),
            .message = rln__strings_get(strings, (uint32_t)words[3]),
        };
        const uint32_t rank = rln__reduced_rank_of(ranks, row->origin);
        uint32_t name;

        if (rank == UINT32_MAX)
            continue;
        if (rln__range_names_number(&sum->names, &with, &name) ||
            rln__rank_sum_put(sum, name, rank, row->n,
                              is_cpu ? row->on_processor_ns : row->total_ns))
            return -1;
    }
    return 0;
}

/* Shares of ranks. */
static rln_status make_sums(const struct rln__reduced_paths *p,
                            const struct rln__reduced_ranks *ranks, int is_cpu,
                            struct rln__sums **out, rln_error *err)
{
    struct rln__sums *sums = rln__alloc(1, sizeof(*sums));
    struct rln__rank *copy = rln__alloc(ranks->n + 1, sizeof(*copy));

    *out = NULL;
    if (!sums || !copy) {
        rln__free(sums);
        rln__free(copy);
        return rln__fail_nomem(err);
    }
    if (ranks->n)
        memcpy(copy, ranks->items, ranks->n * sizeof(*copy));
    if (rln__rank_sum_begin_with(&sums->ranks, ranks->kind, copy, ranks->n) ||
        add_rows(p, ranks, is_cpu, &sums->ranks) || rln__rank_sum_end(&sums->ranks)) {
        rln__sums_free(sums);
        return rln__fail_nomem(err);
    }
    *out = sums;
    return RLN_OK;
}

static const char *why_not_compared(const struct rln__reduced *r)
{
    const size_t n = rln__reduced_count_parts(r);
    const size_t n_switched = rln__reduced_count_cpu_times(r, RLN__REDUCED_SWITCHES);

    if (n_switched == n)
        return NULL;
    return n_switched ? "not all traces have context switches"
           : rln__reduced_count_cpu_times(r, RLN__REDUCED_READINGS)
               ? "no context switches were recorded, only the clocks of threads"
               : "the traces had no context switches, or a rangeline before 0.3.0 has "
                 "reduced them";
}

rln_status rln__reduced_paths_report(const void *paths,
                                     const struct rln__reduced_ranks *ranks,
                                     struct rln__report_parts *parts, rln_error *err)
{
    const struct rln__reduced *r = ranks->of;
    rln_status status = make_stats(r, paths, &parts->stats, err);

    parts->has_cpu_times = rln__reduced_count_cpu_times(r, RLN__REDUCED_SWITCHES) ||
                           rln__reduced_count_cpu_times(r, RLN__REDUCED_READINGS);
    parts->no_cpu_ranks = why_not_compared(r);
    if (!status)
        status = make_tree(r, paths, &parts->tree, err);
    if (!status)
        status = make_sums(paths, ranks, 0, &parts->sums, err);
    if (!status && !parts->no_cpu_ranks)
        status = make_sums(paths, ranks, 1, &parts->cpu_ranks, err);
    return status;
}
