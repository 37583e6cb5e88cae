/* SPDX-License-Identifier: Apache-2.0 */
/* test_input.c - a file that rests is read as if it were open, unless another one has
 * taken its name. */
#include "format/input.h"
#include "temp_trace.h"

#include <errno.h>

static struct tb trace;
static struct rln__damages damages;

/* The path of a new trace, which rests. */
static const char *rest(struct rln__input *file)
{
    const char *path;

    tb_clear(&trace);
    sc_nested(&trace);
    path = temp_file(trace.bytes, trace.size);
    assert_int_equal(rln__input_open(file, path, &damages, NULL), RLN_OK);
    rln__input_rest(file);
    assert_int_equal(file->fd, -1);
    return path;
}

static void a_file_that_rests_is_read_and_refreshed(void **state)
{
    struct rln__superblock super;
    struct rln__input file;
    char bytes[64];
    size_t n = 0;
    int is_damaged = 1;
    const char *path = rest(&file);

    (void)state;
    assert_int_equal(rln__input_read(&file, 16, bytes, sizeof(bytes), &n, NULL),
                     RLN_OK);
    assert_int_equal(n, sizeof(bytes));
    assert_memory_equal(bytes, trace.bytes + 16, sizeof(bytes));
    assert_int_equal(rln__input_identity(&file, 0, &super, &is_damaged, NULL), RLN_OK);
    assert_int_equal(is_damaged, 0);
    assert_memory_equal(super.magic, RLN__MAGIC, sizeof(super.magic));
    assert_int_equal(truncate(path, (off_t)trace.size + 4096), 0);
    assert_int_equal(rln__input_refresh(&file, NULL), RLN_OK);
    assert_int_equal(file.size, trace.size + 4096);
    assert_int_equal(file.fd, -1); /* it rests again */
    rln__input_close(&file);
    (void)unlink(path);
}

static void check_failure(const struct rln__input *file, int error)
{
    struct rln__input again = *file;
    struct rln__superblock super;
    int is_damaged;
    rln_error err = {0};
    char byte;

    assert_int_equal(rln__input_read(file, 0, &byte, 1, NULL, &err), RLN_ERR_IO);
    assert_non_null(strstr(err.message, strerror(error)));
    assert_int_equal(rln__input_identity(file, 0, &super, &is_damaged, &err),
                     RLN_ERR_IO);
    assert_non_null(strstr(err.message, strerror(error)));
    assert_int_equal(rln__input_refresh(&again, &err), RLN_ERR_IO);
    assert_non_null(strstr(err.message, strerror(error)));
    assert_int_equal(rln__input_skip_hole(file, 7), 7);
}

static void a_file_that_has_gone_or_was_replaced_cannot_be_read(void **state)
{
    struct rln__input file;
    const char *path = rest(&file);
    char *other = NULL;
    FILE *out;

    (void)state;
    assert_true(asprintf(&other, "%s.other", path) > 0);
    out = fopen(other, "w");
    assert_non_null(out);
    (void)fclose(out);
    assert_int_equal(rename(other, path), 0);
    check_failure(&file, ESTALE);
    (void)unlink(path);
    check_failure(&file, ENOENT);
    rln__input_close(&file);
    free(other);
}

static void a_superblock_with_impossible_numbers_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tb tb = {0};
        struct rln__superblock *super = tb_part(&tb, 1);
        struct rln__input file;
        rln_error err = {0};
        const char *path;

        if (i)
            super->superblock_bytes = 4096;
        else
            super->trace_id = 0;
        path = temp_file(tb.bytes, tb.size);
        assert_int_equal(rln__input_open(&file, path, &damages, &err), RLN_ERR_FORMAT);
        assert_non_null(strstr(err.message, "its superblock is damaged"));
        (void)unlink(path);
        tb_clear(&tb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_rests_is_read_and_refreshed),
        cmocka_unit_test(a_file_that_has_gone_or_was_replaced_cannot_be_read),
        cmocka_unit_test(a_superblock_with_impossible_numbers_is_refused),
    };
    const int status = cmocka_run_group_tests(tests, NULL, NULL);

    tb_clear(&trace);
    return status;
}
