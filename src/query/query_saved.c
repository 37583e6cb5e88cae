/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_saved.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "query/query_about.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_payloads.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_saved.h"

#define MOST_PAYLOAD_BYTES (8u << 20)
#define MOST_LENGTHS 500000u /* of all names: a page has room for as many */

/* What is saved beside the index. Texts are put into one buffer, which may move: until
 * all are there, `saved` has none. */
struct saving {
    struct rln__lod *lod; /* borrowed */
    struct rln__lod_saved saved;
    size_t payloads_capacity;
    struct rln__buf head, tail, texts; /* owned */
    size_t n_payload_bytes;
};

/* --- Payloads --------------------------------------------------------------------- */

static int has_some(const struct rln__range_bucket *b)
{
    return b->n == 1 && b->address && (b->value_type || b->has_payloads || b->end);
}

/* 0: there is no room for it. */
static uint64_t keep(struct saving *s, struct rln__lod_details *details, rln_error *err)
{
    struct rln__lod_saved_payload *added;

    if (!details->value_type && !details->payloads.length)
        return 0;
    if (s->n_payload_bytes + details->payloads.length > MOST_PAYLOAD_BYTES) {
        s->saved.n_payloads_left_out++;
        details->payloads.length = 0;
    }
    added = rln__append(&s->saved.payloads, &s->saved.n_payloads, &s->payloads_capacity,
                        sizeof(*added));
    if (!added) {
        (void)rln__fail_nomem(err);
        s->texts.has_failed = 1;
        return 0;
    }
    s->n_payload_bytes += details->payloads.length;
    *added = (struct rln__lod_saved_payload){.value_type = details->value_type,
                                             .value_bits = details->value_bits,
                                             .json = {NULL, details->payloads.length}};
    rln__buf_add(&s->texts, details->payloads.bytes, details->payloads.length);
    return s->saved.n_payloads;
}

/* Makes the address of a range or mark the number of its payload; 0: it has none. */
static rln_status move_payload(struct saving *s, const struct rln__lod_row *row,
                               struct rln__range_bucket *b, rln_error *err)
{
    struct rln__lod_details read = {.value_type = 0};
    rln_status status = RLN_OK;

    if (has_some(b))
        status = rln__lod_read(s->lod, row, b, &read, err);
    s->texts.has_failed |= read.payloads.has_failed;
    b->address = status ? 0 : keep(s, &read, err);
    b->value_type = b->has_payloads = 0;
    b->end = 0;
    if (row->is_deferred)
        b->element = 0;
    rln__buf_clear(&read.payloads);
    return status;
}

static rln_status move_payloads(struct saving *s, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < s->lod->n_rows; i++) {
        struct rln__lod_row *row = &s->lod->rows[i];

        for (size_t k = 0; k < row->buckets.n && !status; k++) {
            struct rln__range_bucket *b = &row->buckets.items[k];

            if (!rln__lod_attr(s->lod, b->attr)) /* as a question would */
                status = rln__fail_nomem(err);
            else if (b->n == 1 && !rln__lod_has_others_times(row))
                status = move_payload(s, row, b, err);
        }
    }
    return status;
}

/* --- Durations -------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct rln__lod_name *x = *(const struct rln__lod_name *const *)a;
    const struct rln__lod_name *y = *(const struct rln__lod_name *const *)b;

    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    return (x > y) - (x < y); /* they lie in one array */
}

/* The names with the longest totals keep how long their ranges are. */
static rln_status limit_lengths(struct rln__lod *lod, rln_error *err)
{
    struct rln__lod_name **sorted = rln__alloc(lod->n_names, sizeof(*sorted));
    size_t n = 0;

    if (!sorted)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < lod->n_names; i++)
        sorted[i] = &lod->names[i];
    qsort(sorted, lod->n_names, sizeof(*sorted), by_total);
    for (size_t i = 0; i < lod->n_names; i++) {
        struct rln__duration_histogram *h = &sorted[i]->durations;

        n += rln__duration_histogram_is_exact(h) ? (size_t)h->n : h->n_steps;
        if (n > MOST_LENGTHS)
            rln__duration_histogram_forget(h);
    }
    rln__free(sorted);
    return RLN_OK;
}

/* --- Descriptions ----------------------------------------------------------------- */

static rln_status describe(struct saving *s, const struct rln__query_context *asked,
                           rln_error *err)
{
    struct rln__lod_saved *saved = &s->saved;
    struct rln__lod *lod = s->lod;

    saved->n_threads = rln__lod_count_threads(lod);
    saved->threads = rln__alloc(saved->n_threads, sizeof(*saved->threads));
    saved->n_groups = lod->n_groups;
    saved->groups = rln__alloc(saved->n_groups, sizeof(*saved->groups));
    if (!saved->threads || !saved->groups ||
        rln__query_describe(asked, &s->head, &s->tail))
        return rln__fail_nomem(err);
    for (size_t i = 0; i < saved->n_threads; i++)
        saved->threads[i] = rln__lod_thread_facts(lod, (uint32_t)i);
    for (size_t i = 0; i < saved->n_groups; i++) {
        const size_t begin = s->texts.length;

        rln__query_put_group(&s->texts, lod, i);
        saved->groups[i].length = s->texts.length - begin;
    }
    return s->head.has_failed || s->tail.has_failed || s->texts.has_failed
               ? rln__fail_nomem(err)
               : RLN_OK;
}

/* Payloads, then groups. */
static void set_texts(struct saving *s)
{
    const char *at = s->texts.bytes;

    s->saved.head = (rln_text){s->head.bytes, s->head.length};
    s->saved.tail = (rln_text){s->tail.bytes, s->tail.length};
    for (size_t i = 0; i < s->saved.n_payloads; i++) {
        s->saved.payloads[i].json.bytes = at;
        at += s->saved.payloads[i].json.length;
    }
    for (size_t i = 0; i < s->saved.n_groups; i++) {
        s->saved.groups[i].bytes = at;
        at += s->saved.groups[i].length;
    }
}

/* --- Outside ---------------------------------------------------------------------- */

rln_status rln__query_save(const struct rln__query_context *asked, struct rln__buf *out,
                           rln_error *err)
{
    struct saving s = {.lod = asked->lod};
    rln_status status = move_payloads(&s, err);

    if (!status)
        status = limit_lengths(s.lod, err);
    if (!status)
        status = describe(&s, asked, err);
    if (!status) {
        set_texts(&s);
        rln__lod_save(s.lod, &s.saved, out);
        status = out->has_failed ? rln__fail_nomem(err) : RLN_OK;
    }
    rln__buf_clear(&s.head);
    rln__buf_clear(&s.tail);
    rln__buf_clear(&s.texts);
    rln__lod_saved_clear(&s.saved);
    return status;
}
