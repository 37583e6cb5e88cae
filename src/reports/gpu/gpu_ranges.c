/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_ranges.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "trace/open/load.h"

#include <stdlib.h>
#include <string.h>

/* --- Ranges ----------------------------------------------------------------------- */

/* Threads are identified by tid: two threads of the reader may be one whose ranges
 * cross. */
static struct rln__gpu_thread *thread_of(struct rln__gpu_ranges *g, size_t file,
                                         uint32_t pid, uint32_t tid, uint32_t *out)
{
    const struct rln__key key = {{file, pid, tid}};

    *out = rln__key_index_number(&g->threads_by_id, &key);
    return rln__key_index_item(&g->threads, &g->n_threads, &g->threads_capacity, *out,
                               sizeof(*g->threads));
}

static size_t file_of(const rln_reader *reader, uint32_t process)
{
    const uint32_t part = reader->names.processes[process].part;
    size_t file = 0;

    while (file < reader->n_files &&
           reader->files[file] != reader->layout.parts[part].file)
        file++;
    return file;
}

static int add_range(struct rln__gpu_ranges *g, const rln_range *range)
{
    struct rln__gpu_range *all;
    uint32_t name, thread;

    if (range->flags & (RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED | RLN_FLAG_LOST) ||
        range->thread == UINT32_MAX || range->style > RLN_RANGE_START_END ||
        range->tid != range->end_tid || range->process != range->end_process)
        return 0;
    all = rln__grow(g->all, &g->capacity, g->n + 1, sizeof(*all));
    if (!all)
        return -1;
    g->all = all;
    if (g->n >= RLN__NO_RANGE ||
        rln__range_names_number(&g->names, &range->attributes, &name) ||
        !thread_of(g, file_of(g->reader, range->process), range->pid, range->tid,
                   &thread))
        return -1;
    all[g->n++] = (struct rln__gpu_range){
        .start_ns = range->start_ns,
        .end_ns = range->end_ns,
        .name = name,
        .thread = thread,
        .parent = RLN__NO_RANGE,
        .level =
            range->depth, /* in its domain, until nest() has found it across domains */
        .pid = range->pid,
        .tid = range->tid,
        .style = range->style,
    };
    return 0;
}

static rln_status read_ranges(struct rln__gpu_ranges *g, rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(g->reader, &ranges, err);

    if (status)
        return status;
    while ((status = rln_ranges_next(ranges, &range, err)) == RLN_OK) {
        if (add_range(g, range)) {
            status = rln__fail_nomem(err);
            break;
        }
    }
    rln_ranges_close(ranges);
    return status == RLN_END ? RLN_OK : status;
}

/* The outer one first. */
static int by_beginning(const void *a, const void *b)
{
    const struct rln__gpu_range *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

/* --- Enclosing and inner ranges --------------------------------------------------- */

static int append(uint32_t **items, size_t *n, size_t *capacity, uint32_t item)
{
    uint32_t *moved = rln__grow(*items, capacity, *n + 1, sizeof(*moved));

    if (!moved)
        return -1;
    *items = moved;
    moved[(*n)++] = item;
    return 0;
}

/* Removes ranges that end before `t_ns`. */
static void expire(const struct rln__gpu_ranges *g, struct rln__gpu_thread *t,
                   int64_t t_ns)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n_active; i++) {
        if (g->all[t->active[i]].end_ns >= t_ns)
            t->active[n++] = t->active[i];
    }
    t->n_active = n;
}

/* Among equally short ranges, the parent is the inner one, which began last. */
static int nest(struct rln__gpu_ranges *g, uint32_t index)
{
    struct rln__gpu_range *r = &g->all[index];
    struct rln__gpu_thread *t = &g->threads[r->thread];
    uint64_t shortest = UINT64_MAX;

    expire(g, t, r->start_ns);
    for (size_t i = 0; i < t->n_active; i++) {
        const struct rln__gpu_range *around = &g->all[t->active[i]];
        const uint64_t ns = (uint64_t)around->end_ns - (uint64_t)around->start_ns;

        if (around->end_ns < r->end_ns || ns > shortest)
            continue;
        shortest = ns;
        r->parent = t->active[i];
    }
    r->level = 0;
    if (r->parent != RLN__NO_RANGE) {
        r->level = g->all[r->parent].level + 1;
        g->all[r->parent].n_children++;
    }
    return append(&t->active, &t->n_active, &t->active_capacity, index) ||
           append(&t->ranges, &t->n, &t->capacity, index);
}

rln_status rln__gpu_ranges_read(struct rln__gpu_ranges *g, rln_reader *reader,
                                rln_error *err)
{
    rln_status status;

    memset(g, 0, sizeof(*g));
    g->reader = reader;
    status = read_ranges(g, err);
    if (!status && g->n)
        qsort(g->all, g->n, sizeof(*g->all), by_beginning);
    for (size_t i = 0; i < g->n && !status; i++) {
        if (nest(g, (uint32_t)i))
            status = rln__fail_nomem(err);
    }
    if (status)
        rln__gpu_ranges_clear(g);
    return status;
}

void rln__gpu_ranges_clear(struct rln__gpu_ranges *g)
{
    for (size_t i = 0; i < g->n_threads; i++) {
        rln__free(g->threads[i].ranges);
        rln__free(g->threads[i].active);
    }
    rln__free(g->all);
    rln__range_names_clear(&g->names);
    rln__free(g->threads);
    rln__key_index_clear(&g->threads_by_id);
    memset(g, 0, sizeof(*g));
}

/* --- What GPUs did ---------------------------------------------------------------- */

/* Operations of a thread come in the order of their calls. */
static int visit_op(struct rln__gpu_ranges *g, const struct rln__gpu_op *op,
                    rln__gpu_visit *visit, void *context)
{
    const uint32_t pid = g->reader->names.processes[op->process].record.pid;
    uint32_t number;
    struct rln__gpu_thread *t =
        thread_of(g, file_of(g->reader, op->process), pid, op->tid, &number);
    int has_any = 0;

    if (!t)
        return -1;
    while (t->next < t->n && g->all[t->ranges[t->next]].start_ns <= op->call_start_ns) {
        if (append(&t->active, &t->n_active, &t->active_capacity, t->ranges[t->next++]))
            return -1;
    }
    expire(g, t, op->call_start_ns);
    for (size_t i = 0; i < t->n_active; i++) {
        struct rln__gpu_range *range = &g->all[t->active[i]];

        if (range->end_ns < op->call_end_ns)
            continue;
        has_any = 1;
        if (visit(context, op, range))
            return -1;
    }
    /* With a window or a filter, it may belong to a range that was left out. */
    return has_any || g->reader->span.is_window || g->reader->filter
               ? 0
               : visit(context, op, NULL);
}

rln_status rln__gpu_ranges_visit(struct rln__gpu_ranges *g,
                                 const struct rln__gpu_choice *choice,
                                 rln__gpu_visit *visit, void *context, rln_error *err)
{
    struct rln__gpu_op *ops; /* owned */
    size_t n;
    rln_status status = rln__gpu_ops_read(g->reader, choice, &ops, &n, err);

    for (size_t i = 0; i < g->n_threads; i++)
        g->threads[i].n_active = g->threads[i].next = 0;
    for (size_t i = 0; i < n && !status; i++) {
        if (visit_op(g, &ops[i], visit, context))
            status = rln__fail_nomem(err);
    }
    rln__free(ops);
    return status;
}
