/* SPDX-License-Identifier: Apache-2.0 */
/* print_json.h - events and ranges as lines of JSON, as docs/reference/JSON.md defines
 * them. */
#ifndef RLN_CLI_COMMANDS_PRINT_JSON_H
#define RLN_CLI_COMMANDS_PRINT_JSON_H

#include "base/buf.h"
#include "rangeline/values.h"

/* Decoded payloads of an event or a range. */
struct rln__payload_list {
    const rln_payload *items;
    size_t n;
};

/* `stream` is the name of the stream of GPU work; none for others. */
void rln__json_event(struct rln__buf *buf, const rln_event *event, rln_text stream,
                     struct rln__payload_list payloads);
void rln__json_range(struct rln__buf *buf, const rln_range *range, rln_text stream,
                     struct rln__payload_list payloads);

#endif
