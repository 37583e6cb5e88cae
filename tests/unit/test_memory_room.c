/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory_room.c - how much a trace in memory may grow, by the limits of cgroups of
 * both versions, here folders of files; and that no block is reserved beyond that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/remove_tree.h"
#include "format/superblock.h"
#include "record/during/memory_room.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static char root[PATH_MAX / 2];

static int make_root(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof(root), "%s/rln-memory-XXXXXX",
                   getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    rln__remove_tree(root);
    return 0;
}

static void put(const char *name, const char *text)
{
    char path[PATH_MAX];
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static uint64_t room_of_process_7(void)
{
    char groups[4096];

    assert_true(rln__memory_groups(root, 7, groups, sizeof(groups)));
    return rln__memory_room_of(root, groups);
}

static void version_2_has_its_own_limit(void **state)
{
    (void)state;
    put("proc/7/cgroup", "0::/job/step\n");
    put("sys/fs/cgroup/job/step/memory.max", "8589934592\n");     /* 8 GiB */
    put("sys/fs/cgroup/job/step/memory.current", "1073741824\n"); /* 1 GiB */
    put("sys/fs/cgroup/job/step/memory.high", "max\n");
    assert_int_equal(room_of_process_7(), 7 * GIB - 256 * MIB);
}

static void two_percent_of_a_large_limit_are_left(void **state)
{
    (void)state;
    put("proc/7/cgroup", "0::/job\n");
    put("sys/fs/cgroup/job/memory.max", "107374182400\n"); /* 100 GiB */
    put("sys/fs/cgroup/job/memory.current", "0\n");
    assert_int_equal(room_of_process_7(), 98 * GIB);
}

static void half_of_a_small_limit_is_left(void **state)
{
    (void)state;
    put("proc/7/cgroup", "0::/job\n");
    put("sys/fs/cgroup/job/memory.max", "67108864\n");     /* 64 MiB */
    put("sys/fs/cgroup/job/memory.current", "10485760\n"); /* 10 MiB */
    assert_int_equal(room_of_process_7(), 22 * MIB);
    put("sys/fs/cgroup/job/memory.current", "60000000\n");
    assert_int_equal(room_of_process_7(), 0);
}

static void files_that_the_kernel_can_drop_are_room(void **state)
{
    (void)state;
    put("proc/7/cgroup", "0::/job\n");
    put("sys/fs/cgroup/job/memory.max", "1073741824\n");
    put("sys/fs/cgroup/job/memory.current", "1073741824\n");
    put("sys/fs/cgroup/job/memory.stat", "anon 4096\nfile 700000000\nshmem 4096\n"
                                         "inactive_file 536870912\n"
                                         "active_file 134217728\nslab 4096\n");
    assert_int_equal(room_of_process_7(), 640 * MIB - 256 * MIB);
}

static void the_smallest_limit_above_counts(void **state)
{
    (void)state;
    put("proc/7/cgroup", "0::/job/step/task\n");
    put("sys/fs/cgroup/job/step/task/memory.max", "max\n");
    put("sys/fs/cgroup/job/step/task/memory.current", "4096\n");
    put("sys/fs/cgroup/job/step/memory.max", "34359738368\n"); /* 32 GiB */
    put("sys/fs/cgroup/job/step/memory.high", "8589934592\n"); /* 8 GiB */
    put("sys/fs/cgroup/job/step/memory.current", "4294967296\n");
    put("sys/fs/cgroup/job/memory.max", "34359738368\n");
    put("sys/fs/cgroup/job/memory.current", "33285996544\n"); /* 31 GiB */
    assert_int_equal(room_of_process_7(), GIB - 32 * GIB / 50);
    put("sys/fs/cgroup/job/memory.current", "4294967296\n");
    assert_int_equal(room_of_process_7(), 4 * GIB - 256 * MIB);
}

static void version_1_is_found_among_its_controllers(void **state)
{
    (void)state;
    put("proc/7/cgroup", "12:cpuset,memory:/slurm/job_1\n11:memory_pressure:/other\n"
                         "1:name=systemd:/\n0::/\n");
    put("sys/fs/cgroup/memory/slurm/job_1/memory.limit_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/slurm/job_1/memory.usage_in_bytes", "268435456\n");
    put("sys/fs/cgroup/memory/slurm/job_1/memory.stat",
        "inactive_file 1\ntotal_inactive_file 134217728\ntotal_active_file 0\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "900000000000\n");
    assert_int_equal(room_of_process_7(), GIB - 128 * MIB - 256 * MIB);
}

/* Docker, version 1: the path is the host's, of which the container has the end. */
static void a_container_has_its_limit_at_the_top(void **state)
{
    (void)state;
    put("proc/7/cgroup", "4:memory:/docker/0123456789ab\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
    assert_int_equal(room_of_process_7(), GIB - 256 * MIB);
}

static void without_a_limit_any_amount_is_left(void **state)
{
    char groups[4096];

    (void)state;
    put("proc/7/cgroup", "0::/job\n3:cpu:/\nnonsense\n:\n");
    assert_true(room_of_process_7() == UINT64_MAX);
    put("sys/fs/cgroup/job/memory.max", "max\n");
    put("sys/fs/cgroup/job/memory.current", "4096\n");
    assert_true(room_of_process_7() == UINT64_MAX);
    assert_false(rln__memory_groups(root, 8, groups, sizeof(groups)));
    assert_true(rln__memory_room_here(root) == UINT64_MAX);
}

static void the_machine_has_a_limit_too(void **state)
{
    (void)state;
    put("proc/meminfo",
        "MemTotal:       4194304 kB\nMemFree:  100 kB\n"
        "MemAvailable:   1048576 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
    assert_int_equal(rln__memory_room_here(root), GIB - 256 * MIB);
}

static void no_block_ends_beyond_the_limit(void **state)
{
    static const uint8_t run_id[16] = "the run of this";
    char path[PATH_MAX];
    struct rln__file file = {0};
    int64_t at;

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/t.rln", root);
    assert_int_equal(
        rln__file_create(&file, path, run_id, RLN__CLOCK_MONOTONIC_RAW, 0, 0), 0);
    at = rln__file_take(&file, RLN__BLOCK_ALIGN);
    assert_int_equal(at, RLN__SUPERBLOCK_BYTES);
    file.super->growth_limit = 3 * RLN__BLOCK_ALIGN;
    assert_int_equal(rln__file_take(&file, 2 * RLN__BLOCK_ALIGN), -ENOSPC);
    assert_int_equal(rln__file_take(&file, RLN__BLOCK_ALIGN), 2 * RLN__BLOCK_ALIGN);
    assert_int_equal(rln__file_take(&file, RLN__BLOCK_ALIGN), -ENOSPC);
    file.super->growth_limit = 4 * RLN__BLOCK_ALIGN;
    assert_int_equal(rln__file_take(&file, RLN__BLOCK_ALIGN), 3 * RLN__BLOCK_ALIGN);
    file.super->growth_limit = 0;
    assert_int_equal(rln__file_take(&file, RLN__BLOCK_ALIGN), 4 * RLN__BLOCK_ALIGN);
    rln__file_close(&file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(version_2_has_its_own_limit),
        TEST(two_percent_of_a_large_limit_are_left),
        TEST(half_of_a_small_limit_is_left),
        TEST(files_that_the_kernel_can_drop_are_room),
        TEST(the_smallest_limit_above_counts),
        TEST(version_1_is_found_among_its_controllers),
        TEST(a_container_has_its_limit_at_the_top),
        TEST(without_a_limit_any_amount_is_left),
        TEST(the_machine_has_a_limit_too),
        TEST(no_block_ends_beyond_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
