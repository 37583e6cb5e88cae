/* SPDX-License-Identifier: Apache-2.0 */
/* rule_warm_up.c - the first calls of the step are slow. */
#include "analysis/rules.h"
#include "base/fail.h"
#include "base/thousands.h"
#include "console/human_units.h"

static rln_status add(struct rln__inquiry *q, double won_ns, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    const struct rln__track *track, *worst = NULL;
    size_t at = 0, n_threads = 0;

    if (!f)
        return rln__fail_nomem(err);
    while ((track = rln__run_next_track(run, &at))) {
        n_threads += track->n_warm_up > 0;
        if (!worst || track->warm_up_ns > worst->warm_up_ns)
            worst = track;
        for (size_t i = 0; i < track->n_warm_up; i++)
            rln__finding_show(f, track->calls[i].range, track->calls[i].ns);
    }
    rln__finding_won(f, q, won_ns);
    rln__finding_measure(f, "calls", (double)worst->n_warm_up);
    rln__finding_measure(f, "times",
                         1 + worst->warm_up_ns / (double)worst->n_warm_up /
                                 worst->median_ns);
    rln__finding_measure(f, "threads", (double)n_threads);
    rln__buf_text(&f->title, "the first ");
    if (worst->n_warm_up > 1) {
        rln__buf_count(&f->title, worst->n_warm_up);
        rln__buf_text(&f->title, " calls");
    } else {
        rln__buf_text(&f->title, "call");
    }
    rln__buf_text(&f->title, " of ");
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " took %.1f times as long as usual (",
                    f->measured[1].value);
    rln__buf_duration(&f->title, worst->median_ns);
    rln__buf_text(&f->title, ")");
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__track *track;
    struct rln__win win = {0};
    rln_status status = RLN_OK;
    size_t at = 0;

    while (!status && (track = rln__run_next_track(q->run, &at)))
        for (size_t i = 0; !status && i < track->n_warm_up; i++)
            if (rln__win_add(&win, i, track->calls[i].ns - track->median_ns))
                status = rln__fail_nomem(err);
    if (!status && rln__is_worth(q, rln__win_total(&win)))
        status = add(q, rln__win_total(&win), err);
    rln__win_clear(&win);
    return status;
}

const struct rln__rule rln__rule_warm_up = {
    .id = "warm-up",
    .question = "is the start slow?",
    .fires = "the first calls of the step, while over 1.5 times the median and at most "
             "a tenth of "
             "all, exceed the median by at least `share` of the run",
    .against = "a run that goes on for longer pays for its start only once",
    .next = "rangeline stats -r pace:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS},
    .evaluate = evaluate,
};
