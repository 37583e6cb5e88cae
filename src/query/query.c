/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query.h"
#include "base/alloc.h"
#include "base/json.h"
#include "query/query_about.h"
#include "query/query_counters.h"
#include "query/query_highlights.h"
#include "query/query_inside.h"
#include "query/query_links.h"
#include "query/query_overview.h"
#include "query/query_report.h"
#include "query/query_sought.h"
#include "query/query_states.h"
#include "query/query_tile.h"
#include "query/viewer_json.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_narrow.h"
#include "timeline/lod_payloads.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_sums.h"

#include <math.h>

#define MOST_CHILDREN 100u

/* --- Sums ------------------------------------------------------------------------- */

/* 95 % of the ranges of a sum are not longer. Nothing is known if some of its ranges
 * have no length. */
static int put_p95(struct rln__buf *out, const struct rln__lod_sum *sum,
                   const struct rln__duration_histogram *durations)
{
    struct rln__duration_histogram_spread spread;

    if (durations->n == 0 || durations->n != sum->n)
        return 0;
    if (rln__duration_histogram_spread(durations, &spread))
        return -1;
    if (!spread.n_bars)
        return 0;
    rln__json_u64(out, "p95", spread.p95_ns);
    if (durations->n > RLN__DURATION_HISTOGRAM_EXACT)
        rln__json_bool(out, "isP95Rough", 1);
    return 0;
}

/* The durations of the ranges of a sum, if they are those of the whole trace. */
struct whole_durations {
    const struct rln__lod *lod;               /* NULL: they are not */
    struct rln__duration_histogram *of_kinds; /* owned, by name; NULL: not folded */
};

static int put_sums(struct rln__buf *out, const struct rln__lod_sum *items, size_t n,
                    int is_flame, const struct whole_durations *durations)
{
    int failed = 0;

    rln__buf_text(out, ",\"rows\":[");
    for (size_t i = 0; i < n && !failed; i++) {
        rln__buf_text(out, i ? ",\n{" : "{");
        rln__json_u64(out, "name", items[i].name);
        if (is_flame)
            rln__json_i64(out, "parent",
                          items[i].parent == RLN__NONE ? -1 : (int64_t)items[i].parent);
        rln__json_u64(out, "total", items[i].total_ns - items[i].nested_ns);
        if (items[i].nested_ns)
            rln__json_u64(out, "nested", items[i].nested_ns);
        rln__json_i64(out, "self", items[i].self_ns);
        rln__json_u64(out, "calls", items[i].n);
        if (!is_flame)
            rln__json_u64(out, "max", items[i].longest_ns);
        if (durations->lod)
            failed = put_p95(out, &items[i],
                             durations->of_kinds
                                 ? &durations->of_kinds[items[i].name]
                                 : &durations->lod->names[items[i].name].durations);
        rln__buf_char(out, '}');
    }
    rln__buf_text(out, "]}");
    return failed;
}

static int merge_kinds(struct rln__lod *lod, struct whole_durations *durations)
{
    const uint32_t *kinds = rln__lod_kinds_of_names(lod);
    int failed = 0;

    if (!kinds)
        return -1;
    durations->of_kinds = rln__alloc(lod->n_names, sizeof(*durations->of_kinds));
    for (size_t i = 0; i < lod->n_names && durations->of_kinds && !failed; i++)
        failed = rln__duration_histogram_merge(&durations->of_kinds[kinds[i]],
                                               &lod->names[i].durations);
    return durations->of_kinds ? failed : -1;
}

static void clear_durations(struct whole_durations *durations)
{
    for (size_t i = 0; durations->of_kinds && i < durations->lod->n_names; i++)
        rln__duration_histogram_clear(&durations->of_kinds[i]);
    rln__free(durations->of_kinds);
}

static int put_names(const struct rln__query_context *a, struct rln__buf *out,
                     const struct rln__lod_sums *sums, int is_whole)
{
    const size_t n =
        sums->n_names < RLN__MOST_SUMS_SENT ? sums->n_names : RLN__MOST_SUMS_SENT;
    struct whole_durations durations = {.lod = is_whole ? a->lod : NULL};
    int failed = 0;

    rln__buf_format(out, "{\"more\":%zu,\"isRough\":%s", sums->n_names - n,
                    sums->are_names_rough ? "true" : "false");
    if (is_whole && a->question->is_folded && n)
        failed = merge_kinds(a->lod, &durations);
    if (!failed)
        failed = put_sums(out, sums->names, n, 0, &durations);
    clear_durations(&durations);
    return failed;
}

static int put_paths(struct rln__buf *out, struct rln__lod_sums *sums)
{
    const struct whole_durations none = {.lod = NULL};
    const size_t n_all = sums->n_paths;
    uint64_t rest_ns;

    if (rln__lod_keep_longest(sums, RLN__MOST_PATHS_SENT, &rest_ns))
        return -1;
    rln__buf_format(out, "{\"more\":%zu,\"rest\":%llu,\"isRough\":%s",
                    n_all - sums->n_paths, (unsigned long long)rest_ns,
                    sums->are_paths_rough ? "true" : "false");
    return put_sums(out, sums->paths, sums->n_paths, 1, &none);
}

/* Which rows count in sums, if not all; NULL: no memory. Owned. Threads have
 * groups of their own, and there are few groups of many rows. */
static uint8_t *rows_that_count(const struct rln__query_context *a)
{
    const struct rln__question *q = a->question;
    const rln_text thread = rln__query_text(&q->filter_thread);
    uint8_t *rows = thread.length ? rln__query_rows_of_threads(a->lod, thread)
                                  : rln__alloc(a->lod->n_rows, sizeof(*rows));

    if (!rows || !q->n_rows)
        return rows;
    for (size_t i = 0; i < a->lod->n_rows; i++)
        if (rows[i] || !thread.length)
            rows[i] = RLN__LOD_ROW_IS_INSIDE;
    for (size_t i = 0; i < q->n_rows; i++)
        if (q->rows[i] < a->lod->n_rows && rows[q->rows[i]])
            rows[q->rows[i]] = RLN__LOD_ROW_COUNTS;
    return rows;
}

static int query_sums(const struct rln__query_context *a, struct rln__buf *out)
{
    const int is_of_some = a->question->filter_thread.length || a->question->n_rows;
    struct rln__lod_filter filter;
    const struct rln__lod_filter *matching = rln__query_filter(a, &filter);
    struct rln__lod_sums sums = {0};
    uint8_t *rows = NULL; /* owned */
    int failed = 0;

    if (is_of_some) {
        filter.rows = rows = rows_that_count(a);
        matching = &filter;
        failed = !rows;
    }
    if (!failed)
        failed = rln__lod_sum_up(a->lod, a->question->from, a->question->to, matching,
                                 a->question->is_folded, &sums);
    rln__free(rows);
    if (!failed && a->question->kind == RLN__QUERY_FLAME)
        failed = put_paths(out, &sums);
    else if (!failed)
        failed = put_names(a, out, &sums,
                           !matching && a->lod->is_complete &&
                               a->question->from <= a->lod->first_ns &&
                               a->question->to >= a->lod->last_ns);
    rln__lod_sums_clear(&sums);
    return failed ? 500 : 200;
}

/* --- One range -------------------------------------------------------------------- */

static void put_parent(struct rln__buf *out, struct rln__lod *lod, uint32_t row,
                       int64_t ns, int *n)
{
    const struct rln__range_bucket *bucket = rln__lod_at(lod, row, ns);

    if (!bucket)
        return;
    rln__buf_text(out, (*n)++ ? ",\n" : "");
    rln__query_begin_item(out, lod, row, bucket);
    rln__buf_char(out, '}');
}

static void put_parents(struct rln__buf *out, struct rln__lod *lod, uint32_t row,
                        int64_t ns)
{
    const uint32_t thread =
        lod->rows[row].kind == RLN__LOD_CALLS ? lod->rows[row].thread : RLN__NONE;
    int n = 0;

    rln__buf_text(out, ",\"parents\":[");
    if (thread == RLN__NONE)
        for (row = lod->rows[row].above; row != RLN__NONE; row = lod->rows[row].above)
            put_parent(out, lod, row, ns, &n);
    else /* any range of its thread may be around a call */
        for (row = (uint32_t)lod->n_rows; row-- > 0;)
            if (rln__lod_is_of_ranges(&lod->rows[row]) &&
                rln__lod_is_same_thread(lod, lod->rows[row].thread, thread))
                put_parent(out, lod, row, ns, &n);
    rln__buf_char(out, ']');
}

/* The ranges that begin directly inside it. */
static void put_children(struct rln__buf *out, struct rln__lod *lod, uint32_t row,
                         const struct rln__range_bucket *bucket)
{
    unsigned n = 0;

    rln__buf_text(out, ",\"children\":[");
    for (uint32_t below = row + 1; below < lod->n_rows; below++) {
        struct rln__range_buckets *buckets = &lod->rows[below].buckets;

        if (!rln__lod_may_be_in(lod, row, below))
            continue;
        for (size_t i = rln__range_buckets_from(buckets, bucket->start_ns);
             i < buckets->n &&
             buckets->items[i].start_ns < bucket->end_ns + bucket->is_open &&
             n < MOST_CHILDREN;
             i++) {
            if (buckets->items[i].start_ns < bucket->start_ns ||
                !rln__lod_is_directly_in(lod, row, below, buckets->items[i].start_ns))
                continue;
            rln__buf_text(out, n++ ? ",\n" : "");
            rln__query_begin_item(out, lod, below, &buckets->items[i]);
            rln__buf_char(out, '}');
        }
    }
    rln__buf_char(out, ']');
}

static int put_details(struct rln__buf *out, struct rln__lod *lod,
                       const struct rln__lod_row *row,
                       const struct rln__range_bucket *bucket)
{
    struct rln__lod_details details;
    const rln_status status = rln__lod_read(lod, row, bucket, &details, NULL);

    rln__buf_text(out, ",\"value\":");
    if (details.value_type)
        rln__viewer_json_number(out, details.value_type, details.value_bits);
    else
        rln__buf_text(out, "null");
    rln__buf_text(out, ",\"payloads\":");
    if (details.payloads.length)
        rln__viewer_json(out, details.payloads.bytes, details.payloads.length);
    else
        rln__buf_text(out, "[]");
    out->has_failed |= details.payloads.has_failed;
    rln__buf_clear(&details.payloads);
    return status ? 500 : 200;
}

static void put_category(struct rln__buf *out, const struct rln__lod_kinship *kinship)
{
    struct rln__buf shown = {0};

    if (kinship->number) {
        rln__lod_put_category(&shown, kinship);
        rln__put_text(out, "category", (rln_text){shown.bytes, shown.length});
    } else {
        rln__buf_text(out, ",\"category\":null");
    }
    rln__buf_clear(&shown);
}

/* What begins there, or else is there. */
static const struct rln__range_bucket *bucket_at(struct rln__lod *lod,
                                                 const struct rln__lod_position *at)
{
    const struct rln__range_bucket *bucket = rln__lod_item(lod, at);

    return bucket ? bucket : rln__lod_at(lod, at->row, at->start_ns);
}

/* Of a range that is projected on a stream, where the range itself is. */
static struct rln__lod_position origin_of(struct rln__lod *lod,
                                          const struct rln__question *q)
{
    const struct rln__lod_position at = {q->start, q->row, q->tie_index};
    const struct rln__range_bucket *bucket =
        lod->rows[q->row].kind == RLN__LOD_PROJECTED ? bucket_at(lod, &at) : NULL;

    return bucket && bucket->n == 1
               ? (struct rln__lod_position){bucket->call_ns, bucket->call_took,
                                            RLN__NONE}
               : at;
}

static int query_details(const struct rln__query_context *a, struct rln__buf *out)
{
    struct rln__lod *lod = a->lod;
    struct rln__lod_position at;
    const struct rln__range_bucket *bucket;
    const struct rln__lod_row *r;
    const struct rln__lod_kinship *kinship;
    uint32_t row;
    int status;

    if (a->question->row >= lod->n_rows)
        return 404;
    at = origin_of(lod, a->question);
    row = at.row;
    if (rln__lod_is_close(&lod->rows[row]))
        lod = rln__lod_refine(lod, at.start_ns, at.start_ns, 0);
    r = &lod->rows[row];
    bucket = bucket_at(lod, &at);
    if (bucket && lod != a->lod) { /* read its whole length, for its children */
        lod = rln__lod_refine(a->lod, bucket->start_ns, bucket->end_ns, 0);
        r = &lod->rows[row];
        bucket = bucket_at(lod, &at);
    }
    if (!bucket) {
        rln__buf_text(out, "null");
        return 200;
    }
    kinship = &lod->kinships[lod->attrs[bucket->attr].kinship];
    rln__query_begin_item(out, lod, row, bucket);
    rln__buf_format(
        out, ",\"n\":%u,\"covered\":%llu,\"color\":%lld,\"isOpen\":%u,\"thread\":%lld",
        (unsigned)bucket->n, (unsigned long long)rln__range_bucket_covered(bucket),
        (long long)lod->attrs[bucket->attr].color - 1, (unsigned)bucket->is_open,
        r->thread == RLN__NONE ? -1LL : (long long)r->thread);
    if (rln__lod_end_thread(r, bucket) != RLN__NONE)
        rln__json_u64(out, "endThread", bucket->end_thread);
    else
        rln__buf_text(out, ",\"endThread\":null");
    put_category(out, kinship);
    if (a->is_compared) /* it takes a while */
        rln__json_u64(out, "occurrence",
                      rln__lod_count_before(a->lod, rln__query_name(lod, bucket),
                                            bucket->start_ns) +
                          1);
    status = put_details(out, lod, r, bucket);
    put_parents(out, lod, row, bucket->start_ns);
    put_children(out, lod, row, bucket);
    rln__buf_char(out, '}');
    return status;
}

int rln__query(const struct rln__query_context *a, struct rln__buf *out)
{
    switch (a->question->kind) {
    case RLN__QUERY_ABOUT:
        return rln__query_about(a, out);
    case RLN__QUERY_TILE:
        return rln__query_tile(a, out);
    case RLN__QUERY_SUMS:
    case RLN__QUERY_FLAME:
        return query_sums(a, out);
    case RLN__QUERY_DETAILS:
        return query_details(a, out);
    case RLN__QUERY_INSTANCES:
        return rln__query_instances(a, out);
    case RLN__QUERY_NEXT:
    case RLN__QUERY_HIT:
        return rln__query_next(a, out);
    case RLN__QUERY_OCCURRENCES:
        return rln__query_occurrences(a, out);
    case RLN__QUERY_OVERVIEW:
        return rln__query_overview(a, out);
    case RLN__QUERY_COUNTERS:
        return rln__query_counters(a, out);
    case RLN__QUERY_STATES:
        return rln__query_states(a, out);
    case RLN__QUERY_INSIDE:
        return rln__query_inside(a, out);
    case RLN__QUERY_HIGHLIGHTS:
        return rln__query_highlights(a, out);
    case RLN__QUERY_LINKS:
        return rln__query_links(a, out);
    case RLN__QUERY_NTH:
        return rln__query_nth(a, out);
    case RLN__QUERY_SEARCH:
        return rln__query_search(a, out);
    case RLN__QUERY_NAMES:
        return rln__query_names(a, out);
    case RLN__QUERY_REPORTS:
        return a->lod->saved ? 404 : rln__query_reports(a, out);
    case RLN__QUERY_REPORT:
        return a->lod->saved ? 404 : rln__query_report(a, out);
    default:
        return 404;
    }
}
