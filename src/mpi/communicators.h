/* SPDX-License-Identifier: Apache-2.0 */
/* communicators.h - communicators by a number that all of their ranks agree on, so that
 * the calls of ranks can be joined.
 *
 *     world --split (1st of world)--> rows: id of {world, 1st, rank 0 of it in world}
 *
 * Handles differ between ranks. Ranks create communicators in one order each, from one
 * that they have in common: what is first on one rank is first on all.
 */
#ifndef RLN_MPI_COMMUNICATORS_H
#define RLN_MPI_COMMUNICATORS_H

#include "mpi/mpi_library.h"

struct rln__communicator {
    uintptr_t handle;
    uint32_t id;        /* 0: MPI_COMM_WORLD */
    int n_ranks;        /* 0: MPI does not say */
    int own_rank;       /* in it */
    bool is_between;    /* it joins two groups, of which each has its own ranks */
    int *world_rank;    /* of each rank, UNKNOWN until it is asked for; or NULL */
    uint32_t n_created; /* from this one */
    uint32_t n_calls;   /* of collective functions */
    /* Until the first use nothing is asked: the creation may not have ended. */
    bool is_described;
};

/* What a peer is called that has no rank in MPI_COMM_WORLD. */
enum { RLN__MPI_ANY = -1, RLN__MPI_NONE = -2, RLN__MPI_UNKNOWN = -3 };

/* The one of a handle, valid until it is freed. NULL: one that was created otherwise than
 * from another one that all of its ranks have, or joins two groups. MPI is asked nothing
 * about such handles: they may be none. */
struct rln__communicator *rln__communicator(const struct rln__mpi_library *library,
                                            uintptr_t handle);

/* `handle` has been created from `from`. */
void rln__communicator_created(const struct rln__mpi_library *library, uintptr_t from,
                               uintptr_t handle);
/* To be called before it is freed. */
void rln__communicator_freed(uintptr_t handle);

/* A peer's rank in MPI_COMM_WORLD, or one of the above. */
int rln__communicator_peer(const struct rln__mpi_library *library,
                           struct rln__communicator *c, int peer);

#endif
