/* SPDX-License-Identifier: Apache-2.0 */
/* outliers.h - single ranges that took much longer than others of their name, with the
 * enclosing range and the longest inner one, which is often the reason. */
#ifndef RLN_REPORTS_OUTLIERS_H
#define RLN_REPORTS_OUTLIERS_H

#include "rangeline/nesting.h"

/* Names with fewer ranges have no usual duration. */
#define RLN__OUTLIER_LEAST 10u
/* An outlier takes more than this many times the median. */
#define RLN__OUTLIER_TIMES 3u

struct rln__outlier {
    size_t range;         /* index in the nesting */
    size_t longest_child; /* SIZE_MAX if it has none */
    double median_ns;     /* of its name */
    double excess_ns;     /* beyond that */
};

struct rln__outliers {
    struct rln__outlier *rows; /* owned; the largest excess first */
    size_t n;                  /* at most `most` */
    size_t n_found;
};

rln_status rln__outliers_find(const rln_nesting *nesting, size_t most,
                              struct rln__outliers *out, rln_error *err);
void rln__outliers_clear(struct rln__outliers *outliers);

#endif
