/* SPDX-License-Identifier: Apache-2.0 */
/* test_import.c - reads a SQLite export while memory fails. Its contents are tested
 * through the command: tests/export/case_foreign.py and the files beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "export/exporter.h"
#include "rangeline/report.h"
#include "read_all.h"
#include "reports/report_set.h"
#include "trace/open/load.h"

#define MOST_ALLOCATIONS 20000

static const char *const paths[] = {"fuzz/seeds/fuzz_import/small"};

/* Skips the test in a build without SQLite. */
static void need_sqlite(void)
{
    rln_error err = {0};
    rln_reader *reader;

    if (rln_reader_open(paths, 1, &reader, &err))
        skip();
    rln_reader_close(reader);
}

static rln_status read_gpu(rln_error *err)
{
    static const rln_report_request requests[] = {{.name = "nvtx_gpu_proj_sum"},
                                                  {.name = "nvtx_kern_sum"}};
    struct rln__reports *reports = NULL;
    rln_report *report;
    rln_reader *reader;
    rln_status status = rln_reader_open(paths, 1, &reader, err);

    if (!status)
        status = rln__reports_new(reader, requests, 2, &reports, err);
    for (size_t i = 0; i < 2 && !status; i++) {
        status = rln__reports_build(reports, i, &report, err);
        if (!status)
            assert_int_equal(rln_report_count_rows(report), 1);
        rln_report_free(report);
    }
    rln__reports_free(reports);
    rln_reader_close(reader);
    return status;
}

static rln_status read_trace(rln_error *err)
{
    return read_all(paths, 1, err);
}

static void fail_everywhere(rln_status (*read)(rln_error *err))
{
    rln_status status = RLN_ERR_NOMEM;
    rln_error err = {0};

    /* Each of the first allocations; later ones are similar, so only some. */
    for (size_t nth = 1; status; nth += 1 + nth / 64) {
        rln__alloc_fail_from(nth);
        status = read(&err);
        rln__alloc_fail_from(0);
        if (status) {
            assert_int_equal(status, RLN_ERR_NOMEM);
            assert_string_equal(err.message, "out of memory");
        }
        assert_true(nth < MOST_ALLOCATIONS);
    }
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    need_sqlite();
    fail_everywhere(read_trace);
}

static void so_are_those_of_reports_about_gpus(void **state)
{
    (void)state;
    need_sqlite();
    fail_everywhere(read_gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
        cmocka_unit_test(so_are_those_of_reports_about_gpus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
