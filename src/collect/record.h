/* SPDX-License-Identifier: Apache-2.0 */
/* record.h - encodes one event as a word in the thread's chunk.               [hot]
 *
 * Budget: a push/pop pair costs at most 1.35 times its two clock reads (bench/pair.c).
 *
 * The order matters. First room is taken, in one instruction: a handler that interrupts
 * us takes the next. Then the descriptor is loaded, once: whatever a handler did
 * meanwhile, what we see either holds our room or sends us to the cold path. Then the
 * clock is read, then the word is stored.
 */
#ifndef RLN_COLLECT_RECORD_H
#define RLN_COLLECT_RECORD_H

#include "collect/thread.h"

struct rln__taken {
    uint64_t *at;
    const struct rln__chunk *chunk;
};

/* chunk.c: room in the next chunk, or in the bit bucket. */
struct rln__taken rln__take_slow(size_t n_bytes);

/* chunk.c: an event that is more than 2^36 ticks later than its chunk's base (27 s at
 * 2.5 GHz), in a record that holds all of its time. Returns its range id. */
uint64_t rln__put_late(unsigned kind, uint32_t id, uint64_t ticks, int has_value,
                       uint64_t value);

/* Takes room for one record; `at` is never NULL. */
static inline struct rln__taken rln__take(size_t n_bytes)
{
    struct rln__thread *t = rln__self.thread;
    const uintptr_t at = rln__add_unsplit(&t->next, n_bytes);
    const struct rln__chunk *c =
        (const struct rln__chunk *)((uintptr_t)t +
                                    __atomic_load_n(&t->chunk, __ATOMIC_RELAXED));

    if (RLN_UNLIKELY(at - c->begin + n_bytes > c->size))
        return rln__take_slow(n_bytes);
    return (struct rln__taken){(uint64_t *)at, c};
}

static inline uint64_t rln__range_id(struct rln__taken taken)
{
    return taken.chunk->first_id + (((uintptr_t)taken.at - taken.chunk->begin) >> 3);
}

static inline void rln__put_word(uint64_t *slot, uint64_t word)
{
    /* Release: operands before the word that announces them. Pairs with the acquire in
     * chunk_reader.c, which may read the file while we write it. */
    __atomic_store_n(slot, word, __ATOMIC_RELEASE);
}

/* An event of one word. Returns its range id. */
static inline uint64_t rln__put(unsigned kind, uint32_t id)
{
    const struct rln__taken taken = rln__take(8);
    const uint64_t now = rln__now();
    const uint64_t ticks = now - taken.chunk->base_ticks;

    if (RLN_UNLIKELY(ticks >> RLN__TICKS_BITS))
        return rln__put_late(kind, id, now, 0, 0);
    rln__put_word(taken.at,
                  (ticks << RLN__TICKS_SHIFT) | ((uint64_t)id << RLN__ID_SHIFT) | kind);
    return rln__range_id(taken);
}

/* An event with a value behind it: a payload, or the id of the range that ends. */
static inline uint64_t rln__put_value(unsigned kind, uint32_t id, uint64_t value)
{
    const struct rln__taken taken = rln__take(16);
    const uint64_t now = rln__now();
    const uint64_t ticks = now - taken.chunk->base_ticks;

    if (RLN_UNLIKELY(ticks >> RLN__TICKS_BITS))
        return rln__put_late(kind, id, now, 1, value);
    /* A hole of two until both words are there: we may be killed, or left by longjmp(),
     * between the stores. */
    __atomic_store_n(taken.at, rln__long_word(RLN__HOLE, 0, 2), __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(taken.at + 1, value, __ATOMIC_RELAXED);
    rln__put_word(taken.at,
                  (ticks << RLN__TICKS_SHIFT) | ((uint64_t)id << RLN__ID_SHIFT) | kind);
    return rln__range_id(taken);
}

#endif
