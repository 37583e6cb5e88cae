/* SPDX-License-Identifier: Apache-2.0 */
/* test_split.c - a window's file has the times of the whole trace, but its own
 * identity.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "export/exporter.h"
#include "failed_allocations.h"
#include "ranges/events.h"
#include "temp_trace.h"

#include "rewrite/rewrite.h"
#include "rewrite/split.h"
#include "trace/open/load.h"
#include "trace/open/losses.h"

#define MS 1000000u

/* Two windows with a thread in each. The clock reading at the start of the first
 * thread's chunk came late, so that time between chunks is not linear. */
static void build_two_windows(struct tb *tb)
{
    const uint64_t second = 200 * MS;
    struct rln__chunk_header *header;
    struct tb_chunk a, b;

    (void)tb_part(tb, 1);
    tb_window(tb, 0, 0, 100 * MS, RLN__WINDOW_BY_COMMAND);
    tb_window(tb, second, RLN__WINDOW_BY_COMMAND, 400 * MS, RLN__WINDOW_BY_RUN);
    sc_names(tb, 1, 100);
    a = tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, 1, 100, 60 * MS);
    header = tb_at(tb, a.at - RLN__CHUNK_HEADER_BYTES);
    header->base_monotonic_ns += 5000;
    (void)tb_event(&a, RLN__MARK, 1, MS);
    b = tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, 2, 101, second);
    (void)tb_event(&b, RLN__MARK, 2, 30 * MS);
    (void)tb_event(&b, RLN__MARK, 2, 150 * MS);
}

/* The times of all marks, in order. */
static size_t times_of(const char *path, int64_t *out, size_t room)
{
    const rln_event *event;
    rln_events *events;
    rln_reader *reader;
    size_t n = 0;

    assert_int_equal(rln_reader_open(&path, 1, &reader, NULL), RLN_OK);
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &event, NULL) == RLN_OK)
        if (event->type == RLN_EVENT_MARK && n < room)
            out[n++] = event->t_ns;
    rln_events_close(events);
    rln_reader_close(reader);
    return n;
}

static size_t times_of_window(struct rln__split *split, size_t k, int64_t *out,
                              size_t room)
{
    char path[] = "/tmp/rln-split-XXXXXX";
    const int fd = mkstemp(path);
    size_t n;

    assert_true(fd >= 0);
    assert_int_equal(rln__split_write(split, k, fd, NULL), RLN_OK);
    (void)close(fd);
    n = times_of(path, out, room);
    (void)unlink(path);
    return n;
}

static void times_are_those_of_the_whole(void **state)
{
    int64_t whole[4], first[4], second[4];
    struct rln__split *split;
    struct tb tb = {0};
    const char *path;

    (void)state;
    build_two_windows(&tb);
    path = temp_file(tb.bytes, tb.size);
    tb_clear(&tb);
    assert_int_equal(times_of(path, whole, 4), 3);
    assert_int_equal(rln__split_open(path, &split, NULL), RLN_OK);
    assert_int_equal(times_of_window(split, 0, first, 4), 1);
    assert_int_equal(times_of_window(split, 1, second, 4), 2);
    rln__split_close(split);
    (void)unlink(path);
    assert_int_equal(first[0], whole[0]);
    assert_int_equal(second[0], whole[1]);
    assert_int_equal(second[1], whole[2]);
    assert_int_not_equal(whole[0], 61 * MS); /* not linear */
}

/* The files of both windows, and a second one of the first, in their own folder. */
struct files {
    char dir[32], whole[48], first[48], second[48], again[48];
};

static void write_window(struct rln__split *split, size_t k, const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);

    assert_true(fd >= 0);
    assert_int_equal(rln__split_write(split, k, fd, NULL), RLN_OK);
    (void)close(fd);
}

static void write_files(struct files *f)
{
    struct rln__split *split;
    struct tb tb = {0};

    build_two_windows(&tb);
    (void)strcpy(f->whole, temp_file(tb.bytes, tb.size));
    tb_clear(&tb);
    (void)strcpy(f->dir, "/tmp/rln-split-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    (void)snprintf(f->first, sizeof(f->first), "%s/first", f->dir);
    (void)snprintf(f->second, sizeof(f->second), "%s/second", f->dir);
    (void)snprintf(f->again, sizeof(f->again), "%s/again", f->dir);
    assert_int_equal(rln__split_open(f->whole, &split, NULL), RLN_OK);
    write_window(split, 0, f->first);
    write_window(split, 1, f->second);
    write_window(split, 0, f->again);
    rln__split_close(split);
}

static void remove_files(const struct files *f)
{
    (void)unlink(f->whole);
    (void)unlink(f->first);
    (void)unlink(f->second);
    (void)unlink(f->again);
    (void)rmdir(f->dir);
}

/* How the second file relates to the first; NULL if it is another trace. */
static const char *said_of(const char *first, const char *second)
{
    const char *paths[] = {first, second};
    const char *what = NULL; /* static */
    const struct rln__duplicate *duplicate;
    rln_reader *reader;

    assert_int_equal(rln_reader_open(paths, 2, &reader, NULL), RLN_OK);
    if (rln__reader_find_duplicate(reader, &duplicate, NULL) == RLN_OK) {
        assert_string_equal(duplicate->path, second);
        assert_string_equal(duplicate->of, first);
        what = duplicate->what;
    }
    rln_reader_close(reader);
    return what;
}

static void windows_are_traces_of_their_own(void **state)
{
    struct files f;

    (void)state;
    write_files(&f);
    assert_null(said_of(f.first, f.second));
    assert_string_equal(said_of(f.first, f.again), "the same trace as");
    assert_string_equal(said_of(f.whole, f.first), "a window of");
    assert_string_equal(said_of(f.whole, f.second), "a window of");
    remove_files(&f);
}

static void what_has_no_windows_of_its_own_is_told(void **state)
{
    struct tb tb = {0};
    rln_error err = {0};
    struct rln__split *split;

    (void)state;
    (void)tb_part(&tb, 1);
    assert_int_equal(rln__split_open(temp_file(tb.bytes, tb.size), &split, NULL),
                     RLN_OK);
    assert_int_equal(rln__split_count(split), 0);
    assert_int_equal(rln__split_count_unlisted(split), 0);
    assert_int_equal(rln__split_write(split, 0, -1, &err), RLN_ERR_ARGUMENT);
    assert_string_equal(err.message, "cannot write window: index=0: there are 0");
    rln__split_close(split);
    (void)tb_part(&tb, 2);
    assert_int_equal(rln__split_open(temp_file(tb.bytes, tb.size), &split, &err),
                     RLN_ERR_ARGUMENT);
    assert_string_equal(err.message, "it contains several runs");
    assert_null(split);
    tb_clear(&tb);
}

static void a_failed_write_is_reported(void **state)
{
    rln_reader *reader = open_scenario(build_two_windows);
    struct rln__merge_result written = {0};
    rln_error err = {0};

    (void)state;
    assert_int_equal(rln__reader_merge(reader, -1, &written, &err), RLN_ERR_IO);
    assert_string_equal(err.message,
                        "cannot write trace: offset=0: Bad file descriptor");
    assert_int_equal(written.n_bytes, 0);
    rln_reader_close(reader);
}

/* Writes every window, and the whole trace, to nowhere. */
static rln_status rewrite_all(const char *path, rln_error *err)
{
    struct rln__split *split = NULL;
    rln_reader *reader = NULL;
    struct rln__merge_result written;
    rln_status status = rln__split_open(path, &split, err);

    for (size_t i = 0; !status && i < rln__split_count(split); i++) {
        const int fd = memfd_create("window", MFD_CLOEXEC);

        assert_true(fd >= 0);
        status = rln__split_write(split, i, fd, err);
        (void)close(fd);
    }
    if (!status)
        status = rln_reader_open(&path, 1, &reader, err);
    if (!status) {
        const int fd = memfd_create("merged", MFD_CLOEXEC);

        assert_true(fd >= 0);
        status = rln__reader_merge(reader, fd, &written, err);
        (void)close(fd);
    }
    rln_reader_close(reader);
    rln__split_close(split);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < SC_COUNT; i++) {
        struct tb tb = {0};

        sc_all[i].build(&tb);
        fail_each_allocation(&tb, rewrite_all);
        tb_clear(&tb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_the_whole),
        cmocka_unit_test(windows_are_traces_of_their_own),
        cmocka_unit_test(what_has_no_windows_of_its_own_is_told),
        cmocka_unit_test(a_failed_write_is_reported),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
