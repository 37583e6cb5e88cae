/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_stats.c - prints reports: which, in what format, to where. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/commands/stats/stats_lists.h"
#include "cli/commands/stats/stats_notes.h"
#include "cli/commands/stats/stats_options.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "cli/inputs/near_name.h"
#include "cli/inputs/reduced_inputs.h"
#include "cli/show/first_rows.h"
#include "cli/show/fold_hint.h"
#include "cli/show/near_range.h"
#include "cli/show/report_file.h"
#include "cli/show/report_output.h"
#include "cli/show/sorted_table.h"
#include "cli/show/trace_line.h"
#include "console/die.h"
#include "console/pager.h"
#include "console/stdout_error.h"
#include "console/written.h"
#include "reports/report_build.h"
#include "reports/report_order.h"
#include "reports/report_set.h"
#include "reports/summary/stats.h"
#include "table/report_table.h"
#include "table/table_shared.h"
#include "trace/open/load.h"
#include "trace/open/losses.h"

/* Of a tree that was not asked for, rows with a smaller share of the time are left out.
 */
#define LEAST_SHARE 0.02

struct stats_job {
    struct rln__report_choice chosen;
    struct rln__report_outputs outputs;
    const struct rln__input_traces *inputs; /* borrowed */
    struct rln__reports *reports;           /* owned */
    const char *trace;
    char traces[2 * PATH_MAX]; /* all of them: "run.rln and 3 more" */
    size_t n_json;             /* reports that are JSON on the console: one document */
    size_t n_json_printed, n_plain; /* of them; on the console, for programs */
    bool has_aligned;               /* one for people was printed */
    bool may_overwrite;
    bool is_quiet;
    double least_share; /* of the rows of the usual tree */
    bool is_of_a_part;  /* it is to be the part under a range */
    struct rln__row_choice rows;
    size_t n_skipped;           /* reports that had nothing to say */
    struct rln__fold_hint hint; /* the names of ranges */
};

static void name_traces(struct stats_job *job)
{
    struct rln__buf names = {0};

    rln__file_names_summary(job->inputs->paths, &names);
    (void)snprintf(job->traces, sizeof(job->traces), "%.*s", (int)names.length,
                   names.bytes);
    rln__buf_clear(&names);
}

/* Whether a report is a member of the JSON on the console. */
static bool is_member(const struct stats_job *job, size_t index)
{
    const struct rln__report_output *output =
        rln__report_output_of(&job->outputs, job->chosen.requests[index]);

    return output->format == RLN__FORMAT_JSON && !output->name;
}

static bool is_same(const struct rln__report_choice *c, size_t a, size_t b)
{
    return c->reports[a] == c->reports[b] && !c->arguments[a] == !c->arguments[b] &&
           (!c->arguments[a] || strcmp(c->arguments[a], c->arguments[b]) == 0);
}

/* An object has a key only once, however often the report was requested. */
static void keep_members_once(struct stats_job *job)
{
    struct rln__report_choice *c = &job->chosen;

    for (size_t i = 0; i < c->n;) {
        bool is_repeated = false;

        for (size_t k = 0; k < i && is_member(job, i); k++)
            is_repeated |= is_member(job, k) && is_same(c, i, k);
        if (is_repeated)
            rln__report_choice_drop(c, i);
        else
            i++;
    }
}

static size_t count_json(const struct stats_job *job)
{
    size_t n = 0;

    for (size_t i = 0; i < job->chosen.n; i++)
        n += is_member(job, i);
    return n;
}

/* Several arrays become a document as members of an object, by the name of the report.
 */
static void begin_member(struct stats_job *job, const struct rln__report_info *report,
                         const char *argument, struct rln__buf *buf)
{
    struct rln__buf key = {0};

    rln__buf_text(buf, job->n_json_printed++ ? ",\n" : "{\n");
    rln__buf_text(&key, report->name);
    if (argument) {
        rln__buf_char(&key, ':');
        rln__buf_text(&key, argument);
    }
    rln__buf_json(buf, key.bytes, key.length);
    rln__buf_text(buf, ": ");
    buf->has_failed |= key.has_failed;
    rln__buf_clear(&key);
}

static bool drain_to_console(void *to, struct rln__buf *out)
{
    (void)to;
    return rln__write_out(out);
}

/* A table for programs, which has no banner. */
static bool print_plain(struct stats_job *job, const struct rln__report_info *report,
                        const char *argument, const struct rln__table *table,
                        enum rln__table_format format)
{
    const bool is_json = format == RLN__FORMAT_JSON;
    struct rln__buf buf = {0};
    bool goes_on;

    if (is_json && job->n_json > 1)
        begin_member(job, report, argument, &buf);
    else if (job->n_plain)
        rln__buf_char(&buf, '\n');
    rln__table_print(table, format, &buf);
    if (is_json && job->n_json > 1 && buf.length)
        buf.length--; /* what follows ends the line */
    if (is_json && job->n_json > 1 && job->n_json_printed == job->n_json)
        rln__buf_text(&buf, "\n}\n");
    job->n_plain++;
    goes_on = rln__write_out(&buf);
    rln__buf_clear(&buf);
    return goes_on;
}

/* For people. */
static bool print_aligned(struct stats_job *job, const struct rln__report_info *report,
                          const char *argument, const struct rln__table *table,
                          enum rln__table_format format,
                          const struct rln__other_rows *others)
{
    struct rln__buf buf = {0};
    bool goes_on;

    job->has_aligned = true;
    rln__buf_format(&buf, "\n ** %s (%s%s", report->title, report->name,
                    argument ? ":" : "");
    if (argument)
        (void)rln__buf_printable(&buf, argument, strlen(argument));
    rln__buf_text(&buf, "):\n\n");
    rln__table_say_shared(table, &buf);
    rln__table_print(table, format, &buf);
    if (others->n)
        rln__other_rows_add(others, report, &job->hint, &buf);
    rln__buf_char(&buf, '\n');
    goes_on = rln__write_out(&buf);
    rln__buf_clear(&buf);
    return goes_on;
}

static void print_file(const struct stats_job *job,
                       const struct rln__report_output *output,
                       const struct rln__report_info *report, const char *argument,
                       struct rln__table *table)
{
    struct rln__buf path = {0};
    struct stat st;

    rln__report_file_name(output, job->trace, report, argument, &path);
    if (path.has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__input_traces_refuse_output(job->inputs, path.bytes);
    if (!job->may_overwrite && lstat(path.bytes, &st) == 0) {
        rln__print_line(stderr, "SKIPPED: output file %s exists.", path.bytes);
        rln__hint("use --force-overwrite to replace it");
    } else {
        rln__report_write(path.bytes, table, output->format, job->may_overwrite);
        if (!job->is_quiet)
            rln__written_note(path.bytes);
    }
    rln__buf_clear(&path);
}

static void say_skipped(struct stats_job *job, size_t index, const char *argument,
                        bool is_aligned)
{
    const struct rln__report_info *about = job->chosen.reports[index];
    const char *range = rln__report_takes_range(about) ? argument : NULL;
    const bool is_of_gpus = argument && !range && strstr(argument, "gpu");
    const char *subject =
        range && about->subject_if_named ? about->subject_if_named : about->subject;

    job->n_skipped++;
    rln__print_line(
        is_aligned ? stdout : stderr, "SKIPPED: %s %s not contain %s%s%s%s.",
        job->traces, job->inputs->paths[1] ? "do" : "does",
        is_of_gpus ? "CUDA trace data" : subject, range ? ": " : "", range ? range : "",
        rln__reports_is_restricted(job->reports, index) ? " matched by the filter"
                                                        : "");
    if (range && job->inputs->reader)
        rln__hint_near_range(job->inputs->reader, about, range);
    else if (job->n_skipped == 1) /* the same for all of them */
        rln__hint_near_name(job->inputs);
}

/* A table of an export may be unreadable; reports that do not need it go on. */
static bool build_report(struct stats_job *job, size_t index, rln_report **out)
{
    rln_error err = {0};
    const rln_status status = rln__reports_build(job->reports, index, out, &err);

    if (status != RLN_ERR_FORMAT) {
        rln__die_if(status, &err);
        return true;
    }
    job->n_skipped++;
    rln__print_line(stderr, "SKIPPED: %s: %s", job->chosen.reports[index]->name,
                    err.message);
    return false;
}

/* Of the usual reports, which were not asked for, the tree stays as it is, and only the
 * first has to have the column. */
static struct rln__row_choice rows_of(const struct stats_job *job, size_t index,
                                      const rln_report *report)
{
    struct rln__row_choice rows = job->rows;

    if (!job->chosen.is_usual)
        return rows;
    if (rln__is_tree(job->chosen.reports[index]))
        return (struct rln__row_choice){0};
    if (index && rows.column &&
        rln__report_find_column(report, rows.column) == SIZE_MAX)
        rows.column = NULL;
    return rows;
}

/* False if the reader of standard output has gone. */
static bool print_report(struct stats_job *job, size_t index)
{
    const struct rln__report_info *about = job->chosen.reports[index];
    const struct rln__report_output *output =
        rln__report_output_of(&job->outputs, job->chosen.requests[index]);
    const struct rln__cell_format *cell_format = &output->cell_format;
    const bool is_json = output->format == RLN__FORMAT_JSON;
    rln_report *report;
    struct rln__table table = {0};
    struct rln__other_rows others = {0};
    struct rln__row_choice rows = {0};
    const char *argument;
    bool is_readable, has_rows, goes_on = true;

    is_readable = build_report(job, index, &report);
    if (is_readable)
        rln__report_show(report, cell_format, &table);
    if (is_readable)
        rows = rows_of(job, index, report);
    if (rows.column || rows.most)
        rln__sort_table(report, &rows, &table);
    else if (is_readable && job->chosen.is_first)
        others = rln__first_rows(report, &table, job->least_share);
    argument = is_readable ? rln__report_argument(report) : NULL;
    has_rows = is_readable && rln_report_count_rows(report) > 0;
    table.style = &output->style;
    table.title = about->title;
    table.drain = drain_to_console;
    if (cell_format->is_human_readable &&
        !rln__is_tree(about)) /* its names are indented far */
        table.most_columns = rln__screen_columns();
    if (cell_format->is_human_readable)
        rln__table_find_shared(&table);
    if (cell_format->is_aligned && !output->name && !job->is_quiet &&
        !job->chosen.is_first && !cell_format->is_human_readable)
        rln__print_line(stdout, "Processing [%s] with [%s]...", job->traces,
                        about->name);
    if (is_readable && !has_rows &&
        (!job->chosen.is_first || (job->is_of_a_part && rln__is_tree(about))))
        say_skipped(job, index, argument, cell_format->is_aligned);
    if (output->name && has_rows)
        print_file(job, output, about, argument, &table);
    else if (!output->name && cell_format->is_aligned && has_rows)
        goes_on = print_aligned(job, about, argument, &table, output->format, &others);
    else if (!output->name && !cell_format->is_aligned && (has_rows || is_json))
        goes_on = print_plain(job, about, argument, &table, output->format);
    rln__table_clear(&table);
    rln_report_free(report);
    return goes_on;
}

/* "2.5", "10%" */
static double read_share(const char *text)
{
    char *end;
    const double percent = text ? strtod(text, &end) : 0;

    if (text && (end == text || (*end && strcmp(end, "%") != 0) ||
                 !(percent >= 0 && percent <= 100))) {
        rln__complain("cannot read share: min-share=\"%s\": not a percentage", text);
        rln__hint("use a percentage, such as --min-share 1");
        exit(RLN__EXIT_USAGE);
    }
    return percent / 100;
}

static void make_requests(const struct stats_job *job, const struct rln__args *args,
                          rln_report_request *requests)
{
    const uint64_t depth = rln__args_has(args, RLN__STATS_DEPTH)
                               ? rln__args_count(args, RLN__STATS_DEPTH)
                               : 0;
    const double share = read_share(rln__args_text(args, RLN__STATS_SHARE));

    for (size_t i = 0; i < job->chosen.n; i++) {
        requests[i] = (rln_report_request){
            .name = job->chosen.reports[i]->name,
            .argument = job->chosen.arguments[i],
            .has_max_depth = rln__args_has(args, RLN__STATS_DEPTH),
            .max_depth = depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX,
            .min_share = share,
            .under = rln__args_text(args, RLN__STATS_UNDER),
        };
    }
}

static void read_reports(struct stats_job *job, const rln_report_request *requests)
{
    const struct rln__stats *stats;
    rln_error err = {0};

    if (job->inputs->reduced)
        rln__die_if(rln__reduced_reports(job->inputs->reduced, requests, job->chosen.n,
                                         &job->reports, &err),
                    &err);
    else
        rln__die_if(rln__reports_new(job->inputs->reader, requests, job->chosen.n,
                                     &job->reports, &err),
                    &err);
    stats = rln__reports_stats(job->reports);
    for (size_t i = 0; i < rln__stats_count(stats); i++)
        rln__fold_hint_add(&job->hint, rln__stats_at(stats, i)->message);
}

/* Thousands of names that numbers tell apart, such as PyTorch's operators, say nothing
 * to people who did not ask for anything in particular. */
static bool may_fold(const struct stats_job *job, const struct rln__args *args)
{
    return job->chosen.is_first && !job->inputs->filter && !job->inputs->reduced &&
           !rln__args_has(args, RLN__STATS_FILTERS + RLN__OPTION_FOLD) &&
           !rln__args_has(args, RLN__STATS_FILTERS + RLN__OPTION_RENAME) &&
           rln__fold_hint_is_strong(&job->hint);
}

static void fold(struct stats_job *job, const rln_report_request *requests)
{
    static const char *const rules[] = {"numbers"};
    const size_t n_names = job->hint.n_names;
    rln_error err = {0};

    rln__reports_free(job->reports);
    rln__fold_hint_clear(&job->hint);
    rln__die_if(rln__reader_rename(job->inputs->reader, rules, 1, &err), &err);
    read_reports(job, requests);
    if (!job->is_quiet) {
        rln__note("%zu range names differ only in numbers, and are shown as %zu",
                  n_names, job->hint.n_names);
        rln__hint("use -r self_sum,tree to see each");
    }
}

/* Opens the operands, and chooses the reports that fit them. */
static void open_inputs(struct stats_job *job, struct rln__input_traces *inputs,
                        const struct rln__args *args)
{
    struct rln__file_names files = {0};

    job->inputs = inputs;
    rln__file_names_add_all(&files, args->operands, args->n_operands);
    if (rln__reduced_inputs_open(inputs, &files, args, RLN__STATS_FILTERS)) {
        rln__choose_fitting_sums(&job->chosen, inputs->reduced);
        job->n_skipped += rln__choose_of_sums(&job->chosen, inputs);
    } else {
        rln__input_traces_open_files(inputs, &files);
        rln__input_traces_set_jobs(inputs, args, RLN__STATS_JOBS);
        rln__restrict(inputs, args, RLN__STATS_FILTERS);
        rln__choose_fitting(&job->chosen, inputs->reader);
    }
    rln__file_names_clear(&files);
    job->trace = inputs->name;
    name_traces(job);
}

/* What a person reads first. False if the reader of standard output has gone. */
static bool print_head(const struct stats_job *job)
{
    struct rln__buf buf = {0};
    bool goes_on;

    rln__trace_line(job->inputs, rln__reports_stats(job->reports), &buf);
    goes_on = rln__write_out(&buf);
    rln__buf_clear(&buf);
    return goes_on;
}

/* What the traces lack, and was not asked for, is not worth a line, unless it is everything. */
static void say_nothing_found(struct stats_job *job)
{
    job->n_skipped++;
    rln__print_line(
        stdout, "SKIPPED: %s %s not contain ranges%s.", job->traces,
        job->inputs->paths[1] ? "do" : "does",
        rln__reports_is_restricted(job->reports, 0) ? " matched by the filter" : "");
    rln__hint_near_name(job->inputs);
}

static void print_all(struct stats_job *job)
{
    if (job->chosen.is_first && !job->is_quiet && !print_head(job))
        return;
    for (size_t i = 0; i < job->chosen.n; i++)
        if (!print_report(job, i))
            return;
    if (job->chosen.is_first && !job->has_aligned)
        say_nothing_found(job);
}

static void note_all(struct stats_job *job)
{
    const struct rln__input_traces *inputs = job->inputs;
    const struct rln__stats *stats = rln__reports_stats(job->reports);

    if (!job->is_quiet)
        rln__stats_note(&job->chosen, stats, inputs);
    if (inputs->reduced) {
        if (!job->is_quiet)
            rln__reduced_inputs_note_medians(inputs);
        rln__reduced_inputs_note_losses(inputs->reduced);
        return;
    }
    if (!job->is_quiet)
        rln__fold_hint_note(&job->hint);
    rln__stats_note_graphs(&job->chosen, inputs->reader);
    rln__stats_note_calls(&job->chosen, inputs->reader);
    rln__stats_note_gpu_losses(&job->chosen, inputs->reader);
    rln__stats_note_switches(&job->chosen, inputs->reader);
    rln__stats_note_preempted(&job->chosen, inputs);
    rln__input_traces_note_losses(inputs, rln__stats_get_totals(stats)->n_lost_events);
}

static const char *chosen_format(const struct rln__args *args)
{
    if (rln__args_bool(args, RLN__STATS_JSON))
        return "json";
    return rln__args_bool(args, RLN__STATS_CSV) ? "csv" : NULL;
}

static bool has_format(const struct rln__args *args)
{
    return rln__args_has(args, RLN__STATS_FORMAT) || chosen_format(args);
}

int rln__cmd_stats(int argc, char **argv)
{
    struct rln__args args;
    struct rln__input_traces inputs;
    struct stats_job job = {0};
    rln_report_request requests[RLN__MOST_REPORTS];
    bool is_strict;

    rln__args_parse(&rln__command_stats, argc, argv, &args);
    if (rln__args_bool(&args, RLN__STATS_HELP_REPORTS)) {
        const int status = rln__stats_list_reports(&args);

        rln__args_clear(&args);
        return status;
    }
    if (rln__args_bool(&args, RLN__STATS_HELP_FORMATS)) {
        const int status = rln__stats_list_formats(&args);

        rln__args_clear(&args);
        return status;
    }
    job.may_overwrite = rln__args_bool(&args, RLN__STATS_FORCE);
    job.is_quiet = rln__args_bool(&args, RLN__STATS_QUIET);
    rln__choose_reports(&job.chosen, &args, RLN__STATS_REPORT);
    job.chosen.is_first = job.chosen.is_usual && !has_format(&args) &&
                          !rln__args_has(&args, RLN__STATS_OUTPUT);
    job.is_of_a_part = rln__args_has(&args, RLN__STATS_UNDER);
    job.rows.column = rln__args_text(&args, RLN__STATS_SORT);
    job.rows.most = rln__args_has(&args, RLN__STATS_ROWS)
                        ? rln__args_count(&args, RLN__STATS_ROWS)
                        : 0;
    job.least_share = rln__args_has(&args, RLN__STATS_SHARE) ||
                              rln__args_has(&args, RLN__STATS_DEPTH) ||
                              rln__args_has(&args, RLN__STATS_UNDER)
                          ? 0
                          : LEAST_SHARE;
    rln__choose_outputs(&job.outputs, &args, RLN__STATS_FORMAT, chosen_format(&args),
                        RLN__STATS_TIMEUNIT, RLN__STATS_OUTPUT);
    make_requests(&job, &args, requests); /* refuses what makes no sense */
    open_inputs(&job, &inputs, &args);
    keep_members_once(&job);
    job.n_json = count_json(&job);
    make_requests(&job, &args, requests);
    read_reports(&job, requests);
    if (may_fold(&job, &args))
        fold(&job, requests);
    print_all(&job);
    note_all(&job);
    rln__reports_free(job.reports);
    rln__fold_hint_clear(&job.hint);
    rln__report_choice_clear(&job.chosen);
    rln__report_outputs_clear(&job.outputs);
    rln__input_traces_close(&inputs);
    is_strict = rln__args_bool(&args, RLN__STATS_STRICT);
    rln__args_clear(&args);
    return is_strict && job.n_skipped ? RLN__EXIT_FAILED : RLN__EXIT_OK;
}
