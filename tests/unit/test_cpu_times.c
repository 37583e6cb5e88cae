/* SPDX-License-Identifier: Apache-2.0 */
/* test_cpu_times.c - what a range's time was made of, by the switches of its trace. */
#include "failed_allocations.h"
#include "ranges/cpu_lives.h"
#include "ranges/cpu_states.h"
#include "ranges/cpu_times.h"
#include "temp_trace.h"

/* The split of a range of thread 0 (tid 100) or 1 (tid 101), in us. */
static void assert_split(rln_reader *reader, uint32_t thread, int64_t start_us,
                         int64_t end_us, const uint64_t us[4])
{
    struct rln__cpu_times times;
    struct rln__cpu_split split;

    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    split = rln__cpu_times_of(&times, thread, start_us * 1000, end_us * 1000);
    assert_int_equal(split.on_ns, us[0] * 1000);
    assert_int_equal(split.preempted_ns, us[1] * 1000);
    assert_int_equal(split.blocked_ns, us[2] * 1000);
    assert_int_equal(split.unknown_ns, us[3] * 1000);
    rln__cpu_times_clear(&times);
}

static void a_range_is_on_a_processor_preempted_and_blocked(void **state)
{
    static const struct {
        uint32_t thread;
        int64_t start_us, end_us;
        uint64_t us[4];
    } cases[] = {
        {0, 10, 200, {120, 20, 50, 0}}, /* "step" */
        {1, 30, 110, {20, 0, 60, 0}},   /* "load": it had the processor at 30 */
        {1, 20, 30, {0, 10, 0, 0}},     /* born, and not yet on */
        {1, 10, 20, {0, 5, 0, 5}},      /* before its birth */
        {1, 112, 120, {3, 0, 0, 5}},    /* after its end */
        {0, 60, 61, {1, 0, 0, 0}},      /* no switch in it */
        {0, 130, 140, {0, 0, 10, 0}},
        {0, 290, 310, {10, 0, 0, 10}}, /* after the last record */
        {0, -5, 5, {5, 0, 0, 5}},
    };
    rln_reader *reader = open_scenario(sc_switches);

    (void)state;
    assert_true(rln__has_cpu_times(reader, RLN__NONE));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_split(reader, cases[i].thread, cases[i].start_us, cases[i].end_us,
                     cases[i].us);
    rln_reader_close(reader);
}

static void only_ranges_of_threads_that_have_ended_are_known(void **state)
{
    static const struct {
        rln_range range;
        int is_known;
    } cases[] = {
        {{.start_ns = 10000, .end_ns = 200000}, 1},
        {{.start_ns = 10000, .end_ns = 400000}, 0}, /* after the last switch */
        {{.start_ns = 10000, .end_ns = 200000, .flags = RLN_FLAG_OPEN}, 0},
        {{.start_ns = 10000, .end_ns = 200000, .flags = RLN_FLAG_DEFERRED}, 0},
        {{.start_ns = 10000, .end_ns = 10000, .style = RLN_RANGE_GPU}, 0},
        {{.start_ns = 10000, .end_ns = 200000, .thread = 99}, 0},
    };
    rln_reader *reader = open_scenario(sc_switches);
    struct rln__cpu_times times;
    struct rln__cpu_split split;

    (void)state;
    assert_true(rln__cpu_times_fit(reader, 1));
    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(rln__cpu_times_of_known(&times, &cases[i].range, &split),
                         cases[i].is_known);
    rln__cpu_times_clear(&times);
    rln_reader_close(reader);
}

static void of_the_newest_switches_the_last_ones_before_them_are_known(void **state)
{
    static const struct {
        uint32_t thread;
        int64_t start_us, end_us;
        uint64_t us[4];
    } cases[] = {
        {0,
         0,
         200,
         {150, 0, 50, 0}}, /* on since 0, and what is repeated later is not new */
        {0, -10, 10, {10, 0, 0, 10}},
        {1, 30, 110, {0, 0, 60, 20}}, /* before its last one, some are missing */
        {1, 110, 120, {5, 0, 0, 5}},
    };
    rln_reader *reader = open_scenario(sc_newest_switches);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_split(reader, cases[i].thread, cases[i].start_us, cases[i].end_us,
                     cases[i].us);
    rln_reader_close(reader);
}

static void build_gap(struct tb *tb)
{
    static const uint64_t last[][3] = {{RLN__SWITCH_BLOCKED, 100, 120000}};
    struct tb_chunk c;

    sc_newest_switches(tb);
    c = tb_newest_switches(tb, 20000, 15000, 130000, last, 1);
    tb_switch(&c, RLN__SWITCH_ON, 100, 180000);
    tb_until(&c, 300000);
}

static void switches_before_a_missing_chunk_do_not_count(void **state)
{
    rln_reader *reader = open_scenario(build_gap);

    (void)state;
    assert_split(reader, 0, 0, 200, (const uint64_t[]){20, 0, 60, 120});
    rln_reader_close(reader);
}

/* What of a drain is in the chunk that is missing, and what of it is in the next two. */
static void build_cut_drain(struct tb *tb)
{
    static const uint64_t last[][3] = {{RLN__SWITCH_ENDED, 101, 60000},
                                       {RLN__SWITCH_BLOCKED, 100, 90000}},
                          next[][3] = {{RLN__SWITCH_ON, 100, 0}};
    struct tb_chunk c;

    sc_switched_ranges(tb);
    ((struct rln__superblock *)tb_at(tb, 0))->ring.buffer_bytes = 1 << 20;
    c = tb_newest_switches(tb, 9000, 5000, 120000, next, 1);
    tb_switch(&c, RLN__SWITCH_ON, 100, 50000); /* before its last one in the record */
    tb_switch(&c, RLN__SWITCH_ON, 100, 150000);
    tb_until(&c, 300000);
    c = tb_newest_switches(tb, 5000, 1000, 40000, last, 2);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 45000);
    tb_lost_of(&c, 100, 90000, 130000); /* from its last one on */
}

static void a_drain_of_which_a_part_is_overwritten_is_unknown(void **state)
{
    rln_reader *reader = open_scenario(build_cut_drain);

    (void)state;
    assert_split(reader, 0, 40, 200, (const uint64_t[]){50, 0, 0, 110});
    assert_split(reader, 1, 0, 300, (const uint64_t[]){0, 0, 0, 300});
    rln_reader_close(reader);
}

static void build_cut_loss(struct tb *tb)
{
    static const uint64_t last[][3] = {{RLN__SWITCH_BLOCKED, 100, 20000},
                                       {0, 0, 60000}};
    struct tb_chunk c;

    sc_switched_ranges(tb);
    ((struct rln__superblock *)tb_at(tb, 0))->ring.buffer_bytes = 1 << 20;
    c = tb_newest_switches(tb, 5000, 1000, 40000, last, 2);
    tb_switch(&c, RLN__SWITCH_ON, 101, 45000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 70000);
    tb_until(&c, 300000);
}

static void a_loss_in_an_overwritten_chunk_is_unknown_of_all(void **state)
{
    rln_reader *reader = open_scenario(build_cut_loss);

    (void)state;
    assert_split(reader, 0, 20, 100, (const uint64_t[]){0, 0, 20, 60});
    assert_split(reader, 1, 40, 100, (const uint64_t[]){0, 0, 30, 30});
    rln_reader_close(reader);
}

static void without_switches_all_is_unknown(void **state)
{
    rln_reader *reader = open_scenario(sc_switched_ranges);

    (void)state;
    assert_false(rln__has_cpu_times(reader, RLN__NONE));
    assert_split(reader, 0, 10, 200, (const uint64_t[]){0, 0, 0, 190});
    rln_reader_close(reader);
}

static void build_lost(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_ON, 100, 10000);
    tb_switches_lost(&c, 40000, 60000);
    tb_switches_lost(&c, 20000, 30000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 70000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 80000);
    tb_until(&c, 300000);
}

static void a_loss_is_unknown_up_to_the_next_record(void **state)
{
    rln_reader *reader = open_scenario(build_lost);

    (void)state;
    assert_split(reader, 0, 10, 90, (const uint64_t[]){20, 0, 10, 50});
    rln_reader_close(reader);
}

static void assert_blocked(struct rln__cpu_times *times, uint32_t thread,
                           int64_t after_us, const int64_t us[2], int has_woken)
{
    struct rln__blocked found;

    assert_int_equal(
        rln__cpu_times_blocked_after(times, thread, after_us * 1000, &found),
        us != NULL);
    if (!us)
        return;
    assert_int_equal(found.start_ns, us[0] * 1000);
    assert_int_equal(found.end_ns, us[1] * 1000);
    assert_int_equal(found.has_woken, has_woken);
}

static void
a_time_at_which_a_thread_was_blocked_is_found_from_any_time_before_its_end(void **state)
{
    static const int64_t step[] = {100, 150}, load[] = {50, 110}, last[] = {80, 300};
    rln_reader *reader = open_scenario(sc_switches);
    struct rln__cpu_times times;

    (void)state;
    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    assert_blocked(&times, 0, -5, step, 1);
    assert_blocked(&times, 0, 120, step, 1);
    assert_blocked(&times, 0, 149, step, 1);
    assert_blocked(&times, 0, 150, NULL, 0);
    assert_blocked(&times, 1, 20, load, 1);
    assert_blocked(&times, 1, 200, NULL, 0);
    assert_blocked(&times, 2, 0, NULL, 0);
    rln__cpu_times_clear(&times);
    rln_reader_close(reader);

    /* Up to the last record, after which it may go on. */
    reader = open_scenario(build_lost);
    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    assert_blocked(&times, 0, 0, last, 0);
    rln__cpu_times_clear(&times);
    rln_reader_close(reader);
}

static void build_lost_of(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_ON, 100, 10000);
    tb_switch(&c, RLN__SWITCH_ON, 101, 10000);
    tb_lost_of(&c, 100, 10000, 60000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 70000);
    tb_until(&c, 300000);
}

static void a_loss_of_a_thread_is_unknown_of_that_one(void **state)
{
    rln_reader *reader = open_scenario(build_lost_of);

    (void)state;
    assert_split(reader, 0, 10, 90, (const uint64_t[]){20, 0, 0, 60});
    assert_split(reader, 1, 10, 90, (const uint64_t[]){80, 0, 0, 0});
    rln_reader_close(reader);
}

/* Two threads, each recorded by itself. The second came to the processor 1 us after the
 * first had left it, or to any processor. */
static uint64_t processor_of_second;

static void build_by_thread(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_processor(&c, processor_of_second);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 10000);
    tb_switch(&c, RLN__SWITCH_ON, 101, 51000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 60000);
    tb_switch(&c, RLN__SWITCH_RUNNABLE, 101, 70000);
    tb_switch(&c, RLN__SWITCH_ENDED, 101, 80000);
    tb_processor(&c, 3);
    tb_switch(&c, RLN__SWITCH_RUNNABLE, 100, 10000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 20000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 50000);
    tb_until(&c, 300000);
}

static void what_a_thread_was_found_to_do_is_settled_by_its_next_record(void **state)
{
    rln_reader *reader = open_scenario(build_by_thread);

    (void)state;
    assert_split(reader, 0, 10, 20, (const uint64_t[]){0, 10, 0, 0});
    assert_split(reader, 1, 70, 80, (const uint64_t[]){10, 0, 0, 0});
    rln_reader_close(reader);
}

static void threads_hand_over_their_own_processor_in_any_order(void **state)
{
    static const struct {
        uint64_t processor, us[4];
    } cases[] = {
        {3, {10, 0, 40, 0}},
        {4, {9, 0, 41, 0}},
        {RLN__NO_PROCESSOR, {9, 0, 41, 0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rln_reader *reader;

        processor_of_second = cases[i].processor;
        reader = open_scenario(build_by_thread);
        assert_split(reader, 1, 10, 60, cases[i].us);
        rln_reader_close(reader);
    }
}

/* What another thread of the program has of the processor, and another program. */
static void build_turns(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_processor(&c, 3);
    tb_switch(&c, RLN__SWITCH_ON, 100, 10000);
    tb_switch(&c, RLN__SWITCH_PREEMPTED, 100, 20000);
    tb_switch(&c, RLN__SWITCH_ON, 101, 21000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 50000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 50000);
    tb_switch(&c, RLN__SWITCH_PREEMPTED, 100, 60000);
    tb_switch(&c, RLN__SWITCH_ON, 101, 70000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 75000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 80000);
    tb_until(&c, 100000);
}

static void what_own_threads_take_over_is_counted(void **state)
{
    rln_reader *reader = open_scenario(build_turns);
    struct rln__cpu_times times;
    struct rln__cpu_split split;

    (void)state;
    assert_split(reader, 0, 10, 100, (const uint64_t[]){40, 50, 0, 0});
    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    split = rln__cpu_times_of(&times, 0, 10000, 100000);
    assert_int_equal(split.to_own_ns, 34000); /* from 21 to 50, and 70 to 75 */
    split = rln__cpu_times_of(&times, 0, 55000, 100000);
    assert_int_equal(split.preempted_ns, 20000);
    assert_int_equal(split.to_own_ns, 5000);
    rln__cpu_times_clear(&times);
    rln_reader_close(reader);
}

static void who_had_the_processor_is_named_if_it_had_nearly_all(void **state)
{
    static const struct {
        uint64_t own_ns;
        int has_readings;
        const char *who;
    } cases[] = {
        {0, 0, "others"},
        {10, 0, "others"},
        {11, 0, "others and other threads of the program"},
        {89, 0, "others and other threads of the program"},
        {90, 0, "other threads of the program"},
        {0, 1, "others, or other threads of the program,"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct rln__cpu_split split = {.preempted_ns = 100,
                                             .to_own_ns = cases[i].own_ns};

        assert_string_equal(rln__cpu_split_who(&split, cases[i].has_readings),
                            cases[i].who);
    }
}

static void build_moved(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_ON, 100, 10000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 20000); /* then on, elsewhere */
    tb_switch(&c, RLN__SWITCH_PREEMPTED, 100, 40000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 50000); /* then off */
    tb_switch(&c, RLN__SWITCH_ON, 100, 90000);
    tb_until(&c, 100000);
}

static void records_that_cannot_follow_each_other_are_unknown_between(void **state)
{
    rln_reader *reader = open_scenario(build_moved);

    (void)state;
    assert_split(reader, 0, 10, 100, (const uint64_t[]){20, 10, 0, 60});
    rln_reader_close(reader);
}

/* The thread's id is used again, by a thread that only waits. */
static void build_reused(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_born(&c, 10000, 100, 101);
    tb_switch(&c, RLN__SWITCH_ON, 101, 20000);
    tb_switch(&c, RLN__SWITCH_ENDED, 101, 50000);
    tb_born(&c, 80000, 100, 101);
    tb_switch(&c, RLN__SWITCH_ON, 101, 90000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 95000);
    tb_until(&c, 300000);
}

static void a_thread_id_that_is_used_again_is_another_thread(void **state)
{
    rln_reader *reader = open_scenario(build_reused);

    (void)state;
    assert_split(reader, 1, 10, 110, (const uint64_t[]){35, 20, 15, 30});
    rln_reader_close(reader);
}

static void a_thread_that_executes_becomes_the_first_one(void **state)
{
    rln_reader *reader = open_scenario(sc_execed);

    (void)state;
    assert_split(reader, 1, 25, 300, (const uint64_t[]){95, 0, 0, 180});
    assert_split(reader, 0, 110, 300, (const uint64_t[]){172, 0, 14, 4});
    rln_reader_close(reader);
}

/* Between getting the first thread's id and the record that says so, it is preempted. */
static void build_execed_preempted(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 0);
    tb_born(&c, 15000, 100, 101);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 20000);
    tb_processor(&c, 1);
    tb_switch(&c, RLN__SWITCH_ON, 101, 25000);
    tb_switch(&c, RLN__SWITCH_RUNNABLE, 100, 120000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 130000);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 140000);
    tb_until(&c, 300000);
}

/* The same, with its birth on a processor that is read later. */
static void build_execed_before_birth(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 0);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 20000);
    tb_processor(&c, 1);
    tb_switch(&c, RLN__SWITCH_ON, 101, 25000);
    tb_switch(&c, RLN__SWITCH_RUNNABLE, 100, 120000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 130000);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 140000);
    tb_processor(&c, 2);
    tb_born(&c, 15000, 100, 101);
    tb_until(&c, 300000);
}

static void a_birth_that_is_read_later_tells_who_has_executed(void **state)
{
    rln_reader *reader = open_scenario(build_execed_before_birth);

    (void)state;
    assert_split(reader, 1, 25, 300, (const uint64_t[]){95, 0, 0, 180});
    assert_split(reader, 0, 120, 300, (const uint64_t[]){170, 10, 0, 0});
    rln_reader_close(reader);
}

static void a_thread_that_leaves_as_the_first_has_executed(void **state)
{
    rln_reader *reader = open_scenario(build_execed_preempted);

    (void)state;
    assert_split(reader, 1, 25, 300, (const uint64_t[]){95, 0, 0, 180});
    assert_split(reader, 0, 120, 300, (const uint64_t[]){170, 10, 0, 0});
    rln_reader_close(reader);
}

/* Of the thread that was on the processor, the records are missing from which it follows
 * that it has left; or it is of another process. */
static void build_execed_beside(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_born(&c, 10000, 77, 101);
    tb_switch(&c, RLN__SWITCH_ON, 101, 20000);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 50000);
    tb_processor(&c, 1);
    tb_born(&c, 70000, 100, 101);
    tb_switch(&c, RLN__SWITCH_ON, 101, 80000);
    tb_lost_of(&c, 101, 82000, 83000);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 90000);
    tb_until(&c, 300000);
}

static void a_thread_that_may_have_left_the_processor_has_not_executed(void **state)
{
    rln_reader *reader = open_scenario(build_execed_beside);
    struct rln__cpu_times times;

    (void)state;
    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    for (size_t i = 0; i < times.n_changes; i++)
        assert_int_not_equal(rln__cpu_change_state(times.changes[i]), RLN__CPU_ENDED);
    rln__cpu_times_clear(&times);
    rln_reader_close(reader);
}

static void build_elsewhere(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 78);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    tb_note(&c, "pid_namespace", "pid:[2]");
    c = tb_names(tb, 2);
    tb_process(&c, 2, 0, 99)->flags = RLN__PROCESS_LAUNCHER;
    tb_note(&c, "pid_namespace", "pid:[1]");
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 0, 10000);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_ON, 100, 0); /* another thread of that number */
    tb_until(&c, 300000);
}

static void ids_of_another_namespace_are_not_mixed_up(void **state)
{
    rln_reader *reader = open_scenario(build_elsewhere);

    (void)state;
    assert_split(reader, 0, 10, 110, (const uint64_t[]){0, 0, 0, 100});
    rln_reader_close(reader);
}

/* --- Lives ------------------------------------------------------------------------ */

static void assert_lives(rln_reader *reader, const uint64_t us[][4], size_t n)
{
    struct rln__cpu_times times;
    struct rln__cpu_split *lives;
    struct rln__cpu_split sum = {0}, all;
    int has_readings = -1;

    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    assert_int_equal(times.n_of_thread, n);
    lives = rln__cpu_lives(&times);
    assert_non_null(lives);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(lives[i].on_ns, us[i][0] * 1000);
        assert_int_equal(lives[i].preempted_ns, us[i][1] * 1000);
        assert_int_equal(lives[i].blocked_ns, us[i][2] * 1000);
        assert_int_equal(lives[i].unknown_ns, us[i][3] * 1000);
        rln__cpu_split_add(&sum, &lives[i]);
    }
    rln__free(lives);
    rln__cpu_times_clear(&times);
    assert_int_equal(rln__cpu_lives_sum(reader, &all, &has_readings, NULL), RLN_OK);
    assert_false(has_readings);
    assert_memory_equal(&all, &sum, sizeof(sum));
}

/* Of sc_execed(), with the process that the program then is. */
static void build_images(struct tb *tb)
{
    struct tb_chunk c;

    sc_execed(tb);
    c = tb_names(tb, 3);
    tb_process(&c, 3, 0, 100)->clock[0] = tb_tuple(120000);
    c = tb_events(tb, 3, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
}

static void each_program_of_a_process_has_its_part_of_the_lives_of_threads(void **state)
{
    static const uint64_t us[][4] = {{22, 0, 94, 4}, {95, 10, 0, 0}, {170, 0, 10, 0}};
    rln_reader *reader = open_scenario(build_images);

    (void)state;
    assert_lives(reader, us, 3);
    rln_reader_close(reader);
}

static void build_windows(struct tb *tb)
{
    sc_switches(tb);
    tb_window(tb, 40000, RLN__WINDOW_BY_CAPTURE, 60000, RLN__WINDOW_BY_CAPTURE);
    tb_window(tb, 140000, RLN__WINDOW_BY_CAPTURE, 160000, RLN__WINDOW_BY_CAPTURE);
}

static void a_life_has_the_time_in_windows(void **state)
{
    static const uint64_t both[][4] = {{20, 10, 10, 0}, {10, 0, 10, 0}},
                          second[][4] = {{10, 0, 10, 0}, {0, 0, 0, 0}},
                          from_50_us[][4] = {{20, 0, 10, 0}, {0, 0, 10, 0}};
    rln_reader *reader = open_scenario(build_windows);

    (void)state;
    assert_lives(reader, both, 2);
    assert_int_equal(rln_reader_select_window(reader, 1, NULL), RLN_OK);
    assert_lives(reader, second, 2);
    assert_int_equal(rln_reader_select_window(reader, RLN_ALL_WINDOWS, NULL), RLN_OK);
    assert_int_equal(rln_reader_select_time(reader, 50000, 200000, NULL), RLN_OK);
    assert_lives(reader, from_50_us, 2);
    rln_reader_close(reader);
}

/* --- Clocks ----------------------------------------------------------------------- */

static void assert_split_ms(rln_reader *reader, uint32_t thread, int64_t start_ms,
                            int64_t end_ms, const uint64_t ms[4])
{
    const uint64_t us[4] = {ms[0] * 1000, ms[1] * 1000, ms[2] * 1000, ms[3] * 1000};

    assert_split(reader, thread, start_ms * 1000, end_ms * 1000, us);
}

/* Settled: 10 to 20, 4 on and 6 blocked; to 30, 9 preempted and 1 blocked; to 40, 8 on and
 * 2 preempted; to 50, on; to 60, blocked. */
static void readings_of_clocks_say_what_is_certain(void **state)
{
    static const struct {
        int64_t start_ms, end_ms;
        uint64_t ms[4];
    } cases[] = {
        {10, 20, {4, 0, 0, 6}}, /* of the 9 that it waited next, 6 may be of here */
        {20, 30, {0, 3, 0, 7}}, {30, 40, {8, 0, 0, 2}},    {10, 40, {12, 5, 1, 12}},
        {30, 39, {7, 0, 0, 2}},                         /* all but 1, of either */
        {31, 34, {1, 0, 0, 2}}, {42, 47, {5, 0, 0, 0}}, /* all the time */
        {52, 57, {0, 0, 5, 0}}, {35, 55, {13, 0, 5, 2}},   {60, 70, {0, 0, 0, 10}},
        {0, 10, {0, 0, 0, 10}}, {65, 200, {0, 0, 0, 135}},
    };
    rln_reader *reader = open_scenario(sc_clocks);

    (void)state;
    assert_true(rln__has_cpu_times(reader, RLN__NONE));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_split_ms(reader, 0, cases[i].start_ms, cases[i].end_ms, cases[i].ms);
    assert_split_ms(reader, 1, 25, 95, (const uint64_t[]){70, 0, 0, 0});
    rln_reader_close(reader);
}

/* --- Many ------------------------------------------------------------------------- */

#define N_SWITCHES 1500u

static uint64_t random_state;

static uint64_t any(uint64_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % n;
}

static uint64_t off_at[N_SWITCHES], on_at[N_SWITCHES]; /* us */
static int is_preempted[N_SWITCHES];

static void build_many(struct tb *tb)
{
    uint64_t t = 0;
    struct tb_chunk c;

    random_state = 7;
    sc_switched_ranges(tb);
    for (size_t i = 0; i < N_SWITCHES; i++) {
        on_at[i] = t += 1 + any(20);
        off_at[i] = t += 1 + any(20);
        is_preempted[i] = (int)any(2);
    }
    c = tb_switches(tb);
    for (size_t i = 0; i < N_SWITCHES; i++) {
        if (c.at + 64 > c.end)
            c = tb_switches(tb);
        tb_switch(&c, RLN__SWITCH_ON, 100, on_at[i] * 1000);
        tb_switch(&c, is_preempted[i] ? RLN__SWITCH_PREEMPTED : RLN__SWITCH_BLOCKED,
                  100, off_at[i] * 1000);
    }
    tb_until(&c, off_at[N_SWITCHES - 1] * 1000);
}

static uint64_t overlap(uint64_t a, uint64_t b, uint64_t start, uint64_t end)
{
    const uint64_t from = a > start ? a : start, to = b < end ? b : end;

    return to > from ? (to - from) * 1000 : 0;
}

static void any_two_times_have_the_sum_of_what_is_between(void **state)
{
    rln_reader *reader = open_scenario(build_many);
    struct rln__cpu_times times;

    (void)state;
    assert_int_equal(rln__cpu_times_load(&times, reader, NULL), RLN_OK);
    for (size_t n = 0; n < 3000; n++) {
        const uint64_t whole = off_at[N_SWITCHES - 1];
        const uint64_t start = on_at[0] + any(whole - on_at[0]);
        const uint64_t most = any(3) ? 60 : whole;
        const uint64_t end =
            start + any(whole - start < most ? whole - start + 1 : most);
        uint64_t on = 0, preempted = 0;
        struct rln__cpu_split split;

        for (size_t i = 0; i < N_SWITCHES; i++) {
            on += overlap(on_at[i], off_at[i], start, end);
            if (is_preempted[i] && i + 1 < N_SWITCHES)
                preempted += overlap(off_at[i], on_at[i + 1], start, end);
        }
        split =
            rln__cpu_times_of(&times, 0, (int64_t)start * 1000, (int64_t)end * 1000);
        assert_int_equal(split.on_ns, on);
        assert_int_equal(split.preempted_ns, preempted);
        assert_int_equal(split.unknown_ns, 0);
        assert_int_equal(split.blocked_ns, (end - start) * 1000 - on - preempted);
    }
    rln__cpu_times_clear(&times);
    rln_reader_close(reader);
}

/* The clocks of the same thread each 50 us: that it waited for a processor is counted when
 * it comes to one. */
static void build_many_readings(struct tb *tb)
{
    const uint64_t whole = off_at[N_SWITCHES - 1];
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    for (uint64_t t = 0; t <= whole; t += 50) {
        uint64_t on = 0, waited = 0;

        for (size_t i = 0; i < N_SWITCHES && on_at[i] <= t; i++) {
            on += overlap(on_at[i], off_at[i], 0, t);
            if (i && is_preempted[i - 1])
                waited += (on_at[i] - off_at[i - 1]) * 1000;
        }
        if (c.at + 64 > c.end)
            c = tb_switches(tb);
        tb_clocks(&c, 100, t * 1000, on, waited);
    }
    tb_until(&c, whole * 1000);
}

static void of_any_two_times_readings_say_no_more_than_there_was(void **state)
{
    rln_reader *switches = open_scenario(build_many);
    rln_reader *readings = open_scenario(build_many_readings);
    const uint64_t whole = off_at[N_SWITCHES - 1] / 50 * 50;
    struct rln__cpu_times is, has;

    (void)state;
    assert_int_equal(rln__cpu_times_load(&is, switches, NULL), RLN_OK);
    assert_int_equal(rln__cpu_times_load(&has, readings, NULL), RLN_OK);
    for (size_t n = 0; n < 3000; n++) {
        const int64_t start = (int64_t)(on_at[0] + any(whole - on_at[0]));
        const int64_t end = start + (int64_t)any(whole - (uint64_t)start);
        const struct rln__cpu_split a =
            rln__cpu_times_of(&is, 0, start * 1000, end * 1000);
        const struct rln__cpu_split b =
            rln__cpu_times_of(&has, 0, start * 1000, end * 1000);

        assert_int_equal(b.on_ns + b.preempted_ns + b.blocked_ns + b.unknown_ns,
                         (end - start) * 1000);
        assert_in_range(a.on_ns, b.on_ns, b.on_ns + b.unknown_ns);
        assert_in_range(a.preempted_ns, b.preempted_ns, b.preempted_ns + b.unknown_ns);
        assert_in_range(a.blocked_ns, b.blocked_ns, b.blocked_ns + b.unknown_ns);
        assert_in_range(b.unknown_ns, 0, 200000); /* at its ends only */
    }
    rln__cpu_times_clear(&is);
    rln__cpu_times_clear(&has);
    rln_reader_close(switches);
    rln_reader_close(readings);
}

/* --- Failures --------------------------------------------------------------------- */

static rln_status load(const char *path, rln_error *err)
{
    struct rln__cpu_split sum;
    int has_readings;
    rln_reader *reader;
    rln_status status = rln_reader_open(&path, 1, &reader, err);

    if (status)
        return status;
    status = rln__cpu_lives_sum(reader, &sum, &has_readings, err);
    rln_reader_close(reader);
    return status;
}

static void no_memory_is_reported(void **state)
{
    struct tb tb = {0};

    (void)state;
    build_lost(&tb);
    fail_each_allocation(&tb, load);
    tb_clear(&tb);
    sc_clocks(&tb);
    fail_each_allocation(&tb, load);
    tb_clear(&tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_is_on_a_processor_preempted_and_blocked),
        cmocka_unit_test(only_ranges_of_threads_that_have_ended_are_known),
        cmocka_unit_test(of_the_newest_switches_the_last_ones_before_them_are_known),
        cmocka_unit_test(switches_before_a_missing_chunk_do_not_count),
        cmocka_unit_test(a_drain_of_which_a_part_is_overwritten_is_unknown),
        cmocka_unit_test(a_loss_in_an_overwritten_chunk_is_unknown_of_all),
        cmocka_unit_test(without_switches_all_is_unknown),
        cmocka_unit_test(a_loss_is_unknown_up_to_the_next_record),
        cmocka_unit_test(
            a_time_at_which_a_thread_was_blocked_is_found_from_any_time_before_its_end),
        cmocka_unit_test(a_loss_of_a_thread_is_unknown_of_that_one),
        cmocka_unit_test(what_a_thread_was_found_to_do_is_settled_by_its_next_record),
        cmocka_unit_test(threads_hand_over_their_own_processor_in_any_order),
        cmocka_unit_test(what_own_threads_take_over_is_counted),
        cmocka_unit_test(who_had_the_processor_is_named_if_it_had_nearly_all),
        cmocka_unit_test(records_that_cannot_follow_each_other_are_unknown_between),
        cmocka_unit_test(a_thread_id_that_is_used_again_is_another_thread),
        cmocka_unit_test(a_thread_that_executes_becomes_the_first_one),
        cmocka_unit_test(
            each_program_of_a_process_has_its_part_of_the_lives_of_threads),
        cmocka_unit_test(a_thread_that_leaves_as_the_first_has_executed),
        cmocka_unit_test(a_birth_that_is_read_later_tells_who_has_executed),
        cmocka_unit_test(a_thread_that_may_have_left_the_processor_has_not_executed),
        cmocka_unit_test(ids_of_another_namespace_are_not_mixed_up),
        cmocka_unit_test(a_life_has_the_time_in_windows),
        cmocka_unit_test(readings_of_clocks_say_what_is_certain),
        cmocka_unit_test(any_two_times_have_the_sum_of_what_is_between),
        cmocka_unit_test(of_any_two_times_readings_say_no_more_than_there_was),
        cmocka_unit_test(no_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
