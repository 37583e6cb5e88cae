/* SPDX-License-Identifier: Apache-2.0 */
/* overwritten_chunks.h - traces in which chunks were used again:
 * docs/reference/FORMAT.md 10.
 *
 *   thread   ...overwritten...[continued: a b| events ][continued: a c| events ]
 *                             begins_record             previous chunk is present
 *
 * Where a thread's record begins, the pushes that `continued` repeats are read as if
 * recorded there, with their original times. Older chunks of the thread, before a
 * missing one, are left out. Kept starts and ends come before all chunks. Event readers
 * therefore see only the item RLN__ITEM_CONTINUED.
 */
#ifndef RLN_TRACE_OPEN_OVERWRITTEN_CHUNKS_H
#define RLN_TRACE_OPEN_OVERWRITTEN_CHUNKS_H

#include "format/chunk_reader.h"
#include "rangeline/reader.h"

struct rln__item;
struct rln__kept_item; /* item.h */

/* A chunk, found by its place. */
struct rln__chunk_place {
    uint64_t place, end;
    uint32_t part;
    uint32_t chunk; /* index in the layout */
};

struct rln__overwritten_chunks {
    struct rln__chunk_place *places; /* owned; by part and place */
    size_t n_places;
    struct rln__kept_item *kept; /* owned; by time */
    size_t n_kept, kept_capacity;
};

/* Loads places and kept events, marks in the layout the chunks that begin a thread's
 * record, and removes the thread's older ones. Needs names and clock_fits. */
rln_status rln__overwritten_chunks_load(rln_reader *reader, rln_error *err);
void rln__overwritten_chunks_clear(struct rln__overwritten_chunks *overwritten);

/* The id of the range that a START of a run with ring buffers begins, without its
 * part. */
uint64_t rln__ring_start_id(const rln_reader *reader, uint32_t part,
                            const struct rln__item *start);

/* Whether the start with that id, without its part, was overwritten. */
int rln__start_is_overwritten(const rln_reader *reader, uint32_t part, uint64_t id);

#endif
