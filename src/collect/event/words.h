/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - fills the reserved slots of a chunk with an event's words.        [hot] */
#ifndef RLN_COLLECT_EVENT_WORDS_H
#define RLN_COLLECT_EVENT_WORDS_H

#include "collect/event/thread.h"

/* A reserved slot, and its chunk, which has the base of its time. */
struct rln__reserved_slot {
    uint64_t *at; /* NULL: the chunk was full */
    const struct rln__chunk_cursor *chunk;
};

static inline uint64_t rln__record_range_id(struct rln__reserved_slot slot)
{
    return slot.chunk->end_id +
           (uint64_t)((int64_t)((uintptr_t)slot.at - slot.chunk->end) >> 3);
}

static inline void rln__put_word(uint64_t *slot, uint64_t word)
{
    /* Release: operands become visible before the word that announces them. Pairs with
     * the acquire in chunk_reader.c, which may read the file while we write it. */
    __atomic_store_n(slot, word, __ATOMIC_RELEASE);
}

static inline uint32_t rln__shift_id(uint32_t id)
{
    return id << RLN__ID_SHIFT;
}

static inline int rln__has_value(unsigned kind)
{
    return kind >= RLN__MARK_VALUE && kind <= RLN__SAMPLE;
}

/* Writes an event's word, and a second one if it has a value. */
static inline void rln__put_words(uint64_t *at, uint64_t ticks, unsigned kind,
                                  uint32_t shifted_id, uint64_t value)
{
    if (rln__has_value(kind)) {
        /* A hole of two words until both are stored: between the stores, the thread may
         * be killed or a longjmp() may abandon the call. */
        __atomic_store_n(at, rln__long_word(RLN__HOLE, 0, 2), __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_RELEASE);
        __atomic_store_n(at + 1, value, __ATOMIC_RELAXED);
    }
    rln__put_word(at, (ticks << RLN__TICKS_SHIFT) | (shifted_id + kind));
}

/* The return value that NVTX promises: the depth for a push or a pop, else the range's
 * id. */
static inline uint64_t rln__call_result(struct rln__reserved_slot slot, uint32_t domain,
                                        unsigned kind)
{
    if (kind == RLN__PUSH || kind == RLN__PUSH_VALUE)
        return rln__enter(domain);
    if (kind == RLN__POP)
        return rln__leave(domain);
    return rln__record_range_id(slot);
}

#endif
