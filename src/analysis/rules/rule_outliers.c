/* SPDX-License-Identifier: Apache-2.0 */
/* rule_outliers.c - single calls of the step are slow, and a range inside shows why.
 * Those at regular distances are left to periodic-stall, if it is asked. */
#include "analysis/rules.h"
#include "analysis/slow_calls.h"
#include "analysis/slow_steps.h"
#include "base/human_units.h"
#include "base/thousands.h"

enum { SHARE, WARNING, TIMES, SPREADS, CAUSE };

struct collected {
    size_t n, n_calls;
    double stalls_ns; /* of calls that periodic-stall reports */
};

static int look_at(struct rln__slow_steps *steps, const struct rln__track *track)
{
    const struct rln__inquiry *q = steps->q;
    const struct rln__regularity *periodic = q->periodic;
    struct collected *c = steps->own;
    struct rln__slow_calls slow;
    struct rln__period period = {0};
    int failed =
        rln__slow_calls_find(track, q->limits[TIMES], q->limits[SPREADS], &slow);

    if (!failed && periodic)
        failed = rln__slow_calls_period(track, &slow, periodic, &period);
    c->n_calls += track->n;
    for (size_t i = track->n_warm_up; i < track->n; i++)
        steps->compared[track->calls[i].range] = RLN__USUAL;
    for (size_t i = 0; !failed && i < slow.n; i++) {
        const struct rln__call *call = &track->calls[slow.at[i]];
        const double excess = call->ns - track->median_ns;

        steps->compared[call->range] = RLN__UNUSUAL;
        if (period.is_regular) {
            steps->compared[call->range] = RLN__NOT_COMPARED;
            c->stalls_ns += excess;
            continue;
        }
        c->n++;
        rln__finding_show(steps->f, call->range, excess);
        failed = rln__win_add(&steps->win, slow.at[i], excess);
    }
    rln__slow_calls_clear(&slow);
    return failed;
}

static void describe(struct rln__slow_steps *slow)
{
    const struct collected *c = slow->own;
    struct rln__finding *f = slow->f;

    if (rln__is_cause_unsure(f))
        f->severity = RLN_SEVERITY_NOTE;
    rln__finding_measure(f, "outliers", (double)c->n);
    rln__finding_measure(f, "calls", (double)c->n_calls);
    rln__finding_measure(f, "largest_ns", f->weights[0]);
    rln__finding_measure(f, "cause", f->cause_share);
    rln__buf_count(&f->title, c->n);
    rln__buf_text(&f->title, " of ");
    rln__buf_count(&f->title, c->n_calls);
    rln__buf_text(&f->title, " calls of ");
    rln__title_step(slow);
    rln__buf_format(&f->title, " took over %g times the median; the worst ",
                    slow->q->limits[TIMES]);
    rln__buf_duration(&f->title, f->weights[0]);
    rln__buf_text(&f->title, " more than usual");
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__slow_steps_rule rule = {
        .least_cause = q->limits[CAUSE],
        .look_at = look_at,
        .describe = describe,
    };
    struct collected c = {0};
    size_t n_tracks;
    const rln_status status = rln__find_slow_steps(q, &rule, &c, &n_tracks, err);

    if (!status && !q->n && rln__is_worth(q, c.stalls_ns))
        q->why = "periodic-stall reports them: they come at regular distances";
    return status;
}

const struct rln__rule rln__rule_outliers = {
    .id = "outliers",
    .question = "which steps are slow, and what inside them grew?",
    .fires =
        "calls of the step took over `times` times the median, exceed it by over "
        "`spreads` times what calls usually differ from it (1.4826 times the median "
        "difference, at least 2 % of the median), and in sum by at least `share` of "
        "the run",
    .severity = "a warning, if it could win at least `warning` of the run and a range "
                "inside, or the step outside all of them, explains it; else a note",
    .against = "other programs on the machine cause outliers, too: they come anywhere, "
               "so that no range explains them",
    .next = "rangeline stats -r outliers:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"times", 1.5, "a person notices a step that is half as long again"},
                   {"spreads", 8, "noise exceeds it rarely"},
                   {"cause", 0.5,
                    "a range inside that grew by less explains little: the finding is "
                    "then a note"}},
    .evaluate = evaluate,
};
