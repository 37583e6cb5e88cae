/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/cpu_loss.h"

#include <string.h>

/* 0, or -1 when there is no memory. */
static int add_track(const struct rln__inquiry *q, const struct rln__track *track,
                     uint64_t (*lost)(const struct rln__cpu_split *),
                     struct rln__finding *f, struct rln__cpu_loss *out)
{
    struct rln__cpu_split sum = {0};
    double ns, of_ns = 0;

    for (size_t i = 0; i < track->n; i++) {
        const struct rln__call *call = &track->calls[i];
        const struct rln__cpu_split split = rln__cpu_times_of(
            q->cpu, track->thread, call->start_ns, rln__call_end(call));
        const double call_ns = (double)lost(&split);

        rln__cpu_split_add(&sum, &split);
        of_ns += call->ns;
        if (f && call_ns > 0)
            rln__finding_show(f, call->range, call_ns);
        if (rln__win_add(&out->win, i, call_ns))
            return -1;
    }
    ns = (double)lost(&sum);
    out->n_threads += ns > 0;
    if (ns > out->ns) {
        out->most = track;
        out->split = sum;
        out->ns = ns;
        out->of_ns = of_ns;
    }
    return 0;
}

int rln__cpu_loss_find(const struct rln__inquiry *q,
                       uint64_t (*lost)(const struct rln__cpu_split *),
                       struct rln__finding *f, struct rln__cpu_loss *out)
{
    const struct rln__track *track;
    size_t at = 0;

    memset(out, 0, sizeof(*out));
    while ((track = rln__run_next_track(q->run, &at)))
        if (add_track(q, track, lost, f, out))
            return -1;
    return 0;
}

void rln__cpu_loss_clear(struct rln__cpu_loss *loss)
{
    rln__win_clear(&loss->win);
}
