/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/processor_moves.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The kernel notes the coming of a thread only after the switch to it. A longer time was
 * idle, or another program's. */
#define SWITCH_NS 3000

/* --- Making ----------------------------------------------------------------------- */

int rln__moves_reserve(struct rln__moves *m, size_t n)
{
    m->items = rln__resize(NULL, n, sizeof(*m->items));
    m->capacity = m->items ? n : 0;
    return m->items ? 0 : -1;
}

/* RLN__NONE: no memory. */
static uint32_t number_of(struct rln__moves *m, const struct rln__switch *s)
{
    const uint64_t key = (uint64_t)s->part << 32 | s->processor;
    uint64_t number;

    if (m->n && key == m->last_key)
        return m->last_number;
    number = rln__map_get(&m->processors, key);
    if (!number) {
        number = m->processors.n + 1;
        if (rln__map_put(&m->processors, key, number))
            return RLN__NONE;
    }
    m->last_key = key;
    return m->last_number = (uint32_t)number - 1;
}

int rln__moves_add(struct rln__moves *m, const struct rln__switch *s, uint32_t thread,
                   uint32_t *processor)
{
    struct rln__move *move;

    *processor = RLN__NONE;
    if (s->kind > RLN__SWITCH_EXECED || s->processor == RLN__NO_PROCESSOR)
        return 0;
    *processor = number_of(m, s);
    move = *processor == RLN__NONE
               ? NULL
               : rln__append(&m->items, &m->n, &m->capacity, sizeof(*move));
    if (!move)
        return -1;
    *move = (struct rln__move){.t_ns = s->t_ns,
                               .processor = *processor,
                               .thread = thread & INT32_MAX,
                               .came = s->kind == RLN__SWITCH_ON ||
                                       s->kind == RLN__SWITCH_EXECED};
    return 0;
}

/* At the same time, one leaves before another one comes. */
static int by_processor_and_time(const void *a, const void *b)
{
    const struct rln__move *x = a, *y = b;

    if (x->processor != y->processor)
        return x->processor < y->processor ? -1 : 1;
    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    return (int)x->came - (int)y->came;
}

void rln__moves_sort(struct rln__moves *m)
{
    if (m->n)
        qsort(m->items, m->n, sizeof(*m->items), by_processor_and_time);
    for (size_t i = 1; i < m->n; i++) {
        const struct rln__move *last = &m->items[i - 1];
        struct rln__move *move = &m->items[i];

        if (last->processor == move->processor)
            move->busy_ns = last->busy_ns + (last->came ? move->t_ns - last->t_ns : 0);
    }
}

void rln__moves_clear(struct rln__moves *m)
{
    rln__free(m->items);
    rln__map_clear(&m->processors);
    memset(m, 0, sizeof(*m));
}

/* --- Questions -------------------------------------------------------------------- */

/* The last move on a processor before a time, or that a thread left it then. NULL: there
 * is none. */
static const struct rln__move *last_move(const struct rln__moves *m, uint32_t processor,
                                         int64_t t_ns)
{
    const struct rln__move then = {.t_ns = t_ns, .processor = processor, .came = 1};
    size_t from = 0, to = m->n;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (by_processor_and_time(&m->items[middle], &then) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from && m->items[from - 1].processor == processor ? &m->items[from - 1]
                                                             : NULL;
}

int64_t rln__moves_came_ns(const struct rln__moves *m, uint32_t processor,
                           uint32_t thread, int64_t t_ns)
{
    const struct rln__move *last =
        processor == RLN__NONE ? NULL : last_move(m, processor, t_ns);
    const int is_handed_over =
        last && !last->came && last->thread != thread && t_ns - last->t_ns < SWITCH_NS;

    return is_handed_over ? last->t_ns : t_ns;
}

static int64_t busy_until(const struct rln__moves *m, uint32_t processor, int64_t t_ns)
{
    const struct rln__move *last = last_move(m, processor, t_ns);

    if (!last)
        return 0;
    return last->busy_ns + (last->came ? t_ns - last->t_ns : 0);
}

int64_t rln__moves_busy_ns(const struct rln__moves *m, uint32_t processor,
                           int64_t from_ns, int64_t to_ns)
{
    return processor == RLN__NONE
               ? 0
               : busy_until(m, processor, to_ns) - busy_until(m, processor, from_ns);
}
