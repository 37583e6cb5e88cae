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

#include "collect/event/chunk.h"

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

/* Records one event, whatever the gate is: put.h asks it. `kind` is a constant in every
 * caller, so the compiler resolves everything that depends on it. `shifted_id` is the
 * id of the event's attributes, or of its domain for a pop or an end, at its position
 * in the word: rln__shift_id(). `value` is a payload, or the id of the range that ends;
 * ignored if the kind has none. Calls of the cold path are tail calls, so no registers
 * have to be saved for them. */
static inline __attribute__((always_inline)) uint64_t
rln__put_open(unsigned kind, uint32_t domain, uint32_t shifted_id, uint64_t value)
{
    struct rln__chunk_cursor *const chunk = rln__own_chunk();
    uintptr_t at = rln__has_value(kind) ? 16 : 8;
    struct rln__reserved_slot slot = {NULL, chunk};
    uint64_t ticks;

    if (RLN_UNLIKELY(rln__signal_atomic_reserve(&chunk->minus_left, &at)))
        return rln__put_slow(slot, domain << 8 | kind, shifted_id, value);
    /* Work done after the clock is read costs 0.8 ns less. `end` is read before `late`,
     * which reveals whether a fork wiped either. */
    ticks = rln__counter();
    slot.at = (uint64_t *)(__atomic_load_n(&chunk->end, __ATOMIC_RELAXED) + at);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RLN_UNLIKELY(rln__is_late(&ticks, &chunk->late)))
        return rln__put_slow(slot, domain << 8 | kind, shifted_id, value);
    rln__put_words(slot.at, ticks, kind, shifted_id, value);
    return rln__call_result(slot, domain, kind);
}

#endif
