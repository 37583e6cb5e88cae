/* SPDX-License-Identifier: Apache-2.0 */
/* test_overtaken.c - a reader sees a consistent trace if it is written between two
 * reads of the file, or during one. */
#include "ranges/events.h"
#include "temp_trace.h"

#include <sys/syscall.h>

#include "format/chunk_reader.h"
#include "trace/open/load.h"

/* How reads see the file. */
static struct {
    struct tb tb;
    size_t
        hidden[2]; /* all reads see zeros as headers of the chunks at these offsets */
    size_t until;  /* up to and including the first read of this offset */
    size_t stale;  /* the first read of this word sees a zero */
} file;

static int covers(size_t begin, size_t end, size_t offset)
{
    return offset && offset >= begin && offset < end;
}

/* Replaces the C library's for this program. */
ssize_t pread(int fd, void *to, size_t n_bytes, off_t at)
{
    const ssize_t n = syscall(SYS_pread64, fd, to, n_bytes, at);
    const size_t begin = (size_t)at, end = begin + (n > 0 ? (size_t)n : 0);

    for (int i = 0; i < 2; i++)
        if (covers(begin, end, file.hidden[i]))
            memset((char *)to + (file.hidden[i] - begin), 0, RLN__CHUNK_HEADER_BYTES);
    if (covers(begin, end, file.until))
        file.hidden[0] = file.hidden[1] = 0;
    if (covers(begin, end, file.stale)) {
        memset((char *)to + (file.stale - begin), 0, 8);
        file.stale = 0;
    }
    return n;
}

/* Chunks of two threads, one after the other; each marks two values. */
static void build(const char *threads, unsigned finished)
{
    unsigned n_chunks[2] = {0};

    tb_part(&file.tb, 1)->finished = finished;
    sc_names(&file.tb, 1, 100);
    for (unsigned i = 0; threads[i]; i++) {
        const unsigned thread = (unsigned)(threads[i] - 'A');
        const size_t at = file.tb.size;
        struct tb_chunk c = tb_chunk_at(&file.tb, RLN__CHUNK_EVENTS, 1, 1 + thread,
                                        100 + thread, i * 1000);

        ((struct rln__chunk_header *)tb_at(&file.tb, at))->sequence =
            n_chunks[thread]++;
        (void)tb_value(&c, RLN__MARK_VALUE, 1, 0, 10 + i);
        (void)tb_value(&c, RLN__MARK_VALUE, 1, 1, 20 + i);
    }
}

/* The offset of one of the five chunks. */
static size_t chunk_at(unsigned i)
{
    return file.tb.size - (size_t)(5 - i) * TB_CHUNK_BYTES;
}

static void expect_values(const uint64_t *values, size_t n_values)
{
    rln_reader *reader;
    rln_events *events;
    const rln_event *e;
    rln_error err = {0};

    if (open_bytes(file.tb.bytes, file.tb.size, &reader, &err) ||
        rln__events_open_all(reader, &events, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < n_values; i++) {
        assert_int_equal(rln_events_next(events, &e, &err), RLN_OK);
        assert_int_equal(e->payload_bits, values[i]);
    }
    assert_int_equal(rln_events_next(events, &e, &err), RLN_END);
    rln_events_close(events);
    rln_reader_close(reader);
    tb_clear(&file.tb);
    assert_int_equal(file.stale, 0); /* it was read */
    assert_int_equal(file.hidden[0], 0);
    memset(&file, 0, sizeof(file));
}

/* A copy with a record's new first word may have loaded its value earlier. */
static void a_value_is_as_new_as_its_event(void **state)
{
    const uint64_t values[] = {10, 20, 11, 21, 12, 22, 13, 23, 14, 24};

    (void)state;
    build("ABABA", 0);
    file.stale = chunk_at(2) + RLN__CHUNK_HEADER_BYTES + 3 * 8;
    expect_values(values, 10);
}

/* A trace that is no longer written is not read twice. */
static void a_finished_trace_is_believed(void **state)
{
    const uint64_t values[] = {10, 20, 11, 21, 12, 0, 13, 23, 14, 24};

    (void)state;
    build("ABABA", RLN__HAS_ENDED);
    file.stale = chunk_at(2) + RLN__CHUNK_HEADER_BYTES + 3 * 8;
    expect_values(values, 10);
}

/* The refresh passes A1's place, then A1 and A2 are begun, and then it reaches A2.
 */
static void no_chunk_is_missing_before_another(void **state)
{
    const uint64_t values[] = {10, 20, 11, 21, 12, 22, 13, 23, 14, 24};

    (void)state;
    build("ABABA", 0);
    file.hidden[0] = chunk_at(2);
    file.until = chunk_at(4);
    expect_values(values, 10);
}

/* B1 is begun after the first refresh: as with A2, a chunk before it may be missing. */
static void what_is_newer_waits_for_the_next_refresh(void **state)
{
    const uint64_t values[] = {10, 20, 11, 21, 12, 22, 13, 23};

    (void)state;
    build("ABAAB", 0);
    file.hidden[0] = chunk_at(2);
    file.hidden[1] = file.until = chunk_at(4);
    expect_values(values, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_as_new_as_its_event),
        cmocka_unit_test(a_finished_trace_is_believed),
        cmocka_unit_test(no_chunk_is_missing_before_another),
        cmocka_unit_test(what_is_newer_waits_for_the_next_refresh),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
