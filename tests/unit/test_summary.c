/* SPDX-License-Identifier: Apache-2.0 */
/* test_summary.c - the fast path through a trace gives the same results as the slow
 * one, and two threads the same as one.
 *
 * The trace is a random walk: two threads push and pop in two domains, deep, crossing
 * each other and out of order, with marks, values and long records in between.
 */
#include "ranges/event_filter.h"
#include "reports/summary/summary.h"
#include "same_summary.h"
#include "walk.h"

static void step(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base)
{
    const unsigned domain = draw(w, 8) == 0;
    unsigned *depth = &w->depth[thread][domain];
    uint64_t t = w->t[thread] - base;

    if (draw(w, 5000) == 0)
        w->rises = 300;
    w->rises -= w->rises > 0;
    w->t[thread] += draw(w, 300) == 0 ? draw(w, 5000) * 1000 : draw(w, 20);
    if (draw(w, 60) == 0 && t > 8)
        t -= 4; /* as of a signal handler, which took its slot later */
    if (draw(w, 50) == 0) {
        (void)tb_value(c, RLN__MARK_VALUE, 3, t, draw(w, 100));
    } else if (draw(w, 50) == 0) {
        (void)tb_event(c, RLN__MARK, 1 + draw(w, 2), t);
    } else if (draw(w, 200) == 0 && domain == 0) {
        tb_in_line(c, RLN__PUSH, w->t[thread], NULL, 0, "in line");
        ++*depth;
    } else if (draw(w, 1000) == 0 || (*depth > 0 && draw(w, w->rises ? 6 : 2) == 0)) {
        (void)tb_event(c, RLN__POP, domain ? 1 : 0, t); /* sometimes of nothing */
        *depth -= *depth > 0;
    } else if (*depth < 200 && (w->rises || *depth < 5)) {
        if (draw(w, 3))
            (void)tb_event(c, RLN__PUSH, domain ? 3 : 1 + draw(w, 2), t);
        else
            (void)tb_value(c, RLN__PUSH_VALUE, domain ? 3 : 1, t, draw(w, 100));
        ++*depth;
    }
}

static void sc_walk(struct tb *tb)
{
    walk(tb, (struct walk){.step = step, .step_bytes = 64, .seed = 7, .t = {10, 10}});
}

static void the_fast_and_the_slow_way_give_the_same_results(void **state)
{
    static const struct rln_filter everything;
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__stats *stats[2];
    struct rln__tree *trees[2];
    const struct rln__stats_totals *totals;
    uint32_t deepest = 0;

    (void)state;
    assert_int_equal(rln__tree_and_stats_new(reader, &trees[0], &stats[0], NULL),
                     RLN_OK);
    reader->filter = &everything; /* a filter forces the slow way */
    assert_int_equal(rln__tree_and_stats_new(reader, &trees[1], &stats[1], NULL),
                     RLN_OK);
    expect_same_stats(stats[0], stats[1]);
    expect_same_tree(trees[0], trees[1]);
    rln__stats_free(stats[1]);
    assert_int_equal(rln__stats_new(reader, &stats[1], NULL), RLN_OK); /* by names */
    expect_same_stats(stats[0], stats[1]);

    totals = rln__stats_get_totals(stats[0]);
    assert_true(totals->n_ranges > 20000);
    assert_true(totals->n_marks > 500);
    assert_true(totals->n_unmatched > 0);
    assert_true(totals->n_open > 0);
    for (size_t i = 0; i < rln__tree_count(trees[0]); i++) {
        const uint32_t level = rln__tree_at(trees[0], i)->level;

        deepest = level > deepest ? level : deepest;
    }
    assert_true(deepest > 100); /* deeper than the part of the stack kept at hand */
    for (size_t i = 0; i < 2; i++) {
        rln__stats_free(stats[i]);
        rln__tree_free(trees[i]);
    }
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fast_and_the_slow_way_give_the_same_results),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
