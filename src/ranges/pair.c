/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/pair.h"
#include "base/alloc.h"
#include "rangeline/reader.h"

#include <stdlib.h>
#include <string.h>

void rln__pairing_init(struct rln__pairing *p)
{
    memset(p, 0, sizeof(*p));
    p->free = RLN__NONE;
}

void rln__pairing_clear(struct rln__pairing *p)
{
    rln__free(p->pool);
    rln__free(p->stacks);
    rln__free(p->threads);
    rln__map_clear(&p->by_domain);
    rln__map_clear(&p->starts);
    rln__pairing_init(p);
}

struct rln__pair_thread *rln__pair_thread(struct rln__pairing *p, uint32_t thread)
{
    struct rln__pair_thread *threads;

    if (thread < p->n_threads)
        return &p->threads[thread];
    threads = rln__grow(p->threads, &p->threads_capacity, (size_t)thread + 1,
                        sizeof(*threads));
    if (!threads)
        return NULL;
    p->threads = threads;
    while (p->n_threads <= thread)
        threads[p->n_threads++] =
            (struct rln__pair_thread){RLN__NONE, RLN__NONE, RLN__NONE, INT64_MIN};
    return &threads[thread];
}

struct rln__stack *rln__pair_stack_slow(struct rln__pairing *p, uint32_t thread,
                                        uint32_t domain_id, int make)
{
    const uint64_t key = ((uint64_t)thread << 32) | domain_id;
    struct rln__pair_thread *t = rln__pair_thread(p, thread);
    struct rln__stack *stacks;
    uint64_t found;

    if (!t)
        return NULL;
    found = rln__map_get(&p->by_domain, key);
    if (found || !make) {
        if (found)
            t->last_stack = (uint32_t)found - 1;
        return found ? &p->stacks[found - 1] : NULL;
    }
    stacks =
        rln__grow(p->stacks, &p->stacks_capacity, p->n_stacks + 1, sizeof(*stacks));
    if (!stacks)
        return NULL;
    p->stacks = stacks;
    if (rln__map_put(&p->by_domain, key, p->n_stacks + 1))
        return NULL;
    t->last_stack = (uint32_t)p->n_stacks;
    stacks[p->n_stacks] = (struct rln__stack){
        .top = RLN__NONE, .next = t->stacks, .domain_id = domain_id};
    t->stacks = t->last_stack;
    return &stacks[p->n_stacks++];
}

uint32_t rln__pair_extend(struct rln__pairing *p)
{
    if (p->n_pool >= RLN__NONE ||
        !rln__append(&p->pool, &p->n_pool, &p->pool_capacity, sizeof(*p->pool)))
        return RLN__NONE;
    return (uint32_t)p->n_pool - 1;
}

unsigned rln__pair_pop_empty(struct rln__stack *stack, uint32_t *depth)
{
    uint64_t left;
    unsigned flags;

    if (!stack)
        return RLN_FLAG_UNMATCHED;
    if (stack->n_lost) {
        stack->n_lost--;
        flags = RLN_FLAG_LOST;
    } else if (stack->n_inherited) {
        stack->n_inherited--;
        flags = RLN_FLAG_INHERITED;
    } else {
        return RLN_FLAG_UNMATCHED;
    }
    left = stack->n_inherited + stack->n_lost;
    *depth = left > RLN__NONE ? RLN__NONE : (uint32_t)left;
    return flags;
}

uint32_t rln__pair_start(struct rln__pairing *p, uint64_t id, uint32_t thread,
                         int64_t t_ns, uint32_t attr)
{
    const uint32_t index = rln__pair_take(p, thread, t_ns, attr);

    if (index == RLN__NONE)
        return RLN__NONE;
    p->pool[index].id = id;
    if (rln__map_put(&p->starts, id, (uint64_t)index + 1)) {
        rln__pair_release(p, index);
        return RLN__NONE;
    }
    return index;
}

uint32_t rln__pair_end(struct rln__pairing *p, uint64_t id)
{
    const uint64_t found = rln__map_remove(&p->starts, id);

    return found ? (uint32_t)found - 1 : RLN__NONE;
}

/* Empties a stack. Its ranges stay in the pool until the end, as never closed. */
static void abandon(struct rln__pairing *p, struct rln__stack *stack,
                    enum rln__open_state state)
{
    while (stack->top != RLN__NONE) {
        struct rln__open *o = &p->pool[stack->top];

        stack->top = o->below;
        o->below = o->older = o->newer = RLN__NONE;
        o->state = (uint8_t)((o->state & ~(unsigned)(RLN__OPEN | RLN__LOST)) | state);
    }
    stack->n = 0;
    stack->n_lost = 0;
}

int rln__pair_reset(struct rln__pairing *p, uint32_t thread, enum rln__pair_reset why,
                    const uint64_t *words, size_t n_words)
{
    struct rln__pair_thread *t = rln__pair_thread(p, thread);
    const int is_gap = why == RLN__RESET_GAP;

    if (!t)
        return -1;
    for (uint32_t i = t->stacks; i != RLN__NONE; i = p->stacks[i].next) {
        abandon(p, &p->stacks[i], is_gap ? RLN__LOST : RLN__OPEN);
        p->stacks[i].is_listed = 0;
    }
    t->newest = RLN__NONE;
    for (size_t i = 0; i < n_words; i++) {
        const uint64_t depth = words[i] >> 32;
        struct rln__stack *stack;

        if (depth == 0)
            continue;
        stack = rln__pair_stack(p, thread, (uint32_t)words[i], 1);
        if (!stack)
            return -1;
        /* Inherited ranges lie at the bottom, so they go last. */
        if (!is_gap || stack->n_inherited > depth)
            stack->n_inherited = depth;
        stack->n_lost = depth - stack->n_inherited;
        stack->is_listed = 1;
    }
    for (uint32_t i = t->stacks; i != RLN__NONE; i = p->stacks[i].next) {
        if (!p->stacks[i].is_listed)
            p->stacks[i].n_inherited = 0;
    }
    return 0;
}

static int by_order(const void *a, const void *b)
{
    const struct rln__open *x = a, *y = b;

    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

size_t rln__pairing_drain(struct rln__pairing *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n_pool; i++) {
        if (p->pool[i].state == RLN__FREE)
            continue;
        p->pool[n] = p->pool[i];
        p->pool[n++].below = (uint32_t)i;
    }
    if (n)
        qsort(p->pool, n, sizeof(*p->pool), by_order);
    p->n_pool = n;
    return n;
}
