/* SPDX-License-Identifier: Apache-2.0 */
/* thread_sum.c - the push/pop ranges of each thread, and of each process. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/fail.h"
#include "ranges/cpu_lives.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"
#include "reports/report_list.h"

/* The push/pop ranges of a thread or a process, added up. */
struct busy {
    uint64_t total_ns; /* in any range */
    uint64_t n_ranges, n_outermost;
    uint64_t n_events, n_threads;
    struct rln__cpu_split split; /* of the whole life */
    uint32_t index;
};

static int by_total(const void *a, const void *b)
{
    const struct busy *x = a, *y = b;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Outermost ranges of a thread may overlap, if they are of two domains or deferred: the
 * part of one that earlier ones did not have. They come in the order of starts. */
static uint64_t time_of_its_own(const struct rln__nesting_row *range, int64_t *until_ns)
{
    const int64_t start_ns = range->start_ns > *until_ns ? range->start_ns : *until_ns;

    if (range->end_ns <= start_ns)
        return 0;
    *until_ns = range->end_ns;
    return (uint64_t)(range->end_ns - start_ns);
}

/* All threads or processes, and how far their time is counted. */
struct crowd {
    struct busy *all;   /* owned, as the next two: by thread, or by process */
    uint64_t *n_events; /* by thread */
    int64_t *until_ns;  /* by thread: time up to here is counted */
    size_t n, n_threads;
};

static void crowd_clear(struct crowd *c)
{
    rln__free(c->all);
    rln__free(c->n_events);
    rln__free(c->until_ns);
}

static void add_up(const struct rln__report_source *source, struct crowd *c,
                   int by_thread)
{
    struct rln__nesting_row r;

    for (size_t i = 0; i < c->n; i++)
        c->all[i].index = (uint32_t)i;
    for (size_t i = 0; i < c->n_threads; i++)
        c->until_ns[i] = INT64_MIN;
    for (size_t i = 0; rln__nesting_get(source->nesting, i, &r); i++) {
        const uint32_t index = by_thread ? r.thread : r.process;
        int64_t alone = INT64_MIN; /* for an unknown thread */

        if (index >= c->n)
            continue;
        c->all[index].n_ranges++;
        if (r.level)
            continue;
        c->all[index].n_outermost++;
        c->all[index].total_ns += time_of_its_own(
            &r, r.thread < c->n_threads ? &c->until_ns[r.thread] : &alone);
    }
}

static int is_counted(const rln_event *event)
{
    return rln__is_program_event(event->type) && event->thread != UINT32_MAX &&
           !(event->flags & RLN_FLAG_DEFERRED);
}

/* With a filter or a window, only its events count: `rln_info` counts all. */
static rln_status recount_events(const struct rln__report_source *source,
                                 uint64_t *n_events)
{
    const rln_event *event;
    rln_events *events;
    rln_status status = rln_events_open(source->reader, &events, source->err);

    while (!status && !(status = rln_events_next(events, &event, source->err)))
        if (is_counted(event))
            n_events[event->thread]++;
    rln_events_close(events);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status count_events(const struct rln__report_source *source,
                               const struct crowd *c)
{
    if (rln__reader_is_restricted(source->reader))
        return recount_events(source, c->n_events);
    for (size_t i = 0; i < c->n_threads; i++)
        c->n_events[i] = rln_info_thread(source->info, (uint32_t)i)->n_events;
    return RLN_OK;
}

/* What the lives of threads were made of, if that is requested. */
static rln_status read_lives(const struct rln__report_source *source, struct crowd *c,
                             int by_thread)
{
    struct rln__cpu_times times;
    struct rln__cpu_split *lives;
    rln_status status;

    if (!rln__report_has_word(source->argument, "cpu"))
        return RLN_OK;
    status = rln__cpu_times_require(source->reader, RLN__NONE, source->err);
    if (!status)
        status = rln__cpu_times_load(&times, source->reader, source->err);
    if (status)
        return status;
    lives = rln__cpu_lives(&times);
    for (uint32_t i = 0; lives && i < c->n_threads; i++) {
        const uint32_t process = rln_info_thread(source->info, i)->process;

        rln__cpu_split_add(&c->all[by_thread ? i : process].split, &lives[i]);
    }
    if (!lives)
        status = rln__fail_nomem(source->err);
    rln__free(lives);
    rln__cpu_times_clear(&times);
    return status;
}

/* On failure there is nothing to clear. */
static rln_status crowd_init(const struct rln__report_source *source, struct crowd *c,
                             int by_thread)
{
    const rln_totals *t = rln_info_totals(source->info);
    rln_status status;

    c->n_threads = t->n_threads;
    c->n = by_thread ? t->n_threads : t->n_processes;
    c->all = rln__alloc(c->n + 1, sizeof(*c->all));
    c->n_events = rln__alloc(c->n_threads + 1, sizeof(*c->n_events));
    c->until_ns = rln__alloc(c->n_threads + 1, sizeof(*c->until_ns));
    if (c->all && c->n_events && c->until_ns) {
        add_up(source, c, by_thread);
        status = count_events(source, c);
        if (!status)
            status = read_lives(source, c, by_thread);
    } else {
        status = rln__fail_nomem(source->err);
    }
    if (status)
        crowd_clear(c);
    return status;
}

static uint64_t sum_of(const struct busy *all, size_t n)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += all[i].total_ns;
    return total;
}

/* With a filter, threads and processes without a match are left out. */
static int is_listed(const struct rln__report_source *source, const struct busy *busy)
{
    return !source->reader->filter || busy->n_ranges || busy->n_events;
}

static void add_busy(const struct rln__report_source *source, rln_report *out,
                     const struct busy *busy, uint64_t total)
{
    rln__report_put_percent(out, busy->total_ns, total);
    rln__report_put_ns(out, busy->total_ns);
    rln__report_put_count(out, busy->n_ranges);
    rln__report_put_count(out, busy->n_outermost);
    rln__report_put_count(out, busy->n_events);
    if (rln__report_has_word(source->argument, "cpu"))
        rln__report_put_split(out, &busy->split);
}

/* What add_busy() puts, and before it. */
#define BUSY                                                                           \
    RLN__NUMBERS("Time (%)"), RLN__TIMES("Total Time"), RLN__NUMBERS("Instances"),     \
        RLN__NUMBERS("Outermost"), RLN__NUMBERS("Events")
#define THREAD RLN__IDS("PID"), RLN__IDS("TID"), RLN__TEXTS("Thread")
#define PROCESS RLN__NUMBERS("Threads"), RLN__IDS("PID"), RLN__TEXTS("Program")

static const rln_report_column threads[] = {BUSY, THREAD};
static const rln_report_column threads_on_processors[] = {BUSY, RLN__SPLIT, THREAD};
static const rln_report_column processes[] = {BUSY, PROCESS};
static const rln_report_column processes_on_processors[] = {BUSY, RLN__SPLIT, PROCESS};

#define LIFE_HELP " (:cpu: with the time on processors)"
#define LIFE_DETAILS                                                                   \
    " On CPU, Preempted, Blocked and Unknown (:cpu): what the life of its "            \
    "threads in windows was made of, in ranges or not, as in cpu_sum."

static rln_status build_threads(const struct rln__report_source *source,
                                rln_report *out)
{
    struct crowd c;
    const rln_status status = crowd_init(source, &c, 1);
    uint64_t total;

    if (status)
        return status;
    total = sum_of(c.all, c.n);
    for (size_t i = 0; i < c.n; i++)
        c.all[i].n_events = c.n_events[i];
    if (rln__report_has_word(source->argument, "cpu"))
        rln__set_columns(out, threads_on_processors, RLN_COUNT(threads_on_processors));
    qsort(c.all, c.n, sizeof(*c.all), by_total);
    for (size_t i = 0; i < c.n; i++) {
        const rln_thread_info *thread = rln_info_thread(source->info, c.all[i].index);

        if (!is_listed(source, &c.all[i]) || thread->is_stream)
            continue;
        add_busy(source, out, &c.all[i], total);
        rln__report_put_id(out, rln_info_process(source->info, thread->process)->pid);
        rln__report_put_id(out, thread->tid);
        rln__report_put_name(out,
                             thread->name.length ? thread->name : thread->system_name);
    }
    crowd_clear(&c);
    return RLN_OK;
}

const struct rln__report_kind rln__report_thread_sum = {
    .about = {.name = "thread_sum",
              .title = "Thread Summary",
              .help = "time in push/pop ranges, by thread" LIFE_HELP,
              .subject = "threads",
              .words = "cpu",
              .details = "One row per thread. Total Time: in at least one push/pop "
                         "range; time in nested ranges counts once. Time (%): share of "
                         "all threads' Total Time. Instances: push/pop ranges; "
                         "Outermost: those inside no other. Events: the calls read. "
                         "Start/end ranges count as events only." LIFE_DETAILS},
    .build = build_threads,
    RLN__COLUMNS(threads),
    .needs = RLN__NEEDS_NESTING | RLN__NEEDS_INFO,
};

static rln_status build_processes(const struct rln__report_source *source,
                                  rln_report *out)
{
    struct crowd c;
    const rln_status status = crowd_init(source, &c, 0);
    uint64_t total;

    if (status)
        return status;
    total = sum_of(c.all, c.n);
    for (size_t i = 0; i < c.n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(source->info, (uint32_t)i);
        struct busy *of = &c.all[thread->process];

        if (thread->is_stream)
            continue;
        of->n_events += c.n_events[i];
        of->n_threads += c.n_events[i] || !rln__reader_is_restricted(source->reader);
    }
    if (rln__report_has_word(source->argument, "cpu"))
        rln__set_columns(out, processes_on_processors,
                         RLN_COUNT(processes_on_processors));
    qsort(c.all, c.n, sizeof(*c.all), by_total);
    for (size_t i = 0; i < c.n; i++) {
        const rln_process_info *p = rln_info_process(source->info, c.all[i].index);

        if (p->is_launcher || !is_listed(source, &c.all[i]))
            continue;
        add_busy(source, out, &c.all[i], total);
        rln__report_put_count(out, c.all[i].n_threads);
        rln__report_put_id(out, p->pid);
        rln__report_put_name(out, p->title.length ? p->title : p->exe);
    }
    crowd_clear(&c);
    return RLN_OK;
}

const struct rln__report_kind rln__report_process_sum = {
    .about = {.name = "process_sum",
              .title = "Process Summary",
              .help = "time in push/pop ranges, by process" LIFE_HELP,
              .subject = "processes",
              .words = "cpu",
              .details =
                  "One row per process, with its threads' values added up: Total "
                  "Time can exceed the run's. It is the time that Threads spent "
                  "in at least one push/pop range. Instances: push/pop ranges; "
                  "Outermost: those inside no other. Events: the calls "
                  "read." LIFE_DETAILS},
    .build = build_processes,
    RLN__COLUMNS(processes),
    .needs = RLN__NEEDS_NESTING | RLN__NEEDS_INFO,
};
