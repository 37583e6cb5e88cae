/* SPDX-License-Identifier: Apache-2.0 */
/* payload_sum.c - the numbers in payloads of ranges, and how they correlate with
 * durations.
 *
 * One row per domain, message and field: NVTX's plain payload, a field of an extended
 * one, or "a.b" for a field in a struct. Arrays have no row; nor do fields that are
 * numbers only by form: timestamps, ids, addresses, hidden fields, infinity.
 */
#include "reports/payload_sum.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/nvtx_payload.h"
#include "rangeline/values.h"
#include "reports/countable_ns.h"
#include "reports/domain_order.h"
#include "reports/report_list.h"
#include "reports/sums.h"
#include "trace/open/load.h"
#include "trace/payload/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 16

struct rln__payload_item {
    struct rln__payload_row row;
    struct rln__exact values;
    /* Co-moments of value and duration (Welford). */
    double mean_value, mean_ns;
    double m2_value, m2_ns, together;
};

struct number {
    rln_text name;
    uint64_t bits;
    uint8_t type;
};

/* --- Rows ------------------------------------------------------------------------- */

static struct rln__payload_item *item_of(struct rln__payload_sum *s, const rln_range *r,
                                         const struct number *number)
{
    const struct rln__key key = {{r->attributes.domain,
                                  rln__key_of_text(r->attributes.message),
                                  rln__key_of_text(number->name)}};
    const uint32_t at = rln__key_index_number(&s->keys, &key);
    const size_t n_known = s->n;
    struct rln__payload_item *item =
        rln__key_index_item(&s->items, &s->n, &s->capacity, at, sizeof(*item));

    if (item && at >= n_known)
        item->row =
            (struct rln__payload_row){.is_default_domain = r->attributes.domain == 0,
                                      .domain_name = r->attributes.domain_name,
                                      .message = r->attributes.message,
                                      .field = number->name,
                                      .order = at,
                                      .type = number->type,
                                      .min_bits = number->bits,
                                      .max_bits = number->bits};
    return item;
}

static void add_number(struct rln__payload_item *item, const struct number *number,
                       uint64_t ns)
{
    struct rln__payload_row *row = &item->row;
    const double value = rln__number_double(number->type, number->bits);
    const double n = (double)++row->n_ranges;
    const double off_value = value - item->mean_value;
    const double off_ns = (double)ns - item->mean_ns;
    uint64_t bits = number->bits;

    if (row->type != number->type) { /* ranges of one name may differ in type */
        row->min_bits = rln__number_bits(rln__number_double(row->type, row->min_bits));
        row->max_bits = rln__number_bits(rln__number_double(row->type, row->max_bits));
        row->type = RLN_PAYLOAD_DOUBLE;
        bits = rln__number_bits(value);
    }
    if (rln__number_is_less(row->type, bits, row->min_bits))
        row->min_bits = bits;
    if (rln__number_is_less(row->type, row->max_bits, bits))
        row->max_bits = bits;
    row->total_ns += ns;
    rln__exact_add(&item->values, value);
    item->mean_value += off_value / n;
    item->mean_ns += off_ns / n;
    item->m2_value += off_value * (value - item->mean_value);
    item->m2_ns += off_ns * ((double)ns - item->mean_ns);
    item->together += off_value * ((double)ns - item->mean_ns);
}

static int add(struct rln__payload_sum *s, const rln_range *r,
               const struct number *number)
{
    struct rln__payload_item *item = item_of(s, r, number);

    if (!item)
        return -1;
    add_number(item, number, (uint64_t)(r->end_ns - r->start_ns));
    return 0;
}

/* --- Numbers ---------------------------------------------------------------------- */

/* 0: there is no number. */
static int read_plain(const rln_range *r, struct number *out)
{
    out->name = (rln_text){NULL, 0};
    out->bits = r->payload_bits;
    out->type = rln__number_widen(r->attributes.payload_type, &out->bits);
    return out->type && (out->type != RLN_PAYLOAD_DOUBLE ||
                         isfinite(rln__number_double(out->type, out->bits)));
}

static int is_id(uint64_t type)
{
    return type == RLN__TYPE_RANGE_ID ||
           (type >= RLN__TYPE_PID32 && type <= RLN__TYPE_TID64);
}

static int read_field(const rln_field *f, struct number *out)
{
    if ((f->flags & (RLN_FIELD_IS_HIDDEN | RLN_FIELD_IS_TIMESTAMP)) || is_id(f->type))
        return 0;
    switch (f->kind) {
    case RLN_FIELD_INT:
        out->type = RLN_PAYLOAD_I64;
        out->bits = f->bits;
        return 1;
    case RLN_FIELD_UINT:
        out->type = RLN_PAYLOAD_U64;
        out->bits = f->bits;
        return 1;
    case RLN_FIELD_INT128:
    case RLN_FIELD_UINT128:
    case RLN_FIELD_FLOAT:
    case RLN_FIELD_DOUBLE:
        out->type = RLN_PAYLOAD_DOUBLE;
        out->bits = rln__number_bits(f->number);
        return isfinite(f->number);
    default:
        return 0;
    }
}

struct walk {
    struct rln__payload_sum *sum;
    rln_reader *reader;
    const rln_range *range;
    const rln_payload *payload;
};

/* Names the number after the path in `sum->text`; the reader keeps the name. -1: there
 * is no memory. */
static int name_number(const struct walk *w, struct number *out)
{
    struct rln__strings *strings = &w->reader->names.strings;
    const struct rln__buf *text = &w->sum->text;
    uint32_t number;

    out->name = (rln_text){NULL, 0};
    if (!text->length)
        return 0;
    number =
        text->has_failed ? 0 : rln__strings_add(strings, text->bytes, text->length);
    out->name = rln__strings_get(strings, number);
    return number ? 0 : -1;
}

static void add_name(struct rln__buf *text, const rln_field *f)
{
    if (text->length)
        rln__buf_char(text, '.');
    if (f->name.length)
        rln__buf_add(text, f->name.bytes, f->name.length);
    else
        rln__buf_format(text, "%u", f->index);
}

/* Adds the numbers of field `*at` and those below it, and moves `*at` past them. */
static int add_fields(const struct walk *w, size_t *at, int counts, unsigned depth)
{
    const rln_field *f = &w->payload->fields[(*at)++];
    const int is_struct = f->kind == RLN_FIELD_STRUCT || f->kind == RLN_FIELD_UNION;
    const size_t length = w->sum->text.length;
    struct number number;

    counts = counts && depth < MAX_DEPTH && !(f->flags & RLN_FIELD_IS_HIDDEN);
    if (counts && read_field(f, &number) &&
        (name_number(w, &number) || add(w->sum, w->range, &number)))
        return -1;
    for (uint32_t i = 0; i < f->n_children && *at < w->payload->n_fields; i++) {
        if (counts && is_struct)
            add_name(&w->sum->text, &w->payload->fields[*at]);
        if (add_fields(w, at, counts && is_struct, depth + 1))
            return -1;
        w->sum->text.length = length;
    }
    return 0;
}

/* With several payloads, fields begin with the schema's name; with several of one
 * schema, also with an index: each has its own row, and no range counts twice in
 * one. */
static void name_payload(struct rln__buf *text, const rln_payload *payloads, size_t n,
                         size_t index)
{
    const rln_text name = payloads[index].schema_name;
    size_t n_alike = 0, number = 0;

    text->length = 0;
    if (n < 2)
        return;
    for (size_t i = 0; i < n; i++) {
        const int is_alike = rln__compare_text(payloads[i].schema_name, name) == 0;

        n_alike += (size_t)is_alike;
        number += (size_t)(is_alike && i < index);
    }
    rln__buf_add(text, name.bytes, name.length);
    if (n_alike > 1)
        rln__buf_format(text, "[%zu]", number);
}

rln_status rln__payload_sum_add(struct rln__payload_sum *s, rln_reader *reader,
                                rln_ranges *ranges, const rln_range *r, rln_error *err)
{
    struct walk w = {s, reader, r, NULL};
    const rln_payload *payloads = NULL;
    struct number number;
    rln_status status = RLN_OK;
    size_t n = 0;

    if (r->style > RLN_RANGE_START_END || rln__countable_ns(r) < 0 ||
        (r->flags & RLN_FLAG_OPEN))
        return RLN_OK;
    if (read_plain(r, &number) && add(s, r, &number))
        return rln__fail_nomem(err);
    if (r->n_payloads)
        status = rln_ranges_payloads(ranges, &payloads, &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        size_t at = 0;

        w.payload = &payloads[i];
        name_payload(&s->text, payloads, n, i);
        if (payloads[i].fields && payloads[i].n_fields && !payloads[i].is_hidden &&
            add_fields(&w, &at, 1, 0))
            status = rln__fail_nomem(err);
    }
    return status;
}

/* --- The end ---------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct rln__payload_row *x = a, *y = b;
    int order;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                 y->is_default_domain, y->domain_name);
    if (!order)
        order = rln__compare_text(x->message, y->message);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

void rln__payload_sum_end(struct rln__payload_sum *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct rln__payload_item *item = &s->items[i];
        struct rln__payload_row *row = &s->items[i].row;
        const double spread = sqrt(item->m2_value) * sqrt(item->m2_ns);

        row->total = rln__exact_total(&item->values);
        row->mean = row->total / (double)row->n_ranges;
        row->has_ns_per_unit = rln__absolute(row->total) > 0;
        if (row->has_ns_per_unit)
            row->ns_per_unit = (double)row->total_ns / row->total;
        row->has_correlation = spread > 0 && isfinite(spread);
        if (row->has_correlation)
            row->correlation = fmax(-1, fmin(1, item->together / spread));
    }
    if (s->n)
        qsort(s->items, s->n, sizeof(*s->items), by_total);
}

void rln__payload_sum_clear(struct rln__payload_sum *s)
{
    rln__key_index_clear(&s->keys);
    rln__buf_clear(&s->text);
    rln__free(s->items);
    memset(s, 0, sizeof(*s));
}

const struct rln__payload_row *rln__sums_payload(const struct rln__sums *s,
                                                 size_t index)
{
    return index < s->payloads.n ? &s->payloads.items[index].row : NULL;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column payloads[] = {
    RLN__NUMBERS("Instances"), RLN__NUMBERS("Total"),       RLN__NUMBERS("Avg"),
    RLN__NUMBERS("Min"),       RLN__NUMBERS("Max"),         RLN__TIMES("Time"),
    RLN__TIMES("Time/Unit"),   RLN__NUMBERS("Correlation"), RLN__TEXTS("Field"),
    RLN__TEXTS("Range"),
};

static rln_status build_payloads(const struct rln__report_source *source,
                                 rln_report *out)
{
    const struct rln__payload_row *row;

    for (size_t i = 0; (row = rln__sums_payload(source->sums, i)); i++) {
        rln__report_put_count(out, row->n_ranges);
        rln__report_put_number(out, row->total);
        rln__report_put_number(out, row->mean);
        rln__report_put_bits(out, row->type, row->min_bits);
        rln__report_put_bits(out, row->type, row->max_bits);
        rln__report_put_ns(out, row->total_ns);
        rln__report_put_rate(out, row->ns_per_unit);
        rln__report_only_if(out, row->has_ns_per_unit, 1);
        rln__report_put_fixed(out, row->correlation, 3);
        rln__report_only_if(out, row->has_correlation, 1);
        if (row->field.length)
            rln__report_put_name(out, row->field);
        else
            rln__report_put_word(out, "payload");
        rln__report_put_qualified(out, row->domain_name, row->message);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_payload_sum = {
    .about = {.name = "payload_sum",
              .title = "Payload Summary",
              .help = "payload values of ranges, by name and field",
              .subject = "ranges with payloads",
              .details =
                  "One row per name of ranges and numeric Field of their "
                  "payload; `payload` is a plain number. Total, Avg, Min and Max "
                  "are of its values, Time is that of the ranges. Time/Unit: "
                  "Time by Total. Correlation: Pearson's, of value and duration, "
                  "from -1 to 1."},
    .build = build_payloads,
    RLN__COLUMNS(payloads),
    .sums = RLN__SUM_PAYLOADS,
};
