/* SPDX-License-Identifier: Apache-2.0 */
/* test_reader_open.c - files that are no trace are refused, with a message that says
 * why.
 */
#include "base/alloc.h"
#include "base/count.h"
#include "export/exporter.h"
#include "ranges/events.h"
#include "temp_trace.h"
#include "trace/open/load.h"

static void check_refusal(const void *bytes, size_t n_bytes, rln_status status,
                          const char *message)
{
    rln_reader *reader = (rln_reader *)(uintptr_t)8;
    rln_error err = {0};

    assert_int_equal(open_bytes(bytes, n_bytes, &reader, &err), status);
    assert_null(reader);
    assert_int_equal(err.code, status);
    if (!strstr(err.message, message))
        fail_msg("\"%s\" is not in \"%s\"", message, err.message);
}

static void refuses_what_is_no_trace_and_says_why(void **state)
{
    static const char elf[70000] = "\177ELF\1";

    (void)state;
    check_refusal("", 0, RLN_ERR_FORMAT, "size=0\nhint: ");
    check_refusal(elf, 5, RLN_ERR_FORMAT, "not a trace: path=");
    check_refusal(elf, sizeof(elf), RLN_ERR_FORMAT, "not a trace: path=");
    check_refusal("RLNTRACE", 8, RLN_ERR_FORMAT, "size=8: less than a superblock");
}

static void refuses_a_newer_major_version(void **state)
{
    struct tb tb = {0};
    struct rln__superblock *super = tb_part(&tb, 1);

    (void)state;
    super->major = 2;
    super->minor = 3;
    check_refusal(tb.bytes, tb.size, RLN_ERR_VERSION,
                  "trace needs a newer reader: path=");
    check_refusal(tb.bytes, tb.size, RLN_ERR_VERSION, "format=2.3, supported=1.x");
    tb_clear(&tb);
}

static void reads_any_minor_version(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;

    (void)state;
    tb_part(&tb, 1)->minor = 9;
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    rln_reader_close(reader);
    tb_clear(&tb);
}

static void refuses_directories_missing_files_and_no_files(void **state)
{
    const char *paths[] = {"/tmp", "/no/such/file"};
    rln_reader *reader;
    rln_error err = {0};

    (void)state;
    assert_int_equal(rln_reader_open(paths, 1, &reader, &err), RLN_ERR_FORMAT);
    assert_string_equal(err.message,
                        "cannot read trace: path=\"/tmp\": not a regular file");
    assert_int_equal(rln_reader_open(paths + 1, 1, &reader, &err), RLN_ERR_IO);
    assert_string_equal(err.message,
                        "cannot open trace: path=\"/no/such/file\": No such "
                        "file or directory");
    assert_int_equal(rln_reader_open(paths, 0, &reader, NULL), RLN_ERR_ARGUMENT);
    assert_null(reader);
}

static void an_empty_trace_has_no_events(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;
    rln_events *events;
    const rln_event *event;

    (void)state;
    (void)tb_part(&tb, 1);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_END);
    assert_null(event);
    assert_true(rln_reader_is_finished(reader));
    rln_events_close(events);
    rln_reader_close(reader);
    tb_clear(&tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_trace_and_says_why),
        cmocka_unit_test(refuses_a_newer_major_version),
        cmocka_unit_test(reads_any_minor_version),
        cmocka_unit_test(refuses_directories_missing_files_and_no_files),
        cmocka_unit_test(an_empty_trace_has_no_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
