/* SPDX-License-Identifier: Apache-2.0 */
/* test_page_reader.c - without memory the reader of a page says so, and answers again
 * when there is some. web_equal checks what it answers. */
#include <stdio.h>

#include "base/alloc.h"
#include "temp_trace.h"
#include "web/page_reader.h"

static void give(const char *argument)
{
    const size_t n_bytes = strlen(argument);
    char *at = rln_page_argument(n_bytes);

    assert_non_null(at);
    memcpy(at, argument, n_bytes);
}

/* A trace that is compared with another one, and has been read. */
static void open_two(const char *path, const char *compared)
{
    give(path);
    assert_int_equal(rln_page_open(), 200);
    give(compared);
    assert_int_equal(rln_page_compare(), 200);
    while (rln_page_read() == 202)
        ;
}

static int has(const char *text)
{
    return rln_page_answer_bytes() && memmem(rln_page_answer(), rln_page_answer_bytes(),
                                             text, strlen(text)) != NULL;
}

static void ask(const char *question, const char *expected)
{
    give(question);
    assert_int_equal(rln_page_ask(), 200);
    assert_true(has(expected));
}

/* Whether an allocation failed. */
static int ask_without_memory(const char *question, const char *expected, size_t nth)
{
    size_t n_failed;
    int status;

    give(question);
    rln__alloc_fail_from(nth);
    status = rln_page_ask();
    n_failed = rln__alloc_failures();
    rln__alloc_fail_from(0);
    assert_true(status == 200 || status == 500);
    if (status == 200)
        assert_true(has(expected) || has("\"refused\":\"out of memory\""));
    return n_failed != 0;
}

static void differences_are_answered_after_a_lack_of_memory(void **state)
{
    static const char *const questions[] = {"0/report?text=diff",
                                            "0/report?text=diff&format=csv"};
    static const char expected[] = "step > load";
    struct tb pace = {0}, slower = {0};
    char path[80];
    const char *compared;

    (void)state;
    sc_pace(&pace);
    sc_slower_pace(&slower);
    compared = temp_file(pace.bytes, pace.size);
    (void)snprintf(path, sizeof(path), "%s.first", compared);
    assert_int_equal(rename(compared, path), 0); /* temp_file() keeps only one */
    compared = temp_file(slower.bytes, slower.size);
    for (size_t i = 0; i < RLN_COUNT(questions); i++) {
        int has_failed = 1;

        for (size_t nth = 1; has_failed; nth++) {
            assert_true(nth < 10000);
            open_two(path, compared);
            has_failed = ask_without_memory(questions[i], expected, nth);
            ask(questions[i], expected);
            rln_page_close();
        }
    }
    (void)unlink(path);
    (void)unlink(compared);
    tb_clear(&pace);
    tb_clear(&slower);
    (void)rln_page_argument(SIZE_MAX); /* frees the last one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_answered_after_a_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
