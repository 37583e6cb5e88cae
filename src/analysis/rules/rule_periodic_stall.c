/* SPDX-License-Identifier: Apache-2.0 */
/* rule_periodic_stall.c - calls of the step are slow at regular distances. */
#include "analysis/rules.h"
#include "analysis/slow_calls.h"
#include "analysis/slow_steps.h"
#include "base/human_units.h"
#include "base/thousands.h"

enum { SHARE, WARNING, TIMES, LEAST, MAD, DEVIATION };

/* As those of outliers. */
#define SPREADS 8

static struct rln__regularity regularity_of(const double *limits)
{
    return (struct rln__regularity){limits[LEAST], limits[MAD], limits[DEVIATION]};
}

struct collected {
    struct rln__period period; /* of the track that loses most */
    double most_ns;
    size_t n;
};

static int look_at(struct rln__slow_steps *steps, const struct rln__track *track)
{
    const struct rln__inquiry *q = steps->q;
    const struct rln__regularity regularity = regularity_of(q->limits);
    struct collected *c = steps->own;
    struct rln__slow_calls slow;
    struct rln__period period = {0};
    double lost_ns = 0;
    int failed = rln__slow_calls_find(track, q->limits[TIMES], SPREADS, &slow);

    if (!failed)
        failed = rln__slow_calls_period(track, &slow, &regularity, &period);
    for (size_t i = track->n_warm_up; !failed && period.is_regular && i < track->n; i++)
        steps->compared[track->calls[i].range] = RLN__USUAL;
    for (size_t i = 0; !failed && period.is_regular && i < slow.n; i++) {
        const struct rln__call *call = &track->calls[slow.at[i]];
        const double excess = call->ns - track->median_ns;

        steps->compared[call->range] = RLN__UNUSUAL;
        c->n++;
        lost_ns += excess;
        rln__finding_show(steps->f, call->range, excess);
        failed = rln__win_add(&steps->win, slow.at[i], excess);
    }
    if (lost_ns > c->most_ns) {
        c->most_ns = lost_ns;
        c->period = period;
    }
    rln__slow_calls_clear(&slow);
    return failed;
}

static void describe(struct rln__slow_steps *slow)
{
    const struct collected *c = slow->own;
    struct rln__finding *f = slow->f;

    if (rln__is_cause_unsure(f)) /* a machine that is shared by turns does this, too */
        f->severity = RLN_SEVERITY_NOTE;
    rln__finding_measure(f, "outliers", (double)c->n);
    rln__finding_measure(f, "period_calls", c->period.calls);
    rln__finding_measure(f, "period_ns", c->period.ns);
    rln__title_step(slow);
    rln__buf_format(&f->title, " took over %g times the median ",
                    slow->q->limits[TIMES]);
    rln__buf_count(&f->title, c->n);
    rln__buf_text(&f->title, " times, once every ");
    if (c->period.is_in_calls)
        rln__buf_format(&f->title, "%.0f calls", c->period.calls);
    else
        rln__buf_duration(&f->title, c->period.ns);
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

const struct rln__rule rln__rule_periodic_stall = {
    .id = "periodic-stall",
    .question = "does something interrupt the step at regular distances?",
    .fires = "at least `outliers` calls took over `times` times the median, and exceed "
             "it as "
             "far as those of outliers, not in "
             "a row, and their distances in calls or in time vary by at most `mad` "
             "(median) and `deviation` (any) of the usual distance",
    .severity = "a warning, if it could win at least `warning` of the run and a range "
                "inside, or the step outside all of them, explains it; else a note",
    .against = "work that is due every few steps, such as a checkpoint, is not lost; a "
               "busy processor that programs share by turns stalls each of them",
    .next = "rangeline stats -r pace:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS |
             RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"times", 1.5, "as for outliers"},
                   {"outliers", 4, "three distances can be compared"},
                   {"mad", 0.1, "a timer is steadier, chance is not"},
                   {"deviation", 0.25, "chance leaves larger gaps"}},
    .evaluate = evaluate,
    .regularity = regularity_of,
};
