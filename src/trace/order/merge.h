/* SPDX-License-Identifier: Apache-2.0 */
/* merge.h - yields all items of all chunks, and names, in time order.
 *
 *   chunks by base time   [ ][ ][ ][ ][ ][ ]...     the next one enters when its base
 *                                |                  is due
 *   heap of feeds         (t=3) (t=5) (t=9)         one per chunk being read
 *                           |
 *                           v  items
 *
 * At equal times, names come first, then kept items of overwritten chunks, then
 * deferred events, then GPU work, then by chunk, then by offset. Memory holds the
 * chunks that were written at the same time, and all deferred events.
 *
 * An item stays in its feed until the next one is requested; only then does the feed
 * advance. While one feed is ahead of all others, its items are returned inline.
 */
#ifndef RLN_TRACE_ORDER_MERGE_H
#define RLN_TRACE_ORDER_MERGE_H

#include "trace/decode/deferred_events.h"
#include "trace/decode/feed.h"
#include "trace/order/gpu_order.h"

struct rln__timed_name {
    struct rln__name_event event;
    int64_t t_ns;
    uint32_t part;
};

struct rln__merge_entry {
    int64_t t_ns; /* of the feed's head */
    struct rln__feed *feed;
};

struct rln__merge {
    rln_reader *reader;             /* borrowed */
    struct rln__chunk_info *chunks; /* owned, like the others below */
    struct rln__timed_name *names;
    struct rln__deferred_events deferred;
    size_t next_deferred;
    struct rln__item deferred_item; /* made of the last past event */
    struct rln__gpu_order gpu;
    struct rln__item gpu_item; /* stands for the last of them */
    struct rln__kept_item *kept;
    size_t n_kept, next_kept;
    struct rln__merge_entry *heap;
    size_t n_chunks, next_chunk;
    int64_t next_chunk_ns; /* when that one enters */
    int64_t known_ns;      /* the time of the first of what comes from no feed */
    size_t n_names, next_name;
    size_t n_heap, heap_capacity;
    struct rln__feed *spare; /* one that has ended, for the next chunk */
    struct rln__feed *lead;  /* at the top of the heap: its head was returned */
    int64_t rival_ns;        /* no other item that is left is earlier */
};

/* One item, or one event recorded in a chunk of names. */
struct rln__merged {
    int64_t t_ns;
    const struct rln__item *item; /* borrowed until the next; NULL if `name` is set */
    const struct rln__name_event *name; /* borrowed until the merge is cleared */
    const struct rln__deferred_event
        *deferred; /* the same; source of `item`, or NULL */
    /* GPU work, and its batch; or NULL. Borrowed as `item` is. */
    const struct rln__gpu_event *gpu;
    const struct rln__gpu_batch *gpu_batch;
    uint32_t part;
};

rln_status rln__merge_init(struct rln__merge *merge, rln_reader *reader,
                           rln_error *err);
void rln__merge_clear(struct rln__merge *merge);

/* For when several sources must be compared. `advanced` is the result of advancing the
 * lead, if there is one. */
rln_status rln__merge_choose(struct rln__merge *merge, rln_status advanced,
                             struct rln__merged *out, rln_error *err);

/* RLN_END after the last. */
static inline rln_status rln__merge_next(struct rln__merge *m, struct rln__merged *out,
                                         rln_error *err)
{
    struct rln__feed *lead = m->lead;
    const rln_status status = lead ? rln__feed_advance(lead, err) : RLN_OK;

    if (!lead || status || lead->t_ns >= m->rival_ns)
        return rln__merge_choose(m, status, out, err);
    *out = (struct rln__merged){
        .t_ns = lead->t_ns, .item = lead->head, .part = lead->stream.chunk.part};
    return RLN_OK;
}

#endif
