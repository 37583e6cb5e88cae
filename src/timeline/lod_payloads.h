/* SPDX-License-Identifier: Apache-2.0 */
/* lod_payloads.h - reads what the index does not keep of a range or mark: the value of
 * its begin, and the payloads of its begin and its end. */
#ifndef RLN_TIMELINE_LOD_PAYLOADS_H
#define RLN_TIMELINE_LOD_PAYLOADS_H

#include "timeline/lod_query.h"

/* The events of one range or mark, read again: its value, and the payloads of begin and
 * end as JSON, or nothing. */
struct rln__lod_details {
    uint8_t value_type; /* rln_payload_type; 0: none */
    uint64_t value_bits;
    struct rln__buf payloads; /* owned by the caller */
};
rln_status rln__lod_read(struct rln__lod *lod, const struct rln__lod_row *row,
                         const struct rln__range_bucket *bucket,
                         struct rln__lod_details *out, rln_error *err);

#endif
