/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/cpu_times.h"
#include "timeline/lod_building.h"
#include "timeline/lod_pass.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_saved.h"

#include <string.h>

void rln__lod_end_building(struct rln__lod *lod)
{
    for (size_t i = 0; i < lod->n_threads; i++) {
        rln__free(lod->threads[i].rows);
        rln__free(lod->threads[i].lanes);
        rln__free(lod->threads[i].levels);
    }
    rln__free(lod->threads);
    rln__free(lod->begun);
    rln__map_clear(&lod->nested.likes);
    rln__free(lod->nested.counts);
    lod->nested = (struct rln__lod_nested){.n = 0};
    if (lod->building)
        rln__lod_building_clear(lod->building);
    rln__free(lod->building);
    lod->building = NULL;
    lod->threads = NULL;
    lod->begun = NULL;
    lod->n_threads = lod->threads_capacity = 0;
    lod->begun_capacity = 0;
    rln__engine_clear(&lod->engine);
}

uint64_t rln__lod_budget(const rln_reader *reader)
{
    const uint64_t least = (uint64_t)500 << 20;
    uint64_t n_bytes = 0;

    for (size_t i = 0; i < reader->n_files; i++)
        n_bytes += reader->files[i]->size;
    return n_bytes / 10 > least ? n_bytes / 10 : least;
}

rln_status rln__lod_init(struct rln__lod *lod, rln_reader *reader,
                         const struct rln__lod *old, uint64_t budget_bytes,
                         rln_error *err)
{
    memset(lod, 0, sizeof(*lod));
    lod->reader = lod->predicate.reader = reader;
    lod->is_filtered = reader->filter != NULL;
    /* Only 60 %: growing arrays double, and open ranges need room as well. */
    lod->most_buckets =
        (size_t)(budget_bytes * 6 / 10 / sizeof(struct rln__range_bucket));
    rln__counters_init(&lod->counters, reader);
    if (!rln__engine_init(&lod->engine, reader, err) &&
        (!old || rln__lod_take_over(lod, old) == 0))
        return RLN_OK;
    rln__lod_clear(lod);
    return rln__fail_nomem(err);
}

static void clear_narrow(struct rln__lod *lod)
{
    for (size_t i = 0; i < lod->n_segments; i++)
        rln__free(lod->segments[i].open);
    rln__free(lod->segments);
    if (lod->narrow)
        rln__lod_clear(&lod->narrow->lod);
    rln__free(lod->narrow);
    lod->segments = NULL;
    lod->narrow = NULL;
    lod->n_segments = lod->segments_capacity = 0;
}

void rln__lod_clear(struct rln__lod *lod)
{
    rln__lod_end_building(lod);
    clear_narrow(lod);
    if (lod->cpu_times)
        rln__cpu_times_clear(lod->cpu_times);
    rln__free(lod->cpu_times);
    for (size_t i = 0; i < lod->n_rows; i++) {
        rln__range_buckets_clear(&lod->rows[i].buckets);
        rln__sample_buckets_clear(&lod->rows[i].sample_buckets);
    }
    for (size_t i = 0; i < lod->n_names; i++)
        rln__duration_histogram_clear(&lod->names[i].durations);
    rln__free(lod->rows);
    rln__free(lod->names);
    rln__lod_kinds_clear(&lod->kinds);
    rln__free(lod->groups);
    rln__free(lod->kinships);
    rln__free(lod->attrs);
    rln__free(lod->gaps);
    rln__map_clear(&lod->threads_by_tid);
    if (lod->gpu_batches)
        rln__gpu_batches_clear(lod->gpu_batches);
    rln__free(lod->gpu_batches);
    rln__free(lod->ends);
    rln__key_index_clear(&lod->name_keys);
    rln__key_index_clear(&lod->row_keys);
    rln__key_index_clear(&lod->group_keys);
    rln__key_index_clear(&lod->kinship_keys);
    rln__event_payloads_clear(&lod->payloads);
    rln__predicate_clear(&lod->predicate);
    rln__counters_clear(&lod->counters);
    if (lod->saved)
        rln__lod_saved_clear(lod->saved);
    rln__free(lod->saved);
    memset(lod, 0, sizeof(*lod));
}
