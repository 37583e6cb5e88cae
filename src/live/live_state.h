/* SPDX-License-Identifier: Apache-2.0 */
/* live_state.h - the state of a run that is read repeatedly.
 *
 *   refresh --> new events --> engine --> ended ranges --> rows        live_events.c
 *                                |
 *                                +-- finally open ones --> rows, threads  live_open.c
 *
 * A range that ends, or is open at the end of a refresh, counts with its time since the
 * previous refresh.
 */
#ifndef RLN_LIVE_LIVE_STATE_H
#define RLN_LIVE_LIVE_STATE_H

#include "base/key_index.h"
#include "rangeline/live.h"
#include "ranges/engine.h"
#include "ranges/predicate.h"
#include "trace/order/incremental_scan.h"

struct rln__live_thread_sum {
    uint64_t n_events;
    int64_t last_ns;
    uint8_t is_gone; /* had ended before this refresh, with ranges open */
};

struct rln_live {
    rln_reader *reader; /* borrowed */
    struct rln__incremental_scan scan;
    struct rln__engine engine;
    struct rln__predicate predicate;
    struct rln__key_index names; /* style, domain, message -> row */
    rln_live_row *rows;          /* owned, as all these */
    size_t n_rows, rows_capacity;
    uint32_t *row_of_attr; /* by attributes and style, row + 1 */
    size_t n_row_of_attr, row_of_attr_capacity;
    struct rln__live_thread_sum *threads; /* by index */
    size_t n_threads, threads_capacity;
    uint8_t *gone; /* by process: whether it has ended, if known: live_open.c */
    size_t n_gone, gone_capacity;
    rln_live_totals totals;
    int64_t first_ns, last_ns; /* events of all refreshes */
    rln_live_thread *shown;
    size_t n_shown, shown_capacity;
    rln_live_range *stacks; /* of those */
    size_t n_stacks, stacks_capacity;
    uint64_t n_refreshes;
    char pid_namespace[64]; /* the one we are in, and its length */
    size_t n_pid_namespace;
};

#endif
