/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_fill.h"

/* Estimates how many buckets there would be. */
static size_t estimate(const struct rln__lod *lod, int64_t resolution_ns)
{
    size_t n = 0;

    for (size_t i = 0; i < lod->n_rows; i++)
        n += rln__range_buckets_estimate(&lod->rows[i].buckets, resolution_ns);
    return n;
}

static void coarsen_rows(struct rln__lod *lod)
{
    lod->n_buckets = 0;
    for (size_t i = 0; i < lod->n_rows; i++) {
        struct rln__lod_row *row = &lod->rows[i];

        rln__range_buckets_coarsen(&row->buckets, lod->resolution_ns);
        rln__sample_buckets_coarsen(&row->sample_buckets, lod->resolution_ns);
        lod->n_buckets += row->buckets.n + row->sample_buckets.n;
    }
}

/* The estimate skips resolutions at which few buckets would merge, without going through
 * all of them. */
void rln__lod_coarsen(struct rln__lod *lod)
{
    const size_t most = lod->most_buckets / 2;

    while (lod->n_buckets > most && lod->resolution_ns < INT64_MAX / 4) {
        do
            lod->resolution_ns = lod->resolution_ns ? lod->resolution_ns * 2 : 16;
        while (lod->resolution_ns < INT64_MAX / 4 &&
               estimate(lod, lod->resolution_ns) > most);
        coarsen_rows(lod);
    }
}

int rln__lod_add_sample_bucket(struct rln__lod *lod, uint32_t row_number,
                               const struct rln__sample_bucket *sample_bucket)
{
    struct rln__lod_row *row = &lod->rows[row_number];
    const size_t before = row->sample_buckets.n;
    const int failed = rln__sample_buckets_add(&row->sample_buckets, sample_bucket,
                                               lod->resolution_ns);

    lod->n_buckets += row->sample_buckets.n - before;
    if (lod->n_buckets > lod->most_buckets)
        rln__lod_coarsen(lod);
    return failed;
}
