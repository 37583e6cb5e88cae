/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check.c - lists defects of a trace, and how to mend them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/fail.h"
#include "base/thousands.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "console/die.h"
#include "console/misread.h"
#include "console/nearest.h"
#include "console/pager.h"
#include "console/progress.h"
#include "console/stdout_error.h"
#include "export/exporter.h"
#include "rangeline/finding.h"
#include "reports/check/check_all.h"
#include "reports/check/check_findings.h"
#include "reports/check/info.h"
#include "table/cells.h"
#include "trace/open/load.h"

/* Of one kind, in the text for people. */
#define MOST_LISTED 10

enum { FAIL_ON, FORMAT, JSON, MARKDOWN, FILTERS };

/* The kinds as rln__check_finding_name() spells them. */
#define KINDS(comma, last)                                                             \
    "unmatched-pop" comma "wrong-thread" comma "unknown-end" comma "ended-twice" comma \
    "never-closed" comma "crossed" comma "ended-elsewhere" comma "unused-domain" comma \
    "hot-string" comma "many-names" comma "clock" comma "unplaced" comma "lost" comma  \
    "refused" last "damaged"
#define KINDS_AS_CHOICES KINDS("|", "|")
#define KINDS_IN_WORDS KINDS(", ", " and ")

static const struct rln__option options[] = {
    [FAIL_ON] = {.name = "fail-on",
                 .kind = RLN__ARG_TEXT,
                 .is_repeatable = true,
                 .value = "WHAT[,WHAT]",
                 .choices = "error|warning|note|" KINDS_AS_CHOICES,
                 .help = "exit with 1 if there is a finding of this kind, or of this "
                         "severity (error, warning, note) or worse"},
    [FORMAT] = {.name = "format",
                .letter = 'f',
                .kind = RLN__ARG_CHOICE,
                .choices = "text|" RLN__TABLE_CHOICES,
                .initial = "text",
                .help = "text with advice, or a table of all findings"},
    [JSON] = {.name = "json", .help = "same as -f json"},
    [MARKDOWN] = {.name = "markdown", .help = "same as -f markdown"},
    RLN__FILTER_OPTIONS(FILTERS),
};

static const struct rln__example examples[] = {
    {"check a program's annotations", "rangeline check run.rln"},
    {"fail a build if ranges are unbalanced",
     "rangeline check --fail-on error,never-closed run.rln"},
    {"check one library", "rangeline check --domain mylib run.rln"},
};

const struct rln__command rln__command_check = {
    .name = "check",
    .summary = "find unbalanced, crossing, never closed ranges, and losses",
    .operands = "[FILE...]",
    .operands_help = RLN__INPUT_TRACES_HELP,
    .description =
        "Errors are wrong or missing: pops and ends that close nothing, ranges "
        "popped on another thread, dropped events, damage. Warnings distort reports: "
        "never closed or crossing ranges, thousands of names used once, an unsteady "
        "clock. Notes are suggestions. The exit status is 0 whatever check finds, "
        "unless --fail-on is given.\n\nKinds of findings "
        "are " KINDS_IN_WORDS
        ".\n\nFilters select the ranges and threads that are checked; problems of the "
        "whole trace, such as its clock, are always listed.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_check,
};

struct check_job {
    const rln_check *check;
    const rln_info *info;
    char *const *paths; /* borrowed; ends with NULL */
    rln_text filter;    /* what restricts it, in words; empty: nothing */
    bool has_color;
};

static const char *const severities[] = {
    [RLN_SEVERITY_NOTE] = "note",
    [RLN_SEVERITY_WARNING] = "warning",
    [RLN_SEVERITY_ERROR] = "error",
};

/* --- --fail-on -------------------------------------------------------------------- */

struct limits {
    rln_severity worst; /* findings at least this bad; 0: none */
    uint64_t kinds;     /* a bit for each */
};

static bool is_word(const char *word, size_t length, const char *name)
{
    return name && strlen(name) == length && memcmp(word, name, length) == 0;
}

static bool add_limit(struct limits *limits, const char *word, size_t length)
{
    for (unsigned s = RLN_SEVERITY_NOTE; s <= RLN_SEVERITY_ERROR; s++) {
        if (!is_word(word, length, severities[s]))
            continue;
        if (!limits->worst || s < limits->worst)
            limits->worst = s;
        return true;
    }
    for (unsigned kind = 1; kind < 64; kind++) {
        if (is_word(word, length, rln__check_finding_name(kind))) {
            limits->kinds |= 1ull << kind;
            return true;
        }
    }
    return false;
}

static _Noreturn void refuse_limit(const struct rln__args *args, const char *word,
                                   size_t length)
{
    const char *names[64 + RLN_COUNT(severities)], *near;
    char text[RLN__MOST_WORD + 1];
    size_t n = 0;

    for (unsigned s = RLN_SEVERITY_NOTE; s <= RLN_SEVERITY_ERROR; s++)
        names[n++] = severities[s];
    for (unsigned kind = 1; kind < 64; kind++)
        if (rln__check_finding_name(kind))
            names[n++] = rln__check_finding_name(kind);
    (void)snprintf(text, sizeof(text), "%.*s", (int)length, word);
    near = rln__nearest(text, names, n);
    rln__complain("cannot check: fail-on=\"%.*s\": no such kind of finding",
                  (int)length, word);
    if (near)
        rln__hint_instead(args, word, length, near, "");
    else
        rln__hint("`--fail-on warning`, or error, note, or a kind that "
                  "`rangeline check --help` lists");
    exit(RLN__EXIT_USAGE);
}

static struct limits read_limits(const struct rln__args *args)
{
    struct limits limits = {0};
    const char *list;
    size_t at = 0;

    while ((list = rln__args_next(args, FAIL_ON, &at))) {
        for (;;) {
            const size_t length = strcspn(list, ",");

            if (!add_limit(&limits, list, length))
                refuse_limit(args, list, length);
            if (!list[length])
                break;
            list += length + 1;
        }
    }
    return limits;
}

static bool is_beyond(const struct limits *limits, const rln_finding *f)
{
    return (limits->worst && f->severity >= limits->worst) ||
           (limits->kinds >> f->kind & 1);
}

/* --- For people ------------------------------------------------------------------- */

static void add_printable(struct rln__buf *buf, rln_text text)
{
    (void)rln__buf_printable(buf, text.bytes, text.length);
}

/* "io:load" */
static void add_range(struct rln__buf *buf, rln_text domain, rln_text message)
{
    add_printable(buf, domain);
    if (domain.length && message.length)
        rln__buf_char(buf, ':');
    add_printable(buf, message);
}

/* The file that a finding is of; NULL if it is of all. */
static const char *file_of(const struct check_job *job, const rln_finding *f)
{
    return f->part == UINT32_MAX ? NULL : rln_info_part(job->info, f->part)->path;
}

/* Which of several. */
static void add_file(struct rln__buf *buf, const struct check_job *job,
                     const rln_finding *f)
{
    const char *file = job->paths[1] ? file_of(job, f) : NULL;

    if (!file)
        return;
    rln__buf_text(buf, " of ");
    (void)rln__buf_printable(buf, file, strlen(file));
}

static void add_thread(struct rln__buf *buf, const struct check_job *job,
                       const rln_finding *f)
{
    const rln_thread_info *thread =
        f->thread == UINT32_MAX ? NULL : rln_info_thread(job->info, f->thread);

    if (f->pid && !thread)
        rln__buf_format(buf, " in process %u", f->pid);
    if (!thread)
        return;
    rln__buf_format(buf, " on thread %u/%u", f->pid, f->tid);
    if (thread->name.length || thread->system_name.length) {
        rln__buf_char(buf, ' ');
        add_printable(buf, thread->name.length ? thread->name : thread->system_name);
    }
}

/* The details of a kind. */
static void add_particulars(struct rln__buf *buf, const rln_finding *f)
{
    switch (f->kind) {
    case RLN_FINDING_WRONG_THREAD:
        rln__buf_format(buf, ", pushed on thread %u", f->other_tid);
        break;
    case RLN_FINDING_ENDED_ELSEWHERE:
        rln__buf_format(buf, ", ended on thread %u", f->other_tid);
        break;
    case RLN_FINDING_CROSSED:
        rln__buf_text(buf, ", across the end of ");
        add_range(buf, f->other_domain_name, f->other);
        break;
    case RLN_FINDING_UNMATCHED_POP:
    case RLN_FINDING_NEVER_CLOSED:
        if (f->depth)
            rln__buf_format(buf, ", depth %u", f->depth);
        break;
    case RLN_FINDING_UNPLACED:
        rln__buf_format(buf, ", time domain %llu", (unsigned long long)f->offset);
        break;
    case RLN_FINDING_DAMAGED:
        rln__buf_format(buf, " at %llu", (unsigned long long)f->offset);
        break;
    default:
        break;
    }
    if (f->kind >= RLN_FINDING_CLOCK && f->other.length) {
        rln__buf_text(buf, ": ");
        add_printable(buf, f->other);
    }
}

/* "       3 x  io:load on thread 100/101 worker, first at 0.000000500 s" */
static void add_finding(struct rln__buf *buf, const struct check_job *job,
                        const rln_finding *f)
{
    struct rln__buf count = {0};

    rln__buf_count(&count, f->n);
    rln__buf_fill(buf, ' ', count.length < 9 ? 9 - count.length : 1);
    rln__buf_add(buf, count.bytes, count.length);
    buf->has_failed |= count.has_failed;
    rln__buf_clear(&count);
    rln__buf_text(buf, f->kind == RLN_FINDING_MANY_NAMES ? " names, such as " : " x ");
    if (f->kind != RLN_FINDING_MANY_NAMES &&
        (f->message.length || f->domain_name.length))
        rln__buf_char(buf, ' ');
    add_range(buf, f->domain_name, f->message);
    add_thread(buf, job, f);
    add_file(buf, job, f);
    add_particulars(buf, f);
    if (f->has_time) {
        rln__buf_text(buf, f->n > 1 ? ", first at " : ", at ");
        rln__buf_format(buf, "%.9f s", (double)f->first_ns / 1e9);
    }
    rln__buf_char(buf, '\n');
}

static void add_wrapped(struct rln__buf *buf, const char *text)
{
    const size_t width = 76;
    size_t column = 0;

    rln__buf_text(buf, "  ");
    for (const char *word = text; *word;) {
        const size_t length = strcspn(word, " ");

        if (column && column + 1 + length > width) {
            rln__buf_text(buf, "\n  ");
            column = 0;
        }
        if (column)
            rln__buf_char(buf, ' ');
        rln__buf_add(buf, word, length);
        column += length + (column > 0);
        word += length + (word[length] == ' ');
    }
    rln__buf_text(buf, ".\n");
}

static void add_heading(struct rln__buf *buf, const struct check_job *job,
                        const rln_finding *f)
{
    static const char *const colors[] = {
        [RLN_SEVERITY_NOTE] = "\033[36m",
        [RLN_SEVERITY_WARNING] = "\033[33m",
        [RLN_SEVERITY_ERROR] = "\033[31m",
    };

    rln__buf_format(buf, "%s%s%s: %s\n", job->has_color ? colors[f->severity] : "",
                    severities[f->severity], job->has_color ? "\033[0m" : "", f->name);
    add_wrapped(buf, f->advice);
}

static void add_sum(struct rln__buf *buf, size_t n, const char *what, size_t *n_before)
{
    if (!n)
        return;
    rln__buf_text(buf, *n_before ? ", " : "");
    rln__buf_count(buf, n);
    rln__buf_format(buf, " %s%s", what, n == 1 ? "" : "s");
    *n_before += n;
}

/* "2 errors, 1 note in run.rln (name load)" */
static void add_closing(struct rln__buf *buf, const struct check_job *job,
                        const size_t n[])
{
    const uint64_t n_events = rln_info_totals(job->info)->n_events;
    size_t n_all = 0;

    add_sum(buf, n[RLN_SEVERITY_ERROR], "error", &n_all);
    add_sum(buf, n[RLN_SEVERITY_WARNING], "warning", &n_all);
    add_sum(buf, n[RLN_SEVERITY_NOTE], "note", &n_all);
    rln__buf_text(buf, n_all ? " in " : "no findings in ");
    if (!n_all && !job->filter.length) {
        rln__buf_count(buf, n_events);
        rln__buf_text(buf, n_events == 1 ? " event of " : " events of ");
    }
    rln__file_names_summary(job->paths, buf);
    if (job->filter.length) {
        rln__buf_text(buf, " (");
        add_printable(buf, job->filter);
        rln__buf_char(buf, ')');
    }
    rln__buf_char(buf, '\n');
}

static void add_text(struct rln__buf *buf, const struct check_job *job)
{
    size_t n[RLN_SEVERITY_ERROR + 1] = {0};
    const rln_finding *f, *before = NULL;
    size_t n_listed = 0;

    for (size_t i = 0; (f = rln_check_at(job->check, i)); i++, before = f) {
        const bool is_new =
            !before || before->kind != f->kind || before->severity != f->severity;

        n[f->severity]++;
        n_listed = is_new ? 1 : n_listed + 1;
        if (is_new) {
            rln__buf_text(buf, before ? "\n" : "");
            add_heading(buf, job, f);
        }
        if (n_listed <= MOST_LISTED)
            add_finding(buf, job, f);
        else if (n_listed == MOST_LISTED + 1)
            rln__buf_text(buf, "           and more: -f csv has all\n");
    }
    rln__buf_text(buf, before ? "\n" : "");
    add_closing(buf, job, n);
}

/* --- For programs ----------------------------------------------------------------- */

static const struct rln__column columns[] = {
    {"Severity", RLN__TEXT},
    {"Finding", RLN__TEXT},
    {"Count", RLN__NUMBER},
    {"First (@)", RLN__NUMBER},
    {"PID", RLN__ID},
    {"TID", RLN__ID},
    {"Other TID", RLN__ID},
    {"Depth", RLN__NUMBER},
    {"Domain", RLN__TEXT},
    {"Message", RLN__TEXT},
    {"Other Domain", RLN__TEXT},
    {"Other", RLN__TEXT},
    {"Offset", RLN__ID},
    {"File", RLN__TEXT},
};

static void add_row(struct rln__table *t, const struct check_job *job,
                    const rln_finding *f)
{
    const char *file = file_of(job, f);
    const bool has_offset =
        f->kind == RLN_FINDING_DAMAGED || f->kind == RLN_FINDING_UNPLACED;

    rln__cell_text(t, severities[f->severity]);
    rln__cell_text(t, f->name);
    rln__cell_plain(t, f->n, true);
    if (f->has_time)
        rln__buf_i64(&t->text, f->first_ns);
    rln__table_cell(t);
    rln__cell_plain(t, f->pid, f->pid != 0);
    rln__cell_plain(t, f->tid, f->tid != 0);
    rln__cell_plain(t, f->other_tid, f->other_tid != 0);
    rln__cell_plain(t, f->depth, f->thread != UINT32_MAX);
    rln__cell_name(t, f->domain_name);
    rln__cell_name(t, f->message);
    rln__cell_name(t, f->other_domain_name);
    rln__cell_name(t, f->other);
    rln__cell_plain(t, f->offset, has_offset);
    rln__cell_text(t, file ? file : "");
}

static void add_table(struct rln__buf *buf, const struct check_job *job,
                      enum rln__table_format format)
{
    const rln_finding *f;
    struct rln__table t;

    rln__table_init(&t, columns, RLN_COUNT(columns));
    t.unit = "ns";
    t.title = "Findings";
    t.is_bold = job->has_color;
    for (size_t i = 0; (f = rln_check_at(job->check, i)); i++)
        add_row(&t, job, f);
    if (format == RLN__FORMAT_COLUMN)
        t.most_columns = rln__screen_columns();
    rln__table_print(&t, format, buf);
    rln__table_clear(&t);
}

int rln__cmd_check(int argc, char **argv)
{
    struct rln__args args;
    struct rln__input_traces inputs;
    struct check_job job = {.has_color = rln__has_color()};
    struct rln__buf buf = {0}, filter_text = {0};
    struct limits limits;
    const rln_finding *f;
    rln_check *check;
    const char *format;
    rln_error err = {0};
    struct rln__progress progress;
    rln_status status;
    int exit_status = RLN__EXIT_OK;

    rln__args_parse(&rln__command_check, argc, argv, &args);
    limits = read_limits(&args);
    format = rln__args_bool(&args, JSON)       ? "json"
             : rln__args_bool(&args, MARKDOWN) ? "markdown"
                                               : rln__args_text(&args, FORMAT);
    rln__input_traces_open(&inputs, args.operands, args.n_operands);
    rln__restrict(&inputs, &args, FILTERS);
    rln__progress_begin(&progress, inputs.name, false);
    rln__reader_set_progress(inputs.reader, rln__progress_of_reading, &progress);
    status = rln_check_new(inputs.reader, &check, &err);
    rln__progress_end(&progress);
    rln__die_if(status, &err);
    rln__reader_set_progress(inputs.reader, NULL, NULL);
    job.check = check;
    job.info = rln__check_info(check);
    job.paths = inputs.paths;
    rln__filter_summary(&args, FILTERS, &filter_text);
    job.filter = (rln_text){filter_text.bytes, filter_text.length};
    if (strcmp(format, "text") == 0)
        add_text(&buf, &job);
    else
        add_table(&buf, &job,
                  (enum rln__table_format)rln__table_format(format, strlen(format)));
    for (size_t i = 0; (f = rln_check_at(check, i)); i++) {
        if (is_beyond(&limits, f))
            exit_status = RLN__EXIT_FAILED;
    }
    (void)rln__write_out(&buf);
    rln__buf_clear(&buf);
    rln__buf_clear(&filter_text);
    rln_check_free(check);
    rln__input_traces_close(&inputs);
    rln__args_clear(&args);
    return exit_status;
}
