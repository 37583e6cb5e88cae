/* SPDX-License-Identifier: Apache-2.0 */
/* rule_straggler.c - one rank is slower than the others, in most steps. */
#include "analysis/cause.h"
#include "analysis/ranks.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/thousands.h"
#include "reports/check/check_findings.h"
#include "reports/sums.h"
#include "statistics/median.h"

#include <stdio.h>

enum { SHARE, WARNING, IMBALANCE, SLOWER };

struct comparison {
    double most_ns, others_ns; /* totals of the slowest rank, and of a usual one */
    size_t slowest, n_slower;  /* that rank; in how many of its calls it is slow */
};

/* The median of the i-th call on all ranks but one; of an even number of them the
 * larger one of both: one fast rank does not make the others slow. */
static double others_median(const struct rln__ranks *steps, size_t i, size_t but,
                            double *scratch)
{
    size_t n = 0;

    for (size_t r = 0; r < steps->n_ranks; r++)
        if (r != but)
            scratch[n++] = steps->ranks[r]->calls[i].ns;
    (void)rln__median(scratch, n);
    return scratch[n / 2];
}

/* 0, or -1 when there is no memory. */
static int compare(const struct rln__ranks *steps, double imbalance,
                   struct comparison *c)
{
    double *scratch = rln__alloc(steps->n_ranks, sizeof(*scratch));

    if (!scratch)
        return -1;
    for (size_t r = 0; r < steps->n_ranks; r++) {
        double total = 0;

        for (size_t i = 0; i < steps->n_calls; i++)
            total += steps->ranks[r]->calls[i].ns;
        if (total <= c->most_ns)
            continue;
        c->most_ns = total;
        c->slowest = r;
    }
    for (size_t i = 0; i < steps->n_calls; i++) {
        const double usual = others_median(steps, i, c->slowest, scratch);

        c->others_ns += usual;
        c->n_slower += steps->ranks[c->slowest]->calls[i].ns > imbalance * usual;
    }
    rln__free(scratch);
    return 0;
}

static rln_status add(struct rln__inquiry *q, const struct rln__ranks *steps,
                      const struct comparison *c, rln_error *err)
{
    const struct rln__run *run = q->run;
    const struct rln__track *slow = steps->ranks[c->slowest];
    unsigned char *compared = rln__compared_new(run);
    struct rln__finding *f;
    rln_status status;
    char tail[40];

    /* Pids, and the order of traces, differ in the next run of the program. */
    (void)snprintf(tail, sizeof(tail), "rank=%u", slow->rank);
    f = rln__finding_of_step(q, run->rank_kind == RLN__RANK_OF_JOB ? tail : NULL);
    if (!compared || !f) {
        rln__free(compared);
        return rln__fail_nomem(err);
    }
    rln__finding_won(f, q, c->most_ns - c->others_ns);
    rln__finding_measure(f, "imbalance", c->most_ns / c->others_ns);
    rln__finding_measure(f, "slower", (double)c->n_slower / (double)steps->n_calls);
    rln__finding_measure(f, "ranks", (double)steps->n_ranks);
    for (size_t r = 0; r < steps->n_ranks; r++)
        for (size_t i = 0; i < steps->n_calls; i++)
            compared[steps->ranks[r]->calls[i].range] =
                r == c->slowest ? RLN__UNUSUAL : RLN__USUAL;
    for (size_t i = 0; i < steps->n_calls; i++)
        rln__finding_show(f, slow->calls[i].range, slow->calls[i].ns);
    rln__buf_format(&f->title, "%s %u takes %.2f times as long as the other%s for ",
                    rln__rank_word(run), slow->rank, f->measured[0].value,
                    steps->n_ranks > 2 ? "s" : "");
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " (over %g), and is that slow in %.0f %% of its calls",
                    q->limits[IMBALANCE], f->measured[1].value * 100);
    if (steps->have_more) {
        rln__buf_text(&f->title, "; the first ");
        rln__buf_count(&f->title, steps->n_calls);
        rln__buf_text(&f->title, " of each are compared");
    }
    status = rln__find_cause(q, compared, RLN__LEAST_CAUSE, f, err);
    rln__free(compared);
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct rln__ranks steps;
    struct comparison c = {0};
    rln_status status = RLN_OK;

    if (rln__ranks_read(q->run, &steps)) {
        rln__ranks_clear(&steps);
        return rln__fail_nomem(err);
    }
    if (steps.n_ranks < 2)
        q->why = "one rank has enough calls of the step";
    else if (compare(&steps, q->limits[IMBALANCE], &c))
        status = rln__fail_nomem(err);
    else if (c.most_ns > q->limits[IMBALANCE] * c.others_ns &&
             (double)c.n_slower > q->limits[SLOWER] * (double)steps.n_calls &&
             rln__is_worth(q, c.most_ns - c.others_ns))
        status = add(q, &steps, &c, err);
    rln__ranks_clear(&steps);
    return status;
}

/* A rank that is slow because it waits for others is none that they wait for. */
static bool waits_itself(const struct rln__run *run, const struct rln__finding *f,
                         const struct rln__finding *by)
{
    (void)run;
    return by->rule == &rln__rule_wait_at_collective && rln__finding_blames(f, by);
}

const struct rln__rule rln__rule_straggler = {
    .id = "straggler",
    .question = "is one rank slow?",
    .fires =
        "a rank takes over `imbalance` times the median of the others for the step in "
        "sum, and so do over `slower` of its calls",
    .against =
        "ranks may have different work to do; where ranks wait for each other "
        "inside the step, all are as slow as the slowest, and this rule is silent",
    .next = "rangeline stats -r rank_sum {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_ALL_EVENTS | RLN__NEEDS_RANKS |
             RLN__READS_SWITCHES,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"imbalance", 1.05, "equal ranks differ by up to 3 %"},
                   {"slower", 0.5,
                    "a rank that is slow in a few steps only has outliers"}},
    .evaluate = evaluate,
    .is_superseded = waits_itself,
    .superseded_why = "the slow rank waits for another one: see wait-at-collective",
};
