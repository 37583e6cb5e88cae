/* SPDX-License-Identifier: Apache-2.0 */
/* rule_long_tail.c - a few calls of a range inside the step (or beside it) take much
 * longer than the others. Of the step itself, outliers says so; here its own time only
 * shows what is usual. */
#include "analysis/cause.h"
#include "analysis/rules.h"
#include "analysis/slow_calls.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "statistics/median.h"

#include <math.h>
#include <string.h>

enum { SHARE, WARNING, TIMES, CALLS };

/* Names with less are none of the reasons why a run is slow. */
#define LEAST_TOTAL 0.01
/* If one call in ten takes half as long again, there are two kinds of calls, and no
 * tail. */
#define RARE 10
#define USUAL 1.5
/* Less is what recording itself and clocks vary by. */
#define SHORTEST_NS 1000

/* The complete calls of one name, in the order in which they begin. */
struct tail {
    double total_ns, self_ns;
    size_t n_calls;
    double median, p99;
    double
        excess_self_ns;  /* of calls over `times` medians, beyond the mean self time */
    double *ns, *sorted; /* owned; of a candidate */
    size_t *ranges;      /* owned */
    size_t n;
};

static bool is_candidate(const struct rln__inquiry *q, const struct tail *tail)
{
    return (double)tail->n_calls >= q->limits[CALLS] &&
           tail->total_ns >= LEAST_TOTAL * q->run->span_ns;
}

static bool counts(const struct rln__nesting_row *row)
{
    return !(row->flags & (RLN_FLAG_OPEN | RLN_FLAG_RESUMED)) && row->message.bytes;
}

static int collect(const struct rln__inquiry *q, struct tail *tails, size_t n_names)
{
    const struct rln__nesting *nesting = q->run->nesting;
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(nesting, i, &row); i++) {
        if (!counts(&row))
            continue;
        tails[row.name].n_calls++;
        tails[row.name].total_ns += (double)(row.end_ns - row.start_ns);
        tails[row.name].self_ns += (double)row.self_ns;
    }
    for (size_t i = 0; i < n_names; i++) {
        struct tail *tail = &tails[i];

        if (!is_candidate(q, tail))
            continue;
        tail->ns = rln__alloc(tail->n_calls, sizeof(*tail->ns));
        tail->sorted = rln__alloc(tail->n_calls, sizeof(*tail->sorted));
        tail->ranges = rln__alloc(tail->n_calls, sizeof(*tail->ranges));
        if (!tail->ns || !tail->sorted || !tail->ranges)
            return -1;
    }
    for (size_t i = 0; rln__nesting_get(nesting, i, &row); i++) {
        struct tail *tail = &tails[row.name];

        if (!tail->ranges || !counts(&row))
            continue;
        tail->ranges[tail->n] = i;
        tail->ns[tail->n++] = (double)(row.end_ns - row.start_ns);
    }
    return 0;
}

/* Whether the calls over `limit` come every so many calls; uses `scratch`. */
static bool is_periodic(const struct rln__inquiry *q, const struct tail *tail,
                        double limit, double *scratch)
{
    static const struct rln__regularity usual = {4, 0.1, 0.25};
    const struct rln__regularity *regularity = q->periodic ? q->periodic : &usual;
    size_t n = 0, before = SIZE_MAX;
    double median;

    for (size_t i = 0; i < tail->n; i++) {
        if (tail->ns[i] <= limit)
            continue;
        if (before != SIZE_MAX)
            scratch[n++] = (double)(i - before);
        before = i;
    }
    return (double)n + 1 >= regularity->least && n > 0 &&
           rln__are_regular(scratch, n, regularity, &median) && median > 1;
}

static void measure(struct tail *tail)
{
    memcpy(tail->sorted, tail->ns, tail->n * sizeof(*tail->ns));
    tail->median = rln__median(tail->sorted, tail->n);
    tail->p99 = tail->sorted[tail->n * 99 / 100];
}

/* Sums of all candidates. */
struct all {
    double self_ns, excess_self_ns;
};

static void sum_excess(const struct rln__inquiry *q, struct tail *tails, size_t n_names,
                       struct all *all)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(q->run->nesting, i, &row); i++) {
        struct tail *tail = &tails[row.name];

        if (tail->n && counts(&row) &&
            (double)(row.end_ns - row.start_ns) > q->limits[TIMES] * tail->median)
            tail->excess_self_ns +=
                (double)row.self_ns - tail->self_ns / (double)tail->n;
    }
    for (size_t i = 0; i < n_names; i++) {
        if (!tails[i].n)
            continue;
        all->self_ns += tails[i].self_ns;
        all->excess_self_ns += fmax(0, tails[i].excess_self_ns);
    }
}

/* A busy machine makes tails in proportion to time, and an inner range makes one for
 * those around it: as for causes (cause.h), its own share of all tails tells. */
static bool is_its_own(const struct tail *tail, const struct all *all)
{
    return all->self_ns > 0 && all->excess_self_ns > 0 &&
           rln__is_own_share(tail->excess_self_ns / all->excess_self_ns,
                             tail->self_ns / all->self_ns);
}

/* Whether a range lies in one of the steps that are warm-up. */
static bool is_in(const struct rln__run *run, const unsigned char *warm_up,
                  size_t range)
{
    struct rln__nesting_row row;

    while (!warm_up[range] && rln__nesting_get(run->nesting, range, &row) &&
           row.parent != SIZE_MAX)
        range = row.parent;
    return warm_up[range];
}

/* Whether slow calls are too few outside the warm-up for a finding: then they are a part
 * of that one. */
static bool is_of_warm_up(const struct rln__inquiry *q, const struct tail *tail,
                          const unsigned char *warm_up)
{
    double elsewhere_ns = 0;

    for (size_t i = 0; i < tail->n; i++)
        if (tail->ns[i] > q->limits[TIMES] * tail->median &&
            !is_in(q->run, warm_up, tail->ranges[i]))
            elsewhere_ns += tail->ns[i] - tail->median;
    return !rln__is_worth(q, elsewhere_ns);
}

/* A byte for each range: it is a step of the warm-up. Owned; NULL: no memory. */
static unsigned char *find_warm_up(const struct rln__run *run)
{
    unsigned char *warm_up = rln__compared_new(run);
    const struct rln__track *track;
    size_t at = 0;

    while (warm_up && (track = rln__run_next_track(run, &at)))
        for (size_t i = 0; i < track->n_warm_up; i++)
            warm_up[track->calls[i].range] = 1;
    return warm_up;
}

static void describe(const struct rln__inquiry *q, const struct tail *tail,
                     const struct rln__nesting_row *row, struct rln__finding *f)
{
    rln__finding_measure(f, "calls", (double)tail->n);
    rln__finding_measure(f, "median_ns", tail->median);
    rln__finding_measure(f, "p99_ns", tail->p99);
    for (size_t i = 0; i < tail->n; i++)
        if (tail->ns[i] > q->limits[TIMES] * tail->median)
            rln__finding_show(f, tail->ranges[i], tail->ns[i]);
    rln__buf_text(&f->title, "the slowest percent of ");
    rln__buf_range(&f->title, row->domain_name, row->is_default_domain, row->message);
    rln__buf_text(&f->title, " takes ");
    rln__buf_duration(&f->title, tail->p99);
    rln__buf_format(&f->title, " or more, over %g times the median (",
                    q->limits[TIMES]);
    rln__buf_duration(&f->title, tail->median);
    rln__buf_text(&f->title, ")");
}

static rln_status evaluate_name(struct rln__inquiry *q, const struct tail *tail,
                                const struct all *all, const unsigned char *warm_up,
                                rln_error *err)
{
    const double limit = q->limits[TIMES] * tail->median;
    const size_t most = tail->n / RARE;
    struct rln__finding *f;
    struct rln__nesting_row row;
    double won = 0;

    for (size_t i = tail->n; i > 0 && tail->sorted[i - 1] > limit; i--)
        won += tail->sorted[i - 1] - tail->median;
    if (tail->p99 <= limit || tail->sorted[tail->n - 1 - most] > USUAL * tail->median ||
        tail->p99 - tail->median < SHORTEST_NS || !rln__is_worth(q, won) ||
        is_periodic(q, tail, limit, tail->sorted) ||
        !rln__nesting_get(q->run->nesting, tail->ranges[0], &row))
        return RLN_OK;
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message, NULL);
    if (!f)
        return rln__fail_nomem(err);
    rln__finding_won(f, q, won);
    f->is_of_warm_up = is_of_warm_up(q, tail, warm_up);
    if (!is_its_own(tail, all)) {
        f->severity = RLN_SEVERITY_NOTE;
        f->unexplained = "other ranges have such a tail, too, as on a busy machine";
    }
    describe(q, tail, &row, f);
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const size_t n_names = rln__nesting_count_names(q->run->nesting);
    struct tail *tails = rln__alloc(n_names + 1, sizeof(*tails));
    unsigned char *warm_up = find_warm_up(q->run); /* owned */
    struct all all = {0};
    rln_status status = RLN_OK;

    if (!tails || !warm_up || collect(q, tails, n_names))
        status = rln__fail_nomem(err);
    for (size_t i = 0; !status && i < n_names; i++)
        if (tails[i].n)
            measure(&tails[i]);
    if (!status)
        sum_excess(q, tails, n_names, &all);
    for (size_t i = 0; tails && i < n_names; i++) {
        const bool is_step = rln__run_is_step(q->run, (uint32_t)i);

        if (!status && tails[i].n && !is_step)
            status = evaluate_name(q, &tails[i], &all, warm_up, err);
        rln__free(tails[i].ns);
        rln__free(tails[i].sorted);
        rln__free(tails[i].ranges);
    }
    rln__free(tails);
    rln__free(warm_up);
    return status;
}

const struct rln__rule rln__rule_long_tail = {
    .id = "long-tail",
    .question = "does a range inside the step sometimes take far longer?",
    .fires =
        "the 99th percentile of a name with at least `calls` calls and 1 % of the run "
        "is over `times` times the median, the 90th is below 1.5 times, slow calls do "
        "not come at "
        "regular "
        "distances, and they exceed the median by at least `share` of the run in sum",
    .severity = "a warning, if it could win at least `warning` of the run and other "
                "ranges have no such tail; else a note",
    .against = "a range that does different things has different durations: name them "
               "apart",
    .next = "rangeline stats -r histogram:{range} {traces}",
    .needs = RLN__NEEDS_CLOCK,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"times", 2, "noise of a busy machine stays below"},
                   {"calls", 100, "one call in a hundred is the 99th percentile"}},
    .evaluate = evaluate,
};
