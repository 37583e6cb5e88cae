/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/mpi_sizes.h"

#include <stddef.h>

static uint64_t times_size(const struct rln__mpi_library *library,
                           const struct rln__mpi_arguments *a, unsigned number,
                           int64_t n_items)
{
    uintptr_t type;
    int n_bytes = 0;

    if (n_items <= 0) /* the type of nothing may be anything */
        return 0;
    type = rln__mpi_handle(library, a, number, library->type_from_fortran);
    /* A question about no type would be answered by the program's handler of errors. */
    if (!type || type == library->no_type ||
        library->type_size.with_comm(type, &n_bytes))
        return 0;
    return n_bytes > 0 ? (uint64_t)n_items * (uint64_t)n_bytes : 0;
}

uint64_t rln__mpi_bytes(const struct rln__mpi_library *library,
                        const struct rln__mpi_call *call,
                        const struct rln__mpi_arguments *a)
{
    /* MPI_Probe() has no buffer; nothing is sent to MPI_PROC_NULL. */
    if (!call->count ||
        (call->peer && rln__mpi_integer(a, call->peer) == library->no_peer))
        return 0;
    return times_size(library, a, call->type, rln__mpi_count(a, call->count));
}

/* Counts of all ranks, in C as in Fortran. */
static int64_t sum_of(const struct rln__mpi_arguments *a, unsigned number, int n_ranks)
{
    const int *counts = (const int *)a->words[number];
    int64_t sum = 0;

    for (int i = 0; i < n_ranks; i++)
        sum += counts[i];
    return sum;
}

static int64_t count_of(const struct rln__mpi_arguments *a, unsigned number,
                        bool is_array, bool is_for_each, int n_peers)
{
    if (is_array)
        return sum_of(a, number, n_peers);
    return rln__mpi_count(a, number) * (is_for_each ? n_peers : 1);
}

struct rln__mpi_sizes rln__mpi_collective_sizes(const struct rln__mpi_library *library,
                                                const struct rln__mpi_call *call,
                                                const struct rln__mpi_arguments *a,
                                                const struct rln__communicator *c)
{
    const bool is_root = call->root && rln__mpi_integer(a, call->root) == c->own_rank;
    const unsigned sizes = call->sizes;
    struct rln__mpi_sizes out = {0, 0};
    const bool sends =
        (!(sizes & RLN__MPI_ROOT_SENDS) || is_root) &&
        !(call->buffer && rln__mpi_reuses_buffer(library, a, call->buffer));
    const bool receives = (!(sizes & RLN__MPI_ROOT_RECEIVES) || is_root) &&
                          !((sizes & RLN__MPI_OTHERS_RECEIVE) && is_root) &&
                          !(call->receive_buffer &&
                            rln__mpi_reuses_buffer(library, a, call->receive_buffer));
    int n_ranks = 0;

    /* Arrays of the program are as long as this says now. */
    if (library->comm_size.with_comm(c->handle, &n_ranks) || n_ranks != c->n_ranks)
        return out;
    if (sends)
        out.sent = times_size(library, a, call->type,
                              count_of(a, call->count, sizes & RLN__MPI_ARRAY_SENDS,
                                       sizes & RLN__MPI_SENDS_TO_EACH, n_ranks));
    if (receives && (sizes & RLN__MPI_OWN_OF_ARRAY))
        out.received =
            times_size(library, a, call->receive_type,
                       ((const int *)a->words[call->receive_count])[c->own_rank]);
    else if (receives)
        out.received =
            times_size(library, a, call->receive_type,
                       count_of(a, call->receive_count, sizes & RLN__MPI_ARRAY_RECEIVES,
                                sizes & RLN__MPI_RECEIVES_FROM_EACH, n_ranks));
    return out;
}
