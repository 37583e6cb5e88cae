/* SPDX-License-Identifier: Apache-2.0 */
/* split_plan.h - which records of a trace belong to which of its windows.
 *
 *     windows      |--- 0 ---|      |--- 1 ---|      |--- 2 ---|
 *     mark             0                   1
 *     push, pop      0---0       a push and its pop: all windows in which
 *     push, pop           0-----------1    the range is open
 *
 * That is what `--window` shows of each (rln_reader_select_window). A record belongs
 * to the last window that opened before it; a list has the few that belong to others as
 * well, or describe a whole thread.
 */
#ifndef RLN_REWRITE_SPLIT_PLAN_H
#define RLN_REWRITE_SPLIT_PLAN_H

#include "format/chunk_reader.h"
#include "format/names.h"
#include "rewrite/split_record.h"

#define RLN__NO_WINDOW UINT32_MAX

/* Windows `low` to `high`; none if `high` is less. */
struct rln__window_span {
    uint64_t offset; /* of the record */
    uint32_t low, high;
};

struct rln__split_plan {
    struct rln__window *windows; /* owned, like the others below; in order of opening */
    uint32_t n_windows;
    uint64_t end_ticks;             /* windows from here on are not listed... */
    uint64_t n_unlisted;            /* ...so many */
    struct rln__window_span *spans; /* in the order of offsets */
    size_t n_spans, spans_capacity;
    struct rln__window_span *chunks; /* windows of the records, by chunk */
};

/* The last window that opened before `ticks`. */
uint32_t rln__split_window_at(const struct rln__split_plan *plan, uint64_t ticks);

/* Reads all records of the first part of a trace that keeps all its events. */
rln_status rln__split_plan_make(struct rln__split_plan *plan,
                                const struct rln__layout *layout,
                                struct rln__names *names, rln_error *err);
void rln__split_plan_clear(struct rln__split_plan *plan);

/* Whether a record is of window `k`. */
int rln__split_has(const struct rln__split_plan *plan, const struct rln__record *record,
                   uint64_t base_ticks, uint32_t k);

#endif
