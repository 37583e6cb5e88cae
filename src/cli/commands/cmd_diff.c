/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_diff.c - prints what became slower or faster, and fails a build for it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "cli/commands.h"
#include "cli/inputs/compared_side.h"
#include "cli/inputs/filter_options.h"
#include "cli/show/diff_junit.h"
#include "cli/show/diff_output.h"
#include "cli/show/fold_hint.h"
#include "console/die.h"
#include "console/hint_line.h"
#include "console/pager.h"
#include "console/stdout_error.h"
#include "ranges/cpu_times.h"

enum {
    BEFORE,
    FAIL_ABOVE,
    FAIL_ON_ONE_RUN,
    JUNIT,
    ON,
    ALL,
    FORMAT,
    JSON,
    MARKDOWN,
    FILTERS
};

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
                 "more than noise; list only those. Needs several runs per side. "
                 "PERCENT@cpu is of the time on a processor, as --on cpu"},
    [FAIL_ON_ONE_RUN] = {.name = "fail-on-one-run",
                         .help =
                             "let --fail-above fail with one run per side, too, "
                             "although runs of the same program may differ by more; "
                             "but not if one is sums"},
    [JUNIT] =
        {.name = "junit",
         .kind = RLN__ARG_TEXT,
         .value = "FILE",
         .help =
             "with --fail-above, also write the outcome as a JUnit file, a "
             "test per range, for CI services; it replaces an XML file, which has an "
             "error if nothing could be compared"},
    [ON] = {.name = "on",
            .kind = RLN__ARG_CHOICE,
            .choices = "median|p95|total|cpu",
            .initial = "median",
            .help =
                "compare medians, 95th percentiles or sums of durations, or medians "
                "of the time that ranges were on a processor"},
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
    {"the same on a machine that others use, too",
     "rangeline diff --fail-above 5%@cpu 'before/*.rln' 'after/*.rln'"},
    {"compare three runs per side, for a comment on a pull request",
     "rangeline diff --markdown -b m1.rln -b m2.rln -b m3.rln b1.rln b2.rln b3.rln"},
    {"compare with sums that are kept in git, a file of some KB per run",
     "rangeline reduce -o base/1 run.rln && rangeline diff 'base/*.rlsum' run.rln"},
    {"omit the first second, a warm-up",
     "rangeline diff --filter-time 1s/ before.rln after.rln"},
};

const struct rln__command rln__command_diff = {
    .name = "diff",
    .summary = "compare two runs, range by range",
    .operands = "BEFORE AFTER",
    .operands_help =
        "A side may also be a quoted pattern, such as 'before/*.rln', or @LIST, a file "
        "with a name per line: its traces are the repetitions of one program. Sums "
        "that "
        "`rangeline reduce` has made stand for the traces of one run, however many: a "
        "file of some KB per run, kept in git, is the history that a new run is "
        "compared with.",
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
        "--fail-above does not fail without --fail-on-one-run. Sums have no slices: a "
        "change of one run that is sums, or against it, is unsure.\n\nThe change is "
        "that "
        "of the measure selected by --on; (noise) after it means that only something "
        "else changed, such as the tail, and --fail-above does not count "
        "it.\n\nWhere both sides have context switches, the change on CPU is that of "
        "the time that ranges were on a processor. A range that is slower, but not "
        "there, waited for something, or others had the processor.\n\nFilters apply to "
        "both sides: --filter-nvtx and --window K to the range "
        "and window of each.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_diff,
};

struct diff_job {
    struct rln__diff_view view;
    enum rln__table_format format;
    struct rln__compared_side before, after;
    bool has_one_run;           /* of each side */
    bool is_on_cpu;             /* the time on a processor is compared */
    struct rln__buf filter;     /* what restricts both sides, in words */
    size_t n_compared, n_alone; /* ranges that are on both sides, and on one */
    size_t n_exceeding;         /* the limit */
};

/* --- Around the table ------------------------------------------------------------- */

static void print_summary(const struct diff_job *job)
{
    struct rln__buf out = {0};

    rln__buf_diff_summary(&out, &job->view,
                          (rln_text){job->filter.bytes, job->filter.length});
    rln__buf_char(&out, '\n');
    (void)rln__write_out(&out);
    rln__buf_clear(&out);
}

static void print_outcome(const struct diff_job *job, const struct rln__args *args)
{
    if (!job->n_exceeding && job->n_compared)
        (void)printf(
            "no range became slower by more than %g %% and more than noise (%s)\n",
            job->view.limit, job->is_on_cpu ? "cpu" : rln__args_text(args, ON));
}

static void count_sides(struct diff_job *job)
{
    const struct rln__diff_row *row;

    for (size_t i = 0; (row = rln__diff_at(job->view.diff, i)); i++) {
        job->n_compared += row->before.n_ranges && row->after.n_ranges;
        job->n_alone += !row->before.n_ranges != !row->after.n_ranges;
        job->n_exceeding += rln__diff_exceeds(&job->view, row);
    }
}

/* Counts the ranges of which it cannot be told whether they exceed the limit. */
static void note_unsure(const struct diff_job *job)
{
    static const char *const reasons[] = {"runs of one side differ, too",
                                          "sums of one run do not say how it varies"};
    static const char *const hints[] = {
        "record more runs per side",
        "give sums of several runs, as 'base/*.rlsum', or the traces themselves"};
    const struct rln__diff_row *row;
    size_t n[RLN_COUNT(reasons)] = {0};

    for (size_t i = 0; (row = rln__diff_at(job->view.diff, i)); i++)
        n[rln__diff_is_of_sums(row)] += rln__diff_may_exceed(&job->view, row);
    for (size_t i = 0; i < RLN_COUNT(reasons); i++) {
        if (!n[i])
            continue;
        rln__note("%zu range%s may have become slower by more than %g %%, but %s", n[i],
                  n[i] == 1 ? "" : "s", job->view.limit, reasons[i]);
        rln__hint("%s", hints[i]);
    }
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

/* Sums of several traces that are not the ranks of a job may be meant as several runs. */
static void note_mixed_runs(const struct rln__compared_side *side)
{
    for (size_t i = 0; i < side->n_sums; i++) {
        const size_t n = rln__reduced_count_traces(side->sums[i]);

        if (n < 2 || rln__reduced_count_ranks(side->sums[i]))
            continue;
        rln__note("%zu traces count as one run: file=\"%s\"", n, side->traces.paths[i]);
        rln__hint("if each is a run, give each a file: `rangeline reduce -o RUN "
                  "RUN.rln`");
        return;
    }
}

static void note_off_processor(const struct diff_job *job)
{
    const struct rln__diff_row *row;
    size_t n = 0;

    for (size_t i = 0; (row = rln__diff_at(job->view.diff, i)); i++)
        n += rln__diff_is_off_processor(&job->view, row);
    if (!n)
        return;
    rln__note("%zu slower range%s took no longer on a processor: others had it, or "
              "%s waited",
              n, n == 1 ? "" : "s", n == 1 ? "it" : "they");
    rln__hint(
        "`rangeline stats -r cpu_sum` says which; `--on cpu` compares the time on "
        "a processor");
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
        rln__note(RLN__DIFF_OF_ONE_RUN "; give several, as 'before/*.rln' "
                                       "'after/*.rln'");
    if (n_few) {
        rln__note("%zu range%s ran too few times to distinguish a change from noise",
                  n_few, n_few == 1 ? "" : "s");
        if (!rln__fold_hint_names(&few))
            rln__hint(
                "give more runs per side, five for ranges that run once: `rangeline "
                "diff 'before/*.rln' 'after/*.rln'`");
    }
    note_off_processor(job);
    note_mixed_runs(&job->before);
    note_mixed_runs(&job->after);
    rln__fold_hint_note(rln__fold_hint_names(&few) ? &few : &alone);
    rln__fold_hint_clear(&few);
    rln__fold_hint_clear(&alone);
}

/* --- The command line ------------------------------------------------------------- */

/* "5", "5%", "0.5 %", "5%@cpu" */
static double read_percent(const char *text, bool *is_on_cpu)
{
    char *end;
    const double percent = strtod(text, &end);

    end += strspn(end, " ");
    end += *end == '%';
    *is_on_cpu = strcmp(end, "@cpu") == 0;
    end += *is_on_cpu ? strlen("@cpu") : 0;
    if (end != text && !*end && isfinite(percent) && percent >= 0)
        return percent;
    rln__complain("cannot compare: fail-above=\"%s\": not a percentage", text);
    rln__hint("use a percentage, such as --fail-above 5%%, or 5%%@cpu of the time on a "
              "processor");
    exit(RLN__EXIT_USAGE);
}

/* By what is compared, as options say it in two ways. */
static void read_measure(struct diff_job *job, const struct rln__args *args)
{
    static const char *const measures[] = {"median", "p95", "total"};
    const char *limit = rln__args_text(args, FAIL_ABOVE);
    const char *on = rln__args_text(args, ON);
    bool is_limit_on_cpu = false;

    job->view.limit = limit ? read_percent(limit, &is_limit_on_cpu) : NAN;
    job->is_on_cpu = is_limit_on_cpu || strcmp(on, "cpu") == 0;
    if (is_limit_on_cpu && rln__args_has(args, ON) && strcmp(on, "cpu") != 0) {
        rln__complain("cannot compare: fail-above=\"%s\", on=\"%s\": two measures",
                      limit, on);
        rln__hint("leave out --on");
        exit(RLN__EXIT_USAGE);
    }
    while (!job->is_on_cpu && strcmp(measures[job->view.on], on) != 0)
        job->view.on++;
}

/* The words of the command line, and those that it lacks: a trace, or -b of the first
 * half of several. Ends with NULL, owned by the caller. */
static char **mended_words(const struct rln__args *args)
{
    static char before[] = "BEFORE", after[] = "AFTER", option[] = "-b";
    const size_t n_operands = args->n_operands;
    char **words = calloc((size_t)args->argc + n_operands + 3, sizeof(*words));
    size_t n = 0, at = 0;

    if (!words)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (int i = 1; i < args->argc; i++) {
        const bool is_operand = at < n_operands && args->argv[i] == args->operands[at];

        if (is_operand && n_operands == 1)
            words[n++] = before;
        else if (is_operand && at < n_operands / 2)
            words[n++] = option;
        at += is_operand;
        words[n++] = args->argv[i];
    }
    if (n_operands == 0 && !rln__args_has(args, BEFORE))
        words[n++] = before;
    if (n_operands == 0)
        words[n] = after;
    return words;
}

static void hint_at_operands(const struct rln__args *args)
{
    char **words = mended_words(args); /* owned */

    if (args->n_operands == 1)
        rln__hint_line("", "diff", words, NULL, " compares it with another one");
    else if (args->n_operands)
        rln__hint_line("of several per side, each one before is with -b: ", "diff",
                       words, NULL, "");
    else
        rln__hint_line("", "diff", words, NULL,
                       "; with several per side, `rangeline diff 'before/*.rln' "
                       "'after/*.rln'`, or each trace before with -b FILE");
    free(words);
}

static void open_both(struct diff_job *job, const struct rln__args *args)
{
    const bool has_before = rln__args_has(args, BEFORE);
    struct rln__file_names before = {0}, after = {0};
    const char *word;
    size_t at = 0;

    if (has_before ? args->n_operands == 0 : args->n_operands != 2) {
        if (has_before)
            rln__complain("cannot compare: no trace on the side after");
        else
            rln__complain("cannot compare: operands=%zu: two traces required",
                          args->n_operands);
        hint_at_operands(args);
        exit(RLN__EXIT_USAGE);
    }
    while ((word = rln__args_next(args, BEFORE, &at)))
        rln__file_names_add(&before, word);
    if (!has_before)
        rln__file_names_add(&before, args->operands[0]);
    rln__file_names_add_all(&after, args->operands + !has_before,
                            args->n_operands - !has_before);
    rln__compared_side_open(&job->before, &before, args, FILTERS);
    rln__compared_side_open(&job->after, &after, args, FILTERS);
}

static void read_options(struct diff_job *job, const struct rln__args *args)
{
    const char *format = rln__args_text(args, FORMAT);

    if (rln__args_bool(args, JSON))
        format = "json";
    if (rln__args_bool(args, MARKDOWN))
        format = "markdown";
    job->format = (enum rln__table_format)rln__table_format(format, strlen(format));
    read_measure(job, args);
    job->view.lists_all = rln__args_bool(args, ALL);
    if (!rln__args_has(args, JUNIT) || rln__args_has(args, FAIL_ABOVE))
        return;
    rln__complain("cannot write JUnit file: no limit makes a range fail");
    rln__hint("add one, such as --fail-above 5%%");
    exit(RLN__EXIT_USAGE);
}

static struct rln__diff *compare(const struct diff_job *job)
{
    struct rln__diff *diff;
    rln_error err = {0};

    rln__die_if(rln__diff_new(&diff, &err), &err);
    rln__compared_side_add(&job->before, diff, RLN__DIFF_BEFORE);
    rln__compared_side_add(&job->after, diff, RLN__DIFF_AFTER);
    rln__die_if(rln__diff_compare(diff, &err), &err);
    return diff;
}

static void note_runs_without(const struct diff_job *job, const struct rln__diff *diff)
{
    const struct rln__diff *on = rln__diff_on_processor(diff);
    size_t n = 0;

    for (int side = 0; side < RLN__N_DIFF_SIDES; side++)
        n += rln__diff_count_runs(diff, side) - rln__diff_count_runs(on, side);
    if (job->is_on_cpu && n)
        rln__note("%zu run%s no context switches, not compared", n,
                  n == 1 ? " has" : "s have");
}

static void hint_at_switches(const struct rln__compared_side *side)
{
    if (side->n_sums)
        rln__hint("none were recorded of its ranges, or a rangeline before "
                  "0.3.0 has reduced the traces: reduce them again");
    else if (rln__cpu_times_why_missing(side->traces.reader, RLN__NONE).length)
        rln__hint("`rangeline info %s` says why", side->name);
    else
        rln__hint("`rangeline profile` records them, without --cpuctxsw=none");
}

/* What is compared: durations, or the time on a processor. */
static const struct rln__diff *compared(const struct diff_job *job,
                                        const struct rln__diff *diff)
{
    const struct rln__compared_side *side =
        rln__diff_has_cpu_times(diff, RLN__DIFF_BEFORE) ? &job->after : &job->before;

    if (!job->is_on_cpu)
        return diff;
    if (!rln__diff_on_processor(diff)) {
        rln__complain("cannot compare the time on a processor: file=\"%s\": it has no "
                      "context switches",
                      side->name);
        hint_at_switches(side);
        exit(RLN__EXIT_FAILED);
    }
    note_runs_without(job, diff);
    return rln__diff_on_processor(diff);
}

/* What the limit makes of the ranges: the exit status. */
static int judge(const struct diff_job *job, const struct rln__args *args)
{
    const bool may_fail = !job->has_one_run || rln__args_bool(args, FAIL_ON_ONE_RUN);
    bool has_failed = job->n_exceeding && may_fail;

    if (rln__args_has(args, JUNIT))
        rln__diff_junit_write(&job->view, rln__args_text(args, JUNIT), may_fail);
    note_unsure(job);
    if (job->n_exceeding && !may_fail)
        rln__note("--fail-above does not fail with one run per side; --fail-on-one-run "
                  "makes it fail");
    if (job->has_one_run && rln__args_bool(args, FAIL_ON_ONE_RUN) &&
        (job->before.n_sums || job->after.n_sums))
        rln__note("--fail-on-one-run makes nothing fail with sums: they do not say how "
                  "a run varies");
    has_failed |= !check_limit(job);
    return has_failed ? RLN__EXIT_FAILED : RLN__EXIT_OK;
}

int rln__cmd_diff(int argc, char **argv)
{
    struct rln__args args;
    struct diff_job job = {0};
    struct rln__diff *diff; /* owned */
    bool is_for_people, has_limit;
    int status = RLN__EXIT_OK;

    rln__args_parse(&rln__command_diff, argc, argv, &args);
    rln__pager_allow();
    read_options(&job, &args);
    if (rln__args_has(&args, JUNIT))
        rln__diff_junit_begin(rln__args_text(&args, JUNIT));
    open_both(&job, &args);
    rln__filter_summary(&args, FILTERS, &job.filter);
    diff = compare(&job);
    job.view.diff = compared(&job, diff);
    job.has_one_run = rln__diff_has_one_run(job.view.diff);
    count_sides(&job);
    has_limit = !isnan(job.view.limit);
    is_for_people = rln__diff_is_for_people(job.format);
    if (is_for_people)
        has_limit ? print_outcome(&job, &args) : print_summary(&job);
    rln__diff_table_print(&job.view, job.format,
                          is_for_people && (!has_limit || !job.n_exceeding));
    print_notes(&job);
    if (has_limit)
        status = judge(&job, &args);
    rln__buf_clear(&job.filter);
    rln__diff_free(diff);
    rln__compared_side_note_losses(&job.before);
    rln__compared_side_note_losses(&job.after);
    rln__compared_side_close(&job.before);
    rln__compared_side_close(&job.after);
    rln__args_clear(&args);
    return status;
}
