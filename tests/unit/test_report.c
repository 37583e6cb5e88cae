/* SPDX-License-Identifier: Apache-2.0 */
/* test_report.c - reports have typed cells. It also adds a report, as an example: its
 * columns, its requirements, and the function that fills it. */
#include "base/alloc.h"
#include "export/exporter.h"
#include "rangeline/report.h"
#include "reports/report_build.h"
#include "reports/report_list.h"
#include "reports/report_set.h"
#include "reports/summary/stats.h"
#include "temp_trace.h"
#include "trace/open/load.h"

/* --- An example ------------------------------------------------------------------- */

static const rln_report_column of_example[] = {
    RLN__TEXTS("Name"), RLN__TIMES("Longest"), RLN__NUMBERS("Share")};

static rln_status build_example(const struct rln__report_source *source,
                                rln_report *out)
{
    for (size_t i = 0; i < rln__stats_count(source->stats); i++) {
        const struct rln__stats_row *row = rln__stats_at(source->stats, i);

        rln__report_put_name(out, row->message);
        rln__report_put_ns(out, row->max_ns);
        rln__report_put_percent(out, row->max_ns, row->total_ns);
    }
    return RLN_OK;
}

static const struct rln__report_kind example = {
    .about = {.name = "example", .title = "Example", .subject = "ranges"},
    .build = build_example,
    RLN__COLUMNS(of_example),
};

static rln_status make(const struct rln__report_kind *kind, rln_reader *reader,
                       rln_report **out, rln_error *err)
{
    const rln_report_request request = {.name = kind->about.name};
    struct rln__report_source source = {
        .reader = reader, .request = &request, .kind = kind, .err = err};
    struct rln__stats *stats;
    rln_status status;

    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    source.stats = stats;
    status = rln__report_make(&source, out);
    rln__stats_free(stats);
    return status;
}

static void a_report_is_a_table_and_a_function(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    rln_report *report;
    rln_cell cell;

    (void)state;
    assert_int_equal(make(&example, reader, &report, NULL), RLN_OK);
    assert_string_equal(rln__report_get_about(report)->name, "example");
    assert_null(rln__report_argument(report));
    assert_int_equal(rln__report_count_columns(report), 3);
    assert_int_equal(rln_report_count_rows(report), 3);
    assert_string_equal(rln_report_column_at(report, 1)->header, "Longest");
    assert_true(rln_report_column_at(report, 1)->is_time);
    assert_null(rln_report_column_at(report, 3));
    cell = rln_report_cell(report, 0, 0);
    assert_int_equal(cell.kind, RLN_CELL_TEXT);
    assert_memory_equal(cell.text.bytes, "step", 4);
    cell = rln_report_cell(report, 0, 1);
    assert_int_equal(cell.kind, RLN_CELL_DURATION);
    assert_int_equal(cell.bits, 100000);
    assert_true(cell.number > 99999 && cell.number < 100001);
    cell = rln_report_cell(report, 0, 2);
    assert_int_equal(cell.kind, RLN_CELL_FIXED);
    assert_int_equal(cell.decimals, 1);
    assert_int_equal(rln_report_cell(report, 3, 0).kind, RLN_CELL_EMPTY);
    assert_int_equal(rln_report_cell(report, 0, 3).kind, RLN_CELL_EMPTY);
    assert_false(rln_report_is_heading(report, 0));
    rln_report_free(report);
    rln_report_free(NULL);
    rln_reader_close(reader);
}

static rln_status build_ragged(const struct rln__report_source *source, rln_report *out)
{
    (void)source;
    rln__report_put_count(out, 1);
    return RLN_OK;
}

static void a_row_that_is_not_whole_is_an_error(void **state)
{
    struct rln__report_kind ragged = example;
    rln_reader *reader = open_scenario(sc_nested);
    rln_report *report;
    rln_error err;

    (void)state;
    ragged.build = build_ragged;
    assert_int_equal(make(&ragged, reader, &report, &err), RLN_ERR_ARGUMENT);
    assert_null(report);
    assert_string_equal(err.message, "report example has 1 cells for 3 columns");
    rln_reader_close(reader);
}

/* --- The existing reports --------------------------------------------------------- */

static struct rln__reports *reports_of(rln_reader *reader,
                                       const rln_report_request *requests, size_t n)
{
    struct rln__reports *reports;
    rln_error err = {0};

    if (rln__reports_new(reader, requests, n, &reports, &err))
        fail_msg("%s", err.message);
    return reports;
}

static rln_report *report_of(struct rln__reports *reports, size_t request)
{
    rln_report *report;
    rln_error err = {0};

    if (rln__reports_build(reports, request, &report, &err))
        fail_msg("%s", err.message);
    return report;
}

/* Kinds of cells agree with their columns. */
static void check_kinds(const rln_report *r)
{
    for (size_t row = 0; row < rln_report_count_rows(r); row++) {
        for (size_t i = 0; i < rln__report_count_columns(r); i++) {
            const rln_report_column *column = rln_report_column_at(r, i);
            const rln_cell cell = rln_report_cell(r, row, i);
            const int is_time =
                (cell.kind >= RLN_CELL_DURATION && cell.kind <= RLN_CELL_RATE) ||
                cell.kind == RLN_CELL_DISTANCE;

            assert_true(strlen(column->header) > 0);
            if (cell.kind == RLN_CELL_EMPTY)
                continue;
            assert_int_equal(cell.kind == RLN_CELL_TEXT,
                             column->kind == RLN_COLUMN_TEXT);
            assert_int_equal(cell.kind == RLN_CELL_ID, column->kind == RLN_COLUMN_ID);
            assert_int_equal(is_time, column->is_time);
        }
    }
}

static void every_report_is_there_by_each_of_its_names(void **state)
{
    void (*const scenarios[])(struct tb *) = {
        sc_nested, sc_startend, sc_counters, sc_payloads, sc_locks, sc_ranks, sc_pace};
    const struct rln__report_info *about;
    size_t n_rows = 0;

    (void)state;
    assert_null(rln__report_find("nosuch"));
    assert_null(rln__report_find(NULL));
    assert_ptr_equal(rln__report_find("nvtxsssum"),
                     rln__report_find("nvtx_startend_sum"));
    for (size_t k = 0; k < sizeof(scenarios) / sizeof(scenarios[0]); k++) {
        rln_reader *reader = open_scenario(scenarios[k]);

        for (size_t i = 0; (about = rln__report_about_at(i)); i++) {
            const rln_report_request request = {.name = about->name};
            struct rln__reports *reports = reports_of(reader, &request, 1);
            rln_report *report = report_of(reports, 0);

            assert_ptr_equal(rln__report_find(about->name), about);
            assert_ptr_equal(rln__report_get_about(report), about);
            assert_true(about->title && about->help && about->subject);
            check_kinds(report);
            n_rows += rln_report_count_rows(report);
            rln__reports_free(reports); /* reports outlive it */
            check_kinds(report);
            rln_report_free(report);
        }
        rln_reader_close(reader);
    }
    assert_true(n_rows > 100);
}

static void several_come_from_one_reading(void **state)
{
    const rln_report_request requests[] = {
        {.name = "nvtx_sum"},
        {.name = "tree", .argument = "thread", .has_max_depth = 1, .max_depth = 1},
        {.name = "pace"},
    };
    rln_reader *reader = open_scenario(sc_threads);
    struct rln__reports *reports = reports_of(reader, requests, 3);
    rln_report *tree = report_of(reports, 1), *pace = report_of(reports, 2);
    size_t n_headings = 0;

    (void)state;
    assert_true(rln__stats_count(rln__reports_stats(reports)) > 0);
    for (size_t i = 0; i < rln_report_count_rows(tree); i++)
        n_headings += (size_t)rln_report_is_heading(tree, i);
    assert_int_equal(n_headings, 3); /* threads */
    assert_true(rln_report_is_heading(tree, 0));
    assert_string_equal(rln__report_argument(tree), "thread");
    /* Without an argument, it is for the range that took longest. */
    assert_non_null(strchr(rln__report_argument(pace), ':'));
    assert_true(rln_report_count_rows(pace) > 10);
    assert_false(rln__reports_is_restricted(reports, 1));
    rln_report_free(tree);
    rln_report_free(pace);
    rln__reports_free(reports);
    rln__reports_free(NULL);
    rln_reader_close(reader);
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const struct {
        rln_report_request request;
        const char *says;
    } cases[] = {
        {{.name = "nosuch"}, "name=\"nosuch\": no such report"},
        {{.name = NULL}, "name=\"\": no such report"},
        {{.name = "tree", .argument = "threads"}, ": no such argument"},
        {{.name = "gaps", .argument = "x"}, ": no such argument"},
        {{.name = "nvtx_kern_sum", .argument = ""}, ": no such argument"},
    };
    const rln_report_request nothing = {.name = "tree", .has_max_depth = 1};
    rln_reader *reader = open_scenario(sc_nested);
    struct rln__reports *reports;
    rln_report *report;
    rln_error err;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(rln__reports_new(reader, &cases[i].request, 1, &reports, &err),
                         RLN_ERR_ARGUMENT);
        assert_null(reports);
        assert_non_null(strstr(err.message, cases[i].says));
    }
    reports = reports_of(reader, &nothing, 1);
    assert_true(rln__reports_is_restricted(reports, 0));
    assert_int_equal(rln__reports_build(reports, 1, &report, &err), RLN_ERR_ARGUMENT);
    assert_null(report);
    report = report_of(reports, 0);
    assert_int_equal(rln_report_count_rows(report), 0);
    rln_report_free(report);
    rln__reports_free(reports);
    rln_reader_close(reader);
}

/* All of them twice, as a table with aligned columns does. */
static rln_status read_cells(const rln_report *r)
{
    const size_t n = rln_report_count_rows(r);

    for (size_t row = 0; row < 2 * n; row++) {
        for (size_t i = 0; i < rln__report_count_columns(r); i++)
            (void)rln_report_cell(r, row % n, i);
    }
    return rln_report_status(r, NULL);
}

static rln_status build_all(rln_reader *reader, const rln_report_request *requests,
                            size_t n)
{
    struct rln__reports *reports;
    rln_status status = rln__reports_new(reader, requests, n, &reports, NULL);

    for (size_t i = 0; i < n && !status; i++) {
        rln_report *report;

        status = rln__reports_build(reports, i, &report, NULL);
        if (!status)
            status = read_cells(report);
        rln_report_free(report);
    }
    rln__reports_free(reports);
    return status;
}

/* However many cells and ranges follow. */
static void every_report_says_what_its_rows_and_columns_mean(void **state)
{
    const struct rln__report_info *about;

    (void)state;
    for (size_t i = 0; (about = rln__report_about_at(i)); i++)
        if (!about->details || strlen(about->details) < 100)
            fail_msg("%s has no details", about->name);
}

#define MOST_FAILURES 8

/* Reports of traces with all that reports are about. */
static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    static void (*const builds[])(struct tb *) = {sc_ranks, sc_startend, sc_pace,
                                                  sc_locks, sc_counters, sc_payloads};

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(builds); i++) {
        rln_reader *reader = open_scenario(builds[i]);
        const struct rln__report_info *about;

        for (size_t k = 0; (about = rln__report_about_at(k)); k++) {
            const rln_report_request request = {.name = about->name};
            rln_status status = RLN_ERR_NOMEM;

            for (size_t n = 1; status == RLN_ERR_NOMEM; n++) {
                assert_true(n < 10000);
                rln__alloc_fail_from(n);
                status = build_all(reader, &request, 1);
                if (rln__alloc_failures() > MOST_FAILURES)
                    fail_msg("%s, allocation %zu: %zu failures", about->name, n,
                             rln__alloc_failures());
                rln__alloc_fail_from(0);
            }
            assert_int_equal(status, RLN_OK);
        }
        rln_reader_close(reader);
    }
}

/* A report of many cells, as one with a row per range would be. */
static rln_status build_long(const struct rln__report_source *source, rln_report *out)
{
    (void)source;
    for (size_t i = 0; i < 3 * 100000; i++)
        rln__report_put_word(out, "a word that takes room");
    return RLN_OK;
}

static void the_first_failed_allocation_is_the_last(void **state)
{
    struct rln__report_kind of_words = example;
    rln_error err;
    const struct rln__report_source source = {.kind = &of_words, .err = &err};
    rln_report *report;

    (void)state;
    of_words.build = build_long;
    for (size_t n = 1; n < 20; n++) {
        rln__alloc_fail_from(n);
        assert_int_equal(rln__report_make(&source, &report), RLN_ERR_NOMEM);
        assert_null(report);
        assert_in_range(rln__alloc_failures(), 1, 2); /* of cells, of their text */
        rln__alloc_fail_from(0);
        assert_string_equal(err.message, "out of memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_a_table_and_a_function),
        cmocka_unit_test(a_row_that_is_not_whole_is_an_error),
        cmocka_unit_test(every_report_is_there_by_each_of_its_names),
        cmocka_unit_test(several_come_from_one_reading),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(every_report_says_what_its_rows_and_columns_mean),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(the_first_failed_allocation_is_the_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
