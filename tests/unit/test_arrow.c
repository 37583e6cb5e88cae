/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow.c - tables are valid Arrow streams, with the contents of the trace. */
#include <errno.h>

#include "base/alloc.h"
#include "export/arrow/arrow_batch.h"
#include "temp_trace.h"

static const char *path_of(void (*build)(struct tb *tb))
{
    struct tb tb = {0};
    const char *path;

    build(&tb);
    path = temp_file(tb.bytes, tb.size);
    tb_clear(&tb);
    return path;
}

static struct ArrowArrayStream open_table(void (*build)(struct tb *tb),
                                          rln_arrow_table table,
                                          const struct rln_arrow_options *options)
{
    const char *const path = path_of(build);
    struct ArrowArrayStream stream;

    assert_int_equal(rln_arrow_open(&path, 1, table, options, &stream, NULL), RLN_OK);
    return stream;
}

static struct ArrowArray *column(struct ArrowArrayStream *stream,
                                 struct ArrowArray *batch, const char *name)
{
    struct ArrowArray *found = NULL;
    struct ArrowSchema schema;

    assert_int_equal(stream->get_schema(stream, &schema), 0);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(schema.n_children, batch->n_children);
    for (int64_t i = 0; i < schema.n_children; i++) {
        if (strcmp(schema.children[i]->name, name) == 0)
            found = batch->children[i];
    }
    schema.release(&schema);
    assert_null(schema.release);
    assert_non_null(found);
    return found;
}

static int is_null(const struct ArrowArray *a, int64_t row)
{
    const uint8_t *bits = a->buffers[0];

    return bits && !(bits[row / 8] >> row % 8 & 1);
}

static int64_t number(const struct ArrowArray *a, int64_t row)
{
    return ((const int64_t *)a->buffers[1])[row];
}

static void assert_text(const struct ArrowArray *a, int64_t row, const char *expected)
{
    const int32_t index = ((const int32_t *)a->buffers[1])[row];
    const int32_t *ends = a->dictionary->buffers[1];
    const char *text = a->dictionary->buffers[2];

    assert_false(is_null(a, row));
    assert_true(index >= 0 && index < a->dictionary->length);
    assert_int_equal(ends[index + 1] - ends[index], strlen(expected));
    assert_memory_equal(text + ends[index], expected, strlen(expected));
}

static void ranges_have_their_columns(void **state)
{
    struct ArrowArrayStream stream = open_table(sc_nested, RLN_ARROW_RANGES, NULL);
    struct ArrowArray batch, end;

    (void)state;
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, 3); /* a pop that closes nothing is no range */
    assert_text(column(&stream, &batch, "name"), 0, "load");
    assert_text(column(&stream, &batch, "name"), 1, "step");
    assert_int_equal(number(column(&stream, &batch, "start"), 0), 10000);
    assert_int_equal(number(column(&stream, &batch, "duration"), 1), 100000);
    assert_true(is_null(column(&stream, &batch, "end"), 2)); /* open */
    assert_int_equal(column(&stream, &batch, "end")->null_count, 1);
    assert_true(is_null(column(&stream, &batch, "domain"), 0));
    assert_text(column(&stream, &batch, "domain"), 2, "io");
    assert_text(column(&stream, &batch, "category_name"), 2, "disk");
    assert_text(column(&stream, &batch, "style"), 0, "push_pop");
    assert_true(is_null(column(&stream, &batch, "on_cpu"), 0)); /* not recorded */
    assert_int_equal(stream.get_next(&stream, &end), 0);
    assert_null(end.release); /* the end */
    assert_null(stream.get_last_error(&stream));
    stream.release(&stream);
    assert_null(stream.release);
    assert_text(batch.children[4], 0, "load"); /* batches outlive their stream */
    batch.release(&batch);
    assert_null(batch.release);
}

static void ranges_have_what_their_time_was_made_of(void **state)
{
    struct ArrowArrayStream stream = open_table(sc_switches, RLN_ARROW_RANGES, NULL);
    struct ArrowArray batch;

    (void)state;
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, 2);
    assert_text(column(&stream, &batch, "name"), 1, "step");
    assert_int_equal(number(column(&stream, &batch, "on_cpu"), 1), 120000);
    assert_int_equal(number(column(&stream, &batch, "preempted"), 1), 20000);
    assert_int_equal(number(column(&stream, &batch, "blocked"), 1), 50000);
    stream.release(&stream);
    batch.release(&batch);
}

/* A consumer may move a child out, and release it after its parent. */
static void a_column_may_be_moved_away(void **state)
{
    struct ArrowArrayStream stream = open_table(sc_nested, RLN_ARROW_MARKS, NULL);
    struct ArrowArray batch, moved;

    (void)state;
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    stream.release(&stream);
    assert_int_equal(batch.length, 1);
    moved = *batch.children[0];
    batch.children[0]->release = NULL;
    batch.release(&batch);
    assert_int_equal(number(&moved, 0), 20000);
    moved.release(&moved);
}

static void filters_and_windows_leave_rows_out(void **state)
{
    static const char *const filters[] = {"name=l*", "domain=default", NULL};
    static const char *const wrong[] = {"nme=x", NULL};
    static const char *const no_pattern[] = {"name", NULL};
    struct rln_arrow_options options = {
        .size = sizeof(options), .window = RLN_ALL_WINDOWS, .filters = filters};
    const char *const path = path_of(sc_nested);
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    rln_error err = {0};

    (void)state;
    assert_int_equal(
        rln_arrow_open(&path, 1, RLN_ARROW_RANGES, &options, &stream, NULL), RLN_OK);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, 1);
    batch.release(&batch);
    stream.release(&stream);

    options.filters = wrong;
    assert_int_equal(
        rln_arrow_open(&path, 1, RLN_ARROW_RANGES, &options, &stream, &err),
        RLN_ERR_ARGUMENT);
    assert_string_equal(err.message,
                        "cannot filter: filter=\"nme=x\": not KIND=PATTERN");
    assert_null(stream.release);
    options.filters = no_pattern;
    assert_int_equal(
        rln_arrow_open(&path, 1, RLN_ARROW_RANGES, &options, &stream, NULL),
        RLN_ERR_ARGUMENT);
    options.filters = NULL;
    options.window = 7;
    assert_int_equal(
        rln_arrow_open(&path, 1, RLN_ARROW_RANGES, &options, &stream, NULL),
        RLN_ERR_ARGUMENT);
    assert_int_equal(rln_arrow_open(&path, 1, 0, NULL, &stream, NULL),
                     RLN_ERR_ARGUMENT);
    assert_int_equal(rln_arrow_open(&path, 1, 99, NULL, &stream, NULL),
                     RLN_ERR_ARGUMENT);
    options.min_duration_ns = 50000;
    options.window = RLN_ALL_WINDOWS;
    assert_int_equal(
        rln_arrow_open(&path, 1, RLN_ARROW_RANGES, &options, &stream, NULL), RLN_OK);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, 2); /* step, and the open range */
    batch.release(&batch);
    stream.release(&stream);
}

static int64_t count(void (*build)(struct tb *tb), rln_arrow_table table)
{
    struct ArrowArrayStream stream = open_table(build, table, NULL);
    struct ArrowArray batch;
    int64_t n = 0;

    assert_int_equal(stream.get_next(&stream, &batch), 0);
    if (batch.release) {
        n = batch.length;
        batch.release(&batch);
    }
    stream.release(&stream);
    return n;
}

static uint32_t small_number(const struct ArrowArray *a, int64_t row)
{
    assert_false(is_null(a, row));
    return ((const uint32_t *)a->buffers[1])[row];
}

/* Its schemas are older: they end with the stream. */
static void gpu_work_has_tables_of_its_own(void **state)
{
    struct ArrowArrayStream stream = open_table(sc_gpu, RLN_ARROW_GPU, NULL);
    struct ArrowArray batch;

    (void)state;
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, 3);
    assert_text(column(&stream, &batch, "kind"), 0, "kernel");
    assert_text(column(&stream, &batch, "kind"), 2, "copy");
    assert_text(column(&stream, &batch, "name"), 0, "k");
    assert_int_equal(number(column(&stream, &batch, "start"), 0), 1000);
    assert_int_equal(number(column(&stream, &batch, "end"), 1), 3000);
    assert_int_equal(number(column(&stream, &batch, "duration"), 2), 100);
    assert_int_equal(small_number(column(&stream, &batch, "correlation"), 1), 2);
    assert_int_equal(small_number(column(&stream, &batch, "context"), 0), 1);
    assert_int_equal(small_number(column(&stream, &batch, "stream"), 1), 8);
    assert_true(is_null(column(&stream, &batch, "grid_x"), 0));
    assert_true(is_null(column(&stream, &batch, "bytes"), 2));
    batch.release(&batch);
    stream.release(&stream);
    stream = open_table(sc_gpu, RLN_ARROW_CALLS, NULL);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, 2);
    assert_text(column(&stream, &batch, "kind"), 1, "call");
    assert_text(column(&stream, &batch, "name"), 1, "cudaLaunchKernel");
    assert_int_equal(small_number(column(&stream, &batch, "tid"), 1), 100);
    assert_int_equal(number(column(&stream, &batch, "result"), 1), 0);
    batch.release(&batch);
    stream.release(&stream);
    assert_int_equal(count(sc_gpu, RLN_ARROW_RANGES), 1);
    assert_int_equal(count(sc_nested, RLN_ARROW_GPU), 0);
}

/* Bytes that are not UTF-8, an empty message, and 300 names, one of them twice. */
static void build_names(struct tb *tb)
{
    struct tb_chunk n, c;

    (void)tb_part(tb, 1);
    n = tb_names(tb, 1);
    (void)tb_process(&n, 1, 0, 100);
    tb_bytes(&n, 1, "a\xff\xc3\xa9", 4);
    tb_string(&n, 2, "");
    tb_attributes(&n, 1, 0, 1);
    tb_attributes(&n, 2, 0, 2);
    c = tb_events(tb, 1, 1, 100);
    for (uint64_t i = 0; i < 4; i++)
        (void)tb_event(&c, RLN__MARK, 1 + (uint32_t)i % 2, i);
}

static void texts_are_valid_and_kept_once(void **state)
{
    struct ArrowArrayStream stream = open_table(build_names, RLN_ARROW_MARKS, NULL);
    struct ArrowArray batch, *names;

    (void)state;
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    names = column(&stream, &batch, "name");
    assert_int_equal(names->dictionary->length, 2);
    assert_text(names, 0, "a\xef\xbf\xbd\xc3\xa9");
    assert_text(names, 1, "");
    assert_text(names, 2, "a\xef\xbf\xbd\xc3\xa9");
    batch.release(&batch);
    stream.release(&stream);
}

static int read_all(const char *path, rln_arrow_table table)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    int failed = 0;

    if (rln_arrow_open(&path, 1, table, NULL, &stream, NULL) != RLN_OK)
        return ENOMEM;
    failed = stream.get_schema(&stream, &schema);
    if (!failed)
        schema.release(&schema);
    while (!failed && !(failed = stream.get_next(&stream, &batch)) && batch.release)
        batch.release(&batch);
    if (failed)
        assert_true(failed != ENOMEM || stream.release != NULL);
    stream.release(&stream);
    return failed;
}

/* --- Batches ---------------------------------------------------------------------- */

enum { WIDE, BIT, PLAIN, N_COLUMNS };

static const struct rln__arrow_field mixed_fields[N_COLUMNS] = {
    {"wide", RLN__ARROW_I64},
    {"bit", RLN__ARROW_BOOL},
    {"plain", RLN__ARROW_PLAIN_TEXT}};

/* What is in a row: nothing at all in most, so that arrays grow in rows of nulls. */
static int has(int64_t number, int column)
{
    return number % 7 == column || number % 1024 == 1021 + column;
}

static void put_rows(struct rln__arrow_batch *batch, int64_t first, int64_t n)
{
    for (int64_t i = first; i < first + n; i++) {
        has(i, WIDE) ? rln__arrow_i64(batch, -i) : rln__arrow_null(batch);
        has(i, BIT) ? rln__arrow_bool(batch, (int)(i % 2)) : rln__arrow_null(batch);
        rln__arrow_bytes(batch, has(i, PLAIN) ? (rln_text){"text", (size_t)i % 5}
                                              : (rln_text){NULL, 0});
    }
}

static void expect_rows(const struct rln__arrow_batch *batch, int64_t first, int64_t n)
{
    rln_text buffers[N_COLUMNS][RLN__ARROW_MOST_BUFFERS];
    int64_t n_null[N_COLUMNS] = {0};
    const int64_t *wide;
    const int32_t *ends;

    assert_false(batch->has_failed);
    assert_int_equal(batch->n_rows, n);
    for (size_t k = 0; k < N_COLUMNS; k++)
        assert_int_equal(rln__arrow_buffers(batch, k, buffers[k]), k == PLAIN ? 3 : 2);
    wide = (const void *)buffers[WIDE][1].bytes;
    ends = (const void *)buffers[PLAIN][1].bytes;
    for (int64_t row = 0; row < n; row++) {
        const int64_t i = first + row;
        const uint8_t bits = (uint8_t)buffers[BIT][1].bytes[row / 8];

        for (int k = 0; k < N_COLUMNS; k++) {
            const rln_text validity = buffers[k][0];

            n_null[k] += !has(i, k);
            if (validity.length)
                assert_int_equal((uint8_t)validity.bytes[row / 8] >> row % 8 & 1,
                                 has(i, k));
        }
        assert_int_equal(wide[row], has(i, WIDE) ? -i : 0);
        assert_int_equal(bits >> row % 8 & 1, has(i, BIT) ? i % 2 : 0);
        assert_int_equal(ends[row + 1] - ends[row], has(i, PLAIN) ? i % 5 : 0);
    }
    for (size_t k = 0; k < N_COLUMNS; k++) {
        assert_int_equal(rln__arrow_n_null(batch, k), n_null[k]);
        assert_int_equal(buffers[k][0].length, n_null[k] ? (n + 7) / 8 : 0);
    }
    assert_int_equal(ends[0], 0);
    assert_int_equal(ends[n], buffers[PLAIN][2].length);
}

static void what_is_not_put_is_null_also_in_the_next_batch(void **state)
{
    static const int64_t counts[] = {5000, 1, 1024, 3001, 1025, 20};
    struct rln__arrow_batch batch;
    int64_t first = 0;

    (void)state;
    assert_int_equal(rln__arrow_batch_init(&batch, mixed_fields, N_COLUMNS), 0);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        put_rows(&batch, first, counts[i]);
        expect_rows(&batch, first, counts[i]);
        rln__arrow_batch_empty(&batch);
        first += counts[i];
    }
    rln__arrow_batch_clear(&batch);
}

static void a_batch_of_nulls_has_room(void **state)
{
    struct rln__arrow_batch batch;

    (void)state;
    assert_int_equal(rln__arrow_batch_init(&batch, mixed_fields, N_COLUMNS), 0);
    for (int64_t i = 0; i < 3000 * N_COLUMNS; i++)
        rln__arrow_null(&batch);
    assert_int_equal(batch.n_rows, 3000);
    assert_true(batch.capacity >= batch.n_rows);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        rln_text buffers[RLN__ARROW_MOST_BUFFERS];

        (void)rln__arrow_buffers(&batch, i, buffers);
        assert_int_equal(buffers[0].length, 375);
        for (size_t k = 0; k < 375; k++)
            assert_int_equal(buffers[0].bytes[k], 0);
    }
    rln__arrow_batch_clear(&batch);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    for (rln_arrow_table table = RLN_ARROW_RANGES; table <= RLN_ARROW_CALLS; table++) {
        const char *const path = path_of(table < RLN_ARROW_GPU ? sc_group : sc_gpu);
        int failed = ENOMEM;

        for (size_t n = 1; failed == ENOMEM; n++) {
            assert_true(n < 10000);
            rln__alloc_fail_from(n);
            failed = read_all(path, table);
            rln__alloc_fail_from(0);
        }
        assert_int_equal(failed, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_their_columns),
        cmocka_unit_test(ranges_have_what_their_time_was_made_of),
        cmocka_unit_test(a_column_may_be_moved_away),
        cmocka_unit_test(filters_and_windows_leave_rows_out),
        cmocka_unit_test(gpu_work_has_tables_of_its_own),
        cmocka_unit_test(texts_are_valid_and_kept_once),
        cmocka_unit_test(what_is_not_put_is_null_also_in_the_next_batch),
        cmocka_unit_test(a_batch_of_nulls_has_room),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
