/* SPDX-License-Identifier: Apache-2.0 */
/* lod_fill.h - puts what the pass over a trace has found into its rows, and keeps the
 * number of buckets below its limit.
 *
 * It is inlined into the pass: most ranges cost a comparison, a bucket and a count.
 */
#ifndef RLN_TIMELINE_LOD_FILL_H
#define RLN_TIMELINE_LOD_FILL_H

#include "timeline/lod.h"
#include "timeline/lod_rows.h"

/* Call when there are too many buckets: halves the resolution until there is room. */
void rln__lod_coarsen(struct rln__lod *lod);

/* Puts something into a row, and no more: there may be too many buckets then. Returns
 * its attributes; NULL: no memory. */
RLN__INLINE const struct rln__lod_attr *
rln__lod_put(struct rln__lod *lod, struct rln__lod_row *row,
             const struct rln__range_bucket *bucket)
{
    const struct rln__lod_attr *attr = rln__lod_attr(lod, bucket->attr);
    const size_t before = row->buckets.n;

    if (!attr || rln__range_buckets_add(&row->buckets, bucket, lod->resolution_ns))
        return NULL;
    row->kinships |= rln__lod_kinship_bit(attr->kinship);
    lod->n_buckets += row->buckets.n - before;
    return attr;
}

/* Adds a range or a mark to a row, and counts it. 0, or -1: no memory. */
RLN__INLINE int rln__lod_add(struct rln__lod *lod, uint32_t row_number,
                             const struct rln__range_bucket *bucket, uint64_t self_ns)
{
    struct rln__lod_row *row = &lod->rows[row_number];
    const struct rln__lod_attr *attr = rln__lod_put(lod, row, bucket);
    struct rln__lod_name *name;

    if (!attr)
        return -1;
    name = &lod->names[attr->name - 1];
    if (row->kind == RLN__LOD_MARKS) {
        name->n_marks++;
    } else {
        const uint64_t ns = (uint64_t)rln__range_bucket_ns(bucket);

        name->total_ns += ns;
        name->self_ns += self_ns;
        if (rln__duration_histogram_add(&name->durations, ns))
            return -1;
    }
    if (lod->n_buckets > lod->most_buckets)
        rln__lod_coarsen(lod);
    return 0;
}

/* Adds a sample. 0, or -1: no memory. */
int rln__lod_add_sample_bucket(struct rln__lod *lod, uint32_t row,
                               const struct rln__sample_bucket *sample_bucket);

#endif
