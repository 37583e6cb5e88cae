/* SPDX-License-Identifier: Apache-2.0 */
/* test_format.c - a format of one's own is one table of functions: this one writes a
 * line for each range as it ends. */
#include <stdlib.h>
#include <unistd.h>

#include "export/exporters.h"
#include "temp_trace.h"

struct lines {
    const struct rln__export *x; /* borrowed */
    size_t n_open;
};

static rln_status begin(void *state, const struct rln__export *x, rln_error *err)
{
    struct lines *l = state;

    (void)err;
    l->x = x;
    return RLN_OK;
}

static rln_status begin_range(void *state, const rln_range *range, rln_error *err)
{
    struct lines *l = state;

    (void)range;
    (void)err;
    l->n_open++;
    return RLN_OK;
}

static rln_status end_range(void *state, const rln_range *range, rln_error *err)
{
    struct lines *l = state;
    struct rln__buf *buf = &l->x->output->buf;

    rln__buf_format(buf, "%zu ", l->n_open--);
    rln__buf_add(buf, range->with.message.bytes, range->with.message.length);
    rln__buf_format(buf, " %lld\n", (long long)(range->end_ns - range->start_ns));
    return rln__output_flush_full(l->x->output, err);
}

static rln_status end(void *state, rln_error *err)
{
    const struct lines *l = state;

    rln__buf_format(&l->x->output->buf, "last at %lld\n", (long long)l->x->last_ns);
    return rln__output_flush_full(l->x->output, err);
}

static const struct rln__exporter exporter = {
    .type = "lines",
    .extension = ".txt",
    .what = "a line for each range",
    .state_bytes = sizeof(struct lines),
    .is_text = 1,
    .begin = begin,
    .open = begin_range,
    .close = end_range,
    .end = end,
};

static void a_format_is_one_table_of_functions(void **state)
{
    const struct rln__export_options options = {.product = "test", .input = "x.rln"};
    char path[] = "/tmp/rangeline-format-XXXXXX", text[256] = "";
    rln_reader *reader = open_scenario(sc_nested);
    struct rln__output output;
    FILE *file;

    (void)state;
    assert_true(close(mkstemp(path)) == 0);
    assert_int_equal(rln__output_open(&output, path, 1, RLN__OUTPUT_STREAM, NULL),
                     RLN_OK);
    assert_int_equal(rln__export_run(&exporter, reader, &options, &output, NULL),
                     RLN_OK);
    assert_int_equal(rln__output_end(&output, NULL), RLN_OK);
    rln__output_clear(&output);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    (void)fclose(file);
    (void)unlink(path);
    assert_string_equal(text,
                        "2 load 40000\n1 step 100000\n1 load 0\nlast at 120000\n");
    rln_reader_close(reader);
}

static void every_format_is_found_by_its_name(void **state)
{
    size_t n = 0;

    (void)state;
    assert_null(rln__exporter_of("nosuch"));
    for (; rln__exporters[n]; n++)
        assert_ptr_equal(rln__exporter_of(rln__exporters[n]->type), rln__exporters[n]);
    assert_int_equal(n, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_format_is_one_table_of_functions),
        cmocka_unit_test(every_format_is_found_by_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
