/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_longest.h"

#include "base/alloc.h"
#include "timeline/lod_narrow.h"

#include <stdlib.h>
#include <string.h>

/* The best so far, and as many again that may be better: sorted when they are full. */
struct best {
    struct rln__lod_found *items; /* owned */
    size_t n, most;
    uint64_t least_ns; /* shorter ranges cannot be among them any more */
};

static int by_length(const void *a, const void *b)
{
    const struct rln__lod_found *x = a, *y = b;
    const uint64_t own = rln__range_bucket_longest(x->bucket);
    const uint64_t other = rln__range_bucket_longest(y->bucket);

    if (own != other)
        return own < other ? 1 : -1;
    if (x->bucket->start_ns != y->bucket->start_ns)
        return x->bucket->start_ns < y->bucket->start_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void keep_best(struct best *b)
{
    qsort(b->items, b->n, sizeof(*b->items), by_length);
    if (b->n <= b->most)
        return;
    b->n = b->most;
    b->least_ns = rln__range_bucket_longest(b->items[b->n - 1].bucket);
}

static void offer(struct best *b, uint32_t row, const struct rln__range_bucket *bucket)
{
    if (rln__range_bucket_longest(bucket) < b->least_ns)
        return;
    b->items[b->n++] = (struct rln__lod_found){row, bucket};
    if (b->n == 2 * b->most)
        keep_best(b);
}

int rln__lod_longest(struct rln__lod *lod, const struct rln__lod_sought *sought,
                     int64_t from_ns, int64_t to_ns, struct rln__lod_longest *out)
{
    struct rln__lod *narrow = rln__lod_refine(lod, from_ns, to_ns, 0);
    struct best best = {.most = RLN__LOD_LONGEST};

    *out = (struct rln__lod_longest){.narrow = narrow};
    best.items = rln__alloc(2 * best.most, sizeof(*best.items));
    if (!best.items)
        return -1;
    for (uint32_t row = 0; row < lod->n_rows; row++) {
        struct rln__lod *const of = rln__lod_is_close(&lod->rows[row]) ? narrow : lod;
        struct rln__range_buckets *buckets = &of->rows[row].buckets;

        if (lod->rows[row].kind == RLN__LOD_MARKS ||
            !rln__lod_is_row_sought(lod, sought, row))
            continue;
        for (size_t i = rln__range_buckets_from(buckets, from_ns);
             i < buckets->n && buckets->items[i].start_ns <= to_ns; i++) {
            const struct rln__range_bucket *bucket = &buckets->items[i];

            if (bucket->end_ns < from_ns)
                continue;
            out->is_rough |= bucket->n > 1 && bucket->is_varied;
            if (!rln__lod_is_sought(lod, sought, bucket))
                continue;
            out->n_all += bucket->n;
            out->is_rough |= bucket->n > 1;
            offer(&best, row, bucket);
        }
    }
    keep_best(&best);
    out->items = best.items;
    out->n = best.n;
    return 0;
}

void rln__lod_longest_clear(struct rln__lod_longest *longest)
{
    rln__free(longest->items);
    memset(longest, 0, sizeof(*longest));
}
