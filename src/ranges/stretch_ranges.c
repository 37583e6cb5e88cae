/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/stretch_ranges.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void rln__leftover_clear(struct rln__leftover *l)
{
    rln__free(l->items);
    rln__free(l->ranges);
    rln__free(l->threads);
    memset(l, 0, sizeof(*l));
}

void rln__stretch_ranges_clear(struct rln__stretch_ranges *r)
{
    rln__free(r->around);
    memset(r, 0, sizeof(*r));
}

/* --- A stretch -------------------------------------------------------------------- */

void rln__stretch_ranges_begin(struct rln__stretch_ranges *r, struct rln__leftover *to)
{
    r->to = to;
    r->thread = RLN__NONE;
    to->n_items = to->n_ranges = to->n_threads = to->last_thread = 0;
}

/* Puts a new number around the thread's ranges: what encloses them may have changed. */
static int surround(struct rln__stretch_ranges *r, uint32_t thread)
{
    struct rln__pairing *p = &r->engine->pairing;
    struct rln__open *around = &p->pool[r->around[thread] - 1];

    around->self_ns = 0;
    around->node = r->ops->outermost(r->visitor, thread);
    return around->node == RLN__NONE ? -1 : 0;
}

static int add_thread(struct rln__stretch_ranges *r, uint32_t thread, int64_t t_ns)
{
    struct rln__pairing *p = &r->engine->pairing;
    struct rln__pair_thread *t = rln__pair_thread(p, thread);
    const uint32_t index = t ? rln__pair_take(p, thread, t_ns, RLN__NONE) : RLN__NONE;
    struct rln__left_thread *left =
        index == RLN__NONE ? NULL
                           : rln__append(&r->to->threads, &r->to->n_threads,
                                         &r->to->threads_capacity, sizeof(*left));

    if (!left)
        return -1;
    *left = (struct rln__left_thread){.thread = thread, .first_ns = t_ns - 1};
    r->around[thread] = index + 1;
    t->newest = index;
    t->clock_ns = t_ns - 1;
    return surround(r, thread);
}

int rln__stretch_enter(struct rln__stretch_ranges *r, uint32_t thread, int64_t t_ns)
{
    uint32_t *around = rln__grow_to(r->around, &r->n_around, &r->around_capacity,
                                    thread, sizeof(*around));

    if (!around)
        return -1;
    r->around = around;
    r->thread = thread;
    return around[thread] ? 0 : add_thread(r, thread, t_ns);
}

int rln__stretch_leave_item(struct rln__stretch_ranges *r, const struct rln__item *item,
                            int64_t t_ns, uint32_t part)
{
    struct rln__leftover *to = r->to;
    struct rln__left_item *left =
        rln__append(&to->items, &to->n_items, &to->items_capacity, sizeof(*left));

    if (!left)
        return -1;
    *left = (struct rln__left_item){
        .item = *item, .t_ns = t_ns, .part = part, .n_tags = (uint32_t)*r->n_tags};
    return 0;
}

int rln__stretch_leave_change(struct rln__stretch_ranges *r,
                              const struct rln__item *item, int64_t t_ns, uint32_t part)
{
    const struct rln__open *around =
        &r->engine->pairing.pool[r->around[item->thread] - 1];

    if (rln__stretch_leave_item(r, item, t_ns, part))
        return -1;
    r->to->items[r->to->n_items - 1].around_ns = around->self_ns;
    return surround(r, item->thread);
}

int rln__stretch_restate(struct rln__stretch_ranges *r, const struct rln__item *item,
                         int64_t t_ns, uint32_t part)
{
    struct rln__pairing *p = &r->engine->pairing;
    const int loses = item->kind == RLN__ITEM_GAP;
    struct rln__pair_thread *t;

    if (item->thread != r->thread && rln__stretch_enter(r, item->thread, t_ns))
        return -1;
    t = &p->threads[item->thread];
    rln__engine_pass(r->engine, t, t->newest, t_ns);
    if (rln__pair_reset(p, item->thread, loses ? RLN__RESET_GAP : RLN__RESET_THREAD,
                        NULL, 0))
        return -1;
    t->newest = r->around[item->thread] - 1;
    return rln__stretch_leave_change(r, item, t_ns, part);
}

static int by_begin(const void *a, const void *b)
{
    const struct rln__left_range *x = a, *y = b;

    return (x->range.order > y->range.order) - (x->range.order < y->range.order);
}

static int leave_ranges(struct rln__stretch_ranges *r)
{
    const struct rln__pairing *p = &r->engine->pairing;
    struct rln__leftover *to = r->to;

    for (uint32_t i = 0; i < p->n_pool; i++) {
        const struct rln__open *o = &p->pool[i];
        struct rln__left_range *left;

        if (o->state == RLN__FREE || r->around[o->thread] == i + 1)
            continue;
        left = rln__append(&to->ranges, &to->n_ranges, &to->ranges_capacity,
                           sizeof(*left));
        if (!left)
            return -1;
        *left = (struct rln__left_range){*o, o->older != RLN__NONE};
    }
    if (to->n_ranges)
        qsort(to->ranges, to->n_ranges, sizeof(*to->ranges), by_begin);
    return 0;
}

/* Makes the pairing empty for the next stretch. */
static void forget(struct rln__stretch_ranges *r, uint32_t thread)
{
    struct rln__pairing *p = &r->engine->pairing;
    struct rln__pair_thread *t = &p->threads[thread];

    for (uint32_t i = t->stacks; i != RLN__NONE; i = p->stacks[i].next) {
        p->stacks[i].top = RLN__NONE;
        p->stacks[i].n = 0;
    }
    t->newest = RLN__NONE;
    r->around[thread] = 0;
}

int rln__stretch_ranges_end(struct rln__stretch_ranges *r)
{
    struct rln__pairing *p = &r->engine->pairing;
    const int failed = leave_ranges(r);

    for (size_t i = 0; i < r->to->n_threads; i++) {
        struct rln__left_thread *left = &r->to->threads[i];

        left->last_ns = p->threads[left->thread].clock_ns;
        left->around_ns = p->pool[r->around[left->thread] - 1].self_ns;
        forget(r, left->thread);
    }
    p->n_pool = 0;
    p->free = RLN__NONE;
    p->n_begun = 0;
    return failed;
}

/* --- The engine that knows what is open ------------------------------------------- */

/* Threads mostly come one after the other. */
static struct rln__left_thread *find_thread(struct rln__leftover *l, uint32_t thread)
{
    while (l->threads[l->last_thread].thread != thread)
        l->last_thread = (l->last_thread + 1) % l->n_threads;
    return &l->threads[l->last_thread];
}

int rln__leftover_pass(struct rln__engine *e, struct rln__leftover *l, uint32_t thread,
                       const struct rln__left_item *item)
{
    struct rln__left_thread *left = find_thread(l, thread);
    const int64_t now_ns = item ? item->t_ns : left->last_ns;
    struct rln__pair_thread *t = rln__pair_thread(&e->pairing, thread);

    if (!t)
        return -1;
    if (!item && left->last_ns == left->first_ns)
        return 0;
    if (t->newest != RLN__NONE) {
        uint64_t *self_ns = &e->pairing.pool[t->newest].self_ns;

        *self_ns += item ? item->around_ns : left->around_ns;
        if (!left->is_entered) /* backward by 1 ns, if no time has passed between */
            *self_ns += (uint64_t)left->first_ns - (uint64_t)t->clock_ns;
    }
    left->is_entered = 1;
    if (now_ns > t->clock_ns)
        t->clock_ns = now_ns;
    return 0;
}

int rln__leftover_open(struct rln__engine *e, const struct rln__left_range *left,
                       uint32_t tag)
{
    const struct rln__open *from = &left->range;
    struct rln__pairing *p = &e->pairing;
    const uint32_t index =
        left->is_on_stack
            ? rln__pair_push(p, e->reader->names.attrs[from->attr].domain_id,
                             from->thread, from->t_ns, from->attr)
            : rln__pair_take(p, from->thread, from->t_ns, from->attr);

    if (index == RLN__NONE)
        return -1;
    p->pool[index].node = tag;
    p->pool[index].part = from->part;
    p->pool[index].self_ns = from->self_ns;
    p->pool[index].state = from->state;
    return 0;
}
