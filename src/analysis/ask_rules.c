/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ask_rules.h"

#include "base/alloc.h"
#include "base/allowance.h"
#include "base/fail.h"
#include "base/worker.h"

/* A rule goes through all ranges in some milliseconds. */
#define RANGES_PER_JOB (1u << 18)
/* Each rule has memory of its own. */
#define MOST_JOBS 8u

struct crew {
    struct rln__asked *asked; /* borrowed */
    size_t n, next;
};

static bool has_long_track(const struct rln__run *run, double least)
{
    for (size_t i = 0; i < run->n_tracks; i++)
        if ((double)run->tracks[i].n >= least)
            return true;
    return false;
}

/* Why a rule cannot say anything about a run, or NULL. */
static const char *find_lack(const struct rln__inquiry *q)
{
    const struct rln__run *run = q->run;
    const unsigned needs = q->rule->needs;

    if (needs & RLN__NEEDS_GPU && !q->gpu->n)
        return "no GPU work was recorded: record with `rangeline profile -t cuda,nvtx`";
    if (needs & RLN__NEEDS_GPU && rln_info_totals(run->info)->n_gpu_lost)
        return "GPU work is missing: `rangeline check` says why";
    if (needs & (RLN__NEEDS_STEP | RLN__NEEDS_GPU) && !run->message.bytes)
        return "no push/pop range has 20 calls on one thread that take a tenth of its "
               "time, even if numbers in names do not count: name the step with --step";
    if (needs & RLN__NEEDS_STEP && !run->n_long_tracks)
        return "the step has fewer than 20 calls on each thread: record more of it, or "
               "name another one with --step";
    if (needs & RLN__NEEDS_GPU &&
        !has_long_track(run, q->limits[rln__threshold_index(q->rule, "calls")]))
        return "the step has too few calls on each thread";
    if (needs & RLN__NEEDS_RANKS && run->n_ranks < 2)
        return "only one rank has the step";
    if (needs & RLN__NEEDS_CLOCK && !run->has_steady_clock)
        return "the clock was unsteady: `rangeline check` says how";
    if (needs & RLN__NEEDS_ALL_EVENTS && !run->has_all_events)
        return "events are missing: `rangeline check` says how many";
    if (needs & RLN__NEEDS_SWITCHES && !rln__has_cpu_times(q->reader, RLN__NONE))
        return "no context switches were recorded";
    return NULL;
}

static void ask(struct rln__asked *a)
{
    struct rln__inquiry *q = &a->q;

    q->why = find_lack(q);
    a->status = q->why ? RLN_OK : q->rule->evaluate(q, &a->err);
    for (size_t i = 0; !a->status && i < q->n; i++)
        if (q->findings[i].key.has_failed || q->findings[i].title.has_failed)
            a->status = rln__fail_nomem(&a->err);
}

static bool is_asked_alone(const struct rln__asked *a)
{
    return a->q.rule->needs & (RLN__READS_TRACE | RLN__NEEDS_SWITCHES);
}

static rln_status ask_next(void *context, rln_error *err)
{
    struct crew *c = context;
    size_t i;

    (void)err; /* each rule has its own */
    while ((i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->n)
        if (!is_asked_alone(&c->asked[i]))
            ask(&c->asked[i]);
    return RLN_OK;
}

void rln__ask_rules(struct rln__asked *asked, size_t n, unsigned n_jobs)
{
    const size_t n_worth = n ? asked->q.run->nesting->n / RANGES_PER_JOB : 0;
    const size_t n_others = rln__jobs_for(n_jobs, n, n_worth, MOST_JOBS) - 1;
    struct rln__worker others[RLN__N_RULES];
    struct crew crew = {.asked = asked, .n = n};

    for (size_t i = 0; i < n; i++)
        if (is_asked_alone(&asked[i]))
            ask(&asked[i]);
    for (size_t i = 0; i < n_others; i++) {
        rln__worker_start(&others[i]);
        rln__worker_give(&others[i], ask_next, &crew);
    }
    (void)ask_next(&crew, NULL);
    for (size_t i = 0; i < n_others; i++) {
        (void)rln__worker_wait(&others[i], NULL);
        rln__worker_stop(&others[i]);
    }
}

void rln__asked_clear(struct rln__asked *asked)
{
    while (asked->q.n)
        rln__finding_drop(&asked->q);
    rln__free(asked->q.findings);
    asked->q.findings = NULL;
}
