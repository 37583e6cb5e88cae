/* SPDX-License-Identifier: Apache-2.0 */
/* nvtx_events.h - reads the rows of NVTX_EVENTS in the order of their starts. */
#ifndef RLN_IMPORT_NVTX_EVENTS_H
#define RLN_IMPORT_NVTX_EVENTS_H

#include "import/payload_tables.h"

struct rln__nvtx_events {
    struct rln__imported_segments segments;
    sqlite3_stmt *rows; /* owned; NULL: there are none */
    int64_t first_ns;   /* the earliest start, or 0 */
    int64_t next_ns;    /* start of the next row, if is_ready */
    int is_ready;       /* there is a next row */
};

rln_status rln__nvtx_events_open(struct rln__nvtx_events *events,
                                 const struct rln__import *import, rln_error *err);
void rln__nvtx_events_close(struct rln__nvtx_events *events);

/* Moves to the next row that has a start; RLN_END after the last. */
rln_status rln__nvtx_events_next(struct rln__nvtx_events *events,
                                 const struct rln__import *import, rln_error *err);

/* Adds the current row. */
rln_status rln__nvtx_events_add(struct rln__nvtx_events *events,
                                struct rln__import *import, rln_error *err);

#endif
