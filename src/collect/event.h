/* SPDX-License-Identifier: Apache-2.0 */
/* event.h - from a call's arguments to a word: marks, pushes, starts.           [hot]
 *
 * Everything that comes from the program is read field by field (16-byte loads from
 * fields just written one by one would wait for the stores) and only as far as the
 * program vouches for it by the structure's `size`.
 */
#ifndef RLN_COLLECT_EVENT_H
#define RLN_COLLECT_EVENT_H

#include "collect/intern.h"

/* nvtxEventAttributes_t of version 1 to 3, as the ABI has it. */
struct rln__event_attributes {
    uint16_t version;
    uint16_t size; /* bytes of this structure that the program has filled in */
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type;
    int32_t reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message; /* char *, wchar_t *, or a registered string's handle */
};

_Static_assert(sizeof(struct rln__event_attributes) == 48, "the NVTX v3 ABI");

enum rln__nvtx_message_type {
    RLN__NVTX_MESSAGE_NONE = 0,
    RLN__NVTX_MESSAGE_ASCII = 1,
    RLN__NVTX_MESSAGE_UNICODE = 2,
    RLN__NVTX_MESSAGE_REGISTERED = 3,
};

enum { RLN__NVTX_LAST_SCALAR_PAYLOAD = 6 }; /* 1 u64, 2 i64, 3 double, 4-6 32 bits */

#define RLN__LOOK_PLAIN rln__look(0, rln__types(0, 0, RLN__MESSAGE_PLAIN))

/* event.c: the same events when the attributes have no row yet. */
uint64_t rln__event_plain_slow(unsigned kind, uint32_t domain, const char *message);
uint64_t rln__event_slow(unsigned kind, uint32_t domain,
                         const struct rln__event_attributes *given);
uint64_t rln__event_wide(unsigned kind, uint32_t domain, const void *wide);

/* Each returns the event's range id. `kind` is MARK, PUSH or START. */

static inline uint64_t rln__event_plain(unsigned kind, uint32_t domain,
                                        const char *message)
{
    const struct rln__attributes *a;

    if (RLN_UNLIKELY(!message))
        return rln__event_plain_slow(kind, domain, "");
    a = rln__guess_plain(rln__where(domain, 0), RLN__LOOK_PLAIN, message);
    if (RLN_UNLIKELY(!a))
        return rln__event_plain_slow(kind, domain, message);
    return rln__put(kind, a->id);
}

/* The kind of the same event with a payload behind it. */
static inline unsigned rln__kind_with_value(unsigned kind)
{
    return kind == RLN__START ? RLN__START_VALUE : kind + RLN__MARK_VALUE - RLN__MARK;
}

/* The payload's bytes that count: three types are 32 bits wide. */
static inline uint64_t rln__payload_of(const struct rln__event_attributes *given)
{
    return given->payload_type > 3 ? (uint32_t)given->payload : given->payload;
}

static inline uint64_t rln__event(unsigned kind, uint32_t domain,
                                  const struct rln__event_attributes *given)
{
    const struct rln__attributes *a;
    uint64_t where, look;

    /* The cold path takes what is rare: NULL, short structures, unknown types. */
    if (RLN_UNLIKELY(!given || given->size < sizeof *given ||
                     (uint32_t)given->color_type > 1 ||
                     (uint32_t)given->payload_type > RLN__NVTX_LAST_SCALAR_PAYLOAD))
        return rln__event_slow(kind, domain, given);
    where = rln__where(domain, given->category);
    look =
        rln__look(given->color_type ? given->color : 0,
                  rln__types((unsigned)given->color_type, (unsigned)given->payload_type,
                             (unsigned)given->message_type));
    if (given->message_type == RLN__NVTX_MESSAGE_REGISTERED) {
        /* Nothing but a registered name: its handle carries the row. */
        if (where == domain && look == rln__look(0, rln__types(0, 0, 3)) &&
            RLN_LIKELY(rln__is_string_of(given->message, domain)))
            return rln__put(kind, rln__string_row(given->message));
        a = rln__guess_handle(where, look, given->message);
    } else if (given->message_type == RLN__NVTX_MESSAGE_ASCII && given->message) {
        a = rln__guess_plain(where, look, given->message);
    } else {
        a = NULL;
    }
    if (RLN_UNLIKELY(!a))
        return rln__event_slow(kind, domain, given);
    if (given->payload_type)
        return rln__put_value(rln__kind_with_value(kind), a->id,
                              rln__payload_of(given));
    return rln__put(kind, a->id);
}

#endif
