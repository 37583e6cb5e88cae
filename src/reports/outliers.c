/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/outliers.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/summary/quantile.h"

#include <stdlib.h>
#include <string.h>

static uint64_t duration(const rln_nesting_row *range)
{
    return (uint64_t)(range->end_ns - range->start_ns);
}

/* Medians of all names; 0 where there are too few ranges. NULL if there is no memory.
 */
static double *find_medians(const rln_nesting *nesting)
{
    const size_t n_names = rln_nesting_count_names(nesting);
    struct rln__samples *samples = rln__alloc(n_names + 1, sizeof(*samples));
    double *medians = rln__alloc(n_names + 1, sizeof(*medians));
    int failed = !samples || !medians;
    rln_nesting_row range;

    for (size_t i = 0; !failed && rln_nesting_get(nesting, i, &range); i++)
        failed = rln__samples_add(&samples[range.name], duration(&range));
    for (size_t i = 0; samples && i < n_names; i++) {
        struct rln__spread spread;

        if (!failed && samples[i].n >= RLN__OUTLIER_LEAST) {
            failed = rln__samples_spread(&samples[i], 0, &spread);
            medians[i] = spread.median;
        }
        rln__samples_clear(&samples[i]);
    }
    rln__free(samples);
    if (!failed)
        return medians;
    rln__free(medians);
    return NULL;
}

static int by_excess(const void *a, const void *b)
{
    const struct rln__outlier *x = a, *y = b;

    if (x->excess_ns > y->excess_ns || x->excess_ns < y->excess_ns)
        return x->excess_ns > y->excess_ns ? -1 : 1;
    return (x->range > y->range) - (x->range < y->range);
}

/* Keeps the `most` largest: twice as many are collected and then cut. */
static void add(struct rln__outliers *out, size_t most, struct rln__outlier row)
{
    out->n_found++;
    if (out->n == 2 * most) {
        qsort(out->rows, out->n, sizeof(*out->rows), by_excess);
        out->n = most;
    }
    out->rows[out->n++] = row;
}

/* Children come after their parent and end before it does, so one pass over what
 * follows is enough. */
static size_t longest_child(const rln_nesting *nesting, size_t parent)
{
    rln_nesting_row range, child;
    size_t longest = SIZE_MAX;
    uint64_t longest_ns = 0;
    uint32_t n_left;

    (void)rln_nesting_get(nesting, parent, &range);
    n_left = range.n_children;
    for (size_t i = parent + 1; n_left && rln_nesting_get(nesting, i, &child); i++) {
        if (child.parent != parent)
            continue;
        n_left--;
        if (longest == SIZE_MAX || duration(&child) > longest_ns) {
            longest = i;
            longest_ns = duration(&child);
        }
    }
    return longest;
}

rln_status rln__outliers_find(const rln_nesting *nesting, size_t most,
                              struct rln__outliers *out, rln_error *err)
{
    double *medians = find_medians(nesting); /* owned */
    rln_nesting_row range;

    memset(out, 0, sizeof(*out));
    out->rows = rln__alloc(2 * most + 1, sizeof(*out->rows));
    if (!medians || !out->rows) {
        rln__free(medians);
        rln__outliers_clear(out);
        return rln__fail_nomem(err);
    }
    for (size_t i = 0; rln_nesting_get(nesting, i, &range); i++) {
        const double median = medians[range.name];
        const double ns = (double)duration(&range);

        if (median > 0 && ns > median * RLN__OUTLIER_TIMES)
            add(out, most, (struct rln__outlier){i, SIZE_MAX, median, ns - median});
    }
    rln__free(medians);
    qsort(out->rows, out->n, sizeof(*out->rows), by_excess);
    out->n = out->n < most ? out->n : most;
    for (size_t i = 0; i < out->n; i++)
        out->rows[i].longest_child = longest_child(nesting, out->rows[i].range);
    return RLN_OK;
}

void rln__outliers_clear(struct rln__outliers *outliers)
{
    rln__free(outliers->rows);
    memset(outliers, 0, sizeof(*outliers));
}
