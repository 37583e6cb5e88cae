/* SPDX-License-Identifier: Apache-2.0 */
/* newest_check.c - reads the trace of newest_program.c repeatedly while it is written,
 * and once more after its end:
 *
 *     newest_check TRACE SCORE [ONCE]
 *
 * Each time it checks, for each thread: the steps present have consecutive numbers, up
 * to at least the last one that had returned when reading began, and their times do not
 * decrease. All open ranges are present with their push, so that only `work` encloses a
 * step, and no pop is unmatched. Ends have their starts, unless these were overwritten.
 * Exits 1 and names any error. It counts its readings in SCORE; the program waits for
 * them.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "export/exporter.h"
#include "newest_score.h"
#include "rangeline/rangeline.h"
#include "ranges/events.h"
#include "trace/open/load.h"

struct thread {
    uint32_t tid;
    uint64_t step; /* the last one; 0: none yet */
    int64_t t_ns;
    int n_begun; /* times that its record begins */
};

static struct thread *threads;
static size_t n_threads;
static uint64_t n_reads, n_steps, n_in_the_middle;

static int fail(const struct thread *t, const char *format, ...)
{
    va_list arguments;

    (void)fprintf(stderr, "newest_check: read %llu, thread %u, step %llu: ",
                  (unsigned long long)n_reads, t ? t->tid : 0,
                  (unsigned long long)(t ? t->step : 0));
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return 0;
}

static struct thread *thread_at(uint32_t index, uint32_t tid)
{
    if (index >= n_threads) {
        threads = realloc(threads, (index + 1) * sizeof(*threads));
        if (!threads)
            exit(2);
        memset(threads + n_threads, 0, (index + 1 - n_threads) * sizeof(*threads));
        n_threads = index + 1;
    }
    threads[index].tid = tid;
    return &threads[index];
}

static int is_named(const rln_event *e, const char *name)
{
    return e->attributes.message.length == strlen(name) &&
           memcmp(e->attributes.message.bytes, name, strlen(name)) == 0;
}

static int check_step(struct thread *t, const rln_event *e)
{
    const uint64_t step = e->payload_bits;

    if (e->depth != 1)
        return fail(t, "depth %u", e->depth);
    if (t->step && step != t->step + 1)
        return fail(t, "then step %llu", (unsigned long long)step);
    t->step = step;
    n_steps++;
    return 1;
}

/* A thread's record begins again in the middle: the copy lacks a chunk that should be
 * there. */
static void begin(struct thread *t)
{
    if (t->n_begun++ > 0 || t->step > 0)
        n_in_the_middle++;
    t->step = 0;
}

static int check_event(const rln_event *e)
{
    struct thread *t;

    if (e->thread == UINT32_MAX)
        return 1;
    t = thread_at(e->thread, e->tid);
    if (e->type == RLN_EVENT_THREAD_BEGIN)
        return 1;
    if (e->type == RLN_EVENT_OVERWRITTEN) {
        begin(t);
        return 1;
    }
    if (e->type == RLN_EVENT_GAP)
        return fail(t, "a gap");
    if (e->flags & (RLN_FLAG_UNMATCHED | RLN_FLAG_UNKNOWN_NAME))
        return fail(t, "event %d has flags %u", (int)e->type, e->flags);
    if (e->type == RLN_EVENT_START || e->type == RLN_EVENT_END)
        return 1; /* kept starts come before their thread's record */
    if (e->t_ns < t->t_ns)
        return fail(t, "time goes back by %lld ns", (long long)(t->t_ns - e->t_ns));
    t->t_ns = e->t_ns;
    if (e->type == RLN_EVENT_PUSH && is_named(e, "step"))
        return check_step(t, e);
    if (e->type == RLN_EVENT_PUSH && (e->depth != 0 || t->step))
        return fail(t, "%.*s at depth %u", (int)e->attributes.message.length,
                    e->attributes.message.bytes, e->depth);
    if (e->type == RLN_EVENT_POP && e->flags)
        return fail(t, "a pop has flags %u", e->flags);
    return 1;
}

/* A thread that had no processor while others overwrote all of its steps: it has only the chunk
 * that it had just begun. */
static int has_only_begun(const struct thread *t)
{
    return t->n_begun && !t->step;
}

/* Whether each thread's steps reach at least those of the score taken before. */
static int check_newest(const struct newest_score *before)
{
    for (size_t i = 0; i < NEWEST_THREADS; i++) {
        const struct newest_thread *b = &before->threads[i];
        const struct thread *found = NULL;

        for (size_t k = 0; k < n_threads && b->tid; k++)
            if (threads[k].tid == b->tid)
                found = &threads[k];
        if (b->tid && b->step &&
            (!found || (found->step < b->step && !has_only_begun(found))))
            return fail(found, "it was at %llu already", (unsigned long long)b->step);
    }
    return 1;
}

/* 0 if something is wrong; sets `*is_finished` if this was the last reading. */
static int check(const char *path, const struct newest_score *score, int *is_finished)
{
    rln_status status = RLN_OK;
    struct newest_score before = *score;
    rln_reader *reader = NULL;
    rln_events *events = NULL;
    const rln_event *e;
    rln_error err = {0};
    int is_good = 1;

    n_reads++;
    n_threads = 0;
    if (rln_reader_open(&path, 1, &reader, &err) ||
        rln__events_open_all(reader, &events, &err))
        return fail(NULL, "%s", err.message);
    *is_finished = rln_reader_is_finished(reader);
    while (is_good && (status = rln_events_next(events, &e, &err)) == RLN_OK)
        is_good = check_event(e);
    if (is_good && status != RLN_END)
        is_good = fail(NULL, "%s", err.message);
    is_good = is_good && check_newest(&before);
    rln_events_close(events);
    rln_reader_close(reader);
    return is_good;
}

int main(int argc, char **argv)
{
    const int fd = argc > 2 ? open(argv[2], O_RDWR) : -1;
    struct newest_score *score =
        mmap(NULL, sizeof(*score), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int is_finished = 0, is_good = 1;

    if (fd < 0 || score == MAP_FAILED)
        return 2;
    while (is_good && !is_finished) {
        is_good = check(argv[1], score, &is_finished);
        __atomic_store_n(&score->n_reads, n_reads, __ATOMIC_RELEASE);
        if (argc > 3)
            break;
    }
    __atomic_store_n(&score->n_reads, UINT64_MAX, __ATOMIC_RELEASE);
    printf("%llu reads, %llu steps, %llu records that begin in the middle\n",
           (unsigned long long)n_reads, (unsigned long long)n_steps,
           (unsigned long long)n_in_the_middle);
    free(threads);
    return !is_good;
}
