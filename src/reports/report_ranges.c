/* SPDX-License-Identifier: Apache-2.0 */
/* report_ranges.c - the reports that list each range, each thread or each process. */
#include "ranges/nesting_held.h"
#include "reports/report_list.h"
#include "reports/sorted_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/sorter.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"

/* --- nvtx_pushpop_trace ----------------------------------------------------------- */

static const rln_report_column pushpop_trace[] = {
    RLN__TIMES("Start"),      RLN__TIMES("End"),         RLN__TIMES("Duration"),
    RLN__TIMES("DurChild"),   RLN__TIMES("DurNonChild"), RLN__TEXTS("Name"),
    RLN__IDS("PID"),          RLN__IDS("TID"),           RLN__NUMBERS("Lvl"),
    RLN__NUMBERS("NumChild"), RLN__IDS("RangeId"),       RLN__IDS("ParentId"),
    RLN__TEXTS("RangeStack"), RLN__TEXTS("NameTree"),
};

struct by_time {
    int64_t start_ns, end_ns;
    size_t index;
};

/* As nsys: by start, then the shortest first. */
static int compare_times(const void *a, const void *b)
{
    const struct by_time *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* A row spells out at most this many levels, the innermost: whole paths would make the
 * report grow with the square of the depth. */
#define MOST_LEVELS 512

/* ":1:5:9", from the outermost one on; "...:5:9" if it is deeper. */
static void add_stack(rln_report *out, const rln_nesting *nesting, size_t index)
{
    size_t path[MOST_LEVELS], n = 0, at = index;
    rln_nesting_row range;

    while (n < MOST_LEVELS && rln_nesting_get(nesting, at, &range)) {
        path[n++] = at;
        at = range.parent;
    }
    rln__buf_text(rln__report_text(out), at == SIZE_MAX ? "" : "...");
    while (n) {
        rln__buf_char(rln__report_text(out), ':');
        rln__buf_u64(rln__report_text(out), path[--n] + 1);
    }
    rln__report_put_cached_text(out);
}

static void add_name_tree(rln_report *out, const rln_nesting_row *r)
{
    const size_t level = r->level < MOST_LEVELS ? r->level : MOST_LEVELS;

    rln__buf_fill(rln__report_text(out), '-', level * 2);
    rln__report_put_qualified(out, r->domain_name, r->message);
}

static void add_nested(rln_report *out, const rln_nesting *nesting, size_t index)
{
    rln_nesting_row r;
    uint64_t ns;

    (void)rln_nesting_get(nesting, index, &r);
    ns = (uint64_t)(r.end_ns - r.start_ns);
    rln__report_put_time(out, r.start_ns);
    rln__report_put_time(out, r.end_ns);
    rln__report_put_ns(out, ns);
    rln__report_put_ns(out, r.children_ns);
    rln__report_put_ns(out, r.self_ns);
    rln__report_put_qualified(out, r.domain_name, r.message);
    rln__report_put_id(out, r.pid);
    rln__report_put_id(out, r.tid);
    rln__report_put_count(out, r.level);
    rln__report_put_count(out, r.n_children);
    rln__report_put_id(out, index + 1);
    if (r.parent == SIZE_MAX)
        rln__report_put_empty(out);
    else
        rln__report_put_id(out, r.parent + 1);
    add_stack(out, nesting, index);
    add_name_tree(out, &r);
}

struct nested_rows {
    struct rln__row_source source;
    rln_nesting *nesting; /* owned: held */
    struct rln__sorter order;
};

static void next_nested(struct rln__row_source *source, rln_report *out)
{
    struct nested_rows *rows = (struct nested_rows *)source;
    const struct by_time *next = rln__sorter_next(&rows->order);

    add_nested(out, rows->nesting, next->index);
}

static void rewind_nested(struct rln__row_source *source)
{
    rln__sorter_rewind(&((struct nested_rows *)source)->order);
}

static void clear_nested(struct rln__row_source *source)
{
    struct nested_rows *rows = (struct nested_rows *)source;

    rln__sorter_clear(&rows->order);
    rln_nesting_free(rows->nesting);
}

static rln_status sort_nested(struct nested_rows *rows, rln_error *err)
{
    rln_status status = RLN_OK;
    rln_nesting_row r;

    for (size_t i = 0; !status && rln_nesting_get(rows->nesting, i, &r); i++)
        status = rln__sorter_add(&rows->order,
                                 &(struct by_time){r.start_ns, r.end_ns, i}, err);
    return status ? status : rln__sorter_end(&rows->order, err);
}

static rln_status build_pushpop_trace(const struct rln__report_source *source,
                                      rln_report *out)
{
    struct nested_rows *rows = rln__alloc(1, sizeof(*rows));

    if (!rows)
        return rln__fail_nomem(source->err);
    *rows = (struct nested_rows){
        .source = {rln_nesting_count(source->nesting), next_nested, rewind_nested,
                   clear_nested},
        .nesting = rln__nesting_hold(source->nesting),
        .order = {.item_bytes = sizeof(struct by_time), .compare = compare_times},
    };
    rln__set_rows(out, &rows->source);
    return sort_nested(rows, source->err);
}

const struct rln__report_kind rln__report_nvtx_pushpop_trace = {
    .about = {.name = "nvtx_pushpop_trace",
              .title = "NVTX Push/Pop Range Trace",
              .help = "each push/pop range with its enclosing ranges",
              .subject = "NV Tools Extension (NVTX) data",
              .alias = "nvtxpptrace"},
    .build = build_pushpop_trace,
    RLN__COLUMNS(pushpop_trace),
    .needs = RLN__NEEDS_NESTING,
};

/* --- startend_trace --------------------------------------------------------------- */

static const rln_report_column startend_trace[] = {
    RLN__TIMES("Start"), RLN__TIMES("End"),   RLN__TIMES("Duration"),
    RLN__TEXTS("Name"),  RLN__IDS("PID"),     RLN__IDS("TID"),
    RLN__IDS("End PID"), RLN__IDS("End TID"), RLN__NUMBERS("Open"),
    RLN__IDS("RangeId"),
};

/* The cells of its row. */
struct startend {
    int64_t start_ns, end_ns;
    uint64_t id;
    size_t index; /* of equal ones, the first that ended comes first */
    uint32_t pid, tid, end_pid, end_tid;
    int is_open;
    rln_text domain_name, message; /* borrowed from the reader */
};

static int compare_starts(const void *a, const void *b)
{
    const struct startend *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int is_listed_range(const rln_range *range)
{
    return range->style == RLN_RANGE_START_END &&
           !(range->flags & (RLN_FLAG_UNMATCHED | RLN_FLAG_LOST | RLN_FLAG_UNPLACED));
}

static rln_status add_range(struct rln__sorter *all, const rln_range *r, rln_error *err)
{
    return rln__sorter_add(all,
                           &(struct startend){
                               .start_ns = r->start_ns,
                               .end_ns = r->end_ns,
                               .id = r->id,
                               .index = all->n,
                               .pid = r->pid,
                               .tid = r->tid,
                               .end_pid = r->end_pid,
                               .end_tid = r->end_tid,
                               .is_open = (r->flags & RLN_FLAG_OPEN) != 0,
                               .domain_name = r->attributes.domain_name,
                               .message = r->attributes.message,
                           },
                           err);
}

static void put_startend(rln_report *out, const void *item)
{
    const struct startend *r = item;

    rln__report_put_time(out, r->start_ns);
    rln__report_put_time(out, r->end_ns);
    rln__report_put_ns(out, (uint64_t)(r->end_ns - r->start_ns));
    rln__report_put_qualified(out, r->domain_name, r->message);
    rln__report_put_id(out, r->pid);
    rln__report_put_id(out, r->tid);
    if (r->is_open) {
        rln__report_put_empty(out);
        rln__report_put_empty(out);
    } else {
        rln__report_put_id(out, r->end_pid);
        rln__report_put_id(out, r->end_tid);
    }
    rln__report_put_count(out, (uint64_t)r->is_open);
    rln__report_put_id(out, r->id);
}

/* All start/end ranges whose start is known. */
static rln_status build_startend_trace(const struct rln__report_source *source,
                                       rln_report *out)
{
    static const struct rln__sorted_kind kind = {.n_bytes =
                                                     sizeof(struct rln__sorted_rows),
                                                 .item_bytes = sizeof(struct startend),
                                                 .compare = compare_starts,
                                                 .put = put_startend};
    struct rln__sorted_rows *rows = rln__sorted_rows_new(out, &kind);
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status;

    if (!rows)
        return rln__fail_nomem(source->err);
    status = rln_ranges_open(source->reader, &ranges, source->err);
    while (!status && !(status = rln_ranges_next(ranges, &range, source->err))) {
        const rln_range inside = rln__range_inside(source->reader, range);

        if (is_listed_range(range))
            status = add_range(&rows->all, &inside, source->err);
    }
    rln_ranges_close(ranges);
    return rln__sorted_rows_end(rows, status, source->err);
}

const struct rln__report_kind rln__report_startend_trace = {
    .about = {.name = "startend_trace",
              .title = "Start/End Range Trace",
              .help = "each start/end range with both threads",
              .subject = "start/end ranges"},
    .build = build_startend_trace,
    RLN__COLUMNS(startend_trace),
};

/* --- thread_sum and process_sum --------------------------------------------------- */

/* The push/pop ranges of a thread or a process, added up. */
struct busy {
    uint64_t total_ns; /* in any range */
    uint64_t n_ranges, n_outermost;
    uint64_t n_events, n_threads;
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
static uint64_t time_of_its_own(const rln_nesting_row *range, int64_t *until_ns)
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
    rln_nesting_row r;

    for (size_t i = 0; i < c->n; i++)
        c->all[i].index = (uint32_t)i;
    for (size_t i = 0; i < c->n_threads; i++)
        c->until_ns[i] = INT64_MIN;
    for (size_t i = 0; rln_nesting_get(source->nesting, i, &r); i++) {
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
    rln_status status = rln_events_open_filtered(source->reader, &events, source->err);

    while (!status && !(status = rln_events_next(events, &event, source->err)))
        if (is_counted(event))
            n_events[event->thread]++;
    rln_events_close(events);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status count_events(const struct rln__report_source *source,
                               const struct crowd *c)
{
    if (rln_reader_is_restricted(source->reader))
        return recount_events(source, c->n_events);
    for (size_t i = 0; i < c->n_threads; i++)
        c->n_events[i] = rln_info_thread(source->info, (uint32_t)i)->n_events;
    return RLN_OK;
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

static void add_busy(rln_report *out, const struct busy *busy, uint64_t total)
{
    rln__report_put_percent(out, busy->total_ns, total);
    rln__report_put_ns(out, busy->total_ns);
    rln__report_put_count(out, busy->n_ranges);
    rln__report_put_count(out, busy->n_outermost);
    rln__report_put_count(out, busy->n_events);
}

static const rln_report_column threads[] = {
    RLN__NUMBERS("Time (%)"),  RLN__TIMES("Total Time"), RLN__NUMBERS("Instances"),
    RLN__NUMBERS("Outermost"), RLN__NUMBERS("Events"),   RLN__IDS("PID"),
    RLN__IDS("TID"),           RLN__TEXTS("Thread"),
};

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
    qsort(c.all, c.n, sizeof(*c.all), by_total);
    for (size_t i = 0; i < c.n; i++) {
        const rln_thread_info *thread = rln_info_thread(source->info, c.all[i].index);

        if (!is_listed(source, &c.all[i]) || thread->is_stream)
            continue;
        add_busy(out, &c.all[i], total);
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
              .help = "time in push/pop ranges, by thread",
              .subject = "threads"},
    .build = build_threads,
    RLN__COLUMNS(threads),
    .needs = RLN__NEEDS_NESTING | RLN__NEEDS_INFO,
};

static const rln_report_column processes[] = {
    RLN__NUMBERS("Time (%)"),  RLN__TIMES("Total Time"), RLN__NUMBERS("Instances"),
    RLN__NUMBERS("Outermost"), RLN__NUMBERS("Events"),   RLN__NUMBERS("Threads"),
    RLN__IDS("PID"),           RLN__TEXTS("Program"),
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
        of->n_threads += c.n_events[i] || !rln_reader_is_restricted(source->reader);
    }
    qsort(c.all, c.n, sizeof(*c.all), by_total);
    for (size_t i = 0; i < c.n; i++) {
        const rln_process_info *p = rln_info_process(source->info, c.all[i].index);

        if (p->is_launcher || !is_listed(source, &c.all[i]))
            continue;
        add_busy(out, &c.all[i], total);
        rln__report_put_count(out, c.all[i].n_threads);
        rln__report_put_id(out, p->pid);
        rln__report_put_name(out, p->exe);
    }
    crowd_clear(&c);
    return RLN_OK;
}

const struct rln__report_kind rln__report_process_sum = {
    .about = {.name = "process_sum",
              .title = "Process Summary",
              .help = "time in push/pop ranges, by process",
              .subject = "processes"},
    .build = build_processes,
    RLN__COLUMNS(processes),
    .needs = RLN__NEEDS_NESTING | RLN__NEEDS_INFO,
};
