/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/cpu_tree.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/cpu_times.h"
#include "reports/summary/summary.h"

struct search {
    struct rln__summary summary;
    struct rln__cpu_times times;
    struct rln__cpu_split *splits; /* owned: by node */
    size_t n, capacity;
};

static int take(void *context, const struct rln__closing *c, uint64_t ns, uint32_t row,
                uint32_t process)
{
    struct search *s = context;
    const int is_path = !(c->state & RLN__STARTED);
    struct rln__cpu_split *splits, split;

    (void)process;
    if (is_path) {
        splits = rln__grow_to(s->splits, &s->n, &s->capacity, c->tag, sizeof(*splits));
        if (!splits)
            return -1;
        s->splits = splits;
        split = rln__cpu_times_of_range(&s->times, c->thread, c->start_ns, c->end_ns);
        rln__cpu_split_add(&splits[c->tag], &split);
    }
    return rln__summary_sums_add(&s->summary.sums, ns, is_path ? c->self_ns : 0, row,
                                 is_path ? c->tag : RLN__NONE);
}

/* A thread has the times of its outermost ranges. */
static int sum_threads(struct search *s)
{
    const struct rln__summary *summary = &s->summary;
    struct rln__cpu_split *splits =
        rln__grow_to(s->splits, &s->n, &s->capacity, summary->n_nodes, sizeof(*splits));

    if (!splits)
        return -1;
    s->splits = splits;
    for (size_t i = 1 + summary->n_thread_nodes; i < summary->n_nodes; i++) {
        const uint32_t parent = summary->nodes[i].parent;

        if (parent && parent <= summary->n_thread_nodes)
            rln__cpu_split_add(&splits[parent], &splits[i]);
    }
    return 0;
}

static rln_status read_tree(struct search *s, rln_reader *reader, int is_by_thread,
                            struct rln__tree **out, rln_error *err)
{
    const struct rln__summary_taker taker = {s, take};
    rln_status status =
        (is_by_thread ? rln__summary_read_threads_to
                      : rln__summary_read_to)(&s->summary, reader, &taker, err);

    if (status)
        return status;
    if (sum_threads(s))
        status = rln__fail_nomem(err);
    s->summary.splits = s->splits;
    if (!status)
        status = rln__tree_of(&s->summary, out, err);
    rln__summary_clear(&s->summary);
    return status;
}

rln_status rln__cpu_tree_new(rln_reader *reader, int is_by_thread,
                             struct rln__tree **out, rln_error *err)
{
    struct search s = {.n = 0};
    rln_status status = rln__cpu_times_require(reader, RLN__NONE, err);

    *out = NULL;
    if (status)
        return status;
    status = rln__cpu_times_load(&s.times, reader, err);
    if (!status)
        status = read_tree(&s, reader, is_by_thread, out, err);
    rln__free(s.splits);
    rln__cpu_times_clear(&s.times);
    return status;
}
