/* SPDX-License-Identifier: Apache-2.0 */
/* diff_view.h - a comparison as a person asked for it: by which measure, down to which
 * limit, and what that makes of each range. */
#ifndef RLN_CLI_SHOW_DIFF_VIEW_H
#define RLN_CLI_SHOW_DIFF_VIEW_H

#include <stdbool.h>

#include "base/buf.h"
#include "reports/diff/diff.h"

enum rln__diff_measure { RLN__DIFF_BY_MEDIAN, RLN__DIFF_BY_P95, RLN__DIFF_BY_TOTAL };

struct rln__diff_view {
    const struct rln__diff *diff; /* borrowed */
    enum rln__diff_measure on;
    double
        limit; /* percent: only what became or may have become slower by more is listed;
                     NAN: none */
    bool lists_all;
};

/* "slower", "same"; static. If middle and tail go opposite ways, of the one that the
 * compared statistic goes with. */
const char *rln__diff_verdict(const struct rln__diff_view *view,
                              const struct rln__diff_row *row);

/* Totals and counts are per trace. */
double rln__diff_per_trace(const struct rln__diff_view *view, int side, uint64_t sum);

/* What is compared, on one side, in ns. */
double rln__diff_value(const struct rln__diff_view *view,
                       const struct rln__diff_row *row, int side);

/* In percent; NAN if only one side has ranges. */
double rln__diff_change(const struct rln__diff_view *view,
                        const struct rln__diff_row *row);
double rln__diff_total_change(const struct rln__diff_view *view,
                              const struct rln__diff_row *row);

/* Whether the compared statistic may have changed by more than noise. */
bool rln__diff_is_real(const struct rln__diff_view *view,
                       const struct rln__diff_row *row);

/* Whether the limit is exceeded, by more than noise. */
bool rln__diff_exceeds(const struct rln__diff_view *view,
                       const struct rln__diff_row *row);

/* Whether the limit may be exceeded, but noise is too large to know. */
bool rln__diff_may_exceed(const struct rln__diff_view *view,
                          const struct rln__diff_row *row);

/* Whether a range is unsure because sums of one run do not say how it varies; else runs
 * of one side differ. */
bool rln__diff_is_of_sums(const struct rln__diff_row *row);

/* Whether a table has it. */
bool rln__diff_is_listed(const struct rln__diff_view *view,
                         const struct rln__diff_row *row);

/* Appends "step > solve". */
void rln__buf_diff_path(struct rln__buf *out, const struct rln__diff *diff,
                        const struct rln__diff_row *row);

/* Appends "+12.3 %", "+12.3 % (noise)" if only something else has changed, such as the
 * tail, or the other way; or of an unsure one "+4.2 % (-1.0 to +9.7)", if runs show bounds; nothing of a range of one side. */
void rln__buf_diff_change(struct rln__buf *out, const struct rln__diff_view *view,
                          const struct rln__diff_row *row);

#endif
