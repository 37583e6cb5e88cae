/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_diff.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "reports/diff/diff_traces.h"
#include "table/diff_table.h"

static rln_status compare(struct rln__diff *diff, rln_reader *before, rln_reader *after,
                          rln_error *err)
{
    rln_status status = rln__diff_add_traces(diff, RLN__DIFF_BEFORE, before, err);

    if (!status)
        status = rln__diff_add_traces(diff, RLN__DIFF_AFTER, after, err);
    return status ? status : rln__diff_compare(diff, err);
}

static void add_details(struct rln__buf *out, const struct rln__diff_view *view,
                        const char *filter)
{
    rln__buf_diff_summary(out, view, (rln_text){filter, strlen(filter)});
    if (rln__diff_has_one_run(view->diff))
        rln__buf_text(out, " (" RLN__DIFF_OF_ONE_RUN ")");
    rln__buf_text(out, ". Listed are those that differ, the largest effect first.");
    rln__buf_char(out, '\0');
}

rln_status rln__diff_tables_make(rln_reader *before, rln_reader *after,
                                 const char *filter, struct rln__diff_tables *out,
                                 rln_error *err)
{
    struct rln__diff_view view = {.on = RLN__DIFF_BY_MEDIAN, .limit = NAN};
    struct rln__diff *diff; /* owned */
    rln_status status = rln__diff_new(&diff, err);

    if (!status)
        status = compare(diff, before, after, err);
    if (!status) {
        view.diff = diff;
        (void)rln__diff_show(&view, true, SIZE_MAX, &out->for_people);
        (void)rln__diff_show(&view, false, SIZE_MAX, &out->exact);
        add_details(&out->details, &view, filter);
        if (out->for_people.text.has_failed || out->exact.text.has_failed ||
            out->details.has_failed)
            status = rln__fail_nomem(err);
    }
    rln__diff_free(diff);
    if (status)
        rln__diff_tables_clear(out);
    return status;
}

void rln__diff_tables_clear(struct rln__diff_tables *tables)
{
    rln__table_clear(&tables->for_people);
    rln__table_clear(&tables->exact);
    rln__buf_clear(&tables->details);
}
