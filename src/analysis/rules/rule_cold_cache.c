/* SPDX-License-Identifier: Apache-2.0 */
/* rule_cold_cache.c - calls after a pause take longer than those that follow each
 * other: what they work on was evicted meanwhile, or what they use was suspended.
 *
 *     thread  [a ][a ][a ]            [a      ][a ][a ]            [a      ]
 *                        |-- pause --|                |-- pause --|
 */
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/key_index.h"
#include "base/thousands.h"
#include "reports/joined_calls.h"
#include "statistics/median.h"

#include <math.h>
#include <stdlib.h>

enum { SHARE, WARNING, PAUSE, TIMES, CALLS };

/* Three quarters of the calls without a pause take this many medians at most: a range
 * that does different things tells nothing. */
#define USUAL 1.5
/* A timer's grain, and what a page fault or two cost. */
#define SHORTEST_NS 1000
/* Little is evicted in less. */
#define SHORTEST_PAUSE_NS 10000

struct visit {
    size_t range;
    double ns, self_ns;
    bool is_cold; /* it comes after a pause */
};

/* The calls of a name on a thread. */
struct site {
    uint32_t name;
    int64_t end_ns; /* of its last call so far */
    bool has_end;
    size_t n_cold;
    struct visit *visits; /* owned; by time, if enough come after a pause */
    size_t n, capacity;
    double warm_ns, cold_ns; /* medians: without a pause before, and with one */
    double excess_ns, self_excess_ns; /* of those with a pause */
};

struct name {
    double ns, self_ns;
    size_t n;
    uint32_t newest_thread; /* of its last call so far; its site: + 1 */
    size_t newest_site;
};

struct survey {
    const struct rln__inquiry *q;
    struct name *names; /* owned */
    struct site *sites; /* owned */
    size_t n, capacity;
    struct rln__key_index keys;
};

static bool counts(const struct rln__nesting_row *row)
{
    return !(row->flags & (RLN_FLAG_OPEN | RLN_FLAG_RESUMED | RLN_FLAG_DEFERRED)) &&
           row->message.bytes && row->thread != UINT32_MAX;
}

/* NULL when there is no memory. Most calls are of the thread that the last call of
 * their name was of. */
static struct site *site_of(struct survey *s, const struct rln__nesting_row *row)
{
    struct name *name = &s->names[row->name];
    const struct rln__key key = {{row->name, row->thread}};
    uint32_t number;
    struct site *site;

    if (name->newest_site && name->newest_thread == row->thread)
        return &s->sites[name->newest_site - 1];
    number = rln__key_index_number(&s->keys, &key);
    site = rln__key_index_item(&s->sites, &s->n, &s->capacity, number, sizeof(*site));
    if (!site)
        return NULL;
    site->name = row->name;
    name->newest_thread = row->thread;
    name->newest_site = (size_t)number + 1;
    return site;
}

/* Whether a call comes after a pause; it becomes the last one of its site. */
static bool pass(const struct survey *s, struct site *site,
                 const struct rln__nesting_row *row)
{
    const struct name *name = &s->names[row->name];
    const double ns = (double)(row->start_ns - site->end_ns);
    const bool is_cold = site->has_end && ns > SHORTEST_PAUSE_NS &&
                         ns * (double)name->n > s->q->limits[PAUSE] * name->ns;

    site->end_ns = row->end_ns;
    site->has_end = true;
    return is_cold;
}

/* Names that take too little of the run for a finding do not count. */
static bool is_candidate(const struct survey *s, const struct rln__nesting_row *row)
{
    return counts(row) && rln__is_worth(s->q, s->names[row->name].self_ns);
}

static bool is_enough(const struct survey *s, const struct site *site)
{
    return (double)site->n_cold >= s->q->limits[CALLS];
}

static int count_pauses(struct survey *s)
{
    const struct rln__nesting *nesting = s->q->run->nesting;
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(nesting, i, &row); i++) {
        struct name *name = &s->names[row.name];

        if (!counts(&row))
            continue;
        name->n++;
        name->ns += (double)(row.end_ns - row.start_ns);
        name->self_ns += (double)row.self_ns;
    }
    for (size_t i = 0; rln__nesting_get(nesting, i, &row); i++) {
        struct site *site;

        if (!is_candidate(s, &row))
            continue;
        site = site_of(s, &row);
        if (!site)
            return -1;
        site->n_cold += pass(s, site, &row);
    }
    return 0;
}

static int add_visit(struct survey *s, struct site *site,
                     const struct rln__nesting_row *row, size_t range)
{
    struct visit *visit =
        rln__append(&site->visits, &site->n, &site->capacity, sizeof(*visit));

    if (!visit)
        return -1;
    *visit = (struct visit){range, (double)(row->end_ns - row->start_ns),
                            (double)row->self_ns, pass(s, site, row)};
    return 0;
}

/* Keeps the calls of sites where enough come after a pause. */
static int collect(struct survey *s)
{
    struct rln__nesting_row row;
    bool is_any = false;

    for (size_t i = 0; i < s->n; i++) {
        s->sites[i].has_end = false;
        is_any |= is_enough(s, &s->sites[i]);
    }
    for (size_t i = 0; is_any && rln__nesting_get(s->q->run->nesting, i, &row); i++) {
        struct site *site;

        if (!is_candidate(s, &row))
            continue;
        site = site_of(s, &row);
        if (!site || (is_enough(s, site) && add_visit(s, site, &row, i)))
            return -1;
    }
    return 0;
}

/* --- What pauses cost ------------------------------------------------------------- */

/* The values are in `scratch`, sorted; returns the one that `share` of them are below.
 */
static double at_share(const double *sorted, size_t n, double share)
{
    return sorted[(size_t)(share * (double)(n - 1))];
}

/* Whether calls after a pause differ from the others. `scratch` is for as many values
 * as there are calls. */
static bool differs(const struct rln__inquiry *q, struct site *site, double *scratch)
{
    double *const cold = scratch + (site->n - site->n_cold);
    size_t n_warm = 0, n_cold = 0;

    for (size_t i = 0; i < site->n; i++)
        if (site->visits[i].is_cold)
            cold[n_cold++] = site->visits[i].ns;
        else
            scratch[n_warm++] = site->visits[i].ns;
    if (!n_cold || n_cold > n_warm)
        return false;
    site->cold_ns = rln__median(cold, n_cold);
    site->warm_ns = rln__median(scratch, n_warm);
    return site->cold_ns > q->limits[TIMES] * site->warm_ns &&
           site->cold_ns - site->warm_ns >= SHORTEST_NS &&
           at_share(scratch, n_warm, 0.75) <= USUAL * site->warm_ns &&
           at_share(cold, n_cold, 0.25) > at_share(scratch, n_warm, 0.9);
}

/* What calls after a pause take beyond the others, and how much of that is their own,
 * and not that of ranges inside. */
static void sum_excess(struct site *site)
{
    double warm_self_ns = 0;

    for (size_t i = 0; i < site->n; i++)
        if (!site->visits[i].is_cold)
            warm_self_ns += site->visits[i].self_ns;
    warm_self_ns /= (double)(site->n - site->n_cold);
    for (size_t i = 0; i < site->n; i++) {
        if (!site->visits[i].is_cold)
            continue;
        site->excess_ns += site->visits[i].ns - site->warm_ns;
        site->self_excess_ns += site->visits[i].self_ns - warm_self_ns;
    }
}

/* --- Findings --------------------------------------------------------------------- */

static rln_status add(struct rln__inquiry *q, const struct site *site, rln_error *err)
{
    struct rln__finding *f;
    struct rln__nesting_row row;

    /* In calls of MPI, ranks wait for others. */
    if (!rln__nesting_get(q->run->nesting, site->visits[0].range, &row) ||
        rln__is_of_mpi(row.domain_name))
        return RLN_OK;
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message, NULL);
    if (!f)
        return rln__fail_nomem(err);
    rln__finding_won(f, q, site->excess_ns);
    rln__finding_measure(f, "calls", (double)site->n);
    rln__finding_measure(f, "after_pause", (double)site->n_cold);
    rln__finding_measure(f, "after_pause_ns", site->cold_ns);
    rln__finding_measure(f, "usual_ns", site->warm_ns);
    for (size_t i = 0; i < site->n; i++)
        if (site->visits[i].is_cold)
            rln__finding_show(f, site->visits[i].range, site->visits[i].ns);
    rln__buf_count(&f->title, site->n_cold);
    rln__buf_text(&f->title, " of ");
    rln__buf_count(&f->title, site->n);
    rln__buf_text(&f->title, " calls of ");
    rln__buf_range(&f->title, row.domain_name, row.is_default_domain, row.message);
    rln__buf_format(&f->title,
                    " come after a pause of over %g times their mean, and take ",
                    q->limits[PAUSE]);
    rln__buf_duration(&f->title, site->cold_ns);
    rln__buf_text(&f->title, " in the median, the others ");
    rln__buf_duration(&f->title, site->warm_ns);
    return RLN_OK;
}

static int by_excess(const void *a, const void *b)
{
    const struct site *x = a, *y = b;

    if (x->excess_ns != y->excess_ns)
        return x->excess_ns > y->excess_ns ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

/* Adds a finding for each name: about the thread that loses most. */
static rln_status add_all(struct rln__inquiry *q, const struct survey *s,
                          rln_error *err)
{
    unsigned char *is_done =
        rln__alloc(rln__nesting_count_names(q->run->nesting) + 1, 1);
    rln_status status = is_done ? RLN_OK : rln__fail_nomem(err);

    if (s->n)
        qsort(s->sites, s->n, sizeof(*s->sites), by_excess);
    for (size_t i = 0; !status && i < s->n; i++) {
        const struct site *site = &s->sites[i];

        if (!rln__is_worth(q, site->excess_ns))
            break;
        if (is_done[site->name] || site->self_excess_ns < site->excess_ns / 2)
            continue;
        is_done[site->name] = 1;
        status = add(q, site, err);
    }
    rln__free(is_done);
    return status;
}

static void survey_clear(struct survey *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__free(s->sites[i].visits);
    rln__free(s->sites);
    rln__free(s->names);
    rln__key_index_clear(&s->keys);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct survey s = {.q = q};
    double *scratch = NULL;
    size_t most = 0;
    rln_status status = RLN_OK;

    s.names =
        rln__alloc(rln__nesting_count_names(q->run->nesting) + 1, sizeof(*s.names));
    if (!s.names || count_pauses(&s) || collect(&s))
        status = rln__fail_nomem(err);
    for (size_t i = 0; i < s.n; i++)
        most = s.sites[i].n > most ? s.sites[i].n : most;
    if (!status && most) {
        scratch = rln__alloc(most, sizeof(*scratch));
        status = scratch ? RLN_OK : rln__fail_nomem(err);
    }
    for (size_t i = 0; !status && i < s.n; i++)
        if (s.sites[i].n && differs(q, &s.sites[i], scratch))
            sum_excess(&s.sites[i]);
    if (!status)
        status = add_all(q, &s, err);
    rln__free(scratch);
    survey_clear(&s);
    return status;
}

const struct rln__rule rln__rule_cold_cache = {
    .id = "cold-cache",
    .question = "is a range slower after a pause?",
    .fires =
        "at least `calls` calls of a name on a thread, which is no call of MPI, and at "
        "most half of them, "
        "come over `pause` times their mean after the last one, take over `times` "
        "times as long as the others in the median, and exceed them by at least "
        "`share` of the run in sum; three quarters of the others take less than 1.5 "
        "times their median, three quarters of those after a pause more than nine "
        "tenths of the others, and half of the excess is the range's own",
    .against = "the first call after a pause may have more to do, for example because "
               "work has piled up; on a busy machine other programs pause a thread",
    .next = "rangeline stats -r histogram:{range} {traces}",
    .needs = RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"pause", 10, "caches keep what was used just before"},
                   {"times", 1.5, "a person notices a call that is half as long again"},
                   {"calls", 10, "fewer show no rule"}},
    .evaluate = evaluate,
};
