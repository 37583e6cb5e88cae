/* SPDX-License-Identifier: Apache-2.0 */
/* rule_unannotated.c - threads that run the step spend time outside all ranges. Threads
 * without the step may be idle, and do not count. */
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"

#include <math.h>

enum { SHARE };

/* A thread between its first and its last call of the step. */
struct covered {
    int64_t from, to; /* empty: it does not count */
    int64_t at;       /* covered, or known to be a gap, up to here */
    size_t before;    /* the range that ended there */
};

struct collected {
    struct covered *threads; /* owned; by their index */
    uint32_t n_threads;
    double outside_ns, all_ns, longest_ns;
};

static void begin(const struct rln__run *run, struct collected *c)
{
    const struct rln__track *track;
    size_t at = 0;

    while ((track = rln__run_next_track(run, &at))) {
        struct covered *t = &c->threads[track->thread];

        t->from = t->at = track->calls[0].start_ns;
        t->to = rln__track_end_ns(track);
        t->before = track->calls[0].range;
        c->all_ns += (double)(t->to - t->from);
    }
}

static void add_gaps(const struct rln__run *run, struct collected *c,
                     struct rln__finding *f)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        struct covered *t;

        if (row.thread >= c->n_threads || row.flags & RLN_FLAG_DEFERRED)
            continue;
        t = &c->threads[row.thread];
        if (row.parent != SIZE_MAX || row.end_ns <= t->at || t->at >= t->to)
            continue;
        if (row.start_ns > t->at) {
            const double gap = (double)(row.start_ns - t->at);

            c->outside_ns += gap;
            c->longest_ns = fmax(c->longest_ns, gap);
            rln__finding_show(f, t->before, gap);
        }
        t->at = row.end_ns;
        t->before = i;
    }
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct collected c = {.n_threads = rln_info_totals(run->info)->n_threads};
    struct rln__finding *f;

    if (q->is_filtered) {
        q->why = "a filter leaves out ranges that may cover the time";
        return RLN_OK;
    }
    c.threads = rln__alloc(c.n_threads + 1, sizeof(*c.threads));
    f = rln__finding_of_step(q, NULL);
    if (!c.threads || !f) {
        rln__free(c.threads);
        return rln__fail_nomem(err);
    }
    begin(run, &c);
    add_gaps(run, &c, f);
    rln__free(c.threads);
    if (c.outside_ns <= q->limits[SHARE] * c.all_ns) {
        rln__finding_drop(q);
        return RLN_OK;
    }
    rln__finding_measure(f, "outside", c.outside_ns / c.all_ns);
    rln__finding_measure(f, "outside_ns", c.outside_ns);
    rln__finding_measure(f, "longest_ns", c.longest_ns);
    rln__buf_text(&f->title, "threads that run ");
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title,
                    " spend %.1f %% of their time outside all ranges (over "
                    "%g %%); the longest gap, ",
                    c.outside_ns / c.all_ns * 100, q->limits[SHARE] * 100);
    rln__buf_duration(&f->title, c.longest_ns);
    rln__buf_text(&f->title, ", comes after the first of these");
    return RLN_OK;
}

const struct rln__rule rln__rule_unannotated = {
    .id = "unannotated",
    .question = "what do threads do outside all ranges?",
    .fires = "between its first and its last call of the step, a thread is outside all "
             "push/pop ranges for over `share` of the time",
    .severity = "a note",
    .against = "a thread that waits for work is idle; start/end ranges do not count as "
               "cover",
    .next = "rangeline stats -r gaps {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {{"share", 0.1, "the loop around a step takes less"}},
    .evaluate = evaluate,
};
