/* SPDX-License-Identifier: Apache-2.0 */
/* rule_few_steps.c - of a few calls of the step, which rules that need to know what is
 * usual leave alone, some are slow. */
#include "analysis/cause.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/thousands.h"
#include "console/human_units.h"

enum { SHARE, WARNING, TIMES };

struct compared {
    const struct rln__inquiry *q;
    struct rln__finding *f;
    unsigned char *sides; /* owned: of each range, as in cause.h */
    struct rln__win win;
    size_t n, n_calls, n_first; /* slow ones, all, slow ones that are first */
};

static bool has_few(const struct rln__track *track)
{
    return track->n >= RLN__FEW_CALLS && track->n < RLN__LEAST_CALLS;
}

static int compare_track(struct compared *c, const struct rln__track *track)
{
    const double limit = c->q->limits[TIMES] * track->median_ns;
    int failed = 0;

    c->n_calls += track->n;
    for (size_t i = 0; i < track->n && !failed; i++) {
        const struct rln__call *call = &track->calls[i];

        c->sides[call->range] = call->ns > limit ? RLN__UNUSUAL : RLN__USUAL;
        if (call->ns <= limit)
            continue;
        c->n++;
        c->n_first += i == 0;
        rln__finding_show(c->f, call->range, call->ns - track->median_ns);
        failed = rln__win_add(&c->win, i, call->ns - track->median_ns);
    }
    return failed;
}

static void describe(const struct compared *c)
{
    const struct rln__run *run = c->q->run;
    struct rln__finding *f = c->f;

    f->severity = RLN_SEVERITY_NOTE;
    rln__finding_measure(f, "slow", (double)c->n);
    rln__finding_measure(f, "calls", (double)c->n_calls);
    rln__finding_measure(f, "largest_ns", f->weights[0]);
    if (c->n == c->n_first && c->n == 1) {
        rln__buf_text(&f->title, "the first");
    } else {
        rln__buf_count(&f->title, c->n);
    }
    rln__buf_text(&f->title, " of ");
    rln__buf_count(&f->title, c->n_calls);
    rln__buf_text(&f->title, " calls of ");
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " took over %g times the median; the worst ",
                    c->q->limits[TIMES]);
    rln__buf_duration(&f->title, f->weights[0]);
    rln__buf_text(&f->title, " more");
}

static rln_status compare(struct compared *c, rln_error *err)
{
    const struct rln__run *run = c->q->run;
    rln_status status;

    if (!c->f || !c->sides)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < run->n_tracks; i++)
        if (has_few(&run->tracks[i]) && compare_track(c, &run->tracks[i]))
            return rln__fail_nomem(err);
    if (!rln__is_worth(c->q, rln__win_total(&c->win)))
        return RLN_OK;
    status = rln__find_cause(run, c->sides, RLN__LEAST_CAUSE, c->f, err);
    if (!status) {
        rln__finding_won(c->f, c->q, rln__win_total(&c->win));
        describe(c);
    }
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct compared c = {.q = q};
    rln_status status;
    bool any = false;

    for (size_t i = 0; i < run->n_tracks; i++)
        any |= has_few(&run->tracks[i]);
    if (!any || run->n_long_tracks) {
        q->why = run->n_long_tracks ? "there are enough steps for other rules"
                                    : "no thread has four calls of a step";
        return RLN_OK;
    }
    c.f = rln__finding_of_step(q, NULL);
    c.sides = rln__compared_new(run);
    status = compare(&c, err);
    if (c.f && !c.f->has_won)
        rln__finding_drop(q);
    rln__win_clear(&c.win);
    rln__free(c.sides);
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
    .needs = RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"times", 1.5,
                    "a person notices a step that is half as long again"}},
    .evaluate = evaluate,
};
