/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/cpu_lives.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/cpu_states.h"
#include "trace/decode/switches.h"

#define MOMENT_BYTES (4u << 20) /* a quarter of a million switches: 0.07 s */

/* A thread of the reader. */
struct life {
    int64_t start_ns; /* of its process */
    uint32_t thread;
    uint32_t of; /* the thread of the kernel: times->of_thread */
};

static int by_thread_and_start(const void *a, const void *b)
{
    const struct life *x = a, *y = b;

    if (x->of != y->of)
        return x->of > y->of ? 1 : -1;
    if (x->start_ns != y->start_ns)
        return x->start_ns > y->start_ns ? 1 : -1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static int64_t process_start_ns(const rln_reader *r, uint32_t process)
{
    const struct rln__trace_process *p = &r->names.processes[process];

    return rln__clock_fit_ns(&r->clock_fits[p->part], p->record.clock[0].ticks);
}

/* Those of which anything is known. */
static size_t list(const struct rln__cpu_times *t, struct life *lives)
{
    size_t n = 0;

    for (uint32_t i = 0; i < t->n_of_thread; i++)
        if (t->of_thread[i] && t->threads[t->of_thread[i] - 1].n)
            lives[n++] = (struct life){
                .start_ns = process_start_ns(t->reader, t->reader->threads[i].process),
                .thread = i,
                .of = t->of_thread[i],
            };
    qsort(lives, n, sizeof(*lives), by_thread_and_start);
    return n;
}

/* From one time to another, in windows. */
static struct rln__cpu_split split_of(const struct rln__cpu_times *t,
                                      const struct life *life, int64_t start_ns,
                                      int64_t end_ns)
{
    const rln_reader *r = t->reader;
    const uint32_t part = t->threads[life->of - 1].part;
    struct rln__cpu_split sum = {0};

    if (r->span.is_window && !rln__span_has_part(&r->span, part))
        return sum;
    for (size_t i = r->windows.first[part]; i < r->windows.first[part + 1]; i++) {
        const struct rln__span window = rln__windows_span(&r->windows, i);
        const int64_t from_ns =
            rln__span_clip(&r->span, rln__span_clip(&window, start_ns));
        const int64_t to_ns = rln__span_clip(&r->span, rln__span_clip(&window, end_ns));
        struct rln__cpu_split split;

        if (to_ns <= from_ns)
            continue;
        split = rln__cpu_times_between(t, life->thread, from_ns, to_ns);
        rln__cpu_split_add(&sum, &split);
    }
    return sum;
}

/* The first of a thread of the kernel begins with it, and the last ends with it. */
static struct rln__cpu_split whole(const struct rln__cpu_times *t,
                                   const struct life *life, int is_first, int is_last)
{
    const struct rln__cpu_thread *of = &t->threads[life->of - 1];
    const uint64_t *changes = t->changes + of->first;

    return split_of(t, life, is_first ? rln__cpu_change_ns(changes[0]) : life->start_ns,
                    is_last ? rln__cpu_change_ns(changes[of->n - 1])
                            : life[1].start_ns);
}

struct rln__cpu_split *rln__cpu_lives(const struct rln__cpu_times *t)
{
    struct rln__cpu_split *splits = rln__alloc(t->n_of_thread + 1, sizeof(*splits));
    struct life *lives = rln__alloc(t->n_of_thread + 1, sizeof(*lives));
    const size_t n = lives ? list(t, lives) : 0;

    for (size_t i = 0; splits && i < n; i++) {
        const int is_first = !i || lives[i - 1].of != lives[i].of;
        const int is_last = i + 1 == n || lives[i + 1].of != lives[i].of;

        splits[lives[i].thread] = whole(t, &lives[i], is_first, is_last);
    }
    if (!lives) {
        rln__free(splits);
        return NULL;
    }
    rln__free(lives);
    return splits;
}

rln_status rln__cpu_lives_sum(rln_reader *reader, struct rln__cpu_split *out,
                              int *has_readings, rln_error *err)
{
    struct rln__cpu_times times;
    struct rln__cpu_split *lives;
    rln_status status;

    *out = (struct rln__cpu_split){0};
    *has_readings = 0;
    if (!rln__has_cpu_times(reader, RLN__NONE) ||
        rln__switches_bytes(reader, RLN__NONE) > MOMENT_BYTES)
        return RLN_OK;
    status = rln__cpu_times_load(&times, reader, err);
    if (status)
        return status;
    *has_readings = times.n_readings > 0;
    lives = rln__cpu_lives(&times);
    for (size_t i = 0; lives && i < times.n_of_thread; i++)
        rln__cpu_split_add(out, &lives[i]);
    if (!lives)
        status = rln__fail_nomem(err);
    rln__free(lives);
    rln__cpu_times_clear(&times);
    return status;
}
