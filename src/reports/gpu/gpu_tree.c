/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_tree.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/event_filter.h"
#include "reports/gpu/gpu_busy.h"
#include "reports/summary/summary.h"

#include <stdlib.h>

/* What a GPU did for a path. */
struct work {
    int64_t start_ns, end_ns;
    uint32_t node, gpu;
};

struct search {
    rln_reader *reader;      /* borrowed */
    struct rln__gpu_op *ops; /* owned, as all these */
    size_t n_ops;
    struct rln__summary_moment *calls; /* of the operations, by thread and time */
    size_t n_calls;
    struct work *work; /* by start */
    struct rln__gpu_busy busy;
    uint64_t *ns; /* of each node */
};

static int by_thread(const void *a, const void *b)
{
    const struct rln__summary_moment *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    return (x->of > y->of) - (x->of < y->of);
}

static int find_calls(struct search *s)
{
    struct rln__map threads = {0};

    s->calls = rln__alloc(s->n_ops + 1, sizeof(*s->calls));
    for (size_t i = 0; i < s->n_ops && s->calls; i++) {
        const uint32_t thread = rln__reader_thread_of_tid(
            s->reader, &threads, s->ops[i].process, s->ops[i].tid);

        if (thread != RLN__NONE &&
            (!s->reader->filter || rln__filter_has_thread(s->reader->filter, s->reader,
                                                          s->ops[i].process, thread)))
            s->calls[s->n_calls++] =
                (struct rln__summary_moment){.t_ns = rln__gpu_call_from(&s->ops[i]),
                                             .thread = thread,
                                             .of = (uint32_t)i};
    }
    rln__map_clear(&threads);
    if (s->n_calls)
        qsort(s->calls, s->n_calls, sizeof(*s->calls), by_thread);
    return s->calls ? 0 : -1;
}

static int by_start(const void *a, const void *b)
{
    const struct work *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* The work, in the order of the GPUs. */
static int sort_work(struct search *s)
{
    s->work = rln__alloc(s->n_calls + 1, sizeof(*s->work));
    for (size_t i = 0; i < s->n_calls && s->work; i++) {
        const struct rln__gpu_op *op = &s->ops[s->calls[i].of];

        s->work[i] = (struct work){op->start_ns, op->end_ns, s->calls[i].node,
                                   rln__gpu_busy_gpu(&s->busy, op)};
        if (s->work[i].gpu == UINT32_MAX)
            return -1;
    }
    if (s->work && s->n_calls)
        qsort(s->work, s->n_calls, sizeof(*s->work), by_start);
    return s->work ? 0 : -1;
}

static int add_up(struct search *s, const struct rln__summary *summary)
{
    s->ns = rln__alloc(summary->n_nodes, sizeof(*s->ns));
    if (!s->ns || sort_work(s))
        return -1;
    for (size_t i = 0; i < s->n_calls; i++) {
        const struct work *w = &s->work[i];

        for (uint32_t n = w->node; n; n = summary->nodes[n].parent) {
            if (summary->sums.paths[n].n_calls &&
                rln__gpu_busy_add(&s->busy, n, w->gpu, w->start_ns, w->end_ns,
                                  &s->ns[n]))
                return -1;
        }
    }
    return 0;
}

/* The ranges of one path may pass such tests or not, but their work is not kept apart.
 */
static rln_status check_filter(const rln_filter *filter, rln_error *err)
{
    if (!filter ||
        (rln__filter_has_duration(filter, 0) && !rln__filter_has_payload_tests(filter)))
        return RLN_OK;
    return rln__fail(err, RLN_ERR_FORMAT, 0,
                     "the time of GPUs is not known by the duration or the payload of "
                     "ranges");
}

rln_status rln__gpu_tree_new(rln_reader *reader, int is_by_thread,
                             struct rln__tree **out, rln_error *err)
{
    static const struct rln__gpu_choice all = {.kinds = RLN__GPU_OPERATIONS};
    struct search s = {.reader = reader};
    struct rln__summary summary;
    rln_status status = check_filter(reader->filter, err);

    *out = NULL;
    if (!status)
        status = rln__gpu_ops_read(reader, &all, &s.ops, &s.n_ops, err);
    if (!status && find_calls(&s))
        status = rln__fail_nomem(err);
    if (!status && s.n_ops) {
        status = rln__summary_read_at(&summary, reader, is_by_thread, s.calls,
                                      s.n_calls, err);
        if (!status && add_up(&s, &summary))
            status = rln__fail_nomem(err);
        summary.gpu_ns = s.ns;
        if (!status)
            status = rln__tree_of(&summary, out, err);
        rln__summary_clear(&summary);
    }
    rln__free(s.ops);
    rln__free(s.calls);
    rln__free(s.work);
    rln__free(s.ns);
    rln__gpu_busy_clear(&s.busy);
    return status;
}
