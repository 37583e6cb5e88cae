/* SPDX-License-Identifier: Apache-2.0 */
/* live.h - follows a run while it is recorded, and sums up its ranges periodically.
 *
 *     rln_live *live;
 *
 *     if (rln_live_new(reader, &live, &error) == RLN_OK)
 *             while (rln_live_refresh(live, &error) == RLN_OK) {
 *                     ... rln_live_get_totals(live), rln_live_rows(live, &n) ...
 *                     sleep(1);
 *             }
 *
 * Each refresh reads only the events recorded since the last one. Times cover the
 * interval between two refreshes: of a range that extends beyond it, only the time
 * inside counts.
 *
 * The ranges of a thread that is known to have ended count as closed. Deferred events
 * (RLN_FLAG_DEFERRED), and events that were overwritten before a refresh read them
 * (`n_overruns`), are not included. Names and threads stay in the lists once seen.
 */
#ifndef RANGELINE_LIVE_H
#define RANGELINE_LIVE_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A run that is being followed. */
typedef struct rln_live rln_live;

/** Totals of the last refresh. Library-owned; grows at its end. */
typedef struct rln_live_totals {
    int64_t from_ns; /**< Time of the previous refresh; at first, of the first event. */
    /** Time of this refresh; later records belong to the next one. For a trace of
     * another machine, or from before this machine's last boot, time of the last
     * event. */
    int64_t to_ns;
    uint64_t n_events; /**< Recorded in this interval. */
    uint64_t n_lost;   /**< In this interval, as far as threads have reported. */
    uint64_t n_all;    /**< Events of all refreshes. */
    /** How often events of a thread were overwritten before this refresh could read
     * them. The numbers of these threads are then too low. */
    uint64_t n_overruns;
} rln_live_totals;

/** All ranges of one style, domain and message. Library-owned, in arrays. */
typedef struct rln_live_row {
    rln_range_style style; /**< RLN_RANGE_PUSH_POP or RLN_RANGE_START_END. */
    uint32_t domain;       /**< Index for rln_info_domain(); 0 is the default domain. */
    rln_text domain_name;
    rln_text message;
    uint64_t total_ns; /**< Time inside these ranges, over all threads. */
    /** Self time. For start/end ranges, the total time. */
    uint64_t self_ns;
    uint64_t n_ended; /**< How many ended. */
    uint64_t mean_ns; /**< Of the whole durations of those that ended; 0 if none did. */
    uint64_t max_ns;
    uint64_t n_open;        /**< At this refresh. */
    int64_t oldest_open_ns; /**< When the oldest open one began. */
    uint64_t n_all;         /**< How many ended, over all refreshes. */
} rln_live_row;

/** A range that is open on a thread. Library-owned, in arrays. */
typedef struct rln_live_range {
    uint32_t domain;
    rln_text domain_name;
    rln_text message;
    int64_t start_ns;
} rln_live_range;

/** A thread that recorded something, or has a range open. Library-owned, in arrays. */
typedef struct rln_live_thread {
    uint32_t thread; /**< Index for rln_info_thread(). */
    uint32_t process;
    uint32_t pid, tid;
    rln_text name;
    uint64_t n_events;           /**< Since the previous refresh. */
    int64_t last_ns;             /**< Time of its last event. */
    const rln_live_range *stack; /**< Push/pop ranges, the outermost first. */
    size_t n_stack;
} rln_live_thread;

/**
 * Begins to follow a run. Reads nothing yet.
 *
 * Uses the reader's filter.
 *
 * Ownership: the caller owns `*out` and frees it with rln_live_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_live_new(rln_reader *reader, rln_live **out,
                                              rln_error *err);

/**
 * Refreshes the reader and reads what is new; the first time, everything.
 *
 * Ownership: rows, threads and totals of the previous refresh end here.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_IO, RLN_ERR_NOMEM. The next refresh may succeed.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_live_refresh(rln_live *live, rln_error *err);

/**
 * Gives the totals of the last refresh.
 *
 * Ownership: borrowed until the next refresh.
 * Threads:   any, except during rln_live_refresh().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_totals *rln_live_get_totals(const rln_live *live);

/**
 * Gives a row for each range name so far, in the order in which they were first seen;
 * rows without ranges in this interval are included.
 *
 * Ownership: borrowed until the next refresh; text until the reader is closed.
 * Threads:   any, except during rln_live_refresh().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_row *rln_live_rows(const rln_live *live, size_t *n);

/**
 * Gives the threads that are inside a range, or that recorded something since the
 * previous refresh and have not ended, in the order in which they were first seen.
 *
 * Ownership: borrowed until the next refresh; text until the reader is closed.
 * Threads:   any, except during rln_live_refresh().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_thread *rln_live_threads(const rln_live *live, size_t *n);

/**
 * Stops following the run.
 *
 * Ownership: what was borrowed from it ends here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_live_free(rln_live *live);

#ifdef __cplusplus
}
#endif

#endif
