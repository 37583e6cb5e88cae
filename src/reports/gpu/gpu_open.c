/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_open.h"

#include "base/alloc.h"
#include "base/heap.h"

void rln__gpu_open_clear(struct rln__gpu_open *open)
{
    rln__free(open->items);
    rln__free(open->ends);
    rln__free(open->shortest);
    memset(open, 0, sizeof(*open));
}

static int ends_before(const void *a, const void *b)
{
    const struct rln__gpu_open_end *x = a, *y = b;

    return x->end_ns != y->end_ns ? x->end_ns < y->end_ns : x->number < y->number;
}

static uint64_t duration_of(const struct rln__gpu_open_end *end)
{
    return (uint64_t)end->end_ns - (uint64_t)end->start_ns;
}

/* --- Taking one out --------------------------------------------------------------- */

static void unlink_item(struct rln__gpu_open *open, uint32_t index)
{
    struct rln__gpu_open_range *item = &open->items[index];

    *(item->before ? &open->items[item->before - 1].after : &open->first) = item->after;
    *(item->after ? &open->items[item->after - 1].before : &open->last) = item->before;
    item->after = open->unused;
    open->unused = index + 1;
}

const struct rln__gpu_range *rln__gpu_open_take(struct rln__gpu_open *open,
                                                int64_t t_ns)
{
    const uint32_t index = open->n_ends ? open->ends[0].index : 0;

    if (!open->n_ends || open->ends[0].end_ns >= t_ns)
        return NULL;
    open->n_ends--;
    rln__heap_replace(open->ends, open->n_ends, &open->ends[open->n_ends],
                      sizeof(*open->ends), ends_before);
    if (open->n_shortest && open->shortest[open->n_shortest - 1].index == index)
        open->n_shortest--;
    unlink_item(open, index);
    return &open->items[index].range;
}

/* --- Parents ---------------------------------------------------------------------- */

/* How many of the possible parents end at `end_ns` or later. */
static size_t count_around(const struct rln__gpu_open *open, int64_t end_ns)
{
    size_t low = 0, high = open->n_shortest;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (open->shortest[middle].end_ns >= end_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct rln__gpu_range *rln__gpu_open_around(struct rln__gpu_open *open, int64_t end_ns)
{
    const size_t n = count_around(open, end_ns);

    return n ? &open->items[open->shortest[n - 1].index].range : NULL;
}

/* `*end` began last. It is preferred to those that end no later and are no shorter;
 * those are next to each other. `shortest` has room. */
static void add_parent(struct rln__gpu_open *open, const struct rln__gpu_open_end *end)
{
    struct rln__gpu_open_end *all = open->shortest;
    size_t at = count_around(open, end->end_ns), kept;

    while (at && all[at - 1].end_ns == end->end_ns)
        at--;
    for (kept = at;
         kept < open->n_shortest && duration_of(&all[kept]) >= duration_of(end); kept++)
        ;
    memmove(&all[at + 1], &all[kept], (open->n_shortest - kept) * sizeof(*all));
    open->n_shortest = at + 1 + open->n_shortest - kept;
    all[at] = *end;
}

/* --- Adding one ------------------------------------------------------------------- */

static struct rln__gpu_open_range *new_item(struct rln__gpu_open *open)
{
    struct rln__gpu_open_range *item;

    if (!open->unused)
        return rln__append(&open->items, &open->n, &open->capacity,
                           sizeof(*open->items));
    item = &open->items[open->unused - 1];
    open->unused = item->after;
    return item;
}

int rln__gpu_open_add(struct rln__gpu_open *open, const struct rln__gpu_range *range)
{
    struct rln__gpu_open_end *ends =
        rln__grow(open->ends, &open->ends_capacity, open->n_ends + 1, sizeof(*ends));
    struct rln__gpu_open_end *shortest;
    struct rln__gpu_open_range *item;
    struct rln__gpu_open_end end = {range->start_ns, range->end_ns, 0, range->number};

    if (!ends)
        return -1;
    open->ends = ends;
    shortest = rln__grow(open->shortest, &open->shortest_capacity, open->n_shortest + 1,
                         sizeof(*shortest));
    if (!shortest)
        return -1;
    open->shortest = shortest;
    item = new_item(open);
    if (!item)
        return -1;
    end.index = (uint32_t)(item - open->items);
    *item = (struct rln__gpu_open_range){*range, open->last, 0};
    *(open->last ? &open->items[open->last - 1].after : &open->first) = end.index + 1;
    open->last = end.index + 1;
    rln__heap_add(open->ends, ++open->n_ends, &end, sizeof(end), ends_before);
    add_parent(open, &end);
    return 0;
}
