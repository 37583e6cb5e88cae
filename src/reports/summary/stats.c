/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/summary/stats.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "reports/report_parts.h"
#include "reports/summary/summary.h"

#include <stdlib.h>
#include <string.h>

struct rln__stats {
    struct rln__stats_row *rows; /* owned */
    size_t n;
    struct rln__stats_totals totals;
};

static int by_total(const void *a, const void *b)
{
    const struct rln__stats_row *x = a, *y = b;
    int order;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    order = y->is_default_domain - x->is_default_domain;
    if (!order)
        order = rln__compare_text(x->domain_name, y->domain_name);
    if (!order)
        order = rln__compare_text(x->message, y->message);
    return order ? order : (int)x->style - (int)y->style;
}

/* The self time of each row's name, for rln__free(). NULL: no memory. */
static uint64_t *find_self_times(const struct rln__summary *s)
{
    uint64_t *self_ns = rln__alloc(s->n_rows, sizeof(*self_ns));

    for (size_t i = 1; i < s->n_nodes && self_ns; i++)
        if (s->nodes[i].row != RLN__NONE)
            self_ns[s->nodes[i].row] += s->sums.paths[i].self_ns;
    return self_ns;
}

static int fill_row(const rln_reader *reader, const struct rln__summary_row *from,
                    struct rln__name_sum *sum, struct rln__stats_row *to)
{
    const struct rln__names *names = &reader->names;
    struct rln__spread spread;

    if (rln__samples_spread(&sum->samples, sum->total_ns, &spread))
        return -1;
    *to = (struct rln__stats_row){
        .style = from->style,
        .is_default_domain = from->domain == 0,
        .domain_name =
            rln__strings_get(&names->strings, names->domains[from->domain].name),
        .message = rln__strings_get(&names->strings, from->message),
        .n_ranges = sum->samples.n,
        .n_open = from->n_open,
        .total_ns = sum->total_ns,
        .average_ns = spread.average,
        .median_ns = spread.median,
        .min_ns = sum->min_ns,
        .max_ns = sum->max_ns,
        .stddev_ns = spread.stddev,
    };
    rln__samples_clear(&sum->samples);
    return 0;
}

rln_status rln__stats_make(struct rln__stats_row *rows, size_t n,
                           const struct rln__stats_totals *totals,
                           struct rln__stats **out, rln_error *err)
{
    struct rln__stats *stats = rln__alloc(1, sizeof(*stats));

    *out = stats;
    if (!stats) {
        rln__free(rows);
        return rln__fail_nomem(err);
    }
    *stats = (struct rln__stats){.rows = rows, .n = n, .totals = *totals};
    if (n)
        qsort(rows, n, sizeof(*rows), by_total);
    return RLN_OK;
}

rln_status rln__stats_of(struct rln__summary *summary, struct rln__stats **out,
                         rln_error *err)
{
    struct rln__stats_row *rows = rln__alloc(summary->n_rows, sizeof(*rows));
    uint64_t *self_ns = find_self_times(summary);
    int has_failed = !rows || !self_ns;
    size_t n = 0;

    *out = NULL;
    for (size_t i = 0; i < summary->n_rows && !has_failed; i++) {
        /* No range that matches had this name, or all were lost. */
        if (summary->sums.names[i].samples.n == 0)
            continue;
        has_failed = fill_row(summary->reader, &summary->rows[i],
                              &summary->sums.names[i], &rows[n]);
        rows[n++].self_ns = self_ns[i];
    }
    rln__free(self_ns);
    if (has_failed) {
        rln__free(rows);
        return rln__fail_nomem(err);
    }
    return rln__stats_make(rows, n, &summary->totals, out, err);
}

rln_status rln__stats_new(rln_reader *reader, struct rln__stats **out, rln_error *err)
{
    struct rln__summary summary;
    rln_status status;

    *out = NULL;
    status = rln__summary_read_names(&summary, reader, err);
    if (status)
        return status;
    status = rln__stats_of(&summary, out, err);
    rln__summary_clear(&summary);
    return status;
}

void rln__stats_free(struct rln__stats *stats)
{
    if (!stats)
        return;
    rln__free(stats->rows);
    rln__free(stats);
}

size_t rln__stats_count(const struct rln__stats *stats)
{
    return stats->n;
}

const struct rln__stats_row *rln__stats_at(const struct rln__stats *stats, size_t index)
{
    return index < stats->n ? &stats->rows[index] : NULL;
}

const struct rln__stats_totals *rln__stats_get_totals(const struct rln__stats *stats)
{
    return &stats->totals;
}
