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

/* All durations of each path, with those that payloads of their end renamed: ranges are
 * matched by the name that they had while they were open. */
static struct rln__duration_histogram *durations_of(const struct rln__reduced_paths *p)
{
    struct rln__duration_histogram *all = rln__alloc(p->keys.n + 1, sizeof(*all));
    int failed = !all;

    for (uint32_t i = 0; i < p->keys.n && !failed; i++) {
        const uint32_t to =
            rln__reduced_style(p, i) == RLN__RENAMED ? rln__reduced_parent(p, i) : i;

        failed = rln__duration_histogram_merge(&all[to], &p->wholes[i].durations);
    }
    if (!failed || !all)
        return all;
    for (uint32_t i = 0; i < p->keys.n; i++)
        rln__duration_histogram_clear(&all[i]);
    rln__free(all);
    return NULL;
}

static int add_path(struct rln__diff *d, int side, const struct rln__reduced_row *sum,
                    const struct rln__duration_histogram *durations, size_t row)
{
    struct rln__diff_side *to = rln__diff_side_of(&d->items[row].row, side);
    struct rln__samples samples = {.keeps_order = 1};

    to->n_ranges += sum->n;
    to->n_open += sum->n_open;
    to->total_ns += sum->total_ns;
    if (!durations || !durations->n)
        return 0;
    d->items[row].runs[side].is_rough |= !rln__duration_histogram_is_exact(durations);
    if (add_samples(&samples, durations)) {
        rln__samples_clear(&samples);
        return -1;
    }
    return rln__diff_add_run(d, row, side, &samples);
}

/* `rows` has room for one per path. */
static int add_paths(struct rln__diff *d, int side, const struct rln__reduced *r,
                     const struct rln__reduced_paths *p,
                     const struct rln__duration_histogram *durations, size_t *rows)
{
    for (uint32_t i = 0; i < p->keys.n; i++) { /* parents come first */
        const uint64_t *words = p->keys.entries[i].key.words;
        const int is_renamed = words[1] == RLN__RENAMED;
        const size_t parent = words[0] ? rows[words[0] - 1] : SIZE_MAX;

        rows[i] = is_renamed ? parent : row_of(d, r, parent, words);
        if (rows[i] == SIZE_MAX || add_path(d, side, &p->wholes[i].sum,
                                            is_renamed ? NULL : &durations[i], rows[i]))
            return -1;
    }
    return 0;
}

rln_status rln__diff_add_sums(struct rln__diff *d, int side,
                              const struct rln__reduced *r, rln_error *err)
{
    const struct rln__reduced_paths *p = rln__reduced_sums(r, &rln__reduced_paths_kind);
    struct rln__duration_histogram *durations = durations_of(p); /* owned */
    size_t *rows = rln__alloc(p->keys.n + 1, sizeof(*rows));     /* owned */
    const int failed = !durations || !rows || add_paths(d, side, r, p, durations, rows);

    for (size_t i = 0; i < p->keys.n && durations; i++)
        rln__duration_histogram_clear(&durations[i]);
    rln__free(durations);
    rln__free(rows);
    d->sources[side].n_traces += rln__reduced_count_traces(r);
    d->sources[side].n_runs++;
    d->sources[side].has_order = 0;
    return failed ? rln__fail_nomem(err) : RLN_OK;
}
