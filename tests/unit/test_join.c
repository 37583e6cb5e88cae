/* SPDX-License-Identifier: Apache-2.0 */
/* test_join.c - a process joins a trace that another one is just creating. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/superblock.h"
#include "format/superblock_guard.h"

static const uint8_t run_id[16] = "the run of this";

struct joining {
    char folder[PATH_MAX / 2], made[PATH_MAX], path[PATH_MAX];
    char bytes[RLN__SUPERBLOCK_BYTES]; /* of a whole file */
    int result;
    int is_over; /* atomic */
};

static void *join(void *context)
{
    struct joining *j = context;
    struct rln__file file = {0};

    j->result = rln__file_join(&file, j->path, run_id);
    if (j->result == 0)
        rln__file_close(&file);
    __atomic_store_n(&j->is_over, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* The number of this process's descriptors of the file. */
static unsigned count_open(const char *path)
{
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;
    unsigned n = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char link[300], target[PATH_MAX];
        ssize_t length;

        (void)snprintf(link, sizeof(link), "/proc/self/fd/%s", entry->d_name);
        length = readlink(link, target, sizeof(target) - 1);
        target[length > 0 ? length : 0] = 0;
        n += strcmp(target, path) == 0;
    }
    (void)closedir(folder);
    return n;
}

static void write_bytes(const struct joining *j, int fd, size_t from, size_t to)
{
    assert_int_equal(pwrite(fd, j->bytes + from, to - from, (off_t)from),
                     (ssize_t)(to - from));
}

static void begin(struct joining *j)
{
    const char *tmp = getenv("TMPDIR");
    struct rln__file file = {0};
    char resolved[PATH_MAX];
    int fd;

    memset(j, 0, sizeof(*j));
    (void)snprintf(j->folder, sizeof(j->folder), "%s/rln-join-XXXXXX",
                   tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(j->folder));
    assert_non_null(realpath(j->folder, resolved)); /* as /proc has it */
    (void)snprintf(j->made, sizeof(j->made), "%s/made.rln", j->folder);
    (void)snprintf(j->path, sizeof(j->path), "%.*s/run.rln", PATH_MAX / 2, resolved);
    assert_int_equal(
        rln__file_create(&file, j->made, run_id, RLN__CLOCK_MONOTONIC_RAW, 0, 0), 0);
    rln__file_close(&file);
    fd = open(j->made, O_RDONLY);
    assert_int_equal(read(fd, j->bytes, sizeof(j->bytes)), sizeof(j->bytes));
    (void)close(fd);
}

static void end(const struct joining *j)
{
    (void)unlink(j->made);
    (void)unlink(j->path);
    (void)rmdir(j->folder);
}

/* The creator has written `n_bytes` when the other one opens the file, then goes on. */
static int join_while_made(size_t n_bytes)
{
    static struct joining j;
    pthread_t thread;
    int fd;

    begin(&j);
    fd = open(j.path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    if (n_bytes > 8)
        write_bytes(&j, fd, 8, n_bytes);
    assert_int_equal(pthread_create(&thread, NULL, join, &j), 0);
    while (count_open(j.path) < 2 && !__atomic_load_n(&j.is_over, __ATOMIC_ACQUIRE))
        (void)usleep(100);
    write_bytes(&j, fd, 8, sizeof(j.bytes));
    write_bytes(&j, fd, 0, 8);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)close(fd);
    end(&j);
    return j.result;
}

static void a_file_that_is_being_made_is_waited_for(void **state)
{
    (void)state;
    assert_int_equal(join_while_made(0), 0);
    assert_int_equal(join_while_made(4096), 0);
    assert_int_equal(join_while_made(RLN__SUPERBLOCK_BYTES), 0);
}

static void another_file_is_not(void **state)
{
    static struct joining j;
    const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
    int fd;

    (void)state;
    begin(&j);
    fd = open(j.path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_int_equal(futimens(fd, long_ago), 0); /* no longer being created */
    (void)join(&j);
    assert_int_equal(j.result, RLN__JOIN_FOREIGN);
    assert_int_equal(pwrite(fd, "a letter to someone", 19, 0), 19);
    (void)join(&j);
    assert_int_equal(j.result, RLN__JOIN_FOREIGN);
    write_bytes(&j, fd, 0, sizeof(j.bytes));
    (void)join(&j);
    assert_int_equal(j.result, 0);
    (void)close(fd);
    end(&j);
}

/* A program stores something over the count of processes: each of them still gets an
 * index of its own, and the launcher's guard makes the count usable again. */
static void no_two_processes_get_one_index(void **state)
{
    static const uint64_t stray[] = {0, 1, UINT64_MAX, 1ull << 32, 2};
    static struct joining j;

    (void)state;
    begin(&j);
    for (size_t i = 0; i < sizeof(stray) / sizeof(stray[0]); i++) {
        struct rln__superblock_guard guard;
        struct rln__file file = {0};
        uint32_t index[5];

        (void)unlink(j.made);
        assert_int_equal(
            rln__file_create(&file, j.made, run_id, RLN__CLOCK_MONOTONIC_RAW, 0, 0), 0);
        rln__guard_begin(&guard, file.super);
        index[0] = rln__file_next_process(&file);
        index[1] = rln__file_next_process(&file);
        file.super->processes = stray[i];
        index[2] = rln__file_next_process(&file);
        rln__guard_restore(&guard, file.super);
        index[3] = rln__file_next_process(&file);
        index[4] = rln__file_next_process(&file);
        for (size_t k = 0; k < 5; k++) {
            assert_int_not_equal(index[k], 0);
            for (size_t other = 0; other < k; other++)
                assert_int_not_equal(index[k], index[other]);
        }
        assert_int_equal(index[0], 1);
        assert_int_equal(index[4], index[3] + 1);
        assert_int_equal(guard.n_restored, 1);
        rln__file_close(&file);
    }
    end(&j);
}

/* What a process sees if a file of full size has these bytes at `offset`. */
static int join_with(size_t offset, const void *bytes, size_t n_bytes)
{
    static struct joining j;
    int fd;

    begin(&j);
    memcpy(j.bytes + offset, bytes, n_bytes);
    fd = open(j.path, O_RDWR | O_CREAT | O_EXCL, 0600);
    write_bytes(&j, fd, 0, sizeof(j.bytes));
    (void)close(fd);
    (void)join(&j);
    end(&j);
    return j.result;
}

static void only_this_run_of_this_host_and_boot_is_joined(void **state)
{
    static const uint16_t major = RLN__MAJOR + 1;

#define JOIN_WITH(member, bytes)                                                       \
    join_with(offsetof(struct rln__superblock, member), bytes,                         \
              sizeof(((struct rln__superblock *)NULL)->member))
    (void)state;
    assert_int_equal(join_with(0, "R", 1), 0); /* as it is */
    assert_int_equal(JOIN_WITH(magic, "RLNTRACk"), RLN__JOIN_FOREIGN);
    assert_int_equal(JOIN_WITH(major, &major), RLN__JOIN_FOREIGN);
    assert_int_equal(JOIN_WITH(run_id, "another run's id"), RLN__JOIN_FOREIGN);
    assert_int_equal(join_with(offsetof(struct rln__superblock, boot_id), "x", 1),
                     RLN__JOIN_ELSEWHERE);
    assert_int_equal(join_with(offsetof(struct rln__superblock, host), "\1", 1),
                     RLN__JOIN_ELSEWHERE);
#undef JOIN_WITH
}

static void a_name_that_is_taken_is_not_created(void **state)
{
    static struct joining j;
    struct rln__file file = {0};

    (void)state;
    begin(&j);
    assert_int_equal(
        rln__file_create(&file, j.made, run_id, RLN__CLOCK_MONOTONIC_RAW, 0, 0),
        -EEXIST);
    assert_int_equal(symlink(j.made, j.path), 0);
    assert_int_equal(
        rln__file_create(&file, j.path, run_id, RLN__CLOCK_MONOTONIC_RAW, 0, 0),
        -EEXIST);
    assert_int_equal(rln__file_join(&file, j.path, run_id), -ELOOP);
    end(&j);
}

/* The program closes the descriptor, and may use its number for a file of its own. */
static void a_file_is_opened_again_if_its_name_is_still_its_own(void **state)
{
    static struct joining j;
    struct rln__file file = {0};
    int fd;

    (void)state;
    begin(&j);
    assert_int_equal(rln__file_join(&file, j.made, run_id), 0);
    assert_true(rln__file_is_ours(&file));
    assert_int_equal(dup2(STDERR_FILENO, file.fd), file.fd);
    assert_false(rln__file_is_ours(&file));
    (void)close(file.fd);
    assert_false(rln__file_is_ours(&file));
    assert_int_equal(rln__file_reopen(&file, j.made), 0);
    assert_true(rln__file_is_ours(&file));
    assert_true(file.fd > 8);

    assert_int_equal(rln__file_reopen(&file, j.path), -ENOENT);
    fd = open(j.path, O_RDWR | O_CREAT | O_EXCL, 0600);
    write_bytes(&j, fd, 0, sizeof(j.bytes)); /* a copy */
    (void)close(fd);
    assert_int_equal(rln__file_reopen(&file, j.path), RLN__JOIN_FOREIGN);
    assert_true(rln__file_is_ours(&file));
    rln__file_close(&file);
    end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_being_made_is_waited_for),
        cmocka_unit_test(another_file_is_not),
        cmocka_unit_test(no_two_processes_get_one_index),
        cmocka_unit_test(only_this_run_of_this_host_and_boot_is_joined),
        cmocka_unit_test(a_name_that_is_taken_is_not_created),
        cmocka_unit_test(a_file_is_opened_again_if_its_name_is_still_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
