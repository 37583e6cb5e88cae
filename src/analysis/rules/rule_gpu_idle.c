/* SPDX-License-Identifier: Apache-2.0 */
/* rule_gpu_idle.c - the GPU waits during the step; the range that the thread of the
 * step is in meanwhile says for what. */
#include "analysis/gpu_gaps.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"

#include <math.h>

enum { SHARE, WARNING, GAP_US, GAP, IDLE, CALLS };

struct collected {
    struct rln__finding *f; /* of the inquiry */
    double *by_name;        /* owned: idle time, by the innermost range */
    struct rln__win win;
    double idle_ns, ns, longest_ns;
    size_t n_gpus, n_gaps;
};

static int add_gaps(const struct rln__inquiry *q, const struct rln__gpu_track *t,
                    const struct rln__gaps *gaps, struct collected *c)
{
    double call_ns = 0;
    int failed = 0;

    c->n_gpus++;
    c->n_gaps += gaps->n;
    c->idle_ns += gaps->ns;
    c->ns += t->ns;
    for (size_t i = 0; !failed && i < gaps->n; i++) {
        const struct rln__gap *gap = &gaps->gaps[i];

        call_ns += (double)(gap->end_ns - gap->start_ns);
        c->longest_ns = fmax(c->longest_ns, (double)(gap->end_ns - gap->start_ns));
        if (i + 1 < gaps->n && gap[1].call == gap->call)
            continue;
        rln__finding_show(c->f, t->track->calls[gap->call].range, call_ns);
        failed = rln__win_add(&c->win, gap->call, call_ns);
        call_ns = 0;
    }
    rln__gaps_add_where(gaps, q->run, t->track->thread, c->by_name);
    return failed;
}

static int collect(const struct rln__inquiry *q, struct collected *c)
{
    struct rln__gpu_track t;
    size_t at = 0;
    int failed = 0;

    while (!failed && rln__gpu_next_track(q->run, q->gpu, q->limits[CALLS], &at, &t)) {
        struct rln__gaps gaps;

        failed = rln__gaps_find(&t, q->limits[GAP_US] * 1e3, q->limits[GAP], &gaps);
        if (!failed && gaps.n && gaps.ns >= q->limits[IDLE] * t.ns)
            failed = add_gaps(q, &t, &gaps, c);
        rln__gaps_clear(&gaps);
    }
    return failed;
}

/* The range that the thread is in for most of the time. */
static void blame(const struct rln__run *run, struct collected *c)
{
    struct rln__nesting_row row;
    double most_ns = 0;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        if (c->by_name[row.name] <= most_ns || !row.message.bytes)
            continue;
        most_ns = c->by_name[row.name];
        c->f->cause_domain = row.domain_name;
        c->f->cause = row.message;
        c->f->is_cause_default_domain = row.is_default_domain;
    }
    c->f->cause_share = most_ns / c->idle_ns;
    c->f->cause_of = "the gaps";
}

static void describe(const struct rln__inquiry *q, struct collected *c)
{
    const struct rln__run *run = q->run;
    struct rln__finding *f = c->f;

    rln__finding_won(f, q, rln__win_total(&c->win));
    rln__finding_measure(f, "idle", c->idle_ns / c->ns);
    rln__finding_measure(f, "gaps", (double)c->n_gaps);
    rln__finding_measure(f, "longest_ns", c->longest_ns);
    rln__finding_measure(f, "gpus", (double)c->n_gpus);
    rln__buf_text(&f->title, c->n_gpus > 1 ? "GPUs wait" : "the GPU waits");
    rln__buf_format(&f->title, " for %.1f %% of the time of ",
                    c->idle_ns / c->ns * 100);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " (over %g %%), in %zu gap%s of up to ",
                    q->limits[IDLE] * 100, c->n_gaps, c->n_gaps == 1 ? "" : "s");
    rln__buf_duration(&f->title, c->longest_ns);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const size_t n_names = rln__nesting_count_names(q->run->nesting);
    struct collected c = {.f = rln__finding_of_step(q, NULL),
                          .by_name = rln__alloc(n_names + 1, sizeof(double))};
    const int failed = !c.f || !c.by_name || collect(q, &c);

    if (!failed && (!c.n_gpus || !rln__is_worth(q, rln__win_total(&c.win)))) {
        rln__finding_drop(q);
    } else if (!failed) {
        blame(q->run, &c);
        describe(q, &c);
    }
    rln__win_clear(&c.win);
    rln__free(c.by_name);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

const struct rln__rule rln__rule_gpu_idle = {
    .id = "gpu-idle",
    .question = "does the GPU wait during the step, and where is the CPU meanwhile?",
    .fires =
        "during calls of the step, from the second one on, gaps between operations "
        "of a GPU of the process that are over `gap_us` and over `gap` of the step "
        "take at least `idle` of its time; what comes before the first or after "
        "the last operation of the GPU is no gap",
    .against = "other threads may launch the work that the GPU waits for; the cause is "
               "the innermost range of the thread that runs the step",
    .next = "rangeline stats -r nvtx_gpu_proj_sum {traces}",
    .needs = RLN__NEEDS_GPU | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"gap_us", 100, "launches leave shorter gaps"},
                   {"gap", 0.05, "shorter gaps of a long step are launches, too"},
                   {"idle", 0.1, "most programs leave a GPU idle for a little"},
                   {"calls", 20, "fewer are all start"}},
    .evaluate = evaluate,
};
