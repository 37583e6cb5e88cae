/* SPDX-License-Identifier: Apache-2.0 */
/* test_diff.c - a comparison distinguishes changed ranges from noise. */
#include <math.h>

#include "base/alloc.h"
#include "reports/diff/diff_traces.h"
#include "reports/diff/diff_view.h"
#include "temp_trace.h"

/* The parameters of the next scenario: `n` times step around load, in a separate
 * process, and one range "load" by itself in the domain io. */
struct shape {
    uint32_t n, step_ns, load_ns, wobble_ns;
    uint32_t n_long; /* of every 100 loads, this number take 100 us more */
    int has_io;
};

static struct shape shape;

static void build_run(struct tb *tb, uint64_t trace_id)
{
    uint64_t t = 0;
    struct tb_chunk c;

    (void)tb_part(tb, trace_id);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    for (uint32_t i = 0; i < shape.n; i++) {
        /* Varies without a pattern that two runs could share. */
        const uint32_t wobble = shape.wobble_ns ? i * 7919 % shape.wobble_ns : 0;

        if (i % 400 == 399)
            c = tb_events(tb, 1, 1, 100);
        (void)tb_event(&c, RLN__PUSH, 1, t);
        (void)tb_event(&c, RLN__PUSH, 2, t += 10);
        t += shape.load_ns + wobble + (i * 37 % 100 < shape.n_long ? 100000 : 0);
        (void)tb_event(&c, RLN__POP, 0, t);
        (void)tb_event(&c, RLN__POP, 0, t += shape.step_ns);
    }
    if (shape.has_io) {
        (void)tb_event(&c, RLN__PUSH, 3, t);
        (void)tb_event(&c, RLN__POP, 1, t + 100);
    }
}

static void build_shape(struct tb *tb)
{
    build_run(tb, 1);
}

/* The nanoseconds that load takes in each of three runs. */
static uint32_t loads_ns[3];

static void build_runs(struct tb *tb)
{
    for (uint64_t i = 0; i < 3; i++) {
        shape = (struct shape){.n = 100, .load_ns = loads_ns[i], .wobble_ns = 30};
        build_run(tb, 1 + i);
    }
}

static rln_reader *open_runs(uint32_t a_ns, uint32_t b_ns, uint32_t c_ns)
{
    loads_ns[0] = a_ns;
    loads_ns[1] = b_ns;
    loads_ns[2] = c_ns;
    return open_scenario(build_runs);
}

static rln_reader *open_shape(struct shape s)
{
    shape = s;
    return open_scenario(build_shape);
}

struct compared {
    rln_reader *before, *after;
    struct rln__diff *diff;
};

/* Frees what it has made if it fails. */
static rln_status diff_new(rln_reader *before, rln_reader *after,
                           struct rln__diff **out)
{
    rln_status status = rln__diff_new(out, NULL);

    if (!status)
        status = rln__diff_add_traces(*out, RLN__DIFF_BEFORE, before, NULL);
    if (!status)
        status = rln__diff_add_traces(*out, RLN__DIFF_AFTER, after, NULL);
    if (!status)
        status = rln__diff_compare(*out, NULL);
    if (!status)
        return RLN_OK;
    rln__diff_free(*out);
    *out = NULL;
    return status;
}

static struct compared compare(struct shape before, struct shape after)
{
    struct compared c = {open_shape(before), open_shape(after), NULL};

    assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
    return c;
}

static void end(struct compared c)
{
    rln__diff_free(c.diff);
    rln_reader_close(c.before);
    rln_reader_close(c.after);
}

static const struct rln__diff_row *row(struct compared c, size_t index,
                                       const char *message)
{
    const struct rln__diff_row *r = rln__diff_at(c.diff, index);

    assert_non_null(r);
    assert_int_equal(r->message.length, strlen(message));
    assert_memory_equal(r->message.bytes, message, strlen(message));
    return r;
}

/* --- The time on a processor ------------------------------------------------------ */

#define N_SHARED 200u

/* How long each "load" is preempted, in the middle of its 10 us on a processor; what it
 * takes there is longer by up to 100 ns, and by what a test adds. */
static uint64_t preempted_ns, longer_ns;

static void build_shared(struct tb *tb)
{
    struct tb_chunk events, switches;
    uint64_t t = 0;

    (void)tb_part(tb, 9);
    sc_names(tb, 1, 100);
    events = tb_events(tb, 1, 1, 100);
    switches = tb_switches(tb);
    tb_switch(&switches, RLN__SWITCH_EXECED, 100, 0);
    for (uint32_t i = 0; i < N_SHARED; i++) {
        (void)tb_event(&events, RLN__PUSH, 2, t += 1000);
        if (preempted_ns) {
            tb_switch(&switches, RLN__SWITCH_PREEMPTED, 100, t + 5000);
            tb_switch(&switches, RLN__SWITCH_ON, 100, t + 5000 + preempted_ns);
        }
        t += 10000 + preempted_ns + longer_ns + i * 37 % 100;
        (void)tb_event(&events, RLN__POP, 0, t);
    }
    tb_until(&switches, t);
}

static rln_reader *open_shared(uint64_t ns)
{
    preempted_ns = ns;
    return open_scenario(build_shared);
}

static void what_others_took_is_no_change_on_the_processor(void **state)
{
    struct compared c = {open_shared(0), open_shared(7000), NULL};
    struct rln__diff_view view = {.on = RLN__DIFF_BY_MEDIAN, .limit = NAN};
    const struct rln__diff_row *load, *on;
    struct rln__buf text = {0};

    (void)state;
    assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
    load = row(c, 0, "load");
    assert_true(load->changes & RLN__DIFF_MIDDLE);
    on = rln__diff_row_on_processor(c.diff, load);
    assert_non_null(on);
    assert_int_equal(on->before.n_ranges, N_SHARED);
    assert_int_equal(on->before.total_ns, load->before.total_ns);
    assert_int_equal(on->after.total_ns, load->after.total_ns - N_SHARED * 7000);
    assert_int_equal(on->changes, 0);
    assert_ptr_equal(rln__diff_at(rln__diff_on_processor(c.diff), 0), on);
    view.diff = c.diff;
    assert_true(rln__diff_is_off_processor(&view, load));
    rln__buf_diff_on_processor(&text, &view, load);
    assert_int_equal(text.length, strlen("+0.0 %"));
    assert_memory_equal(text.bytes, "+0.0 %", text.length);
    rln__buf_clear(&text);
    end(c);
}

static void less_than_2_percent_is_no_change_on_the_processor(void **state)
{
    static const struct {
        uint64_t longer_ns;
        unsigned changes;
    } cases[] = {{150, 0}, {300, RLN__DIFF_MIDDLE | RLN__DIFF_TAIL}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct compared c = {open_shared(0), NULL, NULL};
        const struct rln__diff_row *load;

        longer_ns = cases[i].longer_ns;
        c.after = open_shared(0);
        longer_ns = 0;
        assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
        load = row(c, 0, "load");
        assert_int_equal(load->changes, RLN__DIFF_MIDDLE | RLN__DIFF_TAIL);
        assert_int_equal(rln__diff_row_on_processor(c.diff, load)->changes,
                         cases[i].changes);
        end(c);
    }
}

static void without_switches_no_change_on_a_processor_is_known(void **state)
{
    struct compared c = {open_shape((struct shape){.n = 200, .load_ns = 10000}),
                         open_shared(7000), NULL};

    (void)state;
    assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
    assert_false(rln__diff_has_cpu_times(c.diff, RLN__DIFF_BEFORE));
    assert_true(rln__diff_has_cpu_times(c.diff, RLN__DIFF_AFTER));
    assert_null(rln__diff_on_processor(c.diff));
    end(c);
}

/* --- Durations -------------------------------------------------------------------- */

static void a_slower_range_is_distinguished_from_enclosing_ones(void **state)
{
    const struct compared c = compare(
        (struct shape){.n = 300, .step_ns = 5000, .load_ns = 1000, .wobble_ns = 300},
        (struct shape){.n = 300, .step_ns = 5000, .load_ns = 1400, .wobble_ns = 300});
    const struct rln__diff_row *step = row(c, 0, "step"), *load = row(c, 1, "load");

    (void)state;
    assert_int_equal(step->parent, SIZE_MAX);
    assert_int_equal(load->parent, 0);
    assert_int_equal(load->level, 1);
    assert_int_equal(load->changes, RLN__DIFF_MIDDLE | RLN__DIFF_TAIL);
    assert_true(load->superiority > 0.99);
    assert_true(load->p_middle < 1e-9);
    assert_int_equal(load->before.n_ranges, 300);
    assert_int_equal((int)(load->after.median_ns - load->before.median_ns), 400);
    assert_null(rln__diff_at(c.diff, 2));
    end(c);
}

static void the_same_with_noise_is_the_same(void **state)
{
    const struct compared c = compare(
        (struct shape){.n = 300, .step_ns = 50, .load_ns = 1000, .wobble_ns = 301},
        (struct shape){.n = 280, .step_ns = 50, .load_ns = 1004, .wobble_ns = 293});

    (void)state;
    assert_int_equal(row(c, 0, "step")->changes, RLN__DIFF_COUNT);
    assert_int_equal(row(c, 1, "load")->changes, RLN__DIFF_COUNT);
    end(c);
}

static void what_is_shorter_than_recording_takes_is_no_change(void **state)
{
    const struct compared c =
        compare((struct shape){.n = 300, .step_ns = 20, .load_ns = 15},
                (struct shape){.n = 300, .step_ns = 20, .load_ns = 25});

    (void)state;
    assert_int_equal(row(c, 1, "load")->changes, 0);
    assert_true(row(c, 1, "load")->superiority > 0.99);
    end(c);
}

static void a_longer_tail_is_a_change_of_its_own(void **state)
{
    const struct compared c = compare(
        (struct shape){.n = 300, .step_ns = 50, .load_ns = 1000, .wobble_ns = 300},
        (struct shape){
            .n = 300, .step_ns = 50, .load_ns = 1000, .wobble_ns = 300, .n_long = 8});
    const struct rln__diff_row *load = row(c, 1, "load");

    (void)state;
    assert_int_equal(load->changes, RLN__DIFF_TAIL);
    assert_true(load->after.p95_ns > 100000);
    assert_true(load->after.median_ns < 1300);
    end(c);
}

/* Each run by itself differs significantly from the next. */
static void what_differs_from_run_to_run_is_no_change(void **state)
{
    struct compared c = {open_runs(10000, 10400, 10800), open_runs(10200, 10600, 11000),
                         NULL};
    const struct rln__diff_row *load;

    (void)state;
    assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
    load = row(c, 1, "load");
    assert_true(load->p_middle < 1e-9);
    assert_true(load->p_runs > 0.5);
    assert_int_equal(load->changes, 0);
    rln__diff_free(c.diff);
    rln_reader_close(c.after);
    c.after = open_runs(12000, 12400, 12800);
    assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
    assert_true(row(c, 1, "load")->changes & RLN__DIFF_MIDDLE);
    end(c);
}

static void few_ranges_say_nothing(void **state)
{
    const struct compared c =
        compare((struct shape){.n = 4, .step_ns = 50, .load_ns = 1000},
                (struct shape){.n = 4, .step_ns = 50, .load_ns = 9000});

    (void)state;
    assert_int_equal(row(c, 1, "load")->changes, RLN__DIFF_FEW);
    end(c);
}

static void ranges_that_are_new_or_gone(void **state)
{
    struct compared c = compare((struct shape){.n = 10, .load_ns = 100},
                                (struct shape){.n = 10, .load_ns = 100, .has_io = 1});
    const struct rln__diff_row *io = row(c, 2, "load");

    (void)state;
    assert_int_equal(io->changes, RLN__DIFF_NEW | RLN__DIFF_COUNT);
    assert_int_equal(io->parent, SIZE_MAX); /* not the "load" of the default domain */
    assert_memory_equal(io->domain_name.bytes, "io", 2);
    assert_int_equal(io->before.n_ranges, 0);
    assert_int_equal(io->after.total_ns, 100);
    end(c);
    c = compare((struct shape){.n = 10, .load_ns = 100, .has_io = 1},
                (struct shape){.n = 10, .load_ns = 100});
    assert_int_equal(row(c, 2, "load")->changes, RLN__DIFF_GONE | RLN__DIFF_COUNT);
    end(c);
}

/* Five loads in each of two traces count the same as in one trace. */
static void build_twice(struct tb *tb)
{
    build_shape(tb);
    build_shape(tb);
}

static void counts_are_those_of_a_trace(void **state)
{
    struct compared c;

    (void)state;
    shape = (struct shape){.n = 5, .load_ns = 100};
    c.before = open_scenario(build_twice);
    c.after = open_scenario(build_shape);
    assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
    assert_int_equal(rln__diff_count_traces(c.diff, 0), 2);
    assert_int_equal(rln__diff_count_traces(c.diff, 1), 1);
    assert_int_equal(rln__diff_count_traces(c.diff, 2), 0);
    assert_int_equal(row(c, 1, "load")->before.n_ranges, 10);
    assert_int_equal(row(c, 1, "load")->after.n_ranges, 5);
    assert_int_equal(row(c, 1, "load")->changes & RLN__DIFF_COUNT, 0);
    end(c);
}

static void start_end_ranges_are_matched_by_name(void **state)
{
    struct compared c = {open_scenario(sc_startend), open_scenario(sc_startend), NULL};
    size_t n = 0;

    (void)state;
    assert_int_equal(diff_new(c.before, c.after, &c.diff), RLN_OK);
    for (const struct rln__diff_row *r; (r = rln__diff_at(c.diff, n)); n++) {
        assert_int_equal(r->style, RLN_RANGE_START_END);
        assert_int_equal(r->before.total_ns, r->after.total_ns);
        assert_int_equal(r->changes, RLN__DIFF_FEW);
    }
    assert_int_equal(n, 3);
    end(c);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    rln_reader *reader = open_scenario(sc_fork);
    rln_status status = RLN_ERR_NOMEM;

    (void)state;
    for (size_t n = 1; status == RLN_ERR_NOMEM; n++) {
        struct rln__diff *diff;

        assert_true(n < 10000);
        rln__alloc_fail_from(n);
        status = diff_new(reader, reader, &diff);
        rln__alloc_fail_from(0);
        rln__diff_free(diff);
    }
    assert_int_equal(status, RLN_OK);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_took_is_no_change_on_the_processor),
        cmocka_unit_test(less_than_2_percent_is_no_change_on_the_processor),
        cmocka_unit_test(without_switches_no_change_on_a_processor_is_known),
        cmocka_unit_test(a_slower_range_is_distinguished_from_enclosing_ones),
        cmocka_unit_test(the_same_with_noise_is_the_same),
        cmocka_unit_test(what_is_shorter_than_recording_takes_is_no_change),
        cmocka_unit_test(a_longer_tail_is_a_change_of_its_own),
        cmocka_unit_test(what_differs_from_run_to_run_is_no_change),
        cmocka_unit_test(few_ranges_say_nothing),
        cmocka_unit_test(ranges_that_are_new_or_gone),
        cmocka_unit_test(counts_are_those_of_a_trace),
        cmocka_unit_test(start_end_ranges_are_matched_by_name),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
