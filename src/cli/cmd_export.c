/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_export.c - writes traces in the formats of other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "cli/commands.h"
#include "cli/die.h"
#include "cli/export_tables.h"
#include "cli/filter_options.h"
#include "cli/opened.h"

enum {
    TYPE,
    OUTPUT,
    FORCE,
    QUIET,
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
              .choices = RLN__EXPORT_TYPES "|" RLN__TABLE_TYPES,
              .help = "the format: see below; without it, that of FILE's extension, or "
                      "sqlite"},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "FILE",
                .help = "write FILE; without it, the trace's name with the format's "
                        "extension. - is standard output, FILE.gz and FILE.zst are "
                        "compressed (neither of sqlite)"},
    [FORCE] = {.name = "force-overwrite",
               .letter = 'f',
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "replace a file of that name"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "print errors only"},
    RLN__FILTER_OPTIONS(FILTERS),
    [SCHEMA] = {.group = "Tables (sqlite, jsonl)",
                .name = "schema",
                .kind = RLN__ARG_CHOICE,
                .choices = "3.25|3.28",
                .initial = "3.25",
                .help = "Nsight's schema: 3.28 gives NVTX_EVENTS a column eventId"},
    [PLACEHOLDER] = {.name = "placeholder-gpu",
                     .kind = RLN__ARG_BOOL,
                     .initial = "false",
                     .help =
                         "give each process a kernel of no length, for scripts that "
                         "find processes by their kernels"},
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
              .help = "make only tables that have rows or that are always expected"},
    [TABLES] = {.name = "tables",
                .kind = RLN__ARG_TEXT,
                .value = "PATTERN[,PATTERN...]",
                .help = "make only tables whose names match one of these basic regular "
                        "expressions, in upper or lower case"},
    [TIMES] = {.name = "times",
               .kind = RLN__ARG_TEXT,
               .is_repeatable = true,
               .value = "[:][START]/[END][:][,...]",
               .help = "write only what lies between these times; with a colon, what "
                       "reaches beyond that end, too"},
    [INDEXES] = {.name = "indexes",
                 .kind = RLN__ARG_BOOL,
                 .initial = "false",
                 .help = "make indexes by start, thread and text (sqlite)"},
    [TRACKS] = {.group = "Other formats",
                .name = "tracks",
                .kind = RLN__ARG_CHOICE,
                .choices = "thread|category",
                .initial = "thread",
                .help =
                    "give each thread a track, or each category (perfetto, chrome)"},
    [WEIGHT] = {.name = "weight",
                .kind = RLN__ARG_CHOICE,
                .choices = "time|calls",
                .initial = "time",
                .help = "weigh stacks by their own nanoseconds, or by calls (folded)"},
};

static const struct rln__example examples[] = {
    {"for scripts that are written for Nsight Systems",
     "rangeline export -t sqlite -o run.sqlite run.rln"},
    {"look into it",
     "sqlite3 run.sqlite 'SELECT text, count(*) FROM NVTX_EVENTS GROUP BY text'"},
};

const struct rln__command rln__command_export = {
    .name = "export",
    .summary = "write a trace in another tool's format",
    .operands = "[FILE...]",
    .description =
        "Several traces are read as one. Without a file, the newest *.rln of the "
        "working directory is read. The output is there whole or not at all, and what "
        "exists is not replaced without -f.\n\n"
        "sqlite has the tables of Nsight Systems' SQLite exports; jsonl the same "
        "tables "
        "as lines of JSON. perfetto is the format of ui.perfetto.dev, chrome Trace "
        "Event "
        "JSON, csv a line for each range, mark and sample, folded what flame graphs "
        "are "
        "made of, speedscope a profile a thread, nvtxt text that Nsight imports, otf2 "
        "a folder for tools of HPC. arrow, arrowdir and parquetdir have sqlite's "
        "tables "
        "in Arrow's formats; they need Python with pyarrow. "
        "docs/EXPORT.md says what each format keeps, and what it loses.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_export,
};

static void read_tables(const struct rln__args *args, struct rln__export_options *out,
                        struct rln__table_filter **tables,
                        struct rln__time_ranges *times)
{
    const char *word;
    size_t at = 0;
    rln_error err = {0};

    while ((word = rln__args_next(args, TIMES, &at)))
        if (rln__time_ranges_add(times, word, &err))
            rln__die(RLN__EXIT_USAGE, "%s", err.message);
    if (times->n)
        out->times = times;
    word = rln__args_text(args, TABLES);
    if (word && rln__table_filter_new(word, tables, &err))
        rln__die(RLN__EXIT_USAGE, "%s", err.message);
    out->tables = *tables;
}

/* Options that only some types know: another would leave them out silently. */
static void check_options(const struct rln__args *args, const char *type)
{
    static const char tables[] = "sqlite|jsonl|" RLN__TABLE_TYPES;
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
        rln__complain("cannot export: type=%s: --%s is for %s", type,
                      options[known[i].option].name, known[i].types);
        rln__hint("leave it out, or choose another format with -t");
        exit(RLN__EXIT_USAGE);
    }
}

int rln__cmd_export(int argc, char **argv)
{
    struct rln__args args;
    struct rln__opened opened;
    struct rln__export_options o = {0};
    struct rln__table_filter *tables = NULL;
    struct rln__time_ranges times = {0};
    struct rln__export_to to = {0};
    uint64_t n_told = 0;

    rln__args_parse(&rln__command_export, argc, argv, &args);
    o.schema_minor = strcmp(rln__args_text(&args, SCHEMA), "3.28") == 0 ? 28 : 25;
    o.has_placeholder_gpu = rln__args_bool(&args, PLACEHOLDER);
    o.includes_json = rln__args_bool(&args, JSON);
    o.includes_blobs = rln__args_bool(&args, BLOBS);
    o.is_full = !rln__args_bool(&args, LAZY);
    o.has_indexes = rln__args_bool(&args, INDEXES);
    o.is_by_category = strcmp(rln__args_text(&args, TRACKS), "category") == 0;
    o.counts_calls = strcmp(rln__args_text(&args, WEIGHT), "calls") == 0;
    read_tables(&args, &o, &tables, &times);
    to.output = rln__args_text(&args, OUTPUT);
    to.type = rln__args_text(&args, TYPE);
    if (!to.type)
        to.type = rln__export_type_of(to.output ? to.output : "");
    check_options(&args, to.type);
    to.may_replace = rln__args_bool(&args, FORCE);
    to.is_quiet = rln__args_bool(&args, QUIET);
    rln__opened_open(&opened, &args);
    rln__restrict(&opened, &args, FILTERS);
    o.filter = opened.filter;
    o.n_told = &n_told;
    if (rln__is_table_type(to.type))
        rln__export_tables(&opened, &to, &o);
    else
        rln__export_to(&opened, &to, &o);
    rln__note_if_nothing(&opened, n_told);
    rln__opened_note_losses(&opened, 0);
    rln__opened_close(&opened);
    rln__table_filter_free(tables);
    rln__time_ranges_clear(&times);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
