/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/findings/analyze_time.h"

#include <stdbool.h>

#include "base/thousands.h"
#include "cli/show/trace_line.h"
#include "console/die.h"
#include "console/pager.h"
#include "reports/report_set.h"
#include "table/cells.h"
#include "table/report_table.h"
#include "table/table_shared.h"

/* `stats` has all. */
#define MOST_NAMES 8
#define LEAST_SHARE 0.02

enum { SELF_TIME = 1 };

/* The longest come first. */
static size_t count_shown(const rln_report *r)
{
    const size_t n = rln_report_count_rows(r);
    uint64_t whole = 0;
    size_t shown = 0;

    for (size_t i = 0; i < n; i++)
        whole += rln_report_cell(r, i, SELF_TIME).bits;
    while (shown < n && shown < MOST_NAMES &&
           (double)rln_report_cell(r, shown, SELF_TIME).bits >=
               LEAST_SHARE * (double)whole)
        shown++;
    return shown;
}

static void add_names(const rln_report *r, bool has_color, struct rln__buf *out)
{
    const struct rln__cell_format cell_format = {.unit = rln__unit_find("nsec"),
                                                 .is_human_readable =
                                                     rln__on_terminal(),
                                                 .is_aligned = true,
                                                 .has_color = has_color,
                                                 .is_ascii = rln__is_ascii_only()};
    struct rln__table table = {0};
    const size_t n = count_shown(r);

    if (!n)
        return;
    rln__report_show(r, &cell_format, &table);
    table.n_cells = n * table.n_columns;
    if (cell_format.is_human_readable) {
        table.most_columns = rln__screen_columns();
        rln__table_find_shared(&table);
        rln__table_say_shared(&table, out);
    }
    rln__table_print(&table, RLN__FORMAT_COLUMN, out);
    rln__buf_char(out, '\n');
    rln__table_clear(&table);
}

void rln__analyze_time(const struct rln__input_traces *inputs, bool has_color,
                       struct rln__buf *out)
{
    const rln_report_request request = {.name = "self_sum"};
    struct rln__reports *reports;
    rln_report *report;
    rln_error err = {0};

    rln__die_if(rln__reports_new(inputs->reader, &request, 1, &reports, &err), &err);
    rln__die_if(rln__reports_build(reports, 0, &report, &err), &err);
    rln__trace_line(inputs, rln__reports_stats(reports), out);
    rln__buf_char(out, '\n');
    add_names(report, has_color, out);
    rln_report_free(report);
    rln__reports_free(reports);
}
