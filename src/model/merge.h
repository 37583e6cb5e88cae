/* SPDX-License-Identifier: Apache-2.0 */
/* merge.h - all items of all chunks and names, in the order of time.
 *
 *   chunks by base time   [ ][ ][ ][ ][ ]...     the next one enters when its base is
 * due
 *                                |
 *   heap of feeds         (t=3) (t=5) (t=9)      one for each chunk that is being read
 *                           |
 *                           v  items
 *
 * Equal times: names first, then by chunk, then by place. Memory is that of the chunks
 * which are written at the same time.
 */
#ifndef RLN_MODEL_MERGE_H
#define RLN_MODEL_MERGE_H

#include "model/stream.h"

struct rln__feed;

struct rln__timed_name {
    struct rln__name_event event;
    int64_t t_ns;
    uint32_t part;
};

struct rln__merge {
    rln_reader *reader;        /* borrowed */
    struct rln__chunk *chunks; /* owned, as all these */
    struct rln__timed_name *names;
    struct rln__feed **heap;
    size_t n_chunks, next_chunk;
    size_t n_names, next_name;
    size_t n_heap, heap_capacity;
    struct rln__feed *spare; /* one that has ended, for the next chunk */
};

/* One item, or one event that is told in a chunk of names. */
struct rln__merged {
    int64_t t_ns;
    struct rln__item item;              /* if `name` is NULL */
    const struct rln__name_event *name; /* borrowed until the merge is cleared */
    uint32_t part;
};

rln_status rln__merge_init(struct rln__merge *merge, rln_reader *reader,
                           rln_error *err);
void rln__merge_clear(struct rln__merge *merge);
rln_status rln__merge_next(struct rln__merge *merge, struct rln__merged *out,
                           rln_error *err);

#endif
