/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/gpu_loss.h"
#include "base/fail.h"

/* Adds what a thread's calls lose by a GPU, if it is over `least`. 0, or -1 when there
 * is no memory. */
static int add_track(const struct rln__gpu_track *t, rln__gpu_loss_fn *lost,
                     double least, struct rln__gpu_time_lost *out,
                     struct rln__finding *f, struct rln__win *win)
{
    double lost_ns = 0;
    size_t n = 0;

    for (size_t i = t->first; i < t->track->n; i++)
        lost_ns += lost(t->gpu, &t->track->calls[i], &n);
    if (lost_ns <= least * t->ns)
        return 0;
    out->ns += t->ns;
    out->lost_ns += lost_ns;
    out->n += n;
    out->n_calls += t->track->n - t->first;
    out->n_gpus++;
    for (size_t i = t->first; i < t->track->n; i++) {
        const struct rln__call *call = &t->track->calls[i];
        const double ns = lost(t->gpu, call, &n);

        rln__finding_show(f, call->range, ns);
        if (rln__win_add(win, i, ns))
            return -1;
    }
    return 0;
}

rln_status rln__find_gpu_loss(struct rln__inquiry *q, rln__gpu_loss_fn *lost,
                              double least, size_t calls,
                              struct rln__gpu_time_lost *out, struct rln__finding **f,
                              rln_error *err)
{
    struct rln__finding *found = rln__finding_of_step(q, NULL);
    struct rln__win win = {0};
    struct rln__gpu_track t;
    size_t at = 0;
    int failed = !found;

    *out = (struct rln__gpu_time_lost){0};
    *f = NULL;
    while (!failed && rln__gpu_next_track(q->run, q->gpu, q->limits[calls], &at, &t))
        failed = add_track(&t, lost, least, out, found, &win);
    if (!failed && rln__is_worth(q, rln__win_total(&win))) {
        rln__finding_won(found, q, rln__win_total(&win));
        *f = found;
    } else if (!failed) {
        rln__finding_drop(q);
    }
    rln__win_clear(&win);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}
