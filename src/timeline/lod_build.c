/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_build.h"

#include "base/fail.h"
#include "timeline/lod_gpu.h"
#include "timeline/lod_pass.h"

rln_status rln__lod_build(struct rln__lod *lod, const struct rln__lod_pause *pause,
                          rln_error *err)
{
    rln_status status;

    lod->pause = pause;
    lod->engine.err = err;
    status = rln__lod_read_trace(lod, err);
    if (!status)
        status = rln__lod_build_gpu(lod, err);
    if (!status)
        status = rln__lod_close_open(lod, err);
    if (!status && rln__lod_adopt_gpu(lod))
        status = rln__fail_nomem(err);
    for (size_t i = 0; i < lod->n_rows && !status; i++)
        status = rln__range_buckets_settle(&lod->rows[i].buckets) ? rln__fail_nomem(err)
                                                                  : RLN_OK;
    for (size_t i = 0; i < lod->n_rows; i++) {
        if (lod->rows[i].kind == RLN__LOD_COUNTER &&
            lod->rows[i].semantics.value_type == RLN_VALUE_DELTA)
            rln__sample_buckets_add_up(&lod->rows[i].sample_buckets);
    }
    rln__lod_end_building(lod);
    lod->is_complete = !status;
    return status;
}
