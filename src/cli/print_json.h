/* SPDX-License-Identifier: Apache-2.0 */
/* print_json.h - events and ranges as lines of JSON, as docs/JSON.md defines them. */
#ifndef RLN_CLI_PRINT_JSON_H
#define RLN_CLI_PRINT_JSON_H

#include "base/buf.h"
#include "rangeline/model.h"

void rln__json_event(struct rln__buf *buf, const rln_event *event);
void rln__json_range(struct rln__buf *buf, const rln_range *range);

/* "mark", "push", ... or NULL for a type that this command does not know. */
const char *rln__event_name(rln_event_type type);

/* The payload as a number, or in quotes where JSON has no number for it. */
void rln__json_payload(struct rln__buf *buf, uint8_t type, uint64_t bits);

#endif
