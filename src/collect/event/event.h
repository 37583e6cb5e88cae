/* SPDX-License-Identifier: Apache-2.0 */
/* event.h - turns a call's arguments into a word: marks, pushes, starts.        [hot]
 *
 * The program's structures are read field by field, because a 16-byte load from fields
 * that were just written one by one would wait for the stores; and only up to the
 * structure's `size`, because memory after it may be unmapped.
 */
#ifndef RLN_COLLECT_EVENT_EVENT_H
#define RLN_COLLECT_EVENT_EVENT_H

#include "collect/capture/domain_filter.h"
#include "collect/event/put.h"

/* nvtxEventAttributes_t, versions 1 to 3, with its ABI layout. */
struct rln__event_attributes {
    uint16_t version;
    uint16_t size; /* bytes of this structure that the program has filled in */
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type;
    int32_t n_payloads; /* of RLN__NVTX_EXTENDED_PAYLOAD */
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

/* `payload` is the address of an array of nvtxPayloadData_t. */
#define RLN__NVTX_EXTENDED_PAYLOAD ((int32_t)0xDFBD0009)

#define RLN__STYLE_KEY_PLAIN rln__style_key(0, rln__types(0, 0, RLN__MESSAGE_PLAIN))

/* event.c: events with more than a name. */
uint64_t rln__event_plain_slow(unsigned kind, uint32_t domain, const char *message);
uint64_t rln__full_mark(uint64_t domain_handle,
                        const struct rln__event_attributes *given);
uint64_t rln__full_push(uint64_t domain_handle,
                        const struct rln__event_attributes *given);
uint64_t rln__full_start(uint64_t domain_handle,
                         const struct rln__event_attributes *given);
uint64_t rln__extended_mark(uint64_t domain_handle,
                            const struct rln__event_attributes *given);
uint64_t rln__extended_push(uint64_t domain_handle,
                            const struct rln__event_attributes *given);
uint64_t rln__extended_start(uint64_t domain_handle,
                             const struct rln__event_attributes *given);
/* Events with a registered name and one extended payload. */
uint64_t rln__named_mark(uint32_t domain, const struct rln__event_attributes *given);
uint64_t rln__named_push(uint32_t domain, const struct rln__event_attributes *given);
uint64_t rln__named_start(uint32_t domain, const struct rln__event_attributes *given);
uint64_t rln__event_wide(unsigned kind, uint32_t domain, const void *wide);

/* Each function records an event of `kind` (MARK, PUSH or START, a constant in every
 * caller) and returns what rln__put() returns. */

static inline __attribute__((always_inline)) uint64_t
rln__event_plain(unsigned kind, uint32_t domain, const char *message)
{
    const struct rln__attributes *a = NULL;

    if (RLN_LIKELY(message != NULL))
        a = rln__guess_plain(rln__domain_key(domain, 0), RLN__STYLE_KEY_PLAIN, message);
    if (RLN_UNLIKELY(!a))
        return rln__event_plain_slow(kind, domain, message);
    return rln__put(kind, domain, a->shifted_id, 0);
}

/* 0 if the event has only a registered name and perhaps a payload. These are the most
 * frequent events of libraries; the name's handle contains the id of the row. */
static inline uint64_t rln__beside_name(const struct rln__event_attributes *given,
                                        uint64_t domain_handle)
{
    return given->category | (uint32_t)given->color_type |
           ((uint32_t)given->message_type ^ RLN__NVTX_MESSAGE_REGISTERED) |
           rln__string_mismatch(given->message, domain_handle);
}

static inline __attribute__((always_inline)) uint64_t
rln__event(unsigned kind, uint64_t domain_handle,
           const struct rln__event_attributes *given)
{
    /* Two forged handles may match each other; the mask keeps the index inside the
     * table. */
    const uint32_t domain = (uint32_t)domain_handle & (RLN__MAX_DOMAINS - 1);
    uint64_t beside;

    if (RLN_UNLIKELY(!given || given->size < sizeof *given))
        return kind == RLN__PUSH   ? rln__full_push(domain_handle, given)
               : kind == RLN__MARK ? rln__full_mark(domain_handle, given)
                                   : rln__full_start(domain_handle, given);
    beside = rln__beside_name(given, domain_handle);
    if (RLN_LIKELY((beside | (uint32_t)given->payload_type) == 0))
        return rln__put(kind, domain, rln__string_shifted_id(given->message), 0);
    if (given->payload_type != RLN__NVTX_EXTENDED_PAYLOAD)
        return kind == RLN__PUSH   ? rln__full_push(domain_handle, given)
               : kind == RLN__MARK ? rln__full_mark(domain_handle, given)
                                   : rln__full_start(domain_handle, given);
    if (RLN_LIKELY((beside | ((uint32_t)given->n_payloads ^ 1)) == 0 && given->payload))
        return kind == RLN__PUSH   ? rln__named_push(domain, given)
               : kind == RLN__MARK ? rln__named_mark(domain, given)
                                   : rln__named_start(domain, given);
    return kind == RLN__PUSH   ? rln__extended_push(domain_handle, given)
           : kind == RLN__MARK ? rln__extended_mark(domain_handle, given)
                               : rln__extended_start(domain_handle, given);
}

#endif
