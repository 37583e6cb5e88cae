/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_build.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "timeline/lod_fill.h"
#include "timeline/lod_gpu.h"
#include "timeline/lod_gpu_owners.h"
#include "timeline/lod_pass.h"

#define AT_ONCE 4096u /* events that are not read by chunk: some milliseconds */

static rln_status begin_phase(struct rln__lod *lod, rln_error *err)
{
    lod->building->has_begun = 1;
    switch (lod->building->phase) {
    case RLN__LOD_EVENTS:
        return rln__lod_begin_events(lod, err);
    case RLN__LOD_DEFERRED_EVENTS:
        return rln__lod_begin_deferred(lod, err);
    case RLN__LOD_GPU_WORK:
        return rln__lod_begin_gpu(lod, err);
    default:
        return RLN_OK;
    }
}

/* RLN_END: of this phase. */
static rln_status go_on(struct rln__lod *lod, rln_error *err)
{
    switch (lod->building->phase) {
    case RLN__LOD_EVENTS:
        return rln__lod_read_chunk(lod, err);
    case RLN__LOD_DEFERRED_EVENTS:
        return rln__lod_read_some_deferred(lod, AT_ONCE, err);
    case RLN__LOD_GPU_WORK:
        return rln__lod_read_some_gpu(lod, AT_ONCE, err);
    default:
        return RLN_END;
    }
}

/* Once all has been read. */
static rln_status complete(struct rln__lod *lod, rln_error *err)
{
    rln_status status = rln__lod_close_open(lod, err);

    if (!status && rln__lod_own_gpu(lod))
        status = rln__fail_nomem(err);
    if (!status && lod->n_buckets > lod->most_buckets)
        rln__lod_coarsen(lod);
    for (size_t i = 0; i < lod->n_rows && !status; i++)
        status = rln__range_buckets_settle(&lod->rows[i].buckets) ? rln__fail_nomem(err)
                                                                  : RLN_OK;
    for (size_t i = 0; i < lod->n_rows; i++) {
        if (lod->rows[i].kind == RLN__LOD_COUNTER &&
            lod->rows[i].semantics.value_type == RLN_VALUE_DELTA)
            rln__sample_buckets_add_up(&lod->rows[i].sample_buckets);
    }
    return status;
}

static rln_status step(struct rln__lod *lod, rln_error *err)
{
    struct rln__lod_building *b = lod->building;
    rln_status status;

    if (b->phase == RLN__LOD_COMPLETE) {
        status = complete(lod, err);
        return status ? status : RLN_END;
    }
    if (!b->has_begun)
        return begin_phase(lod, err);
    status = go_on(lod, err);
    if (status != RLN_END)
        return status;
    b->phase++;
    b->has_begun = 0;
    return RLN_OK;
}

rln_status rln__lod_build_step(struct rln__lod *lod, rln_error *err)
{
    rln_status status;

    if (!lod->building)
        lod->building = rln__alloc(1, sizeof(*lod->building));
    lod->engine.err = err;
    status = lod->building ? step(lod, err) : rln__fail_nomem(err);
    if (!status)
        return RLN_OK;
    rln__lod_end_building(lod);
    lod->is_complete = status == RLN_END;
    return status;
}

rln_status rln__lod_build(struct rln__lod *lod, rln_error *err)
{
    rln_status status;

    do
        status = rln__lod_build_step(lod, err);
    while (!status);
    return status == RLN_END ? RLN_OK : status;
}
