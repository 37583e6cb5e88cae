/* SPDX-License-Identifier: Apache-2.0 */
/* diff_view.h - a comparison as a person asked for it: by which measure, down to which
 * limit, and what that makes of each range. */
#ifndef RLN_REPORTS_DIFF_DIFF_VIEW_H
#define RLN_REPORTS_DIFF_DIFF_VIEW_H

#include <stdbool.h>

#include "base/buf.h"
#include "reports/diff/diff.h"

enum rln__diff_measure { RLN__DIFF_BY_MEDIAN, RLN__DIFF_BY_P95, RLN__DIFF_BY_TOTAL };

struct rln__diff_view {
    const struct rln__diff *diff; /* borrowed */
    enum rln__diff_measure on;
    double limit; /* percent: only what became or may have become slower by more is
                     listed; NAN: none */
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

/* Whether a range became slower, but not on a processor: it waited, or others had the
 * processor. */
bool rln__diff_is_off_processor(const struct rln__diff_view *view,
                                const struct rln__diff_row *row);

/* Whether a table has it. */
bool rln__diff_is_listed(const struct rln__diff_view *view,
                         const struct rln__diff_row *row);

/* Whether each side is a single run: nothing says how much runs differ. */
bool rln__diff_has_one_run(const struct rln__diff *diff);
#define RLN__DIFF_OF_ONE_RUN                                                           \
    "one run per side: a change may be mere variation between runs"

/* Appends "12 ranges (domain io), 5 runs before and 1 after: 1 slower, 2 faster, 9 the
 * same"; `filter` is what restricts both sides, in words, or empty. */
void rln__buf_diff_summary(struct rln__buf *out, const struct rln__diff_view *view,
                           rln_text filter);

/* Appends "step > solve". */
void rln__buf_diff_path(struct rln__buf *out, const struct rln__diff *diff,
                        const struct rln__diff_row *row);

/* Appends "+12.3 %", "+12.3 % (noise)" if only something else has changed, such as the
 * tail, or the other way; or of an unsure one "+4.2 % (-1.0 to +9.7)", if runs show bounds; nothing of a range of one side. */
void rln__buf_diff_change(struct rln__buf *out, const struct rln__diff_view *view,
                          const struct rln__diff_row *row);

/* Appends the same of the median time on a processor; nothing if it is not known. */
void rln__buf_diff_on_processor(struct rln__buf *out, const struct rln__diff_view *view,
                                const struct rln__diff_row *row);

#endif
