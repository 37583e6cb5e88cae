/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_diff.c - prints what became slower or faster, and fails a build for it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/thousands.h"
#include "cli/commands.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "cli/show/diff_table.h"
#include "cli/show/fold_hint.h"
#include "console/die.h"
#include "console/pager.h"
#include "console/stdout_error.h"

enum { BEFORE, FAIL_ABOVE, FAIL_ON_ONE_RUN, ON, ALL, FORMAT, JSON, MARKDOWN, FILTERS };

static const struct rln__option options[] = {
    [BEFORE] =
        {.name = "before",
         .letter = 'b',
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "FILE",
         .help =
             "add a trace to the side before; all operands are then on the side after"},
    [FAIL_ABOVE] =
        {.name = "fail-above",
         .kind = RLN__ARG_TEXT,
         .value = "PERCENT",
         .help = "exit with 1 if a range became slower by more than PERCENT and by "
                 "more than noise; list only those. Needs several runs per side"},
    [FAIL_ON_ONE_RUN] = {.name = "fail-on-one-run",
                         .help =
                             "let --fail-above fail with one run per side, too, "
                             "although runs of the same program may differ by more"},
    [ON] = {.name = "on",
            .kind = RLN__ARG_CHOICE,
            .choices = "median|p95|total",
            .initial = "median",
            .help = "compare medians, 95th percentiles or sums of durations"},
    [ALL] = {.name = "all", .help = "also list unchanged ranges"},
    [FORMAT] =
        {.name = "format",
         .letter = 'f',
         .kind = RLN__ARG_CHOICE,
         .choices = RLN__TABLE_CHOICES,
         .initial = "column",
         .help = "output format; csv, tsv and json have all numbers, in nanoseconds"},
    [JSON] = {.name = "json", .help = "same as -f json"},
    [MARKDOWN] = {.name = "markdown", .help = "same as -f markdown"},
    RLN__FILTER_OPTIONS(FILTERS),
};

static const struct rln__example examples[] = {
    {"see what changed", "rangeline diff before.rln after.rln"},
    {"fail a build if a range became 5 % slower",
     "rangeline diff --fail-above 5% 'before/*.rln' 'after/*.rln'"},
    {"compare three runs per side, for a comment on a pull request",
     "rangeline diff --markdown -b m1.rln -b m2.rln -b m3.rln b1.rln b2.rln b3.rln"},
    {"omit the first second, a warm-up",
     "rangeline diff --filter-time 1s/ before.rln after.rln"},
};

const struct rln__command rln__command_diff = {
    .name = "diff",
    .summary = "compare two runs, range by range",
    .operands = "BEFORE AFTER",
    .operands_help =
        "A side may also be a quoted pattern, such as 'before/*.rln', or @LIST, a file "
        "with a name per line: its traces are the repetitions of one program.",
    .description =
        "Ranges are matched by path (their name and those of all enclosing ranges), "
        "over all threads and processes. A range is slower or faster if its durations "
        "differ by more than noise: a Mann-Whitney rank test says so, and in at least "
        "56 % of all pairs of one range from each run, the slower run's is longer. The "
        "tail is slower if at least 1.5 times as many ranges as before exceed the 95th "
        "percentile of BEFORE. At most 1 % of reported changes are chance "
        "(Benjamini-Hochberg), however many ranges there are.\n\nRuns differ more than "
        "the calls of one run. With several runs per side, medians must differ more "
        "between the sides than within them (Student's t-test, 1 %); three per side "
        "find a change of a few percent. If that is likely but not certain (1 to 10 "
        "%), "
        "the range is unsure, and --fail-above says so. With one run per side, medians "
        "of ten time "
        "slices stand in for runs, so a change may be mere variation between runs, and "
        "--fail-above does not fail without --fail-on-one-run.\n\nThe change is that "
        "of the measure selected by --on; (noise) after it means that only something "
        "else changed, such as the tail, and --fail-above does not count "
        "it.\n\nFilters apply to both sides: --filter-nvtx and --window K to the range "
        "and window of each.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_diff,
};

struct diff_job {
    struct rln__diff_view view;
    struct rln__input_traces before, after;
    bool has_one_run;           /* of each side */
    struct rln__buf filter;     /* what restricts both sides, in words */
    size_t n_compared, n_alone; /* ranges that are on both sides, and on one */
};

/* --- Around the table ------------------------------------------------------------- */

/* "12 ranges (domain io): 1 slower, 2 faster, 9 the same" */
static void print_summary(const struct diff_job *job)
{
    static const char *const verdicts[] = {
        "slower", "slower tail", "faster", "faster tail", "new",
        "gone",   "other count", "unsure", "too few",     "same"};
    size_t counts[RLN_COUNT(verdicts)] = {0}, n = 0;
    const struct rln__diff_row *row;
    const char *separator = ":";
    struct rln__buf out = {0};

    for (size_t i = 0; (row = rln__diff_at(job->view.diff, i)); i++) {
        if (!row->before.n_ranges && !row->after.n_ranges)
            continue;
        n++;
        for (size_t k = 0; k < RLN_COUNT(verdicts); k++)
            counts[k] += strcmp(rln__diff_verdict(row), verdicts[k]) == 0;
    }
    rln__buf_counted(&out, n, "range", "ranges");
    if (job->filter.length)
        rln__buf_format(&out, " (%.*s)", (int)job->filter.length, job->filter.bytes);
    for (size_t k = 0; k < RLN_COUNT(verdicts); k++) {
        if (counts[k])
            rln__buf_format(&out, "%s %zu %s", separator, counts[k], verdicts[k]);
        separator = counts[k] ? "," : separator;
    }
    rln__buf_char(&out, '\n');
    (void)rln__write_out(&out);
    rln__buf_clear(&out);
}

static void count_sides(struct diff_job *job)
{
    const struct rln__diff_row *row;

    for (size_t i = 0; (row = rln__diff_at(job->view.diff, i)); i++) {
        job->n_compared += row->before.n_ranges && row->after.n_ranges;
        job->n_alone += !row->before.n_ranges != !row->after.n_ranges;
    }
}

/* Names the ranges of which it cannot be told whether they exceed the limit. */
static void note_unsure(const struct diff_job *job)
{
    const struct rln__diff_row *row;
    size_t n = 0;

    for (size_t i = 0; (row = rln__diff_at(job->view.diff, i)); i++)
        n += rln__diff_may_exceed(&job->view, row);
    if (!n)
        return;
    rln__note(
        "%zu range%s may have become slower by more than %g %%, but runs of one side "
        "differ, too",
        n, n == 1 ? "" : "s", job->view.limit);
    rln__hint("record more runs per side; `rangeline diff --all` lists the ranges as "
              "unsure");
}

/* If nothing was compared, the limit would hold whatever the program does. */
static bool check_limit(const struct diff_job *job)
{
    (void)rln__flush_output();
    if (job->n_alone)
        rln__note("%zu range%s only on one side, not compared", job->n_alone,
                  job->n_alone == 1 ? " is" : "s are");
    if (job->n_compared)
        return true;
    rln__complain("cannot compare: before=\"%s\", after=\"%s\": no common range",
                  job->before.name, job->after.name);
    rln__hint("`rangeline diff --all` lists the ranges of both");
    return false;
}

static void print_notes(const struct diff_job *job)
{
    const size_t before = rln__diff_count_traces(job->view.diff, 0);
    const size_t after = rln__diff_count_traces(job->view.diff, 1);
    const struct rln__diff_row *row;
    struct rln__fold_hint alone = {0}; /* names that only one side has */
    struct rln__fold_hint few = {0};   /* names that ran too few times */
    size_t n_few = 0;

    (void)rln__flush_output();
    for (size_t i = 0; (row = rln__diff_at(job->view.diff, i)); i++) {
        if (row->changes & (RLN__DIFF_NEW | RLN__DIFF_GONE))
            rln__fold_hint_add(&alone, row->message);
        if (row->changes & RLN__DIFF_FEW)
            rln__fold_hint_add(&few, row->message);
        n_few += (row->changes & RLN__DIFF_FEW) != 0;
    }
    if (before != after)
        rln__note("%zu traces before and %zu after: totals and calls are per trace",
                  before, after);
    if (job->has_one_run && job->n_compared)
        rln__note("one run per side: a change may be mere variation between runs; give "
                  "several, as 'before/*.rln' 'after/*.rln'");
    if (n_few) {
        rln__note("%zu range%s ran too few times to distinguish a change from noise",
                  n_few, n_few == 1 ? "" : "s");
        if (!rln__fold_hint_names(&few))
            rln__hint(
                "give more runs per side, five for ranges that run once: `rangeline "
                "diff 'before/*.rln' 'after/*.rln'`");
    }
    rln__fold_hint_note(rln__fold_hint_names(&few) ? &few : &alone);
    rln__fold_hint_clear(&few);
    rln__fold_hint_clear(&alone);
}

/* --- The command line ------------------------------------------------------------- */

/* "5", "5%", "0.5 %" */
static double read_percent(const char *text)
{
    char *end;
    const double percent = strtod(text, &end);

    end += strspn(end, " ");
    end += *end == '%';
    if (end != text && !*end && isfinite(percent) && percent >= 0)
        return percent;
    rln__complain("cannot compare: fail-above=\"%s\": not a percentage", text);
    rln__hint("use a percentage, such as --fail-above 5%%");
    exit(RLN__EXIT_USAGE);
}

static void open_both(struct diff_job *job, const struct rln__args *args)
{
    const bool has_before = rln__args_has(args, BEFORE);
    struct rln__file_names before = {0};
    const char *word;
    size_t at = 0;

    if (has_before ? args->n_operands == 0 : args->n_operands != 2) {
        if (has_before)
            rln__complain("cannot compare: no trace on the side after");
        else
            rln__complain("cannot compare: operands=%zu: two traces required",
                          args->n_operands);
        rln__hint("`rangeline diff before.rln after.rln`; with several per side, "
                  "`rangeline diff 'before/*.rln' 'after/*.rln'`, or each trace before "
                  "with -b FILE");
        exit(RLN__EXIT_USAGE);
    }
    if (has_before) {
        while ((word = rln__args_next(args, BEFORE, &at)))
            rln__file_names_add(&before, word);
        rln__input_traces_open_files(&job->before, &before);
        rln__input_traces_open(&job->after, args->operands, args->n_operands);
    } else {
        rln__input_traces_open(&job->before, args->operands, 1);
        rln__input_traces_open(&job->after, args->operands + 1, 1);
    }
    rln__file_names_clear(&before);
}

int rln__cmd_diff(int argc, char **argv)
{
    static const char *const measures[] = {"median", "p95", "total"};
    struct rln__args args;
    struct diff_job job = {.view = {.limit = NAN}};
    const char *format, *limit;
    struct rln__diff *diff;
    rln_error err = {0};
    size_t n;
    int status = RLN__EXIT_OK;
    bool may_fail;

    rln__args_parse(&rln__command_diff, argc, argv, &args);
    rln__pager_allow();
    format = rln__args_text(&args, FORMAT);
    if (rln__args_bool(&args, JSON))
        format = "json";
    if (rln__args_bool(&args, MARKDOWN))
        format = "markdown";
    job.view.format = (enum rln__table_format)rln__table_format(format, strlen(format));
    limit = rln__args_text(&args, FAIL_ABOVE);
    if (limit)
        job.view.limit = read_percent(limit);
    while (strcmp(measures[job.view.on], rln__args_text(&args, ON)) != 0)
        job.view.on++;
    job.view.lists_all = rln__args_bool(&args, ALL);

    open_both(&job, &args);
    rln__restrict(&job.before, &args, FILTERS);
    rln__restrict(&job.after, &args, FILTERS);
    rln__filter_summary(&args, FILTERS, &job.filter);
    rln__die_if(rln__diff_new(job.before.reader, job.after.reader, &diff, &err), &err);
    job.view.diff = diff;
    job.has_one_run =
        rln__diff_count_traces(diff, 0) == 1 && rln__diff_count_traces(diff, 1) == 1;
    count_sides(&job);
    job.view.follows_summary = rln__diff_is_for_people(&job.view) && !limit;
    if (job.view.follows_summary)
        print_summary(&job);
    n = rln__diff_table_print(&job.view);
    may_fail = !job.has_one_run || rln__args_bool(&args, FAIL_ON_ONE_RUN);
    if (limit && n && may_fail)
        status = RLN__EXIT_FAILED;
    if (rln__diff_is_for_people(&job.view) && limit && n == 0 && job.n_compared)
        (void)printf(
            "no range became slower by more than %g %% and more than noise (%s)\n",
            job.view.limit, measures[job.view.on]);
    print_notes(&job);
    if (limit)
        note_unsure(&job);
    if (limit && n && !may_fail)
        rln__note("--fail-above does not fail with one run per side; --fail-on-one-run "
                  "makes it fail");
    if (limit && !check_limit(&job))
        status = RLN__EXIT_FAILED;
    rln__buf_clear(&job.filter);
    rln__diff_free(diff);
    rln__input_traces_note_losses(&job.before, 0);
    rln__input_traces_note_losses(&job.after, 0);
    rln__input_traces_close(&job.before);
    rln__input_traces_close(&job.after);
    rln__args_clear(&args);
    return status;
}
