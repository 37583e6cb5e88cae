/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/first_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thousands.h"
#include "reports/report_build.h"
#include "table/report_table.h"

/* About a screen: three such tables are quick to look through. */
#define MOST_ROWS 30
/* A tree of so many rows is shown whole; of a larger one, at least so few. */
#define SMALL_TREE 10
#define FEWEST_ROWS 3

/* The columns of a node's total, and in all default reports of the time that no other
 * row has. */
enum { TREE_TOTAL, OWN_TIME };

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? 1 : x > y ? -1 : 0;
}

/* The most time of each node or one below it: with a filter, a node may have no calls
 * and exist only for those below it. Nodes come in pre-order, so the level of a row is
 * at most its index; `below`, zeroed, has the most at each level since the last
 * enclosing node. */
static void find_times(const rln_report *r, size_t n, uint64_t *times, uint64_t *below)
{
    const size_t level_column = rln__report_count_columns(r) - 2;

    for (size_t i = n; i-- > 0;) {
        const uint64_t total = rln_report_cell(r, i, TREE_TOTAL).bits;
        const uint64_t level = rln_report_cell(r, i, level_column).bits;

        times[i] = total > below[level + 1] ? total : below[level + 1];
        below[level + 1] = 0;
        if (times[i] > below[level])
            below[level] = times[i];
    }
}

static uint64_t sum_of_outermost(const rln_report *r, size_t n, const uint64_t *times)
{
    const size_t level_column = rln__report_count_columns(r) - 2;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += rln_report_cell(r, i, level_column).bits == 0 ? times[i] : 0;
    return sum;
}

/* How many of the times, the most first, are of rows that stay. */
static size_t count_chosen(const uint64_t *sorted, size_t n, double least)
{
    size_t n_rows = 0;

    while (n_rows < n && n_rows < MOST_ROWS &&
           (n_rows < FEWEST_ROWS || (double)sorted[n_rows] >= least))
        n_rows++;
    return n_rows;
}

/* Of equal nodes the first, so that no node stays without its parent. Returns how many;
 * 0: memory ran out. */
static size_t choose_nodes(const rln_report *r, size_t n, double least_share,
                           size_t rows[MOST_ROWS])
{
    uint64_t *times = rln__alloc(2 * n + 1, sizeof(*times));
    uint64_t *sorted, least;
    size_t n_equal = 0, n_chosen;

    if (!times)
        return 0;
    sorted = times + n;
    find_times(r, n, times, sorted);
    memcpy(sorted, times, n * sizeof(*times));
    qsort(sorted, n, sizeof(*sorted), by_size);
    n_chosen =
        count_chosen(sorted, n, least_share * (double)sum_of_outermost(r, n, times));
    least = sorted[n_chosen - 1];
    for (size_t i = 0; i < n_chosen; i++)
        n_equal += sorted[i] == least;
    for (size_t i = 0, n_rows = 0; n_rows < n_chosen; i++) {
        if (times[i] < least || (times[i] == least && !n_equal))
            continue;
        n_equal -= times[i] == least;
        rows[n_rows++] = i;
    }
    rln__free(times);
    return n_chosen;
}

/* The share of all rows but `rows`. */
static double percent_of_others(const rln_report *r, size_t n, const size_t *rows,
                                size_t n_rows)
{
    uint64_t all = 0, others;

    if (!rln_report_column_at(r, OWN_TIME)->is_time)
        return -1;
    for (size_t i = 0; i < n; i++)
        all += rln_report_cell(r, i, OWN_TIME).bits;
    others = all;
    for (size_t i = 0; i < n_rows; i++)
        others -= rln_report_cell(r, rows[i], OWN_TIME).bits;
    return all ? 100.0 * (double)others / (double)all : -1;
}

struct rln__other_rows rln__first_rows(const rln_report *r, struct rln__table *t,
                                       double least_share)
{
    const bool is_tree = rln__is_tree(rln__report_get_about(r));
    const size_t n = rln_report_count_rows(r);
    size_t n_rows = n < MOST_ROWS ? n : MOST_ROWS;

    if (n <= (is_tree ? SMALL_TREE : MOST_ROWS))
        return (struct rln__other_rows){0};
    t->rows = rln__alloc(MOST_ROWS, sizeof(*t->rows));
    for (size_t i = 0; i < n_rows && t->rows; i++)
        t->rows[i] = i;
    if (t->rows && is_tree)
        n_rows = choose_nodes(r, n, least_share, t->rows);
    if (!t->rows || !n_rows) {
        t->text.has_failed = 1;
        return (struct rln__other_rows){0};
    }
    t->n_cells = n_rows * t->n_columns;
    return (struct rln__other_rows){n - n_rows,
                                    percent_of_others(r, n, t->rows, n_rows)};
}

void rln__other_rows_add(const struct rln__other_rows *others,
                         const struct rln__report_info *report,
                         struct rln__fold_hint *hint, struct rln__buf *buf)
{
    const bool is_of_ranges = !report->is_of_kernels;
    const size_t n_folded =
        is_of_ranges && !hint->is_given ? rln__fold_hint_names(hint) : 0;

    rln__buf_char(buf, ' ');
    rln__buf_counted(buf, others->n, "more row", "more rows");
    if (others->percent >= 0)
        rln__buf_format(buf, " with %.1f %% of the time", others->percent);
    rln__buf_format(buf, "; -r %s prints all", report->name);
    if (n_folded) {
        rln__buf_text(buf, ", --fold-numbers merges ");
        rln__buf_count(buf, hint->n_names);
        rln__buf_format(buf, " range names into %zu", n_folded);
        hint->is_given = true;
    }
    rln__buf_char(buf, '\n');
}
