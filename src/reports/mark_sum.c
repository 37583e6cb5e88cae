/* SPDX-License-Identifier: Apache-2.0 */
/* mark_sum.c - how often marks of each name come, and how far apart. */
#include "reports/mark_sum.h"
#include "base/alloc.h"
#include "reports/domain_order.h"
#include "reports/report_list.h"
#include "reports/sums.h"

#include <stdlib.h>
#include <string.h>

static struct rln__mark_row *row_of(struct rln__mark_sum *s, const rln_event *e)
{
    const struct rln__key key = {
        {e->attributes.domain, rln__key_of_text(e->attributes.message)}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    const size_t n_known = s->n;
    struct rln__mark_row *row =
        rln__key_index_item(&s->rows, &s->n, &s->capacity, number, sizeof(*row));

    if (row && number >= n_known)
        *row = (struct rln__mark_row){.is_default_domain = e->attributes.domain == 0,
                                      .domain_name = e->attributes.domain_name,
                                      .message = e->attributes.message,
                                      .first_ns = e->t_ns,
                                      .last_ns = e->t_ns};
    return row;
}

int rln__mark_sum_add(struct rln__mark_sum *s, const rln_event *e)
{
    struct rln__mark_row *row;
    uint64_t distance;

    if (e->type != RLN_EVENT_MARK || (e->flags & RLN_FLAG_UNPLACED))
        return 0;
    row = row_of(s, e);
    if (!row)
        return -1;
    distance = (uint64_t)(e->t_ns - row->last_ns);
    if (row->n_marks == 1 || (row->n_marks && distance < row->min_distance_ns))
        row->min_distance_ns = distance;
    if (distance > row->max_distance_ns)
        row->max_distance_ns = distance;
    row->last_ns = e->t_ns;
    row->n_marks++;
    return 0;
}

static int by_count(const void *a, const void *b)
{
    const struct rln__mark_row *x = a, *y = b;
    int order;

    if (x->n_marks != y->n_marks)
        return x->n_marks > y->n_marks ? -1 : 1;
    order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                 y->is_default_domain, y->domain_name);
    return order ? order : rln__compare_text(x->message, y->message);
}

void rln__mark_sum_end(struct rln__mark_sum *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct rln__mark_row *row = &s->rows[i];

        if (row->n_marks < 2)
            continue;
        row->mean_distance_ns =
            (double)(row->last_ns - row->first_ns) / (double)(row->n_marks - 1);
        row->per_s = row->mean_distance_ns > 0 ? 1e9 / row->mean_distance_ns : 0;
    }
    if (s->n)
        qsort(s->rows, s->n, sizeof(*s->rows), by_count);
}

void rln__mark_sum_clear(struct rln__mark_sum *s)
{
    rln__key_index_clear(&s->keys);
    rln__free(s->rows);
    memset(s, 0, sizeof(*s));
}

const struct rln__mark_row *rln__sums_mark(const struct rln__sums *s, size_t index)
{
    return index < s->marks.n ? &s->marks.rows[index] : NULL;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column marks[] = {
    RLN__NUMBERS("Instances"),  RLN__NUMBERS("Per s"),      RLN__TIMES("First"),
    RLN__TIMES("Last"),         RLN__TIMES("Avg Distance"), RLN__TIMES("Min Distance"),
    RLN__TIMES("Max Distance"), RLN__TEXTS("Mark"),
};

static rln_status build_marks(const struct rln__report_source *source, rln_report *out)
{
    const struct rln__mark_row *row;

    for (size_t i = 0; (row = rln__sums_mark(source->sums, i)); i++) {
        rln__report_put_count(out, row->n_marks);
        rln__report_put_about(out, row->per_s);
        rln__report_only_if(out, row->per_s > 0, 1);
        rln__report_put_time(out, row->first_ns);
        rln__report_put_time(out, row->last_ns);
        rln__report_put_mean(out, row->mean_distance_ns);
        rln__report_put_ns(out, row->min_distance_ns);
        rln__report_put_ns(out, row->max_distance_ns);
        rln__report_only_if(out, row->n_marks > 1, 3);
        rln__report_put_qualified(out, row->domain_name, row->message);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_mark_sum = {
    .about = {.name = "mark_sum",
              .title = "Mark Summary",
              .help = "marks, by name",
              .subject = "marks",
              .details =
                  "One row per name and domain of marks, the most frequent "
                  "first. First and Last are times since the trace began. "
                  "Distance: from one mark of the name to the next, on any "
                  "thread. Per s: marks per second from the first to the last. A "
                  "name with one mark has neither."},
    .build = build_marks,
    RLN__COLUMNS(marks),
    .sums = RLN__SUM_MARKS,
};
