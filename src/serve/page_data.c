/* SPDX-License-Identifier: Apache-2.0 */
/* page_data.c - writes a trace as JSON for the viewer (viewer/decode.js): from an index
 * as the server has it, which is coarse if the trace has more than a page may hold.
 *
 *   about    what the server answers to about()
 *   sums     if the index is coarse: what its names come to, exactly
 *   rows     the items of each row of `about`: page_rows.c
 */
#include "serve/page_data.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "query/query_about.h"
#include "query/query_parts.h"
#include "serve/page_rows.h"
#include "timeline/lod_build.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SUMS 20000u   /* of names, the longest */
#define MOST_SPREADS 2000u /* of these, with the spread of their durations */

/* --- About ------------------------------------------------------------------------ */

/* JSON in a script of HTML: a `<`, which only texts have, is escaped. */
static void put_escaped(struct rln__buf *out, const struct rln__buf *json)
{
    const char *at = json->bytes, *end = at + json->length, *next;

    for (; at < end && (next = memchr(at, '<', (size_t)(end - at))); at = next + 1) {
        rln__buf_add(out, at, (size_t)(next - at));
        rln__buf_text(out, "\\u003c");
    }
    rln__buf_add(out, at, (size_t)(end - at));
    out->has_failed |= json->has_failed;
}

static int put_about(struct rln__buf *out, struct rln__lod *lod,
                     const struct rln__page_options *options)
{
    const struct rln__question question = {.n_traces = 1};
    const struct rln__query_context asked = {.question = &question,
                                             .lod = lod,
                                             .title = options->title,
                                             .filter = options->filter,
                                             .has_all = 1};
    struct rln__buf about = {0};
    const int status = rln__query_about(&asked, &about);

    rln__buf_text(out, "{\"about\":");
    put_escaped(out, &about);
    rln__buf_clear(&about);
    return status == 200 ? 0 : -1;
}

/* --- What names come to ----------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct rln__lod_name *x = *(const struct rln__lod_name *const *)a;
    const struct rln__lod_name *y = *(const struct rln__lod_name *const *)b;

    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    return (x > y) - (x < y); /* they lie in one array */
}

/* [name, total, self, ranges, marks, most] and, with a spread, what else instances()
 * returns: least, median, 95 %, and the count of each bar. */
static int put_sum(struct rln__buf *out, const struct rln__lod *lod,
                   const struct rln__lod_name *name, int has_spread)
{
    const struct rln__duration_histogram *l = &name->durations;
    struct rln__duration_histogram_spread spread = {.n_bars = 0};

    if (has_spread && rln__duration_histogram_spread(l, &spread))
        return -1;
    rln__buf_format(out, "[%zu,%llu,%llu,%llu,%llu,%llu", (size_t)(name - lod->names),
                    (unsigned long long)name->total_ns,
                    (unsigned long long)name->self_ns, (unsigned long long)l->n,
                    (unsigned long long)name->n_marks, (unsigned long long)l->max_ns);
    if (spread.n_bars)
        rln__buf_format(out, ",%llu,%.1f,%llu", (unsigned long long)l->min_ns,
                        spread.median_ns, (unsigned long long)spread.p95_ns);
    for (size_t i = 0; i < spread.n_bars; i++)
        rln__buf_format(out, "%s%llu", i ? "," : ",[",
                        (unsigned long long)spread.bars[i].n);
    rln__buf_text(out, spread.n_bars ? "]]" : "]");
    return 0;
}

static rln_status put_sums(struct rln__output *output, const struct rln__lod *lod,
                           rln_error *err)
{
    const struct rln__lod_name **sorted = rln__alloc(lod->n_names, sizeof(*sorted));
    rln_status status = sorted ? RLN_OK : rln__fail_nomem(err);
    size_t n = 0, n_sent;

    for (size_t i = 0; sorted && i < lod->n_names; i++) {
        if (lod->names[i].durations.n || lod->names[i].n_marks)
            sorted[n++] = &lod->names[i];
    }
    if (n)
        qsort(sorted, n, sizeof(*sorted), by_total);
    n_sent = n < MOST_SUMS ? n : MOST_SUMS;
    rln__buf_format(&output->buf, "\"sumsLeftOut\":%zu,\n\"sums\":[", n - n_sent);
    for (size_t i = 0; i < n_sent && !status; i++) {
        rln__buf_text(&output->buf, i ? ",\n" : "\n");
        status = put_sum(&output->buf, lod, sorted[i], i < MOST_SPREADS)
                     ? rln__fail_nomem(err)
                     : rln__output_flush_full(output, err);
    }
    rln__buf_text(&output->buf, "],\n");
    rln__free(sorted);
    return status;
}

/* --- All of it -------------------------------------------------------------------- */

static rln_status put_all(struct rln__output *output, struct rln__lod *lod,
                          const struct rln__page_options *options, rln_error *err)
{
    struct rln__page_rows rows = {.lod = lod, .output = output};
    rln_status status;

    if (put_about(&output->buf, lod, options))
        return rln__fail_nomem(err);
    rln__buf_format(&output->buf, ",\n\"resolution\":%lld,\n",
                    (long long)lod->resolution_ns);
    status = lod->resolution_ns ? put_sums(output, lod, err) : RLN_OK;
    if (!status)
        status = rln__page_rows_put(&rows, err);
    rln__buf_format(&output->buf, ",\n\"payloadsLeftOut\":%llu}\n",
                    (unsigned long long)rows.n_payloads_left_out);
    if (options->is_empty)
        *options->is_empty = !rows.n_items;
    if (options->is_overview)
        *options->is_overview = lod->resolution_ns != 0;
    return status;
}

rln_status rln__page_data(rln_reader *reader, const struct rln__page_options *options,
                          struct rln__output *output, rln_error *err)
{
    struct rln__lod lod;
    rln_status status = rln__lod_init(&lod, reader, NULL, 0, err);

    if (status)
        return status;
    lod.most_buckets =
        options->most_ranges ? (size_t)options->most_ranges : RLN__PAGE_RANGES;
    status = rln__lod_build(&lod, err);
    if (!status)
        status = put_all(output, &lod, options, err);
    if (!status && output->buf.has_failed)
        status = rln__fail_nomem(err);
    rln__lod_clear(&lod);
    return status;
}
