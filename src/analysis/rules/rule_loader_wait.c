/* SPDX-License-Identifier: Apache-2.0 */
/* rule_loader_wait.c - threads that run the step wait for its data. */
#include "analysis/rules.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/pattern.h"

enum { SHARE, WARNING };

/* In lower case. PyTorch's is enumerate(DataLoader)#...__next__. */
static const char *const usual_names[] = {
    "load",          "data",         "*load*data*", "*data*load*",
    "*load*batch*",  "*next*batch*", "*get*batch*", "*fetch*data*",
    "*fetch*batch*", "*wait*data*",  NULL};

enum kind { UNKNOWN, LOADER, OTHER };

/* The thread that waits for the largest part of its time, between its first call of the
 * step and its last. */
struct waiter {
    const struct rln__track *track;
    double share, ns;
};

struct search {
    const struct rln__track **tracks; /* owned; by thread */
    unsigned char *kinds;             /* owned; by name */
    unsigned char *is_inside;         /* owned; by range: it is a loader, or in one */
    double *by_thread;                /* owned: time in loaders */
    struct waiter most;
};

static bool matches(const char *const *patterns, rln_text text)
{
    while (*patterns)
        if (rln__text_matches(*patterns++, text))
            return true;
    return false;
}

static bool is_loader(const struct rln__inquiry *q, rln_text name)
{
    char lower[256];
    const size_t length = name.length < sizeof(lower) ? name.length : sizeof(lower);

    if (!name.bytes)
        return false;
    if (q->loaders && q->loaders[0])
        return matches(q->loaders, name);
    for (size_t i = 0; i < length; i++) {
        const char c = name.bytes[i];

        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return matches(usual_names, (rln_text){lower, length});
}

/* The step is no loader, whatever its name, and neither is a range around it. */
static void exclude_steps(const struct rln__run *run, unsigned char *kinds)
{
    for (size_t i = 0; i < run->n_calls; i++) {
        size_t range = run->calls[i].range;
        struct rln__nesting_row row;

        while (rln__nesting_get(run->nesting, range, &row)) {
            kinds[row.name] = OTHER;
            range = row.parent;
        }
    }
}

/* What a range is within the time of its thread's steps. */
static double clip(const struct rln__track *track, const struct rln__nesting_row *row)
{
    const int64_t from = track->calls[0].start_ns, to = rln__track_end_ns(track);
    const int64_t start = row->start_ns > from ? row->start_ns : from;
    const int64_t end = row->end_ns < to ? row->end_ns : to;

    return end > start ? (double)(end - start) : 0;
}

/* Whether it is an outermost loader of a thread with steps. */
static bool is_wait(const struct search *s, const struct rln__nesting_row *row)
{
    return s->kinds[row->name] == LOADER && !(row->flags & RLN_FLAG_DEFERRED) &&
           rln__is_complete_call(row) && s->tracks[row->thread] &&
           (row->parent == SIZE_MAX || !s->is_inside[row->parent]);
}

static void sum(const struct rln__inquiry *q, struct search *s)
{
    const uint32_t n_threads = rln_info_totals(q->run->info)->n_threads;
    struct rln__nesting_row row;

    exclude_steps(q->run, s->kinds);
    for (size_t i = 0; rln__nesting_get(q->run->nesting, i, &row); i++) {
        if (s->kinds[row.name] == UNKNOWN)
            s->kinds[row.name] = is_loader(q, row.message) ? LOADER : OTHER;
        s->is_inside[i] = s->kinds[row.name] == LOADER ||
                          (row.parent != SIZE_MAX && s->is_inside[row.parent]);
        if (is_wait(s, &row))
            s->by_thread[row.thread] += clip(s->tracks[row.thread], &row);
    }
    for (uint32_t i = 0; i < n_threads; i++) {
        const struct rln__track *track = s->tracks[i];
        double share;

        if (!track)
            continue;
        share = s->by_thread[i] /
                (double)(rln__track_end_ns(track) - track->calls[0].start_ns + 1);
        if (share > s->most.share)
            s->most = (struct waiter){track, share, s->by_thread[i]};
    }
}

static rln_status add(struct rln__inquiry *q, const struct search *s, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    struct rln__nesting_row row;

    if (!f)
        return rln__fail_nomem(err);
    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++)
        if (is_wait(s, &row) && row.thread == s->most.track->thread)
            rln__finding_show(f, i, clip(s->most.track, &row));
    rln__finding_won(f, q, s->most.ns);
    rln__finding_measure(f, "waits", s->most.share);
    rln__finding_measure(f, "calls", (double)f->n_all_evidence);
    rln__finding_measure(f, "longest_ns", f->weights[0]);
    rln__buf_text(&f->title, "a thread that runs ");
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " waits for data for %.1f %% of its time (over %g %%)",
                    s->most.share * 100, q->limits[SHARE] * 100);
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct search s = {
        .tracks = rln__run_tracks_by_thread(run),
        .kinds = rln__alloc(rln__nesting_count_names(run->nesting) + 1, 1),
        .is_inside = rln__alloc(rln__nesting_count(run->nesting) + 1, 1),
        .by_thread =
            rln__alloc(rln_info_totals(run->info)->n_threads + 1, sizeof(*s.by_thread)),
    };
    rln_status status = RLN_OK;

    if (!s.tracks || !s.kinds || !s.is_inside || !s.by_thread) {
        status = rln__fail_nomem(err);
    } else {
        sum(q, &s);
        if (s.most.share >= q->limits[SHARE])
            status = add(q, &s, err);
    }
    rln__free(s.tracks);
    rln__free(s.kinds);
    rln__free(s.is_inside);
    rln__free(s.by_thread);
    return status;
}

const struct rln__rule rln__rule_loader_wait = {
    .id = "loader-wait",
    .question = "does the step wait for its data?",
    .fires =
        "a thread that runs the step is in ranges that load data for at least "
        "`share` of the time from its first call of the step to its last; --loader "
        "says what these are called, else their names are load or data, or speak "
        "of loading data or of the next batch",
    .against = "loading is part of the work if the program has nothing to do meanwhile",
    .next = "rangeline stats -r tree {traces}",
    .needs = RLN__NEEDS_STEP,
    .thresholds = {{"share", 0.1, "a step that loads in time waits for less"},
                   {"warning", 0.1, "below it, a finding is a note"}},
    .evaluate = evaluate,
};
