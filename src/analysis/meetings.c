/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/meetings.h"

#include <math.h>
#include <string.h>

#include "analysis/step.h"
#include "base/alloc.h"

static uint64_t key_of(size_t name, size_t rank)
{
    return (uint64_t)name << 32 | rank;
}

/* UINT32_MAX: it is no call that may be one of a site. */
static uint32_t rank_of(const struct rln__meetings *m,
                        const struct rln__nesting_row *row)
{
    if (row->thread >= m->n_threads || !m->rank_of[row->thread] ||
        !row->message.bytes || row->flags & RLN_FLAG_DEFERRED ||
        !rln__is_complete_call(row) || rln__run_is_step(m->run, row->name))
        return UINT32_MAX;
    return m->rank_of[row->thread] - 1;
}

/* Finds the calls' names, and how often each rank calls them. */
static int count(struct rln__meetings *m)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(m->run->nesting, i, &row); i++) {
        const uint32_t rank = rank_of(m, &row);
        const uint64_t key = key_of(row.name, rank);

        if (rank == UINT32_MAX)
            continue;
        m->sites[row.name].range = i;
        if (rln__map_put(&m->counts, key, rln__map_get(&m->counts, key) + 1))
            return -1;
    }
    return 0;
}

static int choose_sites(struct rln__meetings *m)
{
    size_t n_items = 0;

    for (size_t name = 0; name < m->n_sites; name++) {
        struct rln__meeting_site *site = &m->sites[name];
        const uint64_t n = rln__map_get(&m->counts, key_of(name, 0));
        bool is_site = n >= RLN__LEAST_CALLS;

        for (size_t rank = 1; is_site && rank < m->steps.n_ranks; rank++)
            is_site = rln__map_get(&m->counts, key_of(name, rank)) == n;
        if (!is_site)
            continue;
        site->first = n_items;
        site->n = (size_t)n;
        n_items += site->n;
    }
    m->items = rln__alloc(n_items + 1, sizeof(*m->items));
    return m->items ? 0 : -1;
}

static void join(struct rln__meeting *m, const struct rln__nesting_row *row,
                 uint32_t rank)
{
    if (!m->has_begun) {
        *m = (struct rln__meeting){row->start_ns, row->start_ns, row->end_ns,
                                   row->end_ns,   rank,          true};
        return;
    }
    if (row->start_ns > m->last_start) {
        m->last_start = row->start_ns;
        m->last = rank;
    }
    if (row->start_ns < m->first_start)
        m->first_start = row->start_ns;
    if (row->end_ns > m->last_end)
        m->last_end = row->end_ns;
    if (row->end_ns < m->first_end)
        m->first_end = row->end_ns;
}

static int meet(struct rln__meetings *m)
{
    struct rln__meeting_call call;
    size_t at = 0;
    int next;

    while ((next = rln__meetings_next(m, &at, &call)) > 0) {
        struct rln__nesting_row row;

        if (rln__nesting_get(m->run->nesting, call.range, &row))
            join(call.meeting, &row, call.rank);
    }
    for (size_t name = 0; name < m->n_sites; name++) {
        struct rln__meeting_site *site = &m->sites[name];

        for (size_t i = site->first; i < site->first + site->n; i++) {
            const struct rln__meeting *item = &m->items[i];

            site->starts_ns += (double)(item->last_start - item->first_start);
            site->ends_ns += (double)(item->last_end - item->first_end);
        }
    }
    return next;
}

int rln__meetings_read(const struct rln__run *run, struct rln__meetings *out)
{
    memset(out, 0, sizeof(*out));
    out->run = run;
    out->n_threads = rln_info_totals(run->info)->n_threads;
    out->n_sites = rln__nesting_count_names(run->nesting);
    out->rank_of = rln__alloc(out->n_threads + 1, sizeof(*out->rank_of));
    out->sites = rln__alloc(out->n_sites + 1, sizeof(*out->sites));
    if (!out->rank_of || !out->sites || rln__ranks_read(run, &out->steps))
        return -1;
    for (size_t rank = 0; rank < out->steps.n_ranks; rank++)
        out->rank_of[out->steps.ranks[rank]->thread] = (uint32_t)rank + 1;
    return count(out) || choose_sites(out) || meet(out) ? -1 : 0;
}

void rln__meetings_clear(struct rln__meetings *m)
{
    rln__ranks_clear(&m->steps);
    rln__map_clear(&m->counts);
    rln__free(m->sites);
    rln__free(m->items);
    rln__free(m->rank_of);
    memset(m, 0, sizeof(*m));
}

int rln__meetings_next(struct rln__meetings *m, size_t *at,
                       struct rln__meeting_call *out)
{
    struct rln__nesting_row row;

    if (*at == 0)
        rln__map_clear(&m->counts);
    for (; rln__nesting_get(m->run->nesting, *at, &row); ++*at) {
        const uint32_t rank = rank_of(m, &row);
        const struct rln__meeting_site *site = &m->sites[row.name];
        const uint64_t key = key_of(row.name, rank);
        struct rln__meeting *meeting;
        uint64_t index;

        if (rank == UINT32_MAX || !site->n)
            continue;
        index = rln__map_get(&m->counts, key);
        if (rln__map_put(&m->counts, key, index + 1))
            return -1;
        meeting = &m->items[site->first + (size_t)index];
        *out = (struct rln__meeting_call){
            .range = (*at)++,
            .name = row.name,
            .rank = rank,
            .meeting = meeting,
            .waited_ns =
                (double)((row.end_ns < meeting->last_start ? row.end_ns
                                                           : meeting->last_start) -
                         row.start_ns)};
        return 1;
    }
    return 0;
}
