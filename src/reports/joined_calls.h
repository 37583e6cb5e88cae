/* SPDX-License-Identifier: Apache-2.0 */
/* joined_calls.h - collective calls of several ranks, joined by what each call says of
 * itself: its communicator, and its number on that. No clocks are compared.
 *
 *     rank 0   |------- MPI_Barrier, 7th of the world --------|   9 ms: waited for 8
 *     rank 1                                     |-- 7th -----|   1 ms: the last to come
 *
 * The last rank is in the call for the shortest time; the others wait for as much longer
 * as they are in it. That holds of functions that no rank can leave before all have come:
 * not of MPI_Bcast, where a rank that comes last may be waited for or not, nor of those
 * whose counts may be 0 for some ranks.
 */
#ifndef RLN_REPORTS_JOINED_CALLS_H
#define RLN_REPORTS_JOINED_CALLS_H

#include "base/key_index.h"
#include "rangeline/reader.h"

/* Whether ranges of a domain are calls of MPI. */
static inline int rln__is_of_mpi(rln_text domain)
{
    return rln__text_is(domain, "MPI");
}

struct rln__joined_call {
    uint64_t total_ns, min_ns, max_ns; /* of its ranks */
    rln_text name;                     /* borrowed */
    uint32_t n_ranks, n_seen;          /* that it has; that are in the traces */
    uint32_t last_rank; /* of the job; the root, where others wait for it */
    uint8_t is_of_root;
};

/* Empty when zeroed. */
struct rln__joined_calls {
    struct rln__key_index keys;     /* {communicator, number} */
    struct rln__joined_call *items; /* owned; by number of the key */
    size_t n, capacity;
    uint8_t
        has_twice; /* a rank: the traces are of several jobs, and nothing is joined */
};

/* Reads the calls of MPI that the reader's filter and window select. To be cleared, also
 * after a failure. */
rln_status rln__joined_calls_read(struct rln__joined_calls *out, rln_reader *reader,
                                  rln_error *err);
void rln__joined_calls_clear(struct rln__joined_calls *calls);

/* Whether all ranks of it are there, and there are several. */
static inline int rln__is_whole_call(const struct rln__joined_call *call)
{
    return call->n_ranks > 1 && call->n_seen == call->n_ranks;
}

/* What its ranks have waited, together. */
static inline uint64_t rln__joined_wait(const struct rln__joined_call *call)
{
    return call->total_ns - call->min_ns * call->n_ranks;
}

#endif
