/* SPDX-License-Identifier: Apache-2.0 */
/* page_overview.c - a trace that is too large for a page, from an index that merges
 * short neighbors: rows become tracks, buckets items. */
#include "base/alloc.h"
#include "base/fail.h"
#include "serve/page_tracks.h"
#include "trace/payload/in_unit.h"

#include <stdlib.h>

static struct rln__page_track like_row(const struct rln__lod *lod,
                                       const struct rln__lod_row *row)
{
    const struct rln__lod_group *group = &lod->groups[row->group];
    const rln_reader *reader = lod->reader;
    struct rln__page_track like = {.kind = (char)row->kind, .thread = row->thread};

    if (group->process != RLN__NONE)
        like.pid = reader->names.processes[group->process].record.pid;
    if (row->thread != RLN__NONE)
        like.tid = row->is_stream ? 0 : reader->threads[row->thread].tid;
    if (row->is_deferred)
        like.name = row->lane + 1; /* each lane has its own levels */
    return like;
}

static struct rln__page_track like_counter(struct rln__page_tracks *d,
                                           const struct rln__lod *lod,
                                           const struct rln__lod_row *row)
{
    const struct rln__lod_name *name = &lod->names[row->name];
    const rln_semantics *m = &row->semantics;
    struct rln__page_track like = like_row(lod, row);
    int has_least, has_most;

    like.thread = 0; /* as in page_tracks.c */
    like.name = rln__page_name(d, name->domain, name->message, name->field);
    like.unit = m->unit;
    like.interpolation = m->interpolation;
    like.least = rln__limit_in_unit(m, m->has_min, m->min_bits, &has_least);
    like.most = rln__limit_in_unit(m, m->has_max, m->max_bits, &has_most);
    like.has_least = (uint8_t)has_least;
    like.has_most = (uint8_t)has_most;
    return like;
}

static int add_bucket(struct rln__page_tracks *d, struct rln__page_track *track,
                      struct rln__lod *lod, const struct rln__lod_row *row,
                      const struct rln__range_bucket *bucket)
{
    const struct rln__lod_attr *attr = rln__lod_attr(lod, bucket->attr);
    const struct rln__lod_name *name = &lod->names[attr->name - 1];
    const int is_alone = bucket->n == 1;
    const int is_elsewhere = is_alone && row->kind == RLN__LOD_STARTED &&
                             !row->is_deferred && bucket->end_thread != row->thread;

    return rln__page_add(
        d, track,
        (struct rln__page_item){
            .at_ns = bucket->start_ns,
            .ns = is_alone && bucket->is_open ? -1 : rln__range_bucket_ns(bucket),
            .name = rln__page_name(d, name->domain, name->message, name->field),
            .color = attr->color,
            .end_thread = is_elsewhere ? bucket->end_thread : UINT32_MAX,
            .level = row->level,
            .n_more = bucket->n - 1,
            .is_varied = bucket->is_varied,
            .covered_ns = is_alone ? 0 : bucket->covered_ns,
        });
}

static int add_sample_bucket(struct rln__page_tracks *d, struct rln__page_track *track,
                             const struct rln__sample_bucket *sample_bucket)
{
    return rln__page_add(d, track,
                         (struct rln__page_item){
                             .at_ns = sample_bucket->first_ns,
                             .ns = sample_bucket->last_ns - sample_bucket->first_ns,
                             .value = sample_bucket->value,
                             .name = track->name,
                             .end_thread = UINT32_MAX,
                             .has_value = sample_bucket->value == sample_bucket->value,
                             .n_more = sample_bucket->n - 1,
                             .low = sample_bucket->least,
                             .high = sample_bucket->most,
                         });
}

static int add_row(struct rln__page_tracks *d, struct rln__lod *lod,
                   struct rln__lod_row *row)
{
    const int is_counter = row->kind == RLN__LOD_COUNTER;
    struct rln__page_track *track;
    int failed;

    if (!row->buckets.n && !row->sample_buckets.n)
        return 0; /* the filter left nothing */
    track =
        rln__page_track(d, is_counter ? like_counter(d, lod, row) : like_row(lod, row));
    failed = !track || track->name == UINT32_MAX ? -1 : 0;
    (void)rln__range_buckets_from(&row->buckets, 0); /* sorts the row */
    for (size_t i = 0; i < row->buckets.n && !failed; i++)
        failed = add_bucket(d, track, lod, row, &row->buckets.items[i]);
    for (size_t i = 0; i < row->sample_buckets.n && !failed; i++)
        failed = add_sample_bucket(d, track, &row->sample_buckets.items[i]);
    return failed;
}

static int add_gaps(struct rln__page_tracks *d, const struct rln__lod *lod)
{
    for (size_t i = 0; i < lod->n_gaps; i++) {
        if (rln__page_add_gap(d, lod->gaps[i]))
            return -1;
    }
    return 0;
}

/* --- What names come to ----------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct rln__lod_name *x = *(const struct rln__lod_name *const *)a;
    const struct rln__lod_name *y = *(const struct rln__lod_name *const *)b;

    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    return (x > y) - (x < y); /* they lie in one array */
}

static int add_sum(struct rln__page_tracks *d, const struct rln__lod_name *name)
{
    struct rln__page_sum *sum = &d->sums[d->n_sums];

    *sum = (struct rln__page_sum){
        .name = rln__page_name(d, name->domain, name->message, name->field),
        .total_ns = name->total_ns,
        .self_ns = name->self_ns,
        .n = name->lengths.n,
        .n_marks = name->n_marks,
        .min_ns = name->lengths.min_ns,
        .max_ns = name->lengths.max_ns,
    };
    if (sum->name == UINT32_MAX ||
        (d->n_sums < RLN__PAGE_SPREADS &&
         rln__duration_histogram_spread(&name->lengths, &sum->spread)))
        return -1;
    d->n_sums++;
    return 0;
}

static int add_sums(struct rln__page_tracks *d, const struct rln__lod *lod)
{
    const struct rln__lod_name **sorted = rln__alloc(lod->n_names, sizeof(*sorted));
    size_t n = 0;
    int failed;

    for (size_t i = 0; sorted && i < lod->n_names; i++) {
        if (lod->names[i].lengths.n || lod->names[i].n_marks)
            sorted[n++] = &lod->names[i];
    }
    if (n)
        qsort(sorted, n, sizeof(*sorted), by_total);
    d->n_sums_left_out = n > RLN__PAGE_SUMS ? n - RLN__PAGE_SUMS : 0;
    d->sums = rln__alloc(n - d->n_sums_left_out, sizeof(*d->sums));
    failed = !sorted || !d->sums ? -1 : 0;
    for (size_t i = 0; i < n - d->n_sums_left_out && !failed; i++)
        failed = add_sum(d, sorted[i]);
    rln__free(sorted);
    return failed;
}

rln_status rln__page_overview_collect(struct rln__page_tracks *d, uint64_t most,
                                      rln_error *err)
{
    struct rln__lod lod;
    rln_status status = rln__lod_init(&lod, d->reader, NULL, 0, err);
    int failed = 0;

    if (status)
        return status;
    lod.most_buckets = (size_t)most;
    status = rln__lod_build(&lod, NULL, err);
    d->resolution_ns = status ? 0 : lod.resolution_ns;
    if (d->resolution_ns) {
        for (size_t i = 0; i < lod.n_rows && !failed; i++)
            failed = add_row(d, &lod, &lod.rows[i]);
        if (failed || add_gaps(d, &lod) || add_sums(d, &lod))
            status = rln__fail_nomem(err);
    }
    rln__lod_clear(&lod);
    return status;
}
