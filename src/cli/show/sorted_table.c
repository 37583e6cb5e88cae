/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/sorted_table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/key_index.h"
#include "console/die.h"
#include "table/report_table.h"

struct sorted {
    const rln_report *report;
    size_t column, row;
    double number;
};

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

/* The first one that is called so, else the first that begins so; SIZE_MAX if none does. */
static size_t find_column(const rln_report *r, const char *name)
{
    const size_t n = rln__report_count_columns(r);

    for (size_t i = 0; i < n; i++)
        if (strcasecmp(rln_report_column_at(r, i)->header, name) == 0)
            return i;
    for (size_t i = 0; i < n && *name; i++)
        if (strncasecmp(rln_report_column_at(r, i)->header, name, strlen(name)) == 0)
            return i;
    return SIZE_MAX;
}

bool rln__has_column(const rln_report *r, const char *name)
{
    return find_column(r, name) != SIZE_MAX;
}

static int by_column(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    if (x->number > y->number || x->number < y->number)
        return x->number > y->number ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_text(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const rln_text of_y = rln_report_cell(y->report, y->row, y->column).text;
    const rln_text of_x = rln_report_cell(x->report, x->row, x->column).text;
    const int order = rln__compare_text(of_x, of_y);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* NULL: no memory. */
static struct sorted *sort(const rln_report *r, size_t column)
{
    const size_t n = rln_report_count_rows(r);
    const bool is_text = rln_report_column_at(r, column)->kind == RLN_COLUMN_TEXT;
    struct sorted *all = rln__alloc(n + 1, sizeof(*all));

    for (size_t i = 0; i < n && all; i++)
        all[i] = (struct sorted){r, column, i,
                                 is_text ? 0 : rln_report_cell(r, i, column).number};
    if (all && n)
        qsort(all, n, sizeof(*all), is_text ? by_text : by_column);
    return all;
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
    struct sorted *sorted = NULL;

    if (rln__is_tree(rln__report_get_about(r)))
        refuse_tree();
    if (chosen->column && !rln__has_column(r, chosen->column))
        refuse_column(r, chosen->column);
    if (chosen->column)
        sorted = sort(r, find_column(r, chosen->column));
    t->rows = rln__alloc(n_rows + 1, sizeof(*t->rows));
    if (!t->rows || (chosen->column && !sorted)) {
        t->text.has_failed = 1;
    } else {
        for (size_t i = 0; i < n_rows; i++)
            t->rows[i] = sorted ? sorted[i].row : i;
        t->n_cells = n_rows * t->n_columns;
    }
    rln__free(sorted);
}
