/* SPDX-License-Identifier: Apache-2.0 */
/* rule_lock_serial.c - threads run one after the other, because of a lock.
 *
 *     thread 1   |step: [hold   ]|step: [ wait ][hold   ]|
 *     thread 2   |step: [ wait ][hold   ]|step: [ wait ][hold   ]|
 */
#include "analysis/innermost.h"
#include "analysis/inputs/lock_waits.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"

#include <math.h>
#include <stdlib.h>

enum { SHARE, WARNING, WAITING, HELD };

/* Of threads that run the step, while they do. */
struct waiting {
    const struct rln__lock *lock;
    double ns, held_ns;
    double most_ns; /* of one thread */
    size_t n_threads;
};

/* The part of a wait during which its thread runs the step; false: none. */
static bool cut(const struct rln__track *const *tracks,
                const struct rln__lock_wait *wait, uint32_t n_threads,
                struct rln__lock_wait *out)
{
    const struct rln__track *track =
        wait->thread < n_threads ? tracks[wait->thread] : NULL;

    if (!track)
        return false;
    *out = *wait;
    if (out->start_ns < track->calls[0].start_ns)
        out->start_ns = track->calls[0].start_ns;
    if (out->end_ns > rln__track_end_ns(track))
        out->end_ns = rln__track_end_ns(track);
    return out->end_ns > out->start_ns;
}

/* `by_thread` is zero for each thread, and is so afterwards. */
static void sum_up(const struct rln__inquiry *q, const struct rln__track *const *tracks,
                   const struct rln__lock *lock, double *by_thread, struct waiting *out)
{
    const uint32_t n_threads = rln_info_totals(q->run->info)->n_threads;
    struct rln__lock_wait wait;

    *out = (struct waiting){.lock = lock};
    for (size_t i = 0; i < lock->n_waits; i++) {
        if (!cut(tracks, &lock->waits[i], n_threads, &wait))
            continue;
        out->n_threads += by_thread[wait.thread] <= 0;
        by_thread[wait.thread] += (double)(wait.end_ns - wait.start_ns);
        out->most_ns = fmax(out->most_ns, by_thread[wait.thread]);
        out->ns += (double)(wait.end_ns - wait.start_ns);
        out->held_ns += rln__lock_held_ns(lock, wait.start_ns, wait.end_ns);
    }
    for (size_t i = 0; i < lock->n_waits; i++)
        if (lock->waits[i].thread < n_threads)
            by_thread[lock->waits[i].thread] = 0;
}

static int by_most(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;

    if (x->most_ns != y->most_ns)
        return x->most_ns > y->most_ns ? -1 : 1;
    return (x->lock > y->lock) - (x->lock < y->lock);
}

/* --- Findings --------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct rln__moment *x = a, *y = b;

    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/* The innermost range of threads that hold the lock, for most of the waiting. */
static void blame(const struct rln__run *run, const struct rln__moment *holders,
                  size_t n, double *by_name, struct rln__finding *f)
{
    double all = 0, most = 0;
    struct rln__nesting_row row;

    for (size_t i = 0; i < n; i++) {
        all += holders[i].weight;
        if (holders[i].range == SIZE_MAX ||
            !rln__nesting_get(run->nesting, holders[i].range, &row) ||
            !row.message.bytes)
            continue;
        by_name[row.name] += holders[i].weight;
        if (by_name[row.name] <= most)
            continue;
        most = by_name[row.name];
        f->cause_domain = row.domain_name;
        f->cause = row.message;
        f->is_cause_default_domain = row.is_default_domain;
    }
    f->cause_share = all > 0 ? most / all : 0;
    f->cause_of = "the waits, by the thread that held it";
}

/* 0, or -1 when there is no memory. */
static int show(const struct rln__inquiry *q, const struct rln__track *const *tracks,
                const struct rln__lock *lock, struct rln__finding *f)
{
    const struct rln__run *run = q->run;
    const uint32_t n_threads = rln_info_totals(run->info)->n_threads;
    struct rln__moment *waits = rln__alloc(lock->n_waits + 1, sizeof(*waits));
    struct rln__moment *holders = rln__alloc(lock->n_waits + 1, sizeof(*holders));
    double *by_name =
        rln__alloc(rln__nesting_count_names(run->nesting) + 1, sizeof(*by_name));
    struct rln__lock_wait wait;
    int failed = !waits || !holders || !by_name ? -1 : 0;
    size_t n = 0;
    int64_t middle;
    double ns;

    for (size_t i = 0; !failed && i < lock->n_waits; i++) {
        if (!cut(tracks, &lock->waits[i], n_threads, &wait))
            continue;
        ns = (double)(wait.end_ns - wait.start_ns);
        middle = wait.start_ns + (wait.end_ns - wait.start_ns) / 2;
        waits[n] =
            (struct rln__moment){lock->waits[i].start_ns, wait.thread, SIZE_MAX, ns};
        holders[n++] =
            (struct rln__moment){middle, rln__lock_holder(lock, middle), SIZE_MAX, ns};
    }
    if (!failed && n) {
        qsort(holders, n, sizeof(*holders), by_time);
        failed = rln__find_innermost(run->nesting, run->info, waits, n);
    }
    if (!failed && n)
        failed = rln__find_innermost(run->nesting, run->info, holders, n);
    for (size_t i = 0; !failed && i < n; i++)
        if (waits[i].range != SIZE_MAX)
            rln__finding_show(f, waits[i].range, waits[i].weight);
    if (!failed)
        blame(run, holders, n, by_name, f);
    rln__free(waits);
    rln__free(holders);
    rln__free(by_name);
    return failed;
}

static rln_status add(struct rln__inquiry *q, const struct rln__track *const *tracks,
                      const struct waiting *w, rln_error *err)
{
    const struct rln__lock *lock = w->lock;
    struct rln__finding *f = rln__finding_new(
        q, lock->domain_name, lock->is_default_domain, lock->name, NULL);

    if (!f || show(q, tracks, lock, f))
        return rln__fail_nomem(err);
    rln__finding_won(f, q, w->most_ns);
    rln__finding_measure(f, "waiting_ns", w->ns);
    rln__finding_measure(f, "most_ns", w->most_ns);
    rln__finding_measure(f, "held", w->held_ns / w->ns);
    rln__finding_measure(f, "threads", (double)w->n_threads);
    rln__buf_format(&f->title, "%zu thread%s wait%s for ", w->n_threads,
                    w->n_threads == 1 ? "" : "s", w->n_threads == 1 ? "s" : "");
    if (lock->name.length)
        rln__buf_range(&f->title, lock->domain_name, lock->is_default_domain,
                       lock->name);
    else
        rln__buf_text(&f->title, "a lock without a name");
    rln__buf_text(&f->title, ", one of them for ");
    rln__buf_duration(&f->title, w->most_ns);
    rln__buf_format(&f->title, ", and for %.0f %% of that another one holds it",
                    w->held_ns / w->ns * 100);
    return RLN_OK;
}

/* Ranks have locks of the same name: the one that is waited for longest counts. */
static bool is_found(const struct rln__inquiry *q, const struct rln__lock *lock)
{
    for (size_t i = 0; i < q->n; i++)
        if (rln__compare_text(q->findings[i].message, lock->name) == 0 &&
            q->findings[i].is_default_domain == lock->is_default_domain &&
            rln__compare_text(q->findings[i].domain_name, lock->domain_name) == 0)
            return true;
    return false;
}

static rln_status look_at_all(struct rln__inquiry *q, const struct rln__locks *locks,
                              rln_error *err)
{
    const uint32_t n_threads = rln_info_totals(q->run->info)->n_threads;
    const struct rln__track **tracks = rln__run_tracks_by_thread(q->run);
    double *by_thread = rln__alloc(n_threads + 1, sizeof(*by_thread));
    struct waiting *all = rln__alloc(locks->n + 1, sizeof(*all));
    rln_status status = RLN_OK;

    if (!tracks || !by_thread || !all)
        status = rln__fail_nomem(err);
    for (size_t i = 0; !status && i < locks->n; i++)
        sum_up(q, tracks, &locks->locks[i], by_thread, &all[i]);
    if (!status && locks->n)
        qsort(all, locks->n, sizeof(*all), by_most);
    for (size_t i = 0; !status && i < locks->n; i++) {
        if (all[i].most_ns < q->limits[WAITING] * q->run->span_ns ||
            !rln__is_worth(q, all[i].most_ns))
            break;
        if (all[i].held_ns >= q->limits[HELD] * all[i].ns && !is_found(q, all[i].lock))
            status = add(q, tracks, &all[i], err);
    }
    rln__free(tracks);
    rln__free(by_thread);
    rln__free(all);
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct rln__locks locks = {0};
    rln_status status = RLN_OK;

    if (rln_info_totals(q->run->info)->n_syncs)
        status = rln__locks_read(q->reader, &locks, err);
    if (!status && !locks.n)
        q->why = "no lock is annotated (NVTX's synchronization extension)";
    else if (!status)
        status = look_at_all(q, &locks, err);
    rln__locks_clear(&locks);
    return status;
}

const struct rln__rule rln__rule_lock_serial = {
    .id = "lock-serial",
    .question = "do threads wait for a lock that another one holds?",
    .fires =
        "a thread that runs the step waits for an annotated lock for at least "
        "`waiting` of the run, and a thread holds the lock for at least `held` of the "
        "time that threads wait",
    .against =
        "what the lock protects may have to be done by one thread at a time; what "
        "could be won is the waiting of the thread that waits longest",
    .next = "rangeline stats -r sync_sum {traces}",
    .needs =
        RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS | RLN__READS_TRACE,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"waiting", 0.05, "most programs wait for a lock for a little"},
                   {"held", 0.9, "else it is waiting for something to do"}},
    .evaluate = evaluate,
};
