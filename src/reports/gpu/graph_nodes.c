/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/graph_nodes.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"

#include <stdlib.h>

struct creation {
    int64_t start_ns, end_ns;
    uint64_t node, original;
    uint32_t process, tid;
};

struct search {
    struct creation *all; /* owned; in the order of time */
    size_t n, capacity;
    struct rln__key_index nodes; /* {process, node} */
    size_t *origins; /* owned; of each node, the creation it goes back to, + 1 */
    size_t n_origins, origins_capacity;
};

static rln_status read_all(struct search *s, struct rln__gpu_work *work, rln_error *err)
{
    static const struct rln__gpu_choice nodes = {.kinds = RLN__GPU_NODES};
    struct creation *item;
    struct rln__gpu_node node;
    rln_status status;

    rln__gpu_work_restart(work, &nodes);
    while (!(status = rln__gpu_work_next(work, err))) {
        if (work->event->why_unplaced)
            continue;
        item = rln__append(&s->all, &s->n, &s->capacity, sizeof(*item));
        if (!item)
            return rln__fail_nomem(err);
        rln__gpu_work_element(work, &node, sizeof(node));
        *item = (struct creation){
            .start_ns = work->event->start_ns,
            .end_ns = work->event->end_ns,
            .node = node.graph_node,
            .original = node.original_graph_node,
            .process = work->batch->process,
            .tid = work->event->tid,
        };
    }
    return status == RLN_END ? RLN_OK : status;
}

/* What is copied comes before its copies. */
static int by_time(const void *a, const void *b)
{
    const struct creation *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (!x->original != !y->original)
        return x->original ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

/* NULL when there is no memory. */
static size_t *origin_of(struct search *s, uint32_t process, uint64_t node)
{
    const struct rln__key key = {{process, node}};

    return rln__key_index_item(&s->origins, &s->n_origins, &s->origins_capacity,
                               rln__key_index_number(&s->nodes, &key),
                               sizeof(*s->origins));
}

/* Numbers of nodes are used again: the last creation counts. */
static int create(struct search *s, size_t i)
{
    const struct creation *c = &s->all[i];
    size_t *origin = origin_of(s, c->process, c->original ? c->original : c->node);
    size_t number;

    if (!origin)
        return -1;
    number = c->original ? *origin : i + 1;
    origin = origin_of(s, c->process, c->node);
    if (!origin)
        return -1;
    *origin = number;
    return 0;
}

static int move(struct search *s, struct rln__gpu_op *op)
{
    const size_t *origin = origin_of(s, op->process, op->graph_node);
    const struct creation *c;

    if (!origin)
        return -1;
    if (!*origin)
        return 0;
    c = &s->all[*origin - 1];
    op->call_start_ns = c->start_ns;
    op->call_end_ns = c->end_ns;
    op->tid = c->tid;
    op->is_captured = 1;
    return 0;
}

rln_status rln__graph_nodes_apply(struct rln__gpu_work *work, struct rln__gpu_op *ops,
                                  size_t n_ops, rln_error *err)
{
    struct search s = {.n = 0};
    size_t next = 0;
    int failed = 0;
    const rln_status status = read_all(&s, work, err);

    if (!status && s.n)
        qsort(s.all, s.n, sizeof(*s.all), by_time);
    for (size_t i = 0; i < n_ops && !status && !failed; i++) {
        while (next < s.n && s.all[next].start_ns <= ops[i].call_start_ns && !failed)
            failed = create(&s, next++);
        if (ops[i].graph_node && !failed)
            failed = move(&s, &ops[i]);
    }
    rln__free(s.all);
    rln__free(s.origins);
    rln__key_index_clear(&s.nodes);
    return failed ? rln__fail_nomem(err) : status;
}
