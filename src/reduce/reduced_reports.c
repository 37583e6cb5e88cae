/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_reports.c - reports of sums. */
#include "base/fail.h"
#include "reduce/reduced_ranks.h"
#include "reports/report_parts.h"

int rln__reduced_has_report(const struct rln__reduced *r,
                            const struct rln__report_info *about, const char *argument)
{
    const char *steps = r->steps_name.bytes;

    return rln__report_needs_only_parts(about, argument, *steps ? steps : NULL);
}

rln_status rln__reduced_reports(struct rln__reduced *r,
                                const rln_report_request *requests, size_t n_requests,
                                struct rln__reports **out, rln_error *err)
{
    struct rln__report_parts parts = {.is_restricted = *r->filters.bytes != '\0'};
    struct rln__reduced_ranks ranks;
    rln_status status;

    *out = NULL;
    rln__reduced_sort(r); /* traces are numbered by name */
    status = rln__reduced_ranks_find(r, &ranks) ? rln__fail_nomem(err) : RLN_OK;
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS && !status; i++)
        status = rln__reduced_kinds[i]->report(r->sums[i], &ranks, &parts, err);
    rln__reduced_ranks_clear(&ranks);
    if (!status)
        return rln__reports_make(&parts, requests, n_requests, out, err);
    rln__report_parts_clear(&parts);
    return status == RLN_ERR_FORMAT ? RLN_ERR_ARGUMENT : status;
}
