/* SPDX-License-Identifier: Apache-2.0 */
/* lod_walk.h - makes a trace by a random walk, and compares two indexes of it: two
 * threads push and pop in two domains, whose ranges cross, over many chunks. */
#ifndef RLN_TESTS_LOD_WALK_H
#define RLN_TESTS_LOD_WALK_H

#include "temp_trace.h"
#include "timeline/lod_build.h"
#include "timeline/lod_query.h"
#include "walk.h"

#define SMALL 4000 /* bytes of an index that must merge ranges: 60 buckets */

static void step(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base)
{
    const unsigned domain = draw(w, 4) == 0;
    unsigned *depth = &w->depth[thread][domain];

    w->t[thread] += 1 + (draw(w, 200) == 0 ? draw(w, 5000) : draw(w, 20));
    if (draw(w, 50) == 0) {
        (void)tb_event(c, RLN__MARK, 1 + draw(w, 2), w->t[thread] - base);
    } else if (*depth > 0 && (*depth == 4 || draw(w, 2))) {
        (void)tb_event(c, RLN__POP, domain ? 1 : 0, w->t[thread] - base);
        --*depth;
    } else {
        (void)tb_event(c, RLN__PUSH, domain ? 3 : 1 + draw(w, 2), w->t[thread] - base);
        ++*depth;
    }
}

static void sc_walk(struct tb *tb)
{
    walk(tb, (struct walk){.step = step, .step_bytes = 16, .seed = 1});
}

static void build(struct rln__lod *lod, rln_reader *reader, uint64_t budget)
{
    assert_int_equal(rln__lod_init(lod, reader, NULL, budget, NULL), RLN_OK);
    assert_int_equal(rln__lod_build(lod, NULL), RLN_OK);
    assert_true(lod->is_complete);
}

/* The ranges of a row that are in a span, one by one. */
static size_t find_in(struct rln__lod_row *row, int64_t from_ns, int64_t to_ns,
                      const struct rln__range_bucket **out)
{
    size_t i = rln__range_buckets_from(&row->buckets, from_ns);
    const size_t first = i;

    while (i < row->buckets.n && row->buckets.items[i].start_ns <= to_ns)
        i++;
    *out = row->buckets.items + first;
    return i - first;
}

static inline void expect_same(struct rln__lod_row *a, struct rln__lod_row *b,
                               int64_t from_ns, int64_t to_ns, int64_t doubt_ns)
{
    const struct rln__range_bucket *x, *y;
    const size_t n = find_in(a, from_ns, to_ns, &x);

    assert_int_equal(find_in(b, from_ns, to_ns, &y), n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(x[i].n, 1);
        assert_int_equal(y[i].n, 1);
        assert_int_equal(y[i].start_ns, x[i].start_ns);
        assert_int_equal(y[i].attr, x[i].attr);
        assert_int_equal(y[i].address, x[i].address);
        /* Ends after the chunks read are exact only to a bucket. */
        if (x[i].end_ns <= to_ns)
            assert_int_equal(y[i].end_ns, x[i].end_ns);
        assert_true(y[i].end_ns >= x[i].end_ns - doubt_ns &&
                    y[i].end_ns <= x[i].end_ns + doubt_ns);
    }
}

#endif
