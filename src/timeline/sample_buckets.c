/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/sample_buckets.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fits(const struct rln__sample_bucket *into,
                const struct rln__sample_bucket *from, int64_t most_ns)
{
    return from->first_ns >= into->first_ns &&
           (uint64_t)from->last_ns - (uint64_t)into->first_ns <= (uint64_t)most_ns &&
           into->n <= UINT32_MAX - from->n;
}

static void merge(struct rln__sample_bucket *into,
                  const struct rln__sample_bucket *from)
{
    into->last_ns = from->last_ns > into->last_ns ? from->last_ns : into->last_ns;
    into->value = from->value;
    into->least = rln__least_value(into->least, from->least);
    into->most = rln__most_value(into->most, from->most);
    into->change += from->change;
    into->n += from->n;
}

int rln__sample_buckets_add(struct rln__sample_buckets *d,
                            const struct rln__sample_bucket *sample_bucket,
                            int64_t resolution_ns)
{
    struct rln__sample_bucket *item;

    if (d->n && sample_bucket->first_ns < d->items[d->n - 1].last_ns)
        d->is_unsorted = 1;
    else if (d->n && resolution_ns &&
             fits(&d->items[d->n - 1], sample_bucket, resolution_ns)) {
        merge(&d->items[d->n - 1], sample_bucket);
        return 0;
    }
    item = rln__append(&d->items, &d->n, &d->capacity, sizeof(*item));
    if (!item)
        return -1;
    *item = *sample_bucket;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const struct rln__sample_bucket *x = a, *y = b;

    return (x->first_ns > y->first_ns) - (x->first_ns < y->first_ns);
}

static void sort(struct rln__sample_buckets *d)
{
    if (d->is_unsorted)
        qsort(d->items, d->n, sizeof(*d->items), by_time);
    d->is_unsorted = 0;
}

void rln__sample_buckets_coarsen(struct rln__sample_buckets *d, int64_t resolution_ns)
{
    size_t n = 0;

    sort(d);
    for (size_t i = 0; i < d->n; i++) {
        if (n && fits(&d->items[n - 1], &d->items[i], resolution_ns))
            merge(&d->items[n - 1], &d->items[i]);
        else
            d->items[n++] = d->items[i];
    }
    d->n = n;
}

void rln__sample_buckets_add_up(struct rln__sample_buckets *d)
{
    double level = 0;

    sort(d);
    for (size_t i = 0; i < d->n; i++) {
        struct rln__sample_bucket *sample_bucket = &d->items[i];
        const double before =
            sample_bucket->n > 1 ? level : level + sample_bucket->change;

        level += sample_bucket->change;
        if (sample_bucket->n == 1 && isnan(sample_bucket->value))
            continue;
        sample_bucket->value = level;
        sample_bucket->least = rln__least_value(before, level);
        sample_bucket->most = rln__most_value(before, level);
    }
}

size_t rln__sample_buckets_from(struct rln__sample_buckets *d, int64_t ns)
{
    size_t low = 0, high = d->n;

    sort(d);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (d->items[middle].first_ns < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

int rln__sample_buckets_next(const struct rln__sample_buckets *d, size_t *at,
                             int64_t to_ns, int64_t pixel_ns,
                             struct rln__sample_bucket *out)
{
    if (*at >= d->n || (*at && d->items[*at - 1].first_ns > to_ns))
        return 0;
    *out = d->items[(*at)++];
    while (*at < d->n && d->items[*at].first_ns <= to_ns &&
           d->items[*at].last_ns - out->first_ns < pixel_ns &&
           fits(out, &d->items[*at], pixel_ns))
        merge(out, &d->items[(*at)++]);
    return 1;
}

void rln__sample_buckets_clear(struct rln__sample_buckets *d)
{
    rln__free(d->items);
    memset(d, 0, sizeof(*d));
}
