/* SPDX-License-Identifier: Apache-2.0 */
/* rule_drift.c - the step becomes slower and slower. */
#include "analysis/rules.h"
#include "analysis/slow_steps.h"
#include "analysis/trend.h"
#include "base/human_units.h"

enum { SHARE, WARNING, RISE, AGREEMENT, CALLS };

struct collected {
    struct rln__trend worst; /* of the track that rises most */
    size_t n_threads;
};

static bool fires(const struct rln__inquiry *q, const struct rln__trend *t)
{
    return t->is_line && t->rise > q->limits[RISE] &&
           t->agreement > q->limits[AGREEMENT];
}

static int look_at(struct rln__slow_steps *slow, const struct rln__track *track)
{
    struct collected *c = slow->own;
    struct rln__trend t;
    int failed = 0;

    if (rln__trend_read(track, &t))
        return -1;
    if (!fires(slow->q, &t))
        return 0;
    c->n_threads++;
    if (t.rise > c->worst.rise)
        c->worst = t;
    for (size_t b = 0; b < RLN__TREND_BLOCKS; b++) {
        const bool is_late = b >= RLN__TREND_BLOCKS / 2;

        for (size_t i = t.first[b]; !failed && i < t.first[b + 1]; i++) {
            const struct rln__call *call = &track->calls[i];

            slow->compared[call->range] = is_late ? RLN__UNUSUAL : RLN__USUAL;
            failed = rln__win_add(&slow->win, i, t.medians[b] - t.medians[0]);
        }
        if (b + 1 == RLN__TREND_BLOCKS || b == 0)
            rln__finding_show(slow->f, track->calls[t.first[b]].range, (double)b);
    }
    return failed;
}

static void describe(struct rln__slow_steps *slow)
{
    const struct collected *c = slow->own;
    struct rln__finding *f = slow->f;

    if (f->grew_alike) /* another program on the machine does that, too */
        f->severity = RLN_SEVERITY_NOTE;
    rln__finding_measure(f, "rise", c->worst.rise);
    rln__finding_measure(f, "agreement", c->worst.agreement);
    rln__finding_measure(f, "threads", (double)c->n_threads);
    rln__title_step(slow);
    rln__buf_format(&f->title, " becomes slower: by %.1f %% from ",
                    c->worst.rise * 100);
    rln__buf_duration(&f->title, c->worst.start);
    rln__buf_format(&f->title, " (over %g %%)", slow->q->limits[RISE] * 100);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__slow_steps_rule rule = {
        .least_calls = q->limits[CALLS],
        .least_cause = RLN__LEAST_CAUSE,
        .look_at = look_at,
        .describe = describe,
    };
    struct collected c = {0};
    size_t n_tracks;
    const rln_status status = rln__find_slow_steps(q, &rule, &c, &n_tracks, err);

    if (!status && !n_tracks)
        q->why =
            "no thread has enough calls of the step for a trend, drift.calls (100): "
            "record more of it, or name another with --step";
    return status;
}

const struct rln__rule rln__rule_drift = {
    .id = "drift",
    .question = "does the step become slower and slower?",
    .fires =
        "a line through the medians of 20 blocks of calls (Theil and Sen's) rises by "
        "over `rise`, over `agreement` of the slopes between blocks rise, and the "
        "line fits better than a single change of level",
    .severity = "a warning, if it could win at least `warning` of the run, and not all "
                "ranges inside grew alike; else a note",
    .against = "steps may have more to do as a run goes on; then time per unit of work "
               "tells (payload_sum)",
    .next = "rangeline stats -r pace:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"rise", 0.05, "medians of blocks vary by less"},
                   {"agreement", 0.8, "half of the slopes rise by chance"},
                   {"calls", 100, "five calls make the median of a block steady"}},
    .evaluate = evaluate,
};
