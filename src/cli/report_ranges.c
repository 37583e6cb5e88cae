/* SPDX-License-Identifier: Apache-2.0 */
/* report_ranges.c - the reports that list each range, each thread or each process. */
#include "cli/cells.h"
#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/die.h"
#include "cli/opened.h"
#include "model/chosen.h"

/* --- nvtx_pushpop_trace ----------------------------------------------------------- */

static const struct rln__column pushpop_trace[] = {
    {"Start (@)", RLN__NUMBER},
    {"End (@)", RLN__NUMBER},
    {"Duration (@)", RLN__NUMBER},
    {"DurChild (@)", RLN__NUMBER},
    {"DurNonChild (@)", RLN__NUMBER},
    {"Name", RLN__TEXT},
    {"PID", RLN__ID},
    {"TID", RLN__ID},
    {"Lvl", RLN__NUMBER},
    {"NumChild", RLN__NUMBER},
    {"RangeId", RLN__ID},
    {"ParentId", RLN__ID},
    {"RangeStack", RLN__TEXT},
    {"NameTree", RLN__TEXT},
};

struct by_time {
    int64_t start_ns, end_ns;
    size_t index;
};

/* As nsys: by start, and then the shortest first. */
static int compare_times(const void *a, const void *b)
{
    const struct by_time *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Of a row of deeper ranges so many levels are spelled out, the innermost: whole paths
 * would make the report grow with the square of the depth. */
#define MOST_LEVELS 512

/* ":1:5:9", from the outermost one on; "...:5:9" of one that is deeper. */
static void add_stack(struct rln__table *t, const rln_nesting *nesting, size_t index)
{
    size_t path[MOST_LEVELS], n = 0, at = index;
    rln_nested range;

    while (n < MOST_LEVELS && rln_nesting_get(nesting, at, &range)) {
        path[n++] = at;
        at = range.parent;
    }
    rln__buf_text(&t->text, at == SIZE_MAX ? "" : "...");
    while (n) {
        rln__buf_char(&t->text, ':');
        rln__buf_u64(&t->text, path[--n] + 1);
    }
    rln__table_cell(t);
}

static void add_name_tree(struct rln__table *t, const rln_nested *r)
{
    const size_t level = r->level < MOST_LEVELS ? r->level : MOST_LEVELS;

    rln__buf_fill(&t->text, '-', level * 2);
    rln__cell_qualified(t, r->domain_name, r->message);
}

static void add_nested(struct rln__table *t, const struct rln__report_look *look,
                       const rln_nesting *nesting, size_t index)
{
    rln_nested r;
    uint64_t ns;

    (void)rln_nesting_get(nesting, index, &r);
    ns = (uint64_t)(r.end_ns - r.start_ns);
    rln__cell_moment(t, look, r.start_ns);
    rln__cell_moment(t, look, r.end_ns);
    rln__cell_ns(t, look, ns);
    rln__cell_ns(t, look, r.children_ns);
    rln__cell_ns(t, look, r.self_ns);
    rln__cell_qualified(t, r.domain_name, r.message);
    rln__cell_plain(t, r.pid, true);
    rln__cell_plain(t, r.tid, true);
    rln__cell_count(t, look, r.level);
    rln__cell_count(t, look, r.n_children);
    rln__cell_plain(t, index + 1, true);
    rln__cell_plain(t, r.parent + 1, r.parent != SIZE_MAX);
    add_stack(t, nesting, index);
    add_name_tree(t, &r);
}

bool rln__fill_pushpop_trace(const struct rln__report *report,
                             const struct rln__report_data *data,
                             const struct rln__report_look *look, struct rln__table *t)
{
    const size_t n = rln_nesting_count(data->nesting);
    struct by_time *order = calloc(n + 1, sizeof(*order)); /* owned */

    (void)report;
    if (!order)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__table_init(t, pushpop_trace, RLN_COUNT(pushpop_trace));
    for (size_t i = 0; i < n; i++) {
        rln_nested r;

        (void)rln_nesting_get(data->nesting, i, &r);
        order[i] = (struct by_time){r.start_ns, r.end_ns, i};
    }
    qsort(order, n, sizeof(*order), compare_times);
    for (size_t i = 0; i < n; i++)
        add_nested(t, look, data->nesting, order[i].index);
    free(order);
    return n > 0;
}

/* --- startend_trace --------------------------------------------------------------- */

static const struct rln__column startend_trace[] = {
    {"Start (@)", RLN__NUMBER}, {"End (@)", RLN__NUMBER}, {"Duration (@)", RLN__NUMBER},
    {"Name", RLN__TEXT},        {"PID", RLN__ID},         {"TID", RLN__ID},
    {"End PID", RLN__ID},       {"End TID", RLN__ID},     {"Open", RLN__NUMBER},
    {"RangeId", RLN__ID},
};

static int compare_starts(const void *a, const void *b)
{
    const rln_range *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* All start/end ranges of which both ends, or the start, are known. Owned. */
static rln_range *collect_startend(rln_reader *reader, size_t *n)
{
    const rln_range *range;
    rln_range *all = NULL;
    rln_ranges *ranges;
    rln_error err = {0};
    size_t capacity = 0;
    rln_status status = rln_ranges_open(reader, &ranges, &err);

    rln__die_if(status, &err);
    *n = 0;
    while ((status = rln_ranges_next(ranges, &range, &err)) == RLN_OK) {
        if (range->style != RLN_RANGE_START_END ||
            range->flags & (RLN_FLAG_UNMATCHED | RLN_FLAG_LOST | RLN_FLAG_UNPLACED))
            continue;
        if (*n == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            all = realloc(all, capacity * sizeof(*all));
            if (!all)
                rln__die(RLN__EXIT_FAILED, "out of memory");
        }
        all[(*n)++] = rln__range_inside(reader, range);
    }
    if (status != RLN_END)
        rln__die_if(status, &err);
    rln_ranges_close(ranges);
    if (*n)
        qsort(all, *n, sizeof(*all), compare_starts);
    return all;
}

bool rln__fill_startend_trace(const struct rln__report *report,
                              const struct rln__report_data *data,
                              const struct rln__report_look *look, struct rln__table *t)
{
    size_t n;
    rln_range *all = collect_startend(data->reader, &n); /* owned */

    (void)report;
    rln__table_init(t, startend_trace, RLN_COUNT(startend_trace));
    for (size_t i = 0; i < n; i++) {
        const rln_range *r = &all[i];

        rln__cell_moment(t, look, r->start_ns);
        rln__cell_moment(t, look, r->end_ns);
        rln__cell_ns(t, look, (uint64_t)(r->end_ns - r->start_ns));
        rln__cell_qualified(t, r->with.domain_name, r->with.message);
        rln__cell_plain(t, r->pid, true);
        rln__cell_plain(t, r->tid, true);
        rln__cell_plain(t, r->end_pid, !(r->flags & RLN_FLAG_OPEN));
        rln__cell_plain(t, r->end_tid, !(r->flags & RLN_FLAG_OPEN));
        rln__cell_count(t, look, (r->flags & RLN_FLAG_OPEN) != 0);
        rln__cell_plain(t, (size_t)r->id, true);
    }
    free(all);
    return n > 0;
}

/* --- thread_sum and process_sum --------------------------------------------------- */

/* What push/pop ranges say of a thread or of a process. */
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

/* Outermost ranges of a thread may overlap, of two domains or submitted afterwards: the
 * time of one that those before it did not have. They come in the order of starts. */
static uint64_t time_of_its_own(const rln_nested *range, int64_t *until_ns)
{
    const int64_t start_ns = range->start_ns > *until_ns ? range->start_ns : *until_ns;

    if (range->end_ns <= start_ns)
        return 0;
    *until_ns = range->end_ns;
    return (uint64_t)(range->end_ns - start_ns);
}

/* Of each thread, or of each process. Owned. */
static struct busy *add_up(const struct rln__report_data *data, size_t n,
                           bool by_thread)
{
    const size_t n_threads = rln_info_totals(data->info)->n_threads;
    struct busy *all = calloc(n + 1, sizeof(*all));
    int64_t *until_ns = calloc(n_threads + 1, sizeof(*until_ns)); /* owned */
    rln_nested r;

    if (!all || !until_ns)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (size_t i = 0; i < n; i++)
        all[i].index = (uint32_t)i;
    for (size_t i = 0; i < n_threads; i++)
        until_ns[i] = INT64_MIN;
    for (size_t i = 0; rln_nesting_get(data->nesting, i, &r); i++) {
        const uint32_t index = by_thread ? r.thread : r.process;
        int64_t alone = INT64_MIN; /* of a thread that is not known */

        if (index >= n)
            continue;
        all[index].n_ranges++;
        if (r.level)
            continue;
        all[index].n_outermost++;
        all[index].total_ns +=
            time_of_its_own(&r, r.thread < n_threads ? &until_ns[r.thread] : &alone);
    }
    free(until_ns);
    return all;
}

static bool is_restricted(const struct rln__report_data *data)
{
    return data->reader->filter || data->reader->span.is_window;
}

/* With a filter, or of a time, the events are those of it: `rln_info` counts all. */
static void recount_events(const struct rln__report_data *data, uint64_t *n_events)
{
    rln_reader *reader = data->reader;
    const rln_event *event;
    struct rln__chosen chosen;
    rln_events *events;
    rln_error err = {0};
    rln_status status;

    rln__die_if(rln__chosen_init(&chosen, reader, reader->filter, &err), &err);
    rln__die_if(rln_events_open(reader, &events, &err), &err);
    while ((status = rln_events_next(events, &event, &err)) == RLN_OK) {
        int is_wanted;

        if (!rln__is_said(event->type) || event->thread == UINT32_MAX ||
            event->flags & RLN_FLAG_DEFERRED)
            continue;
        rln__die_if(rln__chosen_ask(&chosen, events, event, &is_wanted, &err), &err);
        n_events[event->thread] += (uint64_t)is_wanted;
    }
    if (status != RLN_END)
        rln__die_if(status, &err);
    rln_events_close(events);
    rln__chosen_clear(&chosen);
}

/* Of each thread. Owned. */
static uint64_t *count_events(const struct rln__report_data *data)
{
    const size_t n = rln_info_totals(data->info)->n_threads;
    uint64_t *n_events = calloc(n + 1, sizeof(*n_events));

    if (!n_events)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    if (is_restricted(data))
        recount_events(data, n_events);
    else
        for (size_t i = 0; i < n; i++)
            n_events[i] = rln_info_thread(data->info, (uint32_t)i)->n_events;
    return n_events;
}

static uint64_t sum_of(const struct busy *all, size_t n)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += all[i].total_ns;
    return total;
}

/* With a filter, those that have nothing of what it lets through do not matter. */
static bool is_listed(const struct rln__report_data *data, const struct busy *busy)
{
    return !data->reader->filter || busy->n_ranges || busy->n_events;
}

static void add_busy(struct rln__table *t, const struct rln__report_look *look,
                     const struct busy *busy, uint64_t total)
{
    rln__cell_percent(t, busy->total_ns, total);
    rln__cell_ns(t, look, busy->total_ns);
    rln__cell_count(t, look, busy->n_ranges);
    rln__cell_count(t, look, busy->n_outermost);
    rln__cell_count(t, look, busy->n_events);
}

static const struct rln__column threads[] = {
    {"Time (%)", RLN__NUMBER},  {"Total Time (@)", RLN__NUMBER},
    {"Instances", RLN__NUMBER}, {"Outermost", RLN__NUMBER},
    {"Events", RLN__NUMBER},    {"PID", RLN__ID},
    {"TID", RLN__ID},           {"Thread", RLN__TEXT},
};

bool rln__fill_threads(const struct rln__report *report,
                       const struct rln__report_data *data,
                       const struct rln__report_look *look, struct rln__table *t)
{
    const size_t n = rln_info_totals(data->info)->n_threads;
    struct busy *all = add_up(data, n, true); /* owned, as the next */
    uint64_t *n_events = count_events(data);
    const uint64_t total = sum_of(all, n);
    bool has_rows = false;

    (void)report;
    rln__table_init(t, threads, RLN_COUNT(threads));
    for (size_t i = 0; i < n; i++)
        all[i].n_events = n_events[i];
    free(n_events);
    qsort(all, n, sizeof(*all), by_total);
    for (size_t i = 0; i < n; i++) {
        const rln_thread_info *thread = rln_info_thread(data->info, all[i].index);

        if (!is_listed(data, &all[i]))
            continue;
        has_rows = true;
        add_busy(t, look, &all[i], total);
        rln__cell_plain(t, rln_info_process(data->info, thread->process)->pid, true);
        rln__cell_plain(t, thread->tid, true);
        rln__cell_name(t, thread->name.length ? thread->name : thread->system_name);
    }
    free(all);
    return has_rows;
}

static const struct rln__column processes[] = {
    {"Time (%)", RLN__NUMBER},  {"Total Time (@)", RLN__NUMBER},
    {"Instances", RLN__NUMBER}, {"Outermost", RLN__NUMBER},
    {"Events", RLN__NUMBER},    {"Threads", RLN__NUMBER},
    {"PID", RLN__ID},           {"Program", RLN__TEXT},
};

bool rln__fill_processes(const struct rln__report *report,
                         const struct rln__report_data *data,
                         const struct rln__report_look *look, struct rln__table *t)
{
    const size_t n = rln_info_totals(data->info)->n_processes;
    const size_t n_threads = rln_info_totals(data->info)->n_threads;
    struct busy *all = add_up(data, n, false); /* owned, as the next */
    uint64_t *n_events = count_events(data);
    const uint64_t total = sum_of(all, n);
    bool has_rows = false;

    (void)report;
    rln__table_init(t, processes, RLN_COUNT(processes));
    for (size_t i = 0; i < n_threads; i++) {
        struct busy *of = &all[rln_info_thread(data->info, (uint32_t)i)->process];

        of->n_events += n_events[i];
        of->n_threads += n_events[i] || !is_restricted(data);
    }
    free(n_events);
    qsort(all, n, sizeof(*all), by_total);
    for (size_t i = 0; i < n; i++) {
        const rln_process_info *p = rln_info_process(data->info, all[i].index);

        if (p->is_launcher || !is_listed(data, &all[i]))
            continue;
        add_busy(t, look, &all[i], total);
        rln__cell_count(t, look, all[i].n_threads);
        rln__cell_plain(t, p->pid, true);
        rln__cell_name(t, p->exe);
        has_rows = true;
    }
    free(all);
    return has_rows;
}
