/* SPDX-License-Identifier: Apache-2.0 */
/* lod_states.h - the states of threads beside an index: read when they are first asked
 * for. */
#ifndef RLN_TIMELINE_LOD_STATES_H
#define RLN_TIMELINE_LOD_STATES_H

#include "ranges/cpu_times.h"
#include "timeline/lod.h"

enum rln__lod_states_known {
    RLN__LOD_STATES_NONE,
    RLN__LOD_STATES_TOO_MANY, /* to read them would take more memory than the index */
    RLN__LOD_STATES_KNOWN,
};

/* Whether a row is of a thread, which has states. */
static inline int rln__lod_is_of_thread(const struct rln__lod_row *row)
{
    return row->thread != RLN__NONE && !row->is_stream && !row->is_deferred;
}

enum rln__lod_states_known rln__lod_states_known(const struct rln__lod *lod);

/* `*out` is the index's; NULL on failure. The index is not of what was saved, and its
 * reader is not refreshed any more. */
rln_status rln__lod_states(struct rln__lod *lod, struct rln__cpu_times **out,
                           rln_error *err);

#endif
