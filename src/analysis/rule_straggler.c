/* SPDX-License-Identifier: Apache-2.0 */
/* rule_straggler.c - one rank is slower than the others, in most steps. The i-th calls
 * of the step on all ranks are compared; a rank is represented by the thread with most
 * calls. */
#include "analysis/cause.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "console/human_units.h"

#include <stdio.h>

enum { SHARE, WARNING, IMBALANCE, SLOWER };

struct comparison {
    const struct rln__track **ranks; /* owned */
    size_t n_ranks, n_calls;         /* calls that all have */
    bool have_more;                  /* some rank has more of them */
    double most_ns, others_ns;       /* totals of the slowest rank; the others' mean */
    size_t slowest, n_slower; /* that rank; in how many of its calls it is slow */
};

static int choose_tracks(const struct rln__run *run, struct comparison *c)
{
    struct rln__map by_rank = {0};
    const struct rln__track *track;
    size_t at = 0;
    int failed = 0;

    c->ranks = rln__alloc(run->n_tracks + 1, sizeof(*c->ranks));
    failed = !c->ranks;
    while (!failed && (track = rln__run_next_track(run, &at))) {
        const size_t i = (size_t)rln__map_get(&by_rank, track->rank);

        if (!rln__track_has_rank(track))
            continue;
        if (!i) {
            c->ranks[c->n_ranks++] = track;
            failed = rln__map_put(&by_rank, track->rank, c->n_ranks);
        } else if (track->n > c->ranks[i - 1]->n) {
            c->ranks[i - 1] = track;
        }
    }
    rln__map_clear(&by_rank);
    for (size_t i = 0; !failed && i < c->n_ranks; i++) {
        c->have_more |= i > 0 && c->ranks[i]->n != c->n_calls;
        if (i == 0 || c->ranks[i]->n < c->n_calls)
            c->n_calls = c->ranks[i]->n;
    }
    return failed;
}

/* The mean of the i-th call on all ranks but one. */
static double others_mean(const struct comparison *c, size_t i, size_t but)
{
    double sum = 0;

    for (size_t r = 0; r < c->n_ranks; r++)
        sum += r == but ? 0 : c->ranks[r]->calls[i].ns;
    return sum / (double)(c->n_ranks - 1);
}

static void compare(struct comparison *c, double imbalance)
{
    for (size_t r = 0; r < c->n_ranks; r++) {
        double total = 0;

        for (size_t i = 0; i < c->n_calls; i++)
            total += c->ranks[r]->calls[i].ns;
        if (total <= c->most_ns)
            continue;
        c->most_ns = total;
        c->slowest = r;
    }
    for (size_t i = 0; i < c->n_calls; i++) {
        const double mean = others_mean(c, i, c->slowest);

        c->others_ns += mean;
        c->n_slower += c->ranks[c->slowest]->calls[i].ns > imbalance * mean;
    }
}

static rln_status add(struct rln__inquiry *q, const struct comparison *c,
                      rln_error *err)
{
    static const char *const kinds[] = {[RLN__RANK_OF_JOB] = "rank",
                                        [RLN__RANK_OF_TRACE] = "trace",
                                        [RLN__RANK_OF_PROCESS] = "process"};
    const struct rln__run *run = q->run;
    const struct rln__track *slow = c->ranks[c->slowest];
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
    rln__finding_measure(f, "slower", (double)c->n_slower / (double)c->n_calls);
    rln__finding_measure(f, "ranks", (double)c->n_ranks);
    for (size_t r = 0; r < c->n_ranks; r++)
        for (size_t i = 0; i < c->n_calls; i++)
            compared[c->ranks[r]->calls[i].range] =
                r == c->slowest ? RLN__UNUSUAL : RLN__USUAL;
    for (size_t i = 0; i < c->n_calls; i++)
        rln__finding_show(f, slow->calls[i].range, slow->calls[i].ns);
    rln__buf_format(&f->title, "%s %u takes %.2f times the mean of the other%s for ",
                    kinds[run->rank_kind], slow->rank, f->measured[0].value,
                    c->n_ranks > 2 ? "s" : "");
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " (over %g), and is that slow in %.0f %% of its calls",
                    q->limits[IMBALANCE], f->measured[1].value * 100);
    if (c->have_more) {
        rln__buf_text(&f->title, "; the first ");
        rln__buf_count(&f->title, c->n_calls);
        rln__buf_text(&f->title, " of each are compared");
    }
    status = rln__find_cause(run, compared, RLN__LEAST_CAUSE, f, err);
    rln__free(compared);
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct comparison c = {0};
    rln_status status = RLN_OK;

    if (choose_tracks(q->run, &c)) {
        rln__free(c.ranks);
        return rln__fail_nomem(err);
    }
    if (c.n_ranks > 1)
        compare(&c, q->limits[IMBALANCE]);
    else
        q->why = "one rank has enough calls of the step";
    if (c.n_ranks > 1 && c.most_ns > q->limits[IMBALANCE] * c.others_ns &&
        (double)c.n_slower > q->limits[SLOWER] * (double)c.n_calls &&
        rln__is_worth(q, c.most_ns - c.others_ns))
        status = add(q, &c, err);
    rln__free(c.ranks);
    return status;
}

const struct rln__rule rln__rule_straggler = {
    .id = "straggler",
    .question = "is one rank slow?",
    .fires =
        "a rank's total of the step is over `imbalance` times the mean of the others, "
        "and so are over `slower` of its calls",
    .against =
        "ranks may have different work to do; where ranks wait for each other "
        "inside the step, all are as slow as the slowest, and this rule is silent",
    .next = "rangeline stats -r rank_sum {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_ALL_EVENTS | RLN__NEEDS_RANKS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"imbalance", 1.05, "equal ranks differ by up to 3 %"},
                   {"slower", 0.5,
                    "a rank that is slow in a few steps only has outliers"}},
    .evaluate = evaluate,
};
