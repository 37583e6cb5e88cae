/* SPDX-License-Identifier: Apache-2.0 */
/* payload_json.h - decoded payloads as JSON, as in docs/reference/JSON.md, and as text.
 */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_JSON_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_JSON_H

#include "base/buf.h"
#include "rangeline/values.h"

/* "nan" and the infinities are strings. */
void rln__json_real(struct rln__buf *buf, double value, int is_float);

/* A number of `type` (rln_payload_type); for an unknown type, its bits in a string. */
void rln__json_number(struct rln__buf *buf, uint8_t type, uint64_t bits);

/* {"schema":"name","value":...} */
void rln__json_of_payload(struct rln__buf *buf, const rln_payload *payload);

/* [..] of the payloads that are not hidden; nothing, and 0, if all are. */
int rln__json_of_payloads(struct rln__buf *buf, const rln_payload *payloads, size_t n);

/* The value at `fields[at]`; returns the index after it. */
size_t rln__json_of_field(struct rln__buf *buf, const rln_field *fields, size_t at);

/* name{a=1, b=[2, 3]}: for people. Without fields that the program hides, and with at
 * most a screenful of an array's elements. */
void rln__text_of_payload(struct rln__buf *buf, const rln_payload *payload);

/* The name of a predefined type, or NULL. */
const char *rln__type_name(uint64_t type);

#endif
