/* SPDX-License-Identifier: Apache-2.0 */
/* test_analysis.c - rules report a lack of memory, and the baseline's reader takes no
 * document at its word. tests/cli/analyze_seeds.py shows what rules find. */
#include "analysis/analysis.h"
#include "analysis/baseline.h"
#include "failed_allocations.h"
#include "gpu_scenario.h"
#include "payload_builder.h"

/* Steps of two alike threads, one of which takes twice as long, with a slow start, a
 * trend, gaps, a long one at times, a step in each step, and two without an end. */
static void build_all_faults(struct tb *tb)
{
    static const char *const names[] = {"worker-1", "worker-2"};

    (void)tb_part(tb, 77);
    sc_names(tb, 1, 100);
    for (uint32_t thread = 1; thread <= 2; thread++) {
        struct tb_chunk c = tb_events(tb, 1, thread, 99 + thread);
        uint64_t t = 1000;

        tb_thread(&c, thread, 99 + thread, 0, names[thread - 1]);
        for (uint64_t i = 0; i < 60; i++) {
            const uint64_t ns = (i < 2 ? 90000 : 10000 + 200 * i) * thread;
            const uint64_t load = i % 13 == 12 ? 9 * ns : ns;

            (void)tb_event(&c, RLN__PUSH, 1, t);
            (void)tb_event(&c, RLN__PUSH, 1, t + 10);
            (void)tb_event(&c, RLN__PUSH, 2, t + 20);
            (void)tb_event(&c, RLN__POP, 0, t + 20 + load);
            (void)tb_event(&c, RLN__POP, 0, t + 30 + load);
            if (i != 57 && i != 58)
                (void)tb_event(&c, RLN__POP, 0, t + 40 + load);
            t += load + 5000;
        }
    }
}

/* Four processes with 40 steps each. In each step another one takes longer over its
 * load, and so comes later to a range that all of them leave together; the last process
 * leaves out the one of step `omitted`. */
static void build_ranks(struct tb *tb, uint64_t omitted)
{
    (void)tb_part(tb, 29);
    for (uint32_t rank = 1; rank <= 4; rank++) {
        struct tb_chunk c;

        sc_names(tb, rank, 100 * rank);
        c = tb_events(tb, rank, 1, 100 * rank);
        tb_thread(&c, 1, 100 * rank, 0, "main");
        for (uint64_t i = 0; i < 40; i++) {
            const uint64_t t = i * 100000 + 1000 * rank;
            const uint64_t load = i % 4 + 1 == rank ? 60000 : 20000;

            (void)tb_event(&c, RLN__PUSH, 1, t);
            (void)tb_event(&c, RLN__PUSH, 2, t + 10);
            (void)tb_event(&c, RLN__POP, 0, t + load);
            if (rank < 4 || i != omitted) {
                (void)tb_event(&c, RLN__PUSH, 3, t + load + 10);
                (void)tb_event(&c, RLN__POP, 1, i * 100000 + 80000);
            }
            (void)tb_event(&c, RLN__POP, 0, t + load + 20000);
        }
    }
}

static void build_meeting_ranks(struct tb *tb)
{
    build_ranks(tb, UINT64_MAX);
}

static void build_differing_ranks(struct tb *tb)
{
    build_ranks(tb, 7);
}

/* Steps of 1 ms, during each of which a kernel runs for 0.2 ms, and a wait for all of
 * it. */
static void build_idle_gpu(struct tb *tb)
{
    struct tb_chunk n, c, d;

    (void)tb_part(tb, 27);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    gs_names(&n);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    for (uint32_t i = 1; i <= 24; i++) {
        const uint64_t t = i * UINT64_C(1000000);
        struct rln__gpu_call call = {.head = gs_head(t + 10, t + 20, 13, i)};
        const struct rln__gpu_kernel kernel = {
            .head = gs_head(t + 400000, t + 600000, 11, i), .at = {0, 1, 0, 7}};
        const struct rln__gpu_sync sync = {.head = gs_head(t, t + 1000000, 12, i),
                                           .at = {0, 1, 0, 7}};

        call.head.tid = 100;
        (void)tb_event(&c, RLN__PUSH, 1, t);
        (void)tb_event(&c, RLN__POP, 0, t + 990000);
        gs_batch(&d, t, RLN__GPU_SCHEMA(RLN__GPU_CALL), 0, &call, sizeof(call));
        gs_batch(&d, t, RLN__GPU_SCHEMA(RLN__GPU_KERNEL), SD_SCHEMA + 1, &kernel,
                 sizeof(kernel));
        gs_batch(&d, t, RLN__GPU_SCHEMA(RLN__GPU_SYNC), SD_SCHEMA + 1, &sync,
                 sizeof(sync));
    }
}

/* Steps of 10 us, three times as long after a pause, in which a message of 3 us is
 * sent; then the lock is held, for which another thread waits, others have the processor
 * for 1 us, and memory has grown. */
static void build_other_inputs(struct tb *tb)
{
    static const struct pb_entry bytes = {0, RLN__TYPE_UINT64, "bytes", 0, 0};
    struct tb_chunk n, a, b, s;
    uint64_t t = 1000;

    (void)tb_part(tb, 31);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "table");
    tb_string(&n, 31, "rss");
    tb_string(&n, 32, "MiB");
    sd_object(&n, 7, 0, 30, 5);
    sd_semantics(&n, 1, 0, 32, 0, 0);
    sd_counter(&n, 1, 0, 31, SD_INT64, 1);
    pb_schema(&n, (struct pb_schema){0, "message", RLN__FIRST_SCHEMA_ID, 1, 0, 8, 0, 0},
              &bytes, 1);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    tb_thread(&a, 1, 100, 0, "main");
    tb_thread(&b, 2, 101, 0, "worker");
    s = tb_switches(tb);
    tb_switch(&s, RLN__SWITCH_EXECED, 100, 0);
    for (uint64_t i = 0; i < 110; i++) {
        const uint64_t size = UINT64_C(1024) << i % 3, is_cold = i % 8 == 7;
        const uint64_t end = t + (is_cold ? 30000 : 10000);

        (void)tb_event(&a, RLN__PUSH, 1, t);
        (void)pb_event(&a, RLN__PUSH, 2, t + 100, NULL, RLN__FIRST_SCHEMA_ID, &size, 8);
        (void)tb_event(&a, RLN__POP, 0, t + 3100 + size / 10);
        tb_switch(&s, RLN__SWITCH_PREEMPTED, 100, t + 5000);
        tb_switch(&s, RLN__SWITCH_ON, 100, t + 6000);
        sd_sync(&a, RLN__SYNC_HAS, 7, t + 4000);
        sd_sync(&a, RLN__SYNC_RELEASES, 7, t + 9000);
        sd_sample(&a, 1, end - 10, (int64_t)(100 + 2 * i));
        (void)tb_event(&a, RLN__POP, 0, end);
        (void)tb_event(&b, RLN__PUSH, 1, t + 10);
        sd_sync(&b, RLN__SYNC_WAITS, 7, t + 4100);
        sd_sync(&b, RLN__SYNC_HAS, 7, t + 9010);
        sd_sync(&b, RLN__SYNC_RELEASES, 7, t + 9020);
        (void)tb_event(&b, RLN__POP, 0, end);
        t = end + (i % 8 == 6 ? 200000 : 500);
    }
    tb_until(&s, t);
}

/* Around calls of names that differ in numbers, ranges without a name: they would be the
 * step if they had one. */
static void build_nameless_steps(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 31);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    tb_attributes(&c, 1, 0, 0);
    for (uint32_t i = 0; i < 40; i++) {
        char text[16];

        (void)snprintf(text, sizeof(text), "load %u", i);
        tb_string(&c, 1 + i, text);
        tb_attributes(&c, 2 + i, 0, 1 + i);
    }
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (uint32_t i = 0; i < 40; i++) {
        (void)tb_event(&c, RLN__PUSH, 1, 10000 * i);
        (void)tb_event(&c, RLN__PUSH, 2 + i, 10000 * i + 10);
        (void)tb_event(&c, RLN__POP, 0, 10000 * i + 2000);
        (void)tb_event(&c, RLN__POP, 0, 10000 * i + 9000);
    }
}

static void set_limit(struct rln__analysis_options *options, const char *id,
                      const char *name, double value)
{
    const size_t rule = rln__rule_index(id, strlen(id));

    options->limits[rule][rln__threshold_index(rln__rules[rule], name)] = value;
}

/* As usual, except that 60 steps are enough for a trend, and one long kernel for a step
 * that waits for launches. */
static void init_options(struct rln__analysis_options *options)
{
    rln__analysis_options_init(options);
    set_limit(options, "drift", "calls", 40);
    set_limit(options, "launch-bound", "kernels", 1);
    set_limit(options, "launch-bound", "mean_us", 500);
}

static rln_status analyze(const char *path, rln_error *err)
{
    struct rln__analysis_options options;
    struct rln__analysis analysis = {0};
    rln_reader *reader;
    rln_status status = rln_reader_open(&path, 1, &reader, err);

    init_options(&options);
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
    build_all_faults(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
    build_meeting_ranks(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
    build_differing_ranks(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
    build_idle_gpu(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
    build_other_inputs(&tb);
    fail_each_allocation(&tb, analyze);
    tb_clear(&tb);
}

static void a_step_without_a_name_is_none(void **state)
{
    struct tb tb = {0};
    const char *path;

    (void)state;
    build_nameless_steps(&tb);
    path = temp_file(tb.bytes, tb.size);
    assert_int_equal(analyze(path, NULL), RLN_OK);
    (void)unlink(path);
    tb_clear(&tb);
}

/* `expected` ends with NULL. */
static void expect_findings(rln_reader *reader, const char *const *expected)
{
    struct rln__analysis_options options;
    struct rln__analysis analysis;

    init_options(&options);
    assert_int_equal(rln__analyze(reader, &options, &analysis, NULL), RLN_OK);
    for (; *expected; expected++) {
        size_t i = 0;

        while (strcmp(analysis.outcomes[i].rule->id, *expected) != 0)
            i++;
        if (!analysis.outcomes[i].n_findings)
            fail_msg("%s is silent: %s", *expected,
                     analysis.outcomes[i].why ? analysis.outcomes[i].why : "nothing");
    }
    rln__analysis_clear(&analysis);
    rln_reader_close(reader);
}

static void the_traces_of_that_test_make_rules_fire(void **state)
{
    static const char *const faults[] = {
        "warm-up",     "periodic-stall",   "drift",        "thread-imbalance",
        "unannotated", "nested-duplicate", "never-closed", NULL};
    static const char *const meeting[] = {"loader-wait", "moving-straggler",
                                          "wait-at-collective", NULL};
    static const char *const differing[] = {"calls-differ", NULL};
    static const char *const idle_gpu[] = {"gpu-idle", "gpu-low-util", "launch-bound",
                                           NULL};
    static const char *const other[] = {"memory-growth", "small-messages",
                                        "lock-serial",   "preempted",
                                        "cold-cache",    NULL};

    (void)state;
    expect_findings(open_scenario(build_all_faults), faults);
    expect_findings(open_scenario(build_meeting_ranks), meeting);
    expect_findings(open_scenario(build_differing_ranks), differing);
    expect_findings(open_scenario(build_idle_gpu), idle_gpu);
    expect_findings(open_scenario(build_other_inputs), other);
}

static void expect_same_with_jobs(void (*build)(struct tb *tb))
{
    struct rln__analysis_options options;
    struct rln__analysis alone, together;
    rln_reader *reader = open_scenario(build);

    init_options(&options);
    rln__reader_set_jobs(reader, 1);
    assert_int_equal(rln__analyze(reader, &options, &alone, NULL), RLN_OK);
    rln__reader_set_jobs(reader, 5);
    assert_int_equal(rln__analyze(reader, &options, &together, NULL), RLN_OK);
    assert_int_equal(alone.n_outcomes, together.n_outcomes);
    for (size_t i = 0; i < alone.n_outcomes; i++) {
        assert_ptr_equal(alone.outcomes[i].rule, together.outcomes[i].rule);
        assert_ptr_equal(alone.outcomes[i].why, together.outcomes[i].why);
        assert_int_equal(alone.outcomes[i].n_findings, together.outcomes[i].n_findings);
    }
    assert_int_equal(alone.n, together.n);
    for (size_t i = 0; i < alone.n; i++) {
        const struct rln__finding *a = &alone.findings[i], *b = &together.findings[i];

        assert_int_equal(a->key.length, b->key.length);
        assert_memory_equal(a->key.bytes, b->key.bytes, a->key.length);
        assert_int_equal(a->title.length, b->title.length);
        assert_memory_equal(a->title.bytes, b->title.bytes, a->title.length);
        assert_memory_equal(a->evidence, b->evidence, sizeof(a->evidence));
    }
    rln__analysis_clear(&alone);
    rln__analysis_clear(&together);
    rln_reader_close(reader);
}

static void rules_find_the_same_on_several_processors(void **state)
{
    (void)state;
    expect_same_with_jobs(build_all_faults);
    expect_same_with_jobs(build_meeting_ranks);
    expect_same_with_jobs(build_differing_ranks);
    expect_same_with_jobs(build_idle_gpu);
    expect_same_with_jobs(build_other_inputs);
}

static const char document[] =
    "{\"schema\":\"rangeline.findings/1\",\"span\":[-1,2.5e3],\"rules\":[],\n"
    "\"findings\":[{\"id\":\"drift\",\"key\":\"drift||st\\u00e9\\ud83d\\ude00\\n\","
    "\"won\":{\"key\":\"none\",\"share\":0.25},\"known\":true},\n"
    "{\"won\":[{\"share\":1}],\"key\":\"warm-up|app\"}]}";

static void a_baseline_has_the_keys_and_shares_of_its_findings(void **state)
{
    struct rln__baseline baseline;

    (void)state;
    assert_int_equal(
        rln__baseline_read(document, sizeof(document) - 1, "old.json", &baseline, NULL),
        RLN_OK);
    assert_int_equal(baseline.n, 2);
    assert_int_equal(baseline.findings[0].key.length, 11);
    assert_memory_equal(baseline.findings[0].key.bytes, "warm-up|app", 11);
    assert_false(baseline.findings[0].has_share);
    assert_int_equal(baseline.findings[1].key.length, 16);
    assert_memory_equal(baseline.findings[1].key.bytes, "drift||st\u00e9\U0001f600\n",
                        16);
    assert_true(baseline.findings[1].has_share);
    assert_true(baseline.findings[1].share == 0.25);
    rln__baseline_clear(&baseline);
}

/* `bytes` in memory of its own, so that a sanitizer sees a read past its end. */
static rln_status read_copy(const char *bytes, size_t n, rln_error *err)
{
    char *copy = malloc(n + !n);
    struct rln__baseline baseline;
    rln_status status;

    assert_non_null(copy);
    memcpy(copy, bytes, n);
    status = rln__baseline_read(copy, n, "old.json", &baseline, err);
    rln__baseline_clear(&baseline);
    free(copy);
    return status;
}

static void expect_place(const rln_error *err)
{
    assert_non_null(
        strstr(err->message, "cannot read baseline: path=\"old.json\", line="));
    assert_true(err->offset < sizeof(document));
}

static void any_truncation_of_a_baseline_is_refused_at_its_place(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof(document) - 1; n++) {
        rln_error err = {0};

        assert_int_equal(read_copy(document, n, &err), RLN_ERR_FORMAT);
        expect_place(&err);
        assert_true(err.offset <= n);
    }
}

static void any_changed_byte_of_a_baseline_is_survived(void **state)
{
    char changed[sizeof(document)];
    size_t n_refused = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(document) - 1; i++)
        for (unsigned value = 0; value < 256; value++) {
            rln_error err = {0};

            memcpy(changed, document, sizeof(document));
            changed[i] = (char)value;
            if (!read_copy(changed, sizeof(document) - 1, &err))
                continue;
            n_refused++;
            assert_int_equal(err.code, RLN_ERR_FORMAT);
            expect_place(&err);
        }
    assert_true(n_refused > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(a_step_without_a_name_is_none),
        cmocka_unit_test(the_traces_of_that_test_make_rules_fire),
        cmocka_unit_test(rules_find_the_same_on_several_processors),
        cmocka_unit_test(a_baseline_has_the_keys_and_shares_of_its_findings),
        cmocka_unit_test(any_truncation_of_a_baseline_is_refused_at_its_place),
        cmocka_unit_test(any_changed_byte_of_a_baseline_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
