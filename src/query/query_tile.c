/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_tile.h"

#include "base/alloc.h"
#include "base/json.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_narrow.h"
#include "timeline/lod_rows.h"

#include <math.h>
#include <string.h>

struct tile {
    struct rln__lod *lod, *whole, *narrow; /* the first is one of the others */
    struct rln__lod_filter_cache matching;
    int64_t from_ns, to_ns, pixel_ns;
    struct rln__range_bucket *buckets;         /* owned; of one row, as the next */
    struct rln__sample_bucket *sample_buckets; /* owned */
    size_t n, buckets_capacity, sample_buckets_capacity;
};

/* --- Items of a row --------------------------------------------------------------- */

static int add(struct tile *t, const struct rln__range_bucket *bucket)
{
    struct rln__range_bucket *added =
        rln__append(&t->buckets, &t->n, &t->buckets_capacity, sizeof(*added));

    if (!added)
        return -1;
    *added = *bucket;
    return 0;
}

/* Collects the matching buckets one by one, and then treats them as a row. */
static int find_matching(struct tile *t, struct rln__range_buckets *row, size_t at)
{
    struct rln__range_buckets some = {.is_mixed = row->is_mixed};
    struct rln__range_bucket bucket;
    int failed = 0;

    for (; at < row->n && row->items[at].start_ns <= t->to_ns && !failed; at++) {
        const int matches = rln__lod_matches(t->lod, &t->matching, row->items[at].attr);

        failed = matches < 0 || (matches && row->items[at].end_ns >= t->from_ns &&
                                 rln__range_buckets_add(&some, &row->items[at], 0));
    }
    at = 0;
    while (!failed &&
           rln__range_buckets_next(&some, &at, t->to_ns, t->pixel_ns, &bucket))
        failed = add(t, &bucket);
    rln__range_buckets_clear(&some);
    return failed;
}

static int find_buckets(struct tile *t, struct rln__range_buckets *row)
{
    size_t at = rln__range_buckets_from(row, t->from_ns);
    struct rln__range_bucket bucket;

    t->n = 0;
    if (t->matching.filter)
        return find_matching(t, row, at);
    while (rln__range_buckets_next(row, &at, t->to_ns, t->pixel_ns, &bucket)) {
        if (bucket.end_ns >= t->from_ns && add(t, &bucket))
            return -1;
    }
    return 0;
}

/* While the index is built: adds ranges that are still open where it has got to. */
static int find_open(struct tile *t, uint32_t row)
{
    struct rln__lod *lod = t->lod;

    for (size_t i = 0; !lod->is_complete && i < lod->engine.pairing.n_pool; i++) {
        struct rln__range_bucket bucket;

        if (!rln__lod_open(lod, i, row, &bucket) || bucket.start_ns > t->to_ns)
            continue;
        if (add(t, &bucket))
            return -1;
    }
    return 0;
}

static int find_sample_buckets(struct tile *t, struct rln__sample_buckets *row)
{
    size_t at = rln__sample_buckets_from(row, t->from_ns);
    struct rln__sample_bucket sample_bucket;

    t->n = 0;
    while (rln__sample_buckets_next(row, &at, t->to_ns, t->pixel_ns, &sample_bucket)) {
        struct rln__sample_bucket *added = rln__append(
            &t->sample_buckets, &t->n, &t->sample_buckets_capacity, sizeof(*added));

        if (!added)
            return -1;
        *added = sample_bucket;
    }
    return 0;
}

/* --- Columns ---------------------------------------------------------------------- */

enum column {
    START,
    END,
    NAME,
    COLOR,
    N,
    COVERED,
    OPEN,
    END_THREAD,
    FROM,
    TO,
    OWNER,
    N_COLUMNS
};

static const char *const columns[] = {"start", "end",     "name",   "color",
                                      "n",     "covered", "isOpen", "endThread",
                                      "from",  "to",      "owner"};

static int64_t number_of(const struct tile *t, const struct rln__lod_row *row, size_t i,
                         enum column column)
{
    const struct rln__range_bucket *bucket = &t->buckets[i];
    const struct rln__lod_attr *attr = &t->lod->attrs[bucket->attr];

    switch (column) {
    case START:
        return bucket->start_ns;
    case END:
        return bucket->end_ns;
    case NAME:
        return (int64_t)attr->name - 1;
    case COLOR:
        return (int64_t)attr->color - 1;
    case N:
        return bucket->n;
    case COVERED:
        return (int64_t)rln__range_bucket_covered(bucket);
    case OPEN:
        return bucket->is_open;
    case END_THREAD:
        return rln__lod_end_thread(row, bucket) == RLN__NONE
                   ? -1
                   : (int64_t)bucket->end_thread;
    case FROM: /* what a range of the owner must enclose */
        return rln__lod_has_call(row, bucket) ? rln__lod_call_span(bucket).from_ns : 0;
    case TO:
        return rln__lod_has_call(row, bucket) ? rln__lod_call_span(bucket).to_ns : 0;
    default:
        return rln__lod_has_call(row, bucket) ? (int64_t)rln__lod_owner(t->lod, bucket)
                                              : -1;
    }
}

/* The default value, for which a column is left out. */
static int64_t usual(const struct tile *t, const struct rln__lod_row *row, size_t i,
                     enum column column)
{
    switch (column) {
    case START:
    case NAME:
        return INT64_MIN; /* never absent */
    case END:
        return row->kind == RLN__LOD_MARKS ? t->buckets[i].start_ns : INT64_MIN;
    case N:
        return 1;
    case COVERED:
        return rln__range_bucket_ns(&t->buckets[i]);
    case OPEN:
    case FROM:
    case TO:
        return 0;
    default:
        return -1;
    }
}

static int is_needed(const struct tile *t, const struct rln__lod_row *row,
                     enum column column)
{
    for (size_t i = 0; i < t->n; i++) {
        if (number_of(t, row, i, column) != usual(t, row, i, column))
            return 1;
    }
    return column == START || column == NAME || column == END;
}

static void put_buckets(struct rln__buf *out, const struct tile *t,
                        const struct rln__lod_row *row)
{
    for (enum column c = START; c < N_COLUMNS; c++) {
        if (!is_needed(t, row, c))
            continue;
        rln__json_begin(out, columns[c], '[');
        for (size_t i = 0; i < t->n; i++)
            rln__json_i64(out, NULL, number_of(t, row, i, c));
        rln__buf_char(out, ']');
    }
}

/* Times, names and counts are integers; values are not. */
static void put_sample_buckets(struct rln__buf *out, const struct tile *t,
                               const struct rln__lod_row *row)
{
    static const char *const names[] = {"start", "end",   "name", "n",
                                        "value", "least", "most"};

    for (size_t c = 0; c < sizeof(names) / sizeof(names[0]); c++) {
        rln__json_begin(out, names[c], '[');
        for (size_t i = 0; i < t->n; i++) {
            const struct rln__sample_bucket *d = &t->sample_buckets[i];
            const int64_t whole[] = {d->first_ns, d->last_ns, row->name, d->n};
            const double real[] = {d->value, d->least, d->most};

            rln__json_key(out, NULL);
            if (c < 4)
                rln__buf_i64(out, whole[c]);
            else
                rln__put_real(out, real[c - 4]);
        }
        rln__buf_char(out, ']');
    }
}

/* The row from the index with the finer resolution. */
static struct rln__lod_row *row_of(struct tile *t, uint32_t number)
{
    t->lod = rln__lod_is_close(&t->whole->rows[number]) ? t->narrow : t->whole;
    return &t->lod->rows[number];
}

static int put_row(struct rln__buf *out, struct tile *t, uint32_t number)
{
    struct rln__lod_row *row = row_of(t, number);

    rln__buf_format(out, "{\"row\":%u", number);
    if (row->kind == RLN__LOD_COUNTER) {
        if (find_sample_buckets(t, &row->sample_buckets))
            return -1;
        put_sample_buckets(out, t, row);
    } else {
        if (find_buckets(t, &row->buckets) || find_open(t, number))
            return -1;
        put_buckets(out, t, row);
    }
    rln__buf_char(out, '}');
    return 0;
}

int rln__query_tile(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question *q = a->question;
    const double pixel = ((double)q->to - (double)q->from) / q->pixels;
    struct rln__lod_filter filter;
    struct tile t = {.lod = a->lod,
                     .whole = a->lod,
                     .from_ns = q->from,
                     .to_ns = q->to,
                     .pixel_ns = (int64_t)ceil(pixel)};
    int status = 200;

    t.narrow = rln__lod_refine(a->lod, q->from, q->to, t.pixel_ns);
    t.matching.filter = rln__query_filter(a, &filter);
    rln__buf_text(out, "{\"rows\":[");
    for (size_t i = 0; i < q->n_rows && status == 200; i++) {
        if (i)
            rln__buf_text(out, ",\n");
        if (q->rows[i] >= a->lod->n_rows)
            status = 404;
        else if (put_row(out, &t, q->rows[i]))
            status = 500;
    }
    rln__buf_text(out, "]}\n");
    rln__free(t.buckets);
    rln__free(t.sample_buckets);
    rln__lod_filter_cache_clear(&t.matching);
    return status;
}
