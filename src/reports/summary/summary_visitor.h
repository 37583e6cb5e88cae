/* SPDX-License-Identifier: Apache-2.0 */
/* summary_visitor.h - what the engine asks a summary, and tells it. For those files that
 * inline it into loops over records. */
#ifndef RLN_REPORTS_SUMMARY_SUMMARY_VISITOR_H
#define RLN_REPORTS_SUMMARY_SUMMARY_VISITOR_H

#include "reports/summary/summary_rows.h"

/* Gives a range to the taker. Lanes of deferred ranges are numbered after all threads.
 */
static inline int rln__summary_give(struct rln__summary *s,
                                    const struct rln__closing *c, uint64_t ns,
                                    uint32_t row)
{
    const size_t n_threads = s->reader->n_threads;

    return s->taker->take(s->taker->context, c, ns, row,
                          c->thread < n_threads
                              ? s->reader->threads[c->thread].process
                              : s->process_of_lane[c->thread - n_threads]);
}

/* How much of [start_ns, end_ns] is in the window; -1 if the range is outside it. */
RLN__INLINE int64_t rln__summary_time_of(const struct rln__span *window, uint32_t part,
                                         int64_t start_ns, int64_t end_ns)
{
    if (window) {
        if (!rln__span_has_range(window, part, start_ns, end_ns))
            return -1;
        start_ns = rln__span_clip(window, start_ns);
        end_ns = rln__span_clip(window, end_ns);
    }
    return end_ns > start_ns ? end_ns - start_ns : 0;
}

RLN__INLINE uint32_t rln__summary_tag(void *summary, uint32_t thread,
                                      uint32_t enclosing, uint32_t attr)
{
    (void)thread;
    return rln__summary_child_of(summary, enclosing, attr);
}

RLN__INLINE uint32_t rln__summary_around(void *summary, uint32_t thread)
{
    return rln__summary_outermost(summary, thread);
}

RLN__INLINE int rln__summary_close(struct rln__summary *s,
                                   const struct rln__span *window,
                                   const struct rln__closing *c, int is_narrowed,
                                   int is_taken)
{
    const int is_pushed = !(c->state & RLN__STARTED);
    const int64_t ns = rln__summary_time_of(window, c->part, c->start_ns, c->end_ns);
    int matches = 1;
    uint32_t row;

    if (window && ns < 0)
        return 0;
    if (c->state & RLN__LOST) {
        s->totals.n_lost_ranges++;
        return 0;
    }
    if (!c->is_left_open && c->state & RLN__RESUMED)
        s->totals.n_resumed++;
    if (is_narrowed && s->reader->filter)
        s->engine.status =
            rln__predicate_end(&s->predicate, c, &matches, s->engine.err);
    if (is_narrowed && (s->engine.status || !matches))
        return s->engine.status ? -1 : 0;
    row = is_pushed && !c->end
              ? s->nodes[c->tag].row
              : rln__summary_row(s, c->attr,
                                 is_pushed ? RLN_RANGE_PUSH_POP : RLN_RANGE_START_END);
    if (row == RLN__NONE)
        return -1;
    s->totals.n_ranges += !c->is_in_run;
    if (c->is_left_open) {
        s->totals.n_open++;
        s->totals.n_resumed += (c->state & RLN__RESUMED) != 0;
        s->rows[row].n_open++;
        if (is_pushed)
            s->nodes[c->tag].n_open++;
    }
    if (is_taken && s->taker)
        return rln__summary_give(s, c, (uint64_t)ns, row);
    return rln__summary_sums_add(&s->sums, (uint64_t)ns, is_pushed ? c->self_ns : 0,
                                 row, is_pushed ? c->tag : RLN__NONE);
}

RLN__INLINE int rln__summary_close_whole(void *summary, const struct rln__closing *c)
{
    return rln__summary_close(summary, NULL, c, 0, 0);
}

static inline int rln__summary_unmatched(void *summary, const struct rln__item *end,
                                         unsigned flags, uint32_t depth, int64_t t_ns,
                                         uint32_t part)
{
    struct rln__summary *s = summary;
    const int counts = rln__span_has(&s->span, part, t_ns);

    (void)end;
    (void)depth;
    s->totals.n_unmatched += counts && (flags & RLN_FLAG_UNMATCHED);
    s->totals.n_inherited += counts && (flags & RLN_FLAG_INHERITED);
    return 0;
}

RLN__INLINE void rln__summary_counted(void *summary, uint64_t n_events,
                                      uint64_t n_marks, uint64_t n_closed,
                                      int64_t first_ns, int64_t last_ns)
{
    struct rln__summary *s = summary;

    s->totals.n_events += n_events;
    s->totals.n_marks += n_marks;
    s->totals.n_ranges += n_closed;
    s->totals.first_ns = first_ns < s->totals.first_ns ? first_ns : s->totals.first_ns;
    s->totals.last_ns = last_ns > s->totals.last_ns ? last_ns : s->totals.last_ns;
}

/* For a trace that is read whole. */
static const struct rln__range_ops rln__summary_whole = {
    .tag = rln__summary_tag,
    .outermost = rln__summary_around,
    .close = rln__summary_close_whole,
    .unmatched = rln__summary_unmatched,
    .counted = rln__summary_counted,
};

#endif
