/* SPDX-License-Identifier: Apache-2.0 */
/* payload_event.h - records events with payloads: docs/reference/FORMAT.md 5. [hot]
 *
 * Bytes are copied unchanged; readers interpret them. A single small payload in a page
 * that has been read before (seen_pages.h) is copied inline, even if its size is wrong.
 * payload_gather.h copies all others with the help of the kernel.
 *
 * Budget: a push with a payload of 24 bytes and its pop cost at most 1.6 times their
 * clock reads (bench/range_pair.c).
 */
#ifndef RLN_COLLECT_PAYLOAD_PAYLOAD_EVENT_H
#define RLN_COLLECT_PAYLOAD_PAYLOAD_EVENT_H

#include "collect/event/event.h"
#include "collect/payload/payload_gather.h"
#include "collect/payload/schema.h"
#include "collect/payload/seen_pages.h"

/* Attributes that the event has in line. */
struct rln__in_line {
    uint32_t category;
    uint32_t color;
    uint64_t types;
    const char *text;
    size_t n_bytes;
};

struct rln__payload_event {
    unsigned kind;   /* MARK, PUSH, POP, START, END or SAMPLE */
    uint32_t id;     /* of attributes; POP and END: a domain; SAMPLE: as its word's */
    uint32_t domain; /* of the call */
    uint64_t value;  /* for END: the range's id */
    const struct rln__in_line *in_line; /* or NULL */
};

/* Records the event with its payloads and everything they point to. Returns
 * the result of rln__put(). */
uint64_t rln__put_payloads(const struct rln__payload_event *e,
                           const struct rln__payload_data *data, size_t n_data);

/* The same for one payload; callers tail-call it. */
uint64_t rln__put_payload_slow(unsigned kind, uint32_t domain, uint32_t id,
                               const struct rln__payload_data *d);

/* Copies the payload's bytes, zero padded. A wrong size reads beyond the object, but
 * stays within its page. */
__attribute__((no_sanitize("address"))) static inline void
rln__put_bytes(uint64_t *to, const char *from, size_t n_bytes)
{
    const size_t n_words = n_bytes / 8;
    uint64_t last = 0;

    for (size_t i = 0; i < n_words; i++)
        __builtin_memcpy(&to[i], from + 8 * i, 8);
    if (RLN_LIKELY(n_bytes % 8 == 0))
        return;
    for (size_t i = n_bytes; i-- > 8 * n_words;)
        last = last << 8 | (unsigned char)from[i];
    to[n_words] = last;
}

/* Records an event of `kind`, a constant in every caller, without a value. The
 * descriptor is ours; its payload may be unmapped. */
static inline __attribute__((always_inline)) uint64_t
rln__put_our_payload(unsigned kind, uint32_t domain, uint32_t id,
                     const struct rln__payload_data *d)
{
    const size_t size = d->size, n_words = 3 + RLN__SEGMENT_WORDS + (size + 7) / 8;
    struct rln__chunk_cursor *const chunk = rln__own_chunk();
    struct rln__reserved_slot slot = {NULL, chunk};
    uintptr_t at = n_words * 8, end;
    const char *from;
    uint64_t ticks;

    if (RLN_UNLIKELY(rln__gate() != 0 ||
                     size >
                         __atomic_load_n(&rln__small_payload_bytes, __ATOMIC_RELAXED) ||
                     rln__signal_atomic_reserve(&chunk->minus_left, &at)))
        return rln__put_payload_slow(kind, domain, id, d);
    /* As much as possible is done after the clock is read: see rln__put_open(). */
    ticks = rln__counter();
    end = __atomic_load_n(&chunk->end, __ATOMIC_RELAXED);
    if (RLN_UNLIKELY(end == 0)) /* a fork has wiped it */
        return rln__put_payload_slow(kind, domain, id, d);
    slot.at = (uint64_t *)(end + at);
    __atomic_store_n(slot.at, rln__long_word(RLN__HOLE, 0, n_words), __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    from = d->payload;
    if (RLN_UNLIKELY(!rln__is_seen(from, size)))
        /* The reserved words stay a hole. */
        return rln__put_payload_slow(kind, domain, id, d);
    slot.at[1] = ticks;
    slot.at[2] = kind | 1u << 16 | (uint64_t)id << 32;
    slot.at[3] = d->schema;
    slot.at[4] = (uint64_t)(uintptr_t)from;
    slot.at[5] = size | (uint64_t)size << 32;
    rln__put_bytes(slot.at + 6, from, size);
    rln__put_word(slot.at, rln__long_word(RLN__LONG, RLN__SUB_PAYLOADS, n_words));
    return rln__call_result(slot, domain, kind);
}

/* The same with the program's descriptor, which may be unmapped, too. */
static inline __attribute__((always_inline)) uint64_t
rln__put_payload(unsigned kind, uint32_t domain, uint32_t id,
                 const struct rln__payload_data *d)
{
    if (RLN_UNLIKELY(!rln__is_seen(d, sizeof *d)))
        return rln__put_payload_slow(kind, domain, id, d);
    return rln__put_our_payload(kind, domain, id, d);
}

#endif
