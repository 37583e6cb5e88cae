/* SPDX-License-Identifier: Apache-2.0 */
/* deferred_record.h - decodes one record of deferred events: the payload fields that
 * describe the event itself, and its times.
 *
 *   an entry that is              sets
 *     a timestamp                   the time, or begin and end
 *     a message, category, color    the attributes
 *     a thread's id, a range's id   the origin; the start that an end closes
 */
#ifndef RLN_TRACE_DECODE_DEFERRED_RECORD_H
#define RLN_TRACE_DECODE_DEFERRED_RECORD_H

#include "format/nvtx_time.h"
#include "trace/decode/deferred_events.h"
#include "trace/open/time_domain.h"
#include "trace/payload/payload_decode.h"

struct rln__deferred_time {
    int64_t ns; /* the call's, if it is not placed */
    int64_t timestamp;
    uint64_t domain;      /* id of the time domain */
    uint8_t why_unplaced; /* rln__unplaced_cause, or 0 */
    uint8_t is_given;     /* there is a timestamp */
};

struct rln__deferred_attributes {
    enum rln__schema_event event;
    struct rln__deferred_time begin, end;
    uint32_t attr;       /* index */
    uint32_t tid;        /* 0: that of the call */
    uint32_t scope_path; /* string number, 0 if the trace does not know the scope */
    uint64_t scope;
    uint64_t range_id;
};

struct rln__deferred_reader {
    rln_reader *reader; /* borrowed; NULL until it is initialized */
    struct rln__time_domains times;
    struct rln__decoder decoder;
    struct rln__payload_segments segments; /* of the record */
    struct rln__payload_context context;
    struct rln__payload_segment timestamps; /* of samples */
    uint64_t element_bytes;
    size_t n_elements;
    uint64_t schema, scope, flags;
    uint64_t time_domain; /* of samples */
    uint32_t part;
};

rln_status rln__deferred_reader_init(struct rln__deferred_reader *r, rln_reader *reader,
                                     rln_error *err);
void rln__deferred_reader_clear(struct rln__deferred_reader *r);

/* Sets the record to read next. */
void rln__deferred_reader_begin(struct rln__deferred_reader *r,
                                const struct rln__deferred_record *record);

/* Each returns 0, -1 when there is no memory, 1 if the segments do not fit. `words` are
 * the segments, and must stay valid until the record is done. */
int rln__deferred_reader_read_submitted(struct rln__deferred_reader *r,
                                        const uint64_t *words, size_t n_words,
                                        uint64_t n_payloads,
                                        struct rln__deferred_attributes *out);
/* Decodes the payloads of a submitted event, or of one element of a batch. `words` is
 * the whole record. 0, or -1 when there is no memory; a damaged record has no
 * payloads. */
int rln__deferred_record_decode(struct rln__decoder *d,
                                struct rln__payload_segments *segments,
                                const struct rln__payload_context *context,
                                const uint64_t *words, size_t n_words,
                                uint32_t element);

int rln__deferred_reader_begin_batch(struct rln__deferred_reader *r,
                                     const uint64_t *words, size_t n_words,
                                     uint64_t schema, uint64_t scope, size_t *n);
int rln__deferred_reader_read_element(struct rln__deferred_reader *r, size_t i,
                                      struct rln__deferred_attributes *out);
int rln__deferred_reader_begin_samples(struct rln__deferred_reader *r,
                                       const uint64_t *words, size_t n_words,
                                       uint64_t counter, uint64_t flags, size_t *n);
int rln__deferred_reader_read_sample(struct rln__deferred_reader *r, size_t i,
                                     struct rln__deferred_attributes *out);

#endif
