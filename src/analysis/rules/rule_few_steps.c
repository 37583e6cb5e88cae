/* SPDX-License-Identifier: Apache-2.0 */
/* rule_few_steps.c - of a few calls of the step, which rules that need to know what is
 * usual leave alone, some are slow. */
#include "analysis/rules.h"
#include "analysis/slow_steps.h"
#include "base/human_units.h"
#include "base/thousands.h"

enum { SHARE, WARNING, TIMES };

struct collected {
    size_t n, n_calls, n_first; /* slow ones, all, slow ones that are first */
};

static int look_at(struct rln__slow_steps *slow, const struct rln__track *track)
{
    struct collected *c = slow->own;
    const double limit = slow->q->limits[TIMES] * track->median_ns;
    int failed = 0;

    c->n_calls += track->n;
    for (size_t i = 0; i < track->n && !failed; i++) {
        const struct rln__call *call = &track->calls[i];

        slow->compared[call->range] = call->ns > limit ? RLN__UNUSUAL : RLN__USUAL;
        if (call->ns <= limit)
            continue;
        c->n++;
        c->n_first += i == 0;
        rln__finding_show(slow->f, call->range, call->ns - track->median_ns);
        failed = rln__win_add(&slow->win, i, call->ns - track->median_ns);
    }
    return failed;
}

static void describe(struct rln__slow_steps *slow)
{
    const struct collected *c = slow->own;
    struct rln__finding *f = slow->f;

    f->severity = RLN_SEVERITY_NOTE;
    rln__finding_measure(f, "slow", (double)c->n);
    rln__finding_measure(f, "calls", (double)c->n_calls);
    rln__finding_measure(f, "largest_ns", f->weights[0]);
    if (c->n == 1 && c->n_first)
        rln__buf_text(&f->title, "the first");
    else
        rln__buf_count(&f->title, c->n);
    rln__buf_text(&f->title, " of ");
    rln__buf_count(&f->title, c->n_calls);
    rln__buf_text(&f->title, " calls of ");
    rln__title_step(slow);
    rln__buf_format(&f->title, " took over %g times the median; the worst ",
                    slow->q->limits[TIMES]);
    rln__buf_duration(&f->title, f->weights[0]);
    rln__buf_text(&f->title, " more");
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__slow_steps_rule rule = {
        .is_of_few = true,
        .least_cause = RLN__LEAST_CAUSE,
        .look_at = look_at,
        .describe = describe,
    };
    struct collected c = {0};
    size_t n_tracks;
    rln_status status;

    if (q->run->n_long_tracks) {
        q->why = "there are enough steps for other rules";
        return RLN_OK;
    }
    status = rln__find_slow_steps(q, &rule, &c, &n_tracks, err);
    if (!status && !n_tracks)
        q->why = "no thread has four calls of a step";
    return status;
}

const struct rln__rule rln__rule_few_steps = {
    .id = "few-steps",
    .question = "is one of a few steps slow?",
    .fires =
        "no thread has 20 calls of the step, one has 4 or more, and calls that took "
        "over `times` times the median exceed it in sum by at least `share` of the "
        "run",
    .severity = "a note: a few calls do not show what is usual",
    .against = "whether that is usual, and whether it comes back, only more calls say: "
               "record 20 of them",
    .next = "rangeline stats -r pace:{range} {traces}",
    .needs = RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS | RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"times", 1.5,
                    "a person notices a step that is half as long again"}},
    .evaluate = evaluate,
};
