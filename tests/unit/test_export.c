/* SPDX-License-Identifier: Apache-2.0 */
/* test_export.c - exports through the public library have the right format and options,
 * and the file appears only when complete. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "export/export_file.h"
#include "export/exporter.h"
#include "export/exporters.h"
#include "export/gpu_fields.h"
#include "ranges/event_filter.h"
#include "temp_trace.h"

#include "rangeline/export.h"
#include "trace/open/load.h"

/* A folder of its own; static until the next call. */
static const char *new_path(const char *name)
{
    static char folder[64], path[128];

    (void)snprintf(folder, sizeof(folder), "/tmp/rangeline-export-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void drop(const char *path)
{
    char folder[128];

    (void)unlink(path);
    (void)snprintf(folder, sizeof(folder), "%s", path);
    *strrchr(folder, '/') = 0;
    assert_int_equal(rmdir(folder), 0); /* nothing else is left in it */
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

/* The same if `path` may be a folder. */
static void drop_any(const char *path)
{
    (void)nftw(path, remove_one, 4, FTW_DEPTH | FTW_PHYS);
    drop(path);
}

static void read_file(const char *path, char *out, size_t size)
{
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    out[fread(out, 1, size - 1, file)] = 0;
    (void)fclose(file);
}

static rln_export_options options_for(const char *format, const char *path)
{
    return (rln_export_options){
        .size = sizeof(rln_export_options), .format = format, .path = path};
}

static void formats_are_found_by_name_and_by_path(void **state)
{
    static const struct {
        const char *path, *name;
    } paths[] = {
        {"run.pftrace", "perfetto"},      {"run.json", "chrome"},
        {"run.json.gz", "chrome"},        {"run.speedscope.json", "speedscope"},
        {"a.csv/run.jsonl.zst", "jsonl"}, {"run.otf2", "otf2"},
        {"run.arrows", "arrow"},          {".sqlite", "sqlite"},
    };
    size_t n = 0;

    (void)state;
    for (; rln__format_at(n); n++)
        assert_ptr_equal(rln__format_find(rln__format_at(n)->name), rln__format_at(n));
    assert_int_equal(n, 11);
    assert_null(rln__format_at(n));
    assert_null(rln__format_find("nosuch"));
    assert_null(rln__format_of_path("run.rln"));
    assert_null(rln__format_of_path("json"));
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        assert_string_equal(rln__format_of_path(paths[i].path)->name, paths[i].name);
}

static void a_file_has_its_name_when_it_is_complete(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    const char *path = new_path("run.folded");
    const rln_export_options options = options_for("folded", path);
    struct rln__export *output;
    rln_error err = {0};
    char text[256];

    (void)state;
    assert_int_equal(rln__export_open(reader, &options, &output, &err), RLN_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(rln__export_temporary_path(output), F_OK), 0);
    assert_int_equal(rln__export_count(output), 0);
    assert_int_equal(rln__export_run(output, &err), RLN_OK);
    assert_int_equal(rln__export_count(output), 4);
    assert_int_equal(rln__export_run(output, &err), RLN_ERR_ARGUMENT);
    rln__export_close(output);
    read_file(path, text, sizeof(text));
    assert_non_null(strstr(text, "step;load 40000\n"));
    drop(path);
    rln_reader_close(reader);
}

/* Four marks of one name: two with unknown data, two with numbers. */
static void build_payloads(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    tb_attributes_full(&c, 5, 0, 0, 0, 1, rln__types(0, RLN_PAYLOAD_I64, 1));
    c = tb_events(tb, 1, 1, 100);
    (void)pb_event(&c, RLN__MARK, 1, 10, NULL, PS_NOBODY, "\x11", 1);
    (void)pb_event(&c, RLN__MARK, 1, 20, NULL, PS_NOBODY, "\x22", 1);
    (void)tb_value(&c, RLN__MARK_VALUE, 5, 30, 33);
    (void)tb_value(&c, RLN__MARK_VALUE, 5, 40, 44);
}

static void events_of_one_name_have_their_own_payloads(void **state)
{
    static const char *const expected[] = {"\"bytes\":\"11\"", "\"bytes\":\"22\"",
                                           "\"payload\":33", "\"payload\":44"};
    rln_reader *reader = open_scenario(build_payloads);
    const char *path = new_path("run.json");
    const rln_export_options options = options_for("chrome", path);
    struct rln__export *output;
    char text[2048];
    const char *at = text;

    (void)state;
    assert_int_equal(rln__export_open(reader, &options, &output, NULL), RLN_OK);
    assert_int_equal(rln__export_run(output, NULL), RLN_OK);
    rln__export_close(output);
    read_file(path, text, sizeof(text));
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        at = strstr(at, expected[i]);
        assert_non_null(at);
    }
    drop(path);
    rln_reader_close(reader);
}

static void what_is_not_run_leaves_nothing(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    const char *path = new_path("run.csv");
    const rln_export_options options = options_for("csv", path);
    struct rln__export *output;

    (void)state;
    assert_int_equal(rln__export_open(reader, &options, &output, NULL), RLN_OK);
    rln__export_close(output);
    rln__export_close(NULL);
    drop(path);
    rln_reader_close(reader);
}

static void a_file_is_replaced_only_on_request(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    const char *path = new_path("run.csv");
    rln_export_options options = options_for("csv", path);
    FILE *file = fopen(path, "w");
    struct rln__export *output = (struct rln__export *)&options;
    rln_error err = {0};
    char text[256];

    (void)state;
    assert_non_null(file);
    assert_true(fputs("mine", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rln__export_open(reader, &options, &output, &err), RLN_ERR_IO);
    assert_null(output);
    assert_non_null(strstr(err.message, "File exists"));
    read_file(path, text, sizeof(text));
    assert_string_equal(text, "mine");
    options.flags = RLN_EXPORT_REPLACE;
    assert_int_equal(rln__export_open(reader, &options, &output, &err), RLN_OK);
    assert_int_equal(rln__export_run(output, &err), RLN_OK);
    rln__export_close(output);
    read_file(path, text, sizeof(text));
    assert_null(strstr(text, "mine"));
    drop(path);
    rln_reader_close(reader);
}

static void the_readers_filter_counts(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    const char *path = new_path("run.csv");
    const rln_export_options options = options_for("csv", path);
    rln_filter *filter;
    struct rln__export *output;
    char text[1024];

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "load", NULL), RLN_OK);
    rln_reader_set_filter(reader, filter);
    assert_int_equal(rln__export_open(reader, &options, &output, NULL), RLN_OK);
    assert_int_equal(rln__export_run(output, NULL), RLN_OK);
    assert_int_equal(rln__export_count(output), 3);
    rln__export_close(output);
    read_file(path, text, sizeof(text));
    assert_null(strstr(text, "step"));
    drop(path);
    rln_reader_set_filter(reader, NULL);
    rln_filter_free(filter);
    rln_reader_close(reader);
}

static void options_that_make_no_sense_are_refused(void **state)
{
    static const struct {
        rln_export_options options;
        const char *says;
    } cases[] = {
        {{.size = 8, .format = "csv", .path = "/dev/null"}, "cannot export: size=8, "},
        {{.size = sizeof(rln_export_options), .path = "/dev/null"}, "format=NULL"},
        {{.size = sizeof(rln_export_options), .format = "csv"}, "path=NULL"},
        {{.size = sizeof(rln_export_options), .format = "nosuch", .path = "/dev/null"},
         "type=nosuch: no such format"},
        {{.size = sizeof(rln_export_options),
          .format = "folded",
          .path = "/dev/null",
          .times = "1s/2s"},
         "type=folded: --times requires type"},
        {{.size = sizeof(rln_export_options),
          .format = "csv",
          .path = "/dev/null",
          .times = "soon"},
         "cannot read times: times=\"soon\""},
        {{.size = sizeof(rln_export_options),
          .format = "jsonl",
          .path = "/dev/null",
          .tables = "["},
         "cannot select tables: pattern=\"[\""},
    };
    rln_reader *reader = open_scenario(sc_nested);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rln__export *output = (struct rln__export *)&reader;
        rln_error err = {0};

        assert_int_equal(rln__export_open(reader, &cases[i].options, &output, &err),
                         RLN_ERR_ARGUMENT);
        assert_null(output);
        if (!strstr(err.message, cases[i].says))
            fail_msg("%s", err.message);
    }
    rln_reader_close(reader);
}

static rln_status export_with_memory_for(rln_reader *reader, const char *format,
                                         const char *path, size_t n, rln_error *err)
{
    rln_export_options options = options_for(format, path);
    struct rln__export *output;
    rln_status status;

    options.flags = RLN_EXPORT_JSON | RLN_EXPORT_BLOBS;
    rln__alloc_fail_from(n);
    status = rln__export_open(reader, &options, &output, err);
    if (!status)
        status = rln__export_run(output, err);
    rln__export_close(output);
    rln__alloc_fail_from(0);
    return status;
}

/* In each format, with every kind of event, once with memory for each number of
 * allocations that is too small. */
static void without_memory_there_is_an_error_and_no_file(void **state)
{
    static void (*const builds[])(struct tb *) = {sc_payloads, sc_counters, sc_deferred,
                                                  sc_gpu};

    (void)state;
    for (size_t b = 0; b < sizeof(builds) / sizeof(builds[0]); b++) {
        rln_reader *reader = open_scenario(builds[b]);

        for (size_t i = 0; rln__format_at(i); i++) {
            const char *format = rln__format_at(i)->name;
            const char *path = new_path("file");
            rln_status status = RLN_ERR_NOMEM;
            rln_error err;

            if (rln__format_at(i)->missing_library)
                continue;
            for (size_t n = 1; status; n++) {
                status = export_with_memory_for(reader, format, path, n, &err);
                if (status && (status != RLN_ERR_NOMEM || access(path, F_OK) == 0))
                    fail_msg("%s, %zu: %s", format, n, err.message);
                assert_true(n < 10000);
            }
            assert_int_equal(access(path, F_OK), 0);
            drop_any(path);
        }
        rln_reader_close(reader);
    }
}

/* The bits of a field that could not be read are its address. */
static void a_field_behind_the_end_of_a_payload_is_missing(void **state)
{
    rln_field items[32] = {{.kind = RLN_FIELD_UINT, .bits = 7}};
    const struct rln__gpu_fields fields = {(enum rln__gpu_kind)0, items, 2};

    (void)state;
    assert_ptr_equal(rln__gpu_field_at(&fields, 0), &items[0]);
    items[1] = (rln_field){.kind = RLN_FIELD_UNREAD, .bits = 0x7f00};
    assert_null(rln__gpu_field_at(&fields, 1));
    assert_null(rln__gpu_field_at(&fields, 2));
    assert_null(rln__gpu_field_at(&fields, -1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_behind_the_end_of_a_payload_is_missing),
        cmocka_unit_test(formats_are_found_by_name_and_by_path),
        cmocka_unit_test(a_file_has_its_name_when_it_is_complete),
        cmocka_unit_test(events_of_one_name_have_their_own_payloads),
        cmocka_unit_test(what_is_not_run_leaves_nothing),
        cmocka_unit_test(a_file_is_replaced_only_on_request),
        cmocka_unit_test(the_readers_filter_counts),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(without_memory_there_is_an_error_and_no_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
