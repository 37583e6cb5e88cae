/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/page_rows.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/json.h"
#include "query/query_about.h"
#include "query/query_parts.h"
#include "query/viewer_json.h"
#include "timeline/lod_gpu.h"
#include "timeline/lod_payloads.h"
#include "timeline/lod_rows.h"

/* --- Columns of numbers ----------------------------------------------------------- */

enum column {
    AT,
    NS,
    NAME,
    COLOR,
    CATEGORY,
    MORE,
    VARIED,
    COVERED,
    LONGEST,
    CALL,
    CALLER,
    OWNER,
    FROM,
    TOOK,
    N_COLUMNS
};

static const char *const columns[] = {
    "at",      "ns",      "name", "color",  "category", "more", "varied",
    "covered", "longest", "call", "caller", "owner",    "from", "took"};

static int64_t between(int64_t from_ns, int64_t to_ns)
{
    return (int64_t)((uint64_t)to_ns - (uint64_t)from_ns);
}

static int64_t number_of(const struct rln__page_rows *p, const struct rln__lod_row *row,
                         size_t i, enum column column)
{
    const struct rln__range_bucket *b = &row->buckets.items[i];
    const struct rln__lod_attr *attr = &p->lod->attrs[b->attr];

    switch (column) {
    case AT:
        return between(i ? b[-1].start_ns : 0, b->start_ns);
    case NS: /* below 0: never closed, and -1 - ns up to the end of its part */
        return b->n == 1 && b->is_open ? -1 - rln__range_bucket_ns(b)
                                       : rln__range_bucket_ns(b);
    case NAME:
        return (int64_t)attr->name - 1;
    case COLOR:
        return attr->color;
    case CATEGORY:
        return p->categories[attr->kinship];
    case MORE:
        return b->n - 1;
    case VARIED:
        return b->is_varied;
    case COVERED:
        return b->n == 1 ? 0 : (int64_t)b->covered_ns;
    case LONGEST:
        return b->n == 1 ? 0 : (int64_t)b->longest_ns;
    case CALL: /* how long before the operation it began */
        return rln__lod_has_call(row, b) ? between(b->call_ns, b->start_ns) : 0;
    case CALLER:
        return rln__lod_has_call(row, b) ? b->caller : 0;
    case OWNER: /* if its ranges have adopted it, + 1 */
        return rln__lod_has_call(row, b) && b->is_adopted
                   ? (int64_t)rln__lod_owner(p->lod, b) + 1
                   : 0;
    case FROM: /* how long after the call what a range of the owner must enclose */
        return rln__lod_has_call(row, b)
                   ? between(b->call_ns, rln__lod_call_span(b).from_ns)
                   : 0;
    default: /* and how long that takes */
        return rln__lod_has_call(row, b)
                   ? between(rln__lod_call_span(b).from_ns, rln__lod_call_span(b).to_ns)
                   : 0;
    }
}

static int64_t sample_number(const struct rln__lod_row *row, size_t i,
                             enum column column)
{
    const struct rln__sample_bucket *b = &row->sample_buckets.items[i];

    switch (column) {
    case AT:
        return between(i ? b[-1].first_ns : 0, b->first_ns);
    case NS:
        return b->last_ns - b->first_ns;
    case MORE:
        return b->n - 1;
    default: /* its row has its name */
        return 0;
    }
}

static void put_numbers(const struct rln__page_rows *p, const struct rln__lod_row *row,
                        enum column column)
{
    const int is_counter = row->kind == RLN__LOD_COUNTER;
    const size_t n = is_counter ? row->sample_buckets.n : row->buckets.n;
    struct rln__buf *out = &p->output->buf;
    int is_needed = column == AT || (column == NAME && !is_counter);

    for (size_t i = 0; i < n && !is_needed; i++)
        is_needed = (is_counter ? sample_number(row, i, column)
                                : number_of(p, row, i, column)) != 0;
    if (!is_needed)
        return;
    rln__json_begin(out, columns[column], '[');
    for (size_t i = 0; i < n; i++)
        rln__json_i64(out, NULL,
                      is_counter ? sample_number(row, i, column)
                                 : number_of(p, row, i, column));
    rln__buf_char(out, ']');
}

/* --- Samples ---------------------------------------------------------------------- */

static double real_of(const struct rln__sample_bucket *b, int column)
{
    return column == 0 ? b->value : column == 1 ? b->least : b->most;
}

static void put_samples(struct rln__buf *out, const struct rln__lod_row *row)
{
    static const char *const names[] = {"value", "low", "high"};
    const struct rln__sample_buckets *b = &row->sample_buckets;
    int n_columns = 1; /* of one sample, they are the same */

    for (size_t i = 0; i < b->n && n_columns == 1; i++)
        n_columns = b->items[i].n > 1 ? 3 : 1;
    for (int c = 0; c < n_columns; c++) {
        rln__json_begin(out, names[c], '[');
        for (size_t i = 0; i < b->n; i++) {
            rln__json_key(out, NULL);
            rln__put_real(out, real_of(&b->items[i], c));
        }
        rln__buf_char(out, ']');
    }
}

/* --- What only few items have ----------------------------------------------------- */

static void put_end_threads(struct rln__buf *out, const struct rln__lod_row *row)
{
    int has_any = 0;

    for (size_t i = 0; i < row->buckets.n; i++) {
        const uint32_t thread = rln__lod_end_thread(row, &row->buckets.items[i]);

        if (thread == RLN__NONE)
            continue;
        if (!has_any++)
            rln__json_begin(out, "endThread", '{');
        rln__buf_format(out, "%s\"%zu\":%u", has_any > 1 ? "," : "", i, thread);
    }
    if (has_any)
        rln__buf_char(out, '}');
}

/* The values of a row's events, and their payloads by index, as members of JSON. */
struct details {
    struct rln__buf values, payloads;
    int has_values;
};

static int carries(const struct rln__lod_row *row, const struct rln__range_bucket *b)
{
    return b->n == 1 && !row->is_stream && (b->value_type || b->has_payloads || b->end);
}

/* Payloads are kept while there is room. */
static void add_payloads(struct rln__page_rows *p, struct details *details, size_t i,
                         const struct rln__buf *payloads)
{
    if (p->payload_bytes + payloads->length > RLN__PAGE_PAYLOAD_BYTES) {
        p->n_payloads_left_out++;
        return;
    }
    p->payload_bytes += payloads->length;
    rln__buf_format(&details->payloads,
                    "%s\"%zu\":", details->payloads.length ? "," : "", i);
    rln__viewer_json(&details->payloads, payloads->bytes, payloads->length);
}

static rln_status read_details(struct rln__page_rows *p, const struct rln__lod_row *row,
                               size_t i, struct details *details, rln_error *err)
{
    struct rln__lod_details read = {.value_type = 0};
    rln_status status = RLN_OK;

    if (carries(row, &row->buckets.items[i]))
        status = rln__lod_read(p->lod, row, &row->buckets.items[i], &read, err);
    if (i)
        rln__buf_char(&details->values, ',');
    if (read.value_type)
        rln__viewer_json_number(&details->values, read.value_type, read.value_bits);
    else
        rln__buf_text(&details->values, "null");
    details->has_values |= read.value_type;
    if (read.payloads.length)
        add_payloads(p, details, i, &read.payloads);
    details->payloads.has_failed |= read.payloads.has_failed;
    rln__buf_clear(&read.payloads);
    return status;
}

static void put_details(struct rln__buf *out, const struct details *details)
{
    if (details->has_values) {
        rln__json_begin(out, "value", '[');
        rln__buf_add(out, details->values.bytes, details->values.length);
        rln__buf_char(out, ']');
    }
    if (details->payloads.length) {
        rln__json_begin(out, "payloads", '{');
        rln__buf_add(out, details->payloads.bytes, details->payloads.length);
        rln__buf_char(out, '}');
    }
    out->has_failed |= details->values.has_failed | details->payloads.has_failed;
}

static rln_status put_events(struct rln__page_rows *p, const struct rln__lod_row *row,
                             rln_error *err)
{
    struct details details = {.has_values = 0};
    rln_status status = RLN_OK;

    for (size_t i = 0; i < row->buckets.n && !status; i++)
        status = read_details(p, row, i, &details, err);
    put_end_threads(&p->output->buf, row);
    put_details(&p->output->buf, &details);
    rln__buf_clear(&details.values);
    rln__buf_clear(&details.payloads);
    return status;
}

/* --- Rows ------------------------------------------------------------------------- */

/* Sorts a row, and looks all its attributes up. 0, or -1: no memory. */
static int prepare(struct rln__lod *lod, struct rln__lod_row *row)
{
    (void)rln__range_buckets_from(&row->buckets, 0);
    (void)rln__sample_buckets_from(&row->sample_buckets, 0);
    for (size_t i = 0; i < row->buckets.n; i++) {
        if (!rln__lod_attr(lod, row->buckets.items[i].attr))
            return -1;
    }
    return 0;
}

static rln_status put_row(struct rln__page_rows *p, struct rln__lod_row *row,
                          rln_error *err)
{
    struct rln__buf *out = &p->output->buf;
    rln_status status = prepare(p->lod, row) ? rln__fail_nomem(err) : RLN_OK;

    p->n_items += row->buckets.n + row->sample_buckets.n;
    rln__buf_text(out, "\n{");
    for (enum column c = AT; c < N_COLUMNS && !status; c++)
        put_numbers(p, row, c);
    if (!status && row->kind == RLN__LOD_COUNTER)
        put_samples(out, row);
    else if (!status)
        status = put_events(p, row, err);
    rln__buf_char(out, '}');
    return status ? status : rln__output_flush_full(p->output, err);
}

rln_status rln__page_rows_put(struct rln__page_rows *p, rln_error *err)
{
    rln_status status = RLN_OK;

    p->categories = rln__query_categories(p->lod);
    if (!p->categories)
        return rln__fail_nomem(err);
    rln__buf_text(&p->output->buf, "\"rows\":[");
    for (size_t i = 0; i < p->lod->n_rows && !status; i++) {
        rln__buf_text(&p->output->buf, i ? "," : "");
        status = put_row(p, &p->lod->rows[i], err);
    }
    rln__buf_text(&p->output->buf, "]");
    rln__free(p->categories);
    p->categories = NULL;
    return status;
}
