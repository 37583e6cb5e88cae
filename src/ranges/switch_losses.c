/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/switch_losses.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

int rln__switch_losses_add(struct rln__switch_losses *l,
                           const struct rln__switch_loss *loss)
{
    struct rln__switch_loss *item =
        rln__append(&l->items, &l->n, &l->capacity, sizeof(*item));

    if (!item)
        return -1;
    *item = *loss;
    return 0;
}

static int by_part_and_time(const void *a, const void *b)
{
    const struct rln__switch_loss *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

void rln__switch_losses_sort(struct rln__switch_losses *l)
{
    size_t n = 0;

    if (l->n)
        qsort(l->items, l->n, sizeof(*l->items), by_part_and_time);
    for (size_t i = 0; i < l->n; i++) {
        const struct rln__switch_loss *loss = &l->items[i];
        struct rln__switch_loss *last = n ? &l->items[n - 1] : NULL;

        if (!last || last->part != loss->part || loss->from_ns > last->to_ns)
            l->items[n++] = *loss;
        else if (loss->to_ns > last->to_ns)
            last->to_ns = loss->to_ns;
    }
    l->n = n;
}

void rln__switch_losses_clear(struct rln__switch_losses *l)
{
    rln__free(l->items);
    memset(l, 0, sizeof(*l));
}

const struct rln__switch_loss *
rln__switch_loss_after(const struct rln__switch_losses *l, uint32_t part, int64_t t_ns)
{
    size_t from = 0, to = l->n;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const struct rln__switch_loss *loss = &l->items[middle];

        if (loss->part < part || (loss->part == part && loss->to_ns <= t_ns))
            from = middle + 1;
        else
            to = middle;
    }
    return from < l->n && l->items[from].part == part ? &l->items[from] : NULL;
}
