/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report_parts.h"

void rln__report_parts_clear(struct rln__report_parts *parts)
{
    rln__stats_free(parts->stats);
    rln__tree_free(parts->tree);
    rln__sums_free(parts->sums);
    rln__sums_free(parts->cpu_ranks);
#define X(type, member) rln__##type##_clear(&parts->member);
    RLN__SINGLE_PARTS(X)
#undef X
}
