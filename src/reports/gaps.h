/* SPDX-License-Identifier: Apache-2.0 */
/* gaps.h - the time between two outermost ranges of a thread, in which no range was
 * open: not annotated, or spent waiting.
 *
 *     load |------|   gap    step |--------|  gap  load |---|
 */
#ifndef RLN_REPORTS_GAPS_H
#define RLN_REPORTS_GAPS_H

#include "rangeline/nesting.h"
#include "reports/summary/tally.h"

/* All gaps between a range of one name and the next one of another. */
struct rln__gap_row {
    rln_nesting_row after, before; /* the first pair, whose names are shown */
    struct rln__tally ns;
};

struct rln__gaps {
    struct rln__gap_row *rows; /* owned; the longest total first */
    size_t n, capacity;
};

rln_status rln__gaps_find(const rln_nesting *nesting, struct rln__gaps *out,
                          rln_error *err);
void rln__gaps_clear(struct rln__gaps *gaps);

#endif
