/* SPDX-License-Identifier: Apache-2.0 */
/* test_events.c - events come in the order of time, and pops and ends are paired. Each
 * expected line is "time tid what depth-or-id flags duration". */
#include <inttypes.h>

#include "ranges/events.h"
#include "reports/check/info.h"
#include "reports/summary/stats.h"
#include "temp_trace.h"
#include "trace/open/load.h"

static const char *const type_names[] = {
    "",          "mark",    "push", "pop",      "start",   "end",    "gap",
    "inherited", "begin",   "name", "res",      "destroy", "domain", "sample",
    "wait",      "gave up", "has",  "releases", "object",  "destroy"};

static void describe(const rln_event *e, char *out, size_t size)
{
    int n = snprintf(out, size, "%" PRId64 " %u %s %.*s%s%.*s", e->t_ns, e->tid,
                     type_names[e->type], (int)e->attributes.domain_name.length,
                     e->attributes.domain_name.bytes, e->attributes.domain ? ":" : "",
                     (int)e->attributes.message.length, e->attributes.message.bytes);

    if (e->type == RLN_EVENT_PUSH || e->type == RLN_EVENT_POP)
        n += snprintf(out + n, size - (size_t)n, " d%u", e->depth);
    if (e->type >= RLN_EVENT_SYNC_WAIT && e->type <= RLN_EVENT_SYNC_OBJECT_DESTROY)
        n += snprintf(out + n, size - (size_t)n, " %" PRIu64, e->id);
    if (e->flags & RLN_FLAG_UNMATCHED)
        n += snprintf(out + n, size - (size_t)n, " unmatched");
    if (e->flags & RLN_FLAG_INHERITED)
        n += snprintf(out + n, size - (size_t)n, " inherited");
    if (e->flags & RLN_FLAG_LOST)
        n += snprintf(out + n, size - (size_t)n, " lost");
    if (e->flags & RLN_FLAG_UNPLACED)
        n += snprintf(out + n, size - (size_t)n, " unplaced %" PRId64, e->timestamp);
    if (e->duration_ns >= 0)
        (void)snprintf(out + n, size - (size_t)n, " %" PRId64 "ns", e->duration_ns);
}

static void check_events(void (*build)(struct tb *tb), const char *const *expected,
                         size_t n)
{
    rln_reader *reader = open_scenario(build);
    rln_events *events;
    const rln_event *event;
    char line[256];

    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rln_events_next(events, &event, NULL), RLN_OK);
        describe(event, line, sizeof(line));
        assert_string_equal(line, expected[i]);
    }
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_END);
    rln_events_close(events);
    rln_reader_close(reader);
}

#define CHECK(build, ...)                                                              \
    do {                                                                               \
        static const char *const expected[] = {__VA_ARGS__};                           \
        check_events(build, expected, sizeof(expected) / sizeof(expected[0]));         \
    } while (0)

static void ranges_nest_and_an_extra_pop_closes_nothing(void **state)
{
    (void)state;
    CHECK(sc_nested, "0 100 begin main", "0 100 push step d0", "10000 100 push load d1",
          "20000 100 mark io:load", "50000 100 pop load d1 40000ns",
          "100000 100 pop step d0 100000ns", "110000 100 pop  d0 unmatched",
          "120000 100 push io:load d0");
}

static void a_child_inherits_names_and_open_ranges(void **state)
{
    (void)state;
    CHECK(sc_fork, "0 100 begin main", "10 100 push step d0", "100 200 begin main",
          "100 200 inherited ", "110 200 push load d1",
          "120 200 push io:child's own d0", "130 200 pop io:child's own d0 10ns",
          "140 200 pop load d1 30ns", "150 200 pop  d0 inherited",
          "160 200 pop  d0 unmatched", "170 200 push io:load d0",
          "180 200 pop io:load d0 10ns", "500 100 pop step d0 490ns");
}

static void no_pair_crosses_a_gap(void **state)
{
    (void)state;
    CHECK(sc_gap, "0 100 begin main", "10 100 push step d0", "100 100 gap ",
          "110 100 push load d2", "120 100 pop load d2 10ns", "130 100 pop  d1 lost",
          "140 100 pop  d0 lost", "150 100 pop  d0 unmatched");
}

static void what_signal_handlers_disordered_is_put_in_order(void **state)
{
    (void)state;
    CHECK(sc_inversion, "0 100 begin main", "300 100 push load d0", "500 100 mark load",
          "600 100 mark load", "700 100 pop load d0 400ns", "900 100 push step d0",
          "1000 100 pop step d0 100ns");
}

static void an_end_closes_its_start_from_any_process_and_domain(void **state)
{
    (void)state;
    CHECK(sc_startend, "0 100 begin main", "0 200 begin worker", "10 100 start step",
          "20 100 start io:load", "30 100 start load", "100 200 end step 90ns",
          "120 200 end io: unmatched", "140 100 end io:load 120ns",
          "160 100 end  unmatched");
}

static void a_second_part_of_another_boot_is_placed_by_real_time(void **state)
{
    (void)state;
    CHECK(sc_parts, "0 100 begin main", "0 100 push step d0", "10000 100 push load d1",
          "20000 100 mark io:load", "50000 100 pop load d1 40000ns",
          "100000 100 pop step d0 100000ns", "110000 100 pop  d0 unmatched",
          "120000 100 push io:load d0", "3600000000005 100 begin main",
          "3600000000010 100 start load", "3600000000030 100 end load 20ns");
}

static void threads_and_chunks_are_merged_by_time(void **state)
{
    rln_reader *reader = open_scenario(sc_threads);
    rln_events *events;
    const rln_event *event;
    int64_t last_ns = -1;
    size_t n = 0;

    (void)state;
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &event, NULL) == RLN_OK) {
        assert_true(event->t_ns >= last_ns);
        assert_int_equal(event->flags, 0);
        last_ns = event->t_ns;
        n++;
    }
    assert_int_equal(n, 3 + 300 + 2);
    rln_events_close(events);
    rln_reader_close(reader);
}

static void waiting_and_holding_end_where_the_object_changes_hands(void **state)
{
    (void)state;
    CHECK(sc_locks, "0 100 begin main", "0 101 begin worker", "5 0 object io:queue 7",
          "6 0 object slots 8", "100 100 wait io:queue 7",
          "110 100 has io:queue 7 10ns", "150 101 wait io:queue 7",
          "250 101 gave up io:queue 7 100ns", "300 101 wait io:queue 7",
          "410 100 releases io:queue 7 300ns", "420 101 has io:queue 7 120ns",
          "430 101 has io:queue 7", "440 101 releases io:queue 7 10ns",
          "500 100 has slots 8", "600 101 releases slots 8 100ns",
          "610 101 releases slots 8 unmatched", "700 101 wait  9",
          "800 100 gave up io:queue 7 unmatched", "9000 0 destroy io:queue 7");
}

/* "style thread start end object flags" */
static void waiting_and_holding_are_ranges(void **state)
{
    static const char *const expected[] = {
        "3 100 100 110 7 0", "3 101 150 250 7 32", "4 100 110 410 7 0",
        "3 101 300 420 7 0", "4 101 430 440 7 0",  "4 100 500 600 8 0",
        "4 101 610 610 8 1", "3 100 800 800 7 1",  "4 101 420 800 7 8",
        "3 101 700 800 9 8",
    };
    rln_reader *reader = open_scenario(sc_locks);
    rln_ranges *ranges;
    const rln_range *r;
    char line[128];

    (void)state;
    assert_int_equal(rln_ranges_open(reader, &ranges, NULL), RLN_OK);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_int_equal(rln_ranges_next(ranges, &r, NULL), RLN_OK);
        (void)snprintf(line, sizeof(line),
                       "%d %u %" PRId64 " %" PRId64 " %" PRIu64 " %u", (int)r->style,
                       r->tid, r->start_ns, r->end_ns, r->id, r->flags);
        assert_string_equal(line, expected[i]);
    }
    assert_int_equal(rln_ranges_next(ranges, &r, NULL), RLN_END);
    rln_ranges_close(ranges);
    rln_reader_close(reader);
}

/* Their own clocks place them; ranges that cross each other are paired, too. */
static void deferred_events_are_sorted_by_their_times(void **state)
{
    (void)state;
    CHECK(sc_deferred, "0 100 begin main", "0 101 begin gpu", "10 100 push step d0",
          "3000 101 start io:", "4000 101 end io: 1000ns",
          "4500 101 start io:", "5000 100 start io:copy", "9000 100 end io:copy 4000ns",
          "10000 100 push io:outer d0", "10100 100 push io:inner d1",
          "10400 100 push io:cross d0", "10500 100 pop io:inner d1 400ns",
          "11000 100 pop io:outer d0 1000ns", "11200 100 pop io:cross d0 800ns",
          "12000 100 sample io:power", "13000 100 sample io:power",
          "14000 100 sample io:power", "15000 100 push io:late d0",
          "16000 100 pop io:late d0 1000ns", "17000 100 push io:moment d0",
          "17000 100 pop io:moment d0 0ns", "18000 100 sample io:power",
          "19000 100 sample io:power", "25500 100 mark io:lost unplaced 77",
          "30000 100 pop step d0 29990ns");
}

static void deferred_ranges_are_summed_unless_unplaced(void **state)
{
    rln_reader *reader = open_scenario(sc_deferred);
    const struct rln__stats_totals *totals;
    const rln_totals *all;
    struct rln__stats *stats;
    rln_info *info;

    (void)state;
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    totals = rln__stats_get_totals(stats);
    assert_int_equal(totals->n_ranges, 1 + 5 + 3); /* step, kernels, copy and halves */
    assert_int_equal(totals->n_open, 1);
    assert_int_equal(totals->n_unplaced, 1);
    rln__stats_free(stats);
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    all = rln_info_totals(info);
    assert_int_equal(all->n_events, 23);
    assert_int_equal(all->n_deferred, 21);
    assert_int_equal(all->n_unplaced, 1);
    assert_int_equal(all->n_samples, 5);
    assert_int_equal(all->last_ns, 30000);
    rln_info_close(info);
    rln_reader_close(reader);
}

/* A start's id is relative to its part; the same id in another part is another range.
 */
static void range_ids_of_two_parts_differ(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;
    rln_ranges *ranges;
    const rln_range *range;
    uint64_t first_id;

    (void)state;
    for (uint64_t trace_id = 1; trace_id <= 2; trace_id++) {
        struct tb_chunk c;
        uint64_t id;

        (void)tb_part(&tb, trace_id);
        c = tb_events(&tb, 1, 1, 100);
        id = tb_event(&c, RLN__START, 0, 10 * trace_id);
        (void)tb_value(&c, RLN__END, 0, 100 * trace_id, id);
    }
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln_ranges_open(reader, &ranges, NULL), RLN_OK);
    assert_int_equal(rln_ranges_next(ranges, &range, NULL), RLN_OK);
    assert_int_equal(range->end_ns - range->start_ns, 90);
    first_id = range->id;
    assert_int_equal(rln_ranges_next(ranges, &range, NULL), RLN_OK);
    assert_int_equal(range->end_ns - range->start_ns, 180);
    assert_true(range->id != first_id);
    assert_int_equal(rln_ranges_next(ranges, &range, NULL), RLN_END);
    rln_ranges_close(ranges);
    rln_reader_close(reader);
    tb_clear(&tb);
}

/* The times of an event if the trace may be of this machine's boot, or is not. */
static int64_t time_of_event(int is_this_boot, unsigned finished)
{
    struct tb tb = {0};
    struct rln__superblock *super = tb_part(&tb, 1);
    FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");
    rln_events *events = NULL;
    const rln_event *event;
    struct tb_chunk c;
    rln_reader *reader;
    int64_t t_ns;

    super->finished = finished;
    super->ticks_per_s = 0;
    if (is_this_boot && boot)
        (void)!fread(super->boot_id, 1, 36, boot);
    if (boot)
        (void)fclose(boot);
    c = tb_events(&tb, 1, 1, 100);
    (void)tb_event(&c, RLN__MARK, 0, 3000000);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_OK);
    t_ns = event->t_ns;
    rln_events_close(events);
    rln_reader_close(reader);
    tb_clear(&tb);
    return t_ns;
}

static void times_depend_on_the_file_alone(void **state)
{
    (void)state;
    for (unsigned finished = 0; finished <= RLN__HAS_ENDED; finished++)
        assert_int_equal(time_of_event(0, finished), time_of_event(1, finished));
}

/* Names and events that a process stores after the trace was opened. */
static void a_growing_trace_shows_what_is_new_after_a_refresh(void **state)
{
    struct tb tb = {0};
    struct tb_chunk names, c;
    const char *path;
    rln_reader *reader;
    rln_events *events;
    const rln_event *event;
    FILE *file;

    (void)state;
    tb_part(&tb, 1)->finished = 0;
    names = tb_names(&tb, 1);
    c = tb_events(&tb, 1, 1, 100);
    (void)tb_event(&c, RLN__MARK, 0, 10);
    path = temp_file(tb.bytes, tb.size);
    assert_int_equal(rln_reader_open(&path, 1, &reader, NULL), RLN_OK);
    assert_false(rln_reader_is_finished(reader));

    tb_string(&names, 1, "late");
    tb_attributes(&names, 1, 0, 1);
    (void)tb_event(&c, RLN__MARK, 1, 20);
    file = fopen(path, "r+b");
    assert_int_equal(fwrite(tb.bytes, 1, tb.size, file), tb.size);
    assert_int_equal(fclose(file), 0);

    /* Even without a refresh: the chunk is known, and unknown names are searched for.
     */
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_OK);
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_OK);
    assert_memory_equal(event->attributes.message.bytes, "late", 4);
    rln_events_close(events);

    c = tb_events(&tb, 1, 2, 101);
    (void)tb_event(&c, RLN__MARK, 1, 30);
    tb_write(&tb, path);
    assert_int_equal(rln__reader_refresh(reader, NULL), RLN_OK);
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(rln_events_next(events, &event, NULL), RLN_OK);
    assert_int_equal(event->tid, 101);
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_END);
    rln_events_close(events);
    rln_reader_close(reader);
    (void)unlink(path);
    tb_clear(&tb);
}

/* Whether the event consists only of a word and its attributes. */
static int is_plain(const rln_event *e)
{
    return e->type <= RLN_EVENT_END && !(e->flags & RLN_FLAG_DEFERRED) &&
           !e->n_payloads;
}

/* The number of plain events that follow one with more members. */
static size_t check_unset_members(void (*build)(struct tb *tb))
{
    rln_reader *reader = open_scenario(build);
    int was_plain = 1;
    const rln_event *e;
    rln_events *events;
    size_t n = 0;

    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &e, NULL) == RLN_OK) {
        if (is_plain(e)) {
            assert_int_equal(e->n_lost, 0);
            assert_int_equal(e->no_value, 0);
            assert_null(e->counter);
            assert_null(e->values);
            assert_int_equal(e->n_values, 0);
            assert_null(e->memory);
            assert_int_equal(e->resource_type, 0);
            assert_int_equal(e->timestamp, 0);
            assert_int_equal(e->time_domain, 0);
            n += !was_plain;
        }
        if (e->type == RLN_EVENT_MARK || e->type == RLN_EVENT_PUSH)
            assert_int_equal(e->duration_ns, -1);
        if (e->type == RLN_EVENT_MARK || e->type == RLN_EVENT_PUSH ||
            e->type == RLN_EVENT_POP)
            assert_int_equal(e->id, 0);
        if (e->type == RLN_EVENT_MARK)
            assert_int_equal(e->depth, 0);
        was_plain = is_plain(e);
    }
    rln_events_close(events);
    rln_reader_close(reader);
    return n;
}

/* A sample, one without a value, a gap and a call of a lock, each followed by a mark or
 * a range. */
static void sc_taking_turns(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 79);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_value(&c, RLN__SAMPLE, 2, 100, 7);
    (void)tb_event(&c, RLN__MARK, 1, 200);
    (void)tb_event(&c, RLN__NO_VALUE, 4, 300);
    (void)tb_event(&c, RLN__PUSH, 1, 400);
    (void)tb_event(&c, RLN__SYNC, 4, 500);
    (void)tb_event(&c, RLN__POP, 0, 600);
    tb_depths(&c, RLN__SUB_GAP, 700, 3, 0, 0);
    (void)tb_event(&c, RLN__MARK, 1, 800);
}

static void what_an_event_does_not_say_is_zero(void **state)
{
    (void)state;
    assert_int_equal(check_unset_members(sc_taking_turns), 4);
    (void)check_unset_members(sc_counters);
    (void)check_unset_members(sc_payloads);
    (void)check_unset_members(sc_deferred);
    (void)check_unset_members(sc_rare);
    (void)check_unset_members(sc_windows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_nest_and_an_extra_pop_closes_nothing),
        cmocka_unit_test(a_child_inherits_names_and_open_ranges),
        cmocka_unit_test(no_pair_crosses_a_gap),
        cmocka_unit_test(what_signal_handlers_disordered_is_put_in_order),
        cmocka_unit_test(an_end_closes_its_start_from_any_process_and_domain),
        cmocka_unit_test(a_second_part_of_another_boot_is_placed_by_real_time),
        cmocka_unit_test(threads_and_chunks_are_merged_by_time),
        cmocka_unit_test(waiting_and_holding_end_where_the_object_changes_hands),
        cmocka_unit_test(waiting_and_holding_are_ranges),
        cmocka_unit_test(deferred_events_are_sorted_by_their_times),
        cmocka_unit_test(deferred_ranges_are_summed_unless_unplaced),
        cmocka_unit_test(range_ids_of_two_parts_differ),
        cmocka_unit_test(what_an_event_does_not_say_is_zero),
        cmocka_unit_test(times_depend_on_the_file_alone),
        cmocka_unit_test(a_growing_trace_shows_what_is_new_after_a_refresh),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
