/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_marks.h"

#include "base/alloc.h"

/* With a filter, levels between a bucket and what encloses it may be empty. */
static int is_nearest_marked(struct rln__lod *lod, uint32_t row, int64_t ns,
                             uint8_t *const *marks)
{
    for (row = lod->rows[row].above; row != RLN__NONE; row = lod->rows[row].above) {
        const struct rln__range_bucket *around = rln__lod_at(lod, row, ns);

        if (around)
            return marks[row] && marks[row][around - lod->rows[row].buckets.items];
    }
    return 0;
}

static void inherit(const struct rln__range_buckets *above, const uint8_t *marks,
                    const struct rln__range_buckets *below, uint8_t *out)
{
    size_t k = 0;

    for (size_t i = 0; i < below->n && above->n; i++) {
        const int64_t ns = below->items[i].start_ns;

        while (k + 1 < above->n && above->items[k + 1].start_ns <= ns)
            k++;
        out[i] =
            marks[k] && above->items[k].start_ns <= ns && above->items[k].end_ns > ns;
    }
}

uint8_t *rln__lod_inherit_marks(struct rln__lod *lod, uint32_t row,
                                uint8_t *const *marks)
{
    struct rln__range_buckets *buckets = &lod->rows[row].buckets;
    const uint32_t above = lod->rows[row].above;
    uint8_t *out = rln__alloc(buckets->n, 1);

    (void)rln__range_buckets_from(buckets, INT64_MIN); /* in the order of starts */
    if (!out || above == RLN__NONE)
        return out;
    if (!lod->is_filtered && marks[above])
        inherit(&lod->rows[above].buckets, marks[above], buckets, out);
    for (size_t i = 0; i < buckets->n && lod->is_filtered; i++)
        out[i] =
            (uint8_t)is_nearest_marked(lod, row, buckets->items[i].start_ns, marks);
    return out;
}

void rln__lod_free_marks(const struct rln__lod *lod, uint8_t **marks)
{
    for (size_t i = 0; i < lod->n_rows && marks; i++)
        rln__free(marks[i]);
    rln__free(marks);
}
