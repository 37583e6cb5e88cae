/* SPDX-License-Identifier: Apache-2.0 */
/* live.h - what a run is doing now, while it is recorded.
 *
 *     rln_live *live;
 *
 *     if (rln_live_new(reader, &live, &error) == RLN_OK)
 *             while (rln_live_look(live, &error) == RLN_OK) {
 *                     ... rln_live_get_totals(live), rln_live_rows(live, &n) ...
 *                     sleep(1);
 *             }
 *
 * Each look reads what was recorded since the last one, and nothing twice. Times are
 * those between two looks: of a range that lay across one, what was inside.
 *
 * A thread that has ended is inside of nothing any more, where that can be seen from
 * here. What a program submitted afterwards (RLN_FLAG_DEFERRED), or what was
 * overwritten before anybody looked (`n_unseen`), is not in it. Names and threads that
 * were met once are kept until the end.
 */
#ifndef RANGELINE_LIVE_H
#define RANGELINE_LIVE_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A run that is looked at again and again. */
typedef struct rln_live rln_live;

/** Of what the last look found. Library-owned; grows at its end. */
typedef struct rln_live_totals {
    int64_t from_ns; /**< When the look before was; of the first, the first event. */
    /** Now; what was recorded behind it is the next look's. Of a trace of another
     * machine, or of this one before it was started again, the last event. */
    int64_t to_ns;
    uint64_t n_events; /**< Recorded in between. */
    uint64_t n_lost;   /**< In between, as far as threads have said. */
    uint64_t n_all;    /**< Events of all looks. */
    /** How often threads had gone on so far that some of their events were overwritten
     * before this look. What is said of these threads is too little then. */
    uint64_t n_unseen;
} rln_live_totals;

/** All ranges of one style, domain and message. Library-owned; grows at its end. */
typedef struct rln_live_row {
    rln_range_style style; /**< RLN_RANGE_PUSH_POP or RLN_RANGE_START_END. */
    uint32_t domain;       /**< Index for rln_info_domain(); 0 is the default domain. */
    rln_text domain_name;
    rln_text message;
    uint64_t total_ns; /**< Inside of these, of all threads together. */
    /** The part of it in no range of the same thread inside. Of start/end ranges, all.
     */
    uint64_t self_ns;
    uint64_t n_ended; /**< How many ended. */
    uint64_t mean_ns; /**< Of the whole durations of these; 0 if there is none. */
    uint64_t max_ns;
    uint64_t n_open;   /**< Now. */
    int64_t oldest_ns; /**< When the first of these began. */
    uint64_t n_all;    /**< How many ended, of all looks. */
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
    uint64_t n_events;           /**< Since the look before. */
    int64_t last_ns;             /**< Its last event of all. */
    const rln_live_range *stack; /**< Push/pop ranges, the outermost first. */
    size_t n_stack;
} rln_live_thread;

/**
 * Begins to follow a run. Nothing is read yet.
 *
 * A filter that the reader has is kept.
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
 * Refreshes the reader, and reads what is new; the first time, all that there is.
 *
 * Ownership: what was handed out about the look before ends here.
 * Threads:   as rln_reader_open().
 * Errors:    those of rln_reader_refresh(). The next look may go well.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_live_look(rln_live *live, rln_error *err);

/**
 * Tells what the last look found.
 *
 * Ownership: borrowed until the next look.
 * Threads:   any, while nobody looks.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_totals *rln_live_get_totals(const rln_live *live);

/**
 * Hands out the names of all ranges so far, in the order in which they were met; of
 * many of them there may be nothing in this look.
 *
 * Ownership: borrowed until the next look; text until the reader is closed.
 * Threads:   any, while nobody looks.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_row *rln_live_rows(const rln_live *live, size_t *n);

/**
 * Hands out the threads that are inside of ranges, or recorded something since the look
 * before and have not ended, in the order in which they were met.
 *
 * Ownership: borrowed until the next look; text until the reader is closed.
 * Threads:   any, while nobody looks.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_live_thread *rln_live_threads(const rln_live *live, size_t *n);

/**
 * Says whether the run is in another container or on another machine, where processes
 * have numbers that mean nothing here.
 *
 * Ownership: none.
 * Threads:   any, while nobody looks.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API int rln_live_is_elsewhere(const rln_live *live);

/**
 * Ends it.
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
