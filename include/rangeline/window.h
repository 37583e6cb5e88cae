/* SPDX-License-Identifier: Apache-2.0 */
/* window.h - lists the capture windows of a run and restricts reading to one of them.
 *
 *     recorded      [=== window 0 ===]         [== window 1 ==]
 *     range a   |---------------|                                 open as 0 opened
 *     range b            |-------------------|                    began in 0
 *     range c                             |-------|               open as 1 opened
 *
 * A window contains the events that begin in it. A range that is open when its window
 * closes has its real end if that was recorded; a range that was open before its window
 * has RLN_FLAG_RESUMED.
 */
#ifndef RANGELINE_WINDOW_H
#define RANGELINE_WINDOW_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What opened or closed a window. Values are never renumbered. */
typedef enum rln_window_cause {
    RLN_WINDOW_BY_RUN = 0,     /**< It began or ended with the run. */
    RLN_WINDOW_BY_CAPTURE = 1, /**< A capture range. */
    RLN_WINDOW_BY_PROGRAM = 2, /**< The program: rangeline/control.h. */
    RLN_WINDOW_BY_COMMAND = 3, /**< `rangeline start` and `rangeline stop`. */
    RLN_WINDOW_BY_TIME = 4,    /**< A delay or a duration. */
    RLN_WINDOW_BY_CUDA = 5,    /**< cudaProfilerStart and cudaProfilerStop. */
    RLN_WINDOW_BY_SIZE = 6,    /**< The trace reached its maximum size. */
} rln_window_cause;

/** Bits of rln_part_info.closed: why the gate of a part was closed when it was read. 0:
 * the gate was open. */
enum {
    RLN_CLOSED_CAPTURE = 1, /**< No capture range was open. */
    RLN_CLOSED_PROGRAM = 2,
    RLN_CLOSED_COMMAND = 4,
    RLN_CLOSED_DELAY = 8,
    RLN_CLOSED_CUDA = 16, /**< cudaProfilerStart was not called. */
    RLN_CLOSED_OVER = 32, /**< Recording has ended for good. */
};

/** One window. Library-owned; grows at its end. */
typedef struct rln_window {
    uint32_t part; /**< Index for rln_info_part(). */
    rln_window_cause opened_by;
    rln_window_cause closed_by; /**< RLN_WINDOW_BY_RUN if never closed. */
    uint8_t is_open; /**< Never closed: the run ended in it, or still runs. */
    int64_t opened_ns;
    int64_t closed_ns; /**< If open: time of its last event. */
    uint64_t n_events; /**< Between its opening and that of the next window. */
} rln_window;

/** All windows, for rln_reader_select_window(). */
#define RLN_ALL_WINDOWS SIZE_MAX

/**
 * Counts the windows of the opened traces.
 *
 * A part that was recorded from beginning to end has one window; a part in which the
 * gate never opened has none. At most the first 1,920 windows of a part are known; with
 * a ring buffer, the last ones. Windows are in the order of their parts.
 *
 * Ownership: none.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_reader_count_windows(const rln_reader *reader);

/**
 * Restricts reading from now on to one window; RLN_ALL_WINDOWS lifts the restriction.
 *
 * The reader then has the events that began in the window and the ranges that were open
 * when it opened, all with their ends, even later ones. Ranges keep their times, but
 * sums of durations (rln_stats_new(), rln_tree_new(), rln_sums_new()) count only the
 * time inside the window. rln_info_open() still describes the whole trace.
 *
 * Ownership: nothing changes; open iterations are not affected.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT if there is no window `index`; nothing changes then.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_select_window(rln_reader *reader,
                                                          size_t index, rln_error *err);

/**
 * Restricts reading from now on to an interval of time, within the previous selection.
 *
 * The reader then has the events that began from `from_ns` to `to_ns`, both included,
 * and ranges that were open at `from_ns`; ends and sums are treated as with a window.
 * rln_reader_select_window() lifts the restriction.
 *
 * Ownership: nothing changes; open iterations are not affected.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT if `to_ns` is before `from_ns`; nothing changes then.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_select_time(rln_reader *reader,
                                                        int64_t from_ns, int64_t to_ns,
                                                        rln_error *err);

/**
 * Gives a window by its index, which is that of rln_reader_select_window().
 *
 * Ownership: borrowed until rln_info_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL if `index` is not below the number of windows when the description
 *            was made.
 * Since:     0.1
 */
RLN_API const rln_window *rln_info_window(const rln_info *info, size_t index);

#ifdef __cplusplus
}
#endif

#endif
