/* SPDX-License-Identifier: Apache-2.0 */
/* late_rank_sum.c - which rank came last to the calls in which all wait for each other,
 * and how long the others waited for it. */
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/joined_calls.h"
#include "reports/report_list.h"

#include <stdlib.h>

struct late_row {
    rln_text name;
    uint32_t n_ranks, rank, kind;
    uint64_t n_calls, waited_ns, max_ns;
};

struct late_rows {
    struct late_row *rows; /* owned */
    size_t n, capacity;
    struct rln__key_index keys;  /* {name, number of ranks, last rank} */
    struct rln__key_index kinds; /* {name, number of ranks} */
    uint64_t *n_calls;           /* owned; of a kind, whoever came last */
    size_t n_kinds, kinds_capacity;
};

static int by_waited(const void *a, const void *b)
{
    const struct late_row *x = a, *y = b;
    int order;

    if (x->waited_ns != y->waited_ns)
        return x->waited_ns > y->waited_ns ? -1 : 1;
    order = rln__compare_text(x->name, y->name);
    if (!order)
        order = (x->n_ranks > y->n_ranks) - (x->n_ranks < y->n_ranks);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int add(struct late_rows *all, const struct rln__joined_call *call)
{
    const struct rln__key key = {
        {rln__key_of_text(call->name), call->n_ranks, call->last_rank}};
    const struct rln__key kind = {{rln__key_of_text(call->name), call->n_ranks}};
    const uint32_t kind_number = rln__key_index_number(&all->kinds, &kind);
    uint64_t *n_calls =
        rln__key_index_item(&all->n_calls, &all->n_kinds, &all->kinds_capacity,
                            kind_number, sizeof(*n_calls));
    struct late_row *row =
        rln__key_index_item(&all->rows, &all->n, &all->capacity,
                            rln__key_index_number(&all->keys, &key), sizeof(*row));

    if (!row || !n_calls)
        return -1;
    ++*n_calls;
    row->kind = kind_number;
    row->name = call->name;
    row->n_ranks = call->n_ranks;
    row->rank = call->last_rank;
    row->n_calls++;
    row->waited_ns += rln__joined_wait(call);
    if (call->max_ns - call->min_ns > row->max_ns)
        row->max_ns = call->max_ns - call->min_ns;
    return 0;
}

static void put_row(rln_report *out, const struct late_row *row, uint64_t n_calls,
                    uint64_t all_ns)
{
    const double waited = (double)row->waited_ns;

    rln__report_put_fixed(out, all_ns ? 100 * waited / (double)all_ns : 0, 1);
    rln__report_put_ns(out, row->waited_ns);
    rln__report_put_count(out, row->rank);
    rln__report_put_count(out, row->n_calls);
    rln__report_put_fixed(out, 100 * (double)row->n_calls / (double)n_calls, 1);
    rln__report_put_mean(out, waited / (double)row->n_calls / (row->n_ranks - 1));
    rln__report_put_ns(out, row->max_ns);
    rln__report_put_count(out, row->n_ranks);
    rln__report_put_name(out, row->name);
}

static rln_status build_late_rank_sum(const struct rln__report_source *source,
                                      rln_report *out)
{
    struct rln__joined_calls calls;
    struct late_rows all = {.n = 0};
    rln_status status = rln__joined_calls_read(&calls, source->reader, source->err);
    uint64_t all_ns = 0;

    for (size_t i = 0; i < calls.n && !status; i++)
        if (rln__is_whole_call(&calls.items[i]) && add(&all, &calls.items[i]))
            status = rln__fail_nomem(source->err);
    if (!status && all.n)
        qsort(all.rows, all.n, sizeof(*all.rows), by_waited);
    for (size_t i = 0; i < all.n; i++)
        all_ns += all.rows[i].waited_ns;
    for (size_t i = 0; i < all.n && !status; i++)
        put_row(out, &all.rows[i], all.n_calls[all.rows[i].kind], all_ns);
    rln__free(all.rows);
    rln__key_index_clear(&all.keys);
    rln__key_index_clear(&all.kinds);
    rln__free(all.n_calls);
    rln__joined_calls_clear(&calls);
    return status;
}

static const rln_report_column columns[] = {
    RLN__NUMBERS("Waited (%)"), RLN__TIMES("Waited"),     RLN__IDS("Last Rank"),
    RLN__NUMBERS("Calls"),      RLN__NUMBERS("Last (%)"), RLN__TIMES("Avg"),
    RLN__TIMES("Max"),          RLN__NUMBERS("Ranks"),    RLN__TEXTS("Name"),
};

const struct rln__report_kind rln__report_late_rank_sum = {
    .about =
        {.name = "late_rank_sum",
         .title = "Late Rank Summary",
         .help = "which rank the others waited for in collective calls of MPI",
         .subject = "collective calls of MPI that all wait in, of all ranks of one job",
         .details =
             "One row per function, number of ranks and last rank, the longest waits "
             "first. Calls of ranks are joined by what the recorder says of them, "
             "without comparing clocks: the last rank is in a call for the shortest "
             "time, and the others wait for as much longer as they are in it. So only "
             "functions are listed that no rank can leave before all have come: "
             "MPI_Barrier, MPI_Allreduce, MPI_Allgather, MPI_Alltoall, "
             "MPI_Reduce_scatter_block, and those that create communicators, windows "
             "and files. Waited: of all other ranks together; Avg, Max: of one rank in "
             "one call. Calls: in which the rank was last; Last (%): of all such "
             "calls. "
             "Calls that some ranks did not record are left out."},
    .build = build_late_rank_sum,
    RLN__COLUMNS(columns),
};
