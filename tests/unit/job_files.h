/* SPDX-License-Identifier: Apache-2.0 */
/* job_files.h - the traces of a job in a folder, most of them with context switches. */
#ifndef RLN_TESTS_JOB_FILES_H
#define RLN_TESTS_JOB_FILES_H

#include "job_scenario.h"
#include "switch_scenario.h"
#include "temp_trace.h"

#include <sys/stat.h>

#define N_TRACES 36

static struct {
    char folder[32];
    char paths[N_TRACES][64];
} job;

static inline void write_trace(const struct tb *tb, const char *path)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(tb->bytes, 1, tb->size, file), tb->size);
    assert_int_equal(fclose(file), 0);
}

/* Of the first thread, in most traces; the launcher lost some at the end of a few. */
static inline void add_switches(struct tb *tb, uint32_t number)
{
    uint64_t random = number, t = 0;
    struct tb_chunk c;

    if (!tb->size || number % 9 == 5 || number % 4 == 3)
        return;
    job_names(tb, 9, NULL, 0, RLN__PROCESS_LAUNCHER);
    c = tb_chunk_at(tb, RLN__CHUNK_SWITCHES, 9, 1, 99, 0);
    for (int i = 0; i < 40; i++) {
        tb_switch(&c, RLN__SWITCH_ON, 101, t += job_random(&random, 700));
        tb_switch(&c, i % 3 ? RLN__SWITCH_BLOCKED : RLN__SWITCH_PREEMPTED, 101,
                  t += job_random(&random, 900));
    }
    if (number % 5 == 1)
        tb_switches_lost(&c, t / 2, t / 2 + 1000);
    tb_until(&c, t + 1000000);
}

static inline int make_job(void **state)
{
    (void)state;
    (void)strcpy(job.folder, "/tmp/rln-job-XXXXXX");
    assert_non_null(mkdtemp(job.folder));
    for (uint32_t i = 0; i < N_TRACES; i++) {
        struct tb tb = {0};

        (void)snprintf(job.paths[i], sizeof(job.paths[i]), "%s/t%02u.rln", job.folder,
                       (unsigned)i);
        job_build(&tb, i, i > 9 && i % 9 < 2 ? JOB_GPU : job_kind_of(i));
        add_switches(&tb, i);
        write_trace(&tb, job.paths[i]);
        tb_clear(&tb);
    }
    return 0;
}

static inline int remove_job(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_TRACES; i++)
        (void)unlink(job.paths[i]);
    return rmdir(job.folder);
}

#endif
