/* SPDX-License-Identifier: Apache-2.0 */
/* follow.h - what the threads of a run have recorded since somebody looked last.
 *
 *   chunk   [header][seen seen seen][new new][0 0 0 ...]     each step goes on at
 * `next` ^next
 *
 * As scan.h, thread by thread; but an item is not held back beyond a step, so one that
 * a signal handler overtook may come behind it.
 *
 * A place that is still empty while what stands behind it is not may be about to be
 * filled: a handler has interrupted the call that took it. Reading stops there, once;
 * at the next step such a place is passed over.
 */
#ifndef RLN_MODEL_FOLLOW_H
#define RLN_MODEL_FOLLOW_H

#include "base/hash.h"
#include "model/scan.h"

/* How far a chunk has been read. */
struct rln__position {
    uint64_t place;  /* of a chunk that is used again: which use of it this is */
    uint64_t next;   /* offset in the file */
    uint64_t gap;    /* the empty place at which reading stopped; 0: it did not */
    uint32_t thread; /* index; whose the chunk was there */
    uint8_t is_left; /* its thread had gone on to another one at the step before */
    uint8_t is_cut;  /* what is next happened behind the step */
    uint8_t is_done;
};

struct rln__follow {
    struct rln__scan scan;
    struct rln__map by_chunk;        /* part and offset -> index + 1 */
    struct rln__position *positions; /* owned */
    size_t n_positions, positions_capacity;
    uint32_t *newest; /* owned; by thread: the last of its chunks, + 1 */
    size_t n_newest, newest_capacity;
    int64_t until_ns; /* of this step, as the next two */
    rln__visit *visit;
    void *context;
    int has_begun;
};

rln_status rln__follow_init(struct rln__follow *follow, rln_reader *reader,
                            rln_error *err);
void rln__follow_clear(struct rln__follow *follow);

/* Visits what was not visited yet and happened before `until_ns`: threads are read one
 * after the other, and go on meanwhile. Whoever wants what is new refreshes the reader
 * first. */
rln_status rln__follow_step(struct rln__follow *follow, int64_t until_ns,
                            rln__visit *visit, void *context, rln_error *err);

#endif
