/* SPDX-License-Identifier: Apache-2.0 */
/* test_format.c - a custom format is one table of functions: this one writes a line for
 * each range at its end. */
#include <stdlib.h>
#include <unistd.h>

#include "export/export_file.h"
#include "export/exporters.h"
#include "temp_trace.h"

struct lines {
    struct rln__export *x; /* borrowed */
    size_t n_open;
};

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
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
    struct rln__buf *buf = &l->x->output.buf;

    rln__buf_format(buf, "%zu ", l->n_open--);
    rln__buf_add(buf, range->attributes.message.bytes,
                 range->attributes.message.length);
    rln__buf_format(buf, " %lld\n", (long long)(range->end_ns - range->start_ns));
    return rln__output_flush_full(&l->x->output, err);
}

static rln_status end(void *state, rln_error *err)
{
    const struct lines *l = state;

    rln__buf_format(&l->x->output.buf, "last at %lld\n", (long long)l->x->last_ns);
    return rln__output_flush_full(&l->x->output, err);
}

static const struct rln__exporter exporter = {
    .format = {.name = "lines",
               .extension = ".txt",
               .help = "a line for each range",
               .is_stream = 1},
    .state_bytes = sizeof(struct lines),
    .begin = begin,
    .open = begin_range,
    .close = end_range,
    .end = end,
};

static void a_format_is_one_table_of_functions(void **state)
{
    char path[] = "/tmp/rangeline-format-XXXXXX", text[256] = "";
    rln_reader *reader = open_scenario(sc_nested);
    struct rln__export x = {.exporter = &exporter, .reader = reader};
    FILE *file;

    (void)state;
    assert_true(close(mkstemp(path)) == 0);
    assert_int_equal(rln__output_open(&x.output, path, 1, RLN__OUTPUT_STREAM, NULL),
                     RLN_OK);
    assert_int_equal(rln__export_run(&x, NULL), RLN_OK);
    rln__output_clear(&x.output);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    (void)fclose(file);
    (void)unlink(path);
    assert_string_equal(text,
                        "2 load 40000\n1 step 100000\n1 load 0\nlast at 120000\n");
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_format_is_one_table_of_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
