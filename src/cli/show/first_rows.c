/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/first_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thousands.h"
#include "cli/show/report_show.h"
#include "reports/report_build.h"

/* About a screen: three such tables are quick to look through. */
#define MOST_ROWS 30

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

/* Of equal nodes the first, so that no node stays without its parent. False: memory ran
 * out. */
static bool choose_nodes(const rln_report *r, size_t n, size_t rows[MOST_ROWS])
{
    uint64_t *times = rln__alloc(2 * n + 1, sizeof(*times));
    uint64_t *sorted, least;
    size_t n_equal = 0;

    if (!times)
        return false;
    sorted = times + n;
    find_times(r, n, times, sorted);
    memcpy(sorted, times, n * sizeof(*times));
    qsort(sorted, n, sizeof(*sorted), by_size);
    least = sorted[MOST_ROWS - 1];
    for (size_t i = 0; i < MOST_ROWS; i++)
        n_equal += sorted[i] == least;
    for (size_t i = 0, n_rows = 0; n_rows < MOST_ROWS; i++) {
        if (times[i] < least || (times[i] == least && !n_equal))
            continue;
        n_equal -= times[i] == least;
        rows[n_rows++] = i;
    }
    rln__free(times);
    return true;
}

/* The share of all rows but `rows`. */
static double percent_of_others(const rln_report *r, size_t n,
                                const size_t rows[MOST_ROWS])
{
    uint64_t all = 0, others;

    if (!rln_report_column_at(r, OWN_TIME)->is_time)
        return -1;
    for (size_t i = 0; i < n; i++)
        all += rln_report_cell(r, i, OWN_TIME).bits;
    others = all;
    for (size_t i = 0; i < MOST_ROWS; i++)
        others -= rln_report_cell(r, rows[i], OWN_TIME).bits;
    return all ? 100.0 * (double)others / (double)all : -1;
}

struct rln__other_rows rln__first_rows(const rln_report *r, struct rln__table *t)
{
    const size_t n = rln_report_count_rows(r);

    if (n <= MOST_ROWS)
        return (struct rln__other_rows){0};
    t->rows = rln__alloc(MOST_ROWS, sizeof(*t->rows));
    for (size_t i = 0; i < MOST_ROWS && t->rows; i++)
        t->rows[i] = i;
    if (!t->rows ||
        (rln__is_tree(rln__report_get_about(r)) && !choose_nodes(r, n, t->rows))) {
        t->text.has_failed = 1;
        return (struct rln__other_rows){0};
    }
    t->n_cells = MOST_ROWS * t->n_columns;
    return (struct rln__other_rows){n - MOST_ROWS, percent_of_others(r, n, t->rows)};
}

void rln__other_rows_add(const struct rln__other_rows *others,
                         const struct rln__report_info *report,
                         struct rln__fold_hint *hint, struct rln__buf *buf)
{
    const bool is_of_ranges = !report->is_of_kernels;
    const size_t n_folded =
        is_of_ranges && !hint->is_given ? rln__fold_hint_names(hint) : 0;

    rln__buf_char(buf, ' ');
    rln__buf_count(buf, others->n);
    rln__buf_text(buf, others->n == 1 ? " more row" : " more rows");
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
