/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h - makes ranges of events: the only place that decides which push a pop
 * closes, which start an end closes, what is innermost, and when an open range ends.
 *
 *   item, or words of a chunk --> engine --+--> tag()        a push/pop range begins
 *                                          +--> open()       any range begins
 *                                          +--> close()      a range; its self time
 *                                          +--> unmatched()  what closes nothing
 *
 * Items come thread after thread, those of a thread in the order of time (scan.h); or
 * all in the order of time (merge.h).
 *
 * A pop closes the newest open push of its thread and domain. An end closes the start
 * with its id, on any thread: it may be read before the start, and of several the first
 * that is not before the start counts. A range that is never closed ends with the last
 * event of its trace.
 *
 * The *self time* of a push/pop range is the time during which it was the innermost
 * open range of its thread, the latest begun being innermost. So self times are never
 * negative, and add up to the time that the thread spent in ranges:
 *
 *     x: A  |------------------|             self: 0 to 10
 *     y: B        |-----------------------|  self: 10 to 50
 *           0     10          30         50
 *
 * All functions are inlined together with the visitor's, so `ops` must be a constant.
 * Each returns 0, or -1 on failure: `status` tells of what, unless it was memory.
 */
#ifndef RLN_RANGES_ENGINE_H
#define RLN_RANGES_ENGINE_H

#include "ranges/events.h"
#include "ranges/pair.h"
#include "trace/decode/stream.h"
#include "trace/open/part_ends.h"
#include "trace/open/window_list.h"
#include "trace/order/scan.h"

/* A range that closes. */
struct rln__closing {
    int64_t start_ns, end_ns;
    uint64_t self_ns; /* of a push/pop range, within the span */
    uint64_t value;   /* the visitor's, from open() */
    uint32_t attr;    /* with the name that payloads of its end may have given it */
    uint32_t tag;     /* of a push/pop range */
    uint32_t thread, part;
    uint32_t end_thread;  /* of a start/end range, perhaps another one */
    uint32_t slot;        /* its index in the pool, where it is until the next begins */
    uint8_t state;        /* enum rln__open_state */
    uint8_t is_left_open; /* it was never closed */
    uint8_t is_in_run;    /* counted() has it, too, and it is in no slot */
    uint8_t begins_with_value;   /* in a run only, as the next */
    uint64_t begin_offset;       /* of its record, in the file */
    const struct rln__item *end; /* if it has payloads, else NULL */
};

/* The operations of a visitor. Those it does not need are NULL, except that runs of
 * words need `tag` and `close`. */
struct rln__range_ops {
    /* The visitor's number for a push/pop range that begins, by that of the innermost
     * range around it: RLN__NONE when there is no memory. Without it, that is 0. */
    uint32_t (*tag)(void *visitor, uint32_t thread, uint32_t enclosing, uint32_t attr);
    /* The number that is around all ranges of a thread. Without it, that is 0. */
    uint32_t (*outermost)(void *visitor, uint32_t thread);
    /* A range begins, in the pool: its `value` and the state RLN__FILTERED_OUT are the
     * visitor's. `begin` is NULL if a window opened within the range. Of a run of words,
     * only for what it leaves open. */
    int (*open)(void *visitor, struct rln__open *range, const struct rln__item *begin,
                uint32_t part);
    int (*close)(void *visitor, const struct rln__closing *closing);
    /* A pop or an end, with the reason as RLN_FLAG_... and, for a pop, the number of
     * ranges around the one it was for. `end` is NULL for one of several ends of a
     * range, or one before its start. Not called for the `n_early` ends that are left:
     * their starts may come when reading goes on. */
    int (*unmatched)(void *visitor, const struct rln__item *end, unsigned flags,
                     uint32_t depth, int64_t t_ns, uint32_t part);
    /* A mark in a run of words. Without it, marks may have attributes that cannot be
     * read. */
    int (*marked)(void *visitor, const struct rln__item *mark, int64_t t_ns,
                  uint32_t part);
    /* Events of a run of words. */
    void (*counted)(void *visitor, uint64_t n_events, uint64_t n_marks,
                    uint64_t n_closed, int64_t first_ns, int64_t last_ns);
    /* Items come in the order of time, over all threads: an end without its start is
     * unmatched at once. */
    uint8_t is_in_time_order;
    uint8_t leaves_self_out; /* self times are not needed, and 0 */
};

/* An end that was read before its start. */
struct rln__early_end {
    int64_t t_ns;
    uint64_t id;
    uint32_t thread;
    uint32_t next; /* of the same id: index + 1 */
    uint32_t item; /* index + 1; 0 without payloads */
    uint8_t is_taken, is_old;
};

struct rln__engine {
    rln_reader *reader;           /* borrowed, like the next */
    const struct rln__span *span; /* self time counts within it; NULL: all */
    struct rln__pairing pairing;
    struct rln__part_ends part_ends;
    struct rln__map early;       /* id -> its ends that were read first: index + 1 */
    struct rln__early_end *ends; /* owned, like the next */
    size_t n_ends, ends_capacity;
    struct rln__item *end_items;
    size_t n_end_items, end_items_capacity;
    size_t n_early;    /* ends whose start has not been read yet */
    rln_status status; /* of what failed, if that was not memory; `err` has more */
    rln_error *err;    /* borrowed */
};

/* On failure there is nothing to clear, and it was memory. */
int rln__engine_init(struct rln__engine *engine, rln_reader *reader, rln_error *err);
void rln__engine_clear(struct rln__engine *engine);

/* For reading a run repeatedly, before each reading: drops ends whose start was not
 * read in the last two. 0, or -1: no memory. */
int rln__engine_drop_old_ends(struct rln__engine *engine);

/* --- Inside ----------------------------------------------------------------------- */

int rln__engine_keep_end(struct rln__engine *engine, const struct rln__item *end,
                         uint64_t id, int64_t t_ns);
/* Takes the ends of an id that were read before its start, of which the first that is
 * not before it counts; tells of the others. 1 if one closes it, -1 on failure. */
int rln__engine_take_end(struct rln__engine *engine, const struct rln__range_ops *ops,
                         void *visitor, uint64_t id, int64_t start_ns, uint32_t part,
                         struct rln__early_end *out);
/* The attributes with the name that payloads of the end give; RLN__NONE on failure. */
uint32_t rln__engine_renamed(struct rln__engine *engine, const struct rln__item *end,
                             uint32_t part, uint32_t attr);

RLN__INLINE int rln__engine_unmatched(const struct rln__range_ops *ops, void *visitor,
                                      const struct rln__item *end, unsigned flags,
                                      uint32_t depth, int64_t t_ns, uint32_t part)
{
    return ops->unmatched ? ops->unmatched(visitor, end, flags, depth, t_ns, part) : 0;
}

/* Gives the time since the thread's last push or pop to the innermost range. A clock
 * that went back stands still. */
RLN__INLINE void rln__engine_pass(struct rln__engine *e, struct rln__pair_thread *t,
                                  uint32_t newest, int64_t now_ns)
{
    if (now_ns <= t->clock_ns)
        return;
    if (newest != RLN__NONE) {
        struct rln__open *o = &e->pairing.pool[newest];

        if (!e->span)
            o->self_ns += (uint64_t)(now_ns - t->clock_ns);
        else if (rln__span_has_part(e->span, o->part))
            o->self_ns += (uint64_t)(rln__span_clip(e->span, now_ns) -
                                     rln__span_clip(e->span, t->clock_ns));
    }
    t->clock_ns = now_ns;
}

/* The number of what is in `range`, an open one; or in none. */
RLN__INLINE uint32_t rln__engine_enclosing(const struct rln__engine *e,
                                           const struct rln__range_ops *ops,
                                           void *visitor, uint32_t thread,
                                           uint32_t range)
{
    if (range != RLN__NONE)
        return e->pairing.pool[range].node;
    return ops->outermost ? ops->outermost(visitor, thread) : 0;
}

/* The number of a range that begins in `enclosing`. */
RLN__INLINE uint32_t rln__engine_tag(const struct rln__engine *e,
                                     const struct rln__range_ops *ops, void *visitor,
                                     uint32_t thread, uint32_t enclosing, uint32_t attr)
{
    return ops->tag
               ? ops->tag(visitor, thread,
                          rln__engine_enclosing(e, ops, visitor, thread, enclosing),
                          attr)
               : 0;
}

RLN__INLINE int rln__engine_push(struct rln__engine *e,
                                 const struct rln__range_ops *ops, void *visitor,
                                 const struct rln__item *item, int64_t t_ns,
                                 uint32_t part)
{
    const uint32_t tag =
        rln__engine_tag(e, ops, visitor, item->thread,
                        rln__pair_innermost(&e->pairing, item->thread), item->ref);
    uint32_t index;

    if (tag == RLN__NONE)
        return -1;
    if (!ops->leaves_self_out && item->thread < e->pairing.n_threads)
        rln__engine_pass(e, &e->pairing.threads[item->thread],
                         e->pairing.threads[item->thread].newest, t_ns);
    index = rln__pair_push(&e->pairing, e->reader->names.attrs[item->ref].domain_id,
                           item->thread, t_ns, item->ref);
    if (index == RLN__NONE)
        return -1;
    if (!ops->leaves_self_out && t_ns > e->pairing.threads[item->thread].clock_ns)
        e->pairing.threads[item->thread].clock_ns = t_ns;
    e->pairing.pool[index].node = tag;
    e->pairing.pool[index].part = (uint16_t)part;
    return ops->open ? ops->open(visitor, &e->pairing.pool[index], item, part) : 0;
}

RLN__INLINE int rln__engine_close(struct rln__engine *e,
                                  const struct rln__range_ops *ops, void *visitor,
                                  uint32_t index, const struct rln__item *end,
                                  uint32_t end_thread, int64_t t_ns, uint32_t part)
{
    const struct rln__open *o = &e->pairing.pool[index];
    struct rln__closing c = {
        .start_ns = o->t_ns,
        .end_ns = t_ns,
        .self_ns = o->state & RLN__STARTED ? 0 : o->self_ns,
        .value = o->value,
        .attr = o->attr,
        .tag = o->node,
        .thread = o->thread,
        .part = part,
        .end_thread = end_thread,
        .slot = index,
        .state = o->state,
        .end = end && rln__item_payloads(end) ? end : NULL,
    };

    rln__pair_release(&e->pairing, index);
    if (!ops->close)
        return 0;
    if (c.end) {
        c.attr = rln__engine_renamed(e, c.end, part, c.attr);
        if (c.attr == RLN__NONE)
            return -1;
    }
    return ops->close(visitor, &c);
}

RLN__INLINE int rln__engine_pop(struct rln__engine *e, const struct rln__range_ops *ops,
                                void *visitor, const struct rln__item *item,
                                int64_t t_ns, uint32_t part)
{
    const uint32_t newest = rln__pair_innermost(&e->pairing, item->thread);
    uint32_t index, depth;
    const unsigned flags =
        rln__pair_pop(&e->pairing, item->thread, item->ref, &index, &depth);

    if (!ops->leaves_self_out && item->thread < e->pairing.n_threads)
        rln__engine_pass(e, &e->pairing.threads[item->thread], newest, t_ns);
    if (index == RLN__NONE)
        return rln__engine_unmatched(ops, visitor, item, flags, depth, t_ns, part);
    return rln__engine_close(e, ops, visitor, index, item, item->thread, t_ns, part);
}

RLN__INLINE int rln__engine_start(struct rln__engine *e,
                                  const struct rln__range_ops *ops, void *visitor,
                                  const struct rln__item *item, int64_t t_ns,
                                  uint32_t part)
{
    const uint64_t id = rln__start_id(e->reader, part, item);
    const uint32_t index =
        rln__pair_start(&e->pairing, id, item->thread, t_ns, item->ref);
    struct rln__early_end end;
    int has_ended;

    if (index == RLN__NONE)
        return -1;
    e->pairing.pool[index].state |= RLN__STARTED;
    e->pairing.pool[index].part = (uint16_t)part;
    if (ops->open && ops->open(visitor, &e->pairing.pool[index], item, part))
        return -1;
    if (ops->is_in_time_order || !e->early.n)
        return 0;
    has_ended = rln__engine_take_end(e, ops, visitor, id, t_ns, part, &end);
    if (has_ended <= 0)
        return has_ended;
    (void)rln__pair_end(&e->pairing, id);
    return rln__engine_close(e, ops, visitor, index,
                             end.item ? &e->end_items[end.item - 1] : NULL, end.thread,
                             end.t_ns, part);
}

RLN__INLINE int rln__engine_end(struct rln__engine *e, const struct rln__range_ops *ops,
                                void *visitor, const struct rln__item *item,
                                int64_t t_ns, uint32_t part)
{
    const uint64_t id = rln__range_id(part, item->value);
    const uint32_t index = rln__pair_end(&e->pairing, id);

    if (index == RLN__NONE)
        return rln__start_is_overwritten(e->reader, part, item->value)
                   ? rln__engine_unmatched(ops, visitor, item, RLN_FLAG_LOST, 0, t_ns,
                                           part)
               : ops->is_in_time_order
                   ? rln__engine_unmatched(ops, visitor, item, RLN_FLAG_UNMATCHED, 0,
                                           t_ns, part)
                   : rln__engine_keep_end(e, item, id, t_ns);
    if (!ops->is_in_time_order && t_ns < e->pairing.pool[index].t_ns)
        return rln__map_put(&e->pairing.starts, id, (uint64_t)index + 1) ||
               rln__engine_unmatched(ops, visitor, NULL, RLN_FLAG_UNMATCHED, 0, t_ns,
                                     part);
    return rln__engine_close(e, ops, visitor, index, item, item->thread, t_ns, part);
}

/* --- Outside ---------------------------------------------------------------------- */

/* Reads a record that restates what a thread has open: an item of kind RLN__ITEM_THREAD
 * or above. */
rln_status rln__engine_restate(struct rln__engine *engine,
                               const struct rln__range_ops *ops, void *visitor,
                               const struct rln__item *item, int64_t t_ns,
                               uint32_t part, rln_error *err);

/* Reads the begin or end of a range. */
RLN__INLINE int rln__engine_range(struct rln__engine *e,
                                  const struct rln__range_ops *ops, void *visitor,
                                  const struct rln__item *item, int64_t t_ns,
                                  uint32_t part)
{
    if (item->kind == RLN__PUSH)
        return rln__engine_push(e, ops, visitor, item, t_ns, part);
    if (item->kind == RLN__POP)
        return rln__engine_pop(e, ops, visitor, item, t_ns, part);
    if (item->kind == RLN__START)
        return rln__engine_start(e, ops, visitor, item, t_ns, part);
    if (item->kind == RLN__END)
        return rln__engine_end(e, ops, visitor, item, t_ns, part);
    return 0;
}

/* Reads any other item, up to which ranges that are never closed last. */
RLN__INLINE int rln__engine_event(struct rln__engine *e,
                                  const struct rln__range_ops *ops, void *visitor,
                                  const struct rln__item *item, int64_t t_ns,
                                  uint32_t part)
{
    rln__part_ends_see(&e->part_ends, part, t_ns);
    return rln__engine_range(e, ops, visitor, item, t_ns, part);
}

/* --- Straight from words ----------------------------------------------------------
 *
 *   push --> pushed[++n]                pop --> pushed[n--] --> close()
 *   the end of the run: the rest of pushed --> the pairing, as open ranges
 *
 * Most ranges open and close within a run, and need only a stack instead of the
 * pairing. Anything unusual ends the run and is left to rln__engine_event().
 */

#define RLN__MOST_PUSHED 64

/* The newest ranges of the thread. [0] stands for what is around them. */
struct rln__pushed {
    int64_t t_ns;
    uint64_t inside_ns; /* of the ranges that closed within it */
    uint32_t attr, domain_id, tag;
    uint32_t at; /* index of its word in the run */
};

#define RLN__PUSHES (1u << RLN__PUSH | 1u << RLN__PUSH_VALUE)
#define RLN__MARKS (1u << RLN__MARK | 1u << RLN__MARK_VALUE)

/* The item of a push or a mark in a run. Its payload is left in the file. */
RLN__INLINE struct rln__item rln__run_item(const struct rln__word_run *run, size_t at,
                                           uint8_t kind, uint32_t attr)
{
    return (struct rln__item){
        .ticks = run->base_ticks + (run->words[at] >> RLN__TICKS_SHIFT),
        .offset = run->offset + at * sizeof(*run->words),
        .ref = attr,
        .thread = run->thread,
        .n_words = 1,
        .kind = kind,
        .has_value = rln__short_words(run->words[at]) > 1,
    };
}

/* Hands what a run leaves open to the pairing, with the self times so far. */
RLN__INLINE int rln__engine_leave(struct rln__engine *e,
                                  const struct rln__range_ops *ops, void *visitor,
                                  const struct rln__word_run *run,
                                  const struct rln__pushed *pushed, size_t n,
                                  int64_t clock_ns)
{
    struct rln__pairing *p = &e->pairing;

    if (!ops->leaves_self_out && run->thread < p->n_threads) {
        struct rln__pair_thread *t = &p->threads[run->thread];

        if (t->newest != RLN__NONE && clock_ns > t->clock_ns)
            p->pool[t->newest].self_ns +=
                (uint64_t)((n ? pushed[1].t_ns : clock_ns) - t->clock_ns) -
                pushed[0].inside_ns;
        if (clock_ns > t->clock_ns)
            t->clock_ns = clock_ns;
    }
    for (size_t i = 1; i <= n; i++) {
        const uint32_t index = rln__pair_push(p, pushed[i].domain_id, run->thread,
                                              pushed[i].t_ns, pushed[i].attr);

        if (index == RLN__NONE)
            return -1;
        p->pool[index].node = pushed[i].tag;
        p->pool[index].part = (uint16_t)run->part;
        if (!ops->leaves_self_out) {
            p->threads[run->thread].clock_ns = clock_ns;
            p->pool[index].self_ns =
                (uint64_t)((i < n ? pushed[i + 1].t_ns : clock_ns) - pushed[i].t_ns) -
                pushed[i].inside_ns;
        }
        if (ops->open) {
            const struct rln__item begin =
                rln__run_item(run, pushed[i].at, RLN__PUSH, pushed[i].attr);

            if (ops->open(visitor, &p->pool[index], &begin, run->part))
                return -1;
        }
    }
    return 0;
}

/* As rln__visit_run(). */
RLN__INLINE rln_status rln__engine_run(struct rln__engine *e,
                                       const struct rln__range_ops *ops, void *visitor,
                                       const struct rln__word_run *run, size_t *n_taken,
                                       uint64_t *last_word, rln_error *err)
{
    struct rln__clock_fit *fit = &e->reader->clock_fits[run->part];
    struct rln__clock_fit_point point = fit->fit_points[fit->last_used];
    const struct rln__trace_process *p = &e->reader->names.processes[run->process];
    const struct rln__attr *attrs = e->reader->names.attrs;
    const uint32_t *const attrs_of_ids = p->attrs;
    const size_t n_ids = p->n_attrs;
    const uint64_t *const words = run->words;
    /* The word of the next record is needed, too. */
    const size_t n_readable = run->n_words > 2 ? run->n_words - 2 : 0;
    struct rln__pushed pushed[RLN__MOST_PUSHED + 1], *top = pushed;
    uint64_t n_events = 0, n_marks = 0;
    int64_t clock_ns = run->thread < e->pairing.n_threads
                           ? e->pairing.threads[run->thread].clock_ns
                           : INT64_MIN;
    int64_t last_ns = 0;
    size_t at = 0, n;
    int failed = 0;

    *n_taken = 0;
    if (!n_readable ||
        !(((RLN__PUSHES | RLN__MARKS | 1u << RLN__POP) >> (run->words[0] & 15)) & 1))
        return RLN_OK;
    pushed[0].inside_ns = 0;
    pushed[0].domain_id = RLN__NONE; /* no pop's */
    pushed[0].tag = rln__engine_enclosing(
        e, ops, visitor, run->thread, rln__pair_innermost(&e->pairing, run->thread));
    while (at < n_readable) {
        const uint64_t word = words[at];
        const unsigned kind = (unsigned)(word & 15);
        const size_t n_words = rln__short_words(word);
        const uint32_t id = (uint32_t)(word >> RLN__ID_SHIFT) & RLN__MAX_ID;
        int64_t t_ns;

        if (!rln__is_later(words[at + n_words], word))
            break;
        t_ns = rln__clock_fit_ns_near(fit, &point,
                                      run->base_ticks + (word >> RLN__TICKS_SHIFT));
        if (kind == RLN__POP) {
            uint64_t ns;

            if (top->domain_id != id || t_ns < clock_ns)
                break;
            clock_ns = t_ns;
            ns = (uint64_t)(t_ns - top->t_ns);
            failed = ops->close(
                visitor, &(struct rln__closing){
                             .start_ns = top->t_ns,
                             .end_ns = t_ns,
                             .self_ns = ns - top->inside_ns,
                             .attr = top->attr,
                             .tag = top->tag,
                             .thread = run->thread,
                             .part = run->part,
                             .end_thread = run->thread,
                             .is_in_run = 1,
                             .begins_with_value = rln__short_words(words[top->at]) > 1,
                             .begin_offset = run->offset + top->at * sizeof(*words),
                         });
            (--top)->inside_ns += ns;
        } else if ((RLN__PUSHES >> kind) & 1) {
            const uint32_t attr = id < n_ids ? attrs_of_ids[id] - 1 : RLN__NONE;
            uint32_t tag;

            if (attr == RLN__NONE || top == pushed + RLN__MOST_PUSHED ||
                t_ns < clock_ns)
                break;
            clock_ns = t_ns;
            tag = ops->tag(visitor, run->thread, top->tag, attr);
            failed = tag == RLN__NONE;
            top++;
            top->t_ns = t_ns;
            top->inside_ns = 0;
            top->attr = attr;
            top->domain_id = attrs[attr].domain_id;
            top->tag = tag;
            top->at = (uint32_t)at;
        } else if ((RLN__MARKS >> kind) & 1) {
            if (ops->marked) {
                const uint32_t attr = id < n_ids ? attrs_of_ids[id] - 1 : RLN__NONE;
                const struct rln__item mark = rln__run_item(run, at, RLN__MARK, attr);

                if (attr == RLN__NONE)
                    break;
                failed = ops->marked(visitor, &mark, t_ns, run->part);
            }
            n_marks++;
        } else {
            break;
        }
        if (failed)
            break;
        last_ns = t_ns;
        *last_word = word;
        n_events++;
        at += n_words;
    }
    n = (size_t)(top - pushed);
    if (n_events) {
        if (ops->counted)
            ops->counted(visitor, n_events, n_marks, (n_events - n_marks - n) / 2,
                         rln__clock_fit_ns(fit, run->base_ticks +
                                                    (words[0] >> RLN__TICKS_SHIFT)),
                         last_ns);
        rln__part_ends_see(&e->part_ends, run->part, last_ns);
    }
    *n_taken = at;
    if (failed ||
        (n_events && rln__engine_leave(e, ops, visitor, run, pushed, n, clock_ns)))
        return e->status ? e->status : rln__fail_nomem(err);
    return RLN_OK;
}

/* --- The end ---------------------------------------------------------------------- */

/* When a range that was left open ends. */
static inline int64_t rln__engine_end_of(const struct rln__engine *e,
                                         const struct rln__open *open)
{
    return rln__part_ends_of(&e->part_ends, open->part, open->t_ns);
}

/* Ends what is still open, and tells of each. Only rln__engine_clear() may follow. */
RLN__INLINE int rln__engine_finish(struct rln__engine *e,
                                   const struct rln__range_ops *ops, void *visitor)
{
    size_t n;

    for (size_t i = 0; i < e->pairing.n_threads; i++) {
        struct rln__pair_thread *t = &e->pairing.threads[i];

        if (!ops->leaves_self_out && t->newest != RLN__NONE)
            rln__engine_pass(e, t, t->newest,
                             e->part_ends.last_ns[e->pairing.pool[t->newest].part]);
    }
    n = rln__pairing_drain(&e->pairing);
    for (size_t i = 0; i < n; i++) {
        const struct rln__open *o = &e->pairing.pool[i];
        const struct rln__closing c = {
            .start_ns = o->t_ns,
            .end_ns = rln__engine_end_of(e, o),
            .self_ns = o->state & RLN__STARTED ? 0 : o->self_ns,
            .value = o->value,
            .attr = o->attr,
            .tag = o->node,
            .thread = o->thread,
            .part = o->part,
            .end_thread = o->thread,
            .slot = o->below, /* before it was drained */
            .state = o->state,
            .is_left_open = 1,
        };

        if (ops->close(visitor, &c))
            return -1;
    }
    return 0;
}

#endif
