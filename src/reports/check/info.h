/* SPDX-License-Identifier: Apache-2.0 */
/* info.h - the description of the opened traces while it is made: counted first, then
 * described. */
#ifndef RLN_REPORTS_CHECK_INFO_H
#define RLN_REPORTS_CHECK_INFO_H

#include "rangeline/model.h"
#include "ranges/counter_samples.h"
#include "ranges/engine.h"
#include "ranges/heaps.h"
#include "trace/decode/unplaced.h"
#include "trace/open/gpus.h"
#include "trace/open/window_counts.h"

struct rln_info {
    rln_reader *reader; /* borrowed */
    rln_totals totals;
    rln_part_info *parts; /* owned, like the others below */
    rln_process_info *processes;
    rln_thread_info *threads;
    size_t n_threads, threads_capacity;
    rln_domain_info *domains;
    size_t n_domains, domains_capacity;
    rln_category_info *categories;
    rln_damage_info damages[RLN__MAX_DAMAGES];
    struct rln__heaps heaps;
    struct rln__unplaced unplaced;
    struct rln__counters counters;
    struct rln__gpus gpus;
    struct rln_counter *sorted_counters; /* owned */
    struct rln__engine engine;           /* only to find pops that close nothing */
    struct rln__window_counts windows;
};

/* The entry of a thread or domain, all zero at first; NULL: no memory. */
rln_thread_info *rln__info_thread(rln_info *info, uint32_t thread);
rln_domain_info *rln__info_domain(rln_info *info, uint32_t domain);

/* info_count.c */
rln_status rln__info_count(rln_info *info, rln_error *err);

/* info_describe.c */
rln_status rln__info_describe(rln_info *info, rln_error *err);

#endif
