/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_ops.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/gpu/graph_nodes.h"

#include <stdlib.h>
#include <string.h>

#define NO_CALL INT64_MAX

struct search {
    struct rln__gpu_work work;
    struct rln__gpu_op *ops; /* owned until it is handed to the caller */
    size_t n, capacity;
};

static uint64_t node_of(enum rln__gpu_kind kind, const union rln__gpu_element *e)
{
    return kind == RLN__GPU_KERNEL ? e->kernel.graph_node
           : kind == RLN__GPU_COPY ? e->copy.graph_node
           : kind == RLN__GPU_SET  ? e->set.graph_node
                                   : 0;
}

static rln_status add_op(struct search *s, rln_error *err)
{
    const struct rln__gpu_event *e = s->work.event;
    union rln__gpu_element op;
    struct rln__gpu_op *added;

    if (e->why_unplaced || !e->correlation) /* 0: no call requested it */
        return RLN_OK;
    added = rln__append(&s->ops, &s->n, &s->capacity, sizeof(*added));
    if (!added)
        return rln__fail_nomem(err);
    rln__gpu_work_element(&s->work, &op, sizeof(op));
    *added = (struct rln__gpu_op){
        .start_ns = e->start_ns,
        .end_ns = e->end_ns,
        .call_start_ns = NO_CALL,
        .process = s->work.batch->process,
        .correlation = e->correlation,
        .name = s->work.name,
        .device = op.kernel.at.device,
        .graph_node = node_of(s->work.batch->kind, &op),
    };
    if (s->work.batch->kind == RLN__GPU_KERNEL)
        added->shape = rln__gpu_work_shape(&s->work);
    return RLN_OK;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_correlation(const void *a, const void *b)
{
    const struct rln__gpu_op *x = a, *y = b;
    const int order = compare(x->process, y->process);

    return order ? order : compare(x->correlation, y->correlation);
}

/* The first operation of that process and correlation, or the end. */
static size_t find(const struct search *s, const struct rln__gpu_op *like)
{
    size_t low = 0, high = s->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (by_correlation(&s->ops[middle], like) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first operation of a correlation gets its earliest call. */
static void add_call(struct search *s)
{
    const struct rln__gpu_event *e = s->work.event;
    const struct rln__gpu_op like = {.process = s->work.batch->process,
                                     .correlation = e->correlation};
    struct rln__gpu_op *first = &s->ops[find(s, &like)];

    if (e->why_unplaced || first == s->ops + s->n ||
        by_correlation(first, &like) != 0 || e->start_ns >= first->call_start_ns)
        return;
    first->call_start_ns = e->start_ns;
    first->call_end_ns = e->end_ns;
    first->is_by_other_clock = s->work.batch->is_by_other_clock;
    first->tid = e->tid;
    first->call_name = s->work.name;
}

static int by_call(const void *a, const void *b)
{
    const struct rln__gpu_op *x = a, *y = b;

    if (x->call_start_ns != y->call_start_ns)
        return x->call_start_ns < y->call_start_ns ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    if (x->call_end_ns != y->call_end_ns)
        return x->call_end_ns < y->call_end_ns ? -1 : 1;
    if (x->correlation != y->correlation) /* those of one call come in sequence */
        return x->correlation < y->correlation ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return compare(x->name, y->name);
}

/* All operations of a correlation get the call of the first; only those with a call
 * stay. */
static void settle(struct search *s)
{
    size_t n = 0;

    for (size_t i = 1; i < s->n; i++) {
        const struct rln__gpu_op *first = &s->ops[i - 1];

        if (by_correlation(first, &s->ops[i]) != 0)
            continue;
        s->ops[i].call_start_ns = first->call_start_ns;
        s->ops[i].call_end_ns = first->call_end_ns;
        s->ops[i].is_by_other_clock = first->is_by_other_clock;
        s->ops[i].tid = first->tid;
        s->ops[i].call_name = first->call_name;
    }

    for (size_t i = 0; i < s->n; i++) {
        if (s->ops[i].call_start_ns != NO_CALL)
            s->ops[n++] = s->ops[i];
    }
    s->n = n;
    if (n)
        qsort(s->ops, n, sizeof(*s->ops), by_call);
}

static rln_status read_all(struct search *s, rln_error *err)
{
    static const struct rln__gpu_choice calls = {.kinds = RLN__GPU_CALLS};
    rln_status status;

    while (!(status = rln__gpu_work_next(&s->work, err))) {
        status = add_op(s, err);
        if (status)
            return status;
    }
    if (status != RLN_END || !s->n)
        return status == RLN_END ? RLN_OK : status;
    qsort(s->ops, s->n, sizeof(*s->ops), by_correlation);
    rln__gpu_work_restart(&s->work, &calls);
    while (!(status = rln__gpu_work_next(&s->work, err)))
        add_call(s);
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__gpu_ops_read(rln_reader *reader, const struct rln__gpu_choice *choice,
                             struct rln__gpu_op **out, size_t *n, rln_error *err)
{
    const int is_by_capture = (choice->rules & RLN__GPU_BY_CAPTURE) != 0;
    const struct rln__gpu_choice all = {.kinds = choice->kinds | RLN__GPU_CALLS |
                                                 (is_by_capture ? RLN__GPU_NODES : 0)};
    struct search s = {.n = 0};
    rln_status status = rln__gpu_work_init(&s.work, reader, &all, err);

    *out = NULL;
    *n = 0;
    if (status)
        return status;
    rln__gpu_work_restart(&s.work, choice);
    status = read_all(&s, err);
    if (!status)
        settle(&s);
    if (!status && is_by_capture) {
        status = rln__graph_nodes_apply(&s.work, s.ops, s.n, err);
        if (s.n)
            qsort(s.ops, s.n, sizeof(*s.ops), by_call);
    }
    rln__gpu_work_clear(&s.work);
    if (status) {
        rln__free(s.ops);
        return status;
    }
    *out = s.ops;
    *n = s.n;
    return RLN_OK;
}
