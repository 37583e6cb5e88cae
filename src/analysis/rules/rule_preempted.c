/* SPDX-License-Identifier: Apache-2.0 */
/* rule_preempted.c - the step could go on, but others have the processor. Two rules, since
 * what helps differs: `preempted` if these are mostly of other programs, `oversubscribed`
 * if they are threads of the program itself. */
#include "analysis/rules.h"
#include "base/fail.h"
#include "base/human_units.h"

enum { SHARE, WARNING };

/* The share of the time that a thread was preempted, from which on it was for other
 * threads of the program. */
#define MOSTLY_OWN 0.5

struct preempted {
    /* Of the thread that lost most: what other threads of the program had of it, and its
     * calls. */
    double most_ns, most_to_own_ns, most_of_ns;
    double n_threads;
    struct rln__win win;
};

static bool is_to_own(const struct preempted *p)
{
    return p->most_to_own_ns >= MOSTLY_OWN * p->most_ns;
}

/* 0, or -1 when there is no memory. */
static int add_track(struct rln__cpu_times *times, const struct rln__track *track,
                     struct preempted *p, struct rln__finding *f)
{
    double ns = 0, to_own_ns = 0, of_ns = 0;

    for (size_t i = 0; i < track->n; i++) {
        const struct rln__call *call = &track->calls[i];
        const struct rln__cpu_split split = rln__cpu_times_of(
            times, track->thread, call->start_ns, call->start_ns + (int64_t)call->ns);

        ns += (double)split.preempted_ns;
        to_own_ns += (double)split.to_own_ns;
        of_ns += call->ns;
        if (split.preempted_ns)
            rln__finding_show(f, call->range, (double)split.preempted_ns);
        if (rln__win_add(&p->win, i, (double)split.preempted_ns))
            return -1;
    }
    p->n_threads += ns > 0;
    if (ns > p->most_ns) {
        p->most_ns = ns;
        p->most_to_own_ns = to_own_ns;
        p->most_of_ns = of_ns;
    }
    return 0;
}

static void describe(const struct rln__inquiry *q, const struct preempted *p,
                     struct rln__finding *f)
{
    rln__finding_won(f, q, rln__win_total(&p->win));
    rln__finding_measure(f, "preempted", p->most_ns / p->most_of_ns);
    rln__finding_measure(f, "most_ns", p->most_ns);
    rln__finding_measure(f, "to_own", p->most_to_own_ns / p->most_ns);
    rln__finding_measure(f, "threads", p->n_threads);
    rln__buf_format(&f->title, "%s had the processor for %.0f %% of ",
                    is_to_own(p) ? "other threads of the program" : "others",
                    p->most_ns / p->most_of_ns * 100);
    rln__buf_range(&f->title, q->run->domain_name, q->run->is_default_domain,
                   q->run->message);
    rln__buf_text(&f->title, ": ");
    rln__buf_duration(&f->title, p->most_ns);
    rln__buf_text(&f->title, p->n_threads > 1 ? " of one of its threads" : "");
}

static rln_status find(struct rln__inquiry *q, bool to_own, rln_error *err)
{
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    struct preempted p = {0};
    const struct rln__track *track;
    int failed = !f;
    size_t at = 0;

    while (!failed && (track = rln__run_next_track(q->run, &at)))
        failed = add_track(q->cpu, track, &p, f);
    if (!failed && is_to_own(&p) == to_own && rln__is_worth(q, rln__win_total(&p.win)))
        describe(q, &p, f);
    else if (f)
        rln__finding_drop(q);
    rln__win_clear(&p.win);
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
