/* SPDX-License-Identifier: Apache-2.0 */
/* test_switch_rules.c - what rules of `analyze` say about context switches: who had the
 * processor while the step could go on, and for what it waited.
 *
 *   us of a step    0    100 110             700 710         990
 *   main            |step:                                   |
 *                        |receive:             |
 *                            |blocked          |
 *   the other            what a test adds
 */
#include "analysis/analysis.h"
#include "analysis/finding_words.h"
#include "analysis/rules.h"
#include "failed_allocations.h"
#include "scenarios.h"
#include "temp_trace.h"

#define N_STEPS 30u
#define PERIOD_US 1000u
#define MAIN 100u
#define OTHER 101u

enum { STEP = 1, RECEIVE, NEXT_BATCH, PRODUCE, DECODE, PUT, TICK, N_NAMES };

static const char *const names[N_NAMES] = {NULL,      "step",   "receive", "next batch",
                                           "produce", "decode", "put",     "tick"};

/* The threads "main" and "other" of a process, on processor 0, and what a test adds. */
struct scene {
    struct tb_chunk names, main, other, switches;
    int has_one_processor; /* else each thread has one of its own */
};

static struct tb_chunk add_process(struct tb *tb, uint32_t number, uint32_t pid)
{
    struct tb_chunk c = tb_names(tb, number);

    (void)tb_process(&c, number, 0, pid);
    for (uint32_t i = STEP; i < N_NAMES; i++) {
        tb_string(&c, i, names[i]);
        tb_attributes(&c, i, 0, i);
    }
    return c;
}

static struct scene begin(struct tb *tb)
{
    struct scene s = {.has_one_processor = 0};

    (void)tb_part(tb, 77);
    s.names = add_process(tb, 1, MAIN);
    s.main = tb_names(tb, 2);
    tb_process(&s.main, 2, 0, 99)->flags = RLN__PROCESS_LAUNCHER;
    s.main = tb_events(tb, 1, 1, MAIN);
    tb_thread(&s.main, 1, MAIN, 0, "main");
    s.other = tb_events(tb, 1, 2, OTHER);
    tb_thread(&s.other, 2, OTHER, 0, "other");
    s.switches = tb_switches(tb);
    tb_born(&s.switches, 0, MAIN, OTHER);
    tb_switch(&s.switches, RLN__SWITCH_EXECED, MAIN, 0);
    tb_processor(&s.switches, 1);
    tb_switch_long(&s.switches, 1000, RLN__SWITCH_ON, OTHER);
    return s;
}

static void push(struct tb_chunk *c, uint32_t name, uint64_t us)
{
    (void)tb_event(c, RLN__PUSH, name, us * 1000);
}

static void pop(struct tb_chunk *c, uint64_t us)
{
    (void)tb_event(c, RLN__POP, 0, us * 1000);
}

static void change(struct scene *s, unsigned kind, uint32_t tid, uint64_t us)
{
    tb_processor(&s->switches, !s->has_one_processor && tid != MAIN);
    tb_switch(&s->switches, kind, tid, us * 1000);
}

static void end(struct scene *s)
{
    tb_until(&s->switches, N_STEPS * PERIOD_US * 1000);
}

/* What a rule says, and the cause of it, as people see them; "" if it is silent or leaves
 * it to another one. */
static void expect(void (*build)(struct tb *tb), const char *id, const char *expected)
{
    struct rln__analysis_options options;
    struct rln__analysis analysis;
    struct rln__buf said = {0};
    rln_reader *reader = open_scenario(build);

    rln__analysis_options_init(&options);
    assert_int_equal(rln__analyze(reader, &options, &analysis, NULL), RLN_OK);
    for (size_t i = 0; i < analysis.n; i++) {
        const struct rln__finding *f = &analysis.findings[i];

        if (strcmp(f->rule->id, id) != 0)
            continue;
        rln__buf_text(&said, f->severity == RLN_SEVERITY_NOTE ? "note" : "warning");
        rln__buf_format(&said, ": %.*s\n", (int)f->title.length, f->title.bytes);
        rln__finding_put_cause(f, &said);
        rln__finding_put_growth(f, &said);
    }
    for (size_t i = 0; i < analysis.n_outcomes; i++) {
        const struct rln__outcome *outcome = &analysis.outcomes[i];

        if (outcome->why && outcome->why != outcome->rule->superseded_why &&
            strcmp(outcome->rule->id, id) == 0)
            rln__buf_format(&said, "abstains: %s", outcome->why);
    }
    rln__buf_char(&said, '\0');
    assert_string_equal(said.bytes, expected);
    rln__buf_clear(&said);
    rln__analysis_clear(&analysis);
    rln_reader_close(reader);
}

/* --- Slow steps -------------------------------------------------------------------- */

/* Four steps take 900 us instead of 400: it waits for 300 of 500, and the rest others
 * have the processor. */
#define SLOW (1ull << 22 | 1ull << 23 | 1ull << 25 | 1ull << 29)

static void build_slow(struct tb *tb)
{
    struct scene s = begin(tb);

    for (uint64_t i = 0; i < N_STEPS; i++) {
        const uint64_t t = i * PERIOD_US, slow = SLOW >> i & 1;

        push(&s.main, STEP, t);
        change(&s, RLN__SWITCH_BLOCKED, MAIN, t + 100);
        change(&s, RLN__SWITCH_ON, MAIN, t + 150 + 300 * slow);
        change(&s, RLN__SWITCH_PREEMPTED, MAIN, t + 500);
        change(&s, RLN__SWITCH_ON, MAIN, t + 700);
        pop(&s.main, t + 400 + 500 * slow);
    }
    end(&s);
}

/* Of the first half of the steps nothing is known, as with --buffer. */
static void build_slow_lately(struct tb *tb)
{
    struct scene s = begin(tb);

    for (uint64_t i = 0; i < N_STEPS; i++) {
        const uint64_t t = i * PERIOD_US, slow = SLOW >> i & 1;

        push(&s.main, STEP, t);
        if (i >= N_STEPS / 2) {
            change(&s, RLN__SWITCH_BLOCKED, MAIN, t + 100);
            change(&s, RLN__SWITCH_ON, MAIN, t + 150 + 500 * slow);
        }
        pop(&s.main, t + 400 + 500 * slow);
    }
    tb_switches_lost(&s.switches, 0, N_STEPS / 2 * PERIOD_US * 1000);
    end(&s);
}

static void build_slow_in_the_dark(struct tb *tb)
{
    struct scene s = begin(tb);

    for (uint64_t i = 0; i < N_STEPS; i++) {
        push(&s.main, STEP, i * PERIOD_US);
        pop(&s.main, i * PERIOD_US + (SLOW >> i & 1 ? 900 : 400));
    }
    end(&s);
    tb_switches_lost(&s.switches, 0, N_STEPS * PERIOD_US * 1000);
}

static void what_slow_steps_took_longer_by_is_told(void **state)
{
    (void)state;
    expect(build_slow, "outliers",
           "note: 4 of 30 calls of step took over 1.5 times the median; the worst "
           "500.0 us more than usual\n60 % blocked, 40 % preempted");
    expect(build_slow_lately, "outliers",
           "note: 4 of 30 calls of step took over 1.5 times the median; the worst "
           "500.0 us more than usual\n100 % blocked");
    expect(build_slow_in_the_dark, "outliers",
           "note: 4 of 30 calls of step took over 1.5 times the median; the worst "
           "500.0 us more than usual\n");
}

/* --- Who had the processor -------------------------------------------------------- */

static void build_preempted(struct tb *tb, uint64_t own_us)
{
    struct scene s = begin(tb);

    s.has_one_processor = 1;
    for (uint64_t t = 0; t < N_STEPS * PERIOD_US; t += PERIOD_US) {
        push(&s.main, STEP, t);
        change(&s, RLN__SWITCH_PREEMPTED, MAIN, t + 200);
        if (own_us) {
            change(&s, RLN__SWITCH_ON, OTHER, t + 200);
            change(&s, RLN__SWITCH_BLOCKED, OTHER, t + 200 + own_us);
        }
        change(&s, RLN__SWITCH_ON, MAIN, t + 600);
        pop(&s.main, t + 990);
    }
    end(&s);
}

static void build_preempted_by_others(struct tb *tb)
{
    build_preempted(tb, 20);
}

static void build_preempted_mostly_by_others(struct tb *tb)
{
    build_preempted(tb, 150);
}

static void build_preempted_mostly_by_own(struct tb *tb)
{
    build_preempted(tb, 250);
}

static void build_preempted_by_own(struct tb *tb)
{
    build_preempted(tb, 390);
}

static void who_had_the_processor_decides_which_rule_speaks(void **state)
{
    static const struct {
        void (*build)(struct tb *tb);
        const char *preempted, *oversubscribed;
    } cases[] = {
        {build_preempted_by_others,
         "warning: others had the processor for 40 % of step: 12.0 ms\n", ""},
        {build_preempted_mostly_by_others,
         "warning: others and other threads of the program had the processor for 40 % "
         "of "
         "step: 12.0 ms\n",
         ""},
        {build_preempted_mostly_by_own, "",
         "warning: others and other threads of the program had the processor for 40 % "
         "of "
         "step: 12.0 ms\n"},
        {build_preempted_by_own, "",
         "warning: other threads of the program had the processor for 40 % of step: "
         "12.0 ms\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(cases[i].build, "preempted", cases[i].preempted);
        expect(cases[i].build, "oversubscribed", cases[i].oversubscribed);
    }
}

/* Each has the processor while the other is preempted, for 400 us of every second step. */
static void build_turns(struct tb *tb)
{
    struct scene s = begin(tb);

    for (uint64_t i = 0; i < N_STEPS; i++) {
        const uint64_t t = i * PERIOD_US;
        const uint32_t loses = i % 2 ? OTHER : MAIN;

        push(&s.main, STEP, t + 5);
        push(&s.other, STEP, t + 5);
        change(&s, RLN__SWITCH_PREEMPTED, loses, t + 200);
        change(&s, RLN__SWITCH_ON, loses, t + 600);
        pop(&s.main, t + 990);
        pop(&s.other, t + 990);
    }
    end(&s);
}

static void no_more_can_be_won_than_one_thread_loses(void **state)
{
    struct rln__analysis_options options;
    struct rln__analysis analysis;
    rln_reader *reader = open_scenario(build_turns);
    size_t n = 0;

    (void)state;
    rln__analysis_options_init(&options);
    assert_int_equal(rln__analyze(reader, &options, &analysis, NULL), RLN_OK);
    for (size_t i = 0; i < analysis.n; i++) {
        const struct rln__finding *f = &analysis.findings[i];

        if (strcmp(f->rule->id, "preempted") && strcmp(f->rule->id, "oversubscribed"))
            continue;
        n++;
        assert_float_equal(f->won_ns, N_STEPS / 2 * 400e3, 1);
    }
    assert_int_equal(n, 1);
    rln__analysis_clear(&analysis);
    rln_reader_close(reader);
}

/* The kernel refused to record switches: between readings, half of the time the thread
 * waits for a processor, or for something else. */
static void build_clocks(struct tb *tb, uint64_t waited_us)
{
    struct scene s = begin(tb);

    s.switches = tb_switches(tb);
    for (uint64_t t = 0; t < N_STEPS * PERIOD_US; t += PERIOD_US) {
        push(&s.main, STEP, t);
        pop(&s.main, t + 990);
    }
    for (uint64_t i = 0; i <= N_STEPS; i++)
        tb_clocks(&s.switches, MAIN, i * PERIOD_US * 1000, i * 500000,
                  i * waited_us * 1000);
    end(&s);
}

static void build_waiting_clocks(struct tb *tb)
{
    build_clocks(tb, 500);
}

static void build_blocked_clocks(struct tb *tb)
{
    build_clocks(tb, 0);
}

static void readings_of_clocks_do_not_say_who_or_for_what(void **state)
{
    (void)state;
    expect(
        build_waiting_clocks, "preempted",
        "warning: others, or other threads of the program, had the processor for 50 % "
        "of step: 14.7 ms\n");
    expect(build_waiting_clocks, "oversubscribed", "");
    expect(build_blocked_clocks, "blocked",
           "note: step waits for 50 % of its time: 14.7 ms\n");
}

/* --- For what it waited ----------------------------------------------------------- */

/* A step that is blocked for `us` in a range. */
static void wait_in(struct scene *s, uint32_t range, uint64_t t, uint64_t us)
{
    push(&s->main, STEP, t);
    push(&s->main, range, t + 100);
    change(s, RLN__SWITCH_BLOCKED, MAIN, t + 110);
    change(s, RLN__SWITCH_ON, MAIN, t + 110 + us);
    pop(&s->main, t + 120 + us);
    pop(&s->main, t + 990);
}

static void add_range(struct tb_chunk *c, uint32_t name, uint64_t from, uint64_t to)
{
    push(c, name, from);
    pop(c, to);
}

/* Waits that end with a range of the other thread: what `add` adds to each step. */
static void build_waits(struct tb *tb, uint32_t range, uint64_t us,
                        void (*add)(struct scene *s, uint64_t t))
{
    struct scene s = begin(tb);

    for (uint64_t t = 0; t < N_STEPS * PERIOD_US; t += PERIOD_US) {
        wait_in(&s, range, t, us);
        if (add)
            add(&s, t);
    }
    end(&s);
}

static void add_decode(struct scene *s, uint64_t t)
{
    add_range(&s->other, DECODE, t + 40, t + 695);
}

static void add_produce(struct scene *s, uint64_t t)
{
    push(&s->other, PRODUCE, t + 30);
    add_range(&s->other, DECODE, t + 40, t + 680);
    add_range(&s->other, PUT, t + 685, t + 695);
    pop(&s->other, t + 702);
}

static void add_ticks(struct scene *s, uint64_t t)
{
    for (uint64_t at = t; at < t + PERIOD_US; at += 50)
        add_range(&s->other, TICK, at, at + 45);
}

/* On the same processor: the main thread takes it as soon as it is woken. */
static void add_preempted(struct scene *s, uint64_t t)
{
    change(s, RLN__SWITCH_PREEMPTED, OTHER, t + 709);
    change(s, RLN__SWITCH_ON, OTHER, t + 991);
    add_range(&s->other, DECODE, t + 120, t + 995);
}

/* It goes on for 25 us after the wait. */
static void add_too_late(struct scene *s, uint64_t t)
{
    add_range(&s->other, DECODE, t + 120, t + 735);
}

/* The main thread lets it go on. */
static void add_woken(struct scene *s, uint64_t t)
{
    push(&s->other, PUT, t + 100);
    change(s, RLN__SWITCH_BLOCKED, OTHER, t + 105);
    change(s, RLN__SWITCH_ON, OTHER, t + 715);
    pop(&s->other, t + 717);
}

/* In Python it takes 100 us to wake a thread. */
static void add_early(struct scene *s, uint64_t t)
{
    add_range(&s->other, DECODE, t + 40, t + 610);
}

static void add_too_early(struct scene *s, uint64_t t)
{
    add_range(&s->other, DECODE, t + 40, t + 500);
}

/* A third thread lets both go on. */
static void add_same_wait(struct scene *s, uint64_t t)
{
    push(&s->other, RECEIVE, t + 100);
    change(s, RLN__SWITCH_BLOCKED, OTHER, t + 105);
    change(s, RLN__SWITCH_ON, OTHER, t + 708);
    pop(&s->other, t + 709);
}

static void build_decode(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_decode);
}

static void build_produce(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_produce);
}

static void build_ticks(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_ticks);
}

static void build_preempted_decode(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_preempted);
}

static void build_too_late(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_too_late);
}

static void build_woken(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_woken);
}

static void build_early(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_early);
}

static void build_too_early(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_too_early);
}

static void build_same_wait(struct tb *tb)
{
    build_waits(tb, RECEIVE, 600, add_same_wait);
}

static void build_pause(struct tb *tb)
{
    build_waits(tb, STEP, 600, NULL);
}

static void build_short(struct tb *tb)
{
    build_waits(tb, RECEIVE, 9, add_decode);
}

#define WAITS "step waits for 61 % of its time: 18.0 ms, all of it in receive\n"
#define UNTIL_DECODE                                                                   \
    "decode, 100 % of the waiting, each time until it ended on another thread"

static void a_range_of_another_thread_that_ends_with_each_wait_is_named(void **state)
{
    (void)state;
    expect(build_decode, "blocked", "warning: " WAITS UNTIL_DECODE);
}

static void
of_ranges_around_each_other_the_one_that_takes_the_time_is_named(void **state)
{
    (void)state;
    expect(build_produce, "blocked", "warning: " WAITS UNTIL_DECODE);
}

static void a_range_that_ends_all_the_time_is_not_named(void **state)
{
    (void)state;
    expect(build_ticks, "blocked", "note: " WAITS);
}

static void a_thread_that_loses_its_processor_as_it_wakes_another_is_named(void **state)
{
    (void)state;
    expect(build_preempted_decode, "blocked", "warning: " WAITS UNTIL_DECODE);
}

static void a_range_that_does_not_end_as_the_wait_does_is_not_named(void **state)
{
    (void)state;
    expect(build_early, "blocked", "warning: " WAITS UNTIL_DECODE);
    expect(build_too_late, "blocked", "note: " WAITS);
    expect(build_too_early, "blocked", "note: " WAITS);
}

static void a_thread_that_waits_in_the_same_range_is_not_named(void **state)
{
    (void)state;
    expect(build_same_wait, "blocked", "note: " WAITS);
}

static void a_thread_that_goes_on_because_the_wait_has_ended_is_not_named(void **state)
{
    (void)state;
    expect(build_woken, "blocked", "note: " WAITS);
}

static void a_wait_for_nothing_known_is_a_note(void **state)
{
    (void)state;
    expect(
        build_pause, "blocked",
        "note: step waits for 61 % of its time: 18.0 ms, all of it outside all ranges "
        "inside\n");
}

static void waits_of_less_than_the_share_are_silent(void **state)
{
    (void)state;
    expect(build_short, "blocked", "");
}

/* --- For which process ------------------------------------------------------------ */

#define LONG_US 20000u
#define N_WORKERS 8u
#define WORKER(i) (200u + (i))

/* Steps of 20 ms, of which it is blocked for 14, and processes that work meanwhile. */
struct crew {
    struct scene s;
    struct tb_chunk workers[N_WORKERS]; /* on processors of their own */
};

static void add_workers(struct tb *tb, struct crew *c)
{
    for (uint32_t i = 0; i < N_WORKERS; i++) {
        (void)add_process(tb, 3 + i, WORKER(i));
        c->workers[i] = tb_events(tb, 3 + i, 1, WORKER(i));
        tb_thread(&c->workers[i], 1, WORKER(i), 0, "worker");
    }
}

static void build_crew(struct tb *tb, bool is_elsewhere,
                       void (*add)(struct crew *c, uint64_t t))
{
    struct crew c = {.s = begin(tb)};
    const size_t part = tb->part;

    if (is_elsewhere)
        (void)tb_part(tb, 78);
    add_workers(tb, &c);
    for (uint64_t t = 0; t < N_STEPS * LONG_US; t += LONG_US) {
        push(&c.s.main, STEP, t);
        push(&c.s.main, RECEIVE, t + 1000);
        change(&c.s, RLN__SWITCH_BLOCKED, MAIN, t + 1010);
        change(&c.s, RLN__SWITCH_ON, MAIN, t + 15000);
        pop(&c.s.main, t + 15010);
        pop(&c.s.main, t + 19990);
        add(&c, t);
    }
    tb->part = part;
    tb_until(&c.s.switches, N_STEPS * LONG_US * 1000);
}

/* As after a pipe. */
static void add_piped(struct crew *c, uint64_t t)
{
    add_range(&c->workers[2], DECODE, t + 1100, t + 14980);
}

/* As after a queue of Python, of which a thread takes from it what it sends. */
static void add_queued(struct crew *c, uint64_t t)
{
    add_range(&c->workers[2], DECODE, t + 1100, t + 14200);
}

/* As if this thread had to wait for the GIL, too. */
static void add_queued_behind_gil(struct crew *c, uint64_t t)
{
    add_range(&c->workers[2], DECODE, t + 1100, t + 9600);
}

static void add_too_long_ago(struct crew *c, uint64_t t)
{
    add_range(&c->workers[2], DECODE, t + 1100, t + 8000);
}

static void add_queued_by_thread(struct crew *c, uint64_t t)
{
    add_range(&c->s.other, DECODE, t + 1100, t + 14200);
}

/* In the rhythm of the step, but not at work while it waits. */
static void add_in_rhythm(struct crew *c, uint64_t t)
{
    add_range(&c->workers[2], TICK, t + 9000, t + 12000);
}

/* By turns, each is done 2 to 3 ms after the one before, and at work most of the time. */
static void add_busy_workers(struct crew *c, uint64_t t)
{
    for (uint64_t i = 0; i < N_WORKERS; i++)
        add_range(&c->workers[i], DECODE, t + i * 2500,
                  t + i * 2500 + 18000 + t / LONG_US * (i + 3) * 171 % 900);
}

static void add_both(struct crew *c, uint64_t t)
{
    add_range(&c->s.other, PRODUCE, t + 1200, t + 14900);
    add_piped(c, t);
}

/* The thread that takes it from the queue. */
static void add_forwarded(struct crew *c, uint64_t t)
{
    add_range(&c->s.other, PUT, t + 14930, t + 14990);
    add_range(&c->workers[2], DECODE, t + 1100, t + 14900);
}

static void build_piped(struct tb *tb)
{
    build_crew(tb, false, add_piped);
}

static void build_queued(struct tb *tb)
{
    build_crew(tb, false, add_queued);
}

static void build_queued_behind_gil(struct tb *tb)
{
    build_crew(tb, false, add_queued_behind_gil);
}

static void build_too_long_ago(struct tb *tb)
{
    build_crew(tb, false, add_too_long_ago);
}

static void build_queued_by_thread(struct tb *tb)
{
    build_crew(tb, false, add_queued_by_thread);
}

static void build_in_rhythm(struct tb *tb)
{
    build_crew(tb, false, add_in_rhythm);
}

static void build_busy_workers(struct tb *tb)
{
    build_crew(tb, false, add_busy_workers);
}

static void build_both(struct tb *tb)
{
    build_crew(tb, false, add_both);
}

static void build_forwarded(struct tb *tb)
{
    build_crew(tb, false, add_forwarded);
}

static void build_elsewhere(struct tb *tb)
{
    build_crew(tb, true, add_piped);
}

#define LONG_WAITS "step waits for 70 % of its time: 419.7 ms, all of it in receive\n"
#define UNTIL_WORKER                                                                   \
    "decode, 100 % of the waiting, each time until it ended in another process"

static void a_range_of_another_process_that_ends_with_each_wait_is_named(void **state)
{
    (void)state;
    expect(build_piped, "blocked", "warning: " LONG_WAITS UNTIL_WORKER);
    expect(build_elsewhere, "blocked", "note: " LONG_WAITS);
}

static void what_passes_a_queue_between_processes_may_take_ms(void **state)
{
    (void)state;
    expect(build_queued, "blocked", "warning: " LONG_WAITS UNTIL_WORKER);
    expect(build_queued_behind_gil, "blocked", "warning: " LONG_WAITS UNTIL_WORKER);
    expect(build_too_long_ago, "blocked", "note: " LONG_WAITS);
    expect(build_queued_by_thread, "blocked", "note: " LONG_WAITS);
}

static void a_process_that_does_little_during_the_waits_is_not_named(void **state)
{
    (void)state;
    expect(build_in_rhythm, "blocked", "note: " LONG_WAITS);
}

static void workers_whose_ranges_end_all_the_time_are_not_named(void **state)
{
    (void)state;
    expect(build_busy_workers, "blocked", "note: " LONG_WAITS);
}

static void of_what_fits_as_well_the_thread_of_the_own_process_is_named(void **state)
{
    (void)state;
    expect(build_both, "blocked",
           "warning: " LONG_WAITS
           "produce, 100 % of the waiting, each time until it ended on another thread");
    expect(build_forwarded, "blocked", "warning: " LONG_WAITS UNTIL_WORKER);
}

/* --- Waits that others know ------------------------------------------------------- */

static void build_unknown_batch(struct tb *tb)
{
    build_waits(tb, NEXT_BATCH, 600, NULL);
}

static void build_known_batch(struct tb *tb)
{
    build_waits(tb, NEXT_BATCH, 600, add_decode);
}

static void
a_wait_for_data_is_left_to_its_rule_unless_it_is_known_for_what(void **state)
{
    (void)state;
    expect(build_unknown_batch, "blocked", "");
    expect(build_known_batch, "blocked",
           "warning: step waits for 61 % of its time: 18.0 ms, all of it in next "
           "batch\n" UNTIL_DECODE);
}

/* The other thread holds the lock for `held_us` of the wait. */
static void build_lock(struct tb *tb, uint64_t held_us)
{
    struct scene s = begin(tb);

    tb_string(&s.names, 30, "table");
    sd_object(&s.names, 7, 0, 30, 5);
    for (uint64_t t = 0; t < N_STEPS * PERIOD_US; t += PERIOD_US) {
        push(&s.main, STEP, t);
        push(&s.main, RECEIVE, t + 100);
        sd_sync(&s.other, RLN__SYNC_HAS, 7, (t + 90) * 1000);
        sd_sync(&s.main, RLN__SYNC_WAITS, 7, (t + 105) * 1000);
        change(&s, RLN__SWITCH_BLOCKED, MAIN, t + 110);
        sd_sync(&s.other, RLN__SYNC_RELEASES, 7, (t + 110 + held_us) * 1000);
        change(&s, RLN__SWITCH_ON, MAIN, t + 710);
        sd_sync(&s.main, RLN__SYNC_HAS, 7, (t + 712) * 1000);
        sd_sync(&s.main, RLN__SYNC_RELEASES, 7, (t + 715) * 1000);
        pop(&s.main, t + 720);
        pop(&s.main, t + 990);
    }
    end(&s);
}

static void build_held_lock(struct tb *tb)
{
    build_lock(tb, 590);
}

static void build_free_lock(struct tb *tb)
{
    build_lock(tb, 100);
}

static void a_lock_is_named_unless_lock_serial_does(void **state)
{
    (void)state;
    expect(build_free_lock, "blocked",
           "warning: " WAITS "table, 100 % of the waiting, for this lock");
    expect(build_held_lock, "blocked", "");
}

/* Once in each step, as is usual: sync-stall has nothing to say. */
static void build_gpu(struct tb *tb)
{
    struct tb_chunk d;

    build_decode(tb);
    d = tb_names(tb, 1);
    gs_names(&d);
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    for (uint32_t i = 0; i < N_STEPS; i++) {
        const uint64_t t = i * PERIOD_US * UINT64_C(1000);
        const struct rln__gpu_kernel kernel = {
            .head = gs_head(t + 10000, t + 700000, 11, i + 1), .at = {0, 1, 0, 7}};
        const struct rln__gpu_sync sync = {
            .head = gs_head(t + 105000, t + 705000, 12, i + 1), .at = {0, 1, 0, 7}};

        gs_batch(&d, t, RLN__GPU_SCHEMA(RLN__GPU_KERNEL), SD_SCHEMA + 1, &kernel,
                 sizeof(kernel));
        gs_batch(&d, t, RLN__GPU_SCHEMA(RLN__GPU_SYNC), SD_SCHEMA + 1, &sync,
                 sizeof(sync));
    }
}

static void a_wait_for_the_gpu_is_a_note(void **state)
{
    (void)state;
    expect(build_gpu, "blocked",
           "note: " WAITS "receive, 99 % of the waiting, for the GPU");
}

/* Two ranks come to a range by turns, one `us` later than the other. */
static void build_ranks(struct tb *tb, uint64_t us)
{
    struct tb_chunk switches;

    (void)tb_part(tb, 29);
    for (uint32_t rank = 1; rank <= 2; rank++) {
        const uint32_t pid = 100 * rank;
        struct tb_chunk c = add_process(tb, rank, pid);

        c = tb_events(tb, rank, 1, pid);
        tb_thread(&c, 1, pid, 0, "main");
        for (uint64_t i = 0; i < N_STEPS; i++) {
            const uint64_t t = i * PERIOD_US, late = i % 2 + 1 == rank ? us : 0;

            push(&c, STEP, t);
            add_range(&c, RECEIVE, t + 100 + late, t + 120 + us);
            pop(&c, t + 990);
        }
    }
    switches = tb_names(tb, 3);
    tb_process(&switches, 3, 0, 99)->flags = RLN__PROCESS_LAUNCHER;
    switches = tb_chunk_at(tb, RLN__CHUNK_SWITCHES, 3, 1, 99, 0);
    tb_switch(&switches, RLN__SWITCH_EXECED, 100, 0);
    tb_switch(&switches, RLN__SWITCH_EXECED, 200, 0);
    for (uint64_t i = 0; i < N_STEPS; i++) {
        const uint32_t waits = i % 2 ? 100 : 200;

        tb_switch(&switches, RLN__SWITCH_BLOCKED, waits, (i * PERIOD_US + 110) * 1000);
        tb_switch(&switches, RLN__SWITCH_ON, waits, (i * PERIOD_US + 110 + us) * 1000);
    }
    tb_until(&switches, N_STEPS * PERIOD_US * 1000);
}

static void build_slightly_late_ranks(struct tb *tb)
{
    build_ranks(tb, 30);
}

static void build_late_ranks(struct tb *tb)
{
    build_ranks(tb, 300);
}

static void other_ranks_are_named_unless_wait_at_collective_does(void **state)
{
    (void)state;
    expect(
        build_slightly_late_ranks, "blocked",
        "note: step waits for 2 % of its time: 450.0 us of one of its threads, all of "
        "it in receive\nreceive, 100 % of the waiting, for other ranks");
    expect(build_late_ranks, "blocked", "");
}

/* --- What is not known ------------------------------------------------------------ */

/* For 300 us it waits, for 300 others have the processor. After the first steps, nothing is
 * known from a time in the wait to its end. */
static void build_lost(struct tb *tb, uint64_t n_known, uint64_t from_us)
{
    struct scene s = begin(tb);

    for (uint64_t i = 0; i < N_STEPS; i++) {
        const uint64_t t = i * PERIOD_US;

        push(&s.main, STEP, t);
        push(&s.main, RECEIVE, t + 90);
        change(&s, RLN__SWITCH_BLOCKED, MAIN, t + 100);
        change(&s, RLN__SWITCH_ON, MAIN, t + 400);
        pop(&s.main, t + 410);
        change(&s, RLN__SWITCH_PREEMPTED, MAIN, t + 500);
        change(&s, RLN__SWITCH_ON, MAIN, t + 800);
        pop(&s.main, t + 1000);
        if (i >= n_known)
            tb_lost_of(&s.switches, MAIN, (t + from_us) * 1000, (t + 399) * 1000);
    }
    end(&s);
}

static void build_mostly_lost(struct tb *tb)
{
    build_lost(tb, 12, 110);
}

static void build_lost_in_passing(struct tb *tb)
{
    build_lost(tb, 0, 380);
}

static void build_few_known(struct tb *tb)
{
    build_lost(tb, 9, 110);
}

#define TOO_LITTLE                                                                     \
    "abstains: of fewer than 10 calls of the step it is known what their thread did"

static void a_share_of_the_step_is_one_of_what_is_known(void **state)
{
    (void)state;
    expect(build_mostly_lost, "blocked",
           "note: step waits for 30 % of what is known of its time: 3.6 ms, all of it "
           "in receive\n");
    expect(build_mostly_lost, "preempted",
           "warning: others had the processor for 30 % of what is known of step: "
           "3.6 ms\n");
    expect(build_lost_in_passing, "blocked",
           "note: step waits for 29 % of its time: 8.4 ms, all of it in receive\n");
    expect(build_few_known, "blocked", TOO_LITTLE);
    expect(build_few_known, "preempted", TOO_LITTLE);
}

static rln_status analyze(const char *path, rln_error *err)
{
    struct rln__analysis_options options;
    struct rln__analysis analysis = {0};
    rln_reader *reader;
    rln_status status = rln_reader_open(&path, 1, &reader, err);

    rln__analysis_options_init(&options);
    if (!status)
        status = rln__analyze(reader, &options, &analysis, err);
    rln__analysis_clear(&analysis);
    rln_reader_close(reader);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    struct tb tb = {0};

    (void)state;
    build_decode(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
    build_held_lock(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
    build_slightly_late_ranks(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_slow_steps_took_longer_by_is_told),
        cmocka_unit_test(who_had_the_processor_decides_which_rule_speaks),
        cmocka_unit_test(no_more_can_be_won_than_one_thread_loses),
        cmocka_unit_test(readings_of_clocks_do_not_say_who_or_for_what),
        cmocka_unit_test(a_range_of_another_thread_that_ends_with_each_wait_is_named),
        cmocka_unit_test(
            of_ranges_around_each_other_the_one_that_takes_the_time_is_named),
        cmocka_unit_test(a_range_that_ends_all_the_time_is_not_named),
        cmocka_unit_test(
            a_thread_that_loses_its_processor_as_it_wakes_another_is_named),
        cmocka_unit_test(a_range_that_does_not_end_as_the_wait_does_is_not_named),
        cmocka_unit_test(a_thread_that_waits_in_the_same_range_is_not_named),
        cmocka_unit_test(a_thread_that_goes_on_because_the_wait_has_ended_is_not_named),
        cmocka_unit_test(a_range_of_another_process_that_ends_with_each_wait_is_named),
        cmocka_unit_test(what_passes_a_queue_between_processes_may_take_ms),
        cmocka_unit_test(a_process_that_does_little_during_the_waits_is_not_named),
        cmocka_unit_test(workers_whose_ranges_end_all_the_time_are_not_named),
        cmocka_unit_test(of_what_fits_as_well_the_thread_of_the_own_process_is_named),
        cmocka_unit_test(a_wait_for_nothing_known_is_a_note),
        cmocka_unit_test(waits_of_less_than_the_share_are_silent),
        cmocka_unit_test(
            a_wait_for_data_is_left_to_its_rule_unless_it_is_known_for_what),
        cmocka_unit_test(a_lock_is_named_unless_lock_serial_does),
        cmocka_unit_test(a_wait_for_the_gpu_is_a_note),
        cmocka_unit_test(other_ranks_are_named_unless_wait_at_collective_does),
        cmocka_unit_test(a_share_of_the_step_is_one_of_what_is_known),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
