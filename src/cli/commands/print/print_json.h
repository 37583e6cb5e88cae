/* SPDX-License-Identifier: Apache-2.0 */
/* print_json.h - events and ranges as lines of JSON, as docs/reference/JSON.md defines
 * them. */
#ifndef RLN_CLI_COMMANDS_PRINT_JSON_H
#define RLN_CLI_COMMANDS_PRINT_JSON_H

#include "base/buf.h"
#include "rangeline/values.h"
#include "ranges/cpu_times.h"
#include "trace/open/name_catalog.h"

/* Decoded payloads of an event or a range. */
struct rln__payload_list {
    const rln_payload *items;
    size_t n;
};

/* What the trace says elsewhere of what an event or a range is about. */
struct rln__json_subject {
    rln_text stream;               /* of GPU work: its stream's name; none for others */
    struct rln__location function; /* in the source; none if it is not known */
    const struct rln__cpu_split
        *split; /* of a range's duration; NULL: it is not known */
};

void rln__json_event(struct rln__buf *buf, const rln_event *event,
                     struct rln__json_subject subject,
                     struct rln__payload_list payloads);
void rln__json_range(struct rln__buf *buf, const rln_range *range,
                     struct rln__json_subject subject,
                     struct rln__payload_list payloads);

#endif
