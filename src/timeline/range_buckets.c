/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/range_buckets.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 64u
#define ESTIMATE_EACH 16u /* one block in so many is sampled */
#define MOST_IN_ONE 0x3fffffffu

static void merge(struct rln__range_bucket *into, const struct rln__range_bucket *from)
{
    const uint64_t longest = rln__range_bucket_longest(into),
                   other = rln__range_bucket_longest(from);
    const uint64_t covered =
        rln__range_bucket_covered(into) + rln__range_bucket_covered(from);

    into->is_varied |= from->is_varied | (into->attr != from->attr);
    if (other > longest)
        into->attr = from->attr;
    into->covered_ns = covered;
    into->longest_ns = other > longest ? other : longest;
    into->end_ns = from->end_ns > into->end_ns ? from->end_ns : into->end_ns;
    into->is_open |= from->is_open;
    into->n += from->n;
}

static int fits(const struct rln__range_bucket *into,
                const struct rln__range_bucket *from, int64_t most_ns)
{
    /* Times may be absurd: the difference may not fit, so it is unsigned. */
    const uint64_t ns = (uint64_t)from->end_ns - (uint64_t)into->start_ns;

    return ns <= (uint64_t)most_ns && into->n <= MOST_IN_ONE - from->n;
}

static void unsettle(struct rln__range_buckets *l)
{
    rln__free(l->blocks);
    l->blocks = NULL;
    l->n_blocks = 0;
}

int rln__range_buckets_add(struct rln__range_buckets *l,
                           const struct rln__range_bucket *bucket,
                           int64_t resolution_ns)
{
    struct rln__range_bucket *last = l->n ? &l->items[l->n - 1] : NULL;
    struct rln__range_bucket *item;

    if (l->blocks)
        unsettle(l);
    if (last && bucket->start_ns < last->end_ns)
        l->is_mixed = l->is_unsorted = 1;
    else if (last && resolution_ns && fits(last, bucket, resolution_ns)) {
        merge(last, bucket);
        return 0;
    }
    item = rln__append(&l->items, &l->n, &l->capacity, sizeof(*item));
    if (!item)
        return -1;
    *item = *bucket;
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct rln__range_bucket *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static void sort(struct rln__range_buckets *l)
{
    if (l->is_unsorted)
        qsort(l->items, l->n, sizeof(*l->items), by_start);
    l->is_unsorted = 0;
}

size_t rln__range_buckets_estimate(struct rln__range_buckets *l, int64_t resolution_ns)
{
    size_t n_seen = 0, n = 0, first = 0;

    sort(l);
    for (size_t i = 0; i < l->n; i++) {
        const int is_new = i % BLOCK == 0 ||
                           l->items[i].end_ns < l->items[first].start_ns ||
                           !fits(&l->items[first], &l->items[i], resolution_ns);

        if (is_new)
            first = i;
        n += is_new ? 1 : 0;
        n_seen++;
        if (i % BLOCK == BLOCK - 1)
            i += (ESTIMATE_EACH - 1) * BLOCK;
    }
    return n_seen ? (size_t)((double)n * ((double)l->n / (double)n_seen)) : 0;
}

void rln__range_buckets_coarsen(struct rln__range_buckets *l, int64_t resolution_ns)
{
    struct rln__range_bucket *smaller;
    size_t n = 0;

    unsettle(l);
    sort(l);
    for (size_t i = 0; i < l->n; i++) {
        if (n && l->items[i].end_ns >= l->items[n - 1].start_ns &&
            fits(&l->items[n - 1], &l->items[i], resolution_ns))
            merge(&l->items[n - 1], &l->items[i]);
        else
            l->items[n++] = l->items[i];
    }
    l->n = n;
    if (n > l->capacity / 4)
        return;
    smaller = rln__resize(l->items, n, sizeof(*smaller));
    if (smaller) {
        l->items = smaller;
        l->capacity = n;
    }
}

int rln__range_buckets_settle(struct rln__range_buckets *l)
{
    const size_t n = l->n / BLOCK;

    if (l->is_mixed || n == 0)
        return 0;
    unsettle(l);
    l->blocks = rln__alloc(n, sizeof(*l->blocks));
    if (!l->blocks)
        return -1;
    for (size_t i = 0; i < n * BLOCK; i++) {
        struct rln__range_bucket *block = &l->blocks[i / BLOCK];

        if (i % BLOCK == 0)
            *block = l->items[i];
        else if (block->n > MOST_IN_ONE - l->items[i].n)
            break; /* no more blocks: `n` would overflow */
        else
            merge(block, &l->items[i]);
        l->n_blocks += i % BLOCK == BLOCK - 1;
    }
    return 0;
}

size_t rln__range_buckets_from(struct rln__range_buckets *l, int64_t ns)
{
    size_t low = 0, high = l->n;

    sort(l);
    if (l->is_mixed)
        return 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (l->items[middle].end_ns < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The block that begins there, if it can be taken as a whole: all of it is in view, and
 * it is narrower than a pixel. */
static const struct rln__range_bucket *
block_at(const struct rln__range_buckets *l, size_t at, int64_t to_ns, int64_t pixel_ns)
{
    const struct rln__range_bucket *block;

    if (at % BLOCK || at / BLOCK >= l->n_blocks)
        return NULL;
    block = &l->blocks[at / BLOCK];
    return block->end_ns <= to_ns && rln__range_bucket_ns(block) < pixel_ns ? block
                                                                            : NULL;
}

int rln__range_buckets_next(const struct rln__range_buckets *l, size_t *at,
                            int64_t to_ns, int64_t pixel_ns,
                            struct rln__range_bucket *out)
{
    if (*at >= l->n || l->items[*at].start_ns > to_ns)
        return 0;
    *out = l->items[(*at)++];
    if (rln__range_bucket_ns(out) >= pixel_ns && !l->is_mixed)
        return 1;
    while (*at < l->n && l->items[*at].start_ns <= to_ns) {
        const struct rln__range_bucket *block = block_at(l, *at, to_ns, pixel_ns);
        const struct rln__range_bucket *next = &l->items[*at];
        const int overlaps = next->start_ns < out->end_ns;

        if (block && fits(out, block, pixel_ns)) {
            merge(out, block);
            *at += BLOCK;
            continue;
        }
        /* A wide bucket is never merged into narrow ones, unless they are inside it. */
        if (!overlaps &&
            (rln__range_bucket_ns(next) >= pixel_ns || !fits(out, next, pixel_ns)))
            break;
        if (out->n > MOST_IN_ONE - next->n)
            break;
        merge(out, next);
        (*at)++;
    }
    return 1;
}

void rln__range_buckets_clear(struct rln__range_buckets *l)
{
    rln__free(l->items);
    rln__free(l->blocks);
    memset(l, 0, sizeof(*l));
}
