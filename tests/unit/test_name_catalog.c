/* SPDX-License-Identifier: Apache-2.0 */
/* test_name_catalog.c - names that programs define are known even without an event. */
#include "temp_trace.h"
#include "trace/open/name_catalog.h"

static struct rln__name_catalog *open_named(rln_reader *reader)
{
    struct rln__name_catalog *named;
    rln_error err = {0};

    if (rln__name_catalog_open(reader, &named, &err))
        fail_msg("%s", err.message);
    return named;
}

static void is_text(rln_text text, const char *expected)
{
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.bytes, expected, text.length);
}

static void is_message(const struct rln__name_catalog *named, size_t at,
                       const char *message, const char *domain, uint64_t n_missed)
{
    const struct rln__name_catalog_message *m = rln__name_catalog_message_at(named, at);

    assert_non_null(m);
    is_text(m->message, message);
    is_text(m->domain_name, domain);
    assert_int_equal(m->domain != 0, *domain != '\0');
    assert_int_equal(m->n_missed, n_missed);
}

static void messages_of_all_processes_are_listed_once(void **state)
{
    rln_reader *reader = open_scenario(sc_fork);
    struct rln__name_catalog *named = open_named(reader);

    (void)state;
    is_message(named, 0, "step", "", 0);
    is_message(named, 1, "load", "", 0);
    is_message(named, 2, "load", "io", 0);
    is_message(named, 3, "child's own", "io", 0);
    assert_null(rln__name_catalog_message_at(named, 4));
    is_text(*rln__name_catalog_domain_at(named, 0), "io");
    assert_null(rln__name_catalog_domain_at(named, 1));
    rln__name_catalog_close(named);
    rln_reader_close(reader);
}

static void a_category_has_its_domain(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    struct rln__name_catalog *named = open_named(reader);
    const struct rln__name_catalog_category *c =
        rln__name_catalog_category_at(named, 0);

    (void)state;
    assert_non_null(c);
    assert_int_equal(c->category, 7);
    is_text(c->name, "disk");
    is_text(c->domain_name, "io");
    assert_null(rln__name_catalog_category_at(named, 1));
    rln__name_catalog_close(named);
    rln_reader_close(reader);
}

/* Two attributes with one message, a row that was never written, and one without a
 * process. */
static void build_missed(struct tb *tb)
{
    struct rln__superblock *super = tb_part(tb, 41);
    struct rln__near_miss *misses = super->control.near_misses;
    struct tb_chunk c;

    misses[0] = (struct rln__near_miss){rln__pair32(1, 2), 3};
    misses[1] = (struct rln__near_miss){rln__pair32(1, 9), 5};
    misses[2] = (struct rln__near_miss){rln__pair32(1, 4), 4};
    misses[3] = (struct rln__near_miss){rln__pair32(77, 2), 9};
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    tb_attributes_full(&c, 4, 0, 7, 0xffff0000u, 2,
                       rln__types(1, 6, RLN__MESSAGE_REGISTERED));
}

static void missed_ranges_are_added_up_by_name(void **state)
{
    rln_reader *reader = open_scenario(build_missed);
    struct rln__name_catalog *named = open_named(reader);

    (void)state;
    is_message(named, 0, "step", "", 0);
    is_message(named, 1, "load", "", 7);
    is_message(named, 2, "load", "io", 0);
    assert_null(rln__name_catalog_message_at(named, 3));
    rln__name_catalog_close(named);
    rln_reader_close(reader);
}

static void name_thread(struct tb *tb, const char *name, uint32_t string)
{
    struct tb_chunk c = tb_names(tb, 1);
    const uint64_t words[2] = {rln__pair32(100, string), TB_START + string};

    tb_string(&c, string, name);
    tb_long(&c, RLN__SUB_THREAD_NAME, words, 2);
}

static void build_threads(struct tb *tb)
{
    (void)tb_part(tb, 42);
    sc_names(tb, 1, 100);
    name_thread(tb, "first", 20);
    name_thread(tb, "last", 21);
}

static void a_thread_has_its_last_name(void **state)
{
    rln_reader *reader = open_scenario(build_threads);
    struct rln__name_catalog *named = open_named(reader);

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct rln__name_catalog_thread *thread =
            rln__name_catalog_thread_at(named, i);

        assert_non_null(thread);
        assert_int_equal(thread->tid, 100);
        is_text(thread->name, "last");
        is_text(rln__reader_thread_name(reader, thread->process, 100), "last");
        is_text(rln__reader_thread_name(reader, thread->process, 101), "");
    }
    assert_null(rln__name_catalog_thread_at(named, 2));
    rln__name_catalog_close(named);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_all_processes_are_listed_once),
        cmocka_unit_test(a_category_has_its_domain),
        cmocka_unit_test(missed_ranges_are_added_up_by_name),
        cmocka_unit_test(a_thread_has_its_last_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
