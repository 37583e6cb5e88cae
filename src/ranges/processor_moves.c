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

static int are_in_order(const struct rln__moves *m)
{
    for (size_t i = 1; i < m->n; i++)
        if (by_processor_and_time(&m->items[i - 1], &m->items[i]) > 0)
            return 0;
    return 1;
}

/* Each ring has them in the order of time, so that those of a processor mostly are: then
 * qsort() has nothing to do, for which it would take long. Without memory, it does it. */
static void gather_by_processor(struct rln__moves *m)
{
    const size_t n = m->processors.n;
    struct rln__move *gathered = rln__alloc(m->n + 1, sizeof(*gathered));
    size_t *at = rln__alloc(n + 1, sizeof(*at));

    if (gathered && at) {
        for (size_t i = 0; i < m->n; i++)
            at[m->items[i].processor + 1]++;
        for (size_t i = 0; i < n; i++)
            at[i + 1] += at[i];
        for (size_t i = 0; i < m->n; i++)
            gathered[at[m->items[i].processor]++] = m->items[i];
        rln__free(m->items);
        m->items = gathered;
        m->capacity = m->n + 1;
    } else {
        rln__free(gathered);
    }
    rln__free(at);
}

void rln__moves_sort(struct rln__moves *m)
{
    gather_by_processor(m);
    if (!are_in_order(m))
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

/* The first move that is not before `then`, among those from `from` on and before `to`. */
static size_t find_between(const struct rln__moves *m, const struct rln__move *then,
                           size_t from, size_t to)
{
    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (by_processor_and_time(&m->items[middle], then) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The same of all moves: mostly it is near the last one that was found. */
static size_t find(struct rln__moves *m, const struct rln__move *then)
{
    size_t from = m->last_found, step = 1;

    if (from >= m->n || by_processor_and_time(&m->items[from], then) >= 0)
        return find_between(m, then, 0, from < m->n ? from : m->n);
    while (step < m->n - from &&
           by_processor_and_time(&m->items[from + step], then) < 0) {
        from += step;
        step *= 2;
    }
    return find_between(m, then, from + 1, step < m->n - from ? from + step : m->n);
}

/* The last move on a processor before a time, or that a thread left it then. NULL: there
 * is none. */
static const struct rln__move *last_move(struct rln__moves *m, uint32_t processor,
                                         int64_t t_ns)
{
    const struct rln__move then = {.t_ns = t_ns, .processor = processor, .came = 1};
    const size_t at = find(m, &then);

    m->last_found = at ? at - 1 : 0;
    return at && m->items[at - 1].processor == processor ? &m->items[at - 1] : NULL;
}

int64_t rln__moves_came_ns(struct rln__moves *m, uint32_t processor, uint32_t thread,
                           int64_t t_ns)
{
    const struct rln__move *last =
        processor == RLN__NONE ? NULL : last_move(m, processor, t_ns);
    const int is_handed_over =
        last && !last->came && last->thread != thread && t_ns - last->t_ns < SWITCH_NS;

    return is_handed_over ? last->t_ns : t_ns;
}

static int64_t busy_until(struct rln__moves *m, uint32_t processor, int64_t t_ns)
{
    const struct rln__move *last = last_move(m, processor, t_ns);

    if (!last)
        return 0;
    return last->busy_ns + (last->came ? t_ns - last->t_ns : 0);
}

int64_t rln__moves_busy_ns(struct rln__moves *m, uint32_t processor, int64_t from_ns,
                           int64_t to_ns)
{
    int64_t before_ns;

    if (processor == RLN__NONE)
        return 0;
    before_ns = busy_until(m, processor, from_ns);
    return busy_until(m, processor, to_ns) - before_ns;
}
