/* SPDX-License-Identifier: Apache-2.0 */
/* rule_blocked.c - the step waits, and for what, as far as the trace knows. What has a
 * cause of its own comes first:
 *
 *     an annotated lock  >  the GPU  >  other ranks  >  the end of a range of another thread, or process
 */
#include "analysis/cpu_loss.h"
#include "analysis/inputs/blocked_waits.h"
#include "analysis/inputs/lock_waits.h"
#include "analysis/inputs/wait_ends.h"
#include "analysis/meetings.h"
#include "analysis/rules.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"

#include <math.h>
#include <string.h>

enum { SHARE, WARNING };
enum { BLOCKED, MOST_NS, IN_RANGE, THREADS }; /* what is measured */

/* Of the waiting, what has one cause or lies in one range. */
#define MOST_OF_IT (2.0 / 3)

/* Enclosing ranges that are looked at: a file may nest as deep as it likes. */
#define MOST_LEVELS 64

static const char for_lock[] = "the waiting, for this lock";
static const char for_gpu[] = "the waiting, for the GPU";
static const char for_ranks[] = "the waiting, for other ranks";
static const char for_end[] = "the waiting, each time until it ended on another thread";
static const char for_process[] =
    "the waiting, each time until it ended in another process";

/* What a rule knows of the thread that waits longest. */
struct waiting {
    const struct rln__track *track;
    struct rln__blocked_waits waits;
    struct rln__nesting_row where; /* a range of the name in which it waits longest */
    double where_ns;               /* 0: it waits outside all ranges */
    double *by_name;               /* owned: room for sums */
};

static uint64_t blocked_ns(const struct rln__cpu_split *split)
{
    return split->blocked_ns;
}

/* --- In which range --------------------------------------------------------------- */

static void clear_sums(const struct rln__inquiry *q, struct waiting *w)
{
    memset(w->by_name, 0,
           rln__nesting_count_names(q->run->nesting) * sizeof(*w->by_name));
}

static void find_where(const struct rln__inquiry *q, struct waiting *w)
{
    struct rln__nesting_row row;

    clear_sums(q, w);
    for (size_t i = 0; i < w->waits.n; i++) {
        const struct rln__blocked_wait *wait = &w->waits.at[i];

        if (!rln__nesting_get(q->run->nesting, wait->range, &row))
            continue;
        w->by_name[row.name] += rln__blocked_wait_ns(wait);
        if (w->by_name[row.name] <= w->where_ns)
            continue;
        w->where_ns = w->by_name[row.name];
        w->where = row;
    }
}

/* Ranges in which it waits, each once. */
static void show(const struct waiting *w, struct rln__finding *f)
{
    for (size_t i = 0, first = 0; i < w->waits.n; i++) {
        const struct rln__blocked_wait *wait = &w->waits.at[i];

        if (i + 1 < w->waits.n && wait[1].range == wait->range)
            continue;
        if (wait->range != SIZE_MAX)
            rln__finding_show(f, wait->range,
                              wait->before_ns + rln__blocked_wait_ns(wait) -
                                  w->waits.at[first].before_ns);
        first = i + 1;
    }
}

/* --- For what --------------------------------------------------------------------- */

static void blame(struct rln__finding *f, const struct waiting *w,
                  const struct rln__nesting_row *row, double ns, const char *what)
{
    f->cause_domain = row->domain_name;
    f->cause = row->message;
    f->is_cause_default_domain = row->is_default_domain;
    f->cause_share = ns / w->waits.ns;
    f->cause_of = what;
}

/* Sets the cause to the lock for which the thread waits, if it is mostly one with a name
 * that is. */
static rln_status find_lock(const struct rln__inquiry *q, const struct waiting *w,
                            struct rln__finding *f, rln_error *err)
{
    struct rln__locks locks = {0};
    rln_status status = RLN_OK;

    if (rln_info_totals(q->run->info)->n_syncs)
        status = rln__locks_read(q->reader, &locks, err);
    for (size_t i = 0; !status && i < locks.n; i++) {
        const struct rln__lock *lock = &locks.locks[i];
        const struct rln__nesting_row name = {.domain_name = lock->domain_name,
                                              .message = lock->name,
                                              .is_default_domain =
                                                  lock->is_default_domain};
        double ns = 0;

        for (size_t k = 0; k < lock->n_waits; k++)
            if (lock->waits[k].thread == w->track->thread)
                ns += rln__blocked_waits_ns(&w->waits, lock->waits[k].start_ns,
                                            lock->waits[k].end_ns);
        if (lock->name.length && ns >= MOST_OF_IT * w->waits.ns)
            blame(f, w, &name, ns, for_lock);
    }
    rln__locks_clear(&locks);
    return status;
}

/* While a thread of the process waits for a GPU: calls do not say which thread. */
static void find_gpu(const struct rln__inquiry *q, const struct waiting *w,
                     struct rln__finding *f)
{
    double ns = 0;

    for (size_t i = 0; i < w->waits.n; i++) {
        const struct rln__blocked_wait *wait = &w->waits.at[i];
        double most = 0;

        for (size_t k = 0; k < q->gpu->n; k++)
            if (q->gpu->gpus[k].process == w->track->process)
                most = fmax(most, rln__gpu_time_ns(&q->gpu->gpus[k].times[RLN__WAITS],
                                                   wait->start_ns, wait->end_ns));
        ns += most;
    }
    if (ns >= MOST_OF_IT * w->waits.ns && w->where_ns > 0)
        blame(f, w, &w->where, ns, for_gpu);
}

/* By name of what all ranks leave together. 0, or -1 when there is no memory. */
static int find_ranks(const struct rln__inquiry *q, struct waiting *w,
                      struct rln__finding *f)
{
    struct rln__meetings meetings;
    struct rln__meeting_call call;
    struct rln__nesting_row row;
    double most = 0;
    int next = rln__meetings_read(q->run, &meetings);
    size_t at = 0;

    clear_sums(q, w);
    while (!next && (next = rln__meetings_next(&meetings, &at, &call)) > 0) {
        next = 0;
        if (!rln__is_left_together(&meetings.sites[call.name], RLN__TOGETHER) ||
            !rln__nesting_get(q->run->nesting, call.range, &row) ||
            row.thread != w->track->thread)
            continue;
        w->by_name[call.name] +=
            rln__blocked_waits_ns(&w->waits, row.start_ns, row.end_ns);
        if (w->by_name[call.name] <= most)
            continue;
        most = w->by_name[call.name];
        if (most >= MOST_OF_IT * w->waits.ns)
            blame(f, w, &row, most, for_ranks);
    }
    rln__meetings_clear(&meetings);
    return next;
}

/* 0, or -1 when there is no memory. */
static int find_end(const struct rln__inquiry *q, const struct waiting *w,
                    struct rln__finding *f)
{
    struct rln__wait_end end;
    struct rln__nesting_row row;

    if (rln__wait_end_find(q->run, q->cpu, w->track, &w->waits, &end))
        return -1;
    if (rln__nesting_get(q->run->nesting, end.range, &row))
        blame(f, w, &row, end.share * w->waits.ns,
              end.is_across ? for_process : for_end);
    return 0;
}

static rln_status find_cause(const struct rln__inquiry *q, struct waiting *w,
                             struct rln__finding *f, rln_error *err)
{
    rln_status status = RLN_OK;

    if (!w->waits.n) { /* readings of clocks */
        f->unexplained = "it is not known when it waits";
        return RLN_OK;
    }
    status = find_lock(q, w, f, err);
    if (!status && !f->cause.bytes)
        find_gpu(q, w, f);
    if (!status && !f->cause.bytes && q->run->n_ranks > 1 && find_ranks(q, w, f))
        status = rln__fail_nomem(err);
    if (!status && !f->cause.bytes && find_end(q, w, f))
        status = rln__fail_nomem(err);
    if (!status && !f->cause.bytes)
        f->unexplained =
            "no annotated lock, GPU, other rank or range of another thread or process "
            "fits";
    return status;
}

/* --- The finding ------------------------------------------------------------------ */

/* A wait of an unknown cause may be meant, as a pause is. One for a GPU loses nothing
 * while this works: rules about GPUs find when it does not. */
static void set_won(const struct rln__inquiry *q, struct rln__cpu_loss *loss,
                    struct rln__finding *f)
{
    if (f->cause_of == for_gpu)
        return;
    rln__finding_won(f, q, loss->most.ns);
    if (f->unexplained)
        f->severity = RLN_SEVERITY_NOTE;
}

/* ", 92 % of it in next batch" */
static void add_where(const struct rln__run *run, const struct waiting *w,
                      struct rln__buf *out)
{
    const double percent = w->where_ns / w->waits.ns * 100;

    if (percent >= 99.5)
        rln__buf_text(out, ", all of it ");
    else
        rln__buf_format(out, ", %.0f %% of it ", percent);
    if (rln__run_is_step(run, w->where.name)) {
        rln__buf_text(out, "outside all ranges inside");
        return;
    }
    rln__buf_text(out, "in ");
    rln__buf_range(out, w->where.domain_name, w->where.is_default_domain,
                   w->where.message);
}

static void describe(const struct rln__inquiry *q, const struct rln__cpu_loss *loss,
                     const struct waiting *w, struct rln__finding *f)
{
    const struct rln__run *run = q->run;
    const struct rln__thread_loss *most = &loss->most;
    const double share = most->ns / most->known_ns;

    rln__finding_measure(f, "blocked", share);
    rln__finding_measure(f, "most_ns", most->ns);
    rln__finding_measure(f, "in_range", w->waits.n ? w->where_ns / w->waits.ns : 0);
    rln__finding_measure(f, "threads", (double)loss->n_threads);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " waits for %.0f %% of %s: ", share * 100,
                    most->is_whole ? "its time" : "what is known of its time");
    rln__buf_duration(&f->title, most->ns);
    rln__buf_text(&f->title, loss->n_threads > 1 ? " of one of its threads" : "");
    if (w->where_ns > 0)
        add_where(run, w, &f->title);
}

static rln_status add(struct rln__inquiry *q, struct rln__cpu_loss *loss,
                      struct rln__finding *f, rln_error *err)
{
    struct waiting w = {
        .track = &loss->most.known,
        .by_name = rln__alloc(rln__nesting_count_names(q->run->nesting) + 1,
                              sizeof(*w.by_name)),
    };
    rln_status status = RLN_OK;

    if (!w.by_name || rln__blocked_waits_find(q->run, q->cpu, w.track, &w.waits))
        status = rln__fail_nomem(err);
    if (!status) {
        find_where(q, &w);
        show(&w, f);
        status = find_cause(q, &w, f, err);
    }
    if (!status) {
        set_won(q, loss, f);
        describe(q, loss, &w, f);
    }
    rln__blocked_waits_clear(&w.waits);
    rln__free(w.by_name);
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    struct rln__cpu_loss loss = {0};
    rln_status status = RLN_OK;

    if (!f || rln__cpu_loss_find(q, blocked_ns, NULL, &loss))
        status = rln__fail_nomem(err);
    else if (rln__is_worth(q, loss.most.ns))
        status = add(q, &loss, f, err);
    else
        rln__finding_drop(q);
    if (!status)
        q->why = loss.why;
    rln__cpu_loss_clear(&loss);
    return status;
}

/* --- What others say better ------------------------------------------------------- */

/* Whether a range has the name of one that another finding shows, or lies in one. */
static bool is_in_shown(const struct rln__run *run, size_t range,
                        const struct rln__finding *by)
{
    struct rln__nesting_row row, shown;

    for (unsigned level = 0; level < MOST_LEVELS; level++) {
        if (!rln__nesting_get(run->nesting, range, &row))
            return false;
        for (size_t i = 0; i < by->n_evidence; i++)
            if (rln__nesting_get(run->nesting, by->evidence[i], &shown) &&
                shown.name == row.name)
                return true;
        range = row.parent;
    }
    return false;
}

/* The rules that know the same cause, or, if there is none, as much of where. */
static bool is_found_by_other(const struct rln__run *run, const struct rln__finding *f,
                              const struct rln__finding *by)
{
    if (f->cause_of == for_lock)
        return by->rule == &rln__rule_lock_serial && rln__finding_blames(f, by);
    if (f->cause_of == for_ranks)
        return by->rule == &rln__rule_wait_at_collective && rln__finding_blames(f, by);
    if (f->cause_of == for_gpu)
        return by->rule == &rln__rule_sync_stall;
    return f->unexplained && by->rule == &rln__rule_loader_wait && f->n_evidence &&
           f->measured[IN_RANGE].value >= MOST_OF_IT &&
           is_in_shown(run, f->evidence[0], by);
}

const struct rln__rule rln__rule_blocked = {
    .id = "blocked",
    .question = "does the step wait, and for what?",
    .fires =
        "the threads that run the step are blocked, in it, for at least `share` of the "
        "run, as far as that is known; the cause is what most of that time waits for: "
        "an annotated lock, the "
        "GPU, other ranks, or a range of another thread or process that ends each "
        "time, "
        "unless it ends so often that this may be chance",
    .severity = "a warning, if it is known for what, other than the GPU, and could win "
                "at least `warning` of the run; else a note",
    .against =
        "a step may wait on purpose, for a time or for something to do; what ends "
        "as a wait ends need not be what it waited for",
    .next = "rangeline stats -r tree:cpu {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS |
             RLN__NEEDS_SWITCHES | RLN__READS_GPU,
    .thresholds = {RLN__SHARE_THRESHOLDS},
    .evaluate = evaluate,
    .is_superseded = is_found_by_other,
    .superseded_why = "another rule says for what the step waits",
};
