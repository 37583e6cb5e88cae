/* SPDX-License-Identifier: Apache-2.0 */
/* window_counts.h - counts the events of each window, for rln__info_window(). */
#ifndef RLN_TRACE_OPEN_WINDOW_COUNTS_H
#define RLN_TRACE_OPEN_WINDOW_COUNTS_H

#include "trace/open/window_list.h"

struct rln__window_counts {
    const struct rln__windows *windows; /* borrowed while events are counted */
    struct rln__window_info
        *items; /* owned: these, with counts; an open one ends with its last event */
    size_t n;
    size_t last;                /* of the previous event... */
    struct rln__span last_span; /* ...and its span */
};

rln_status rln__window_counts_begin(struct rln__window_counts *counts,
                                    const struct rln__windows *windows, rln_error *err);
void rln__window_counts_clear(struct rln__window_counts *counts);

/* Counts an event that began at `t_ns`. */
void rln__window_counts_add(struct rln__window_counts *counts, uint32_t part,
                            int64_t t_ns);
/* Counts `n` events in the order of time, if it is sure that they are of one window;
 * else returns 0. */
int rln__window_counts_add_all(struct rln__window_counts *counts, uint32_t part,
                               uint64_t n, int64_t first_ns, int64_t last_ns);

#endif
