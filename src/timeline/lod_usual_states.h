/* SPDX-License-Identifier: Apache-2.0 */
/* query_usual_states.h - what the time of an occurrence was made of, beside the median of
 * those of which it is known. */
#ifndef RLN_QUERY_QUERY_USUAL_STATES_H
#define RLN_QUERY_QUERY_USUAL_STATES_H

#include "query/query_parts.h"
#include "timeline/lod_inside.h"

struct rln__usual_state {
    const char *name; /* "on", static */
    uint64_t ns;
    double median_ns;
};

#define RLN__N_USUAL_STATES 3u

struct rln__usual_states {
    struct rln__usual_state items[RLN__N_USUAL_STATES];
    size_t n; /* 0: it is not known */
};

/* Of `own` beside `all`. 0, or -1: no memory. */
int rln__query_usual_states(const struct rln__query_context *asked,
                            const struct rln__lod_occurrence *own,
                            const struct rln__lod_occurrences *all,
                            struct rln__usual_states *out);

#endif
