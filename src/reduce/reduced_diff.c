/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_diff.c - puts sums into the rows of a comparison: as one run, of however many
 * traces, because durations are kept for all of them together. */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_paths.h"
#include "reports/diff/diff_rows.h"

/* As many as the tests use of a path. */
#define MOST_LENGTHS 200000u

static size_t row_of(struct rln__diff *d, const struct rln__reduced *r, size_t parent,
                     const uint64_t *words)
{
    const struct rln__diff_path path = {
        .parent = parent,
        .style = (rln_range_style)words[1],
        .is_default_domain = words[2] == 0,
        .domain_name = rln__strings_get(&r->strings, (uint32_t)words[2]),
        .message = rln__strings_get(&r->strings, (uint32_t)words[3]),
    };

    return rln__diff_row_number(d, &path);
}

static int add_samples(struct rln__samples *samples,
                       const struct rln__duration_histogram *durations)
{
    size_t n;
    uint64_t *lengths =
        rln__duration_histogram_lengths(durations, MOST_LENGTHS, &n); /* owned */
    int failed = !lengths;

    for (size_t i = 0; i < n && !failed; i++)
        failed = rln__samples_add(samples, lengths[i]);
    rln__free(lengths);
    return failed;
}

/* What a path has with those ranges that payloads of their end renamed: ranges are matched by
 * the name that they had while they were open. */
struct path_times {
    struct rln__duration_histogram durations;
    struct rln__reduced_cpu cpu;
};

static void free_times(struct path_times *times, size_t n)
{
    for (size_t i = 0; times && i < n; i++) {
        rln__duration_histogram_clear(&times[i].durations);
        rln__reduced_cpu_clear(&times[i].cpu);
    }
    rln__free(times);
}

/* By path; NULL: no memory. */
static struct path_times *times_of(const struct rln__reduced_paths *p)
{
    struct path_times *all = rln__alloc(p->keys.n + 1, sizeof(*all));
    int failed = !all;

    for (uint32_t i = 0; i < p->keys.n && !failed; i++) {
        const uint32_t to =
            rln__reduced_style(p, i) == RLN__RENAMED ? rln__reduced_parent(p, i) : i;

        failed = rln__duration_histogram_merge(&all[to].durations,
                                               &p->wholes[i].durations) ||
                 rln__reduced_cpu_merge(&all[to].cpu, &p->wholes[i].cpu);
    }
    if (!failed)
        return all;
    free_times(all, p->keys.n);
    return NULL;
}

/* Their samples, if there are any, as a run. */
static int add_run(struct rln__diff *d, size_t row, int side,
                   const struct rln__duration_histogram *durations)
{
    struct rln__samples samples = {.keeps_order = 1};

    if (!durations->n)
        return 0;
    d->items[row].runs[side].is_rough |= !rln__duration_histogram_is_exact(durations);
    if (add_samples(&samples, durations)) {
        rln__samples_clear(&samples);
        return -1;
    }
    return rln__diff_add_run(d, row, side, &samples);
}

static int add_times(struct rln__diff *d, size_t row, int side,
                     const struct path_times *times)
{
    struct rln__diff_side *on =
        rln__diff_side_of(&d->on_processor->items[row].row, side);

    on->n_ranges += times->cpu.times.n;
    on->total_ns += times->cpu.times_ns;
    return add_run(d, row, side, &times->durations) ||
           add_run(d->on_processor, row, side, &times->cpu.times);
}

/* `rows` has room for one per path. */
static int add_paths(struct rln__diff *d, int side, const struct rln__reduced *r,
                     const struct rln__reduced_paths *p, const struct path_times *times,
                     size_t *rows)
{
    for (uint32_t i = 0; i < p->keys.n; i++) { /* parents come first */
        const uint64_t *words = p->keys.entries[i].key.words;
        const int is_renamed = words[1] == RLN__RENAMED;
        const size_t parent = words[0] ? rows[words[0] - 1] : SIZE_MAX;
        const struct rln__reduced_row *sum = &p->wholes[i].sum;
        struct rln__diff_side *to;

        rows[i] = is_renamed ? parent : row_of(d, r, parent, words);
        if (rows[i] == SIZE_MAX)
            return -1;
        to = rln__diff_side_of(&d->items[rows[i]].row, side);
        to->n_ranges += sum->n;
        to->n_open += sum->n_open;
        to->total_ns += sum->total_ns;
        if (!is_renamed && add_times(d, rows[i], side, &times[i]))
            return -1;
    }
    return 0;
}

static void add_source(struct rln__diff *d, int side, size_t n_traces)
{
    d->sources[side].n_traces += n_traces;
    d->sources[side].n_runs++;
    d->sources[side].has_order = 0;
}

rln_status rln__diff_add_sums(struct rln__diff *d, int side,
                              const struct rln__reduced *r, rln_error *err)
{
    const struct rln__reduced_paths *p = rln__reduced_sums(r, &rln__reduced_paths_kind);
    struct path_times *times = times_of(p);                  /* owned */
    size_t *rows = rln__alloc(p->keys.n + 1, sizeof(*rows)); /* owned */
    const size_t n_switched = rln__reduced_count_cpu_times(r, RLN__REDUCED_SWITCHES);
    const int failed = !times || !rows || add_paths(d, side, r, p, times, rows);

    free_times(times, p->keys.n);
    rln__free(rows);
    add_source(d, side, rln__reduced_count_parts(r));
    if (n_switched)
        add_source(d->on_processor, side, n_switched);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}
