/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_gpu_gaps.h"

#include "base/alloc.h"

#include <stdlib.h>

struct operation {
    uint32_t gpu, row;
    const struct rln__range_bucket *bucket; /* borrowed */
};

static int by_gpu(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    if (x->bucket->start_ns != y->bucket->start_ns)
        return x->bucket->start_ns < y->bucket->start_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Of gaps that are equally long, the first ones stay. */
static void offer(struct rln__lod_gpu_idle *idle, const struct rln__lod_gpu_gap *gap)
{
    size_t at = idle->n;

    while (at && rln__lod_gap_ns(&idle->longest[at - 1]) < rln__lod_gap_ns(gap))
        at--;
    if (at == RLN__LOD_MOST_GAPS)
        return;
    idle->n += idle->n < RLN__LOD_MOST_GAPS;
    for (size_t i = idle->n - 1; i > at; i--)
        idle->longest[i] = idle->longest[i - 1];
    idle->longest[at] = *gap;
}

static void add(struct rln__lod_gpu_idle *idle, const struct operation *operation)
{
    const struct rln__range_bucket *bucket = operation->bucket;
    const struct rln__lod_gpu_gap gap = {idle->last_ns, bucket->start_ns,
                                         operation->row, bucket};

    if (!idle->n_operations) {
        idle->first_ns = bucket->start_ns;
        idle->row = operation->row;
        idle->last_ns = bucket->end_ns;
    } else if (gap.end_ns > gap.start_ns) {
        idle->idle_ns += rln__lod_gap_ns(&gap);
        offer(idle, &gap);
    }
    if (bucket->end_ns > idle->last_ns)
        idle->last_ns = bucket->end_ns;
    idle->n_operations += bucket->n;
    idle->is_rough |= bucket->n > 1;
}

int rln__lod_find_gpu_gaps(struct rln__lod *lod, const struct rln__lod_gpus *gpus,
                           struct rln__lod_gpu_idle *out)
{
    struct operation *operations; /* owned */
    size_t n = 0, at = 0;

    for (size_t i = 0; i < lod->n_rows; i++)
        n += gpus->of_row[i] == RLN__NONE || lod->rows[i].is_of_waits
                 ? 0
                 : lod->rows[i].buckets.n;
    operations = rln__alloc(n, sizeof(*operations));
    if (!operations)
        return -1;
    for (uint32_t i = 0; i < lod->n_rows; i++) {
        const struct rln__lod_row *row = &lod->rows[i];

        if (gpus->of_row[i] == RLN__NONE || row->is_of_waits)
            continue;
        for (size_t k = 0; k < row->buckets.n; k++)
            operations[at++] =
                (struct operation){gpus->of_row[i], i, &row->buckets.items[k]};
    }
    if (n)
        qsort(operations, n, sizeof(*operations), by_gpu);
    for (size_t i = 0; i < n; i++)
        add(&out[operations[i].gpu], &operations[i]);
    rln__free(operations);
    return 0;
}
