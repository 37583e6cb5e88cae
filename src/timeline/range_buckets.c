/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/range_buckets.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 64u
#define ESTIMATE_EACH 16u /* one block in so many is sampled */

void rln__range_buckets_unsettle(struct rln__range_buckets *l)
{
    rln__free(l->blocks);
    l->blocks = NULL;
    l->n_blocks = 0;
}

int rln__range_buckets_append(struct rln__range_buckets *l,
                              const struct rln__range_bucket *bucket)
{
    struct rln__range_bucket *item;

    if (l->n && bucket->start_ns < l->items[l->n - 1].end_ns)
        l->is_mixed = l->is_unsorted = 1;
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
        const int is_new =
            i % BLOCK == 0 || l->items[i].end_ns < l->items[first].start_ns ||
            !rln__range_bucket_fits(&l->items[first], &l->items[i], resolution_ns);

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

    rln__range_buckets_unsettle(l);
    sort(l);
    for (size_t i = 0; i < l->n; i++) {
        if (n && l->items[i].end_ns >= l->items[n - 1].start_ns &&
            rln__range_bucket_fits(&l->items[n - 1], &l->items[i], resolution_ns))
            rln__range_bucket_merge(&l->items[n - 1], &l->items[i]);
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

/* 0: they are too many for one. */
static int merge_block(const struct rln__range_bucket *items,
                       struct rln__range_bucket *out)
{
    struct rln__range_bucket block = items[0];

    for (size_t i = 1; i < BLOCK; i++) {
        if (block.n > RLN__MOST_IN_BUCKET - items[i].n)
            return 0;
        rln__range_bucket_merge(&block, &items[i]);
    }
    *out = block;
    return 1;
}

int rln__range_buckets_settle(struct rln__range_buckets *l)
{
    const size_t n = l->n / BLOCK;

    if (l->is_mixed || n == 0)
        return 0;
    rln__range_buckets_unsettle(l);
    l->blocks = rln__alloc(n, sizeof(*l->blocks));
    if (!l->blocks)
        return -1;
    while (l->n_blocks < n &&
           merge_block(&l->items[l->n_blocks * BLOCK], &l->blocks[l->n_blocks]))
        l->n_blocks++;
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

        if (block && rln__range_bucket_fits(out, block, pixel_ns)) {
            rln__range_bucket_merge(out, block);
            *at += BLOCK;
            continue;
        }
        /* A wide bucket is never merged into narrow ones, unless they are inside it. */
        if (!overlaps && (rln__range_bucket_ns(next) >= pixel_ns ||
                          !rln__range_bucket_fits(out, next, pixel_ns)))
            break;
        if (out->n > RLN__MOST_IN_BUCKET - next->n)
            break;
        rln__range_bucket_merge(out, next);
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
