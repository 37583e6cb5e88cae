/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_diff.c - prints what became slower or faster, and fails a build for it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "cli/show/fold_hint.h"
#include "console/die.h"
#include "console/human_units.h"
#include "console/pager.h"
#include "console/stdout_error.h"
#include "rangeline/diff.h"
#include "table/cells.h"

/* In the formats for people. */
#define MOST_LISTED 50

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
     "rangeline diff --fail-above 5% -b m1.rln -b m2.rln -b m3.rln b*.rln"},
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

enum measure { BY_MEDIAN, BY_P95, BY_TOTAL };

struct diff_job {
    const rln_diff *diff;
    struct rln__input_traces before, after;
    enum measure on;
    double limit; /* percent; NAN: none */
    bool lists_all;
    bool has_one_run; /* of each side */
    enum rln__table_format format;
    struct rln__buf filter;     /* what restricts both sides, in words */
    size_t n_compared, n_alone; /* ranges that are on both sides, and on one */
};

/* --- A row ------------------------------------------------------------------------ */

/* Totals and counts are per trace. */
static double per_trace(const struct diff_job *job, int side, uint64_t sum)
{
    const size_t n = rln_diff_count_traces(job->diff, side);

    return n ? (double)sum / (double)n : (double)sum;
}

static double value_of(const struct diff_job *job, const rln_diff_row *row, int side)
{
    const rln_diff_side *s = side ? &row->after : &row->before;

    if (job->on == BY_MEDIAN)
        return s->median_ns;
    return job->on == BY_P95 ? s->p95_ns : per_trace(job, side, s->total_ns);
}

/* In percent; NAN if only one side has ranges. */
static double change_of(const struct diff_job *job, const rln_diff_row *row)
{
    const double before = value_of(job, row, 0), after = value_of(job, row, 1);

    if (row->changes & (RLN_DIFF_NEW | RLN_DIFF_GONE))
        return NAN;
    if (before <= 0)
        return after <= 0 ? 0 : INFINITY;
    return (after / before - 1) * 100;
}

static double total_change_of(const struct diff_job *job, const rln_diff_row *row)
{
    return per_trace(job, 1, row->after.total_ns) -
           per_trace(job, 0, row->before.total_ns);
}

static const char *verdict_of(const rln_diff_row *row)
{
    const unsigned c = row->changes;

    if (c & RLN_DIFF_NEW)
        return "new";
    if (c & RLN_DIFF_GONE)
        return "gone";
    if (c & RLN_DIFF_MIDDLE)
        return row->superiority > 0.5 ? "slower" : "faster";
    if (c & RLN_DIFF_TAIL)
        return row->after.p95_ns > row->before.p95_ns ? "slower tail" : "faster tail";
    if (c & RLN_DIFF_COUNT)
        return "other count";
    if (c & RLN_DIFF_UNSURE)
        return "unsure";
    return c & RLN_DIFF_FEW ? "too few" : "same";
}

/* Whether the compared statistic may have changed by more than noise. */
static bool is_real(const struct diff_job *job, const rln_diff_row *row)
{
    unsigned which = RLN_DIFF_MIDDLE;

    if (job->on != BY_MEDIAN)
        which |= RLN_DIFF_TAIL;
    if (job->on == BY_TOTAL)
        which |= RLN_DIFF_COUNT;
    return row->changes & which;
}

static bool is_offender(const struct diff_job *job, const rln_diff_row *row)
{
    return is_real(job, row) && change_of(job, row) > job->limit;
}

static bool is_listed(const struct diff_job *job, const rln_diff_row *row)
{
    if (!row->before.n_ranges && !row->after.n_ranges)
        return false;
    if (!isnan(job->limit))
        return is_offender(job, row);
    return job->lists_all || (row->changes & ~(unsigned)RLN_DIFF_UNSURE);
}

/* --- Cells ------------------------------------------------------------------------ */

static void add_name(struct rln__buf *out, const rln_diff_row *row)
{
    rln__buf_add(out, row->domain_name.bytes, row->domain_name.length);
    rln__buf_text(out, row->is_default_domain ? "" : ":");
    rln__buf_add(out, row->message.bytes, row->message.length);
}

/* "step > solve" */
static void add_path(struct rln__table *t, const rln_diff *diff,
                     const rln_diff_row *row)
{
    const rln_diff_row *up[64]; /* further ones outside these are left out */
    const rln_diff_row *at = row;
    size_t n = 0;

    while (at->parent != SIZE_MAX && n < RLN_COUNT(up)) {
        at = rln_diff_at(diff, at->parent);
        up[n++] = at;
    }
    if (at->parent != SIZE_MAX)
        rln__buf_text(&t->text, "... > ");
    while (n-- > 0) {
        add_name(&t->text, up[n]);
        rln__buf_text(&t->text, " > ");
    }
    add_name(&t->text, row);
    rln__table_cell(t);
}

static void add_duration(struct rln__table *t, double ns, bool is_there)
{
    if (is_there)
        rln__buf_duration(&t->text, ns);
    rln__table_cell(t);
}

/* "+12.3 %"; "+12.3 % (noise)" if something else has changed, such as the tail. */
static void add_change(struct rln__table *t, const struct diff_job *job,
                       const rln_diff_row *row)
{
    const double percent = change_of(job, row);

    if (isinf(percent))
        rln__buf_text(&t->text, "from 0");
    else if (!isnan(percent))
        rln__buf_format(&t->text, "%+.1f %%", percent);
    if ((row->changes & (RLN_DIFF_MIDDLE | RLN_DIFF_TAIL)) && !is_real(job, row))
        rln__buf_text(&t->text, " (noise)");
    rln__table_cell(t);
}

static void add_signed(struct rln__table *t, double ns)
{
    rln__buf_char(&t->text, ns < 0 ? '-' : '+');
    rln__buf_duration(&t->text, fabs(ns));
    rln__table_cell(t);
}

static void add_mean_count(struct rln__buf *out, double n)
{
    if (n < 1e15 && fabs(n - floor(n)) < 1e-9)
        rln__buf_count(out, (uint64_t)n);
    else
        rln__buf_format(out, "%.1f", n);
}

/* "5", or "5 -> 7" */
static void add_counts(struct rln__table *t, const struct diff_job *job,
                       const rln_diff_row *row)
{
    add_mean_count(&t->text, per_trace(job, 0, row->before.n_ranges));
    if (row->changes & RLN_DIFF_COUNT) {
        rln__buf_text(&t->text, " -> ");
        add_mean_count(&t->text, per_trace(job, 1, row->after.n_ranges));
    }
    rln__table_cell(t);
}

static const struct rln__column human_readable[] = {
    {"Verdict", RLN__TEXT},
    {"Change", RLN__NUMBER},
    {"Before", RLN__NUMBER},
    {"After", RLN__NUMBER},
    {"Total Change", RLN__NUMBER | RLN__SPARE(1)},
    {"Calls", RLN__NUMBER},
    {"Range", RLN__PATH},
};

static void add_readable(struct rln__table *t, const struct diff_job *job,
                         const rln_diff_row *row)
{
    rln__cell_text(t, verdict_of(row));
    add_change(t, job, row);
    add_duration(t, value_of(job, row, 0), row->before.n_ranges != 0);
    add_duration(t, value_of(job, row, 1), row->after.n_ranges != 0);
    add_signed(t, total_change_of(job, row));
    add_counts(t, job, row);
    add_path(t, job->diff, row);
}

static const struct rln__column exact[] = {
    {"Verdict", RLN__TEXT},
    {"Change (%)", RLN__NUMBER},
    {"Med Before (@)", RLN__NUMBER},
    {"Med After (@)", RLN__NUMBER},
    {"P95 Before (@)", RLN__NUMBER},
    {"P95 After (@)", RLN__NUMBER},
    {"Total Before (@)", RLN__NUMBER},
    {"Total After (@)", RLN__NUMBER},
    {"Instances Before", RLN__NUMBER},
    {"Instances After", RLN__NUMBER},
    {"p", RLN__NUMBER},
    {"p Tail", RLN__NUMBER},
    {"p Runs", RLN__NUMBER},
    {"Longer (%)", RLN__NUMBER},
    {"Style", RLN__TEXT},
    {"Range", RLN__TEXT},
};

static void add_number(struct rln__table *t, const char *format, double value)
{
    if (isfinite(value))
        (void)rln__buf_format(&t->text, format, value);
    rln__table_cell(t);
}

static void add_exact(struct rln__table *t, const struct diff_job *job,
                      const rln_diff_row *row)
{
    rln__cell_text(t, verdict_of(row));
    add_number(t, "%.2f", change_of(job, row));
    add_number(t, "%.1f", row->before.median_ns);
    add_number(t, "%.1f", row->after.median_ns);
    add_number(t, "%.0f", row->before.p95_ns);
    add_number(t, "%.0f", row->after.p95_ns);
    rln__cell_plain(t, row->before.total_ns, true);
    rln__cell_plain(t, row->after.total_ns, true);
    rln__cell_plain(t, row->before.n_ranges, true);
    rln__cell_plain(t, row->after.n_ranges, true);
    add_number(t, "%.3g", row->p_middle);
    add_number(t, "%.3g", row->p_tail);
    add_number(t, "%.3g", row->p_runs);
    add_number(t, "%.1f", row->superiority * 100);
    rln__cell_style(t, row->style);
    add_path(t, job->diff, row);
}

/* --- The whole -------------------------------------------------------------------- */

struct listed {
    const rln_diff_row *row;
    double total_change;
};

/* The largest effect on the whole first. */
static int by_total_change(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    const double of_x = fabs(x->total_change), of_y = fabs(y->total_change);

    if (of_x > of_y || of_x < of_y)
        return of_x > of_y ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static size_t list(const struct diff_job *job, struct listed **out)
{
    size_t n = 0, n_rows = 0;

    while (rln_diff_at(job->diff, n_rows))
        n_rows++;
    *out = calloc(n_rows + 1, sizeof(**out));
    if (!*out)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (size_t i = 0; i < n_rows; i++) {
        const rln_diff_row *row = rln_diff_at(job->diff, i);

        if (is_listed(job, row))
            (*out)[n++] = (struct listed){row, total_change_of(job, row)};
    }
    qsort(*out, n, sizeof(**out), by_total_change);
    return n;
}

static bool is_human_readable(const struct diff_job *job)
{
    return job->format <= RLN__FORMAT_TABLE || job->format >= RLN__FORMAT_MARKDOWN;
}

/* With the first rows only, and a sentence after them; a page is of all rows. */
static bool is_for_people(const struct diff_job *job)
{
    return is_human_readable(job) && job->format <= RLN__FORMAT_MARKDOWN;
}

static void print_rows(const struct diff_job *job, const struct listed *rows, size_t n)
{
    const size_t most = is_for_people(job) && n > MOST_LISTED ? MOST_LISTED : n;
    struct rln__buf buf = {0};
    struct rln__table t;

    if (is_for_people(job) && n == 0)
        return;
    if (is_human_readable(job))
        rln__table_init(&t, human_readable, RLN_COUNT(human_readable));
    else
        rln__table_init(&t, exact, RLN_COUNT(exact));
    t.title = "Comparison";
    t.unit = is_human_readable(job) ? NULL : "ns";
    t.is_plain = is_human_readable(job);
    t.is_bold = rln__has_color();
    for (size_t i = 0; i < most; i++)
        (is_human_readable(job) ? add_readable : add_exact)(&t, job, rows[i].row);
    if (job->format == RLN__FORMAT_COLUMN)
        t.most_columns = rln__screen_columns();
    rln__table_print(&t, job->format, &buf);
    if (n > most)
        rln__buf_format(&buf, "\n... and %zu more: -f csv has all\n", n - most);
    (void)rln__write_out(&buf);
    rln__buf_clear(&buf);
    rln__table_clear(&t);
}

/* "12 ranges (domain io): 1 slower, 2 faster, 9 the same" */
static void print_closing(const struct diff_job *job, bool follows_rows)
{
    static const char *const verdicts[] = {
        "slower", "slower tail", "faster", "faster tail", "new",
        "gone",   "other count", "unsure", "too few",     "same"};
    size_t counts[RLN_COUNT(verdicts)] = {0}, n = 0;
    const rln_diff_row *row;
    const char *separator = ":";

    for (size_t i = 0; (row = rln_diff_at(job->diff, i)); i++) {
        if (!row->before.n_ranges && !row->after.n_ranges)
            continue;
        n++;
        for (size_t k = 0; k < RLN_COUNT(verdicts); k++)
            counts[k] += strcmp(verdict_of(row), verdicts[k]) == 0;
    }
    (void)printf("%s%zu range%s", follows_rows ? "\n" : "", n, n == 1 ? "" : "s");
    if (job->filter.length)
        (void)printf(" (%.*s)", (int)job->filter.length, job->filter.bytes);
    for (size_t k = 0; k < RLN_COUNT(verdicts); k++) {
        if (counts[k])
            (void)printf("%s %zu %s", separator, counts[k], verdicts[k]);
        separator = counts[k] ? "," : separator;
    }
    (void)puts("");
}

static void count_sides(struct diff_job *job)
{
    const rln_diff_row *row;

    for (size_t i = 0; (row = rln_diff_at(job->diff, i)); i++) {
        job->n_compared += row->before.n_ranges && row->after.n_ranges;
        job->n_alone += !row->before.n_ranges != !row->after.n_ranges;
    }
}

/* Names the ranges of which it cannot be told whether they exceed the limit. */
static void note_unsure(const struct diff_job *job, const char *limit)
{
    const rln_diff_row *row;
    size_t n = 0;

    for (size_t i = 0; (row = rln_diff_at(job->diff, i)); i++)
        n += (row->changes & RLN_DIFF_UNSURE) && !is_real(job, row) &&
             change_of(job, row) > job->limit;
    if (!n)
        return;
    rln__note(
        "%zu range%s may have become slower by more than %s, but runs of one side "
        "differ, too",
        n, n == 1 ? "" : "s", limit);
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
    const size_t before = rln_diff_count_traces(job->diff, 0);
    const size_t after = rln_diff_count_traces(job->diff, 1);
    const rln_diff_row *row;
    struct rln__fold_hint alone = {0}; /* names that only one side has */
    size_t n_few = 0;

    (void)rln__flush_output();
    for (size_t i = 0; (row = rln_diff_at(job->diff, i)); i++) {
        if (row->changes & (RLN_DIFF_NEW | RLN_DIFF_GONE))
            rln__fold_hint_add(&alone, row->message);
        n_few += (row->changes & RLN_DIFF_FEW) != 0;
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
        rln__hint("give more runs per side, five for ranges that run once: `rangeline "
                  "diff 'before/*.rln' 'after/*.rln'`");
    }
    rln__fold_hint_note(&alone);
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
    struct diff_job job = {.limit = NAN};
    struct listed *rows; /* owned */
    const char *format, *limit;
    rln_diff *diff;
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
    job.format = (enum rln__table_format)rln__table_format(format, strlen(format));
    limit = rln__args_text(&args, FAIL_ABOVE);
    if (limit)
        job.limit = read_percent(limit);
    while (strcmp(measures[job.on], rln__args_text(&args, ON)) != 0)
        job.on++;
    job.lists_all = rln__args_bool(&args, ALL);

    open_both(&job, &args);
    rln__restrict(&job.before, &args, FILTERS);
    rln__restrict(&job.after, &args, FILTERS);
    rln__viewer_json_filter(&args, FILTERS, &job.filter);
    rln__die_if(rln_diff_new(job.before.reader, job.after.reader, &diff, &err), &err);
    job.diff = diff;
    job.has_one_run =
        rln_diff_count_traces(diff, 0) == 1 && rln_diff_count_traces(diff, 1) == 1;
    count_sides(&job);
    n = list(&job, &rows);
    print_rows(&job, rows, n);
    may_fail = !job.has_one_run || rln__args_bool(&args, FAIL_ON_ONE_RUN);
    if (limit && n && may_fail)
        status = RLN__EXIT_FAILED;
    if (is_for_people(&job) && !limit)
        print_closing(&job, n > 0);
    else if (is_for_people(&job) && n == 0 && job.n_compared)
        (void)printf(
            "no range became slower by more than %s and more than noise (%s)\n", limit,
            measures[job.on]);
    print_notes(&job);
    if (limit)
        note_unsure(&job, limit);
    if (limit && n && !may_fail)
        rln__note("--fail-above does not fail with one run per side; --fail-on-one-run "
                  "makes it fail");
    if (limit && !check_limit(&job))
        status = RLN__EXIT_FAILED;
    free(rows);
    rln__buf_clear(&job.filter);
    rln_diff_free(diff);
    rln__input_traces_note_losses(&job.before, 0);
    rln__input_traces_note_losses(&job.after, 0);
    rln__input_traces_close(&job.before);
    rln__input_traces_close(&job.after);
    rln__args_clear(&args);
    return status;
}
