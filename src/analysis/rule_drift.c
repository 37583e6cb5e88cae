/* SPDX-License-Identifier: Apache-2.0 */
/* rule_drift.c - the step becomes slower and slower. */
#include "analysis/cause.h"
#include "analysis/rules.h"
#include "analysis/trend.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "console/human_units.h"

enum { SHARE, WARNING, RISE, AGREEMENT, CALLS };

struct collected {
    unsigned char *compared; /* owned */
    struct rln__win win;
    struct rln__finding *f;  /* of the inquiry */
    struct rln__trend worst; /* of the track that rises most */
    size_t n_threads;
};

static bool fires(const struct rln__inquiry *q, const struct rln__trend *t)
{
    return t->is_line && t->rise > q->limits[RISE] &&
           t->agreement > q->limits[AGREEMENT];
}

static int add_track(const struct rln__inquiry *q, const struct rln__track *track,
                     struct collected *c)
{
    struct rln__trend t;
    int failed = 0;

    if ((double)(track->n - track->n_warm_up) < q->limits[CALLS])
        return 0;
    if (rln__trend_read(track, &t))
        return -1;
    if (!fires(q, &t))
        return 0;
    c->n_threads++;
    if (t.rise > c->worst.rise)
        c->worst = t;
    for (size_t b = 0; b < RLN__TREND_BLOCKS; b++) {
        const bool is_late = b >= RLN__TREND_BLOCKS / 2;

        for (size_t i = t.first[b]; !failed && i < t.first[b + 1]; i++) {
            const struct rln__call *call = &track->calls[i];

            c->compared[call->range] = is_late ? RLN__UNUSUAL : RLN__USUAL;
            failed = rln__win_add(&c->win, i, t.medians[b] - t.medians[0]);
        }
        if (b + 1 == RLN__TREND_BLOCKS || b == 0)
            rln__finding_show(c->f, track->calls[t.first[b]].range, (double)b);
    }
    return failed;
}

static void describe(const struct rln__inquiry *q, struct collected *c)
{
    const struct rln__run *run = q->run;
    struct rln__finding *f = c->f;

    rln__finding_won(f, q, rln__win_total(&c->win));
    rln__finding_measure(f, "rise", c->worst.rise);
    rln__finding_measure(f, "agreement", c->worst.agreement);
    rln__finding_measure(f, "threads", (double)c->n_threads);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " becomes slower: by %.1f %% from ",
                    c->worst.rise * 100);
    rln__buf_duration(&f->title, c->worst.start);
    rln__buf_format(&f->title, " (over %g %%)", q->limits[RISE] * 100);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct collected c = {.compared = rln__compared_new(q->run),
                          .f = rln__finding_of_step(q, NULL)};
    const struct rln__track *track;
    rln_status status = RLN_OK;
    size_t at = 0, n_enough = 0;
    int failed = !c.compared || !c.f;

    while (!failed && (track = rln__run_next_track(q->run, &at))) {
        n_enough += (double)(track->n - track->n_warm_up) >= q->limits[CALLS];
        failed = add_track(q, track, &c);
    }
    if (failed)
        status = rln__fail_nomem(err);
    else if (!rln__is_worth(q, rln__win_total(&c.win)))
        rln__finding_drop(q);
    else
        status = rln__find_cause(q->run, c.compared, RLN__LEAST_CAUSE, c.f, err);
    if (!status && q->n)
        describe(q, &c);
    if (!status && !n_enough)
        q->why = "the step has too few calls for a trend: name another with --step";
    rln__win_clear(&c.win);
    rln__free(c.compared);
    return status;
}

const struct rln__rule rln__rule_drift = {
    .id = "drift",
    .question = "does the step become slower and slower?",
    .fires =
        "a line through the medians of 20 blocks of calls (Theil and Sen's) rises by "
        "over `rise`, over `agreement` of the slopes between blocks rise, and the "
        "line fits better than a single change of level",
    .against = "steps may have more to do as a run goes on; then time per unit of work "
               "tells (payload_sum)",
    .next = "rangeline stats -r pace:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"rise", 0.05, "medians of blocks vary by less"},
                   {"agreement", 0.8, "half of the slopes rise by chance"},
                   {"calls", 100, "five calls make the median of a block steady"}},
    .evaluate = evaluate,
};
