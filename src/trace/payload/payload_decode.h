/* SPDX-License-Identifier: Apache-2.0 */
/* payload_decode.h - decodes a payload's bytes, by its schema, to a list of fields.
 *
 *   segments [payload 0][payload 1][memory][memory]      of one event
 *                |          ^         ^
 *                +-pointer--+---------+                  found by its address
 *
 *   fields   struct  size  array  0  1  2  op            rangeline/values.h
 *
 * Neither schemas nor bytes are trusted. Only recorded bytes are read; a position
 * outside of them becomes a field that says so. Depth, steps and text are bounded per
 * event, so that schemas that contain themselves, or arrays of empty elements, end.
 *
 * Positions count from the start of a segment, and saturate at RLN__FAR, outside of any
 * segment: everything after a value of unknown size is there.
 */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_DECODE_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_DECODE_H

#include "base/buf.h"
#include "format/names.h"
#include "format/nvtx_payload.h"
#include "format/payload_segments.h"
#include "rangeline/values.h"

#define RLN__FAR (UINT64_C(1) << 48)

/* The origin of the event; ids are looked up there. */
struct rln__payload_context {
    struct rln__names *names;       /* borrowed, like the next */
    const struct rln__types *types; /* rln__registry_types() */
    uint64_t ticks;
    uint32_t process;   /* index */
    uint32_t domain_id; /* the process's own */
    uint32_t pid, tid;  /* for scopes; 0 if unknown */
};

/* Decodes one event after the other. Ready when zeroed. Its results are valid until the
 * next event, and as long as the event's words and the names. */
struct rln__decoder {
    rln_payload *payloads; /* owned, like the others below */
    size_t n_payloads, payloads_capacity;
    rln_field *fields;
    size_t n_fields, fields_capacity;
    uint64_t *offsets; /* of the entries of the structs being decoded */
    size_t n_offsets, offsets_capacity;
    struct rln__buf text; /* text that had to be made: other encodings, sets, paths */
    struct rln__payload_context context;
    const struct rln__payload_segments *segments; /* borrowed */
    rln_field nowhere;                            /* for a field that finds no room */
    uint64_t steps_left;
    uint8_t is_cut;
    uint8_t has_failed; /* there is no memory */
};

/* Decodes all payloads of an event to `d->payloads`. RLN_ERR_NOMEM. */
rln_status rln__decode(struct rln__decoder *d,
                       const struct rln__payload_context *context,
                       const struct rln__payload_segments *segments, rln_error *err);

/* Decodes one segment to `d->payloads[0]`, with the schema of a counter or batch. */
rln_status rln__decode_as(struct rln__decoder *d,
                          const struct rln__payload_context *context,
                          const struct rln__payload_segments *segments, size_t index,
                          uint64_t schema, rln_error *err);

void rln__decoder_clear(struct rln__decoder *d);

/* --- Inside: payload_extent.c ----------------------------------------------------- */

/* How much room a value takes. */
struct rln__extent {
    uint64_t size; /* RLN__FAR if that depends on its bytes */
    uint64_t alignment;
};

#endif
