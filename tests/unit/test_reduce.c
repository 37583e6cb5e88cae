/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce.c - sums of traces: the same however they are split and merged, equal to
 * those of the traces read together, and refused where they make no sense. */
#include "failed_allocations.h"
#include "job_files.h"
#include "reduce/reduced.h"
#include "reduce/reduced_file.h"
#include "reports/report_set.h"
#include "temp_trace.h"
#include "trace/open/rank.h"

#define N_SHUFFLES 12

/* All keep steps. */
static struct rln__reduced *new_sums(const rln_filter *filter)
{
    const struct rln__reduced_options options = {
        .size = sizeof(options), .filter = filter, .steps = ":step"};
    struct rln__reduced *sums;
    rln_error err = {0};

    if (rln__reduced_new(&options, &sums, &err))
        fail_msg("%s", err.message);
    return sums;
}

static void add(struct rln__reduced *sums, const char *path)
{
    rln_error err = {0};

    if (rln__reduced_add_trace(sums, path, &err))
        fail_msg("%s", err.message);
}

/* An owned copy. */
static unsigned char *bytes_of(struct rln__reduced *sums, size_t *n)
{
    const void *bytes;
    unsigned char *copy;

    assert_int_equal(rln__reduced_bytes(sums, &bytes, n, NULL), RLN_OK);
    copy = malloc(*n);
    assert_non_null(copy);
    return memcpy(copy, bytes, *n);
}

static struct rln__reduced *read_back(const void *bytes, size_t n)
{
    struct rln__reduced *sums;
    rln_error err = {0};

    if (rln__reduced_read(bytes, n, "p.rlsum", &sums, &err))
        fail_msg("%s", err.message);
    return sums;
}

static void merge(struct rln__reduced *into, const struct rln__reduced *from)
{
    rln_error err = {0};

    if (rln__reduced_merge(into, from, &err))
        fail_msg("%s", err.message);
}

/* --- Order ------------------------------------------------------------------------ */

static void shuffle(uint32_t *order, uint64_t *random)
{
    for (uint32_t i = 0; i < N_TRACES; i++)
        order[i] = i;
    for (uint32_t i = N_TRACES; i > 1; i--) {
        const uint32_t k = job_random(random, i), t = order[i - 1];

        order[i - 1] = order[k];
        order[k] = t;
    }
}

/* Sums of the traces from `begin` to `end`, as a random tree whose inner nodes are
 * written and read, or merged as they are. */
static struct rln__reduced *reduce(const uint32_t *order, uint32_t begin, uint32_t end,
                                   uint64_t *random)
{
    const uint32_t n = end - begin;
    struct rln__reduced *a, *b;

    if (n < 2 || job_random(random, 4) == 0) {
        a = new_sums(NULL);
        for (uint32_t i = begin; i < end; i++)
            add(a, job.paths[order[i]]);
    } else {
        const uint32_t middle = begin + job_random(random, n + 1);

        a = middle == begin ? new_sums(NULL) : reduce(order, begin, middle, random);
        b = middle == begin || middle == end ? new_sums(NULL)
                                             : reduce(order, middle, end, random);
        for (uint32_t i = begin; middle == begin && i < end; i++)
            add(b, job.paths[order[i]]);
        merge(a, b);
        rln__reduced_free(b);
    }
    if (job_random(random, 2)) {
        size_t n_bytes;
        unsigned char *bytes = bytes_of(a, &n_bytes);

        rln__reduced_free(a);
        a = read_back(bytes, n_bytes);
        free(bytes);
    }
    return a;
}

static void order_split_and_tree_do_not_matter(void **state)
{
    struct rln__reduced *serial = new_sums(NULL);
    unsigned char *expected;
    size_t n_expected;
    uint64_t random = 1;

    (void)state;
    for (uint32_t i = 0; i < N_TRACES; i++)
        add(serial, job.paths[i]);
    expected = bytes_of(serial, &n_expected);
    for (int i = 0; i < N_SHUFFLES; i++) {
        uint32_t order[N_TRACES];
        struct rln__reduced *sums;
        unsigned char *bytes;
        size_t n;

        shuffle(order, &random);
        sums = reduce(order, 0, N_TRACES, &random);
        bytes = bytes_of(sums, &n);
        assert_int_equal(n, n_expected);
        assert_memory_equal(bytes, expected, n);
        free(bytes);
        rln__reduced_free(sums);
    }
    free(expected);
    rln__reduced_free(serial);
}

/* --- Reports ---------------------------------------------------------------------- */

/* All reports that sums have. */
static rln_report_request requests[64];
static size_t n_requests;

static void find_request(const struct rln__reduced *sums,
                         const struct rln__report_info *about, const char *argument)
{
    if (rln__reduced_has_report(sums, about, argument))
        requests[n_requests++] =
            (rln_report_request){.name = about->name, .argument = argument};
}

static void find_requests(const struct rln__reduced *sums)
{
    const struct rln__report_info *about;

    n_requests = 0;
    for (size_t i = 0; (about = rln__report_about_at(i)); i++) {
        find_request(sums, about, about->is_of_a_range ? ":step" : NULL);
        find_request(sums, about, "cpu");
    }
}

static int is_column(const rln_report *report, size_t column, const char *header)
{
    return strcmp(rln_report_column_at(report, column)->header, header) == 0;
}

/* `may_be_rough`: medians may be off by 0.4 % if a name ran more than 4,096 times, and
 * traces of a machine, which share a clock, start by it when they are read together. */
static void compare_cell(const rln_report *a, const rln_report *b, size_t row,
                         size_t column, int may_be_rough)
{
    const rln_cell x = rln_report_cell(a, row, column),
                   y = rln_report_cell(b, row, column);

    assert_int_equal(x.kind, y.kind);
    if (may_be_rough && is_column(a, column, "Start"))
        return;
    if (may_be_rough && is_column(a, column, "Med")) {
        assert_true(x.number - y.number <= 0.004 * x.number + 1 &&
                    y.number - x.number <= 0.004 * x.number + 1);
        return;
    }
    assert_true(x.bits == y.bits || x.kind == RLN_CELL_MEAN ||
                x.kind == RLN_CELL_FIXED);
    assert_true(x.number == y.number);
    assert_int_equal(x.text.length, y.text.length);
    assert_true(!x.text.length || !memcmp(x.text.bytes, y.text.bytes, x.text.length));
}

static void compare_reports(struct rln__reports *a, struct rln__reports *b,
                            int may_be_rough)
{
    for (size_t i = 0; i < n_requests; i++) {
        rln_report *x, *y;

        const rln_status status = rln__reports_build(a, i, &x, NULL);

        assert_int_equal(rln__reports_build(b, i, &y, NULL), status);
        if (status) { /* without context switches */
            assert_string_equal(requests[i].argument, "cpu");
            continue;
        }
        assert_int_equal(rln_report_count_rows(x), rln_report_count_rows(y));
        assert_int_equal(rln__report_count_columns(x), rln__report_count_columns(y));
        for (size_t column = 0; column < rln__report_count_columns(x); column++) {
            assert_string_equal(rln_report_column_at(x, column)->header,
                                rln_report_column_at(y, column)->header);
            for (size_t row = 0; row < rln_report_count_rows(x); row++)
                compare_cell(x, y, row, column, may_be_rough);
        }
        rln_report_free(x);
        rln_report_free(y);
    }
}

/* Reports of traces read together, and of their sums. */
static void compare(const char *const *paths, size_t n, const rln_filter *filter,
                    int may_be_rough)
{
    struct rln__reduced *sums = new_sums(filter), *again;
    struct rln__reports *of_traces, *of_sums;
    rln_reader *reader;
    unsigned char *bytes;
    size_t n_bytes;

    for (size_t i = n; i > 0; i--)
        add(sums, paths[i - 1]);
    bytes = bytes_of(sums, &n_bytes);
    again = read_back(bytes, n_bytes);
    free(bytes);
    rln__reduced_free(sums);
    find_requests(again);
    assert_true(n_requests >= 10);
    assert_int_equal(rln_reader_open(paths, n, &reader, NULL), RLN_OK);
    rln_reader_set_filter(reader, filter);
    assert_int_equal(rln__reports_new(reader, requests, n_requests, &of_traces, NULL),
                     RLN_OK);
    assert_int_equal(rln__reduced_reports(again, requests, n_requests, &of_sums, NULL),
                     RLN_OK);
    compare_reports(of_traces, of_sums, may_be_rough);
    assert_int_equal(rln__reader_count_ranks(reader), rln__reduced_count_ranks(again));
    rln__reports_free(of_sums);
    rln__reports_free(of_traces);
    rln_reader_close(reader);
    rln__reduced_free(again);
}

static void reports_are_those_of_the_traces(void **state)
{
    const char *paths[N_TRACES];

    (void)state;
    for (size_t i = 0; i < N_TRACES; i++)
        paths[i] = job.paths[i];
    compare(paths, N_TRACES, NULL, 1);
    compare(paths, 4, NULL, 0);     /* ranks of a job */
    compare(paths + 5, 2, NULL, 0); /* an empty trace, and one without ranks */
    compare(paths + 5, 1, NULL, 0); /* the empty one */
    compare(paths + 6, 1, NULL, 0); /* processes */
    compare(paths + 8, 1, NULL, 0); /* two parts */
    compare(paths + 8, 3, NULL, 1); /* GPUs */
}

static void filters_filter_what_they_do_in_traces(void **state)
{
    const char *paths[] = {job.paths[0], job.paths[2], job.paths[3], job.paths[6]};
    rln_filter *filter;

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "wri*", NULL), RLN_OK);
    rln_filter_set_min_duration(filter, 1000);
    compare(paths, 4, filter, 0);
    rln_filter_free(filter);
}

/* Every scenario of the other tests: names set by payloads, deferred and lost ranges.
 */
static void each_scenario_is_summed_up_as_stats_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < SC_COUNT; i++) {
        char path[64];
        const char *const paths[] = {path};
        struct tb tb = {0};

        (void)snprintf(path, sizeof(path), "%s/scenario.rln", job.folder);
        sc_all[i].build(&tb);
        write_trace(&tb, path);
        compare(paths, 1, NULL, 1);
        (void)unlink(path);
        tb_clear(&tb);
    }
}

/* --- Large numbers ---------------------------------------------------------------- */

/* One range of 2^62 ns, and one left open; the next trace has as much again. */
static void sc_long(struct tb *tb, uint64_t id)
{
    struct tb_chunk c;
    const uint64_t end = ((uint64_t)1 << 62) - 4000000000u;

    (void)tb_part(tb, id);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 0);
    (void)tb_event(&c, RLN__PUSH, 2, 5);
    c = tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, 1, 100, end);
    (void)tb_event(&c, RLN__POP, 1, 0);
    (void)tb_event(&c, RLN__POP, 0, 10);
    (void)tb_event(&c, RLN__PUSH, 1, 20);
    (void)tb_event(&c, RLN__MARK, 1, 21);
}

static void totals_are_exact_up_to_64_bits_and_refused_beyond(void **state)
{
    struct rln__reduced *sums = new_sums(NULL);
    rln_error err = {0};
    char path[64];
    const char *const paths[] = {path};
    rln_status status = RLN_OK;
    unsigned n = 0;

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/long.rln", job.folder);
    while (!status && n < 10) {
        struct tb tb = {0};

        sc_long(&tb, 7000 + n);
        write_trace(&tb, path);
        tb_clear(&tb);
        if (!n)
            compare(paths, 1, NULL, 0);
        status = rln__reduced_add_trace(sums, path, &err);
        n += !status;
    }
    assert_int_equal(status, RLN_ERR_ARGUMENT);
    assert_string_equal(err.message, "cannot add sums: they exceed 64 bits");
    assert_int_equal(n, 4); /* of which each has a little less than 2^62 ns */
    (void)unlink(path);
    rln__reduced_free(sums);
}

/* --- What is refused -------------------------------------------------------------- */

static void a_trace_twice_is_refused_naming_both(void **state)
{
    struct rln__reduced *a = new_sums(NULL), *b = new_sums(NULL);
    char expected[400];
    rln_error err = {0};
    size_t n, n_again;
    unsigned char *bytes, *again;

    (void)state;
    add(a, job.paths[0]);
    add(b, job.paths[1]);
    add(b, job.paths[0]);
    bytes = bytes_of(a, &n);
    assert_int_equal(rln__reduced_merge(a, b, &err), RLN_ERR_ARGUMENT);
    (void)snprintf(
        expected, sizeof(expected),
        "cannot add trace twice: path=\"%s\": it has the trace \"t00.rln\" of "
        "\"%s\"",
        job.paths[0], job.paths[0]);
    assert_string_equal(err.message, expected);
    assert_int_equal(rln__reduced_add_trace(a, job.paths[0], &err), RLN_ERR_ARGUMENT);
    again = bytes_of(a, &n_again);
    assert_int_equal(n, n_again);
    assert_memory_equal(bytes, again, n);
    free(bytes);
    free(again);
    rln__reduced_free(a);
    rln__reduced_free(b);
}

static void other_filters_and_names_are_refused(void **state)
{
    static const char *const rules[] = {"numbers", "s/a/b/"};
    const struct rln__reduced_options options = {
        .size = sizeof(options), .rules = rules, .n_rules = 2, .steps = ":step"};
    const struct rln__reduced_options other = {.size = sizeof(options), .steps = "a"};
    rln_filter *filter;
    struct rln__reduced *a, *b, *c;
    rln_error err = {0};

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "b c", NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "a", NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "a", NULL), RLN_OK);
    a = new_sums(NULL);
    b = new_sums(filter);
    assert_int_equal(rln__reduced_new(&options, &c, NULL), RLN_OK);
    assert_string_equal(rln__reduced_filters(b), "--name a --name 'b c'");
    assert_string_equal(rln__reduced_renames(c), "--fold-numbers --rename s/a/b/");
    assert_int_equal(rln__reduced_merge(a, b, &err), RLN_ERR_ARGUMENT);
    assert_non_null(
        strstr(err.message, "its filters are --name a --name 'b c', not none"));
    assert_int_equal(rln__reduced_merge(a, c, &err), RLN_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "its rules for names are --fold-numbers"));
    rln__reduced_free(c);
    assert_int_equal(rln__reduced_new(&other, &c, NULL), RLN_OK);
    assert_int_equal(rln__reduced_merge(a, c, &err), RLN_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "its steps are a, not :step"));
    rln__reduced_free(a);
    rln__reduced_free(b);
    rln__reduced_free(c);
    rln_filter_free(filter);
}

/* Sums of a few traces, as bytes. */
static unsigned char *some_bytes(size_t *n)
{
    struct rln__reduced *sums = new_sums(NULL);
    unsigned char *bytes;

    add(sums, job.paths[2]);
    add(sums, job.paths[6]);
    add(sums, job.paths[8]);
    add(sums, job.paths[10]);
    assert_int_equal(rln__reduced_add_trace(sums, "/nowhere/x.rln", NULL), RLN_ERR_IO);
    bytes = bytes_of(sums, n);
    rln__reduced_free(sums);
    return bytes;
}

static void damaged_and_newer_files_are_refused(void **state)
{
    size_t n;
    unsigned char *bytes = some_bytes(&n);
    struct rln__reduced *sums;
    rln_error err = {0};

    (void)state;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rln__reduced_read(bytes, i, "p", &sums, &err), RLN_ERR_FORMAT);
        assert_null(sums);
    }
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 0x10;
        assert_int_not_equal(rln__reduced_read(bytes, n, "p", &sums, &err), RLN_OK);
        bytes[i] ^= 0x10;
    }
    bytes[8] = 3;
    assert_int_equal(rln__reduced_read(bytes, n, "p", &sums, &err), RLN_ERR_VERSION);
    assert_string_equal(err.message, "cannot read sums: path=\"p\": they need a newer "
                                     "rangeline: version=3, supported=2");
    free(bytes);
}

/* In one trace, or in two. */
static void a_file_with_a_part_twice_is_refused(void **state)
{
    const uint64_t ids[] = {job_second_id(8), job_id(2)};
    const uint64_t there = job_id(8);

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(ids); i++) {
        const uint64_t id = ids[i];
        size_t n;
        unsigned char *bytes = some_bytes(&n);
        unsigned char *found = memmem(bytes, n, &id, sizeof(id));
        struct rln__reduced *sums;
        rln_error err = {0};
        uint64_t sum;

        assert_non_null(found);
        memcpy(found, &there, sizeof(there));
        sum = rln__reduced_checksum(bytes, n - 8);
        memcpy(bytes + n - 8, &sum, 8);
        assert_int_equal(rln__reduced_read(bytes, n, "p", &sums, &err), RLN_ERR_FORMAT);
        assert_non_null(strstr(err.message, "a trace is there twice"));
        free(bytes);
    }
}

/* With a right checksum, any byte may be what it is not. */
static void any_bytes_are_survived(void **state)
{
    size_t n;
    unsigned char *bytes = some_bytes(&n);

    (void)state;
    for (size_t i = RLN__REDUCED_HEAD_BYTES; i < n - 8; i++) {
        static const unsigned char changes[] = {1, 0x7f, 0x80, 0xff};

        for (size_t k = 0; k < sizeof(changes); k++) {
            struct rln__reduced *sums;
            struct rln__reports *reports;
            uint64_t sum;

            bytes[i] ^= changes[k];
            sum = rln__reduced_checksum(bytes, n - 8);
            memcpy(bytes + n - 8, &sum, 8);
            if (!rln__reduced_read(bytes, n, "p", &sums, NULL)) {
                find_requests(sums);
                if (!rln__reduced_reports(sums, requests, n_requests, &reports, NULL))
                    rln__reports_free(reports);
                rln__reduced_free(sums);
            }
            bytes[i] ^= changes[k];
        }
    }
    free(bytes);
}

static void unreadable_files_are_listed_once_by_name(void **state)
{
    struct rln__reduced *a = new_sums(NULL), *b = new_sums(NULL);
    const struct rln__reduced_unreadable *file;
    rln_error err = {0};

    (void)state;
    assert_int_equal(rln__reduced_add_trace(a, "/nowhere/x.rln", &err), RLN_ERR_IO);
    assert_int_equal(rln__reduced_add_trace(b, "/nowhere/x.rln", &err), RLN_ERR_IO);
    merge(a, b);
    file = rln__reduced_unreadable_at(a, 0);
    assert_int_equal(file->name.length, 5);
    assert_memory_equal(file->name.bytes, "x.rln", 5);
    assert_null(memmem(file->reason.bytes, file->reason.length, "nowhere", 7));
    assert_null(rln__reduced_unreadable_at(a, 1));
    assert_int_equal(rln__reduced_count_traces(a), 0);
    rln__reduced_free(a);
    rln__reduced_free(b);
}

/* --- Memory ----------------------------------------------------------------------- */

static const rln_report_request solve[] = {
    {.name = "rank_sum"},   {.name = "rank_calls"}, {.name = "straggler"},
    {.name = "step_trace"}, {.name = "gpu_util"},   {.name = "nccl_sum"}};

#define N_SOLVE (sizeof(solve) / sizeof(solve[0]))

static rln_status do_all(const char *path, rln_error *err)
{
    struct rln__reduced *sums = NULL, *more = NULL;
    struct rln__reports *reports = NULL;
    const void *bytes;
    size_t n;
    const struct rln__reduced_options options = {.size = sizeof(options),
                                                 .steps = "solve"};
    rln_status status = rln__reduced_new(&options, &sums, err);

    if (!status)
        status = rln__reduced_add_trace(sums, path, err);
    if (!status)
        status = rln__reduced_bytes(sums, &bytes, &n, err);
    if (!status)
        status = rln__reduced_read(bytes, n, "p", &more, err);
    if (!status)
        status = rln__reduced_reports(more, solve, N_SOLVE, &reports, err);
    rln__reports_free(reports);
    rln__reduced_free(more);
    rln__reduced_free(sums);
    return status;
}

static void each_failed_allocation_is_reported(void **state)
{
    struct tb tb = {0};

    (void)state;
    job_build(&tb, 8, JOB_TWO_PARTS);
    fail_each_allocation(&tb, do_all);
    tb_clear(&tb);
    job_build(&tb, 10, JOB_GPU);
    fail_each_allocation(&tb, do_all);
    tb_clear(&tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_split_and_tree_do_not_matter),
        cmocka_unit_test(reports_are_those_of_the_traces),
        cmocka_unit_test(filters_filter_what_they_do_in_traces),
        cmocka_unit_test(each_scenario_is_summed_up_as_stats_does),
        cmocka_unit_test(totals_are_exact_up_to_64_bits_and_refused_beyond),
        cmocka_unit_test(a_trace_twice_is_refused_naming_both),
        cmocka_unit_test(other_filters_and_names_are_refused),
        cmocka_unit_test(damaged_and_newer_files_are_refused),
        cmocka_unit_test(a_file_with_a_part_twice_is_refused),
        cmocka_unit_test(any_bytes_are_survived),
        cmocka_unit_test(unreadable_files_are_listed_once_by_name),
        cmocka_unit_test(each_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, make_job, remove_job);
}
