/* SPDX-License-Identifier: Apache-2.0 */
/* rule_wait_at_collective.c - ranks wait for the last one to come, in a range that they
 * enter one after the other and leave together. If their clocks disagree, ends seem as
 * far from each other as starts, and the rule is silent. */
#include "analysis/cause.h"
#include "analysis/meetings.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "reports/check/check_findings.h"
#include "reports/sums.h"

enum { SHARE, WARNING, TOGETHER };

struct waiting {
    struct rln__meetings meetings;
    double *by_name; /* owned: by all ranks, where they leave together */
    bool *is_waited_at, *is_reported; /* owned: by name */
};

/* A rank on average. */
static double waited_ns(const struct waiting *w, size_t name)
{
    return w->by_name[name] / (double)w->meetings.steps.n_ranks;
}

static int sum(const struct rln__inquiry *q, struct waiting *w)
{
    struct rln__meeting_call call;
    size_t at = 0;
    int next;

    while ((next = rln__meetings_next(&w->meetings, &at, &call)) > 0)
        if (rln__is_left_together(&w->meetings.sites[call.name], q->limits[TOGETHER]))
            w->by_name[call.name] += call.waited_ns;
    return next;
}

/* Of ranges inside each other the outermost is reported: what is inside it is how ranks
 * wait. */
static void choose(const struct rln__inquiry *q, struct waiting *w)
{
    const struct rln__meetings *m = &w->meetings;
    struct rln__nesting_row row;

    for (size_t name = 0; name < m->n_sites; name++)
        w->is_waited_at[name] = rln__is_worth(q, waited_ns(w, name));
    for (size_t name = 0; name < m->n_sites; name++) {
        w->is_reported[name] = w->is_waited_at[name];
        if (!w->is_reported[name] ||
            !rln__nesting_get(q->run->nesting, m->sites[name].range, &row))
            continue;
        while (rln__nesting_get(q->run->nesting, row.parent, &row))
            w->is_reported[name] &= row.name == name || !w->is_waited_at[row.name];
    }
}

/* The rank that comes last most often. */
struct last {
    size_t rank;
    double share; /* of the meetings */
};

/* 0, or -1 when there is no memory. */
static int find_last(const struct waiting *w, size_t name, struct last *out)
{
    const struct rln__meeting_site *site = &w->meetings.sites[name];
    size_t *n_last = rln__alloc(w->meetings.steps.n_ranks, sizeof(*n_last));
    size_t most = 0;

    if (!n_last)
        return -1;
    for (size_t i = site->first; i < site->first + site->n; i++) {
        const size_t rank = w->meetings.items[i].last;

        if (++n_last[rank] > n_last[most])
            most = rank;
    }
    *out = (struct last){most, (double)n_last[most] / (double)site->n};
    rln__free(n_last);
    return 0;
}

/* What makes the last one late: the range that takes longer there than on the others.
 * If it is mostly one rank, this is compared as a whole; else each step by itself,
 * where ranks meet once in each. */
static rln_status find_cause(const struct rln__run *run, const struct waiting *w,
                             uint32_t name, const struct last *last,
                             struct rln__finding *f, rln_error *err)
{
    const struct rln__ranks *steps = &w->meetings.steps;
    const struct rln__meeting_site *site = &w->meetings.sites[name];
    const bool is_one = last->share > 0.5;
    unsigned char *compared;
    rln_status status;

    if (!is_one && (site->n != steps->n_calls || steps->have_more))
        return RLN_OK;
    compared = rln__compared_new(run);
    if (!compared)
        return rln__fail_nomem(err);
    for (size_t r = 0; r < steps->n_ranks; r++)
        for (size_t i = 0; i < steps->n_calls; i++) {
            const size_t late =
                is_one ? last->rank : w->meetings.items[site->first + i].last;

            compared[steps->ranks[r]->calls[i].range] =
                r == late ? RLN__UNUSUAL : RLN__USUAL;
        }
    status = rln__find_cause_outside(run, compared, name, RLN__LEAST_CAUSE, f, err);
    f->cause_of = "what makes it late";
    rln__free(compared);
    return status;
}

static rln_status add(struct rln__inquiry *q, struct waiting *w, uint32_t name,
                      rln_error *err)
{
    const struct rln__meeting_site *site = &w->meetings.sites[name];
    struct rln__meeting_call call;
    struct rln__finding *f;
    struct rln__nesting_row row;
    struct last last;
    size_t at = 0;
    int next;

    if (find_last(w, name, &last))
        return rln__fail_nomem(err);
    if (!rln__nesting_get(q->run->nesting, site->range, &row))
        return RLN_OK;
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message, NULL);
    if (!f)
        return rln__fail_nomem(err);
    while ((next = rln__meetings_next(&w->meetings, &at, &call)) > 0)
        if (call.name == name && call.waited_ns > 0)
            rln__finding_show(f, call.range, call.waited_ns);
    rln__finding_won(f, q, waited_ns(w, name));
    rln__finding_measure(f, "together", site->ends_ns / site->starts_ns);
    rln__finding_measure(f, "last", last.share);
    rln__finding_measure(f, "calls", (double)site->n);
    rln__finding_measure(f, "ranks", (double)w->meetings.steps.n_ranks);
    rln__buf_format(&f->title, "%s wait in ",
                    q->run->rank_kind == RLN__RANK_OF_JOB     ? "ranks"
                    : q->run->rank_kind == RLN__RANK_OF_TRACE ? "traces"
                                                              : "processes");
    rln__buf_range(&f->title, row.domain_name, row.is_default_domain, row.message);
    rln__buf_text(&f->title, " for the last one to come, on average ");
    rln__buf_duration(&f->title, waited_ns(w, name) / (double)site->n);
    rln__buf_format(&f->title, " a call; %s %u is the last in %.0f %% of the calls",
                    rln__rank_word(q->run), w->meetings.steps.ranks[last.rank]->rank,
                    last.share * 100);
    return next ? rln__fail_nomem(err) : find_cause(q->run, w, name, &last, f, err);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct waiting w = {0};
    rln_status status = RLN_OK;

    if (rln__meetings_read(q->run, &w.meetings)) {
        rln__meetings_clear(&w.meetings);
        return rln__fail_nomem(err);
    }
    w.by_name = rln__alloc(w.meetings.n_sites + 1, sizeof(*w.by_name));
    w.is_waited_at = rln__alloc(w.meetings.n_sites + 1, sizeof(*w.is_waited_at));
    w.is_reported = rln__alloc(w.meetings.n_sites + 1, sizeof(*w.is_reported));
    if (w.meetings.steps.n_ranks < 2)
        q->why = "one rank has enough calls of the step";
    else if (!w.by_name || !w.is_waited_at || !w.is_reported || sum(q, &w))
        status = rln__fail_nomem(err);
    else
        choose(q, &w);
    for (uint32_t i = 0; !q->why && !status && i < w.meetings.n_sites; i++)
        if (w.is_reported[i])
            status = add(q, &w, i, err);
    rln__free(w.by_name);
    rln__free(w.is_waited_at);
    rln__free(w.is_reported);
    rln__meetings_clear(&w.meetings);
    return status;
}

/* It knows which calls of ranks are one, where this one goes by their order. */
static bool is_superseded(const struct rln__run *run, const struct rln__finding *f,
                          const struct rln__finding *by)
{
    (void)run;
    return by->rule == &rln__rule_late_rank && !f->is_default_domain &&
           rln__compare_text(f->domain_name, by->domain_name) == 0 &&
           rln__compare_text(f->message, by->message) == 0;
}

const struct rln__rule rln__rule_wait_at_collective = {
    .id = "wait-at-collective",
    .question = "do ranks wait for each other?",
    .fires = "ranks come to the same call of a range one after the other, leave it "
             "together (ends differ by at most `together` of what starts do), and wait "
             "in it for the last one, on average for at least `share` of the run",
    .against = "it is what ranks lose that have different work, or are hindered; the "
               "range where they wait is not the cause",
    .next = "rangeline stats -r rank_sum {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_ALL_EVENTS | RLN__NEEDS_RANKS,
    .thresholds = {{"share", 0.03,
                    "ranks with equal work wait for up to 2 % of the time"},
                   {"warning", 0.05, "below it, a finding is a note"},
                   {"together", RLN__TOGETHER,
                    "ranks that do not wait leave as they come"}},
    .evaluate = evaluate,
    .is_superseded = is_superseded,
    .superseded_why = "late-rank has found the same",
};
