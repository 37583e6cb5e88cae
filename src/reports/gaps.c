/* SPDX-License-Identifier: Apache-2.0 */
/* gaps.c - the time between two outermost ranges of a thread, in which no range was
 * open: not annotated, or spent waiting.
 *
 *     load |------|   gap    step |--------|  gap  load |---|
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "reports/report_list.h"

/* All gaps between a range of one name and the next one of another. */
struct gap_row {
    struct rln__nesting_row after, before; /* the first pair, whose names are shown */
    struct rln__tally ns;
};

struct search {
    struct gap_row *rows; /* owned */
    size_t n, capacity;
    struct rln__key_index keys; /* the two names */
    size_t *last; /* owned: by thread, the index + 1 of the outermost range that has
                     ended last so far */
    size_t n_threads, threads_capacity;
};

static int add(struct search *s, const struct rln__nesting_row *after,
               const struct rln__nesting_row *before)
{
    const struct rln__key key = {{after->name, before->name}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    struct gap_row *row =
        rln__key_index_item(&s->rows, &s->n, &s->capacity, number, sizeof(*row));

    if (!row)
        return -1;
    if (!row->ns.n) {
        row->after = *after;
        row->before = *before;
    }
    return rln__tally_add(&row->ns, (uint64_t)(before->start_ns - after->end_ns));
}

/* The entry of a thread in `last`. */
static size_t *last_of(struct search *s, uint32_t thread)
{
    if (thread >= s->n_threads) {
        size_t *last =
            rln__grow(s->last, &s->threads_capacity, (size_t)thread + 1, sizeof(*last));

        if (!last)
            return NULL;
        s->last = last;
        memset(last + s->n_threads, 0,
               (s->threads_capacity - s->n_threads) * sizeof(*last));
        s->n_threads = s->threads_capacity;
    }
    return &s->last[thread];
}

static int visit(struct search *s, const struct rln__nesting *nesting, size_t index)
{
    const struct rln__nesting_row range = rln__nesting_at(nesting, index);
    size_t *last;

    if (range.level || range.thread == UINT32_MAX)
        return 0;
    last = last_of(s, range.thread);
    if (!last)
        return -1;
    if (*last) {
        const struct rln__nesting_row before = rln__nesting_at(nesting, *last - 1);

        /* Ranges of several domains may overlap: then there is no gap. */
        if (range.start_ns >= before.end_ns && add(s, &before, &range))
            return -1;
        if (range.end_ns < before.end_ns)
            return 0;
    }
    *last = index + 1;
    return 0;
}

static int by_total(const void *a, const void *b)
{
    const struct gap_row *x = a, *y = b;

    if (x->ns.total != y->ns.total)
        return x->ns.total > y->ns.total ? -1 : 1;
    return (x->after.start_ns > y->after.start_ns) -
           (x->after.start_ns < y->after.start_ns);
}

static int find(struct search *s, const struct rln__nesting *nesting)
{
    for (size_t i = 0; i < rln__nesting_count(nesting); i++) {
        if (visit(s, nesting, i))
            return -1;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (rln__tally_end(&s->rows[i].ns))
            return -1;
    }
    if (s->n)
        qsort(s->rows, s->n, sizeof(*s->rows), by_total);
    return 0;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column columns[] = {
    RLN__NUMBERS("Time (%)"), RLN__TIMES("Total Time"), RLN__NUMBERS("Instances"),
    RLN__TIMES("Avg"),        RLN__TIMES("Med"),        RLN__TIMES("Min"),
    RLN__TIMES("Max"),        RLN__TEXTS("After"),      RLN__TEXTS("Before"),
};

static void put_row(rln_report *out, const struct gap_row *row, uint64_t total)
{
    rln__report_put_percent(out, row->ns.total, total);
    rln__report_put_ns(out, row->ns.total);
    rln__report_put_count(out, row->ns.n);
    rln__report_put_mean(out, row->ns.spread.average);
    rln__report_put_mean(out, row->ns.spread.median);
    rln__report_put_ns(out, row->ns.min);
    rln__report_put_ns(out, row->ns.max);
    rln__report_put_qualified(out, row->after.domain_name, row->after.message);
    rln__report_put_qualified(out, row->before.domain_name, row->before.message);
}

static rln_status build_gaps(const struct rln__report_source *source, rln_report *out)
{
    struct search s = {.n = 0};
    const int failed = find(&s, source->nesting);
    uint64_t total = 0;

    for (size_t i = 0; i < s.n; i++)
        total += s.rows[i].ns.total;
    for (size_t i = 0; i < s.n; i++) {
        put_row(out, &s.rows[i], total);
        rln__tally_clear(&s.rows[i].ns);
    }
    rln__key_index_clear(&s.keys);
    rln__free(s.last);
    rln__free(s.rows);
    return failed ? rln__fail_nomem(source->err) : RLN_OK;
}

const struct rln__report_kind rln__report_gaps = {
    .about = {.name = "gaps",
              .title = "Gaps",
              .help = "times between outermost push/pop ranges of a thread",
              .subject = "gaps between push/pop ranges",
              .details =
                  "Times in which a thread had no push/pop range open, between "
                  "two outermost ones: one row per pair of names, After the one "
                  "and Before the other. Time (%): share of all gaps. The time "
                  "before a thread's first range and after its last is left out, "
                  "and so are start/end ranges."},
    .build = build_gaps,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_NESTING,
};
