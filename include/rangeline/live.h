/* SPDX-License-Identifier: Apache-2.0 */
/* live.h - what a run is doing while it is recorded.
 *
 *     rln_live *live;
 *
 *     if (rln_live_new(reader, &live, &error) == RLN_OK)
 *             while (rln_live_refresh(live, &error) == RLN_OK) {
 *                     ... rln_live_get_totals(live), rln_live_rows(live, &n) ...
 *                     sleep(1);
 *             }
 *
 * Each look reads only what was recorded since the last one. Times cover the interval
 * between two looks: of a range that extends beyond it, only the part inside counts.
 *
 * A thread that is known to have ended is no longer inside a range. Events that were
 * submitted afterwards (RLN_FLAG_DEFERRED), or overwritten before a look
 * (`n_overruns`), are not included. Names and threads are kept to the end once seen.
 */
#ifndef RANGELINE_LIVE_H
#define RANGELINE_LIVE_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A run that is looked at repeatedly. */
typedef struct rln_live rln_live;

/** Totals of the last look. Library-owned; grows at its end. */
typedef struct rln_live_totals {
    int64_t from_ns; /**< Time of the previous look; at first, of the first event. */
    /** Now; later records belong to the next look. For a trace of another machine, or
     * from before this machine's last boot, time of the last event. */
    int64_t to_ns;
    uint64_t n_events; /**< Recorded in this interval. */
    uint64_t n_lost;   /**< In this interval, as far as threads have reported. */
    uint64_t n_all;    /**< Events of all looks. */
    /** How often events of a thread were overwritten before this look could read them.
     * The numbers of these threads are then too low. */
    uint64_t n_overruns;
} rln_live_totals;

/** All ranges of one style, domain and message. Library-owned; grows at its end. */
typedef struct rln_live_row {
    rln_range_style style; /**< RLN_RANGE_PUSH_POP or RLN_RANGE_START_END. */
    uint32_t domain;       /**< Index for rln_info_domain(); 0 is the default domain. */
    rln_text domain_name;
    rln_text message;
    uint64_t total_ns; /**< Time inside these ranges, over all threads. */
    /** Time in no inner range of the same thread. For start/end ranges, all. */
    uint64_t self_ns;
    uint64_t n_ended; /**< How many ended. */
    uint64_t mean_ns; /**< Of their whole durations; 0 if none ended. */
    uint64_t max_ns;
    uint64_t n_open;        /**< Now. */
    int64_t oldest_open_ns; /**< When the oldest open one began. */
    uint64_t n_all;         /**< How many ended, over all looks. */
} rln_live_row;

/** A range that is open on a thread. Library-owned; grows at its end. */
typedef struct rln_live_range {
    uint32_t domain;
    rln_text domain_name;
    rln_text message;
    int64_t start_ns;
} rln_live_range;

/** A thread that recorded something, or has a range open. Library-owned; grows at its
 * end. */
typedef struct rln_live_thread {
    uint32_t thread; /**< Index for rln_info_thread(). */
    uint32_t process;
    uint32_t pid, tid;
    rln_text name;
    uint64_t n_events;           /**< Since the previous look. */
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
 * Ownership: what was handed out about the previous look ends here.
 * Threads:   as rln_reader_open().
 * Errors:    those of rln_reader_refresh(). The next look may succeed.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_live_refresh(rln_live *live, rln_error *err);

/**
 * Gives the totals of the last look.
 *
 * Ownership: borrowed until the next look.
 * Threads:   any, except during rln_live_refresh().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_totals *rln_live_get_totals(const rln_live *live);

/**
 * Hands out the names of all ranges so far, in the order in which they were first seen;
 * many may have nothing in this look.
 *
 * Ownership: borrowed until the next look; text until the reader is closed.
 * Threads:   any, except during rln_live_refresh().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_row *rln_live_rows(const rln_live *live, size_t *n);

/**
 * Hands out the threads that are inside a range, or that recorded something since the
 * previous look and have not ended, in the order in which they were first seen.
 *
 * Ownership: borrowed until the next look; text until the reader is closed.
 * Threads:   any, except during rln_live_refresh().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_thread *rln_live_threads(const rln_live *live, size_t *n);

/**
 * Says whether the run is in another container or on another machine, so that its pids
 * mean nothing here.
 *
 * Ownership: none.
 * Threads:   any, except during rln_live_refresh().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API int rln_live_has_foreign_pids(const rln_live *live);

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
