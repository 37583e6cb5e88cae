/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/findings/analyze_text.h"

#include <math.h>
#include <string.h>

#include "analysis/finding_words.h"
#include "analysis/rules.h"
#include "analysis/step.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "base/utf8.h"
#include "cli/findings/analyze_next.h"
#include "cli/inputs/input_files.h"
#include "reports/check/check_findings.h"
#include "reports/sums.h"

/* JSON has all. */
#define MOST_FINDINGS 20

/* Of one finding; JSON has more. */
#define MOST_SHOWN 3

/* Of lines that are wrapped, without the indentation. */
#define WIDTH 84

static void add_wrapped(struct rln__buf *out, const char *label, const char *text,
                        size_t n)
{
    size_t column = strlen(label);

    rln__buf_text(out, label);
    for (size_t at = 0; at < n;) {
        size_t length = 0;

        while (at + length < n &&
               (text[at + length] != ' ' ||
                (at + length + 1 < n && text[at + length + 1] == '%')))
            length++;
        if (at && column + 1 + length > WIDTH) {
            rln__buf_text(out, "\n    ");
            column = 4;
        } else if (at) {
            rln__buf_char(out, ' ');
            column++;
        }
        rln__buf_add(out, text + at, length);
        column += length;
        at += length + 1;
    }
    rln__buf_char(out, '\n');
}

static void add_printable(struct rln__buf *out, rln_text text)
{
    (void)rln__buf_printable(out, text.bytes, text.length);
}

static void add_origin(struct rln__buf *out, const struct rln__run *run,
                       const struct rln__nesting_row *row)
{
    static const char *const kinds[] = {
        [RLN__RANK_OF_JOB] = "rank", [RLN__RANK_OF_TRACE] = "trace"};
    const rln_thread_info *thread = rln_info_thread(run->info, row->thread);
    const uint32_t rank = rln__run_rank(run, row->process);

    /* A process that started the ranks of a job has none. */
    if (run->n_ranks > 1 && run->rank_kind != RLN__RANK_OF_PROCESS &&
        rank != RLN_NO_RANK)
        rln__buf_format(out, "%s %u  ", kinds[run->rank_kind], rank);
    rln__buf_format(out, "%u/%u", row->pid, row->tid);
    if (thread && (thread->name.length || thread->system_name.length)) {
        rln__buf_char(out, ' ');
        add_printable(out, thread->name.length ? thread->name : thread->system_name);
    }
}

/* "    at 0.105 s for 5.1 ms  rank 5  100/101 worker  app:step" */
static void add_evidence(struct rln__buf *out, const struct rln__run *run,
                         const struct rln__nesting_row *row)
{
    rln__buf_format(out, "    at %.9f s for ", (double)row->start_ns / 1e9);
    rln__buf_duration(out, (double)(row->end_ns - row->start_ns));
    rln__buf_text(out, "  ");
    add_origin(out, run, row);
    rln__buf_text(out, "  ");
    rln__buf_range(out, row->domain_name, row->is_default_domain, row->message);
    rln__buf_char(out, '\n');
}

static void add_heading(struct rln__buf *out, const struct rln__analyze_job *job,
                        const struct rln__finding *f)
{
    const bool is_note = f->severity == RLN_SEVERITY_NOTE;
    struct rln__buf line = {0};

    if (job->has_color)
        rln__buf_text(out, is_note ? "\033[36m" : "\033[33m");
    rln__buf_text(out, is_note ? "note" : "warning");
    rln__buf_text(out, job->has_color ? "\033[0m: " : ": ");
    rln__buf_text(&line, f->rule->id);
    if (rln__finding_has_grown(f))
        rln__buf_format(&line, " (known, was %.1f %%)", f->known_share * 100);
    else if (job->has_baseline)
        rln__buf_text(&line, f->is_known ? " (known)" : " (new)");
    rln__buf_text(&line, ": ");
    rln__buf_add(&line, f->title.bytes, f->title.length);
    add_wrapped(out, "", line.bytes, line.length);
    out->has_failed |= line.has_failed;
    rln__buf_clear(&line);
}

static void add_gain(struct rln__buf *out, const struct rln__run *run,
                     const struct rln__finding *f)
{
    if (f->has_won) {
        rln__buf_text(out, "  could win at most ");
        rln__buf_duration(out, f->won_ns);
        rln__buf_text(out, ", ");
        rln__finding_put_share(run, f->won_share, out);
        rln__buf_char(out, '\n');
    }
    if (f->cause.bytes) {
        rln__buf_text(out, "  cause: ");
        rln__finding_put_cause(f, out);
        rln__buf_char(out, '\n');
    } else if (f->unexplained) {
        add_wrapped(out, "  cause: unknown, ", f->unexplained, strlen(f->unexplained));
    }
    if (f->growth.is_known) {
        rln__buf_text(out, "  growth: ");
        rln__finding_put_growth(f, out);
        rln__buf_char(out, '\n');
    }
}

/* --- Long tails inside a step that is reported ------------------------------------ */

/* Whether the finding is that calls of the step are slow, of those in which the slow
 * calls of the tail lie: the first ones, or others. */
static bool is_whole_of(const struct rln__finding *whole, const struct rln__finding *f)
{
    if (f->is_of_warm_up)
        return whole->rule == &rln__rule_warm_up;
    return whole->rule == &rln__rule_outliers ||
           whole->rule == &rln__rule_periodic_stall ||
           whole->rule == &rln__rule_few_steps;
}

static bool is_inside_step(const struct rln__run *run, const struct rln__finding *f)
{
    struct rln__nesting_row row;

    if (!f->n_evidence || !rln__nesting_get(run->nesting, f->evidence[0], &row))
        return false;
    while (rln__nesting_get(run->nesting, row.parent, &row))
        if (rln__run_is_step(run, row.name))
            return true;
    return false;
}

/* The finding that this one is a part of: a call of the step is slow because one inside
 * it is. NULL: it stands for itself. */
static const struct rln__finding *whole_of(const struct rln__analysis *a,
                                           const struct rln__finding *f)
{
    if (f->rule != &rln__rule_long_tail || !is_inside_step(&a->run, f))
        return NULL;
    for (size_t i = 0; i < a->n; i++)
        if (is_whole_of(&a->findings[i], f))
            return &a->findings[i];
    return NULL;
}

static void add_parts(struct rln__buf *out, const struct rln__analysis *a,
                      const struct rln__finding *f)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n; i++) {
        const struct rln__finding *part = &a->findings[i];

        if (whole_of(a, part) == f && ++n <= MOST_SHOWN)
            add_wrapped(out, "  inside: ", part->title.bytes, part->title.length);
    }
    if (n > MOST_SHOWN)
        rln__buf_format(out, "  inside: %zu more: --json has all\n", n - MOST_SHOWN);
}

/* --- Findings --------------------------------------------------------------------- */

static void add_finding(struct rln__buf *out, const struct rln__analyze_job *job,
                        const struct rln__finding *f)
{
    const struct rln__run *run = &job->analysis.run;
    struct rln__nesting_row row;

    add_heading(out, job, f);
    add_gain(out, run, f);
    for (size_t i = 0; i < f->n_evidence && i < MOST_SHOWN; i++)
        if (rln__nesting_get(run->nesting, f->evidence[i], &row))
            add_evidence(out, run, &row);
    if (f->n_all_evidence > MOST_SHOWN) {
        rln__buf_text(out, "    and ");
        rln__buf_count(out, f->n_all_evidence - MOST_SHOWN);
        rln__buf_text(out, " more\n");
    }
    add_parts(out, &job->analysis, f);
    add_wrapped(out, "  but: ", f->rule->against, strlen(f->rule->against));
    rln__buf_text(out, "  next: ");
    rln__finding_next(job, f, out);
    if (f->n_evidence && rln__nesting_get(run->nesting, f->evidence[0], &row)) {
        rln__buf_text(out, "\n  view: ");
        rln__finding_view(job, &row, out);
    }
    rln__buf_text(out, "\n\n");
}

/* What a few calls of the step say: how far they differ, and not what is usual. */
static void add_few_calls(struct rln__buf *out, const struct rln__run *run)
{
    const struct rln__track *most = NULL;
    double least_ns = INFINITY, most_ns = 0;

    for (size_t i = 0; i < run->n_tracks; i++)
        if (!most || run->tracks[i].n > most->n)
            most = &run->tracks[i];
    if (!most || most->n < RLN__FEW_CALLS || most->n >= RLN__LEAST_CALLS)
        return;
    for (size_t i = 0; i < most->n; i++) {
        least_ns = fmin(least_ns, most->calls[i].ns);
        most_ns = fmax(most_ns, most->calls[i].ns);
    }
    rln__buf_format(out, "%zu calls took ", most->n);
    rln__buf_duration(out, least_ns);
    rln__buf_text(out, " to ");
    rln__buf_duration(out, most_ns);
    rln__buf_text(out, ", ");
    rln__buf_duration(out, most->median_ns);
    rln__buf_format(out, " in the median; what is usual, only %u or more show\n",
                    RLN__LEAST_CALLS);
}

static bool is_first_with_its_reason(const struct rln__analysis *a, size_t outcome)
{
    for (size_t i = 0; i < outcome; i++)
        if (a->outcomes[i].why &&
            strcmp(a->outcomes[i].why, a->outcomes[outcome].why) == 0)
            return false;
    return true;
}

/* "warm-up, outliers abstain: there is no step": the rules that abstain for the reason
 * of the one at `first`. */
static void add_abstention(struct rln__buf *out, const struct rln__analysis *a,
                           size_t first)
{
    const char *why = a->outcomes[first].why;
    struct rln__buf line = {0};
    size_t n = 0;

    for (size_t i = first; i < a->n_outcomes; i++) {
        if (!a->outcomes[i].why || strcmp(a->outcomes[i].why, why) != 0)
            continue;
        rln__buf_format(&line, "%s%s", n++ ? ", " : "", a->outcomes[i].rule->id);
    }
    rln__buf_format(&line, " abstain%s: %s", n == 1 ? "s" : "", why);
    add_wrapped(out, "", line.bytes, line.length);
    out->has_failed |= line.has_failed;
    rln__buf_clear(&line);
}

/* Which rules were asked about what, and which ones abstained. */
static void add_closing(struct rln__buf *out, const struct rln__analyze_job *job)
{
    const struct rln__analysis *a = &job->analysis;
    const size_t n_abstained = rln__analysis_count_abstained(a);
    size_t n = 0, n_new = 0;

    for (size_t i = 0; i < a->n; i++) {
        if (whole_of(a, &a->findings[i]))
            continue;
        n++;
        n_new += !a->findings[i].is_known;
    }
    if (n)
        rln__buf_counted(out, n, "finding", "findings");
    else
        rln__buf_text(out, "no findings");
    if (job->has_baseline && n) {
        rln__buf_text(out, " (");
        rln__buf_count(out, n_new);
        rln__buf_text(out, " new)");
    }
    rln__buf_text(out, " in ");
    rln__file_names_summary(job->paths, out);
    rln__buf_text(out, ": ");
    rln__analysis_put_checked(a, out);
    rln__buf_char(out, '\n');
    add_few_calls(out, &a->run);
    if (n_abstained && !job->says_why)
        rln__buf_format(out, "%zu other rule%s had nothing to check: --why\n",
                        n_abstained, n_abstained == 1 ? "" : "s");
    for (size_t i = 0; i < a->n_outcomes && job->says_why; i++)
        if (a->outcomes[i].why && is_first_with_its_reason(a, i))
            add_abstention(out, a, i);
}

void rln__findings_text(const struct rln__analyze_job *job, struct rln__buf *out)
{
    const struct rln__analysis *a = &job->analysis;
    size_t n_gains = 0, n_wholes = 0;

    for (size_t i = 0; i < a->n; i++) {
        if (whole_of(a, &a->findings[i]))
            continue;
        n_gains += a->findings[i].has_won;
        if (n_wholes++ < MOST_FINDINGS)
            add_finding(out, job, &a->findings[i]);
    }
    if (n_wholes > MOST_FINDINGS) {
        rln__buf_text(out, "and ");
        rln__buf_count(out, n_wholes - MOST_FINDINGS);
        rln__buf_text(out, " more: --json has all\n\n");
    }
    add_closing(out, job);
    if (n_gains > 1)
        rln__buf_text(out, "gains overlap: they do not add up\n");
}

static void add_threshold(struct rln__buf *out, const struct rln__rule *rule, size_t i,
                          double limit)
{
    const struct rln__threshold *t = &rule->thresholds[i];
    struct rln__buf line = {0};

    rln__buf_format(&line, "%s.%s=%g", rule->id, t->name, limit);
    if (limit < t->usual || limit > t->usual)
        rln__buf_format(&line, ", by default %g", t->usual);
    rln__buf_format(&line, ": %s", t->reason);
    add_wrapped(out, "  ", line.bytes, line.length);
    out->has_failed |= line.has_failed;
    rln__buf_clear(&line);
}

void rln__rule_help(const struct rln__rule *rule, const double *limits,
                    struct rln__buf *out)
{
    const char *severity = rule->severity ? rule->severity : RLN__SEVERITY_BY_SHARE;

    rln__buf_format(out, "%s: %s\n", rule->id, rule->question);
    add_wrapped(out, "  fires if ", rule->fires, strlen(rule->fires));
    add_wrapped(out, "  a finding is ", severity, strlen(severity));
    add_wrapped(out, "  but: ", rule->against, strlen(rule->against));
    for (size_t i = 0; i < RLN__MOST_THRESHOLDS && rule->thresholds[i].name; i++)
        add_threshold(out, rule, i, limits[i]);
}
