/* SPDX-License-Identifier: Apache-2.0 */
/* test_stretches.c - a summary is the same from stretches, read by any number of readers,
 * as from one chunk after the other.
 *
 * The traces are random walks with everything that a stretch leaves to others: ranges
 * that cross chunks and domains, starts and ends on other threads, ends before their
 * starts, gaps, new names, payloads that rename, threads that share a chunk, and damage.
 */
#include "base/count.h"
#include "failed_allocations.h"
#include "ranges/event_filter.h"
#include "reports/summary/summary.h"
#include "same_summary.h"
#include "trace/open/load.h"
#include "walk.h"

enum { N_IDS = 16, MANY_SEEDS = 60 };

struct kinds {
    unsigned fresh, started, renamed, lost, shared, damaged,
        resumed;   /* one in so many steps */
    int is_uneven; /* across chunks */
};

static struct kinds kinds;
static uint64_t ids[N_IDS]; /* of starts, some of which have ended */

static int is_one_in(struct walk *w, unsigned n)
{
    return n && draw(w, n) == 0;
}

static void rename_at_end(struct walk *w, struct tb_chunk *c, uint64_t t)
{
    static const struct ps_reply named = {"served", 0xff00ff00u, -1};
    static const struct ps_request unnamed = {"", 0, 0, 0.1};
    const uint64_t *id = draw(w, 2) ? &ids[draw(w, N_IDS)] : NULL;

    (void)pb_event(c, id ? RLN__END : RLN__POP, 1, t, id,
                   draw(w, 2) ? PS_REPLY : PS_SIZES,
                   draw(w, 2) ? (void *)&named : (void *)&unnamed, sizeof(named));
}

static void step(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base)
{
    const unsigned domain = draw(w, 6) == 0;
    unsigned *depth = &w->depth[thread][domain];
    uint64_t t = w->t[thread] - base;

    w->t[thread] += draw(w, 300) == 0 ? draw(w, 5000) * 1000 : draw(w, 20);
    if (draw(w, 60) == 0 && t > 8)
        t -= 4; /* as of a signal handler */
    if (kinds.is_uneven && (t < 8 || c->at + 3 * w->step_bytes > c->end))
        t += draw(w, 40); /* later than what follows, perhaps in the next chunk */
    if (is_one_in(w, kinds.fresh)) {
        char text[16];

        (void)snprintf(text, sizeof(text), "fresh %u", draw(w, 30));
        tb_in_line(c, draw(w, 4) ? RLN__PUSH : RLN__MARK, base + t, NULL, domain, text);
        ++*depth;
    } else if (is_one_in(w, kinds.started)) {
        uint64_t *id = &ids[draw(w, N_IDS)];

        if (draw(w, 2))
            *id = tb_event(c, RLN__START, 1 + draw(w, 3), t);
        else
            (void)tb_value(c, RLN__END, 0, t, draw(w, 9) ? *id : *id + 1);
    } else if (is_one_in(w, kinds.renamed)) {
        rename_at_end(w, c, base + t);
        *depth -= *depth > 0;
    } else if (is_one_in(w, kinds.lost)) {
        tb_depths(c, draw(w, 3) ? RLN__SUB_GAP : RLN__SUB_INHERITED, base + t,
                  draw(w, 40), domain, draw(w, 4));
    } else if (is_one_in(w, kinds.shared)) {
        const unsigned owner = draw(w, 3);

        tb_thread(c, 1 + owner, 100 + owner, base + t, owner ? "" : "walker");
    } else if (is_one_in(w, kinds.resumed)) {
        sc_resumed(c, base + t, domain, domain ? 3 : 1);
        ++*depth;
    } else if (is_one_in(w, kinds.damaged)) {
        (void)tb_word(c, draw(w, 2) ? 7 : rln__long_word(RLN__LONG, RLN__SUB_EVENT, 2));
    } else if (draw(w, 50) == 0) {
        (void)tb_value(c, RLN__MARK_VALUE, 3, t, draw(w, 100));
    } else if (draw(w, 300) == 0 || (*depth > 0 && draw(w, 2) == 0)) {
        (void)tb_event(c, RLN__POP, domain, t); /* sometimes of nothing */
        *depth -= *depth > 0;
    } else if (*depth < 80) {
        (void)tb_event(c, RLN__PUSH, domain ? 3 : 1 + draw(w, 2), t);
        ++*depth;
    }
}

/* Chunks of two threads, one of which has twice as many. */
static void build(struct tb *tb, uint64_t seed, const struct kinds *of, unsigned n)
{
    struct walk w = {.step_bytes = 160, .seed = seed, .t = {10, 10}};
    struct tb_chunk names;

    kinds = *of;
    memset(ids, 0, sizeof(ids));
    (void)tb_part(tb, 31);
    tb_window(tb, 5, RLN__WINDOW_BY_COMMAND, 0, 0);
    sc_names(tb, 1, 100);
    names = tb_names(tb, 1);
    ps_register(&names);
    for (unsigned i = 0; i < n; i++) {
        const unsigned thread = i % 3 == 2;
        const uint64_t base = w.t[thread];
        const unsigned n_steps = draw(&w, 200);
        struct tb_chunk c =
            tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, thread + 1, 100 + thread, base);

        if (draw(&w, 4) == 0)
            tb_thread(&c, thread + 1, 100 + thread, base, "walker");
        for (unsigned k = 0; k < n_steps && c.at + w.step_bytes < c.end; k++)
            step(&w, &c, thread, base);
        if (of->is_uneven)
            c.at = c.end - 2 * w.step_bytes;
        for (unsigned k = 0; of->is_uneven && k < 2; k++)
            step(&w, &c, thread, base);
    }
}

/* --- Comparing -------------------------------------------------------------------- */

typedef rln_status read_summary(struct rln__summary *, rln_reader *, rln_error *);

struct results {
    struct rln__stats *stats;
    struct rln__tree *tree;
};

static struct results read_with(read_summary *read, rln_reader *reader)
{
    struct rln__summary summary;
    struct results r;

    assert_int_equal(read(&summary, reader, NULL), RLN_OK);
    assert_int_equal(rln__tree_of(&summary, &r.tree, NULL), RLN_OK);
    assert_int_equal(rln__stats_of(&summary, &r.stats, NULL), RLN_OK);
    rln__summary_clear(&summary);
    return r;
}

static void expect_same(struct results a, struct results b)
{
    expect_same_stats(a.stats, b.stats);
    expect_same_tree(a.tree, b.tree);
    rln__stats_free(a.stats);
    rln__stats_free(b.stats);
    rln__tree_free(a.tree);
    rln__tree_free(b.tree);
}

static void expect_same_damage(const struct rln__damages *a,
                               const struct rln__damages *b)
{
    assert_int_equal(a->n_found, b->n_found);
    for (uint64_t i = 0; i < a->n_found && i < RLN__MAX_DAMAGES; i++) {
        assert_int_equal(a->items[i].offset, b->items[i].offset);
        assert_ptr_equal(a->items[i].reason, b->items[i].reason);
    }
}

static rln_reader *open_path(const char *path, unsigned n_jobs)
{
    rln_reader *reader;

    assert_int_equal(rln_reader_open(&path, 1, &reader, NULL), RLN_OK);
    rln__reader_set_jobs(reader, n_jobs);
    return reader;
}

/* One event after the other. */
static rln_status read_in_order(struct rln__summary *summary, rln_reader *reader,
                                rln_error *err)
{
    struct rln__summary_moment none;

    return rln__summary_read_at(summary, reader, 0, &none, 0, err);
}

/* Without paths, when the reader has no names yet. */
static void expect_same_without_paths(const char *path, unsigned n_jobs)
{
    rln_reader *reader = open_path(path, n_jobs);
    struct rln__stats *stats;
    struct results with_paths;

    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    with_paths = read_with(rln__summary_read, reader);
    expect_same_stats(stats, with_paths.stats);
    rln__stats_free(stats);
    rln__stats_free(with_paths.stats);
    rln__tree_free(with_paths.tree);
    rln_reader_close(reader);
}

/* Durations of paths are kept in order, so these are read one chunk after the other:
 * last, when the reader has all names. */
static void expect_same_for_all(const struct tb *tb)
{
    static const unsigned jobs[] = {1, 2, 5};
    const char *path = temp_file(tb->bytes, tb->size);
    struct rln__damages damages = {0};

    for (size_t i = 0; i < RLN_COUNT(jobs); i++) {
        rln_reader *reader = open_path(path, jobs[i]);
        const struct results found = read_with(rln__summary_read, reader),
                             by_thread = read_with(rln__summary_read_threads, reader);

        if (i == 0)
            damages = reader->damages;
        expect_same_damage(&damages, &reader->damages);
        expect_same(read_with(read_in_order, reader), found);
        if (damages.n_found <= RLN__MAX_DAMAGES) /* beyond, each reading adds to it */
            expect_same_damage(&damages, &reader->damages);
        rln__reader_set_jobs(reader, 1);
        expect_same(read_with(rln__summary_read_threads, reader), by_thread);
        rln_reader_close(reader);
        expect_same_without_paths(path, jobs[i]);
    }
    (void)unlink(path);
}

static void expect_same_walks(const struct kinds *of)
{
    for (uint64_t seed = 1; seed <= MANY_SEEDS; seed++) {
        struct tb tb = {0};

        build(&tb, seed, of, 3 + (unsigned)seed % 14);
        expect_same_for_all(&tb);
        tb_clear(&tb);
    }
}

static void ranges_that_cross_chunks_are_stitched(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){0});
}

static void starts_and_ends_are_paired_in_order(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){.started = 5});
}

static void new_names_are_left_over(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){.fresh = 40, .renamed = 40});
}

static void gaps_and_threads_that_take_over_begin_anew(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){.lost = 30, .shared = 50});
}

static void ranges_open_before_their_window_are_left_over(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){.resumed = 60});
}

static void damage_is_the_same(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){.damaged = 40, .started = 20});
}

static void everything_together(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){20, 8, 30, 40, 60, 70, 80, 0});
}

static void an_uneven_trace_is_read_one_chunk_after_the_other(void **state)
{
    (void)state;
    expect_same_walks(&(struct kinds){.is_uneven = 1});
}

static void all_scenarios(void **state)
{
    static void (*const builds[])(struct tb *) = {
        sc_nested,   sc_fork,        sc_gap,      sc_losses,   sc_inversion,
        sc_startend, sc_tasks,       sc_rare,     sc_threads,  sc_parts,
        sc_windows,  sc_payloads,    sc_counters, sc_deferred, sc_numbered,
        sc_newest,   sc_without_one, sc_machines, sc_deep,     sc_deep_nested};

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(builds); i++) {
        struct tb tb = {0};

        builds[i](&tb);
        expect_same_for_all(&tb);
        tb_clear(&tb);
    }
}

/* --- Failures --------------------------------------------------------------------- */

static rln_status read_on_one(const char *path, rln_error *err)
{
    struct rln__summary summary;
    rln_reader *reader;
    rln_status status = rln_reader_open(&path, 1, &reader, err);

    if (status)
        return status;
    rln__reader_set_jobs(reader, 1);
    status = rln__summary_read(&summary, reader, err);
    if (!status)
        rln__summary_clear(&summary);
    rln_reader_close(reader);
    return status;
}

static void each_failed_allocation_is_reported(void **state)
{
    struct tb tb = {0};

    (void)state;
    build(&tb, 3, &(struct kinds){20, 8, 30, 40, 60, 70, 80, 0}, 5);
    fail_each_allocation(&tb, read_on_one);
    tb_clear(&tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_that_cross_chunks_are_stitched),
        cmocka_unit_test(starts_and_ends_are_paired_in_order),
        cmocka_unit_test(new_names_are_left_over),
        cmocka_unit_test(gaps_and_threads_that_take_over_begin_anew),
        cmocka_unit_test(ranges_open_before_their_window_are_left_over),
        cmocka_unit_test(damage_is_the_same),
        cmocka_unit_test(everything_together),
        cmocka_unit_test(an_uneven_trace_is_read_one_chunk_after_the_other),
        cmocka_unit_test(all_scenarios),
        cmocka_unit_test(each_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
