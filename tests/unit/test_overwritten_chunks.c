/* SPDX-License-Identifier: Apache-2.0 */
/* test_overwritten_chunks.c - finds where a thread's record begins:
 * docs/reference/FORMAT.md 10.
 */
#include "ranges/events.h"
#include "temp_trace.h"
#include "trace/open/load.h"

static void build_whole(struct tb *tb)
{
    ns_two_threads(tb, sc_names);
    ns_goes_on(tb, 1000, 10000, 3000);
    ns_goes_on(tb, 2000, 20000, 10000);
}

static void expect_events(void (*build)(struct tb *tb), const char *expected)
{
    static const char *const names[] = {
        [RLN_EVENT_MARK] = "mark", [RLN_EVENT_PUSH] = "push", [RLN_EVENT_POP] = "pop"};
    rln_reader *reader = open_scenario(build);
    rln_events *events;
    const rln_event *e;
    char found[256] = "", one[64];

    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &e, NULL) == RLN_OK) {
        const char *name = e->type == RLN_EVENT_OVERWRITTEN    ? "overwritten"
                           : e->type == RLN_EVENT_THREAD_BEGIN ? "thread"
                           : e->type <= RLN_EVENT_POP          ? names[e->type]
                                                               : "?";

        (void)snprintf(one, sizeof(one), "%u %s %lld, ", e->tid, name,
                       (long long)e->t_ns);
        (void)strncat(found, one, sizeof(found) - strlen(found) - 1);
    }
    assert_string_equal(found, expected);
    rln_events_close(events);
    rln_reader_close(reader);
}

static void a_chunk_whose_predecessor_is_there_goes_on(void **state)
{
    (void)state;
    expect_events(build_whole, "100 thread 0, 101 thread 50, 101 mark 60, "
                               "100 push 100, 100 mark 1010, 100 mark 2010, ");
}

/* Otherwise the push would appear twice, the second time before earlier events. */
static void what_is_older_than_a_missing_chunk_is_left_out(void **state)
{
    (void)state;
    expect_events(sc_without_one, "101 thread 50, 101 mark 60, 100 overwritten 100, "
                                  "100 push 100, 100 mark 2010, 100 mark 3010, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_whose_predecessor_is_there_goes_on),
        cmocka_unit_test(what_is_older_than_a_missing_chunk_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
