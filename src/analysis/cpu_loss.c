/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/cpu_loss.h"

#include "base/alloc.h"

/* Fewer calls say little about the step. Half of RLN__LEAST_CALLS: the first and the last of
 * a short run may be unknown. */
#define LEAST_KNOWN 10

static struct rln__cpu_split split_of(const struct rln__inquiry *q, uint32_t thread,
                                      const struct rln__call *call)
{
    return rln__cpu_times_of(q->cpu, thread, call->start_ns, rln__call_end(call));
}

/* 0, or -1 when there is no memory. */
static int find_known(const struct rln__inquiry *q, const struct rln__track *track,
                      struct rln__thread_loss *out)
{
    struct rln__cpu_split all = {0};
    size_t n = 0;

    out->calls = rln__alloc(track->n, sizeof(*out->calls));
    if (!out->calls)
        return -1;
    for (size_t i = 0; i < track->n; i++) {
        const struct rln__cpu_split split =
            split_of(q, track->thread, &track->calls[i]);

        rln__cpu_split_add(&all, &split);
        if (!rln__cpu_split_is_known(&split))
            continue;
        rln__cpu_split_add(&out->split, &split);
        out->calls[n++] = track->calls[i];
    }
    out->known = *track;
    out->known.calls = out->calls;
    out->known.n = n;
    out->known_ns = (double)rln__cpu_split_known_ns(&out->split);
    out->is_whole = rln__cpu_split_is_known(&all);
    return 0;
}

static void show_calls(const struct rln__inquiry *q, const struct rln__track *known,
                       uint64_t (*lost)(const struct rln__cpu_split *),
                       struct rln__finding *f)
{
    for (size_t i = 0; i < known->n; i++) {
        const struct rln__cpu_split split =
            split_of(q, known->thread, &known->calls[i]);
        const double ns = (double)lost(&split);

        if (ns > 0)
            rln__finding_show(f, known->calls[i].range, ns);
    }
}

/* 0, or -1 when there is no memory. */
static int add_track(const struct rln__inquiry *q, const struct rln__track *track,
                     uint64_t (*lost)(const struct rln__cpu_split *),
                     struct rln__finding *f, struct rln__cpu_loss *out)
{
    struct rln__thread_loss loss = {0};
    const int failed = find_known(q, track, &loss);

    loss.ns = (double)lost(&loss.split);
    if (loss.known.n >= LEAST_KNOWN)
        out->why = NULL;
    if (!failed && loss.known.n >= LEAST_KNOWN && loss.ns > 0) {
        out->n_threads++;
        if (f)
            show_calls(q, &loss.known, lost, f);
        if (loss.ns > out->most.ns) {
            const struct rln__thread_loss less = out->most;

            out->most = loss;
            loss = less;
        }
    }
    rln__free(loss.calls);
    return failed;
}

int rln__cpu_loss_find(const struct rln__inquiry *q,
                       uint64_t (*lost)(const struct rln__cpu_split *),
                       struct rln__finding *f, struct rln__cpu_loss *out)
{
    const struct rln__track *track;
    size_t at = 0;

    *out = (struct rln__cpu_loss){
        .why = "of fewer than 10 calls of the step it is known what their thread did",
    };
    while ((track = rln__run_next_track(q->run, &at)))
        if (add_track(q, track, lost, f, out))
            return -1;
    return 0;
}

void rln__cpu_loss_clear(struct rln__cpu_loss *loss)
{
    rln__free(loss->most.calls);
}
