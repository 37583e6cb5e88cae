/* SPDX-License-Identifier: Apache-2.0 */
/* test_self_times.c - self times are those of an oracle: a list of open ranges, of
 * which the last begun has the time.
 *
 * Self times are never negative, whatever ranges cross, and add up to the time that
 * threads spent in ranges.
 */
#include "base/count.h"
#include "ranges/event_filter.h"
#include "reports/summary/stats.h"
#include "reports/summary/summary.h"
#include "reports/summary/tree.h"
#include "temp_trace.h"
#include "timeline/lod_build.h"
#include "timeline/lod_query.h"
#include "timeline/lod_sums.h"
#include "walk.h"

enum { MOST_OPEN = 2048, MOST_NAMES = 16, N_THREADS = 2 };

/* --- The oracle ------------------------------------------------------------------- */

struct name {
    rln_text domain, message;
    uint64_t total_ns, self_ns, n_calls;
};

struct open {
    struct name *name;
    int64_t start_ns;
};

struct oracle {
    struct name names[MOST_NAMES];
    size_t n_names;
    struct {
        struct open open[MOST_OPEN]; /* the last begun is the last */
        size_t n;
        int64_t last_ns;
    } threads[N_THREADS];
    uint64_t covered_ns;
    int64_t end_ns;
};

static int is_same(rln_text a, rln_text b)
{
    return a.length == b.length && (!a.length || !memcmp(a.bytes, b.bytes, a.length));
}

static struct name *name_of(struct oracle *o, rln_text domain, rln_text message)
{
    for (size_t i = 0; i < o->n_names; i++) {
        if (is_same(o->names[i].domain, domain) &&
            is_same(o->names[i].message, message))
            return &o->names[i];
    }
    assert_true(o->n_names < MOST_NAMES);
    o->names[o->n_names] = (struct name){.domain = domain, .message = message};
    return &o->names[o->n_names++];
}

static void pass(struct oracle *o, uint32_t thread, int64_t t_ns)
{
    const size_t n = o->threads[thread].n;
    const uint64_t ns = (uint64_t)(t_ns - o->threads[thread].last_ns);

    o->threads[thread].last_ns = t_ns;
    if (!n)
        return;
    o->threads[thread].open[n - 1].name->self_ns += ns;
    o->covered_ns += ns;
}

static void close_open(struct oracle *o, uint32_t thread, size_t i, int64_t t_ns)
{
    struct open *open = o->threads[thread].open;

    open[i].name->total_ns += (uint64_t)(t_ns - open[i].start_ns);
    open[i].name->n_calls++;
    o->threads[thread].n--;
    memmove(&open[i], &open[i + 1], (o->threads[thread].n - i) * sizeof(*open));
}

static void see(struct oracle *o, const rln_event *e)
{
    const rln_attributes *a = &e->attributes;
    size_t i;

    o->end_ns = e->t_ns > o->end_ns ? e->t_ns : o->end_ns;
    if (e->type != RLN_EVENT_PUSH && e->type != RLN_EVENT_POP)
        return;
    assert_true(e->thread < N_THREADS);
    pass(o, e->thread, e->t_ns);
    i = o->threads[e->thread].n;
    if (e->type == RLN_EVENT_PUSH) {
        assert_true(i < MOST_OPEN);
        o->threads[e->thread].open[i] =
            (struct open){name_of(o, a->domain_name, a->message), e->t_ns};
        o->threads[e->thread].n++;
        return;
    }
    while (i &&
           !is_same(o->threads[e->thread].open[i - 1].name->domain, a->domain_name))
        i--;
    if (i)
        close_open(o, e->thread, i - 1, e->t_ns);
}

static void ask_oracle(struct oracle *o, rln_reader *reader)
{
    const rln_event *event;
    rln_events *events;

    memset(o, 0, sizeof(*o));
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &event, NULL) == RLN_OK)
        see(o, event);
    for (uint32_t thread = 0; thread < N_THREADS; thread++) {
        pass(o, thread, o->end_ns);
        while (o->threads[thread].n)
            close_open(o, thread, o->threads[thread].n - 1, o->end_ns);
    }
    rln_events_close(events);
}

/* --- The tree --------------------------------------------------------------------- */

/* Sums over all paths of a name. */
static struct name in_tree(const struct rln__tree *tree, const struct name *name)
{
    struct name sum = {.n_calls = 0};

    for (size_t i = 0; i < rln__tree_count(tree); i++) {
        const struct rln__tree_node *node = rln__tree_at(tree, i);

        if (!is_same(node->message, name->message) ||
            !is_same(node->domain_name, name->domain))
            continue;
        sum.total_ns += node->total_ns;
        sum.self_ns += node->self_ns;
        sum.n_calls += node->n_calls;
    }
    return sum;
}

/* --- The readers ------------------------------------------------------------------ */

/* In one look, which is up to the last event. */
static void expect_the_oracles_live(rln_reader *reader, const struct oracle *oracle)
{
    const rln_live_row *rows;
    rln_live *live;
    size_t n;

    assert_int_equal(rln_live_new(reader, &live, NULL), RLN_OK);
    assert_int_equal(rln_live_refresh(live, NULL), RLN_OK);
    rows = rln_live_rows(live, &n);
    assert_int_equal(n, oracle->n_names);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < oracle->n_names; k++) {
            if (!is_same(rows[i].message, oracle->names[k].message) ||
                !is_same(rows[i].domain_name, oracle->names[k].domain))
                continue;
            assert_int_equal(rows[i].total_ns, oracle->names[k].total_ns);
            assert_int_equal(rows[i].self_ns, oracle->names[k].self_ns);
            assert_int_equal(rows[i].n_ended + rows[i].n_open,
                             oracle->names[k].n_calls);
        }
    }
    rln_live_free(live);
}

static void expect_the_oracles_in_the_index(rln_reader *reader,
                                            const struct oracle *oracle)
{
    struct rln__lod lod;
    size_t n = 0;

    assert_int_equal(rln__lod_init(&lod, reader, NULL, rln__lod_budget(reader), NULL),
                     RLN_OK);
    assert_int_equal(rln__lod_build(&lod, NULL), RLN_OK);
    for (size_t i = 0; i < lod.n_names; i++) {
        for (size_t k = 0; k < oracle->n_names; k++) {
            if (!is_same(lod.names[i].message, oracle->names[k].message) ||
                !is_same(lod.names[i].domain, oracle->names[k].domain))
                continue;
            assert_int_equal(lod.names[i].total_ns, oracle->names[k].total_ns);
            assert_int_equal(lod.names[i].self_ns, oracle->names[k].self_ns);
            assert_int_equal(lod.names[i].durations.n, oracle->names[k].n_calls);
            n++;
        }
    }
    assert_int_equal(n, oracle->n_names);
    rln__lod_clear(&lod);
}

static void expect_the_oracles(rln_reader *reader, uint64_t *covered_ns)
{
    static struct oracle oracle;
    struct rln__tree *tree;
    uint64_t self_ns = 0;

    ask_oracle(&oracle, reader);
    expect_the_oracles_live(reader, &oracle);
    expect_the_oracles_in_the_index(reader, &oracle);
    assert_int_equal(rln__tree_new(reader, &tree, NULL), RLN_OK);
    for (size_t i = 0; i < oracle.n_names; i++) {
        const struct name sum = in_tree(tree, &oracle.names[i]);

        assert_int_equal(sum.n_calls, oracle.names[i].n_calls);
        assert_int_equal(sum.total_ns, oracle.names[i].total_ns);
        assert_int_equal(sum.self_ns, oracle.names[i].self_ns);
        self_ns += sum.self_ns;
    }
    assert_int_equal(self_ns, oracle.covered_ns);
    *covered_ns = oracle.covered_ns;
    rln__tree_free(tree);
}

/* --- Walks ------------------------------------------------------------------------ */

static uint64_t seed;

static void step(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base)
{
    const unsigned domain = draw(w, 3) == 0;
    unsigned *depth = &w->depth[thread][domain];
    const uint64_t t = w->t[thread] - base;

    if (draw(w, 3000) == 0)
        w->rises = 400;
    w->rises -= w->rises > 0;
    w->t[thread] += draw(w, 300) == 0 ? draw(w, 5000) * 1000 : draw(w, 20);
    if (draw(w, 40) == 0) {
        (void)tb_event(c, RLN__MARK, 1, t);
    } else if (draw(w, 900) == 0 || (*depth > 0 && draw(w, w->rises ? 6 : 2) == 0)) {
        (void)tb_event(c, RLN__POP, domain, t); /* sometimes of nothing */
        *depth -= *depth > 0;
    } else if (*depth < 200 && (w->rises || *depth < 5)) {
        (void)tb_event(c, RLN__PUSH, domain ? 3 : 1 + draw(w, 2), t);
        ++*depth;
    }
}

static void sc_walk(struct tb *tb)
{
    walk(tb,
         (struct walk){.step = step, .step_bytes = 64, .seed = seed, .t = {10, 10}});
}

/* Both straight from words and, with a filter, event by event. */
static void they_are_the_oracles_on_random_walks(void **state)
{
    static const struct rln_filter everything;

    (void)state;
    for (seed = 1; seed <= 8; seed++) {
        rln_reader *reader = open_scenario(sc_walk);
        uint64_t covered_ns[2];

        expect_the_oracles(reader, &covered_ns[0]);
        assert_true(covered_ns[0] > 1000000);
        reader->filter = &everything;
        expect_the_oracles(reader, &covered_ns[1]);
        assert_int_equal(covered_ns[0], covered_ns[1]);
        rln_reader_close(reader);
    }
}

/* --- By hand ---------------------------------------------------------------------- */

/* "step" and "load" are of the default domain, 0, and "io:load" is of domain 1. */
enum { STEP = 1, LOAD = 2, IO_LOAD = 3 };

static struct {
    unsigned kind, id;
    uint64_t t;
} events[16];
static size_t n_events;

static void begin(unsigned id, uint64_t t)
{
    events[n_events].kind = RLN__PUSH;
    events[n_events].id = id;
    events[n_events++].t = t;
}

static void end(unsigned domain, uint64_t t)
{
    events[n_events].kind = RLN__POP;
    events[n_events].id = domain;
    events[n_events++].t = t;
}

static void sc_by_hand(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 32);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (size_t i = 0; i < n_events; i++)
        (void)tb_event(&c, events[i].kind, events[i].id, events[i].t);
    for (size_t i = 0; i < 4; i++) /* so that the rest can be a run of words */
        (void)tb_event(&c, RLN__MARK, 1, 1000);
    n_events = 0;
}

/* Of the ranges of a name: 0 for one of the default domain. */
static uint64_t self_ns_of(rln_reader *reader, const char *domain, const char *message)
{
    const struct name name = {.domain = {domain, strlen(domain)},
                              .message = {message, strlen(message)}};
    struct name sum;
    struct rln__tree *tree;

    assert_int_equal(rln__tree_new(reader, &tree, NULL), RLN_OK);
    sum = in_tree(tree, &name);
    rln__tree_free(tree);
    assert_true(sum.n_calls > 0);
    return sum.self_ns;
}

static void a_range_that_ends_inside_another_gives_it_the_rest(void **state)
{
    rln_reader *reader;

    (void)state;
    begin(STEP, 0);
    begin(IO_LOAD, 10);
    end(0, 30);
    end(1, 50);
    reader = open_scenario(sc_by_hand);
    assert_int_equal(self_ns_of(reader, "", "step"), 10);
    assert_int_equal(self_ns_of(reader, "io", "load"), 40);
    rln_reader_close(reader);
}

/* The viewer's sums up to a time, of names and of their paths: of "step", of "load" and
 * of "io:load". */
static void expect_parts(rln_reader *reader, int64_t to_ns, const int64_t *self_ns)
{
    struct rln__lod_sums sums;
    struct rln__lod lod;

    assert_int_equal(rln__lod_init(&lod, reader, NULL, rln__lod_budget(reader), NULL),
                     RLN_OK);
    assert_int_equal(rln__lod_build(&lod, NULL), RLN_OK);
    assert_int_equal(rln__lod_sum_up(&lod, lod.first_ns, to_ns, NULL, 0, &sums), 0);
    assert_int_equal(sums.n_names, 3);
    assert_int_equal(sums.n_paths, 3);
    for (size_t i = 0; i < 6; i++) {
        const struct rln__lod_sum *sum = i < 3 ? &sums.names[i] : &sums.paths[i - 3];
        const struct rln__lod_name *name = &lod.names[sum->name];

        assert_int_equal(sum->self_ns, self_ns[name->domain.length             ? 2
                                               : name->message.bytes[0] == 'l' ? 1
                                                                               : 0]);
    }
    rln__lod_sums_clear(&sums);
    rln__lod_clear(&lod);
}

static void two_crossings_count_no_time_twice(void **state)
{
    rln_reader *reader;

    (void)state;
    begin(STEP, 0);
    begin(LOAD, 10);
    begin(IO_LOAD, 20);
    end(0, 30);
    end(1, 60);
    end(0, 100);
    reader = open_scenario(sc_by_hand);
    assert_int_equal(self_ns_of(reader, "", "step"), 10 + 40);
    assert_int_equal(self_ns_of(reader, "", "load"), 10);
    assert_int_equal(self_ns_of(reader, "io", "load"), 40);
    expect_parts(reader, 98, (const int64_t[]){10 + 38, 10, 40});
    rln_reader_close(reader);
}

static void many_levels_that_cross_add_up_to_the_time_they_cover(void **state)
{
    rln_reader *reader = open_scenario(sc_deep);
    uint64_t covered_ns;

    (void)state;
    expect_the_oracles(reader, &covered_ns);
    assert_true(covered_ns > 0);
    rln_reader_close(reader);
}

/* "io:load" was open before the trace begins again, and is innermost from then on. */
static void a_resumed_range_owns_nothing_from_before_it_was_restated(void **state)
{
    rln_reader *reader = open_scenario(sc_newest);

    (void)state;
    assert_int_equal(self_ns_of(reader, "", "made as it goes"), 6100 - 5200);
    rln_reader_close(reader);
}

/* "load" is within "step", which is hidden, within "io:load", which ends first. */
static void a_path_gives_hidden_ranges_no_more_than_it_has(void **state)
{
    const struct rln__lod_filter load = {.name = {"load", 4}};
    struct rln__lod_sums sums;
    struct rln__lod lod;
    rln_reader *reader;

    (void)state;
    begin(IO_LOAD, 0);
    begin(STEP, 10);
    begin(LOAD, 12);
    end(1, 30);
    end(0, 99);
    end(0, 100);
    reader = open_scenario(sc_by_hand);
    assert_int_equal(rln__lod_init(&lod, reader, NULL, rln__lod_budget(reader), NULL),
                     RLN_OK);
    assert_int_equal(rln__lod_build(&lod, NULL), RLN_OK);
    assert_int_equal(rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, &load, 0, &sums),
                     0);
    assert_int_equal(sums.n_paths, 2);
    assert_int_equal(sums.paths[0].total_ns, 30);
    assert_int_equal(sums.paths[0].self_ns, 12);
    assert_int_equal(sums.paths[1].self_ns, 87);
    rln__lod_sums_clear(&sums);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* The thread begins again at 700: until then, it was in "load". */
static void sc_restated(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 35);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, STEP, 100);
    (void)tb_event(&c, RLN__PUSH, LOAD, 300);
    tb_thread(&c, 1, 100, 700, "main");
    (void)tb_event(&c, RLN__MARK, STEP, 900);
}

static void a_thread_that_begins_again_was_in_its_ranges_until_then(void **state)
{
    rln_reader *reader = open_scenario(sc_restated);

    (void)state;
    assert_int_equal(self_ns_of(reader, "", "step"), 200);
    assert_int_equal(self_ns_of(reader, "", "load"), 400);
    rln_reader_close(reader);
}

/* "step" was pushed before the window opened, at 1000; its record is of 1500. */
static void sc_opened_within(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 36);
    tb_window(tb, 1000, RLN__WINDOW_BY_COMMAND, 0, 0);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 1000, "main");
    sc_resumed(&c, 1500, 0, STEP);
    sc_resumed(&c, 1500, 1, IO_LOAD);
    (void)tb_event(&c, RLN__POP, 1, 1600);
    (void)tb_event(&c, RLN__POP, 0, 1800);
}

static void a_moment_is_in_the_range_that_was_innermost_then(void **state)
{
    struct rln__summary_moment moments[] = {
        {.t_ns = 900}, {.t_ns = 1000}, {.t_ns = 1200}, {.t_ns = 1600}, {.t_ns = 1900}};
    static const char *const expected[] = {NULL, "load", "load", "step", NULL};
    rln_reader *reader = open_scenario(sc_opened_within);
    struct rln__summary summary;

    (void)state;
    assert_int_equal(
        rln__summary_read_at(&summary, reader, 0, moments, RLN_COUNT(moments), NULL),
        RLN_OK);
    for (size_t i = 0; i < RLN_COUNT(moments); i++) {
        const uint32_t node = moments[i].node;
        const rln_text text =
            node ? rln__strings_get(&reader->names.strings,
                                    summary.rows[summary.nodes[node].row].message)
                 : (rln_text){NULL, 0};

        assert_int_equal(!node, !expected[i]);
        if (node)
            assert_true(rln__text_is(text, expected[i]));
    }
    rln__summary_clear(&summary);
    rln_reader_close(reader);
}

/* --- Starts and ends -------------------------------------------------------------- */

static uint64_t early[3];
static size_t n_early;

/* Ends that are read before their start, each on a thread of its own. */
static void sc_early_ends(struct tb *tb)
{
    size_t start_at;
    struct tb_chunk c;
    uint64_t id;

    (void)tb_part(tb, 33);
    sc_names(tb, 1, 100);
    start_at = tb->size + n_early * TB_CHUNK_BYTES + RLN__CHUNK_HEADER_BYTES;
    for (size_t i = 0; i < n_early; i++) {
        c = tb_events(tb, 1, (uint32_t)i + 1, 100 + (uint32_t)i);
        (void)tb_value(&c, RLN__END, 0, early[i], start_at / 8);
    }
    c = tb_events(tb, 1, 9, 109);
    id = tb_event(&c, RLN__START, STEP, 100);
    assert_int_equal(id, start_at / 8);
    n_early = 0;
}

static void expect_an_early_end(uint64_t ns, uint64_t n_unmatched, uint64_t n_open)
{
    rln_reader *reader = open_scenario(sc_early_ends);
    struct rln__stats *stats;

    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    assert_int_equal(rln__stats_count(stats), 1);
    assert_int_equal(rln__stats_at(stats, 0)->total_ns, ns);
    assert_int_equal(rln__stats_get_totals(stats)->n_unmatched, n_unmatched);
    assert_int_equal(rln__stats_get_totals(stats)->n_open, n_open);
    rln__stats_free(stats);
    rln_reader_close(reader);
}

static void the_first_end_that_is_not_before_its_start_counts(void **state)
{
    (void)state;
    early[n_early++] = 100;
    expect_an_early_end(0, 0, 0);
    early[n_early++] = 50;
    early[n_early++] = 200;
    expect_an_early_end(100, 1, 0);
    early[n_early++] = 200;
    early[n_early++] = 150;
    expect_an_early_end(50, 1, 0);
    early[n_early++] = 50;
    early[n_early++] = 200;
    early[n_early++] = 300;
    expect_an_early_end(100, 2, 0);
    early[n_early++] = 50;
    expect_an_early_end(0, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_the_oracles_on_random_walks),
        cmocka_unit_test(a_range_that_ends_inside_another_gives_it_the_rest),
        cmocka_unit_test(two_crossings_count_no_time_twice),
        cmocka_unit_test(many_levels_that_cross_add_up_to_the_time_they_cover),
        cmocka_unit_test(a_resumed_range_owns_nothing_from_before_it_was_restated),
        cmocka_unit_test(a_path_gives_hidden_ranges_no_more_than_it_has),
        cmocka_unit_test(a_thread_that_begins_again_was_in_its_ranges_until_then),
        cmocka_unit_test(a_moment_is_in_the_range_that_was_innermost_then),
        cmocka_unit_test(the_first_end_that_is_not_before_its_start_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
