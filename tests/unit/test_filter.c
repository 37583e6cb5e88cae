/* SPDX-License-Identifier: Apache-2.0 */
/* test_filter.c - filters, patterns of names and intervals of time match the right
 * events. */
#include "base/alloc.h"
#include "base/count.h"
#include "base/time_span.h"
#include "export/exporter.h"
#include "rangeline/filter.h"
#include "ranges/event_filter.h"
#include "ranges/pattern.h"
#include "reports/summary/stats.h"
#include "temp_trace.h"
#include "trace/open/load.h"
#include "trace/open/rank.h"

static void patterns_match_all_of_a_text(void **state)
{
    static const struct {
        const char *pattern, *text;
        int matches;
    } cases[] = {
        {"", "", 1},
        {"", "a", 0},
        {"a", "a", 1},
        {"a", "ab", 0},
        {"*", "", 1},
        {"*", "abc", 1},
        {"a*", "a", 1},
        {"a*", "abc", 1},
        {"*c", "abc", 1},
        {"*c", "abcd", 0},
        {"a*b*c", "aXbYc", 1},
        {"a*b*c", "aXcYb", 0},
        {"a?c", "abc", 1},
        {"a?c", "ac", 0},
        {"?", "", 0},
        {"\\*", "*", 1},
        {"\\*", "a", 0},
        {"a\\?", "a?", 1},
        {"caf?", "caf\xc3\xa9", 1},
        {"?f", "\xc3\xa9", 0},
        {"?", "\xa9", 1},
        {"?\xa9", "\xc3\xa9", 0},
        {"*?", "\xc3\xa9", 1},
        {"\\", "\\", 1},
        {"*aab", "aaaab", 1},
        {"**", "x", 1},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        const rln_text text = {cases[i].text, strlen(cases[i].text)};

        if (rln__text_matches(cases[i].pattern, text) != cases[i].matches)
            fail_msg("pattern \"%s\", text \"%s\"", cases[i].pattern, cases[i].text);
    }
    assert_int_equal(rln__text_matches("a*", (rln_text){"a\0b", 3}), 1);
}

static void times_have_units_and_may_lack_a_bound(void **state)
{
    static const int64_t never = INT64_MIN / 2, ever = INT64_MAX / 2;
    const struct {
        const char *text;
        int64_t start_ns, end_ns;
        const char *rest;
    } cases[] = {
        {"1/2", 1, 2, ""},
        {"1s2ms3us4ns/", 1002003004, ever, ""},
        {"/1.5ms", never, 1500000, ""},
        {"1e3us/2min", 1000000, 120000000000, ""},
        {"-5ms/1h", -5000000, 3600000000000, ""},
        {"1sec/2sec:,3/", 1000000000, 2000000000, ":,3/"},
    };
    static const char *const wrong[] = {"5/1", "",      "/",     "5",      "x/1",
                                        "1/x", "0x1/2", "nan/1", "1e300/", "1//2"};
    int64_t start_ns, end_ns;

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        const char *rest = rln__time_span_read(cases[i].text, &start_ns, &end_ns);

        if (!rest)
            fail_msg("%s", cases[i].text);
        assert_string_equal(rest, cases[i].rest);
        assert_true(start_ns == cases[i].start_ns);
        assert_true(end_ns == cases[i].end_ns);
    }
    for (size_t i = 0; i < RLN_COUNT(wrong); i++) {
        const char *rest = rln__time_span_read(wrong[i], &start_ns, &end_ns);

        if (rest && !*rest)
            fail_msg("%s is taken for a time", wrong[i]);
    }
}

/* --- A reader's filter ------------------------------------------------------------ */

/* The number of ranges that pass the filter. */
static uint64_t count_with(rln_reader *reader, const rln_filter *filter)
{
    struct rln__stats *stats;
    uint64_t n = 0;

    rln_reader_set_filter(reader, filter);
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    for (size_t i = 0; i < rln__stats_count(stats); i++)
        n += rln__stats_at(stats, i)->n_ranges;
    rln__stats_free(stats);
    return n;
}

static uint64_t count_of(rln_reader *reader, rln_filter_kind kind, const char *pattern)
{
    char text[64]; /* overwritten before the filter is used */
    rln_filter *filter;
    uint64_t n;

    strcpy(text, pattern);
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, kind, text, NULL), RLN_OK);
    memset(text, 'x', sizeof(text));
    n = count_with(reader, filter);
    assert_true(rln__reader_is_restricted(reader));
    rln_reader_set_filter(reader, NULL);
    rln_filter_free(filter);
    return n;
}

/* Three ranges: step, io:load in it, and the step at the end of the thread. */
static void a_reader_returns_what_its_filter_matches(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);

    (void)state;
    assert_int_equal(count_with(reader, NULL), 3);
    assert_false(rln__reader_is_restricted(reader));
    assert_int_equal(count_of(reader, RLN_FILTER_NAME, "step"), 1);
    assert_int_equal(count_of(reader, RLN_FILTER_NAME, "/^(step|load)$/"), 3);
    assert_int_equal(count_of(reader, RLN_FILTER_NAME, "nosuch"), 0);
    assert_int_equal(count_of(reader, RLN_FILTER_PROCESS, "100"), 3);
    assert_int_equal(count_of(reader, RLN_FILTER_PROCESS, "101"), 0);
    assert_int_equal(count_of(reader, RLN_FILTER_THREAD, "main"), 3);
    assert_int_equal(count_of(reader, RLN_FILTER_DOMAIN, "io") +
                         count_of(reader, RLN_FILTER_DOMAIN, "default"),
                     3);
    assert_int_equal(count_of(reader, RLN_FILTER_PAYLOAD, ">= 0"), 0);
    rln_reader_close(reader);
}

/* The number of ends of push/pop ranges that pass, all with one message. */
static size_t count_ends(rln_reader *reader, const rln_filter *filter,
                         const char *message)
{
    const rln_event *event;
    rln_events *events;
    size_t n = 0;

    rln_reader_set_filter(reader, filter);
    assert_int_equal(rln_events_open(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &event, NULL) == RLN_OK) {
        const rln_text said = event->attributes.message;

        if (event->type != RLN_EVENT_PUSH && event->type != RLN_EVENT_POP)
            continue;
        n++;
        if (message && (said.length != strlen(message) ||
                        memcmp(said.bytes, message, said.length) != 0))
            fail_msg("%.*s", (int)said.length, said.bytes);
    }
    assert_null(event);
    rln_events_close(events);
    return n;
}

/* Both ends of a range pass or neither, although its duration is known only at its end.
 */
static void only_matching_events_are_returned(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    rln_filter *name, *duration;
    rln_events *events;
    rln_status status = RLN_ERR_NOMEM;

    (void)state;
    assert_int_equal(rln_filter_new(&name, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(name, RLN_FILTER_NAME, "step", NULL), RLN_OK);
    assert_int_equal(rln_filter_new(&duration, NULL), RLN_OK);
    rln_filter_set_min_duration(duration, 100000);
    assert_int_equal(count_ends(reader, NULL, NULL), 6);
    assert_int_equal(count_ends(reader, name, "step"), 2);
    assert_int_equal(count_ends(reader, duration, "step"), 2);
    for (size_t n = 1; status == RLN_ERR_NOMEM; n++) {
        assert_true(n < 100);
        rln__alloc_fail_from(n);
        status = rln_events_open(reader, &events, NULL);
        rln__alloc_fail_from(0);
        assert_true((status == RLN_OK) == (events != NULL));
    }
    assert_int_equal(status, RLN_OK);
    rln_events_close(events);
    rln_reader_close(reader);
    rln_filter_free(name);
    rln_filter_free(duration);
}

static void an_empty_filter_is_none(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    rln_filter *filter;

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_true(rln__filter_is_empty(filter));
    assert_int_equal(count_with(reader, filter), 3);
    assert_false(rln__reader_is_restricted(reader));
    rln_filter_set_min_duration(filter, 100000);
    assert_false(rln__filter_is_empty(filter));
    assert_int_equal(count_with(reader, filter), 1);
    assert_string_not_equal(rln__reader_path(reader, 0), "");
    assert_null(rln__reader_path(reader, 1));
    assert_int_equal(rln__reader_count_ranks(reader), 0);
    rln_reader_close(reader);
    rln_filter_free(filter);
    rln_filter_free(NULL);
}

static void what_is_no_filter_is_refused(void **state)
{
    static const struct {
        rln_filter_kind kind;
        const char *pattern, *says;
    } cases[] = {
        {RLN_FILTER_NAME, "/(/", "cannot filter: pattern=\"/(/\""},
        {RLN_FILTER_NAME, "/(a*)\\1b/",
         "cannot filter: pattern=\"/(a*)\\1b/\": \\1 may take forever"},
        {RLN_FILTER_PAYLOAD, "Bytes", "cannot filter: "},
        {(rln_filter_kind)6, "x", "kind=6: no such kind"},
        {(rln_filter_kind)-1, "x", "kind=-1: no such kind"},
    };
    rln_filter *filter;
    rln_error err;

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        assert_int_equal(rln_filter_add(filter, cases[i].kind, cases[i].pattern, &err),
                         RLN_ERR_ARGUMENT);
        if (!strstr(err.message, cases[i].says))
            fail_msg("%s", err.message);
    }
    assert_true(rln__filter_is_empty(filter));
    rln_filter_free(filter);
}

static void every_failed_allocation_of_a_filter_is_reported(void **state)
{
    rln_status status = RLN_ERR_NOMEM;

    (void)state;
    for (size_t n = 1; status == RLN_ERR_NOMEM; n++) {
        rln_filter *filter;

        assert_true(n < 100);
        rln__alloc_fail_from(n);
        status = rln_filter_new(&filter, NULL);
        if (!status)
            status = rln_filter_add(filter, RLN_FILTER_NAME, "/a+/", NULL);
        rln__alloc_fail_from(0);
        rln_filter_free(filter);
    }
    assert_int_equal(status, RLN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_all_of_a_text),
        cmocka_unit_test(a_reader_returns_what_its_filter_matches),
        cmocka_unit_test(only_matching_events_are_returned),
        cmocka_unit_test(an_empty_filter_is_none),
        cmocka_unit_test(what_is_no_filter_is_refused),
        cmocka_unit_test(every_failed_allocation_of_a_filter_is_reported),
        cmocka_unit_test(times_have_units_and_may_lack_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
