/* SPDX-License-Identifier: Apache-2.0 */
/* test_base.c - base/ maps, sorts and spills items, and formats numbers and texts, like
 * a plain implementation; and reads clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/allowance.h"
#include "base/busy_times.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/json.h"
#include "base/percent.h"
#include "base/remove_tree.h"
#include "base/shell_word.h"
#include "base/sorter.h"
#include "base/utf8.h"
#include "base/wildcard.h"

static void a_map_keeps_what_is_put_and_forgets_what_is_removed(void **state)
{
    uint64_t values[512] = {0};
    struct rln__map map = {0};
    uint64_t random = 1;
    size_t n = 0;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint64_t key;

        random = random * 6364136223846793005u + 1442695040888963407u;
        key = random >> 33 & 511;
        n -= values[key] != 0;
        if (random >> 62) {
            values[key] = (random >> 40) + 1;
            assert_int_equal(rln__map_put(&map, key, values[key]), 0);
            n++;
        } else {
            assert_int_equal(rln__map_remove(&map, key), values[key]);
            values[key] = 0;
        }
        assert_int_equal(map.n, n);
    }
    for (uint64_t key = 0; key < 512; key++)
        assert_int_equal(rln__map_get(&map, key), values[key]);
    rln__map_empty(&map);
    assert_int_equal(map.n, 0);
    for (uint64_t key = 0; key < 512; key++)
        assert_int_equal(rln__map_get(&map, key), 0);
    assert_int_equal(rln__map_put(&map, 7, 8), 0);
    assert_int_equal(rln__map_get(&map, 7), 8);
    rln__map_clear(&map);
}

/* --- Containers ------------------------------------------------------------------- */

/* A file in a folder of control groups, which is made. */
static void write_group(const char *mount, const char *folder, const char *name,
                        const char *text)
{
    char path[256];
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s%s", mount, folder);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof(path), "%s%s/%s", mount, folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void a_container_has_the_processors_of_its_smallest_quota(void **state)
{
    static const struct {
        const char *groups;
        unsigned expected; /* of 16 */
    } cases[] = {
        {"0::/pod/app\n", 3}, /* the group's 2.5, of the 6 of that around it */
        {"0::/pod\n", 6},
        {"0::/pod/free\n", 6},     /* no limit of its own */
        {"0::/pod/more\n", 6},     /* more than that around it has */
        {"0::/elsewhere/x\n", 16}, /* a name that only the host knows */
        {"3:cpuset:/old\n2:cpu,cpuacct:/old\n0::/\n", 2},
        {"2:cpu,cpuacct:/unlimited\n", 16},
        {"", 16},
        {"nonsense\n1:2\n0::\n", 16},
    };
    char mount[] = "/tmp/rln-test-XXXXXX", list[64];
    struct rln__control_groups groups = {list, mount};

    (void)state;
    assert_non_null(mkdtemp(mount));
    write_group(mount, "/pod", "cpu.max", "600000 100000\n");
    write_group(mount, "/pod/app", "cpu.max", "250000 100000\n");
    write_group(mount, "/pod/free", "cpu.max", "max 100000\n");
    write_group(mount, "/pod/more", "cpu.max", "900000 100000\n");
    write_group(mount, "/cpu,cpuacct", "tasks", "");
    write_group(mount, "/cpu,cpuacct/old", "cpu.cfs_quota_us", "200000\n");
    write_group(mount, "/cpu,cpuacct/old", "cpu.cfs_period_us", "100000\n");
    write_group(mount, "/cpu,cpuacct/unlimited", "cpu.cfs_quota_us", "-1\n");
    (void)snprintf(list, sizeof(list), "%s/groups", mount);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        write_group(mount, "", "groups", cases[i].groups);
        assert_int_equal(rln__processors_of(16, &groups), cases[i].expected);
        assert_int_equal(rln__processors_of(1, &groups), 1);
    }
    groups.list = "/tmp/nothing/here";
    assert_int_equal(rln__processors_of(4, &groups), 4);
    assert_true(rln__processors() >= 1);
    rln__remove_tree(mount);
}

static void a_process_takes_an_eighth_of_the_memory_it_may_have(void **state)
{
    static const struct {
        const char *groups;
        size_t expected; /* of 800 */
    } cases[] = {
        {"0::/pod/app\n", 10}, /* less than that around it */
        {"0::/pod\n", 50},
        {"0::/pod/free\n", 50},
        {"0::/elsewhere/x\n", 100},
        {"4:memory:/old\n3:cpu:/pod\n", 30},
        {"4:memory:/unlimited\n", 100},
        {"", 100},
    };
    char mount[] = "/tmp/rln-test-XXXXXX", list[64];
    const struct rln__control_groups groups = {list, mount};

    (void)state;
    assert_non_null(mkdtemp(mount));
    write_group(mount, "/pod", "memory.max", "400\n");
    write_group(mount, "/pod/app", "memory.max", "80\n");
    write_group(mount, "/pod/free", "memory.max", "max\n");
    write_group(mount, "/memory", "tasks", "");
    write_group(mount, "/memory/old", "memory.limit_in_bytes", "240\n");
    write_group(mount, "/memory/unlimited", "memory.limit_in_bytes",
                "9223372036854771712\n");
    (void)snprintf(list, sizeof(list), "%s/groups", mount);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        write_group(mount, "", "groups", cases[i].groups);
        assert_int_equal(rln__memory_share_of(800, &groups), cases[i].expected);
    }
    assert_true(rln__memory_share() > 0);
    rln__remove_tree(mount);
}

static void a_terminal_s_columns_are_counted(void **state)
{
    static const struct {
        const char *text, *printed;
        size_t n_columns;
    } all[] = {
        {"plain", "plain", 5},
        {"\xc3\xa9", "\xc3\xa9", 1},   /* é */
        {"e\xcc\x81", "e\xcc\x81", 1}, /* with a combining accent */
        {"\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad\xe6\x96\x87", 4}, /* wide */
        {"\xf0\x9f\x9a\x80", "\xf0\x9f\x9a\x80", 2},                 /* a rocket */
        {"a\xe2\x80\xae"
         "b",
         "a\\u202eb", 8}, /* to the left */
        {"\x1b\xc2\x9b\xff", "\\x1b\\xc2\\x9b\\xff", 16},
    };
    struct rln__buf buf = {0};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        buf.length = 0;
        assert_int_equal(rln__buf_printable(&buf, all[i].text, strlen(all[i].text)),
                         all[i].n_columns);
        rln__buf_char(&buf, '\0');
        assert_string_equal(buf.bytes, all[i].printed);
    }
    rln__buf_clear(&buf);
}

static void json_is_utf8_whatever_the_text_is(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        const char *json;
    } cases[] = {
        {"", 0, "\"\""},
        {"a\"b\\c\n\t\x01", 8, "\"a\\\"b\\\\c\\n\\t\\u0001\""},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9,
         "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"\xff\xc3", 2, "\"\\ufffd\\ufffd\""},
        {"\xc0\xaf\xed\xa0\x80", 5, "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""},
        {"\xf4\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
        /* One for all bytes that may begin the same character. */
        {"a\xe2\x82z\xf0\x9f\x98", 7, "\"a\\ufffdz\\ufffd\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rln__buf buf = {0};

        rln__buf_json(&buf, cases[i].text, cases[i].length);
        assert_int_equal(buf.length, strlen(cases[i].json));
        assert_memory_equal(buf.bytes, cases[i].json, buf.length);
        rln__buf_clear(&buf);
    }
}

static void fields_of_csv_are_quoted_only_if_they_must_be(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"a b", "a b"},
        {"a,b", "\"a,b\""},
        {"\"", "\"\"\"\""},
        {"\"a\"b", "\"\"\"a\"\"b\""},
        {"a\r", "\"a\r\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rln__buf buf = {0};

        rln__buf_text(&buf, "x,");
        rln__buf_text(&buf, cases[i][0]);
        rln__buf_quote_csv(&buf, 2);
        assert_int_equal(buf.length, 2 + strlen(cases[i][1]));
        assert_memory_equal(buf.bytes, "x,", 2);
        assert_memory_equal(buf.bytes + 2, cases[i][1], buf.length - 2);
        rln__buf_clear(&buf);
    }
}

static void json_has_commas_between_members_and_only_there(void **state)
{
    static const char expected[] = "{\"pid\":4,\"t\":-1,\"texts\":[\"{\",\"a\",[],{\"["
                                   "\":\"\"}],\"last\":false}\n{}\n";
    struct rln__buf buf = {0};

    (void)state;
    rln__json_begin(&buf, NULL, '{');
    rln__json_u64(&buf, "pid", 4);
    rln__json_i64(&buf, "t", -1);
    rln__json_begin(&buf, "texts", '[');
    rln__json_string(&buf, NULL, (rln_text){"{", 1});
    rln__json_string(&buf, NULL, (rln_text){NULL, 0}); /* there is none */
    rln__json_word(&buf, NULL, "a");
    rln__json_begin(&buf, NULL, '[');
    rln__buf_char(&buf, ']');
    rln__json_begin(&buf, NULL, '{');
    rln__json_name(&buf, (rln_text){"[", 1});
    rln__buf_text(&buf, "\"\"}]");
    rln__json_flag(&buf, "flag", 0);
    rln__json_bool(&buf, "last", 0);
    rln__buf_text(&buf, "}\n");
    rln__json_begin(&buf, NULL, '{');
    rln__buf_text(&buf, "}\n");
    assert_int_equal(buf.length, strlen(expected));
    assert_memory_equal(buf.bytes, expected, buf.length);
    rln__buf_clear(&buf);
}

static void a_terminal_is_sent_no_control_characters(void **state)
{
    struct rln__buf buf = {0};

    (void)state;
    assert_int_equal(rln__buf_printable(&buf, "a\033[2J\xc2\x9b\xff\xc3\xa9", 10), 21);
    assert_memory_equal(buf.bytes, "a\\x1b[2J\\xc2\\x9b\\xff\xc3\xa9", buf.length);
    rln__buf_clear(&buf);
}

/* Compares them with printf at every power of ten and of two, one below and above, and
 * at numbers with various digits. */
static void numbers_have_all_their_digits(void **state)
{
    struct rln__buf buf = {0}, expected = {0};
    uint64_t ten = 1;

    (void)state;
    for (int i = 0; i < 64; i++, ten = i < 20 ? ten * 10 : ten) {
        const uint64_t around[] = {ten, (uint64_t)1 << i,
                                   rln__mix((uint64_t)i + 1) >> i};

        for (size_t k = 0; k < 3 * RLN_COUNT(around); k++) {
            const uint64_t value = around[k / 3] + k % 3 - 1;

            buf.length = expected.length = 0;
            rln__buf_u64(&buf, value);
            rln__buf_char(&buf, ' ');
            rln__buf_i64(&buf, (int64_t)(0 - value));
            rln__buf_char(&buf, ' ');
            rln__buf_hex(&buf, value, 16);
            rln__buf_format(&expected, "%llu %lld %016llx", (unsigned long long)value,
                            (long long)(0 - value), (unsigned long long)value);
            assert_int_equal(buf.length, expected.length);
            assert_memory_equal(buf.bytes, expected.bytes, expected.length);
        }
    }
    rln__buf_clear(&buf);
    rln__buf_clear(&expected);
}

/* The code processes eight characters at once, so all eight positions are tried. */
static void json_escapes_at_every_place(void **state)
{
    static const char *const escaped[] = {"\"",       "\\",           "\n",
                                          "\x1f",     "\x80",         "\x7f",
                                          "\xc2\x9b", "\xe2\x80\xae", "\xc3\xa9"};
    static const char *const escapes[] = {"\\\"",    "\\\\",    "\\n",
                                          "\\u001f", "\\ufffd", "\\u007f",
                                          "\\u009b", "\\u202e", "\xc3\xa9"};
    struct rln__buf buf = {0}, text = {0}, expected = {0};

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(escaped); i++) {
        for (size_t at = 0; at < 20; at++) {
            buf.length = text.length = expected.length = 0;
            rln__buf_fill(&text, 'x', at);
            rln__buf_text(&text, escaped[i]);
            rln__buf_fill(&text, '~', 20 - at);
            rln__buf_json(&buf, text.bytes, text.length);
            rln__buf_char(&expected, '"');
            rln__buf_fill(&expected, 'x', at);
            rln__buf_text(&expected, escapes[i]);
            rln__buf_fill(&expected, '~', 20 - at);
            rln__buf_char(&expected, '"');
            assert_int_equal(buf.length, expected.length);
            assert_memory_equal(buf.bytes, expected.bytes, expected.length);
        }
    }
    rln__buf_clear(&buf);
    rln__buf_clear(&text);
    rln__buf_clear(&expected);
}

struct number {
    uint64_t value, index;
};

static int compare_numbers(const void *a, const void *b)
{
    const struct number *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void check_sorted(struct rln__sorter *sorter, size_t n,
                         const void *next(struct rln__sorter *))
{
    const struct number *item;
    struct number last = {0, 0};
    size_t n_found = 0;

    while ((item = next(sorter))) {
        if (n_found++)
            assert_true(compare_numbers(&last, item) < 0);
        last = *item;
    }
    assert_int_equal(n_found, n);
}

static size_t given_rank;

static const void *item_of_next_rank(struct rln__sorter *sorter)
{
    return rln__sorter_item(sorter, given_rank++);
}

/* Sorts `n` numbers below `most`: random ones, or in order up to the last. */
static void check_sorter(size_t n, uint64_t most, int is_random)
{
    struct rln__sorter sorter = {.item_bytes = sizeof(struct number),
                                 .compare = compare_numbers};
    uint64_t random = 1;

    for (size_t i = 0; i < n; i++) {
        struct number number = {i, i};

        random = random * 6364136223846793005u + 1442695040888963407u;
        if (is_random || i + 1 == n)
            number.value = (random >> 33) % most;
        assert_int_equal(rln__sorter_add(&sorter, &number, NULL), RLN_OK);
    }
    assert_int_equal(rln__sorter_end(&sorter, NULL), RLN_OK);
    check_sorted(&sorter, n, rln__sorter_next);
    given_rank = 0;
    check_sorted(&sorter, n, item_of_next_rank);
    for (size_t rank = n; rank-- > 0;)
        assert_true(rank + 1 >= n ||
                    compare_numbers(rln__sorter_item(&sorter, rank),
                                    rln__sorter_item(&sorter, rank + 1)) < 0);
    given_rank = 0;
    check_sorted(&sorter, n, item_of_next_rank);
    rln__sorter_clear(&sorter);
}

static void more_items_than_a_run_are_sorted(void **state)
{
    (void)state;
    check_sorter(0, 1, 1);
    check_sorter(1, 1, 1);
    check_sorter(1000, 10, 1);
    check_sorter(3000000, UINT32_MAX, 1); /* 48 MB: in a file */
    check_sorter(3000000, 1000, 1);
    check_sorter(3000000, 10, 0);
}

static int is_smaller(const void *a, const void *b)
{
    return compare_numbers(a, b) < 0;
}

/* Whether [0] is the smallest of all, found by looking at each. */
static int has_smallest_first(const struct number *heap, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (is_smaller(&heap[i], &heap[0]))
            return 0;
    }
    return 1;
}

static void a_heap_has_its_smallest_item_first(void **state)
{
    struct number heap[64];
    uint64_t random = 1, sum = 0, n_taken = 0;
    size_t n = 0;

    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        struct number number = {0, i};

        random = random * 6364136223846793005u + 1442695040888963407u;
        number.value = (random >> 33) % 20;
        sum += i;
        if (n < RLN_COUNT(heap) && random >> 63) {
            rln__heap_add(heap, ++n, &number, sizeof(number), is_smaller);
        } else if (n) {
            sum -= heap[0].index;
            n_taken++;
            rln__heap_replace(heap, n, &number, sizeof(number), is_smaller);
        } else {
            sum -= i;
        }
        assert_true(has_smallest_first(heap, n));
    }
    assert_true(n > 50 && n_taken > 1000);
    while (n) {
        const struct number first = heap[0], last = heap[--n];

        sum -= first.index;
        rln__heap_replace(heap, n, &last, sizeof(last), is_smaller);
        assert_true(has_smallest_first(heap, n));
        assert_true(!n || is_smaller(&first, &heap[0]));
    }
    assert_int_equal(sum, 0); /* each item was in it once */
}

static void an_array_without_memory_is_as_before(void **state)
{
    uint64_t *items = NULL;
    size_t n = 0, capacity = 0;

    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        const uint64_t *before = items;
        uint64_t *added;

        rln__alloc_fail_from(1);
        added = rln__append(&items, &n, &capacity, sizeof(*added));
        rln__alloc_fail_from(0);
        if (!added) {
            assert_int_equal(n, i);
            assert_ptr_equal(items, before);
            added = rln__append(&items, &n, &capacity, sizeof(*added));
        }
        assert_ptr_equal(added, &items[i]);
        assert_int_equal(n, i + 1);
        *added = i;
    }
    for (uint64_t i = 0; i < 100; i++)
        assert_int_equal(items[i], i);
    rln__free(items);
}

static void a_spill_keeps_its_items_while_it_grows(void **state)
{
    struct item {
        size_t number;
        char rest[504];
    } * items;
    struct rln__spill spill = {.most_heap_bytes = 16u << 20};
    const size_t n = (192u << 20) / sizeof(*items); /* the file grows thrice */

    (void)state;
    assert_int_equal(rln__spill_room(&spill, 1, sizeof(*items), NULL), RLN_OK);
    assert_int_equal(spill.mapped_bytes, 0);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rln__spill_room(&spill, i + 1, sizeof(*items), NULL), RLN_OK);
        rln__spill_touch(&spill);
        ((struct item *)spill.items)[i].number = i * 3;
    }
    items = spill.items;
    for (size_t i = 0; i < n; i++) {
        if (i % 100000 == 0)
            rln__spill_rest(&spill);
        assert_int_equal(items[i].number, i * 3);
    }
    assert_true(spill.mapped_bytes > 0);
    rln__spill_clear(&spill);
    assert_null(spill.items);
}

static void all_spills_share_the_heap(void **state)
{
    const size_t most = rln__memory_share() - (1u << 20);
    struct rln__spill first = {0}, second = {0};

    (void)state;
    /* Memory is asked for, and not touched. */
    assert_int_equal(rln__spill_room(&first, most, 1, NULL), RLN_OK);
    assert_int_equal(first.mapped_bytes, 0);
    assert_int_equal(rln__spill_room(&second, 2u << 20, 1, NULL), RLN_OK);
    assert_true(second.mapped_bytes > 0);
    rln__spill_clear(&second);
    rln__spill_clear(&first);
    assert_int_equal(rln__spill_room(&second, 2u << 20, 1, NULL), RLN_OK);
    assert_int_equal(second.mapped_bytes, 0);
    rln__spill_clear(&second);
}

static void a_buffer_that_failed_asks_for_no_more_memory(void **state)
{
    struct rln__buf buf = {0};

    (void)state;
    rln__alloc_fail_from(1);
    rln__buf_text(&buf, "text");
    assert_true(buf.has_failed);
    rln__alloc_fail_from(0);
    rln__buf_text(&buf, "text"); /* what was to come before it is missing */
    assert_int_equal(buf.length, 0);
    assert_true(buf.has_failed);
    rln__buf_clear(&buf);
}

static int64_t now_of(clockid_t clock)
{
    struct timespec t;

    assert_int_equal(clock_gettime(clock, &t), 0);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* How far CLOCK_REALTIME is ahead lies between these two, however often it is read. */
static void bound_realtime(int64_t *least, int64_t *most)
{
    *least = INT64_MIN;
    *most = INT64_MAX;
    for (int i = 0; i < 1000; i++) {
        const int64_t before = now_of(CLOCK_MONOTONIC);
        const int64_t there = now_of(CLOCK_REALTIME);
        const int64_t after = now_of(CLOCK_MONOTONIC);

        *least = there - after > *least ? there - after : *least;
        *most = there - before < *most ? there - before : *most;
    }
}

/* The times of CUDA's calls are CLOCK_REALTIME's, and a range ends 100 ns after a call.
 */
static void clocks_that_are_read_together_are_of_the_same_moment(void **state)
{
    enum { TRIES = 50, NS = 30 };
    int n_good = 0;

    (void)state;
    for (int i = 0; i < TRIES; i++) {
        struct rln__clock_tuple read;
        int64_t least, most, ahead;

        rln__clock_read(rln__clock_choose(), &read);
        bound_realtime(&least, &most);
        ahead = (int64_t)(read.realtime_ns - read.monotonic_ns);
        n_good += ahead >= least - NS && ahead <= most + NS;
    }
    assert_true(n_good > TRIES / 2);
}

static void a_word_of_a_shell_is_printable_and_means_the_text(void **state)
{
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"", "''"},
        {"pace:app:step", "pace:app:step"},
        {"gr\u00f6\u00dfe", "gr\u00f6\u00dfe"},
        {"a b", "'a b'"},
        {"rank's $(id)", "'rank'\\''s $(id)'"},
        {"a\\b", "'a\\b'"},
        {"rank's\\\033[31m1\n", "$'rank\\'s\\\\\\033[31m1\\012'"},
        {"\u202ename", "$'\\342\\200\\256name'"},
        {"\xc2\x9b"
         "7",
         "$'\\302\\2337'"},
        {"\xff", "$'\\377'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct rln__buf buf = {0};

        rln__buf_shell_word(&buf, cases[i].text, strlen(cases[i].text));
        rln__buf_char(&buf, 0);
        assert_string_equal(buf.bytes, cases[i].word);
        rln__buf_clear(&buf);
    }
}

static void a_uri_has_only_characters_that_mean_themselves(void **state)
{
    struct rln__buf buf = {0};

    (void)state;
    rln__buf_percent(&buf, "a-1/b c&d=\xff\0", 12, "/");
    rln__buf_char(&buf, 0);
    assert_string_equal(buf.bytes, "a-1/b%20c%26d%3D%FF%00");
    rln__buf_clear(&buf);
}

enum { N_NS = 300, N_WORK = 40 };

/* Writes the kinds to each of the nanoseconds of a piece, which no other one has. */
static int paint(void *context, int64_t start_ns, int64_t end_ns, unsigned kinds)
{
    uint8_t *painted = context;

    assert_true(start_ns < end_ns && kinds);
    for (int64_t i = start_ns; i < end_ns; i++) {
        assert_int_equal(painted[i], 0);
        painted[i] = (uint8_t)kinds;
    }
    return 0;
}

static void work_that_overlaps_is_cut_into_pieces_of_all_its_kinds(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int round = 0; round < 500; round++) {
        uint8_t expected[N_NS] = {0}, painted[N_NS] = {0};
        struct rln__busy_sweep sweep = {.take = paint, .context = painted};
        int64_t start_ns = 0;

        for (int i = 0; i < N_WORK; i++) {
            int64_t end_ns;
            unsigned kinds;

            random = random * 6364136223846793005u + 1442695040888963407u;
            start_ns += (int64_t)(random >> 33 & 7);
            end_ns = start_ns + (int64_t)(random >> 36 & 15);
            kinds = random >> 40 & 15;
            for (int64_t k = start_ns; k < end_ns; k++)
                expected[k] |= (uint8_t)kinds;
            assert_int_equal(rln__busy_add(&sweep, start_ns, end_ns, kinds), 0);
        }
        assert_int_equal(rln__busy_end(&sweep), 0);
        assert_memory_equal(painted, expected, sizeof(painted));
    }
}

/* The definition: each * takes every number of bytes in turn. */
static int matches_by_definition(const char *pattern, const char *text)
{
    const size_t character =
        (text[0] & 0xe0) == 0xc0 && (text[1] & 0xc0) == 0x80 ? 2 : 1;

    if (!*pattern)
        return !*text;
    if (*pattern == '*')
        return matches_by_definition(pattern + 1, text) ||
               (*text && matches_by_definition(pattern, text + 1));
    if (*pattern == '?')
        return *text && matches_by_definition(pattern + 1, text + character);
    pattern += *pattern == '\\' && pattern[1];
    return *pattern == *text && matches_by_definition(pattern + 1, text + 1);
}

/* All patterns of up to four of these with all texts of up to five. */
static void a_star_takes_any_bytes_and_a_question_mark_a_character(void **state)
{
    static const char *const parts[] = {"a", "b", "*", "?", "\\*"};
    static const char *const letters[] = {"a", "b", "*", "\xc3\xa4"};
    size_t n_matching = 0;

    (void)state;
    for (unsigned p = 0; p < 625; p++) {
        char pattern[16] = "";

        for (unsigned rest = p; rest; rest /= 5)
            (void)strcat(pattern, parts[rest % 5]);
        for (unsigned t = 0; t < 1024; t++) {
            char text[16] = "";
            int matches;

            for (unsigned rest = t; rest; rest /= 4)
                (void)strcat(text, letters[rest % 4]);
            matches = matches_by_definition(pattern, text);
            n_matching += (size_t)matches;
            assert_int_equal(matches,
                             rln__wildcard_matches(pattern, strchr(pattern, '\0'), text,
                                                   strlen(text), 0));
        }
    }
    assert_true(n_matching > 10000);
}

/* 40,000 times 10 MB, were each end of the text tried. */
static void what_follows_the_last_star_is_looked_for_at_the_end_only(void **state)
{
    enum { LONG = 40000, LONGER = 10000000 };
    char *pattern = rln__alloc(LONG + 3, 1), *text = rln__alloc(LONGER, 1);
    const clock_t begin = clock();

    (void)state;
    memset(pattern, 'a', LONG);
    memset(text, 'a', LONGER);
    pattern[0] = '*';
    pattern[LONG] = 'b';
    assert_false(rln__wildcard_matches(pattern, pattern + LONG + 1, text, LONGER, 0));
    assert_true(rln__wildcard_matches(pattern, pattern + LONG, text, LONGER, 0));
    assert_true(clock() - begin < 10 * CLOCKS_PER_SEC);
    rln__free(pattern);
    rln__free(text);
}

static void work_takes_as_many_as_it_is_worth_unless_they_are_asked_for(void **state)
{
    (void)state;
    assert_int_equal(rln__jobs_for(0, 100, 0, 8), 1);
    assert_int_equal(rln__jobs_for(0, 0, 100, 8), 1);
    assert_int_equal(rln__jobs_for(0, 100, 1000, 1), 1);
    assert_int_equal(rln__jobs_for(0, 1 << 20, 1 << 20, 1 << 20), rln__processors());
    assert_int_equal(rln__jobs_for(200, 1000, 0, 8), 200);
    assert_int_equal(rln__jobs_for(200, 7, 0, 8), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_keeps_what_is_put_and_forgets_what_is_removed),
        cmocka_unit_test(a_container_has_the_processors_of_its_smallest_quota),
        cmocka_unit_test(a_process_takes_an_eighth_of_the_memory_it_may_have),
        cmocka_unit_test(more_items_than_a_run_are_sorted),
        cmocka_unit_test(a_heap_has_its_smallest_item_first),
        cmocka_unit_test(an_array_without_memory_is_as_before),
        cmocka_unit_test(a_spill_keeps_its_items_while_it_grows),
        cmocka_unit_test(all_spills_share_the_heap),
        cmocka_unit_test(a_buffer_that_failed_asks_for_no_more_memory),
        cmocka_unit_test(numbers_have_all_their_digits),
        cmocka_unit_test(json_escapes_at_every_place),
        cmocka_unit_test(fields_of_csv_are_quoted_only_if_they_must_be),
        cmocka_unit_test(json_has_commas_between_members_and_only_there),
        cmocka_unit_test(a_terminal_s_columns_are_counted),
        cmocka_unit_test(work_that_overlaps_is_cut_into_pieces_of_all_its_kinds),
        cmocka_unit_test(json_is_utf8_whatever_the_text_is),
        cmocka_unit_test(a_terminal_is_sent_no_control_characters),
        cmocka_unit_test(clocks_that_are_read_together_are_of_the_same_moment),
        cmocka_unit_test(a_word_of_a_shell_is_printable_and_means_the_text),
        cmocka_unit_test(a_star_takes_any_bytes_and_a_question_mark_a_character),
        cmocka_unit_test(what_follows_the_last_star_is_looked_for_at_the_end_only),
        cmocka_unit_test(a_uri_has_only_characters_that_mean_themselves),
        cmocka_unit_test(work_takes_as_many_as_it_is_worth_unless_they_are_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
