/* SPDX-License-Identifier: Apache-2.0 */
/* stretch_ranges.h - the ranges of a stretch (trace/order/stretches.h), of which it is
 * unknown what was open before it.
 *
 *   whole    ... A |--------------------------|
 *   stretch           [ B |---|  C |-|   ^pop  D |------ ]
 *                                        |
 *   here     B and C close, in a range "around" that stands for whatever is open;
 *            the pop and D are left to the engine that knows all before, with the time
 *            that passed around them: it closes A, and opens D
 *
 * Each thread of a stretch gets such a range at the bottom of its open ones, so the same
 * engine pairs as everywhere. Starts and ends are all left over, in order: an end may be
 * read before its start. Where a record restates what is open, the thread begins again.
 */
#ifndef RLN_RANGES_STRETCH_RANGES_H
#define RLN_RANGES_STRETCH_RANGES_H

#include "ranges/engine.h"

/* An item for the engine that knows what is open. */
struct rln__left_item {
    struct rln__item item;
    int64_t t_ns;
    uint64_t around_ns; /* passed around the ranges of its thread since the last one */
    uint32_t part;
    uint32_t n_tags; /* how many numbers the visitor had given before it */
};

/* A range that is open at the end of the stretch. */
struct rln__left_range {
    struct rln__open range;
    uint8_t is_on_stack; /* it can still be closed */
};

struct rln__left_thread {
    uint32_t thread;    /* index */
    int64_t first_ns;   /* before all its events */
    int64_t last_ns;    /* of its last push or pop; or the same */
    uint64_t around_ns; /* since the last left item */
    uint8_t is_entered; /* the next engine's */
};

/* What a stretch leaves over. Empty when zeroed. */
struct rln__leftover {
    struct rln__left_item *items; /* owned, as the others */
    size_t n_items, items_capacity;
    struct rln__left_range *ranges; /* in the order in which they began */
    size_t n_ranges, ranges_capacity;
    struct rln__left_thread *threads;
    size_t n_threads, threads_capacity;
    size_t last_thread; /* the next engine's: where it looked last */
};

void rln__leftover_clear(struct rln__leftover *leftover);

struct rln__stretch_ranges {
    struct rln__engine *engine; /* borrowed: of nothing but stretches */
    const struct rln__range_ops *ops;
    void *visitor;            /* borrowed, as the operations */
    const size_t *n_tags;     /* borrowed: the visitor's numbers so far */
    struct rln__leftover *to; /* borrowed, as above */
    uint32_t *around; /* owned; by thread: index of the range around, + 1; or 0 */
    size_t n_around, around_capacity;
    uint32_t thread; /* the last */
};

void rln__stretch_ranges_clear(struct rln__stretch_ranges *ranges);

/* Begins a stretch, which leaves over to `to`. */
void rln__stretch_ranges_begin(struct rln__stretch_ranges *ranges,
                               struct rln__leftover *to);
/* Leaves over what is open. 0, or -1: no memory. */
int rln__stretch_ranges_end(struct rln__stretch_ranges *ranges);

/* stretch_ranges.c, for the functions below */
int rln__stretch_enter(struct rln__stretch_ranges *ranges, uint32_t thread,
                       int64_t t_ns);
int rln__stretch_leave_item(struct rln__stretch_ranges *ranges,
                            const struct rln__item *item, int64_t t_ns, uint32_t part);

/* Reads any item of an event. 0, or -1: no memory. */
RLN__INLINE int rln__stretch_event(struct rln__stretch_ranges *r,
                                   const struct rln__range_ops *ops,
                                   const struct rln__item *item, int64_t t_ns,
                                   uint32_t part)
{
    if (item->thread != r->thread && rln__stretch_enter(r, item->thread, t_ns))
        return -1;
    if (item->kind != RLN__START && item->kind != RLN__END)
        return rln__engine_event(r->engine, ops, r->visitor, item, t_ns, part);
    rln__part_ends_see(&r->engine->part_ends, part, t_ns);
    return rln__stretch_leave_item(r, item, t_ns, part);
}

/* Reads an item that restates what is open, except one that opens ranges. */
int rln__stretch_restate(struct rln__stretch_ranges *ranges,
                         const struct rln__item *item, int64_t t_ns, uint32_t part);

/* Leaves an item that may change what is open before the stretch. For the visitor's
 * unmatched(): a pop of a range that was pushed there. */
int rln__stretch_leave_change(struct rln__stretch_ranges *ranges,
                              const struct rln__item *item, int64_t t_ns,
                              uint32_t part);

/* --- The engine that knows what is open ------------------------------------------- */

/* Lets the time pass until a left item or, if that is NULL, until the thread's end. 0, or
 * -1: no memory. */
int rln__leftover_pass(struct rln__engine *engine, struct rln__leftover *leftover,
                       uint32_t thread, const struct rln__left_item *item);

/* Opens a left range, whose tag is `tag` here. 0, or -1: no memory. */
int rln__leftover_open(struct rln__engine *engine, const struct rln__left_range *left,
                       uint32_t tag);

#endif
