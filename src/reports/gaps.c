/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gaps.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct rln__gaps *gaps;
    struct rln__key_index keys; /* the two names */
    size_t *last; /* owned: by thread, the index + 1 of the outermost range that has
                     ended last so far */
    size_t n_threads, threads_capacity;
};

static int add(struct search *s, const rln_nesting_row *after,
               const rln_nesting_row *before)
{
    const struct rln__key key = {{after->name, before->name}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    struct rln__gap_row *row = rln__key_index_item(
        &s->gaps->rows, &s->gaps->n, &s->gaps->capacity, number, sizeof(*row));

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

static int visit(struct search *s, const rln_nesting *nesting, size_t index)
{
    rln_nesting_row range, before;
    size_t *last;

    (void)rln_nesting_get(nesting, index, &range);
    if (range.level || range.thread == UINT32_MAX)
        return 0;
    last = last_of(s, range.thread);
    if (!last)
        return -1;
    if (*last) {
        /* Ranges of several domains may overlap: then there is no gap. */
        (void)rln_nesting_get(nesting, *last - 1, &before);
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
    const struct rln__gap_row *x = a, *y = b;

    if (x->ns.total != y->ns.total)
        return x->ns.total > y->ns.total ? -1 : 1;
    return (x->after.start_ns > y->after.start_ns) -
           (x->after.start_ns < y->after.start_ns);
}

rln_status rln__gaps_find(const rln_nesting *nesting, struct rln__gaps *out,
                          rln_error *err)
{
    struct search s = {.gaps = out};
    int failed = 0;

    memset(out, 0, sizeof(*out));
    for (size_t i = 0; i < rln_nesting_count(nesting) && !failed; i++)
        failed = visit(&s, nesting, i);
    for (size_t i = 0; i < out->n && !failed; i++)
        failed = rln__tally_end(&out->rows[i].ns);
    rln__key_index_clear(&s.keys);
    rln__free(s.last);
    if (failed) {
        rln__gaps_clear(out);
        return rln__fail_nomem(err);
    }
    if (out->n)
        qsort(out->rows, out->n, sizeof(*out->rows), by_total);
    return RLN_OK;
}

void rln__gaps_clear(struct rln__gaps *gaps)
{
    for (size_t i = 0; i < gaps->n; i++)
        rln__tally_clear(&gaps->rows[i].ns);
    rln__free(gaps->rows);
    memset(gaps, 0, sizeof(*gaps));
}
