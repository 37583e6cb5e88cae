/* SPDX-License-Identifier: Apache-2.0 */
/* part_ends.h - the time of the last event of each trace, for traces read together. A
 * range left open counts up to the last event of its own trace, whenever the others
 * were recorded. */
#ifndef RLN_TRACE_OPEN_PART_ENDS_H
#define RLN_TRACE_OPEN_PART_ENDS_H

#include <stdint.h>

#include "base/alloc.h"
#include "trace/open/load.h"

struct rln__part_ends {
    int64_t *last_ns; /* owned; by part, INT64_MIN before its first event */
};

/* 0, or -1 when there is no memory. */
static inline int rln__part_ends_init(struct rln__part_ends *ends,
                                      const rln_reader *reader)
{
    const size_t n = reader->layout.n_parts;

    ends->last_ns = rln__alloc(n + 1, sizeof(*ends->last_ns));
    for (size_t i = 0; ends->last_ns && i < n; i++)
        ends->last_ns[i] = INT64_MIN;
    return ends->last_ns ? 0 : -1;
}

static inline void rln__part_ends_clear(struct rln__part_ends *ends)
{
    rln__free(ends->last_ns);
    ends->last_ns = NULL;
}

static inline void rln__part_ends_see(struct rln__part_ends *ends, uint32_t part,
                                      int64_t t_ns)
{
    if (t_ns > ends->last_ns[part])
        ends->last_ns[part] = t_ns;
}

/* The end of what began at `start_ns` and was left open. */
static inline int64_t rln__part_ends_of(const struct rln__part_ends *ends,
                                        uint32_t part, int64_t start_ns)
{
    return ends->last_ns[part] > start_ns ? ends->last_ns[part] : start_ns;
}

#endif
