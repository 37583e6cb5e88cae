/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/sorted_table.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "console/die.h"
#include "reports/report_order.h"
#include "table/report_table.h"

static _Noreturn void refuse_column(const rln_report *r, const char *name)
{
    struct rln__buf names = {0};

    for (size_t i = 0; i < rln__report_count_columns(r); i++)
        rln__buf_format(&names, "%s%s", i ? ", " : "",
                        rln_report_column_at(r, i)->header);
    rln__complain("cannot sort report: name=\"%s\", column=\"%s\": no such column",
                  rln__report_get_about(r)->name, name);
    rln__hint("it has %.*s", (int)names.length, names.length ? names.bytes : "");
    rln__buf_clear(&names);
    exit(RLN__EXIT_USAGE);
}

static _Noreturn void refuse_tree(void)
{
    rln__complain(
        "cannot sort or cut report: name=\"tree\": its order is what calls what");
    rln__hint(
        "-r self_sum has a row per name; --max-depth and --min-share cut the tree");
    exit(RLN__EXIT_USAGE);
}

void rln__sort_table(const rln_report *r, const struct rln__row_choice *chosen,
                     struct rln__table *t)
{
    const size_t n = rln_report_count_rows(r);
    const size_t n_rows = chosen->most && chosen->most < n ? chosen->most : n;
    size_t column = 0;

    if (rln__is_tree(rln__report_get_about(r)))
        refuse_tree();
    if (chosen->column)
        column = rln__report_find_column(r, chosen->column);
    if (column == SIZE_MAX)
        refuse_column(r, chosen->column);
    t->rows = chosen->column ? rln__report_order(r, column)
                             : rln__alloc(n_rows + 1, sizeof(*t->rows));
    if (!t->rows) {
        t->text.has_failed = 1;
        return;
    }
    for (size_t i = 0; i < n_rows && !chosen->column; i++)
        t->rows[i] = i;
    t->n_cells = n_rows * t->n_columns;
}
