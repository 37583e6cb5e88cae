/* SPDX-License-Identifier: Apache-2.0 */
/* event_payloads.h - finds the payloads of an event: the attributes that they set and,
 * on request, all of them decoded.
 *
 *   record --> segments --> attributes: message, category, color    every reader
 *                       --> rln_payload ... rln_events_payloads()
 *
 * Every reader needs the attributes, so only payloads whose schema sets some are
 * decoded for them.
 */
#ifndef RLN_TRACE_DECODE_EVENT_PAYLOADS_H
#define RLN_TRACE_DECODE_EVENT_PAYLOADS_H

#include "trace/decode/record_cache.h"
#include "trace/decode/stream.h"
#include "trace/open/load.h"
#include "trace/payload/payload_decode.h"

/* Finds the attributes that the payloads of a record set. `domain_id` is the call's.
 * 0, or -1 when there is no memory. */
int rln__payload_attributes_of(rln_reader *reader, uint32_t process, uint32_t domain_id,
                               const uint64_t *words, size_t n_words,
                               struct rln__payload_attributes *out);

/* Updates the attributes of a range that ends: those that the end's payloads set
 * replace the range's. `*attr` is an index, in and out. Call only for ends that have
 * payloads. */
rln_status rln__closing_attr(rln_reader *reader, uint32_t part,
                             const struct rln__item *item, uint32_t *attr,
                             rln_error *err);

/* Whether rln__closing_attr() may change attributes, or fail. */
int rln__end_may_rename(rln_reader *reader, uint32_t part,
                        const struct rln__item *item);

/* The payloads of one event after the other. Ready when zeroed. */
struct rln__event_payloads {
    struct rln__decoder decoder;
    struct rln__payload_segments segments;
    const uint64_t *words; /* the record: one event's in `own`, a batch's cached */
    size_t n_words;
    uint64_t *own; /* owned */
    size_t capacity;
    struct rln__record_cache batches;
};

/* The event's origin, and the offset of its record. */
struct rln__record_address {
    uint64_t offset;     /* in the file */
    uint32_t n_payloads; /* 0: nothing to read */
    uint32_t part;
    uint32_t process; /* index */
    uint32_t domain_id;
    uint32_t tid;
    uint32_t element; /* of a batch of deferred events */
};

/* Where the payloads of an item are, if it has any. */
struct rln__record_address rln__item_address(const rln_reader *reader, uint32_t part,
                                             const struct rln__item *item);

/* The id of the range in which a start says it was begun: its first payload of the type
 * of a range's id. 0: it says none. */
rln_status rln__outer_range(struct rln__event_payloads *p, rln_reader *reader,
                            const struct rln__record_address *start, uint64_t *id,
                            rln_error *err);

/* Decodes them to `p->decoder.payloads`; a sample's with its counter's schema. A
 * damaged record has none. */
rln_status rln__event_payloads_read(struct rln__event_payloads *p, rln_reader *reader,
                                    const struct rln__record_address *address,
                                    rln_error *err);
void rln__event_payloads_clear(struct rln__event_payloads *p);

#endif
