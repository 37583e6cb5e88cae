/* SPDX-License-Identifier: Apache-2.0 */
/* test_live.c - each refresh reads what was added to a trace while it is written. */
#include "newest_scenario.h"
#include "reports/summary/stats.h"
#include "temp_trace.h"
#include "walk.h"

#include <fcntl.h>

#include "base/alloc.h"
#include "base/count.h"
#include "trace/open/load.h"

/* A trace that grows: its file has the words of `tb` that were shown. */
struct growing {
    struct tb tb;
    rln_reader *reader;
    rln_live *live;
    int fd;
};

/* Shows the bytes from `from` to below `to`. */
static void show(struct growing *g, size_t from, size_t to)
{
    assert_int_equal(pwrite(g->fd, g->tb.bytes + from, to - from, (off_t)from),
                     (ssize_t)(to - from));
}

/* Shows everything except chunks of events. */
static void begin(struct growing *g, size_t n_shown)
{
    const char *path = temp_file("", 0);

    ((struct rln__superblock *)tb_at(&g->tb, 0))->finished = 0;
    g->fd = open(path, O_RDWR);
    assert_true(g->fd >= 0);
    assert_int_equal(ftruncate(g->fd, (off_t)g->tb.size), 0);
    show(g, 0, n_shown);
    assert_int_equal(rln_reader_open(&path, 1, &g->reader, NULL), RLN_OK);
    assert_int_equal(rln_live_new(g->reader, &g->live, NULL), RLN_OK);
}

static void end(struct growing *g)
{
    rln_live_free(g->live);
    rln_reader_close(g->reader);
    (void)close(g->fd);
    tb_clear(&g->tb);
}

static void look(struct growing *g)
{
    rln_error err = {0};

    if (rln_live_refresh(g->live, &err))
        fail_msg("%s", err.message);
}

static int is_text(rln_text a, rln_text b)
{
    return a.length == b.length &&
           (!a.length || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static const rln_live_row *find_row(const struct growing *g, rln_text domain,
                                    rln_text message)
{
    size_t n;
    const rln_live_row *rows = rln_live_rows(g->live, &n);

    for (size_t i = 0; i < n; i++)
        if (is_text(rows[i].domain_name, domain) && is_text(rows[i].message, message))
            return &rows[i];
    fail_msg("no range is called %.*s", (int)message.length, message.bytes);
    return NULL;
}

/* In the default domain. */
static const rln_live_row *row_of(const struct growing *g, const char *message)
{
    return find_row(g, (rln_text){NULL, 0}, (rln_text){message, strlen(message)});
}

/* sc_names() calls the attributes 1, 2 and 3 step, load and, of domain 1, request. */
static void rates_use_the_time_between_refreshes(void **state)
{
    struct growing g = {0};
    const rln_live_totals *totals;
    const rln_live_thread *threads;
    const rln_live_row *row;
    struct tb_chunk c;
    size_t first, n;

    (void)state;
    (void)tb_part(&g.tb, 1);
    sc_names(&g.tb, 1, 100);
    c = tb_events(&g.tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 1000);
    (void)tb_event(&c, RLN__PUSH, 2, 2000);
    (void)tb_event(&c, RLN__POP, 0, 3000);
    (void)tb_event(&c, RLN__PUSH, 2, 4000);
    (void)tb_event(&c, RLN__MARK, 3, 5000);
    first = c.at;
    (void)tb_event(&c, RLN__POP, 0, 7000);
    (void)tb_event(&c, RLN__POP, 0, 8000);
    (void)tb_event(&c, RLN__PUSH, 1, 9000);
    (void)tb_event(&c, RLN__POP, 0, 9500);
    begin(&g, first);

    look(&g);
    totals = rln_live_get_totals(g.live);
    assert_int_equal(totals->from_ns, 1000);
    assert_int_equal(totals->to_ns, 5000);
    assert_int_equal(totals->n_events, 5);
    row = row_of(&g, "step");
    assert_int_equal(row->n_ended, 0);
    assert_int_equal(row->n_open, 1);
    assert_int_equal(row->oldest_open_ns, 1000);
    assert_int_equal(row->total_ns, 4000);
    assert_int_equal(row->self_ns, 2000);
    row = row_of(&g, "load");
    assert_int_equal(row->n_ended, 1);
    assert_int_equal(row->mean_ns, 1000);
    assert_int_equal(row->total_ns, 2000);
    threads = rln_live_threads(g.live, &n);
    assert_int_equal(n, 1);
    assert_int_equal(threads->n_events, 5);
    assert_int_equal(threads->n_stack, 2);
    assert_int_equal(threads->stack[0].start_ns, 1000);
    assert_memory_equal(threads->stack[1].message.bytes, "load", 4);

    show(&g, first, c.at);
    look(&g);
    assert_int_equal(totals->from_ns, 5000);
    assert_int_equal(totals->to_ns, 9500);
    assert_int_equal(totals->n_events, 4);
    assert_int_equal(totals->n_all, 9);
    row = row_of(&g, "load");
    assert_int_equal(row->n_ended, 1);
    assert_int_equal(row->n_all, 2);
    assert_int_equal(row->total_ns, 2000); /* of 4000 to 7000 */
    assert_int_equal(row->max_ns, 3000);
    row = row_of(&g, "step");
    assert_int_equal(row->n_ended, 2);
    assert_int_equal(row->n_open, 0);
    assert_int_equal(row->total_ns, 3000 + 500);
    assert_int_equal(row->self_ns, 1000 + 500);
    assert_int_equal(row->mean_ns, (7000 + 500) / 2);
    threads = rln_live_threads(g.live, &n);
    assert_int_equal(n, 1);
    assert_int_equal(threads->n_stack, 0);
    assert_int_equal(threads->last_ns, 9500);

    look(&g);
    assert_int_equal(totals->n_events, 0);
    assert_int_equal(row_of(&g, "step")->total_ns, 0);
    (void)rln_live_threads(g.live, &n);
    assert_int_equal(n, 0);
    end(&g);
}

/* A slot is empty while a later one is not: a handler has interrupted the call that
 * reserved it. */
static void an_empty_slot_is_waited_for_once(void **state)
{
    struct growing g = {0};
    struct tb_chunk c;
    size_t gap, first;

    (void)state;
    (void)tb_part(&g.tb, 1);
    sc_names(&g.tb, 1, 100);
    c = tb_events(&g.tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    first = c.at;
    (void)tb_event(&c, RLN__PUSH, 1, 1000);
    gap = c.at;
    (void)tb_event(&c, RLN__POP, 0, 2000);
    (void)tb_event(&c, RLN__PUSH, 2, 3000);
    (void)tb_event(&c, RLN__POP, 0, 4000);
    begin(&g, first);
    look(&g);
    show(&g, first, gap);
    show(&g, gap + 8, c.at);
    look(&g);
    assert_int_equal(row_of(&g, "step")->n_open, 1);
    assert_int_equal(rln_live_get_totals(g.live)->n_events, 1);
    show(&g, gap, gap + 8);
    look(&g);
    assert_int_equal(row_of(&g, "step")->n_ended, 1);
    assert_int_equal(row_of(&g, "load")->n_ended, 1);
    end(&g);

    /* It stays empty. */
    memset(&g, 0, sizeof(g));
    (void)tb_part(&g.tb, 1);
    sc_names(&g.tb, 1, 100);
    c = tb_events(&g.tb, 1, 1, 100);
    first = c.at;
    (void)tb_event(&c, RLN__PUSH, 1, 1000);
    gap = c.at;
    (void)tb_word(&c, 0);
    (void)tb_event(&c, RLN__POP, 0, 2000);
    begin(&g, first);
    look(&g);
    show(&g, first, c.at);
    look(&g);
    assert_int_equal(row_of(&g, "step")->n_open, 1);
    look(&g);
    assert_int_equal(row_of(&g, "step")->n_ended, 1);
    end(&g);
}

/* An end is read before its start; after two refreshes it is no longer waited for. */
static void starts_and_ends_of_two_threads(void **state)
{
    struct growing g = {0};
    struct tb_chunk a, b;
    uint64_t id, other;
    size_t start, ends;

    (void)state;
    (void)tb_part(&g.tb, 1);
    sc_names(&g.tb, 1, 100);
    b = tb_events(&g.tb, 1, 2, 101); /* read first: its first event is earlier */
    a = tb_events(&g.tb, 1, 1, 100);
    start = a.at;
    (void)tb_event(&a, RLN__MARK, 1, 600);
    id = tb_event(&a, RLN__START, 1, 1000);
    other = tb_event(&a, RLN__START, 2, 1500);
    (void)tb_event(&b, RLN__MARK, 1, 500);
    (void)tb_value(&b, RLN__END, 0, 3000, id);
    ends = b.at;
    (void)tb_value(&b, RLN__END, 0, 5000, other);
    begin(&g, ends);
    show(&g, start - RLN__CHUNK_HEADER_BYTES, start);
    look(&g); /* only the end */
    show(&g, start, a.at);
    look(&g);
    assert_int_equal(row_of(&g, "step")->n_ended, 1);
    assert_int_equal(row_of(&g, "step")->mean_ns, 2000);
    assert_int_equal(row_of(&g, "load")->n_open, 1);
    show(&g, ends, b.at);
    look(&g);
    assert_int_equal(row_of(&g, "load")->n_open, 0);
    assert_int_equal(row_of(&g, "load")->max_ns, 3500);
    end(&g);
}

/* --- Random walks ----------------------------------------------------------------- */

/* Pushes, pops and marks in two domains, that may cross. */
static void step(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base)
{
    const unsigned what = draw(w, 8), domain = draw(w, 4) == 0;
    unsigned *depth = &w->depth[thread][domain];

    w->t[thread] += 1 + draw(w, 100);
    if (what < 3 && *depth < 20) {
        (void)tb_event(c, RLN__PUSH, domain ? 3 : 1 + draw(w, 2), w->t[thread] - base);
        ++*depth;
    } else if (what < 7 && *depth > 0) {
        (void)tb_event(c, RLN__POP, domain, w->t[thread] - base);
        --*depth;
    } else {
        (void)tb_event(c, RLN__MARK, 1, w->t[thread] - base);
    }
}

/* How much of a chunk of events is shown, and the words of the rest. */
struct shown {
    size_t at, end;
};

/* Each thread writes its chunks one after the other; refreshes come at any time. The
 * totals by name must equal those of reading the whole trace. */
static void refreshes_at_any_time_add_up_to_the_whole(void **state)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct growing g = {0};
        struct walk chance = {.seed = seed * 977};
        struct shown chunks[WALK_CHUNKS];
        size_t n_chunks = 0, next[2] = {0, 1}, at, n;
        uint64_t n_open = 0;
        struct rln__stats *stats;

        (void)state;
        walk(&g.tb, (struct walk){.step = step, .step_bytes = 16, .seed = seed});
        at = g.tb.size - (size_t)WALK_CHUNKS * TB_CHUNK_BYTES;
        begin(&g, at);
        for (; n_chunks < WALK_CHUNKS; n_chunks++, at += TB_CHUNK_BYTES)
            chunks[n_chunks] = (struct shown){at, at + TB_CHUNK_BYTES};
        while (next[0] < n_chunks || next[1] < n_chunks) {
            const unsigned thread = draw(&chance, 2);
            struct shown *c;
            size_t to;

            if (next[thread] >= n_chunks)
                continue;
            c = &chunks[next[thread]];
            to = c->at + 64 + (size_t)draw(&chance, 1500) * 8;
            to = to < c->end ? to : c->end;
            show(&g, c->at, to);
            c->at = to;
            if (to == c->end)
                next[thread] += 2;
            if (draw(&chance, 3) == 0)
                look(&g);
        }
        look(&g);
        assert_int_equal(rln__stats_new(g.reader, &stats, NULL), RLN_OK);
        assert_int_equal(rln_live_get_totals(g.live)->n_all,
                         rln__stats_get_totals(stats)->n_events);
        (void)rln_live_rows(g.live, &n);
        assert_int_equal(n, rln__stats_count(stats));
        for (size_t i = 0; i < n; i++) {
            const struct rln__stats_row *whole = rln__stats_at(stats, i);
            const rln_live_row *row = find_row(&g, whole->domain_name, whole->message);

            assert_int_equal(row->n_open, whole->n_open);
            assert_int_equal(row->n_all + row->n_open, whole->n_ranges);
            n_open += row->n_open;
        }
        assert_int_equal(n_open, rln__stats_get_totals(stats)->n_open);
        rln__stats_free(stats);
        end(&g);
    }
}

/* --- Reused chunks ---------------------------------------------------------------- */

/* The thread has filled its only chunk twice since the first refresh; the beginning of
 * its record lists the ranges that were open by then. */
static void overwritten_events_do_not_count(void **state)
{
    struct growing g = {0};
    struct rln__superblock *super = tb_part(&g.tb, 1);
    const rln_live_thread *threads;
    uint64_t words[64];
    struct tb_chunk c;
    size_t chunk, n;

    (void)state;
    super->minor = RLN__MINOR;
    super->ring.buffer_bytes = 1 << 20;
    sc_names(&g.tb, 1, 100);
    c = ns_chunk(&g.tb, 1, 100, 0, 1000);
    chunk = c.end - TB_CHUNK_BYTES;
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 200);
    (void)tb_event(&c, RLN__PUSH, 2, 300);
    begin(&g, g.tb.size);
    look(&g);
    assert_int_equal(row_of(&g, "step")->n_open, 1);
    assert_int_equal(row_of(&g, "load")->n_open, 1);
    look(&g);
    assert_int_equal(rln_live_get_totals(g.live)->n_events, 0);

    /* "load" has ended unseen; a second "load" is inside "step". */
    g.tb.size = chunk;
    c = ns_chunk(&g.tb, 1, 100, 5000, 3000);
    n = ns_continued(words, 5000, 2000, 1);
    words[n++] = rln__pair32(0, 0);
    n += ns_push(words + n, 200, 1, NULL);
    n += ns_push(words + n, 4000, 2, NULL);
    tb_long(&c, RLN__SUB_CONTINUED, words, n);
    (void)tb_event(&c, RLN__POP, 0, 1000);
    show(&g, chunk, g.tb.size);
    look(&g);
    assert_int_equal(row_of(&g, "step")->n_open, 1);
    assert_int_equal(row_of(&g, "step")->oldest_open_ns, 200);
    assert_int_equal(row_of(&g, "load")->n_open, 0);
    assert_int_equal(row_of(&g, "load")->n_ended, 1);
    assert_int_equal(row_of(&g, "load")->max_ns, 2000);
    threads = rln_live_threads(g.live, &n);
    assert_int_equal(n, 1);
    assert_int_equal(threads->n_stack, 1);
    assert_int_equal(rln_live_get_totals(g.live)->n_overruns, 1);
    look(&g);
    assert_int_equal(rln_live_get_totals(g.live)->n_overruns, 0);
    end(&g);
}

/* Inside "step", 0 to 1000, io:load is 100 to 500, and "load" 300 to 700: it is
 * innermost also when io:load has ended. */
static void self_times_where_domains_cross(void **state)
{
    const rln_text io = {"io", 2}, load = {"load", 4};

    (void)state;
    for (size_t n_first = 3; n_first <= 5; n_first++) {
        static const uint64_t calls[][3] = {
            {RLN__PUSH, 1, 0},  {RLN__PUSH, 3, 100}, {RLN__PUSH, 2, 300},
            {RLN__POP, 1, 500}, {RLN__POP, 0, 700},  {RLN__POP, 0, 1000},
        };
        struct growing g = {0};
        uint64_t self[3] = {0};
        struct tb_chunk c;
        size_t first = 0;

        (void)tb_part(&g.tb, 1);
        sc_names(&g.tb, 1, 100);
        c = tb_events(&g.tb, 1, 1, 100);
        for (size_t i = 0; i < RLN_COUNT(calls); i++) {
            if (i == n_first)
                first = c.at;
            (void)tb_event(&c, (unsigned)calls[i][0], (uint32_t)calls[i][1],
                           calls[i][2]);
        }
        begin(&g, first);
        for (size_t i = 0; i < 2; i++) {
            look(&g);
            if (i == 0)
                show(&g, first, c.at);
            self[0] += row_of(&g, "step")->self_ns;
            self[1] += find_row(&g, io, load)->self_ns;
            self[2] += row_of(&g, "load")->self_ns;
        }
        assert_int_equal(self[0], 100 + 300);
        assert_int_equal(self[1], 200);
        assert_int_equal(self[2], 400);
        end(&g);
    }
}

/* Failed allocations cause no crash, and the next refresh goes on. */
static void sc_resumed_and_started(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 34);
    tb_window(tb, 10, RLN__WINDOW_BY_COMMAND, 0, 0);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    sc_resumed(&c, 20, 0, 1);
    (void)tb_event(&c, RLN__START, 2, 30);
    (void)tb_event(&c, RLN__PUSH, 3, 40);
}

/* The next one may succeed, whatever the failed one left. */
static void without_memory_a_refresh_fails_and_can_be_repeated(void **state)
{
    void (*const scenarios[])(struct tb *) = {sc_nested, sc_resumed_and_started};
    rln_status status = RLN_ERR_NOMEM;

    (void)state;
    for (size_t n = 1; n < 200 || status == RLN_ERR_NOMEM; n++) {
        struct growing g = {0};

        assert_true(n < 1000);
        scenarios[n % 2](&g.tb);
        begin(&g, g.tb.size);
        rln__alloc_fail_from(n);
        status = rln_live_refresh(g.live, NULL);
        rln__alloc_fail_from(0);
        assert_true(status == RLN_ERR_NOMEM || status == RLN_OK);
        if (!status && n % 2 == 0)
            assert_int_equal(row_of(&g, "step")->n_ended, 1);
        for (size_t i = 0; status && i < 2; i++)
            assert_int_equal(rln_live_refresh(g.live, NULL), RLN_OK);
        end(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_use_the_time_between_refreshes),
        cmocka_unit_test(an_empty_slot_is_waited_for_once),
        cmocka_unit_test(starts_and_ends_of_two_threads),
        cmocka_unit_test(refreshes_at_any_time_add_up_to_the_whole),
        cmocka_unit_test(overwritten_events_do_not_count),
        cmocka_unit_test(self_times_where_domains_cross),
        cmocka_unit_test(without_memory_a_refresh_fails_and_can_be_repeated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
