/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_stats.c - prints reports: which, in what format, to where. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/summary.h"
#include "cli/commands.h"
#include "cli/die.h"
#include "cli/humane.h"
#include "cli/opened.h"
#include "cli/report.h"

enum {
    REPORT,
    FORMAT,
    TIMEUNIT,
    OUTPUT,
    FORCE,
    QUIET,
    HELP_REPORTS,
    SQLITE,
    FORCE_EXPORT
};

static const struct rln__option options[] = {
    [REPORT] = {.name = "report",
                .letter = 'r',
                .kind = RLN__ARG_TEXT,
                .is_repeatable = true,
                .value = "NAME[,NAME]",
                .choices = "nvtx_sum|nvtx_pushpop_sum|nvtx_startend_sum|tree",
                .help = "print these reports; without it, nvtx_sum and tree"},
    [FORMAT] = {.name = "format",
                .letter = 'f',
                .kind = RLN__ARG_TEXT,
                .value = "FORMAT",
                .choices = "column|table|csv|tsv|json",
                .help =
                    "column, table, csv, tsv or json; column on the console, csv in "
                    "files"},
    [TIMEUNIT] = {.name = "timeunit",
                  .kind = RLN__ARG_TEXT,
                  .value = "UNIT",
                  .choices = "nsec|usec|msec|seconds",
                  .help = "nsec, usec, msec or seconds, or the beginning of one"},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "NAME",
                .help =
                    "write each report to NAME_<report>.<format>; - is the console, "
                    ". takes the trace's name"},
    [FORCE] = {.name = "force-overwrite",
               .kind = RLN__ARG_BOOL,
               .help = "overwrite files that exist"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "print reports and errors only"},
    [HELP_REPORTS] = {.name = "help-reports", .help = "list the reports"},
    [SQLITE] = {.name = "sqlite",
                .kind = RLN__ARG_TEXT,
                .value = "FILE",
                .is_ignored = true,
                .help = "where nsys keeps its export"},
    [FORCE_EXPORT] = {.name = "force-export",
                      .kind = RLN__ARG_BOOL,
                      .is_ignored = true,
                      .help = "whether nsys makes its export again"},
};

static const struct rln__example examples[] = {
    {"where the time went", "rangeline stats run.rln"},
    {"the numbers for a spreadsheet", "rangeline stats -r nvtx_sum -f csv run.rln"},
    {"how ranges nest", "rangeline stats -r tree run.rln"},
    {"all ranks of a run together", "rangeline stats rank*.rln"},
};

const struct rln__command rln__command_stats = {
    .name = "stats",
    .summary = "print how often each range ran and how long it took",
    .operands = "[FILE...]",
    .description =
        "Several traces are read as one. Without a file, the newest *.rln of the "
        "working "
        "directory is read.\n\nReports that Nsight Systems has, too, have its names, "
        "columns, order and rounding: a range is DOMAIN:MESSAGE, and :MESSAGE in the "
        "default domain. On a terminal, unless a format or a unit is asked for, times "
        "have fitting units instead. Medians are exact. A range that nobody closed "
        "counts up to the last event.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_stats,
};

#define MAX_REPORTS 64

struct stats_job {
    const struct rln__report *reports[MAX_REPORTS];
    size_t n_reports;
    enum rln__table_format format;
    struct rln__report_look look;
    const char *output; /* NULL: the console */
    const char *trace;
    bool may_overwrite;
    bool is_quiet;
};

static void refuse_report(const char *name, size_t length)
{
    const char *names[MAX_REPORTS];
    char text[64];
    const char *nearest;
    size_t n = 0;

    for (; rln__reports[n].name; n++)
        names[n] = rln__reports[n].name;
    (void)snprintf(text, sizeof(text), "%.*s", (int)(length < 60 ? length : 60), name);
    nearest = rln__nearest(text, names, n);
    rln__complain("cannot print report: name=\"%s\": there is no such report", text);
    if (nearest)
        rln__hint("did you mean %s? `rangeline stats --help-reports` lists them",
                  nearest);
    else
        rln__hint("`rangeline stats --help-reports` lists them");
    exit(RLN__EXIT_USAGE);
}

static void add_report(struct stats_job *job, const char *name, size_t length)
{
    for (size_t i = 0; rln__reports[i].name; i++) {
        if (strlen(rln__reports[i].name) != length ||
            memcmp(rln__reports[i].name, name, length) != 0)
            continue;
        if (job->n_reports == MAX_REPORTS)
            rln__die(RLN__EXIT_USAGE, "cannot print reports: more than %d",
                     MAX_REPORTS);
        job->reports[job->n_reports++] = &rln__reports[i];
        return;
    }
    refuse_report(name, length);
}

static void choose_reports(struct stats_job *job, const struct rln__args *args)
{
    const char *list;
    size_t at = 0;

    while ((list = rln__args_next(args, REPORT, &at))) {
        for (;;) {
            const size_t length = strcspn(list, ",");

            add_report(job, list, length);
            if (!list[length])
                break;
            list += length + 1;
        }
    }
    if (job->n_reports == 0) {
        add_report(job, "nvtx_sum", 8);
        add_report(job, "tree", 4);
    }
}

static void choose_look(struct stats_job *job, const struct rln__args *args)
{
    const char *format = rln__args_text(args, FORMAT);
    const char *unit = rln__args_text(args, TIMEUNIT);
    const bool is_plain = !format && !unit && !job->output;

    job->format = job->output ? RLN__FORMAT_CSV : RLN__FORMAT_COLUMN;
    if (format && strcmp(format, ".") != 0) {
        const int found = rln__table_format(format, strlen(format));

        if (found < 0)
            rln__die(
                RLN__EXIT_USAGE,
                "cannot print report: format=\"%s\": known are column, table, csv, "
                "tsv and json",
                format);
        job->format = (enum rln__table_format)found;
    }
    job->look.unit = rln__unit_find(unit ? unit : "ns");
    if (!job->look.unit)
        rln__die(RLN__EXIT_USAGE,
                 "cannot print report: timeunit=\"%s\": known are nsec, usec, msec and "
                 "seconds",
                 unit);
    job->look.has_unit = unit != NULL;
    job->look.is_aligned = job->format <= RLN__FORMAT_TABLE;
    job->look.is_humane = is_plain && isatty(STDOUT_FILENO);
    job->look.has_color = job->look.is_humane && rln__has_color();
}

static int list_reports(void)
{
    for (size_t i = 0; rln__reports[i].name; i++)
        (void)printf("%-20s %s\n", rln__reports[i].name, rln__reports[i].help);
    return RLN__EXIT_OK;
}

/* "run_nvtx_sum.csv" */
static void write_file(const struct stats_job *job, const struct rln__report *report,
                       const struct rln__buf *buf)
{
    struct rln__buf path = {0};
    const char *base = job->output;
    size_t length = strlen(base);
    FILE *file;

    if (strcmp(base, ".") == 0) {
        base = job->trace;
        length = strlen(base);
        if (length > 4 && strcmp(base + length - 4, ".rln") == 0)
            length -= 4;
    }
    rln__buf_add(&path, base, length);
    rln__buf_format(&path, "_%s.%s", report->name, rln__table_extension(job->format));
    rln__buf_char(&path, '\0');
    if (path.has_failed || buf->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    file = fopen(path.bytes, job->may_overwrite ? "we" : "wex");
    if (!file && errno == EEXIST) {
        (void)fprintf(stderr, "SKIPPED: output file %s exists.\n", path.bytes);
        rln__hint("--force-overwrite replaces it");
        rln__buf_clear(&path);
        return;
    }
    if (!file || fwrite(buf->bytes, 1, buf->length, file) != buf->length ||
        fclose(file) != 0)
        rln__die(RLN__EXIT_FAILED, "cannot write report: path=\"%s\": %s", path.bytes,
                 strerror(errno));
    if (!job->is_quiet)
        rln__complain("wrote %s", path.bytes);
    rln__buf_clear(&path);
}

/* False: nobody reads what we write. */
static bool print_report(const struct stats_job *job, const struct rln__report *report,
                         const rln_stats *stats, const rln_tree *tree)
{
    struct rln__table table;
    struct rln__buf buf = {0};
    const bool has_rows = rln__report_fill(report, stats, tree, &job->look, &table);
    const bool is_banner = job->look.is_aligned && !job->output;
    bool goes_on = true;

    if (is_banner && !job->is_quiet && !job->look.is_humane)
        rln__buf_format(&buf, "Processing [%s] with [%s]...\n", job->trace,
                        report->name);
    if (!has_rows) {
        (void)rln__write_out(&buf);
        (void)fprintf(job->look.is_aligned ? stdout : stderr,
                      "SKIPPED: %s does not contain %s.\n", job->trace,
                      report->is_tree ? "push/pop ranges"
                                      : "NV Tools Extension (NVTX) data");
    } else {
        if (is_banner)
            rln__buf_format(&buf, "\n ** %s (%s):\n\n", report->title, report->name);
        rln__table_print(&table, job->format, &buf);
        if (is_banner)
            rln__buf_char(&buf, '\n');
        if (job->output)
            write_file(job, report, &buf);
        else
            goes_on = rln__write_out(&buf);
    }
    rln__table_clear(&table);
    rln__buf_clear(&buf);
    return goes_on;
}

static void print_note(uint64_t n, const char *one, const char *many)
{
    if (n)
        (void)fprintf(stderr, "note: %llu %s\n", (unsigned long long)n,
                      n == 1 ? one : many);
}

/* What the numbers do not say by themselves. */
static void print_notes(const rln_stats *stats)
{
    const rln_stats_totals *t = rln_stats_get_totals(stats);

    print_note(t->n_open, "range was never closed; it counts up to the last event",
               "ranges were never closed; they count up to the last event");
    print_note(t->n_unmatched, "pop or end closes nothing",
               "pops or ends close nothing");
    print_note(t->n_lost_events, "event was lost while recording",
               "events were lost while recording");
    print_note(t->n_lost_ranges, "range is left out, because its end may be among them",
               "ranges are left out, because their ends may be among them");
}

int rln__cmd_stats(int argc, char **argv)
{
    struct rln__args args;
    struct rln__opened opened;
    struct stats_job job = {0};
    rln_stats *stats;
    rln_tree *tree;
    rln_error err = {0};

    rln__args_parse(&rln__command_stats, argc, argv, &args);
    if (rln__args_bool(&args, HELP_REPORTS)) {
        rln__args_clear(&args);
        return list_reports();
    }
    job.output = rln__args_text(&args, OUTPUT);
    if (job.output && strcmp(job.output, "-") == 0)
        job.output = NULL;
    if (job.output && (job.output[0] == '@' || !job.output[0]))
        rln__die(RLN__EXIT_USAGE,
                 "cannot write report: output=\"%s\": give a name or -", job.output);
    job.may_overwrite = rln__args_bool(&args, FORCE);
    job.is_quiet = rln__args_bool(&args, QUIET);
    choose_reports(&job, &args);
    choose_look(&job, &args);

    rln__opened_open(&opened, &args);
    job.trace = opened.name;
    rln__die_if(rln__report_new(opened.reader, &stats, &tree, &err), &err);
    for (size_t i = 0; i < job.n_reports; i++) {
        if (!print_report(&job, job.reports[i], stats, tree))
            break;
    }
    if (!job.is_quiet)
        print_notes(stats);
    rln_stats_free(stats);
    rln_tree_free(tree);
    rln__opened_note_damage(&opened);
    rln__opened_close(&opened);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
