/* SPDX-License-Identifier: Apache-2.0 */
/* samples.h - the values of a sample, in whatever form the program passed them.
 *
 *     value 5           5        reason "zero"          0
 *     value +2 (delta)  level 7  reason "unchanged"     the last one again
 *                                reason "unavailable"   a gap: no value
 */
#ifndef RLN_EXPORT_SAMPLES_H
#define RLN_EXPORT_SAMPLES_H

#include "base/hash.h"
#include "rangeline/model.h"
#include "rangeline/values.h"

/* One number of a sample. */
struct rln__sampled {
    rln_text
        field; /* of a group; else none. Borrowed from the event, as the next two */
    const rln_semantics *semantics;
    uint64_t bits;  /* as the program gave it; meaning: `type` */
    double level;   /* in units, changes added up; not a number in a gap */
    uint32_t index; /* of the field */
    uint8_t type;   /* rln_payload_type */
    uint8_t has_value;
    uint8_t had_value; /* ever: then `bits` is the last one */
    uint8_t is_new;    /* this is its first sample */
};

/* The state of a counter. */
struct rln__sampled_counter {
    struct rln__sampled *fields; /* owned: the last ones */
    size_t n, capacity;
    uint32_t number; /* in the order of first samples, from 1 */
    uint8_t was_seen;
    uint8_t is_new; /* one of its fields is new; or it is its first sample */
};

struct rln__sampling {
    struct rln__map by_counter;            /* its address -> index + 1 */
    struct rln__sampled_counter *counters; /* owned */
    size_t n, capacity;
};

/* The values of a sample: `(*out)->fields`. Borrowed until the next sample. */
rln_status rln__sampling_see(struct rln__sampling *samples, const rln_event *event,
                             const struct rln__sampled_counter **out, rln_error *err);
void rln__sampling_clear(struct rln__sampling *samples);

#endif
