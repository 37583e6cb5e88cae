/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/newest_chunks.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"

/* A chunk is so small a part of all, if the buffer is large enough. */
#define USUAL_ROOMS 64u
#define MOST_BYTES (1u << 20) /* whoever copies a chunk does so at once */
#define HEADER_WORDS (RLN__CHUNK_HEADER_BYTES / 8)

uint32_t rln__newest_chunks_bytes(const struct rln__newest_chunks *newest)
{
    const uint64_t n_blocks = newest->most_bytes / USUAL_ROOMS / RLN__BLOCK_ALIGN;
    const uint64_t most = MOST_BYTES / RLN__BLOCK_ALIGN;

    return (uint32_t)(n_blocks < 1      ? 1
                      : n_blocks < most ? n_blocks
                                        : most) *
           RLN__BLOCK_ALIGN;
}

/* The newest chunk goes there: behind the newest, in front of the oldest. */
static int64_t add_room(struct rln__newest_chunks *newest, int64_t at)
{
    int64_t *room =
        rln__append(&newest->rooms, &newest->n_rooms, &newest->capacity, sizeof(*room));

    if (!room)
        return -ENOMEM;
    room = newest->rooms + newest->oldest;
    memmove(room + 1, room,
            (newest->n_rooms - 1 - newest->oldest) * sizeof(*newest->rooms));
    *room = at;
    newest->oldest = (newest->oldest + 1) % newest->n_rooms;
    return at;
}

int64_t rln__newest_chunks_room(struct rln__newest_chunks *newest,
                                const struct rln__file *file)
{
    const uint32_t n_bytes = rln__newest_chunks_bytes(newest);
    int64_t at = -ENOSPC;

    if (newest->n_rooms < newest->most_bytes / n_bytes)
        at = rln__file_take(file, n_bytes);
    if (at >= 0 || newest->n_rooms < 2)
        return at < 0 ? at : add_room(newest, at);
    at = newest->rooms[newest->oldest];
    newest->oldest = (newest->oldest + 1) % newest->n_rooms;
    return at;
}

/* Readers must find the end of a chunk at any time, so its size and magic stay. */
static void overwrite(uint64_t *words, const struct rln__chunk_header *header)
{
    __atomic_store_n(&words[header->size_bytes / 8 - 1], 0, __ATOMIC_RELAXED);
    /* Later stores follow this one, for readers that check the last word again. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memset(words + HEADER_WORDS, 0, header->size_bytes - RLN__CHUNK_HEADER_BYTES);
    *(struct rln__chunk_header *)words = *header;
}

static size_t put_continued(struct rln__newest_chunks *newest, uint64_t *at,
                            uint64_t place_before,
                            const struct rln__chunk_header *header)
{
    const size_t most = header->size_bytes / 8 / 2 - RLN__SWITCHES_CONTINUED_WORDS;
    size_t n = RLN__SWITCHES_CONTINUED_WORDS;

    if (!place_before)
        return 0;
    at[1] = header->base_ticks;
    at[2] = place_before;
    n += newest->repeat(newest->context, header->base_ticks, at + n, most);
    at[0] = rln__long_word(RLN__LONG, RLN__SUB_SWITCHES_CONTINUED, n);
    return n;
}

size_t rln__newest_chunks_begin(struct rln__newest_chunks *newest,
                                const struct rln__file *file, uint64_t *words,
                                const struct rln__chunk_header *header)
{
    const size_t n_words = header->size_bytes / 8;
    const uint64_t before = newest->place;
    struct rln__chunk_header with_place = *header;
    size_t n = HEADER_WORDS;

    newest->place = with_place.place = rln__file_next_place(file, n_words, before);
    if (((struct rln__chunk_header *)words)->magic == RLN__CHUNK_MAGIC)
        overwrite(words, &with_place);
    else
        rln__chunk_begin(words, &with_place);
    n += put_continued(newest, words + n, before, header);
    /* Release: a reader that sees it may read all that was written. */
    __atomic_store_n(&words[n_words - 1], newest->place, __ATOMIC_RELEASE);
    return n;
}

void rln__newest_chunks_clear(struct rln__newest_chunks *newest)
{
    rln__free(newest->rooms);
    newest->rooms = NULL;
    newest->n_rooms = newest->capacity = 0;
}
