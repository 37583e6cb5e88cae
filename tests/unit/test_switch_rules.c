/* SPDX-License-Identifier: Apache-2.0 */
/* test_switch_rules.c - what rules of `analyze` say about context switches: who had the
 * processor while the step could go on.
 *
 *   us of a step   0      200          600       1000
 *   main           |step:              .............|
 *   the other                [what a test adds]
 */
#include "analysis/analysis.h"
#include "analysis/finding_words.h"
#include "analysis/rules.h"
#include "switch_scenario.h"
#include "temp_trace.h"

#define N_STEPS 30u
#define PERIOD_US 1000u
#define MAIN 100u
#define OTHER 101u

enum { STEP = 1 };

/* The threads "main" and "other" of a process, on processor 0, and what a test adds. */
struct scene {
    struct tb_chunk names, main, other, switches;
};

static struct scene begin(struct tb *tb)
{
    struct scene s;

    (void)tb_part(tb, 77);
    s.names = tb_names(tb, 1);
    (void)tb_process(&s.names, 1, 0, MAIN);
    tb_string(&s.names, STEP, "step");
    tb_attributes(&s.names, STEP, 0, STEP);
    s.main = tb_names(tb, 2);
    tb_process(&s.main, 2, 0, 99)->flags = RLN__PROCESS_LAUNCHER;
    s.main = tb_events(tb, 1, 1, MAIN);
    tb_thread(&s.main, 1, MAIN, 0, "main");
    s.other = tb_events(tb, 1, 2, OTHER);
    tb_thread(&s.other, 2, OTHER, 0, "other");
    s.switches = tb_switches(tb);
    tb_born(&s.switches, 0, MAIN, OTHER);
    tb_switch(&s.switches, RLN__SWITCH_EXECED, MAIN, 0);
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
    tb_switch(&s->switches, kind, tid, us * 1000);
}

static void end(struct scene *s)
{
    tb_until(&s->switches, N_STEPS * PERIOD_US * 1000);
}

/* What a rule says, and the cause of it, as people see them; "" if it is silent. */
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
    }
    rln__buf_char(&said, '\0');
    assert_string_equal(said.bytes, expected);
    rln__buf_clear(&said);
    rln__analysis_clear(&analysis);
    rln_reader_close(reader);
}

/* --- Who had the processor -------------------------------------------------------- */

static void build_preempted(struct tb *tb, uint64_t own_us)
{
    struct scene s = begin(tb);

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
    build_preempted(tb, 150);
}

static void build_preempted_by_own(struct tb *tb)
{
    build_preempted(tb, 250);
}

static void who_had_the_processor_decides_which_rule_speaks(void **state)
{
    (void)state;
    expect(build_preempted_by_others, "preempted",
           "warning: others had the processor for 40 % of step: 12.0 ms\n");
    expect(build_preempted_by_others, "oversubscribed", "");
    expect(build_preempted_by_own, "preempted", "");
    expect(build_preempted_by_own, "oversubscribed",
           "warning: other threads of the program had the processor for 40 % of step: "
           "12.0 ms\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_had_the_processor_decides_which_rule_speaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
