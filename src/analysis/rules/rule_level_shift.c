/* SPDX-License-Identifier: Apache-2.0 */
/* rule_level_shift.c - from one call on, the step is slower. */
#include "analysis/rules.h"
#include "analysis/slow_steps.h"
#include "analysis/trend.h"
#include "base/alloc.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "statistics/mann_whitney.h"
#include "statistics/median.h"
#include "statistics/sort_numbers.h"

#include <math.h>

enum { SHARE, WARNING, RISE, CHANCE, CALLS };

struct collected {
    double rise, before_ns; /* of the track that rises most */
    int64_t since_ns;
    size_t since_call, n_threads;
};

/* The call from which on durations are nearer to the second level: of those near the
 * split of the blocks, the one with the least absolute error. */
static size_t find_split(const struct rln__track *track, const struct rln__trend *t)
{
    const size_t from = t->first[t->split - 1];
    const size_t to =
        t->first[t->split + 1 < RLN__TREND_BLOCKS ? t->split + 1 : RLN__TREND_BLOCKS];
    double error = 0, least = 0; /* beyond that of a split at `from` */
    size_t best = from;

    for (size_t i = from; i < to; i++) {
        error +=
            fabs(track->calls[i].ns - t->before) - fabs(track->calls[i].ns - t->after);
        if (error < least) {
            least = error;
            best = i + 1;
        }
    }
    return best;
}

/* The levels are those of the calls: blocks may lie across the split. */
static int measure_levels(const struct rln__track *track, size_t split,
                          struct rln__trend *t)
{
    double *values = rln__alloc(track->n + 1, sizeof(*values));
    const size_t first = track->n_warm_up;

    if (!values)
        return -1;
    for (size_t i = first; i < track->n; i++)
        values[i] = track->calls[i].ns;
    t->before = rln__median(values + first, split - first);
    t->after = rln__median(values + split, track->n - split);
    rln__free(values);
    return 0;
}

/* How likely chance makes the calls before and after differ so; -1: no memory. */
static double chance_of(const struct rln__track *track, size_t split)
{
    const size_t n_before = split - track->n_warm_up, n_after = track->n - split;
    uint64_t *values = rln__alloc(n_before + n_after + 1, sizeof(*values));
    struct rln__mann_whitney test;
    int failed;

    if (!values)
        return -1;
    for (size_t i = track->n_warm_up; i < track->n; i++)
        values[i - track->n_warm_up] = (uint64_t)track->calls[i].ns;
    rln__sort_lengths(values, n_before);
    rln__sort_lengths(values + n_before, n_after);
    failed = rln__mann_whitney(values, n_before, values + n_before, n_after, &test);
    rln__free(values);
    return failed ? -1 : test.p;
}

static int add_shift(struct rln__slow_steps *slow, const struct rln__track *track,
                     const struct rln__trend *t, size_t split)
{
    struct collected *c = slow->own;
    const double rise = t->after / t->before - 1;

    c->n_threads++;
    if (rise > c->rise) {
        c->rise = rise;
        c->before_ns = t->before;
        c->since_ns = track->calls[split].start_ns;
        c->since_call = split;
    }
    for (size_t i = track->n_warm_up; i < track->n; i++)
        slow->compared[track->calls[i].range] = i < split ? RLN__USUAL : RLN__UNUSUAL;
    rln__finding_show(slow->f, track->calls[split].range, rise);
    for (size_t i = split; i < track->n; i++)
        if (rln__win_add(&slow->win, i, t->after - t->before))
            return -1;
    return 0;
}

static int look_at(struct rln__slow_steps *slow, const struct rln__track *track)
{
    const double *limits = slow->q->limits;
    struct rln__trend t;
    size_t split;
    double chance;

    if (rln__trend_read(track, &t))
        return -1;
    if (t.is_line || t.before <= 0 || t.after <= t.before)
        return 0;
    split = find_split(track, &t);
    if (measure_levels(track, split, &t))
        return -1;
    if (t.before <= 0 || t.after / t.before - 1 <= limits[RISE])
        return 0;
    chance = chance_of(track, split);
    if (chance < 0 || chance > limits[CHANCE])
        return chance < 0 ? -1 : 0;
    return add_shift(slow, track, &t, split);
}

static void describe(struct rln__slow_steps *slow)
{
    const struct collected *c = slow->own;
    struct rln__finding *f = slow->f;

    if (f->grew_alike) /* another program on the machine does that, too */
        f->severity = RLN_SEVERITY_NOTE;
    rln__finding_measure(f, "rise", c->rise);
    rln__finding_measure(f, "since_call", (double)c->since_call);
    rln__finding_measure(f, "threads", (double)c->n_threads);
    rln__title_step(slow);
    rln__buf_format(&f->title, " is slower by %.1f %% since call ", c->rise * 100);
    rln__buf_count(&f->title, c->since_call + 1);
    rln__buf_text(&f->title, "; before, it took ");
    rln__buf_duration(&f->title, c->before_ns);
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
            "no thread has enough calls of the step for two levels, "
            "level-shift.calls (40): record more of it, or name another with --step";
    return status;
}

const struct rln__rule rln__rule_level_shift = {
    .id = "level-shift",
    .question = "since when is the step slower?",
    .fires = "the median after the best split of the calls is over `rise` above that "
             "before, a rank test says that chance does so in at most `chance` of all "
             "runs, and two levels fit better than a line",
    .severity = "a warning, if it could win at least `warning` of the run, and not all "
                "ranges inside grew alike; else a note",
    .against = "another phase of the program may have other work to do",
    .next = "rangeline stats -r pace:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"rise", 0.1,
                    "the rank test alone fires in runs without a shift: the "
                    "best of many splits is compared"},
                   {"chance", 0.001, "a z of 3.3"},
                   {"calls", 40, "two calls for each of 20 blocks"}},
    .evaluate = evaluate,
};
