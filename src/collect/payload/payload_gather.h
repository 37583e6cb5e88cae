/* SPDX-License-Identifier: Apache-2.0 */
/* payload_gather.h - gathers the payloads of an event before a slot is reserved for
 * them in the file: docs/reference/FORMAT.md 5. Cold; payload_event.h has the fast path
 * for small payloads.
 */
#ifndef RLN_COLLECT_PAYLOAD_PAYLOAD_GATHER_H
#define RLN_COLLECT_PAYLOAD_PAYLOAD_GATHER_H

#include "collect/event/intern.h"

/* nvtxPayloadData_t, with its ABI layout. */
struct rln__payload_data {
    uint64_t schema;
    size_t size; /* SIZE_MAX: unknown */
    const void *payload;
};

struct rln__payload_gather {
    uint64_t *words;
    size_t n_words;
    size_t n_room;        /* words */
    size_t bytes_left;    /* left of the event's limit */
    size_t mapping_bytes; /* 0: in `near` */
    uint32_t domain;      /* its schemas apply */
    uint32_t n_payloads;  /* the first segments, which the call passed directly */
    uint32_t n_cut;
    uint32_t n_unread;
    uint32_t work_left; /* deep_copy.c: budget for following pointers */
    uint64_t near[64];  /* small: this may be a signal stack */
};

/* Per event, in units of one or two nanoseconds. */
#define RLN__FOLLOWING_WORK (1u << 20)

/* Copies an event's payloads, not what they point to: deep_copy.h. */
void rln__payload_gather_all(struct rln__payload_gather *s, uint32_t domain,
                             const struct rln__payload_data *data, size_t n_data);
void rln__payload_gather_clear(struct rln__payload_gather *s);

/* Adds a segment of `n_bytes` at `from`, truncated where the memory ends or at the
 * event's limit. Returns the copied bytes, and their number in `*n_kept`; NULL if not
 * even the header fits. `n_given` is the size that the call passed. */
const char *rln__payload_gather_add(struct rln__payload_gather *s, uint64_t schema,
                                    const void *from, size_t n_bytes, uint32_t n_given,
                                    size_t *n_kept);

static inline const struct rln__segment *
rln__segment_at(const struct rln__payload_gather *s, size_t word)
{
    return (const struct rln__segment *)(const void *)&s->words[word];
}

#endif
