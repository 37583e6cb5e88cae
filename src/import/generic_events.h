/* SPDX-License-Identifier: Apache-2.0 */
/* generic_events.h - reads counter samples from the tables for Nsight's plugins.
 *
 *   GENERIC_EVENT_SOURCES          a domain
 *     GENERIC_EVENT_TYPES          a counter
 *       GENERIC_EVENT_TYPE_FIELDS  its numbers; RANGELINE_COUNTER_FIELDS: semantics
 *   GENERIC_EVENTS                 a sample; GENERIC_EVENT_DATA: its numbers
 *
 * Sources that are not programs, such as ftrace, are ignored.
 */
#ifndef RLN_IMPORT_GENERIC_EVENTS_H
#define RLN_IMPORT_GENERIC_EVENTS_H

#include "import/counter_types.h"
#include "import/payload_tables.h"

struct rln__generic_events {
    struct rln__counter_types types;
    sqlite3_stmt *rows; /* owned: a row for each number; NULL: there are none */
    struct rln__imported_segments segments;
    struct rln__buf bytes; /* owned: of a group's sample */
    int64_t next_ns;       /* time of the next sample, if is_ready */
    int is_ready;          /* there is a next sample */
};

rln_status rln__generic_events_open(struct rln__generic_events *events,
                                    struct rln__import *import, rln_error *err);
void rln__generic_events_close(struct rln__generic_events *events);

/* Moves to the next sample; RLN_END after the last. */
rln_status rln__generic_events_next(struct rln__generic_events *events,
                                    const struct rln__import *import, rln_error *err);

/* Adds the current sample, which has one row per number, and moves to the next. */
rln_status rln__generic_events_add(struct rln__generic_events *events,
                                   struct rln__import *import, rln_error *err);

#endif
