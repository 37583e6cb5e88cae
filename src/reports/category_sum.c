/* SPDX-License-Identifier: Apache-2.0 */
/* category_sum.c - how long the ranges of each category took. */
#include "reports/category_sum.h"
#include "base/alloc.h"
#include "reports/countable_ns.h"
#include "reports/domain_order.h"
#include "reports/report_list.h"
#include "reports/sums.h"

#include <stdlib.h>
#include <string.h>

struct rln__category_item {
    struct rln__category_row row;
    struct rln__tally ns;
};

static struct rln__category_item *item_of(struct rln__category_sum *s,
                                          const rln_range *r)
{
    const struct rln__key key = {{r->attributes.domain, r->attributes.category,
                                  rln__key_of_text(r->attributes.category_name)}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);

    return rln__key_index_item(&s->items, &s->n, &s->capacity, number,
                               sizeof(*s->items));
}

int rln__category_sum_add(struct rln__category_sum *s, const rln_range *r)
{
    const int64_t ns = rln__countable_ns(r);
    struct rln__category_item *item;

    if (r->style > RLN_RANGE_START_END || r->attributes.category == 0 || ns < 0)
        return 0;
    item = item_of(s, r);
    if (!item)
        return -1;
    item->row.is_default_domain = r->attributes.domain == 0;
    item->row.domain_name = r->attributes.domain_name;
    item->row.category = r->attributes.category;
    item->row.name = r->attributes.category_name;
    item->row.n_open += (r->flags & RLN_FLAG_OPEN) != 0;
    return rln__tally_add(&item->ns, (uint64_t)ns);
}

static int by_total(const void *a, const void *b)
{
    const struct rln__category_row *x = a, *y = b;
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
        struct rln__category_row *row = &s->items[i].row;
        struct rln__tally *ns = &s->items[i].ns;

        if (rln__tally_end(ns))
            return -1;
        row->n_ranges = ns->n;
        row->total_ns = ns->total;
        row->average_ns = ns->spread.average;
        row->median_ns = ns->spread.median;
        row->min_ns = ns->min;
        row->max_ns = ns->max;
        row->stddev_ns = ns->spread.stddev;
    }
    if (s->n)
        qsort(s->items, s->n, sizeof(*s->items), by_total);
    return 0;
}

void rln__category_sum_clear(struct rln__category_sum *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__tally_clear(&s->items[i].ns);
    rln__key_index_clear(&s->keys);
    rln__free(s->items);
    memset(s, 0, sizeof(*s));
}

const struct rln__category_row *rln__sums_category(const struct rln__sums *s,
                                                   size_t index)
{
    return index < s->categories.n ? &s->categories.items[index].row : NULL;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column categories[] = {
    RLN__TIME_COLUMNS("Instances"),
    RLN__IDS("Number"),
    RLN__TEXTS("Category"),
};

static rln_status build_categories(const struct rln__report_source *source,
                                   rln_report *out)
{
    const struct rln__category_sum *s = &source->sums->categories;
    uint64_t total = 0;

    for (size_t i = 0; i < s->n; i++)
        total += s->items[i].ns.total;
    for (size_t i = 0; i < s->n; i++) {
        const struct rln__category_row *row = &s->items[i].row;

        rln__report_put_times(out, &s->items[i].ns, total);
        rln__report_put_id(out, row->category);
        rln__report_put_qualified(out, row->domain_name, row->name);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_category_sum = {
    .about = {.name = "category_sum",
              .title = "Category Summary",
              .help = "ranges of both styles, by category",
              .subject = "ranges with a category",
              .details =
                  "One row per domain and category: its Number, and its name if "
                  "the program registered one. Push/pop and start/end ranges "
                  "count; those without a category are left out. " RLN__TIME_DETAILS},
    .build = build_categories,
    RLN__COLUMNS(categories),
    .sums = RLN__SUM_CATEGORIES,
};
