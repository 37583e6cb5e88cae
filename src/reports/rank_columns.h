/* SPDX-License-Identifier: Apache-2.0 */
/* rank_columns.h - a column for each rank, which wide tables replace by a digest, or
 * one of their numbers. */
#ifndef RLN_REPORTS_RANK_COLUMNS_H
#define RLN_REPORTS_RANK_COLUMNS_H

#include "reports/rank_sum.h"
#include "reports/report_build.h"

/* Those of the ranks that are compared ("Rank 3"), and the digest. */
void rln__rank_columns_add(rln_report *out, const struct rln__sums *sums,
                           uint8_t is_time, const char *digest);

/* Names the column of their numbers by what they are: "Rank", "Trace" or "PID". */
void rln__rank_column_name(rln_report *out, size_t column, enum rln__rank_kind kind);

#endif
