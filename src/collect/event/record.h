/* SPDX-License-Identifier: Apache-2.0 */
/* record.h - encodes one event as a word in the thread's chunk.               [hot]
 *
 * Budget of a push/pop pair: 1.35 times its two clock reads (bench/range_pair.c); what
 * it actually costs, and why, is in docs/about/PERFORMANCE.md.
 *
 * The order matters. First one instruction reserves a slot in the chunk; a handler that
 * interrupts us reserves the next slot. Whatever the handler did, that instruction has
 * either reserved a slot in the same chunk or sends us to the cold path. Then the clock
 * is read, then the word is stored.
 */
#ifndef RLN_COLLECT_EVENT_RECORD_H
#define RLN_COLLECT_EVENT_RECORD_H

#include "collect/capture/gate.h"

/* A reserved slot, and its chunk, which has the base of its time. */
struct rln__reserved_slot {
    uint64_t *at; /* NULL: the chunk was full */
    const struct rln__chunk_cursor *chunk;
};

/* chunk.c: records the event on the cold path: when `slot` is empty, when the kernel
 * has to read the clock, or when the event is 2^36 ticks later than its chunk's base
 * (27 s at 2.5 GHz) and its time needs a longer record. `what` is {domain:24, kind:8}.
 * Returns the result of rln__put(). */
uint64_t rln__put_slow(struct rln__reserved_slot slot, uint32_t what,
                       uint32_t placed_id, uint64_t value);

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

static inline uint32_t rln__place_id(uint32_t id)
{
    return id << RLN__ID_SHIFT;
}

static inline int rln__has_value(unsigned kind)
{
    return kind >= RLN__MARK_VALUE && kind <= RLN__SAMPLE;
}

/* Writes an event's word, and a second one if it has a value. */
static inline void rln__put_words(uint64_t *at, uint64_t ticks, unsigned kind,
                                  uint32_t placed_id, uint64_t value)
{
    if (rln__has_value(kind)) {
        /* A hole of two words until both are stored: between the stores, the thread may
         * be killed or a longjmp() may abandon the call. */
        __atomic_store_n(at, rln__long_word(RLN__HOLE, 0, 2), __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_RELEASE);
        __atomic_store_n(at + 1, value, __ATOMIC_RELAXED);
    }
    rln__put_word(at, (ticks << RLN__TICKS_SHIFT) | (placed_id + kind));
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

/* Computes the ticks since the base (a later shift drops the excess bits) and returns
 * whether they do not fit. Always true in a chunk wiped by fork. */
static inline int rln__is_late(uint64_t *ticks, const uint64_t *late)
{
#if defined(__x86_64__)
    int has_not_borrowed; /* an output flag: gcc would lay out the equivalent C as the
                             rare case */

    __asm__ volatile("subq %2, %0"
                     : "+r"(*ticks), "=@ccae"(has_not_borrowed)
                     : "m"(*late));
    return has_not_borrowed;
#else
    return !__builtin_sub_overflow(*ticks, *late, ticks);
#endif
}

/* gate.c: records an event while bits of the gate are set. Pushes and pops, the most
 * frequent events, have functions of their own. */
uint64_t rln__put_gated(uint32_t what, uint32_t placed_id, uint64_t value);
uint64_t rln__push_gated(uint32_t domain, uint32_t placed_id);
uint64_t rln__pop_gated(uint32_t domain, uint32_t placed_id);

/* Records one event. `kind` is a constant in every caller, so the compiler resolves
 * everything that depends on it. `placed_id` is the id of the event's attributes, or of
 * its domain for a pop or an end, shifted to its position in the word: rln__place_id().
 * `value` is a payload, or the id of the range that ends; ignored if the kind has none.
 * Calls of the cold path are tail calls, so no registers have to be saved for them. */
static inline __attribute__((always_inline)) uint64_t
rln__put_open(unsigned kind, uint32_t domain, uint32_t placed_id, uint64_t value)
{
    struct rln__chunk_cursor *const chunk = rln__own_chunk();
    uintptr_t at = rln__has_value(kind) ? 16 : 8;
    struct rln__reserved_slot slot = {NULL, chunk};
    uint64_t ticks;

    if (RLN_UNLIKELY(rln__signal_atomic_reserve(&chunk->minus_left, &at)))
        return rln__put_slow(slot, domain << 8 | kind, placed_id, value);
    /* Work done after the clock is read costs 0.8 ns less. `end` is read before `late`,
     * which reveals whether a fork wiped either. */
    ticks = rln__counter();
    slot.at = (uint64_t *)(__atomic_load_n(&chunk->end, __ATOMIC_RELAXED) + at);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RLN_UNLIKELY(rln__is_late(&ticks, &chunk->late)))
        return rln__put_slow(slot, domain << 8 | kind, placed_id, value);
    rln__put_words(slot.at, ticks, kind, placed_id, value);
    return rln__call_result(slot, domain, kind);
}

/* The same, checking the gate first. */
static inline __attribute__((always_inline)) uint64_t
rln__put(unsigned kind, uint32_t domain, uint32_t placed_id, uint64_t value)
{
    if (RLN_UNLIKELY(rln__gate() != 0))
        return kind == RLN__PUSH ? rln__push_gated(domain, placed_id)
               : kind == RLN__POP
                   ? rln__pop_gated(domain, placed_id)
                   : rln__put_gated(domain << 8 | kind, placed_id, value);
    return rln__put_open(kind, domain, placed_id, value);
}

#endif
