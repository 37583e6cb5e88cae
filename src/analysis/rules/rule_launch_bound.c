/* SPDX-License-Identifier: Apache-2.0 */
/* rule_launch_bound.c - the step launches many short kernels, and the GPU waits for the
 * launches. Kernels of CUDA graphs, which one call launches, do not count. */
#include "analysis/by_time.h"
#include "analysis/gpu_times.h"
#include "analysis/rules.h"
#include "base/fail.h"
#include "base/human_units.h"

enum { SHARE, WARNING, KERNELS, MEAN, IDLE, CALLS };

struct launched {
    size_t n;
    double ns;
};

/* The launches before `t`. */
static size_t count_before(const struct rln__gpu *gpu, int64_t t)
{
    return gpu->n_launches ? rln__count_before(&gpu->launches->at_ns, gpu->n_launches,
                                               sizeof(*gpu->launches), t)
                           : 0;
}

static struct launched launched_in(const struct rln__gpu *gpu,
                                   const struct rln__call *call)
{
    const size_t from = count_before(gpu, call->start_ns);
    const size_t to = count_before(gpu, rln__call_end(call));
    struct launched sum = {to - from, 0};

    for (size_t i = from; i < to; i++)
        sum.ns += gpu->launches[i].ns;
    return sum;
}

/* Whether the track's GPU waits for launches. */
static bool is_bound(const struct rln__inquiry *q, const struct rln__gpu_track *t,
                     struct launched *all)
{
    const double n_calls = (double)(t->track->n - t->first);
    struct launched sum = {0};

    for (size_t i = t->first; i < t->track->n; i++) {
        const struct launched one = launched_in(t->gpu, &t->track->calls[i]);

        sum.n += one.n;
        sum.ns += one.ns;
    }
    if (!sum.n || (double)sum.n < q->limits[KERNELS] * n_calls ||
        sum.ns / (double)sum.n >= q->limits[MEAN] * 1e3 ||
        t->ns - t->busy_ns <= q->limits[IDLE] * t->ns)
        return false;
    all->n += sum.n;
    all->ns += sum.ns;
    return true;
}

static void describe(const struct rln__inquiry *q, struct rln__finding *f,
                     const struct launched *all, size_t n_calls, double idle)
{
    const struct rln__run *run = q->run;

    rln__finding_measure(f, "kernels", (double)all->n / (double)n_calls);
    rln__finding_measure(f, "mean_ns", all->ns / (double)all->n);
    rln__finding_measure(f, "idle", idle);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " launches %.0f kernels of ", f->measured[0].value);
    rln__buf_duration(&f->title, f->measured[1].value);
    rln__buf_format(&f->title,
                    " in the mean (under %g us), and the GPU is idle for "
                    "%.1f %% of its time (over %g %%)",
                    q->limits[MEAN], idle * 100, q->limits[IDLE] * 100);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    struct rln__win win = {0};
    struct launched all = {0};
    struct rln__gpu_track t;
    double ns = 0, busy_ns = 0;
    size_t at = 0, n_calls = 0;
    int failed = !f;

    while (!failed && rln__gpu_next_track(q->run, q->gpu, q->limits[CALLS], &at, &t)) {
        if (!is_bound(q, &t, &all))
            continue;
        ns += t.ns;
        busy_ns += t.busy_ns;
        n_calls += t.track->n - t.first;
        for (size_t i = t.first; !failed && i < t.track->n; i++) {
            const struct rln__call *call = &t.track->calls[i];
            const double idle_ns =
                call->ns - rln__gpu_time_ns(&t.gpu->times[RLN__ALL_WORK],
                                            call->start_ns, rln__call_end(call));

            rln__finding_show(f, call->range, (double)launched_in(t.gpu, call).n);
            failed = rln__win_add(&win, i, idle_ns);
        }
    }
    if (!failed && (!n_calls || !rln__is_worth(q, rln__win_total(&win)))) {
        rln__finding_drop(q);
    } else if (!failed) {
        rln__finding_won(f, q, rln__win_total(&win));
        describe(q, f, &all, n_calls, (ns - busy_ns) / ns);
    }
    rln__win_clear(&win);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

const struct rln__rule rln__rule_launch_bound = {
    .id = "launch-bound",
    .question = "does the GPU wait for launches of short kernels?",
    .fires =
        "calls of the step, from the second one on, launch at least `kernels` "
        "kernels each, which take less than `mean_us` in the mean, and a GPU of "
        "the process is idle for over `idle` of their time; kernels of CUDA graphs "
        "do not count",
    .against = "the GPU may wait for something else; kernels belong to the step during "
               "which a thread of the process launched them, whichever it was",
    .next = "rangeline stats -r cuda_kern_exec_sum {traces}",
    .needs = RLN__NEEDS_GPU | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"kernels", 100, "fewer launches cost little"},
                   {"mean_us", 10, "a launch takes some microseconds itself"},
                   {"idle", 0.3, "a GPU that works for longer does not wait"},
                   {"calls", 20, "fewer are all start"}},
    .evaluate = evaluate,
};
