/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_states.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "trace/decode/switches.h"

#define READING 10u /* times the size of switches in the file */

enum rln__lod_states_known rln__lod_states_known(const struct rln__lod *lod)
{
    const rln_reader *reader = lod->reader;
    const uint64_t n_bytes = reader ? rln__switches_bytes(reader, RLN__NONE) : 0;

    if (!n_bytes)
        return RLN__LOD_STATES_NONE;
    return n_bytes > rln__lod_budget(reader) / READING ? RLN__LOD_STATES_TOO_MANY
                                                       : RLN__LOD_STATES_KNOWN;
}

rln_status rln__lod_states(struct rln__lod *lod, struct rln__cpu_times **out,
                           rln_error *err)
{
    rln_status status = RLN_OK;

    if (!lod->cpu_times) {
        struct rln__cpu_times *times = rln__alloc(1, sizeof(*times));

        status =
            times ? rln__cpu_times_load(times, lod->reader, err) : rln__fail_nomem(err);
        if (status)
            rln__free(times);
        else
            lod->cpu_times = times;
    }
    *out = lod->cpu_times;
    return status;
}
