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
#include "trace/open/name_catalog.h"
#include "trace/open/window_counts.h"

/* The events with the same attributes, deferred ones excepted. */
struct rln__attr_use {
    uint64_t n_begun; /* marks, pushes and starts */
    uint64_t n_ended; /* pops that are known by what they close, not by their domain */
};

struct rln_info {
    rln_reader *reader; /* borrowed */
    rln_totals totals;
    rln_part_info *parts; /* owned, like the others below */
    rln_process_info *processes;
    rln_thread_info *threads;
    size_t n_threads, threads_capacity;
    rln_domain_info *domains;
    size_t n_domains, domains_capacity;
    struct rln__name_catalog_category *categories;
    struct rln__damage_info damages[RLN__MAX_DAMAGES];
    struct rln__heaps heaps;
    struct rln__unplaced unplaced;
    struct rln__counters counters;
    struct rln__gpus gpus;
    struct rln_counter *sorted_counters; /* owned */
    struct rln__window_counts windows;
    struct rln__attr_use *uses; /* owned; by attributes */
    size_t n_uses, uses_capacity;
    /* Has the ranges that were never closed. Kept for rln_check_new(). */
    struct rln__engine engine;
    /* Something closes nothing, or not the innermost range of its own thread: findings
     * about it depend on the order of time. */
    uint8_t needs_order;
};

/* Whether the part of a launcher has context switches. If not, `*why` says what prevented
 * them; none if they were not requested. `*since_ns`: older ones were overwritten; INT64_MIN:
 * none were. */
int rln__info_has_switches(const rln_info *info, uint32_t launcher, rln_text *why,
                           int64_t *since_ns);

/* Gives a named category by its index, in the order of domains and numbers.
 *
 * Processes that give a number different names have one entry for each name. NULL if
 * `index` is not below rln_totals.n_categories. */
const struct rln__name_catalog_category *rln__info_category(const rln_info *info,
                                                            uint32_t index);

/* Gives a heap by its index; heaps are in the order of registration. NULL if `index` is
 * not below rln_totals.n_heaps. */
const struct rln__heap_info *rln__info_heap(const rln_info *info, uint32_t index);

/* Gives a counter by its index, in the order of processes and ids.
 *
 * Includes counters that were sampled without being registered; `n_samples` counts the
 * samples. NULL if `index` is not below
 * rln_totals.n_counters. */
const struct rln_counter *rln__info_counter(const rln_info *info, uint32_t index);

/* Gives a time domain with events that have no known time, by its index, in the order
 * of the first such event. A time domain is listed once for each reason. NULL if
 * `index` is not below rln_totals.n_unplaced_clocks. */
const struct rln__unplaced_info *rln__info_unplaced(const rln_info *info,
                                                    uint32_t index);

/* Gives a damage by its index; the first hundred are listed. NULL if `index` is not
 * below rln_totals.n_damages. */
const struct rln__damage_info *rln__info_damage(const rln_info *info, uint32_t index);

/* Describes one GPU, from 0 on, in the order in which they were found. Traces of 0.1,
 * exports without TARGET_INFO_GPU and processes without GPU work have none. NULL if
 * there are not that many. */
const struct rln__gpu_info *rln__info_gpu(const rln_info *info, uint32_t index);

/* Gives a window by its index, which is that of rln_reader_select_window(). NULL if
 * `index` is not below the number of windows when the description was made. */
const struct rln__window_info *rln__info_window(const rln_info *info, size_t index);

#endif
