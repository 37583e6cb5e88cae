/* SPDX-License-Identifier: Apache-2.0 */
/* rule_moving_straggler.c - in most steps some rank is slow, and each time another one.
 */
#include "analysis/cause.h"
#include "analysis/ranks.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "statistics/median.h"

enum { SHARE, WARNING, EXCESS, SLOWEST };

/* Ranks that wait for the slowest of each step take at least as long as these together;
 * clocks of several traces may differ a little. */
#define MOST_OF_RUN 1.01

struct comparison {
    size_t *n_slowest;         /* owned: by rank, calls in which it is slowest */
    double *scratch;           /* owned */
    double median_ns, lost_ns; /* totals of the median rank; of the slowest beyond it */
    double slowest_ns;         /* of the slowest */
    size_t most;               /* of n_slowest */
};

/* The i-th call of the slowest rank, and what it takes beyond the median rank. */
static size_t find_slowest(const struct rln__ranks *steps, size_t i,
                           struct comparison *c, double *lost_ns)
{
    size_t slowest = 0;
    double median;

    for (size_t r = 0; r < steps->n_ranks; r++) {
        c->scratch[r] = steps->ranks[r]->calls[i].ns;
        if (c->scratch[r] > c->scratch[slowest])
            slowest = r;
    }
    median = rln__median(c->scratch, steps->n_ranks);
    *lost_ns = steps->ranks[slowest]->calls[i].ns - median;
    c->median_ns += median;
    c->slowest_ns += median + *lost_ns;
    return slowest;
}

/* Marks the slowest of each step. */
static void compare(const struct rln__ranks *steps, unsigned char *compared,
                    struct rln__finding *f, struct comparison *c)
{
    for (size_t i = 0; i < steps->n_calls; i++) {
        double lost_ns;
        const size_t slowest = find_slowest(steps, i, c, &lost_ns);
        const size_t range = steps->ranks[slowest]->calls[i].range;

        c->lost_ns += lost_ns;
        if (++c->n_slowest[slowest] > c->most)
            c->most = c->n_slowest[slowest];
        for (size_t r = 0; r < steps->n_ranks; r++)
            compared[steps->ranks[r]->calls[i].range] = RLN__USUAL;
        compared[range] = RLN__UNUSUAL;
        rln__finding_show(f, range, lost_ns);
    }
}

static void describe(const struct rln__inquiry *q, const struct rln__ranks *steps,
                     const struct comparison *c, struct rln__finding *f)
{
    const struct rln__run *run = q->run;

    rln__finding_won(f, q, c->lost_ns);
    rln__finding_measure(f, "excess", c->lost_ns / c->median_ns);
    rln__finding_measure(f, "slowest", (double)c->most / (double)steps->n_calls);
    rln__finding_measure(f, "ranks", (double)steps->n_ranks);
    rln__buf_text(&f->title, "in each call of ");
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title,
                    " another %s is slowest, on average by %.1f %% of the median "
                    "(over %g %%); none is in over %.0f %% of the calls",
                    rln__rank_word(run), f->measured[0].value * 100,
                    q->limits[EXCESS] * 100, f->measured[1].value * 100);
}

static rln_status evaluate_ranks(struct rln__inquiry *q, const struct rln__ranks *steps,
                                 rln_error *err)
{
    struct comparison c = {.n_slowest =
                               rln__alloc(steps->n_ranks, sizeof(*c.n_slowest)),
                           .scratch = rln__alloc(steps->n_ranks, sizeof(*c.scratch))};
    unsigned char *compared = rln__compared_new(q->run);
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    rln_status status = RLN_OK;

    if (!c.n_slowest || !c.scratch || !compared || !f) {
        status = rln__fail_nomem(err);
        goto out;
    }
    compare(steps, compared, f, &c);
    if (c.lost_ns <= q->limits[EXCESS] * c.median_ns ||
        (double)c.most > q->limits[SLOWEST] * (double)steps->n_calls ||
        !rln__is_worth(q, c.lost_ns)) {
        rln__finding_drop(q);
        goto out;
    }
    if (c.slowest_ns > MOST_OF_RUN * q->run->span_ns) {
        q->why = "ranks do not wait for each other between steps";
        rln__finding_drop(q);
        goto out;
    }
    describe(q, steps, &c, f);
    status = rln__find_cause(q, compared, RLN__LEAST_CAUSE, f, err);
out:
    rln__free(c.n_slowest);
    rln__free(c.scratch);
    rln__free(compared);
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct rln__ranks steps;
    rln_status status = RLN_OK;

    if (rln__ranks_read(q->run, &steps))
        status = rln__fail_nomem(err);
    else if (steps.n_ranks < 3)
        q->why = "fewer than three ranks have enough calls of the step";
    else
        status = evaluate_ranks(q, &steps, err);
    rln__ranks_clear(&steps);
    return status;
}

const struct rln__rule rln__rule_moving_straggler = {
    .id = "moving-straggler",
    .question = "is each time another rank slow?",
    .fires = "the slowest of at least three ranks takes on average over `excess` more "
             "than the median rank for the same call of the step, no rank is the "
             "slowest in over `slowest` of them, and the run is long enough for ranks "
             "to have waited for it",
    .against =
        "it costs time only where ranks wait for each other, and steps whose work "
        "varies do so by themselves",
    .next = "rangeline stats -r straggler:{range} {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_ALL_EVENTS | RLN__NEEDS_RANKS |
             RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"excess", 0.1, "the slowest of equal ranks takes up to 7 % more"},
                   {"slowest", 0.5, "a rank that is slow more often is a straggler"}},
    .evaluate = evaluate,
};
