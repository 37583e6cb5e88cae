/* SPDX-License-Identifier: Apache-2.0 */
/* beginnings.h - traces in which chunks were used again: docs/FORMAT.md 10.
 *
 *   thread   ...overwritten...[continued: a b| events ][continued: a c| events ]
 *                             begins_record             the chunk before is there
 *
 * Where a thread's record begins, the pushes that `continued` repeats are read as if
 * they stood there, at the times that they had; older chunks of the thread, with one
 * missing in between, are left out. Starts and ends that were kept come
 * before all chunks. So who reads events knows of all this only the item
 * RLN__ITEM_CONTINUED.
 */
#ifndef RLN_MODEL_BEGINNINGS_H
#define RLN_MODEL_BEGINNINGS_H

#include "format/chunk_reader.h"
#include "rangeline/reader.h"

struct rln__item;
struct rln__kept_item; /* stream.h */

/* A chunk's place, found by it. */
struct rln__placed {
    uint64_t place, end;
    uint32_t part;
    uint32_t chunk; /* index in the layout */
};

struct rln__newest_chunks {
    struct rln__placed *placed; /* owned; by part and place */
    size_t n_placed;
    struct rln__kept_item *kept; /* owned; by time */
    size_t n_kept, kept_capacity;
};

/* Places and kept events; says in the layout which chunks begin a thread's record, and
 * takes older ones of the thread from it. Needs names and timelines. */
rln_status rln__newest_load(rln_reader *reader, rln_error *err);
void rln__newest_clear(struct rln__newest_chunks *newest);

/* The id of the range that a START begins, without its part. */
uint64_t rln__newest_start_id(const rln_reader *reader, uint32_t part,
                              const struct rln__item *start);

/* Whether the start with that id, without its part, was overwritten. */
int rln__newest_is_overwritten(const rln_reader *reader, uint32_t part, uint64_t id);

#endif
