/* SPDX-License-Identifier: Apache-2.0 */
/* rule_warm_up.c - the first calls of the step are slow. */
#include "analysis/rules.h"
#include "analysis/slow_steps.h"
#include "base/human_units.h"
#include "base/thousands.h"

struct collected {
    const struct rln__track *worst; /* its first calls lose most */
    size_t n_threads;
};

static int look_at(struct rln__slow_steps *steps, const struct rln__track *track)
{
    struct collected *c = steps->own;
    int failed = 0;

    c->n_threads += track->n_warm_up > 0;
    if (!c->worst || track->warm_up_ns > c->worst->warm_up_ns)
        c->worst = track;
    for (size_t i = 0; i < track->n && !failed; i++) {
        const struct rln__call *call = &track->calls[i];
        const bool is_first = i < track->n_warm_up;

        steps->compared[call->range] = is_first ? RLN__UNUSUAL : RLN__USUAL;
        if (!is_first)
            continue;
        rln__finding_show(steps->f, call->range, call->ns);
        failed = rln__win_add(&steps->win, i, call->ns - track->median_ns);
    }
    return failed;
}

static void describe(struct rln__slow_steps *slow)
{
    const struct collected *c = slow->own;
    const struct rln__track *worst = c->worst;
    struct rln__finding *f = slow->f;

    if (f->grew_alike)
        f->unexplained = "no range inside grew far more than its share";
    rln__finding_measure(f, "calls", (double)worst->n_warm_up);
    rln__finding_measure(f, "times",
                         1 + worst->warm_up_ns / (double)worst->n_warm_up /
                                 worst->median_ns);
    rln__finding_measure(f, "threads", (double)c->n_threads);
    rln__buf_text(&f->title, "the first ");
    if (worst->n_warm_up > 1) {
        rln__buf_count(&f->title, worst->n_warm_up);
        rln__buf_text(&f->title, " calls");
    } else {
        rln__buf_text(&f->title, "call");
    }
    rln__buf_text(&f->title, " of ");
    rln__title_step(slow);
    rln__buf_format(&f->title, " took %.1f times as long as usual (",
                    f->measured[1].value);
    rln__buf_duration(&f->title, worst->median_ns);
    rln__buf_text(&f->title, ")");
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__slow_steps_rule rule = {
        .least_cause = RLN__LEAST_CAUSE,
        .look_at = look_at,
        .describe = describe,
    };
    struct collected c = {0};
    size_t n_tracks;

    return rln__find_slow_steps(q, &rule, &c, &n_tracks, err);
}

const struct rln__rule rln__rule_warm_up = {
    .id = "warm-up",
    .question = "is the start slow?",
    .fires = "the first calls of the step, while over 1.5 times the median and at most "
             "a tenth of "
             "all, exceed the median by at least `share` of the run",
    .against = "a run that goes on for longer pays for its start only once",
    .next = "rangeline stats -r pace:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS |
             RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS},
    .evaluate = evaluate,
};
