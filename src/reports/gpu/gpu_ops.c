/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_ops.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

#define NO_CALL INT64_MAX

struct search {
    struct rln__gpu_batches batches;
    struct rln__gpu_events events; /* of the batch being read */
    int has_kernels_only;
    enum rln__kernel_name name;
    struct rln__gpu_op *ops; /* owned until it is handed to the caller */
    size_t n, capacity;
};

static int is_operation(const struct search *s, enum rln__gpu_kind kind)
{
    return kind == RLN__GPU_KERNEL ||
           (!s->has_kernels_only &&
            (kind == RLN__GPU_COPY || kind == RLN__GPU_SET || kind == RLN__GPU_GRAPH));
}

/* The attributes with the name in the form that is wanted; where there is none, in the
 * form that the event has. RLN__NONE when there is no memory. */
static uint32_t name_of(struct search *s, const struct rln__gpu_batch *batch,
                        const struct rln__gpu_event *event)
{
    struct rln__gpu_kernel kernel;
    uint64_t handle;

    if (batch->kind != RLN__GPU_KERNEL || s->name == RLN__KERNEL_DEMANGLED)
        return event->attr;
    rln__gpu_element(&s->batches, batch, event, &kernel, sizeof(kernel));
    handle = s->name == RLN__KERNEL_SHORT ? kernel.short_name : kernel.mangled_name;
    return handle ? rln__gpu_name(&s->batches, batch, handle) : event->attr;
}

static rln_status add_ops(struct search *s, const struct rln__gpu_batch *batch,
                          rln_error *err)
{
    struct rln__gpu_op *ops =
        rln__grow(s->ops, &s->capacity, s->n + s->events.n, sizeof(*ops));

    if (!ops)
        return rln__fail_nomem(err);
    s->ops = ops;
    for (size_t i = 0; i < s->events.n; i++) {
        const struct rln__gpu_event *e = &s->events.items[i];
        const uint32_t name = name_of(s, batch, e);

        if (name == RLN__NONE)
            return rln__fail_nomem(err);
        if (e->why_unplaced || !e->correlation) /* 0: no call requested it */
            continue;
        ops[s->n++] = (struct rln__gpu_op){
            .start_ns = e->start_ns,
            .end_ns = e->end_ns,
            .call_start_ns = NO_CALL,
            .process = batch->process,
            .correlation = e->correlation,
            .name = name,
        };
    }
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
static void add_calls(struct search *s, const struct rln__gpu_batch *batch)
{
    size_t first;

    for (size_t i = 0; i < s->events.n; i++) {
        const struct rln__gpu_event *e = &s->events.items[i];
        const struct rln__gpu_op like = {.process = batch->process,
                                         .correlation = e->correlation};

        if (e->why_unplaced)
            continue;
        first = find(s, &like);
        if (first == s->n || by_correlation(&s->ops[first], &like) != 0 ||
            e->start_ns >= s->ops[first].call_start_ns)
            continue;
        s->ops[first].call_start_ns = e->start_ns;
        s->ops[first].call_end_ns = e->end_ns;
        s->ops[first].tid = e->tid;
    }
}

static int by_call(const void *a, const void *b)
{
    const struct rln__gpu_op *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    if (x->call_start_ns != y->call_start_ns)
        return x->call_start_ns < y->call_start_ns ? -1 : 1;
    if (x->call_end_ns != y->call_end_ns)
        return x->call_end_ns < y->call_end_ns ? -1 : 1;
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
        s->ops[i].tid = first->tid;
    }

    for (size_t i = 0; i < s->n; i++) {
        if (s->ops[i].call_start_ns != NO_CALL)
            s->ops[n++] = s->ops[i];
    }
    s->n = n;
    if (n)
        qsort(s->ops, n, sizeof(*s->ops), by_call);
}

/* Reads the batches of operations, or those of calls. */
static rln_status read_batches(struct search *s, int is_for_calls, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < s->batches.n && !status; i++) {
        const struct rln__gpu_batch *batch = &s->batches.all[i];

        if (is_for_calls ? batch->kind != RLN__GPU_CALL : !is_operation(s, batch->kind))
            continue;
        status = rln__gpu_batch_read(&s->batches, batch, &s->events, err);
        if (!status && is_for_calls)
            add_calls(s, batch);
        else if (!status)
            status = add_ops(s, batch, err);
    }
    return status;
}

/* Fails if a table that is needed could not be imported. */
static rln_status check_tables(const struct search *s, const rln_reader *reader,
                               rln_error *err)
{
    for (size_t i = 0; i < reader->n_files; i++) {
        for (enum rln__gpu_kind kind = 0; kind < RLN__N_GPU_KINDS; kind++) {
            const char *why = reader->files[i]->gpu_refusals[kind];

            if (why && (kind == RLN__GPU_CALL || is_operation(s, kind)))
                return rln__fail(err, RLN_ERR_FORMAT, 0, "%s", why);
        }
    }
    return RLN_OK;
}

rln_status rln__gpu_ops_read(rln_reader *reader, int has_kernels_only,
                             enum rln__kernel_name name, struct rln__gpu_op **out,
                             size_t *n, rln_error *err)
{
    struct search s = {.has_kernels_only = has_kernels_only, .name = name};
    rln_status status = check_tables(&s, reader, err);

    *out = NULL;
    *n = 0;
    if (!status)
        status = rln__gpu_batches_find(&s.batches, reader, err);
    if (!status)
        status = read_batches(&s, 0, err);
    if (!status && s.n)
        qsort(s.ops, s.n, sizeof(*s.ops), by_correlation);
    if (!status)
        status = read_batches(&s, 1, err);
    rln__gpu_batches_clear(&s.batches);
    rln__free(s.events.items);
    if (status) {
        rln__free(s.ops);
        return status;
    }
    settle(&s);
    *out = s.ops;
    *n = s.n;
    return RLN_OK;
}
