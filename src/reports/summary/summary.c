/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fail.h"
#include "base/key_index.h"
#include "reports/summary/summary_stretches.h"
#include "reports/summary/summary_visitor.h"

#include <string.h>

/* --- What the engine asks and tells ----------------------------------------------- */

/* With a window or a filter. */
RLN__INLINE int opened(void *summary, struct rln__open *range,
                       const struct rln__item *begin, uint32_t part)
{
    struct rln__summary *s = summary;

    if (!begin || !s->reader->filter)
        return 0;
    s->engine.status =
        rln__predicate_begin(&s->predicate, begin, part, range, s->engine.err);
    return s->engine.status ? -1 : 0;
}

RLN__INLINE int close_taken(void *summary, const struct rln__closing *c)
{
    return rln__summary_close(summary, NULL, c, 0, 1);
}

RLN__INLINE int close_narrowed(void *summary, const struct rln__closing *c)
{
    struct rln__summary *s = summary;

    return rln__summary_close(s, s->span.is_window ? &s->span : NULL, c, 1, 1);
}

static const struct rln__range_ops taken = {.tag = rln__summary_tag,
                                            .outermost = rln__summary_around,
                                            .close = close_taken,
                                            .unmatched = rln__summary_unmatched,
                                            .counted = rln__summary_counted};
static const struct rln__range_ops narrowed = {.tag = rln__summary_tag,
                                               .outermost = rln__summary_around,
                                               .open = opened,
                                               .close = close_narrowed,
                                               .unmatched = rln__summary_unmatched,
                                               .counted = rln__summary_counted};

/* Answers for the moments of a thread before `t_ns`. */
static __attribute__((noinline)) void pass_moments(struct rln__summary *s,
                                                   uint32_t thread, int64_t t_ns)
{
    const struct rln__pairing *p = &s->engine.pairing;
    const uint32_t newest = rln__pair_innermost(p, thread);
    const uint32_t node =
        newest == RLN__NONE ? rln__summary_outermost(s, thread) : p->pool[newest].node;
    size_t *i = &s->next_moment[thread];

    while (*i < s->n_moments && s->moments[*i].thread == thread &&
           s->moments[*i].t_ns < t_ns)
        s->moments[(*i)++].node = node;
}

RLN__INLINE rln_status visit(struct rln__summary *s, const struct rln__range_ops *ops,
                             const struct rln__item *item, int64_t t_ns, uint32_t part,
                             rln_error *err)
{
    /* What a window opened in began with it. */
    if (ops == &narrowed && s->moments && !s->predicate.deferred)
        pass_moments(s, item->thread,
                     item->kind == RLN__ITEM_RESUMED
                         ? rln__windows_opening(&s->reader->windows, part, t_ns)
                         : t_ns);
    if (item->kind >= RLN__ITEM_THREAD) {
        if (item->kind == RLN__ITEM_GAP && rln__span_has(&s->span, part, t_ns)) {
            s->totals.n_gaps++;
            s->totals.n_lost_events += item->value;
        }
        return rln__engine_restate(&s->engine, ops, s, item, t_ns, part, err);
    }
    if (ops != &narrowed || rln__span_has(&s->span, part, t_ns))
        rln__summary_counted(s, 1, item->kind == RLN__MARK, 0, t_ns, t_ns);
    if (rln__engine_event(&s->engine, ops, s, item, t_ns, part))
        return s->engine.status ? s->engine.status : rln__fail_nomem(err);
    return RLN_OK;
}

/* The same code three times, so that reading the whole trace pays nothing for windows,
 * filters and takers. */
RLN__INLINE rln_status visit_whole(void *context, const struct rln__item *item,
                                   int64_t t_ns, uint32_t part, rln_error *err)
{
    return visit(context, &rln__summary_whole, item, t_ns, part, err);
}

RLN__INLINE rln_status visit_taken(void *context, const struct rln__item *item,
                                   int64_t t_ns, uint32_t part, rln_error *err)
{
    return visit(context, &taken, item, t_ns, part, err);
}

RLN__INLINE rln_status visit_narrowed(void *context, const struct rln__item *item,
                                      int64_t t_ns, uint32_t part, rln_error *err)
{
    return visit(context, &narrowed, item, t_ns, part, err);
}

static rln_status visit_run(void *context, const struct rln__word_run *run,
                            size_t *n_taken, uint64_t *last_word, rln_error *err)
{
    struct rln__summary *s = context;

    return rln__engine_run(&s->engine, &rln__summary_whole, s, run, n_taken, last_word,
                           err);
}

/* The rest of a chunk. */
static rln_status read_on(void *summary, struct rln__scan *scan, rln_error *err)
{
    return rln__scan_chunk(scan, visit_whole, visit_run, summary, err);
}

static rln_status visit_taken_run(void *context, const struct rln__word_run *run,
                                  size_t *n_taken, uint64_t *last_word, rln_error *err)
{
    struct rln__summary *s = context;

    return rln__engine_run(&s->engine, &taken, s, run, n_taken, last_word, err);
}

static int is_narrow(const struct rln__summary *s)
{
    return s->span.is_window || s->reader->filter || s->moments;
}

/* A lane belongs to one process. 0, or -1: no memory. */
static int note_lane(struct rln__summary *s, uint32_t thread, uint32_t process)
{
    const size_t lane = thread - s->reader->n_threads;
    uint32_t *lanes = s->process_of_lane;

    if (!s->taker)
        return 0;
    if (lane >= s->n_lanes) {
        lanes =
            rln__grow_to(lanes, &s->n_lanes, &s->lanes_capacity, lane, sizeof(*lanes));
        if (!lanes)
            return -1;
        s->process_of_lane = lanes;
    }
    lanes[lane] = process;
    return 0;
}

static rln_status visit_deferred(void *context, const struct rln__item *item,
                                 const struct rln__deferred_source *deferred,
                                 int64_t t_ns, rln_error *err)
{
    struct rln__summary *s = context;
    const uint32_t part = deferred->address.part;
    rln_status status;

    if (note_lane(s, item->thread, deferred->origin.process))
        return rln__fail_nomem(err);
    s->predicate.deferred = deferred;
    status = is_narrow(s) ? visit_narrowed(s, item, t_ns, part, err)
             : s->taker   ? visit_taken(s, item, t_ns, part, err)
                          : visit_whole(s, item, t_ns, part, err);
    s->predicate.deferred = NULL;
    return status;
}

static rln_status finish(struct rln__summary *s, rln_error *err)
{
    for (uint32_t i = 0; s->moments && i < s->reader->n_threads; i++)
        pass_moments(s, i, INT64_MAX);
    if (rln__engine_finish(&s->engine,
                           is_narrow(s) ? &narrowed
                           : s->taker   ? &taken
                                        : &rln__summary_whole,
                           s))
        return s->engine.status ? s->engine.status : rln__fail_nomem(err);
    return RLN_OK;
}

/* A thread has been in its outermost ranges. */
static void sum_threads(struct rln__summary *s)
{
    for (size_t i = 1 + s->n_thread_nodes; i < s->n_nodes; i++) {
        const uint32_t parent = s->nodes[i].parent;

        if (parent && parent <= s->n_thread_nodes)
            s->sums.paths[parent].self_ns += s->sums.paths[i].total_ns;
    }
}

/* The root and, if threads are kept apart, one node a thread below it. */
static int add_first_nodes(struct rln__summary *s, int by_thread)
{
    const size_t n = by_thread ? s->reader->n_threads : 0;

    s->nodes = rln__grow(NULL, &s->nodes_capacity, 1 + n, sizeof(*s->nodes));
    if (!s->nodes)
        return -1;
    memset(s->nodes, 0, (1 + n) * sizeof(*s->nodes));
    for (size_t i = 1; i <= n; i++)
        s->nodes[i].row = RLN__NONE;
    s->n_thread_nodes = n;
    s->n_nodes = 1 + n;
    return 0;
}

/* Where those of each thread begin. */
static int begin_moments(struct rln__summary *s)
{
    if (!s->moments)
        return 0;
    s->next_moment = rln__alloc(s->reader->n_threads + 1, sizeof(*s->next_moment));
    if (!s->next_moment)
        return -1;
    for (size_t i = s->n_moments; i > 0; i--)
        s->next_moment[s->moments[i - 1].thread] = i - 1;
    return 0;
}

enum keeps { NAMES, MERGED, BY_THREAD };

/* `s` is zeroed, except its moments and its taker. */
static rln_status begin(struct rln__summary *s, rln_reader *reader, enum keeps keeps,
                        rln_error *err)
{
    s->reader = s->predicate.reader = reader;
    s->span = reader->span;
    s->leaves_paths_out = keeps == NAMES;
    s->totals.first_ns = INT64_MAX;
    s->totals.last_ns = INT64_MIN;
    if (add_first_nodes(s, keeps == BY_THREAD) || begin_moments(s) ||
        rln__engine_init(&s->engine, reader, err)) {
        rln__summary_clear(s);
        return rln__fail_nomem(err);
    }
    s->engine.span = s->span.is_window ? &s->span : NULL;
    return RLN_OK;
}

/* Without windows, filters and takers. */
static rln_status scan_whole(struct rln__summary *s, rln_reader *reader,
                             enum keeps keeps, rln_error *err)
{
    static const struct rln__summary_rest rest = {visit_whole, read_on};
    rln_status status = rln__summary_read_stretches(s, &rest, err);

    if (status != RLN_END)
        return status;
    rln__summary_clear(s);
    status = begin(s, reader, keeps, err);
    return status ? status : rln__scan_all(reader, visit_whole, visit_run, s, err);
}

/* `s` is zeroed, except its moments and its taker. */
static rln_status read_all(struct rln__summary *s, rln_reader *reader, enum keeps keeps,
                           rln_error *err)
{
    rln_status status = begin(s, reader, keeps, err);

    if (status)
        return status;
    if (is_narrow(s))
        status = rln__scan_all(reader, visit_narrowed, NULL, s, err);
    else if (s->taker)
        status = rln__scan_all(reader, visit_taken, visit_taken_run, s, err);
    else
        status = scan_whole(s, reader, keeps, err);
    if (!status)
        status =
            rln__scan_deferred(reader, visit_deferred, s, &s->totals.n_unplaced, err);
    if (!status)
        status = finish(s, err);
    if (!status)
        status = rln__summary_sums_finish(&s->sums, s->n_rows, s->n_nodes, err);
    if (!s->span.is_window) /* with a window, their starts may just be missing */
        s->totals.n_unmatched += s->engine.n_early;
    if (s->totals.n_events == 0)
        s->totals.first_ns = s->totals.last_ns = 0;
    rln__engine_clear(&s->engine);
    if (!status)
        sum_threads(s);
    if (status)
        rln__summary_clear(s);
    return status;
}

rln_status rln__summary_read(struct rln__summary *s, rln_reader *reader, rln_error *err)
{
    memset(s, 0, sizeof(*s));
    return read_all(s, reader, MERGED, err);
}

rln_status rln__summary_read_names(struct rln__summary *s, rln_reader *reader,
                                   rln_error *err)
{
    memset(s, 0, sizeof(*s));
    return read_all(s, reader, NAMES, err);
}

rln_status rln__summary_read_threads(struct rln__summary *s, rln_reader *reader,
                                     rln_error *err)
{
    memset(s, 0, sizeof(*s));
    return read_all(s, reader, BY_THREAD, err);
}

rln_status rln__summary_read_at(struct rln__summary *s, rln_reader *reader,
                                int is_by_thread, struct rln__summary_moment *moments,
                                size_t n, rln_error *err)
{
    memset(s, 0, sizeof(*s));
    s->moments = moments;
    s->n_moments = n;
    return read_all(s, reader, is_by_thread ? BY_THREAD : MERGED, err);
}

rln_status rln__summary_read_names_to(struct rln__summary *s, rln_reader *reader,
                                      const struct rln__summary_taker *taker,
                                      rln_error *err)
{
    memset(s, 0, sizeof(*s));
    s->taker = taker;
    return read_all(s, reader, NAMES, err);
}

rln_status rln__summary_read_threads_to(struct rln__summary *s, rln_reader *reader,
                                        const struct rln__summary_taker *taker,
                                        rln_error *err)
{
    memset(s, 0, sizeof(*s));
    s->taker = taker;
    return read_all(s, reader, BY_THREAD, err);
}

rln_status rln__summary_read_to(struct rln__summary *s, rln_reader *reader,
                                const struct rln__summary_taker *taker, rln_error *err)
{
    memset(s, 0, sizeof(*s));
    s->taker = taker;
    return read_all(s, reader, MERGED, err);
}

void rln__summary_clear(struct rln__summary *s)
{
    rln__summary_sums_clear(&s->sums);
    rln__engine_clear(&s->engine);
    rln__free(s->rows);
    rln__free(s->nodes);
    rln__free(s->row_of_attr);
    rln__free(s->next_moment);
    rln__free(s->process_of_lane);
    rln__map_clear(&s->by_name);
    rln__map_clear(&s->children);
    rln__predicate_clear(&s->predicate);
    memset(s, 0, sizeof(*s));
}
