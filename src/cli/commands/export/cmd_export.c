/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_export.c - writes traces in the formats of other tools. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/count.h"
#include "cli/commands.h"
#include "cli/commands/export/export_tables.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "console/choices.h"
#include "console/die.h"
#include "console/ends_with.h"

enum {
    TYPE,
    OUTPUT,
    FORCE,
    QUIET,
    STRINGS,
    FILTERS, /* and the rows behind it */
    SCHEMA = FILTERS + RLN__N_FILTER_OPTIONS,
    PLACEHOLDER,
    JSON,
    BLOBS,
    LAZY,
    TABLES,
    TIMES,
    INDEXES,
    TRACKS,
    WEIGHT,
};

static const struct rln__option options[] = {
    [TYPE] = {.group = "Output",
              .name = "type",
              .letter = 't',
              .kind = RLN__ARG_CHOICE,
              .value = "TYPE",
              .choices = RLN__NSYS_TYPES,
              .word_at = rln__export_type_at,
              .way_out = rln__export_way_out,
              .help =
                  "format, listed above; default: that of FILE's extension, or sqlite"},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "FILE",
                .help = "write FILE; default: the trace's name with the format's "
                        "extension. - is standard output, FILE.gz and FILE.zst are "
                        "compressed (neither for sqlite)"},
    [FORCE] = {.name = "force-overwrite",
               .letter = 'f',
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "replace an existing file"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "print only errors"},
    [STRINGS] = {.name = "separate-strings",
                 .kind = RLN__ARG_BOOL,
                 .is_ignored = true,
                 .help = "no effect"},
    RLN__FILTER_OPTIONS(FILTERS),
    [SCHEMA] = {.group = "Tables (sqlite, jsonl, arrow)",
                .name = "schema",
                .kind = RLN__ARG_CHOICE,
                .choices = "3.25|3.28",
                .initial = "3.25",
                .help = "Nsight's schema; 3.28 adds a column eventId to NVTX_EVENTS"},
    [PLACEHOLDER] = {.name = "placeholder-gpu",
                     .kind = RLN__ARG_BOOL,
                     .initial = "false",
                     .help = "add a kernel of no duration to each process, for scripts "
                             "that find processes by their kernels"},
    [JSON] = {.name = "include-json",
              .kind = RLN__ARG_BOOL,
              .initial = "false",
              .help = "write payloads as JSON: jsonText"},
    [BLOBS] = {.name = "include-blobs",
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "write payloads as bytes: binaryData"},
    [LAZY] = {.name = "lazy",
              .letter = 'l',
              .kind = RLN__ARG_BOOL,
              .initial = "true",
              .help = "omit empty tables, except those that are always expected"},
    [TABLES] = {.name = "tables",
                .kind = RLN__ARG_TEXT,
                .value = "PATTERN[,PATTERN...]",
                .help = "write only tables whose names match one of these basic "
                        "regular expressions, ignoring case"},
    [TIMES] = {.name = "times",
               .kind = RLN__ARG_TEXT,
               .is_repeatable = true,
               .value = "[:][START]/[END][:][,...]",
               .help = "write only rows inside these intervals; a colon also includes "
                       "rows that extend beyond that end"},
    [INDEXES] = {.name = "indexes",
                 .kind = RLN__ARG_BOOL,
                 .initial = "false",
                 .help = "create indexes by start, thread and text (sqlite)"},
    [TRACKS] = {.group = "Other formats",
                .name = "tracks",
                .kind = RLN__ARG_CHOICE,
                .choices = "thread|category",
                .initial = "thread",
                .help = "draw one track per thread or per category (perfetto, chrome)"},
    [WEIGHT] =
        {.name = "weight",
         .kind = RLN__ARG_CHOICE,
         .choices = "time|calls",
         .initial = "time",
         .help =
             "weight of a stack: its self time in nanoseconds, or its calls (folded)"},
};

static const struct rln__example examples[] = {
    {"write what scripts for Nsight Systems read",
     "rangeline export -t sqlite -o run.sqlite run.rln"},
    {"query it",
     "sqlite3 run.sqlite 'SELECT text, count(*) FROM NVTX_EVENTS GROUP BY text'"},
};

const struct rln__command rln__command_export = {
    .name = "export",
    .summary = "write a trace in another tool's format",
    .operands = "[FILE...]",
    .ignored_because = "json has texts both in the events and in the first line",
    .operands_help = RLN__INPUT_TRACES_HELP,
    .description =
        "The output appears only when complete; existing files are not replaced "
        "without -f.\n\nsqlite has the tables of Nsight Systems' SQLite exports; "
        "jsonl the same tables as JSON lines, json its older lines of events, "
        "{\"Type\":59,\"NvtxEvent\":{...}}. perfetto is the format of "
        "ui.perfetto.dev, chrome is Trace Event JSON, csv has one line per range, "
        "mark, sample, GPU operation and call of CUDA, folded has stacks for flame "
        "graphs, speedscope one profile per thread and stream, nvtxt is text that "
        "Nsight imports, otf2 a folder for HPC tools. arrow has sqlite's tables as "
        "Arrow streams in one file; arrowdir and parquetdir have a file for each, "
        "parquet is one file with the ranges of all traces, by rank and host, for "
        "DuckDB, Polars and Spark: these three need Python with pyarrow. "
        "docs/guide/EXPORT.md lists what each format keeps and loses.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_export,
};

/* The values of --times as one. */
static void join_times(const struct rln__args *args, struct rln__buf *out)
{
    const char *word;
    size_t at = 0;

    while ((word = rln__args_next(args, TIMES, &at)))
        rln__buf_format(out, "%s%s", out->length ? "," : "", word);
    if (out->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
}

static uint32_t flags_of(const struct rln__args *args)
{
    const struct {
        bool is_given;
        uint32_t flag;
    } flags[] = {
        {rln__args_bool(args, FORCE), RLN_EXPORT_REPLACE},
        {rln__args_bool(args, JSON), RLN_EXPORT_JSON},
        {rln__args_bool(args, BLOBS), RLN_EXPORT_BLOBS},
        {!rln__args_bool(args, LAZY), RLN_EXPORT_EMPTY_TABLES},
        {rln__args_bool(args, INDEXES), RLN_EXPORT_INDEXES},
        {rln__args_bool(args, PLACEHOLDER), RLN_EXPORT_PLACEHOLDER_GPU},
        {strcmp(rln__args_text(args, SCHEMA), "3.28") == 0, RLN_EXPORT_SCHEMA_3_28},
        {strcmp(rln__args_text(args, TRACKS), "category") == 0, RLN_EXPORT_BY_CATEGORY},
        {strcmp(rln__args_text(args, WEIGHT), "calls") == 0, RLN_EXPORT_COUNT_CALLS},
    };
    uint32_t all = 0;

    for (size_t i = 0; i < RLN_COUNT(flags); i++)
        all |= flags[i].is_given ? flags[i].flag : 0;
    return all;
}

/* Options that only some types have: another type would ignore them silently. */
static void check_options(const struct rln__args *args, const char *type)
{
    static const char tables[] = "sqlite|jsonl|arrow|" RLN__TABLE_TYPES;
    static const struct {
        unsigned option;
        const char *types;
    } known[] = {
        {SCHEMA, tables},    {PLACEHOLDER, tables},
        {JSON, tables},      {BLOBS, tables},
        {LAZY, tables},      {TABLES, tables},
        {INDEXES, "sqlite"}, {TRACKS, "perfetto|chrome"},
        {WEIGHT, "folded"},
    };

    for (size_t i = 0; i < RLN_COUNT(known); i++) {
        if (!rln__args_has(args, known[i].option) ||
            rln__is_choice(known[i].types, type))
            continue;
        rln__complain("cannot export: type=%s: --%s requires type %s", type,
                      options[known[i].option].name, known[i].types);
        rln__hint("omit it, or choose another format with -t");
        exit(RLN__EXIT_USAGE);
    }
}

/* The filters as words of a shell, for Python, which reads one trace after the other.
 */
static void write_filters(const struct rln__args *args, struct rln__buf *out)
{
    static const unsigned together[] = {RLN__OPTION_ALIGN, RLN__OPTION_TIME,
                                        RLN__OPTION_NVTX};
    const unsigned duration = FILTERS + RLN__OPTION_DURATION;

    for (size_t i = 0; i < RLN_COUNT(together); i++) {
        if (!rln__args_has(args, FILTERS + together[i]))
            continue;
        rln__complain("cannot export: type=parquet: --%s needs all traces together",
                      options[FILTERS + together[i]].name);
        rln__hint("omit it: times in the file are of the clock of the day");
        exit(RLN__EXIT_USAGE);
    }
    rln__filter_words(args, FILTERS + RLN__OPTION_FOLD, FILTERS + RLN__OPTION_NVTX,
                      out);
    rln__filter_words(args, FILTERS + RLN__OPTION_WHAT, duration, out);
    if (rln__args_has(args, duration))
        rln__buf_format(out, " --min-duration %" PRId64,
                        rln__least_duration(args, duration));
    rln__buf_char(out, '\0');
    if (out->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
}

/* "x.foo" may have been meant as another type; "x", "x.2" and "x.db" are nothing else. */
static bool may_be_sqlite(const char *output)
{
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(slash ? slash : output, '.');

    return !dot || !dot[1] || strspn(dot + 1, "0123456789") == strlen(dot + 1) ||
           rln__ends_with(output, ".db") || rln__ends_with(output, ".sqlite3");
}

/* Without -t, the name of the output says it. */
static const char *type_of_output(const struct rln__args *args)
{
    const char *output = rln__args_text(args, OUTPUT);
    const char *type = output ? rln__export_type_of(output) : NULL;

    if (type || !output || may_be_sqlite(output))
        return type ? type : "sqlite";
    rln__complain("cannot export: output=\"%s\": no type has this ending", output);
    if (rln__ends_with(output, ".html"))
        rln__hint("`rangeline view --html %s %s` writes a page", output,
                  args->n_operands ? args->operands[0] : "TRACE");
    else
        rln__hint(
            "give the type with -t, such as -t perfetto; `rangeline export --help` "
            "lists them");
    exit(RLN__EXIT_USAGE);
}

int rln__cmd_export(int argc, char **argv)
{
    struct rln__args args;
    struct rln__input_traces inputs;
    struct rln__export_to to = {0};
    struct rln__buf times = {0}, filters = {0};
    uint64_t n_opened;

    rln__args_parse(&rln__command_export, argc, argv, &args);
    join_times(&args, &times);
    to.options = (rln_export_options){
        .size = sizeof(to.options),
        .format = rln__args_text(&args, TYPE),
        .path = rln__args_text(&args, OUTPUT),
        .flags = flags_of(&args),
        .tables = rln__args_text(&args, TABLES),
        .times = times.bytes,
    };
    if (to.options.format)
        to.options.format =
            rln__export_type_called(to.options.format, strlen(to.options.format));
    else
        to.options.format = type_of_output(&args);
    check_options(&args, to.options.format);
    if (strcmp(to.options.format, "parquet") == 0)
        write_filters(&args, &filters);
    to.is_quiet = rln__args_bool(&args, QUIET);
    rln__input_traces_open(&inputs, args.operands, args.n_operands);
    rln__restrict(&inputs, &args, FILTERS);
    n_opened = rln__is_table_type(to.options.format)
                   ? rln__export_tables(&inputs, &to, filters.bytes)
                   : rln__export_to(&inputs, &to);
    rln__note_if_empty(&inputs, n_opened);
    rln__input_traces_note_losses(&inputs, 0);
    rln__input_traces_close(&inputs);
    rln__args_clear(&args);
    rln__buf_clear(&times);
    rln__buf_clear(&filters);
    return RLN__EXIT_OK;
}
