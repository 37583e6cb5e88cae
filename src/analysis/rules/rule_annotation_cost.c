/* SPDX-License-Identifier: Apache-2.0 */
/* rule_annotation_cost.c - ranges are so short and many that recording them takes time.
 */
#include "analysis/rules.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/thousands.h"

enum { SHARE, WARNING, RANGE_NS };

/* The thread that loses the largest part of its time. */
struct thread {
    const struct rln__track *track;
    size_t n; /* ranges from its first call of the step to its last */
    double share, ns;
};

static bool is_on(const struct rln__track *track, const struct rln__nesting_row *row)
{
    return row->thread == track->thread && !(row->flags & RLN_FLAG_DEFERRED) &&
           row->start_ns >= track->calls[0].start_ns &&
           row->start_ns <= rln__track_end_ns(track);
}

/* 0, or -1 when there is no memory. */
static int find_thread(const struct rln__inquiry *q, struct thread *out)
{
    const struct rln__run *run = q->run;
    const uint32_t n_threads = rln_info_totals(run->info)->n_threads;
    const struct rln__track **tracks = rln__run_tracks_by_thread(run);
    size_t *counts = rln__alloc(n_threads + 1, sizeof(*counts));
    struct rln__nesting_row row;
    const bool failed = !tracks || !counts;

    for (size_t i = 0; !failed && rln__nesting_get(run->nesting, i, &row); i++)
        if (row.thread < n_threads && tracks[row.thread] &&
            is_on(tracks[row.thread], &row))
            counts[row.thread]++;
    for (uint32_t i = 0; !failed && i < n_threads; i++) {
        const double ns = (double)counts[i] * q->limits[RANGE_NS];
        double share;

        if (!tracks[i] || rln__track_end_ns(tracks[i]) <= tracks[i]->calls[0].start_ns)
            continue;
        share =
            ns / (double)(rln__track_end_ns(tracks[i]) - tracks[i]->calls[0].start_ns);
        if (share > out->share)
            *out = (struct thread){tracks[i], counts[i], share, ns};
    }
    rln__free(tracks);
    rln__free(counts);
    return failed ? -1 : 0;
}

/* The name of most of its ranges; `counts` is by name, zeroed. */
static size_t find_name(const struct rln__run *run, const struct rln__track *track,
                        size_t *counts, size_t n_names)
{
    struct rln__nesting_row row;
    size_t most = 0;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++)
        counts[row.name] += is_on(track, &row);
    for (size_t name = 1; name < n_names; name++)
        if (counts[name] > counts[most])
            most = name;
    return most;
}

/* Shows the shortest. */
static void show(const struct rln__run *run, const struct rln__track *track,
                 size_t name, struct rln__finding *f)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++)
        if (row.name == name && is_on(track, &row))
            rln__finding_show(f, i, -(double)(row.end_ns - row.start_ns));
}

static rln_status add(struct rln__inquiry *q, const struct thread *t, rln_error *err)
{
    const struct rln__run *run = q->run;
    const size_t n_names = rln__nesting_count_names(run->nesting);
    size_t *counts = rln__alloc(n_names + 1, sizeof(*counts));
    struct rln__finding *f;
    struct rln__nesting_row row = {0};
    size_t name, n, i = 0;

    if (!counts)
        return rln__fail_nomem(err);
    name = find_name(run, t->track, counts, n_names);
    n = counts[name];
    rln__free(counts);
    while (rln__nesting_get(run->nesting, i, &row) && row.name != name)
        i++;
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message, NULL);
    if (!f)
        return rln__fail_nomem(err);
    show(run, t->track, name, f);
    rln__finding_won(f, q, t->ns);
    rln__finding_measure(f, "cost", t->share);
    rln__finding_measure(f, "ranges", (double)t->n);
    rln__finding_measure(f, "of_name", (double)n);
    rln__buf_count(&f->title, t->n);
    rln__buf_text(&f->title, " ranges on a thread take about ");
    rln__buf_duration(&f->title, t->ns);
    rln__buf_format(&f->title, " to record, %.1f %% of its time; ", t->share * 100);
    rln__buf_count(&f->title, n);
    rln__buf_text(&f->title, " of them are ");
    rln__buf_range(&f->title, row.domain_name, row.is_default_domain, row.message);
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct thread t = {0};

    if (find_thread(q, &t))
        return rln__fail_nomem(err);
    return t.share >= q->limits[SHARE] ? add(q, &t, err) : RLN_OK;
}

const struct rln__rule rln__rule_annotation_cost = {
    .id = "annotation-cost",
    .question = "does recording take time?",
    .fires =
        "the ranges of a thread, from its first call of the step to its last, take "
        "at least `share` of that time to record, at `range_ns` each",
    .against =
        "`range_ns` is an estimate: it depends on the machine, and is larger for "
        "ranges with payloads and from Python",
    .next = "rangeline stats -r nvtx_sum {traces}",
    .needs = RLN__NEEDS_STEP,
    .thresholds = {{"share", 0.02, "runs vary by half of it"},
                   {"warning", 0.05, "below it, a finding is a note"},
                   {"range_ns", 25, "a push and a pop in C on a machine of 2023"}},
    .evaluate = evaluate,
};
