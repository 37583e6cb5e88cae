/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/joined_calls.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/values.h"
#include "ranges/events.h"
#include "reports/countable_ns.h"
#include "trace/open/load.h"
#include "trace/open/rank.h"

/* Whether no rank leaves the function before all have come. */
static int waits_for_all(rln_text name)
{
    static const char *const functions[] = {
        "MPI_Barrier",    "MPI_Allreduce",   "MPI_Allgather",
        "MPI_Alltoall",   "MPI_Comm_dup",    "MPI_Reduce_scatter_block",
        "MPI_Comm_split", "MPI_Comm_create", "MPI_Win_create",
        "MPI_File_open",  "MPI_Win_allocate"};

    for (size_t i = 0; i < RLN_COUNT(functions); i++)
        if (rln__text_is(name, functions[i]))
            return 1;
    return 0;
}

/* What a call says of itself. */
struct call {
    uint64_t communicator, number, n_ranks;
};

/* Whether it has all of it. */
static int read_fields(const rln_payload *payload, struct call *out)
{
    static const char *const names[] = {"communicator", "number", "ranks"};
    uint64_t *const values[] = {&out->communicator, &out->number, &out->n_ranks};
    size_t n_found = 0;

    *out = (struct call){.number = 0};
    for (size_t i = 1; i < payload->n_fields; i++) {
        const rln_field *f = &payload->fields[i];

        for (size_t k = 0; k < RLN_COUNT(names); k++)
            if (rln__text_is(f->name, names[k])) {
                *values[k] = f->bits;
                n_found++;
            }
    }
    return n_found == RLN_COUNT(names);
}

struct processes {
    uint32_t *ranks;         /* owned; by process */
    struct rln__map of_rank; /* process + 1 */
};

static int add(struct rln__joined_calls *all, const rln_range *range,
               const struct call *call, uint32_t rank)
{
    const struct rln__key key = {{call->communicator, call->number}};
    const size_t n_known = all->n;
    const uint32_t number = rln__key_index_number(&all->keys, &key);
    const uint64_t ns = (uint64_t)(range->end_ns - range->start_ns);
    struct rln__joined_call *joined = rln__key_index_item(
        &all->items, &all->n, &all->capacity, number, sizeof(*joined));

    if (!joined)
        return -1;
    if (number >= n_known)
        *joined = (struct rln__joined_call){
            .name = range->attributes.message,
            .n_ranks = (uint32_t)call->n_ranks,
            .min_ns = UINT64_MAX,
            .last_rank = rank,
        };
    /* The same call has one name. */
    if (joined->name.bytes != range->attributes.message.bytes)
        joined->n_ranks = 0;
    if (ns < joined->min_ns)
        joined->last_rank = rank;
    joined->min_ns = ns < joined->min_ns ? ns : joined->min_ns;
    joined->max_ns = ns > joined->max_ns ? ns : joined->max_ns;
    joined->total_ns += ns;
    joined->n_seen++;
    return 0;
}

/* Each rank is one process: two of one rank are of different jobs. */
static int note_process(struct rln__joined_calls *all, struct processes *p,
                        uint32_t rank, uint32_t process)
{
    const uint64_t known = rln__map_get(&p->of_rank, rank);

    if (known)
        all->has_twice |= known != process + 1u;
    else if (rln__map_put(&p->of_rank, rank, process + 1u))
        return -1;
    return 0;
}

static rln_status read_call(struct rln__joined_calls *all, struct processes *p,
                            rln_ranges *ranges, const rln_range *range, rln_error *err)
{
    const uint32_t rank = p->ranks[range->process];
    const rln_payload *payloads;
    struct call call;
    size_t n = 0;
    rln_status status;

    if (!waits_for_all(range->attributes.message) || rank == RLN_NO_RANK ||
        !range->n_payloads || range->style != RLN_RANGE_PUSH_POP || range->flags ||
        rln__countable_ns(range) < 0)
        return RLN_OK;
    status = rln_ranges_payloads(ranges, &payloads, &n, err);
    if (status || !n || !read_fields(&payloads[0], &call))
        return status;
    return note_process(all, p, rank, range->process) || add(all, range, &call, rank)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

/* Whether the reader's window has only a part of it. */
static int is_cut(const rln_reader *reader, const rln_range *range)
{
    const rln_range inside = rln__range_inside(reader, range);

    return inside.start_ns != range->start_ns || inside.end_ns != range->end_ns;
}

static int has_mpi(const rln_reader *reader)
{
    const struct rln__names *names = &reader->names;

    for (size_t i = 0; i < names->n_domains; i++)
        if (rln__is_of_mpi(rln__strings_get(&names->strings, names->domains[i].name)))
            return 1;
    return 0;
}

static uint32_t *find_ranks(const rln_reader *reader)
{
    const size_t n = reader->names.n_processes;
    uint32_t *ranks = rln__alloc(n + 1, sizeof(*ranks));

    for (uint32_t i = 0; ranks && i < n; i++)
        ranks[i] = rln__rank_of(reader, i);
    return ranks;
}

rln_status rln__joined_calls_read(struct rln__joined_calls *out, rln_reader *reader,
                                  rln_error *err)
{
    struct processes processes = {.ranks = NULL};
    const rln_range *range;
    rln_ranges *ranges = NULL;
    rln_status status;

    *out = (struct rln__joined_calls){.n = 0};
    if (!has_mpi(reader))
        return RLN_OK;
    processes.ranks = find_ranks(reader);
    status =
        processes.ranks ? rln_ranges_open(reader, &ranges, err) : rln__fail_nomem(err);
    while (!status && !(status = rln_ranges_next(ranges, &range, err)))
        if (rln__is_of_mpi(range->attributes.domain_name) && !is_cut(reader, range))
            status = read_call(out, &processes, ranges, range, err);
    rln_ranges_close(ranges);
    rln__free(processes.ranks);
    rln__map_clear(&processes.of_rank);
    if (out->has_twice)
        out->n = 0;
    return status == RLN_END ? RLN_OK : status;
}

void rln__joined_calls_clear(struct rln__joined_calls *calls)
{
    rln__key_index_clear(&calls->keys);
    rln__free(calls->items);
    *calls = (struct rln__joined_calls){.n = 0};
}
