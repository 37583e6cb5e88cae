/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/ask_rules.h"
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

/* In the order of the rules. The first failure counts. */
static rln_status take_all(struct rln__analysis *out, struct rln__asked *asked,
                           size_t n, rln_error *err)
{
    for (size_t i = 0; i < n; i++) {
        struct rln__inquiry *q = &asked[i].q;

        if (asked[i].status && err)
            *err = asked[i].err;
        if (asked[i].status)
            return asked[i].status;
        out->outcomes[out->n_outcomes++] =
            (struct rln__outcome){q->rule, q->limits, q->why, q->n};
        if (take(out, q))
            return rln__fail_nomem(err);
    }
    return RLN_OK;
}

static rln_status ask_all(struct rln__analysis *out,
                          const struct rln__analysis_options *options,
                          const struct rln__inquiry *about, rln_error *err)
{
    struct rln__asked *asked = rln__alloc(RLN__N_RULES, sizeof(*asked)); /* owned */
    rln_status status;
    size_t n = 0;

    if (!asked)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < RLN__N_RULES; i++) {
        if (!options->is_asked[i])
            continue;
        asked[n].q = *about;
        asked[n].q.rule = rln__rules[i];
        asked[n++].q.limits = options->limits[i];
    }
    rln__ask_rules(asked, n, about->reader->n_jobs);
    status = take_all(out, asked, n, err);
    for (size_t i = 0; i < n; i++)
        rln__asked_clear(&asked[i]);
    rln__free(asked);
    return status;
}

static bool is_needed(const struct rln__analysis_options *options, unsigned needs)
{
    for (size_t i = 0; i < RLN__N_RULES; i++)
        if (options->is_asked[i] && rln__rules[i]->needs & needs)
            return true;
    return false;
}

/* What several rules read besides the run, if one of them is asked. */
static rln_status read_inputs(rln_reader *reader,
                              const struct rln__analysis_options *options,
                              const struct rln__run *run, struct rln__gpu_times *gpu,
                              struct rln__cpu_times *cpu, rln_error *err)
{
    rln_status status = RLN_OK;

    if (is_needed(options, RLN__NEEDS_GPU | RLN__READS_GPU) &&
        rln__reader_has_gpu_work(reader))
        status = rln__gpu_times_read(reader, gpu, err);
    if (!status && is_needed(options, RLN__NEEDS_SWITCHES | RLN__READS_SWITCHES) &&
        run->n_tracks && rln__has_cpu_times(reader, RLN__NONE))
        status = rln__cpu_times_load(cpu, reader, err);
    return status;
}

static bool is_superseded(const struct rln__analysis *out, const struct rln__finding *f)
{
    for (size_t i = 0; f->rule->is_superseded && i < out->n; i++)
        if (f->rule->is_superseded(&out->run, f, &out->findings[i]))
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
    struct rln__cpu_times cpu = {0};
    const struct rln__inquiry about = {
        .reader = reader,
        .run = &out->run,
        .gpu = &gpu,
        .cpu = &cpu,
        .is_filtered = rln__reader_is_restricted(reader),
        .recursive = options->recursive,
        .loaders = options->loaders,
        .periodic = find_regularity(options, &periodic) ? &periodic : NULL};
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = rln__run_read(reader, &options->step, &out->run, err);
    if (!status)
        status = read_inputs(reader, options, &out->run, &gpu, &cpu, err);
    if (!status)
        status = ask_all(out, options, &about, err);
    rln__gpu_times_clear(&gpu);
    rln__cpu_times_clear(&cpu);
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
