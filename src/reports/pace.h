/* SPDX-License-Identifier: Apache-2.0 */
/* pace.h - every occurrence of one range: how regularly it comes.
 *
 *      |----| <- gap -> |----| <- gap -> |------|
 *      |<---- period -->|
 *
 * Gap and period are measured from the last occurrence on the same thread. Drift is how
 * much later an occurrence comes than if all periods since the first had been the
 * median.
 */
#ifndef RLN_REPORTS_PACE_H
#define RLN_REPORTS_PACE_H

#include "reports/report_build.h"

struct rln__occurrence {
    int64_t start_ns, end_ns;
    int64_t gap_ns, period_ns, drift_ns; /* if is_first is 0 */
    uint32_t thread;
    uint32_t pid, tid;
    uint8_t is_first; /* of its thread */
    rln_range_style style;
    rln_text domain_name, message; /* borrowed: the reader's */
};

struct rln__pace {
    struct rln__occurrence *rows; /* owned; in the order of starts */
    size_t n, capacity;
};

static inline uint64_t rln__duration_of(const struct rln__occurrence *o)
{
    return (uint64_t)(o->end_ns - o->start_ns);
}

/* The occurrences of the range that the argument names, of either style. Without an
 * argument there are none. */
rln_status rln__pace_find(const struct rln__report_source *source,
                          struct rln__pace *out);
void rln__pace_clear(struct rln__pace *pace);

#endif
