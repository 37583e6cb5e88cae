/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_ranges.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/sorter.h"
#include "reports/gpu/gpu_open.h"
#include "trace/open/load.h"

#include <stdlib.h>
#include <string.h>

/* A range that has not begun yet. */
struct coming {
    int64_t start_ns, end_ns;
    uint32_t number; /* in the order in which they were read */
    uint32_t name, thread;
    uint32_t depth; /* in its domain */
    rln_range_style style;
};

struct thread {
    uint32_t pid, tid;
    struct rln__gpu_open open;
};

struct join {
    rln_reader *reader; /* borrowed, as the next two */
    struct rln__range_names *names;
    const struct rln__gpu_visitor *visitor;
    unsigned rules;
    struct rln__sorter ranges;
    uint32_t n_begun;
    struct thread *threads; /* owned */
    size_t n_threads, threads_capacity;
    struct rln__key_index threads_by_id; /* {process, tid} */
};

/* --- Ranges ----------------------------------------------------------------------- */

/* Threads are identified by tid: two threads of the reader may be one whose ranges
 * cross. */
static struct thread *thread_of(struct join *j, uint32_t process, uint32_t tid,
                                uint32_t *out)
{
    const struct rln__key key = {{process, tid}};

    *out = rln__key_index_number(&j->threads_by_id, &key);
    return rln__key_index_item(&j->threads, &j->n_threads, &j->threads_capacity, *out,
                               sizeof(*j->threads));
}

static rln_status name_range(struct join *j, rln_ranges *ranges, const rln_range *range,
                             uint32_t *out, rln_error *err)
{
    if (j->visitor->name)
        return j->visitor->name(j->visitor->context, ranges, range, out, err);
    return rln__range_names_number(j->names, &range->attributes, out)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

static rln_status add_range(struct join *j, rln_ranges *ranges, const rln_range *range,
                            rln_error *err)
{
    struct coming coming = {
        .start_ns = range->start_ns,
        .end_ns = range->end_ns,
        .number = (uint32_t)j->ranges.n,
        .depth = range->depth,
        .style = range->style,
    };
    struct thread *thread;
    rln_status status;

    if (range->flags & (RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED | RLN_FLAG_LOST) ||
        range->thread == UINT32_MAX || range->style > RLN_RANGE_START_END ||
        range->tid != range->end_tid || range->process != range->end_process)
        return RLN_OK;
    status = name_range(j, ranges, range, &coming.name, err);
    if (status)
        return status == RLN_END ? RLN_OK : status;
    thread = thread_of(j, range->process, range->tid, &coming.thread);
    if (!thread || coming.number == RLN__NO_RANGE)
        return rln__fail_nomem(err);
    thread->pid = range->pid;
    thread->tid = range->tid;
    return rln__sorter_add(&j->ranges, &coming, err);
}

static rln_status read_ranges(struct join *j, rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(j->reader, &ranges, err);

    if (status)
        return status;
    while (!status && (status = rln_ranges_next(ranges, &range, err)) == RLN_OK)
        status = add_range(j, ranges, range, err);
    rln_ranges_close(ranges);
    return status == RLN_END ? rln__sorter_end(&j->ranges, err) : status;
}

/* The outer one first. */
static int by_beginning(const void *a, const void *b)
{
    const struct coming *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* --- Open ranges ------------------------------------------------------------------ */

/* Ends those that end before `t_ns`. */
static int expire(const struct join *j, struct thread *t, int64_t t_ns)
{
    const struct rln__gpu_range *range;

    while ((range = rln__gpu_open_take(&t->open, t_ns)))
        if (j->visitor->end && j->visitor->end(j->visitor->context, range))
            return -1;
    return 0;
}

static int begin(struct join *j, const struct coming *coming)
{
    struct thread *t = &j->threads[coming->thread];
    struct rln__gpu_range r = {
        .start_ns = coming->start_ns,
        .end_ns = coming->end_ns,
        .number = j->n_begun++,
        .name = coming->name,
        .thread = coming->thread,
        .parent = RLN__NO_RANGE,
        .pid = t->pid,
        .tid = t->tid,
        .style = coming->style,
    };
    struct rln__gpu_range *parent;

    if (expire(j, t, r.start_ns))
        return -1;
    parent = rln__gpu_open_around(&t->open, r.end_ns);
    if (parent) {
        parent->n_children++;
        r.parent = parent->number;
        r.level = parent->level + 1;
    }
    return rln__gpu_open_add(&t->open, &r);
}

/* --- Operations ------------------------------------------------------------------- */

/* With the ranges of a thread that are around its call: 1 if there are
 * any, -1 when there is no memory. */
static int visit_op_in(struct join *j, const struct rln__gpu_op *op, uint32_t tid)
{
    const struct rln__gpu_visitor *visitor = j->visitor;
    uint32_t number;
    struct thread *t = thread_of(j, op->process, tid, &number);
    const struct rln__gpu_call_span call = rln__gpu_op_span(op);
    int has_any = 0;

    if (!t || expire(j, t, call.from_ns))
        return -1;
    for (uint32_t i = t->open.first; i; i = t->open.items[i - 1].after) {
        struct rln__gpu_range *range = &t->open.items[i - 1].range;

        if (!rln__gpu_is_around(&call, range->start_ns, range->end_ns))
            continue;
        has_any = 1;
        if (visitor->op(visitor->context, op, range))
            return -1;
    }
    return has_any;
}

static int visit_op(struct join *j, const struct rln__gpu_op *op)
{
    int what = visit_op_in(j, op, op->tid);

    if (!what && j->rules & RLN__GPU_BY_ADOPTION)
        what = visit_op_in(j, op, rln__gpu_adopter(j->reader, op->process));
    /* With a window or a filter, it may belong to a range that was left out. */
    if (what || j->reader->span.is_window || j->reader->filter)
        return what < 0 ? what : 0;
    return j->visitor->op(j->visitor->context, op, NULL);
}

/* As the operations are read, except where the middles of calls count. */
static int by_call(const void *a, const void *b)
{
    const struct rln__gpu_op *x = *(const struct rln__gpu_op *const *)a;
    const struct rln__gpu_op *y = *(const struct rln__gpu_op *const *)b;
    const int64_t x_ns = rln__gpu_call_from(x), y_ns = rln__gpu_call_from(y);

    return x_ns != y_ns ? (x_ns > y_ns) - (x_ns < y_ns) : (x > y) - (x < y);
}

/* In the order of their calls; NULL when there is no memory. */
static const struct rln__gpu_op **sort_ops(const struct rln__gpu_op *ops, size_t n)
{
    const struct rln__gpu_op **sorted = rln__alloc(n + 1, sizeof(*sorted));

    for (size_t i = 0; i < n && sorted; i++)
        sorted[i] = &ops[i];
    if (sorted && n)
        qsort(sorted, n, sizeof(*sorted), by_call);
    return sorted;
}

/* A range that begins with a call is around it. */
static int merge(struct join *j, const struct rln__gpu_op **ops, size_t n_ops)
{
    const struct coming *next = rln__sorter_next(&j->ranges);

    for (size_t i = 0; i < n_ops || next;) {
        if (next && (i == n_ops || next->start_ns <= rln__gpu_call_from(ops[i]))) {
            if (begin(j, next))
                return -1;
            next = rln__sorter_next(&j->ranges);
        } else if (visit_op(j, ops[i++])) {
            return -1;
        }
    }
    for (size_t i = 0; i < j->n_threads; i++) {
        if (expire(j, &j->threads[i], INT64_MAX))
            return -1;
    }
    return 0;
}

rln_status rln__gpu_ranges_visit(rln_reader *reader,
                                 const struct rln__gpu_choice *choice,
                                 struct rln__range_names *names,
                                 const struct rln__gpu_visitor *visitor, rln_error *err)
{
    struct join j = {
        .reader = reader,
        .names = names,
        .visitor = visitor,
        .rules = choice->rules,
        .ranges = {.item_bytes = sizeof(struct coming), .compare = by_beginning},
    };
    const struct rln__gpu_op **sorted; /* owned */
    struct rln__gpu_op *ops = NULL;    /* owned */
    size_t n_ops = 0;
    rln_status status = read_ranges(&j, err);

    if (!status)
        status = rln__gpu_ops_read(reader, choice, &ops, &n_ops, err);
    sorted = status ? NULL : sort_ops(ops, n_ops);
    if (!status && (!sorted || merge(&j, sorted, n_ops)))
        status = rln__fail_nomem(err);
    rln__free(sorted);
    for (size_t i = 0; i < j.n_threads; i++)
        rln__gpu_open_clear(&j.threads[i].open);
    rln__free(j.threads);
    rln__free(ops);
    rln__sorter_clear(&j.ranges);
    rln__key_index_clear(&j.threads_by_id);
    return status;
}
