/* SPDX-License-Identifier: Apache-2.0 */
/* incremental_scan.h - reads what the threads of a run have recorded since the last
 * step.
 *
 *   chunk   [header][seen seen seen][new new][0 0 0 ...]
 *                                   ^ next: each step goes on here
 *
 * Like scan.h, thread by thread; but no item is held back beyond a step, so an item
 * that a signal handler overtook may come after the handler's.
 *
 * An empty slot with records after it may be about to be filled: a handler has
 * interrupted the call that reserved it. Reading stops there once; the next step passes
 * over it.
 */
#ifndef RLN_TRACE_ORDER_INCREMENTAL_SCAN_H
#define RLN_TRACE_ORDER_INCREMENTAL_SCAN_H

#include "base/hash.h"
#include "trace/order/scan.h"

/* How far a chunk has been read. */
struct rln__position {
    uint64_t place;  /* of a chunk that is used again: which use this is */
    uint64_t next;   /* offset in the file */
    uint64_t gap;    /* offset of the empty word where reading stopped; 0: none */
    uint32_t thread; /* index; the chunk's owner at `next` */
    uint8_t is_left; /* its thread had gone on to another chunk by the step before */
    uint8_t is_cut;  /* the next item is later than the step */
    uint8_t is_done;
};

struct rln__incremental_scan {
    struct rln__scan scan;
    struct rln__map by_chunk;        /* part and offset -> index + 1 */
    struct rln__position *positions; /* owned */
    size_t n_positions, positions_capacity;
    uint32_t *newest; /* owned; by thread: the last of its chunks, + 1 */
    size_t n_newest, newest_capacity;
    int64_t until_ns; /* of this step, like the next two */
    rln__visit *visit;
    void *context;
    int has_begun;
};

rln_status rln__incremental_scan_init(struct rln__incremental_scan *scan,
                                      rln_reader *reader, rln_error *err);
void rln__incremental_scan_clear(struct rln__incremental_scan *scan);

/* Visits items before `until_ns` that were not visited yet. The limit is needed because
 * threads are read one after the other, and record meanwhile. To see new records,
 * refresh the reader first. */
rln_status rln__incremental_scan_step(struct rln__incremental_scan *scan,
                                      int64_t until_ns, rln__visit *visit,
                                      void *context, rln_error *err);

#endif
