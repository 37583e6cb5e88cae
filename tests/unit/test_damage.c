/* SPDX-License-Identifier: Apache-2.0 */
/* test_damage.c - flipped bits, truncated files, failing memory: nothing breaks, and
 * the readable part is read. Most useful under the sanitizers. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "export/exporter.h"
#include "failed_allocations.h"
#include "ranges/events.h"
#include "read_all.h"
#include "reports/check/info.h"
#include "temp_trace.h"
#include "trace/open/load.h"

static rln_status read_bytes(const void *bytes, size_t n_bytes)
{
    const char *path = temp_file(bytes, n_bytes);
    rln_error err = {0};
    const rln_status status = read_all(&path, 1, &err);

    (void)unlink(path);
    return status;
}

/* FLIPPED_EACH=n: flips only each n-th bit, in every scenario. */
static int flips_a_scenario(void)
{
    const char *each = getenv("FLIPPED_EACH");
    const int n = each ? atoi(each) : 1;

    return 400 / (n > 1 ? n : 1);
}

static void any_flipped_bit_is_survived(void **state)
{
    const int n_flips = flips_a_scenario();

    (void)state;
    for (size_t i = 0; i < SC_COUNT; i++) {
        struct tb tb = {0};
        uint64_t random = i + 1;

        sc_all[i].build(&tb);
        for (int k = 0; k < n_flips; k++) {
            size_t at;

            /* Most of a trace is zeros: flip mostly where there is data, one in four
             * anywhere. */
            do {
                random = random * 6364136223846793005u + 1442695040888963407u;
                at = (size_t)(random >> 20) % tb.size;
            } while (tb.bytes[at] == 0 && random >> 62);
            tb.bytes[at] ^= (unsigned char)(1u << (random >> 59 & 7));
            (void)read_bytes(tb.bytes, tb.size);
            if (k % 3) /* let damage accumulate two times of three */
                tb.bytes[at] ^= (unsigned char)(1u << (random >> 59 & 7));
        }
        tb_clear(&tb);
    }
}

static void any_truncation_is_survived(void **state)
{
    struct tb tb = {0};

    (void)state;
    sc_rare(&tb);
    for (size_t size = 0; size <= tb.size; size += size % 16384 < 2100 ? 7 : 1999)
        assert_int_equal(read_bytes(tb.bytes, size),
                         size < RLN__SUPERBLOCK_BYTES ? RLN_ERR_FORMAT : RLN_OK);
    tb_clear(&tb);
}

/* Sets each time of the file's creation to the extremes of its type. */
static void a_time_may_be_any_number(void **state)
{
    static const uint64_t far[] = {0, 1, INT64_MAX, 1 + (1ull << 63), UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < 6 * sizeof far / sizeof *far; i++) {
        struct tb tb = {0};
        struct rln__clock_tuple *created;

        sc_nested(&tb);
        created = &((struct rln__superblock *)tb_at(&tb, tb.part))->created[i % 2];
        *(i / 2 % 3 == 0   ? &created->ticks
          : i / 2 % 3 == 1 ? &created->monotonic_ns
                           : &created->realtime_ns) = far[i / 6];
        assert_int_equal(read_bytes(tb.bytes, tb.size), RLN_OK);
        tb_clear(&tb);
    }
}

/* The chunk of events is cut in its middle, and another trace follows. */
static void a_cut_chunk_ends_where_the_next_part_begins(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;
    rln_info *info;
    struct rln__chunk_header *h;

    (void)state;
    sc_gap(&tb);
    h = (void *)(tb.bytes + tb.size - TB_CHUNK_BYTES);
    h->size_bytes = 1u << 20; /* as it was before the launcher cut the file's end */
    sc_gap(&tb);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_totals(info)->n_parts, 2);
    assert_int_equal(rln_info_totals(info)->n_events, 12);
    assert_int_equal(rln_info_totals(info)->n_lost, 84);
    rln_info_close(info);
    rln_reader_close(reader);
    tb_clear(&tb);
}

static void damage_is_listed_and_reading_continues_after_it(void **state)
{
    struct tb tb = {0};
    struct tb_chunk c;
    rln_reader *reader;
    rln_info *info;
    uint64_t offset;

    (void)state;
    (void)tb_part(&tb, 1);
    sc_names(&tb, 1, 100);
    c = tb_events(&tb, 1, 1, 100);
    (void)tb_event(&c, RLN__MARK, 1, 10);
    offset = c.at;
    (void)tb_word(&c, rln__long_word(RLN__LONG, RLN__SUB_EVENT, 100000));
    (void)tb_event(&c, RLN__MARK, 1, 20);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_totals(info)->n_marks, 2);
    assert_int_equal(rln_info_totals(info)->n_damages, 1);
    assert_int_equal(rln__info_damage(info, 0)->offset, offset);
    assert_string_equal(rln__info_damage(info, 0)->reason,
                        "a record does not fit its chunk");
    rln_info_close(info);
    rln_reader_close(reader);
    tb_clear(&tb);
}

static rln_status read_path(const char *path, rln_error *err)
{
    return read_all(&path, 1, err);
}

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < SC_COUNT; i++) {
        struct tb tb = {0};

        sc_all[i].build(&tb);
        fail_each_allocation(&tb, read_path);
        tb_clear(&tb);
    }
}

enum { MANY = 300 };

/* More domains, categories, messages and threads than the first tables have room for.
 */
static void build_many_names(struct tb *tb)
{
    struct tb_chunk c;
    char text[32];

    (void)tb_part(tb, 1);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    for (uint32_t i = 1; i <= MANY; i++) {
        (void)snprintf(text, sizeof(text), "name %u of %u", i, i * 7);
        tb_string(&c, i, text);
        tb_domain(&c, i, i);
        tb_category(&c, i, 1, i);
        tb_attributes(&c, i, i, i);
        if (i % 40 == 0)
            c = tb_names(tb, 1);
    }
    for (uint32_t i = 1; i <= MANY; i++) {
        if (i % 40 == 1)
            c = tb_events(tb, 1, i, 100 + i);
        (void)tb_event(&c, RLN__PUSH, i, i);
        (void)tb_event(&c, RLN__POP, 0, i + 1);
    }
}

static rln_status read_renamed(const char *path, rln_error *err)
{
    const char *const rules[] = {"numbers", "s/name/text/"};
    rln_reader *reader;
    rln_info *info = NULL;
    rln_status status = rln_reader_open(&path, 1, &reader, err);

    if (!status)
        status = rln__reader_rename(reader, rules, 2, err);
    if (!status)
        status = rln_info_open(reader, &info, err);
    if (!status)
        assert_int_equal(rln_info_totals(info)->n_pushes, MANY);
    rln_info_close(info);
    rln_reader_close(reader);
    return status;
}

static void failed_allocations_among_many_names_are_reported(void **state)
{
    struct tb tb = {0};

    (void)state;
    build_many_names(&tb);
    fail_each_allocation(&tb, read_renamed);
    tb_clear(&tb);
}

/* Names whose texts are longer than their records, and records that are too short. */
static void names_that_do_not_fit_are_damage(void **state)
{
    const uint64_t string[] = {rln__pair32(9, 100), 0};
    const uint64_t note[] = {rln__pair32(4, 100), 0};
    const uint64_t short_one[] = {1};
    struct tb tb = {0};
    struct tb_chunk c;
    rln_reader *reader;
    rln_info *info;

    (void)state;
    (void)tb_part(&tb, 1);
    sc_names(&tb, 1, 100);
    c = tb_names(&tb, 1);
    tb_long(&c, RLN__SUB_STRING, string, 2);
    tb_long(&c, RLN__SUB_NOTE, note, 2);
    tb_long(&c, RLN__SUB_ATTRIBUTES, short_one, 1);
    tb_long(&c, RLN__SUB_CATEGORY, short_one, 1);
    tb_note(&c, "SLURM_PROCID", "12x"); /* no rank */
    tb_note(&c, "SLURM_PROCID", "123456789");
    c = tb_events(&tb, 1, 1, 100);
    (void)tb_event(&c, RLN__MARK, 1, 10);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_totals(info)->n_marks, 1);
    assert_int_equal(rln_info_totals(info)->n_damages, 4);
    assert_int_equal(rln_info_process(info, 0)->rank, RLN_NO_RANK);
    rln_info_close(info);
    rln_reader_close(reader);
    tb_clear(&tb);
}

/* More than are listed are still counted once, however often a trace is read. */
static void each_damage_is_counted_once(void **state)
{
    enum { N_RECORDS = 3 * RLN__MAX_DAMAGES };
    const uint64_t short_one[] = {1};
    struct tb tb = {0};
    struct tb_chunk c;
    rln_reader *reader;

    (void)state;
    (void)tb_part(&tb, 1);
    sc_names(&tb, 1, 100);
    c = tb_events(&tb, 1, 1, 100);
    for (int i = 0; i < N_RECORDS; i++)
        tb_long(&c, RLN__SUB_EVENT, short_one, 1);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    for (int i = 0; i < 3; i++) {
        rln_info *info;

        assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
        assert_int_equal(rln_info_totals(info)->n_damages_found, N_RECORDS);
        rln_info_close(info);
    }
    rln_reader_close(reader);
    tb_clear(&tb);
}

/* A hole of four gigabytes, and a part after it. */
static void holes_cost_no_time(void **state)
{
    struct tb tb = {0};
    const char *path;
    rln_error err = {0};
    int fd;

    (void)state;
    sc_nested(&tb);
    path = temp_file(tb.bytes, tb.size);
    fd = open(path, O_WRONLY);
    if (ftruncate(fd, (off_t)4 << 30)) {
        (void)close(fd);
        skip();
    }
    assert_int_equal(pwrite(fd, tb.bytes, tb.size, (off_t)3 << 30), (ssize_t)tb.size);
    (void)close(fd);
    assert_int_equal(read_all(&path, 1, &err), RLN_OK);
    (void)unlink(path);
    tb_clear(&tb);
}

/* The largest possible depths, ids and thread numbers, in a small file. */
static void large_numbers_take_little_memory(void **state)
{
    const uint64_t words[3] = {TB_START, UINT64_MAX, UINT64_MAX};
    struct tb tb = {0};
    struct tb_chunk c;

    (void)state;
    (void)tb_part(&tb, 1);
    c = tb_names(&tb, UINT32_MAX);
    tb_attributes(&c, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    tb_process(&c, UINT32_MAX, UINT32_MAX, 1)->flags = UINT32_MAX;
    c = tb_events(&tb, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    tb_thread(&c, UINT32_MAX, UINT32_MAX, UINT64_MAX / 2, "x");
    tb_long(&c, RLN__SUB_INHERITED, words, 3);
    tb_long(&c, RLN__SUB_GAP, words, 3);
    (void)tb_event(&c, RLN__PUSH, RLN__MAX_ID, 1);
    (void)tb_event(&c, RLN__POP, RLN__MAX_ID, 2);
    (void)tb_value(&c, RLN__END, RLN__MAX_ID, 3, UINT64_MAX);
    assert_int_equal(read_bytes(tb.bytes, tb.size), RLN_OK);
    tb_clear(&tb);
}

/* Events of each thread come in the order of time. */
static void check_order(rln_reader *reader, size_t at, unsigned bit)
{
    int64_t last_ns[64];
    const rln_event *event;
    rln_events *events;

    for (size_t i = 0; i < 64; i++)
        last_ns[i] = INT64_MIN;
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &event, NULL) == RLN_OK) {
        if (event->thread >= 64)
            continue;
        if (event->t_ns < last_ns[event->thread])
            fail_msg("bit %u at %zu: back in time", bit, at);
        last_ns[event->thread] = event->t_ns;
    }
    rln_events_close(events);
}

static int is_of_events(const struct tb *tb, size_t at)
{
    const struct rln__chunk_header *header;
    size_t begin = at / RLN__CHUNK_ALIGN * RLN__CHUNK_ALIGN;

    header = (const struct rln__chunk_header *)(tb->bytes + begin);
    return header->magic == RLN__CHUNK_MAGIC && header->kind == RLN__CHUNK_EVENTS &&
           at >= begin + RLN__CHUNK_HEADER_BYTES;
}

static void no_flipped_bit_of_an_event_turns_time_back(void **state)
{
    static void (*const builds[])(struct tb *) = {sc_nested, sc_startend, sc_threads};

    (void)state;
    for (size_t i = 0; i < sizeof(builds) / sizeof(builds[0]); i++) {
        struct tb tb = {0};

        builds[i](&tb);
        for (size_t at = RLN__SUPERBLOCK_BYTES; at < tb.size; at += 8) {
            uint64_t *word = (uint64_t *)(void *)(tb.bytes + at);

            /* A step that is no divisor of 64 tries all bits, at some word. */
            for (unsigned bit = (unsigned)(at / 8) % 5;
                 *word && is_of_events(&tb, at) && bit < 64; bit += 5) {
                rln_reader *reader;

                *word ^= (uint64_t)1 << bit;
                assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
                check_order(reader, at, bit);
                rln_reader_close(reader);
                *word ^= (uint64_t)1 << bit;
            }
        }
        tb_clear(&tb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_flipped_bit_is_survived),
        cmocka_unit_test(any_truncation_is_survived),
        cmocka_unit_test(a_time_may_be_any_number),
        cmocka_unit_test(a_cut_chunk_ends_where_the_next_part_begins),
        cmocka_unit_test(damage_is_listed_and_reading_continues_after_it),
        cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(failed_allocations_among_many_names_are_reported),
        cmocka_unit_test(names_that_do_not_fit_are_damage),
        cmocka_unit_test(each_damage_is_counted_once),
        cmocka_unit_test(holes_cost_no_time),
        cmocka_unit_test(large_numbers_take_little_memory),
        cmocka_unit_test(no_flipped_bit_of_an_event_turns_time_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
