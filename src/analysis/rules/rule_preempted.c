/* SPDX-License-Identifier: Apache-2.0 */
/* rule_preempted.c - the step could go on, but others have the processor. Two rules, since
 * what helps differs: `preempted` if these are mostly of other programs, `oversubscribed`
 * if they are threads of the program itself. */
#include "analysis/cpu_loss.h"
#include "analysis/rules.h"
#include "base/fail.h"
#include "base/human_units.h"

enum { SHARE, WARNING };

/* The share of the time that a thread was preempted, from which on it was for other
 * threads of the program. */
#define MOSTLY_OWN 0.5

static uint64_t preempted_ns(const struct rln__cpu_split *split)
{
    return split->preempted_ns;
}

static bool is_to_own(const struct rln__cpu_loss *loss)
{
    return (double)loss->most.split.to_own_ns >= MOSTLY_OWN * loss->most.ns;
}

static void describe(const struct rln__inquiry *q, const struct rln__cpu_loss *loss,
                     struct rln__finding *f)
{
    const struct rln__thread_loss *most = &loss->most;
    const double share = most->ns / most->known_ns;

    rln__finding_won(f, q, loss->most.ns);
    rln__finding_measure(f, "preempted", share);
    rln__finding_measure(f, "most_ns", most->ns);
    if (!q->cpu->n_readings)
        rln__finding_measure(f, "to_own", (double)most->split.to_own_ns / most->ns);
    rln__finding_measure(f, "threads", (double)loss->n_threads);
    rln__buf_format(&f->title, "%s had the processor for %.0f %% of %s",
                    rln__cpu_split_who(&most->split, q->cpu->n_readings > 0),
                    share * 100, most->is_whole ? "" : "what is known of ");
    rln__buf_range(&f->title, q->run->domain_name, q->run->is_default_domain,
                   q->run->message);
    rln__buf_text(&f->title, ": ");
    rln__buf_duration(&f->title, most->ns);
    rln__buf_text(&f->title, loss->n_threads > 1 ? " of one of its threads" : "");
}

static rln_status find(struct rln__inquiry *q, bool to_own, rln_error *err)
{
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    struct rln__cpu_loss loss = {0};
    const int failed = !f || rln__cpu_loss_find(q, preempted_ns, f, &loss);

    if (!failed && is_to_own(&loss) == to_own && rln__is_worth(q, loss.most.ns))
        describe(q, &loss, f);
    else if (f)
        rln__finding_drop(q);
    q->why = loss.why;
    rln__cpu_loss_clear(&loss);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

static rln_status find_others(struct rln__inquiry *q, rln_error *err)
{
    return find(q, false, err);
}

static rln_status find_own(struct rln__inquiry *q, rln_error *err)
{
    return find(q, true, err);
}

#define NEEDS                                                                          \
    (RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS | RLN__NEEDS_SWITCHES)
#define NEXT "rangeline stats -r cpu_sum {traces}"

const struct rln__rule rln__rule_preempted = {
    .id = "preempted",
    .question = "do others have the processor while the step could go on?",
    .fires =
        "the threads that run the step are preempted, in it, for at least `share` of "
        "the run, mostly for others than threads of the program",
    .against =
        "a thread may be kept from other processors than the one that it left last",
    .next = NEXT,
    .needs = NEEDS,
    .thresholds = {RLN__SHARE_THRESHOLDS},
    .evaluate = find_others,
};

const struct rln__rule rln__rule_oversubscribed = {
    .id = "oversubscribed",
    .question = "do more threads of the program run than there are processors?",
    .fires =
        "the threads that run the step are preempted, in it, for at least `share` of "
        "the run, and for at least half of that other threads of the program have "
        "their processors",
    .against =
        "what these threads did meanwhile has to be done, too: fewer threads win "
        "less than that",
    .next = NEXT,
    .needs = NEEDS,
    .thresholds = {RLN__SHARE_THRESHOLDS},
    .evaluate = find_own,
};
