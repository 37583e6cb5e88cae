/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/slow_calls.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "rangeline/filter.h"
#include "ranges/event_filter.h"
#include "reports/check/check_findings.h"
#include "trace/open/gpus.h"
#include "trace/open/load.h"

void rln__analysis_options_init(struct rln__analysis_options *options)
{
    memset(options, 0, sizeof(*options));
    for (size_t i = 0; i < RLN__N_RULES; i++) {
        options->is_asked[i] = true;
        for (size_t k = 0; k < RLN__MOST_THRESHOLDS; k++)
            options->limits[i][k] = rln__rules[i]->thresholds[k].usual;
    }
}

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
    return NULL;
}

static int by_gain(const void *a, const void *b)
{
    const struct rln__finding *x = a, *y = b;

    if (x->won_ns > y->won_ns || x->won_ns < y->won_ns)
        return x->won_ns > y->won_ns ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->key.length != y->key.length)
        return x->key.length < y->key.length ? -1 : 1;
    return memcmp(x->key.bytes, y->key.bytes, x->key.length);
}

/* Moves the findings of a rule to those of the analysis. */
static int take(struct rln__analysis *out, struct rln__inquiry *q)
{
    struct rln__finding *grown =
        rln__resize(out->findings, out->n + q->n + 1, sizeof(*grown));

    if (!grown)
        return -1;
    out->findings = grown;
    for (size_t i = 0; i < q->n; i++)
        grown[out->n++] = q->findings[i];
    q->n = 0;
    return 0;
}

static rln_status ask(const struct rln__rule *rule, struct rln__inquiry *q,
                      struct rln__analysis *out, rln_error *err)
{
    struct rln__outcome *outcome = &out->outcomes[out->n_outcomes++];
    rln_status status = RLN_OK;

    q->rule = rule;
    q->why = find_lack(q);
    if (!q->why)
        status = rule->evaluate(q, err);
    *outcome = (struct rln__outcome){.rule = rule, .limits = q->limits, .why = q->why};
    outcome->n_findings = q->n;
    for (size_t i = 0; !status && i < q->n; i++)
        if (q->findings[i].key.has_failed || q->findings[i].title.has_failed)
            status = rln__fail_nomem(err);
    if (!status && take(out, q))
        status = rln__fail_nomem(err);
    while (q->n)
        rln__finding_drop(q);
    return status;
}

static bool needs_gpu(const struct rln__analysis_options *options)
{
    for (size_t i = 0; i < RLN__N_RULES; i++)
        if (options->is_asked[i] && rln__rules[i]->needs & RLN__NEEDS_GPU)
            return true;
    return false;
}

/* Whether a finding is about the range that another one names as its cause. */
static bool is_named(const struct rln__finding *cause, const struct rln__finding *f)
{
    return f->cause.bytes && rln__compare_text(f->cause, cause->message) == 0 &&
           f->is_cause_default_domain == cause->is_default_domain &&
           rln__compare_text(f->cause_domain, cause->domain_name) == 0;
}

static bool is_superseded(const struct rln__analysis *out, const struct rln__finding *f)
{
    for (size_t i = 0; i < out->n; i++)
        if (out->findings[i].rule == f->rule->superseded_by &&
            is_named(&out->findings[i], f))
            return true;
    return false;
}

static void note_superseded(struct rln__analysis *out, const struct rln__rule *rule)
{
    for (size_t i = 0; i < out->n_outcomes; i++)
        if (out->outcomes[i].rule == rule && !--out->outcomes[i].n_findings)
            out->outcomes[i].why = rule->superseded_why;
}

static void drop_superseded(struct rln__analysis *out)
{
    for (size_t i = 0; i < out->n;) {
        if (!is_superseded(out, &out->findings[i])) {
            i++;
            continue;
        }
        note_superseded(out, out->findings[i].rule);
        rln__finding_clear(&out->findings[i]);
        out->findings[i] = out->findings[--out->n];
    }
}

/* Whether a rule that is asked says what is regular: `*out`. */
static bool find_regularity(const struct rln__analysis_options *options,
                            struct rln__regularity *out)
{
    for (size_t i = 0; i < RLN__N_RULES; i++)
        if (options->is_asked[i] && rln__rules[i]->regularity) {
            *out = rln__rules[i]->regularity(options->limits[i]);
            return true;
        }
    return false;
}

rln_status rln__analyze(rln_reader *reader, const struct rln__analysis_options *options,
                        struct rln__analysis *out, rln_error *err)
{
    struct rln__regularity periodic;
    struct rln__gpu_times gpu = {0};
    struct rln__inquiry q = {.reader = reader,
                             .run = &out->run,
                             .gpu = &gpu,
                             .is_filtered = rln__reader_is_restricted(reader),
                             .recursive = options->recursive,
                             .loaders = options->loaders,
                             .periodic = find_regularity(options, &periodic) ? &periodic
                                                                             : NULL};
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = rln__run_read(reader, &options->step, &out->run, err);
    if (!status && needs_gpu(options) && rln__reader_has_gpu_work(reader))
        status = rln__gpu_times_read(reader, &gpu, err);
    for (size_t i = 0; !status && i < RLN__N_RULES; i++) {
        q.limits = options->limits[i];
        if (options->is_asked[i])
            status = ask(rln__rules[i], &q, out, err);
    }
    rln__free(q.findings);
    rln__gpu_times_clear(&gpu);
    if (!status)
        drop_superseded(out);
    if (!status && out->n)
        qsort(out->findings, out->n, sizeof(*out->findings), by_gain);
    return status;
}

void rln__analysis_clear(struct rln__analysis *analysis)
{
    for (size_t i = 0; i < analysis->n; i++)
        rln__finding_clear(&analysis->findings[i]);
    rln__free(analysis->findings);
    rln__run_clear(&analysis->run);
    memset(analysis, 0, sizeof(*analysis));
}
