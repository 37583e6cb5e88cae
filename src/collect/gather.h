/* SPDX-License-Identifier: Apache-2.0 */
/* gather.h - the bytes that come with an event, gathered before there is room for
 * them in the file: docs/FORMAT.md 5. Cold; payload_event.h has the quick way for small
 * payloads.
 */
#ifndef RLN_COLLECT_GATHER_H
#define RLN_COLLECT_GATHER_H

#include "collect/intern.h"

/* nvtxPayloadData_t, as the ABI has it. */
struct rln__payload_data {
    uint64_t schema;
    size_t size; /* SIZE_MAX: the tool is to find out */
    const void *payload;
};

struct rln__segments {
    uint64_t *words;
    size_t n_words;
    size_t n_room;        /* words */
    size_t bytes_left;    /* of the event's bound */
    size_t mapping_bytes; /* 0: in `near` */
    uint32_t domain;      /* whose schemas these are */
    uint32_t n_payloads;  /* of the segments, those that the call passed: the first */
    uint32_t n_cut;
    uint32_t n_unread;
    uint32_t work_left; /* deep_copy.c: what following pointers may still take */
    uint64_t near[64];  /* small: this may be a signal stack */
};

/* In units of a nanosecond or two, for an event. */
#define RLN__FOLLOWING_WORK (1u << 20)

/* Copies an event's payloads, and what their pointers lead to where schemas ask for it.
 * At the end the losses are counted. */
void rln__segments_gather(struct rln__segments *s, uint32_t domain,
                          const struct rln__payload_data *data, size_t n_data);
void rln__segments_clear(struct rln__segments *s);

/* Adds a segment of `n_bytes` at `from`, as much of it as there is and as the bound
 * allows. Returns the bytes, and their number in `*n_kept`; NULL if there is no room
 * even for its header. `n_given` is what the call said. */
const char *rln__segments_add(struct rln__segments *s, uint64_t schema,
                              const void *from, size_t n_bytes, uint32_t n_given,
                              size_t *n_kept);

static inline const struct rln__segment *rln__segment_at(const struct rln__segments *s,
                                                         size_t word)
{
    return (const struct rln__segment *)(const void *)&s->words[word];
}

#endif
