/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/rank_columns.h"

#include <stdio.h>

static const char *word_for(enum rln__rank_kind kind)
{
    return kind == RLN__RANK_OF_JOB     ? "Rank"
           : kind == RLN__RANK_OF_TRACE ? "Trace"
                                        : "PID";
}

void rln__rank_column_name(rln_report *out, size_t column, enum rln__rank_kind kind)
{
    rln__rename_column(out, column, word_for(kind));
}

void rln__rank_columns_add(rln_report *out, const struct rln__sums *sums,
                           uint8_t is_time, const char *digest)
{
    const struct rln__rank *rank;
    char header[40];

    for (size_t i = 0; (rank = rln__sums_rank(sums, i)); i++) {
        if (!rln__rank_is_compared(rank))
            continue;
        (void)snprintf(header, sizeof(header), "%s %u", word_for(rank->kind),
                       rank->number);
        rln__add_column(
            out, header,
            (rln_report_column){.is_time = is_time, .flags = RLN_COLUMN_IS_DETAIL});
    }
    rln__add_column(
        out, digest,
        (rln_report_column){.kind = RLN_COLUMN_TEXT, .flags = RLN_COLUMN_IS_DIGEST});
}
