/* SPDX-License-Identifier: Apache-2.0 */
/* window_list.h - the windows of all parts, and which events belong to one of them.
 *
 *     time        opened        closed      next
 *       ----------[=============]...........[====
 *                 |<--- begins belong ----->|      also those of threads that saw the
 *                 |<- durations->|                 close late
 */
#ifndef RLN_TRACE_OPEN_WINDOW_LIST_H
#define RLN_TRACE_OPEN_WINDOW_LIST_H

#include "format/chunk_reader.h"
#include "rangeline/model.h"
#include "trace/open/clock_fit.h"

/* One window. */
struct rln__window_info {
    uint32_t part; /* Index for rln_info_part(). */
    enum rln__window_cause opened_by;
    enum rln__window_cause closed_by; /* RLN__WINDOW_BY_RUN if never closed. */
    uint8_t is_open; /* Never closed: the run ended in it, or still runs. */
    int64_t opened_ns;
    int64_t closed_ns; /* If open: time of its last event. */
    uint64_t n_events; /* Between its opening and that of the next window. */
};

struct rln__windows {
    struct rln__window_info
        *items; /* owned; by part and time; open ones close at the end of time */
    size_t n, capacity;
    size_t *first; /* owned: each part's first index; one more ends the last part's */
    int64_t *rest_ns; /* owned: from when each part's windows are not listed */
};

/* The selected window, or the whole. */
struct rln__span {
    uint32_t part;
    uint8_t is_window;   /* else the rest is unused */
    uint8_t is_any_part; /* only times were requested */
    int64_t opened_ns, closed_ns, next_ns;
};

/* Reads the listed windows of a part, in their order, to `to`, which has room for
 * RLN__MAX_WINDOWS; entries that are no windows have times of 0. `*n_before` came
 * before these. */
rln_status rln__windows_read(const struct rln__part *part, struct rln__window *to,
                             size_t *n, uint64_t *n_before, rln_error *err);

/* Reads the windows of every part, replacing those of an earlier call. */
rln_status rln__windows_load(struct rln__windows *windows,
                             const struct rln__layout *layout,
                             struct rln__clock_fit *clock_fits, rln_error *err);
void rln__windows_clear(struct rln__windows *windows);

/* The window in which something was recorded at `t_ns`; NULL before the first, or after
 * those that are listed. */
const struct rln__window_info *rln__windows_at(const struct rln__windows *windows,
                                               uint32_t part, int64_t t_ns);

/* From when the ranges of a record `resumed` at `t_ns` are known: the opening of its
 * window, or `t_ns` if no window was open any more. */
int64_t rln__windows_opening(const struct rln__windows *windows, uint32_t part,
                             int64_t t_ns);

struct rln__span rln__windows_span(const struct rln__windows *windows, size_t index);

static inline int rln__span_has_part(const struct rln__span *span, uint32_t part)
{
    return span->is_any_part || span->part == part;
}

/* Whether it began in the window. */
static inline int rln__span_has(const struct rln__span *span, uint32_t part,
                                int64_t t_ns)
{
    return !span->is_window || (rln__span_has_part(span, part) &&
                                t_ns >= span->opened_ns && t_ns < span->next_ns);
}

/* Whether the range began in the window, or was open as that opened. */
static inline int rln__span_has_range(const struct rln__span *span, uint32_t part,
                                      int64_t start_ns, int64_t end_ns)
{
    return !span->is_window || (rln__span_has_part(span, part) &&
                                start_ns < span->next_ns && end_ns >= span->opened_ns);
}

/* Whether GPU work overlaps the window. Unlike a range, it may begin, with nothing of
 * the window in it, after that has closed. */
static inline int rln__span_overlaps(const struct rln__span *span, uint32_t part,
                                     int64_t start_ns, int64_t end_ns)
{
    return !span->is_window ||
           (rln__span_has_part(span, part) && start_ns <= span->closed_ns &&
            end_ns >= span->opened_ns);
}

static inline int64_t rln__span_clip(const struct rln__span *span, int64_t t_ns)
{
    if (!span->is_window)
        return t_ns;
    if (t_ns < span->opened_ns)
        return span->opened_ns;
    return t_ns > span->closed_ns ? span->closed_ns : t_ns;
}

/* Counts the windows of the opened traces.
 *
 * A part that was recorded from beginning to end has one window; a part in which the
 * gate never opened has none. At most the first 1,920 windows of a part are known; with
 * a ring buffer, the last ones. Windows are in the order of their parts. */
size_t rln__reader_count_windows(const rln_reader *reader);

#endif
