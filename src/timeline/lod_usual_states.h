/* SPDX-License-Identifier: Apache-2.0 */
/* lod_usual_states.h - what the time of an occurrence was made of, beside the median of
 * those of which it is known. */
#ifndef RLN_TIMELINE_LOD_USUAL_STATES_H
#define RLN_TIMELINE_LOD_USUAL_STATES_H

#include "timeline/lod_inside.h"

struct rln__lod_usual_state {
    const char *name; /* "on", static */
    uint64_t ns;
    double median_ns;
};

#define RLN__LOD_N_USUAL_STATES 3u

struct rln__lod_usual_states {
    struct rln__lod_usual_state items[RLN__LOD_N_USUAL_STATES];
    size_t n; /* 0: it is not known */
};

/* Of `own` beside `all`, where the states of threads are known. 0, or -1: no memory. */
int rln__lod_usual_states(struct rln__lod *lod, const struct rln__lod_occurrence *own,
                          const struct rln__lod_occurrences *all,
                          struct rln__lod_usual_states *out);

#endif
