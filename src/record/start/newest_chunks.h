/* SPDX-License-Identifier: Apache-2.0 */
/* newest_chunks.h - keeps only the newest chunks of switches, each new one in place of the
 * oldest: docs/reference/FORMAT.md 10 and 11.
 *
 *   [chunk 4][chunk 5][chunk 3] --> [chunk 4][chunk 5][chunk 6 | continued 5 | ... ]
 *
 * A chunk has a place, which its last word repeats as long as the chunk is whole, and begins
 * with a record that names the place of the one before.
 */
#ifndef RLN_RECORD_START_NEWEST_CHUNKS_H
#define RLN_RECORD_START_NEWEST_CHUNKS_H

#include <stddef.h>

#include "format/superblock.h"

struct rln__newest_chunks {
    /* Filled in by the caller; the rest is 0. */
    uint64_t most_bytes; /* of all chunks, about */
    /* Puts into the first record of a chunk what is to be known of the chunks before, of
     * which the last ones may be missing since `since_ticks`: at most so many words. The
     * result says how many. */
    size_t (*repeat)(void *context, uint64_t since_ticks, uint64_t *to,
                     size_t most_words);
    void *context;

    /* Private. */
    uint64_t place; /* of the newest chunk */
    int64_t *rooms; /* owned: offsets in the file */
    size_t n_rooms, capacity;
    size_t oldest; /* the index of the oldest chunk's; the next ones follow */
};

/* Of each chunk. */
uint32_t rln__newest_chunks_bytes(const struct rln__newest_chunks *newest);

/* Where the next chunk is to be: its offset, or -errno. */
int64_t rln__newest_chunks_room(struct rln__newest_chunks *newest,
                                const struct rln__file *file);

/* Begins a chunk in that room, which is mapped: readers see what was there, then nothing,
 * then this. Returns for how many words it is used now. */
size_t rln__newest_chunks_begin(struct rln__newest_chunks *newest,
                                const struct rln__file *file, uint64_t *words,
                                const struct rln__chunk_header *header);

void rln__newest_chunks_clear(struct rln__newest_chunks *newest);

#endif
