/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"
#include "reports/each_sum.h"
#include "reports/report_list.h"

#include <stdlib.h>
#include <string.h>

static uint32_t row_of(struct rln__category_sum *s, const rln_range *r)
{
    const struct rln__key key = {{r->attributes.domain, r->attributes.category,
                                  rln__key_of_text(r->attributes.category_name)}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    size_t n_samples = s->n;
    rln_category_row *row;

    if (number < s->n)
        return number;
    if (!rln__key_index_item(&s->samples, &n_samples, &s->samples_capacity, number,
                             sizeof(*s->samples)))
        return UINT32_MAX;
    row = rln__key_index_item(&s->rows, &s->n, &s->capacity, number, sizeof(*row));
    if (!row)
        return UINT32_MAX;
    *row = (rln_category_row){.is_default_domain = r->attributes.domain == 0,
                              .domain_name = r->attributes.domain_name,
                              .category = r->attributes.category,
                              .name = r->attributes.category_name,
                              .min_ns = UINT64_MAX};
    return number;
}

int rln__category_sum_add(struct rln__category_sum *s, const rln_range *r)
{
    const int64_t ns = rln__countable_ns(r);
    rln_category_row *row;
    uint32_t number;

    if (r->style > RLN_RANGE_START_END || r->attributes.category == 0 || ns < 0)
        return 0;
    number = row_of(s, r);
    if (number == UINT32_MAX)
        return -1;
    row = &s->rows[number];
    row->n_ranges++;
    row->n_open += (r->flags & RLN_FLAG_OPEN) != 0;
    row->total_ns += (uint64_t)ns;
    row->min_ns = (uint64_t)ns < row->min_ns ? (uint64_t)ns : row->min_ns;
    row->max_ns = (uint64_t)ns > row->max_ns ? (uint64_t)ns : row->max_ns;
    return rln__samples_add(&s->samples[number], (uint64_t)ns);
}

static int by_total(const void *a, const void *b)
{
    const rln_category_row *x = a, *y = b;
    int order;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                 y->is_default_domain, y->domain_name);
    if (!order)
        order = (x->category > y->category) - (x->category < y->category);
    return order ? order : rln__compare_text(x->name, y->name);
}

int rln__category_sum_end(struct rln__category_sum *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct rln__spread spread;

        if (rln__samples_spread(&s->samples[i], s->rows[i].total_ns, &spread))
            return -1;
        s->rows[i].average_ns = spread.average;
        s->rows[i].median_ns = spread.median;
        s->rows[i].stddev_ns = spread.stddev;
        rln__samples_clear(&s->samples[i]);
    }
    if (s->n)
        qsort(s->rows, s->n, sizeof(*s->rows), by_total);
    return 0;
}

void rln__category_sum_clear(struct rln__category_sum *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__samples_clear(&s->samples[i]);
    rln__key_index_clear(&s->keys);
    rln__free(s->samples);
    rln__free(s->rows);
    memset(s, 0, sizeof(*s));
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column categories[] = {
    RLN__NUMBERS("Time (%)"), RLN__TIMES("Total Time"), RLN__NUMBERS("Instances"),
    RLN__TIMES("Avg"),        RLN__TIMES("Med"),        RLN__TIMES("Min"),
    RLN__TIMES("Max"),        RLN__TIMES("StdDev"),     RLN__IDS("Number"),
    RLN__TEXTS("Category"),
};

static rln_status build_categories(const struct rln__report_source *source,
                                   rln_report *out)
{
    const rln_category_row *row;
    uint64_t total = 0;

    for (size_t i = 0; (row = rln_sums_category(source->sums, i)); i++)
        total += row->total_ns;
    for (size_t i = 0; (row = rln_sums_category(source->sums, i)); i++) {
        rln__report_put_percent(out, row->total_ns, total);
        rln__report_put_ns(out, row->total_ns);
        rln__report_put_count(out, row->n_ranges);
        rln__report_put_mean(out, row->average_ns);
        rln__report_put_mean(out, row->median_ns);
        rln__report_put_ns(out, row->min_ns);
        rln__report_put_ns(out, row->max_ns);
        rln__report_put_mean(out, row->stddev_ns);
        rln__report_put_id(out, row->category);
        rln__report_put_qualified(out, row->domain_name, row->name);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_category_sum = {
    .about = {.name = "category_sum",
              .title = "Category Summary",
              .help = "ranges of both styles, by category",
              .subject = "ranges with a category"},
    .build = build_categories,
    RLN__COLUMNS(categories),
    .sums = RLN_SUM_CATEGORIES,
};
