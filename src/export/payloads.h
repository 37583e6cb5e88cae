/* SPDX-License-Identifier: Apache-2.0 */
/* payloads.h - the payloads of the current event or range, in two forms. */
#ifndef RLN_EXPORT_PAYLOADS_H
#define RLN_EXPORT_PAYLOADS_H

#include "base/buf.h"
#include "rangeline/values.h"

/* Nsight puts four words in front of each payload. */
enum { RLN__BLOB_DOMAIN, RLN__BLOB_SCHEMA, RLN__BLOB_SIZE, RLN__BLOB_OFFSET };
#define RLN__BLOB_HEADER_BYTES 32u

/* Those of `range`, which is the last one, or of the last event if it is NULL. Appends
 * docs/reference/JSON.md's list of payloads, or nothing if all are hidden. */
rln_status rln__payloads_json(rln_ranges *ranges, const rln_range *range,
                              struct rln__buf *out, rln_error *err);

/* The same of GPU work or a call, which is the last range: without start, end and name,
 * which are those of the range, but by another clock. */
rln_status rln__payloads_json_of_work(rln_ranges *ranges, struct rln__buf *out,
                                      rln_error *err);

/* Appends header and bytes of each. The domain is left 0, for the caller to number. */
rln_status rln__payloads_blob(rln_ranges *ranges, const rln_range *range,
                              struct rln__buf *out, rln_error *err);

#endif
