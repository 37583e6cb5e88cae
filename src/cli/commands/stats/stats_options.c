/* SPDX-License-Identifier: Apache-2.0 */
/* stats_options.c - the options and the help of `rangeline stats`. */
#include "cli/commands/stats/stats_options.h"

#include "cli/commands.h"
#include "cli/commands/stats/stats_lists.h"
#include "cli/inputs/input_traces.h"
#include "reports/report_set.h"
#include "table/table.h"

static const char *report_name(size_t index)
{
    const struct rln__report_info *about = rln__report_about_at(index);

    return about ? about->name : NULL;
}

static const struct rln__option options[] = {
    [RLN__STATS_REPORT] =
        {.name = "report",
         .letter = 'r',
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "NAME[,NAME]",
         .word_at = report_name,
         .help = "print these reports; default: self_sum, nvtx_startend_sum and tree, "
                 "with GPU work also cuda_gpu_sum (gpu_util of sums), with several "
                 "ranks also rank_sum, of each the rows with the most time. With -f or "
                 "-o, the default is nvtx_sum instead of the first two, and all rows"},
    [RLN__STATS_FORMAT] =
        {.name = "format",
         .letter = 'f',
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "FORMAT[:ARG][,...]",
         .choices = RLN__TABLE_CHOICES,
         .help = "column, table, csv, tsv, json, markdown, hdoc or htable; one "
                 "per report, the last for the rest. Without it, or for `.`: "
                 "column on the console, csv in files"},
    [RLN__STATS_CSV] = {.name = "csv", .help = "the same as -f csv"},
    [RLN__STATS_JSON] = {.name = "json", .help = "the same as -f json"},
    [RLN__STATS_TIMEUNIT] = {.name = "timeunit",
                             .kind = RLN__ARG_TEXT,
                             .value = "UNIT",
                             .choices = "nsec|usec|msec|seconds",
                             .help = "nsec, usec, msec, seconds, or a prefix of one"},
    [RLN__STATS_OUTPUT] =
        {.name = "output",
         .letter = 'o',
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "NAME[,NAME]",
         .help = "write each report to NAME_<report>.<format>; one NAME per report, "
                 "the last for the rest; - is the console, . the trace's name"},
    [RLN__STATS_FORCE] = {.name = "force-overwrite",
                          .kind = RLN__ARG_BOOL,
                          .help = "replace existing files"},
    [RLN__STATS_QUIET] = {.name = "quiet",
                          .letter = 'q',
                          .help = "print only reports, and why one is missing"},
    [RLN__STATS_HELP_REPORTS] =
        {.name = "help-reports",
         .has_operands = true,
         .help = "list all reports, or explain those named as operands, "
                 "such as nvtx_sum,tree or ALL"},
    [RLN__STATS_HELP_FORMATS] =
        {.name = "help-formats",
         .has_operands = true,
         .help = "list formats and their arguments, or those named"},
    [RLN__STATS_SQLITE] = {.name = "sqlite",
                           .kind = RLN__ARG_TEXT,
                           .value = "FILE",
                           .is_ignored = true,
                           .help = "no effect"},
    [RLN__STATS_FORCE_EXPORT] = {.name = "force-export",
                                 .kind = RLN__ARG_BOOL,
                                 .is_ignored = true,
                                 .help = "no effect"},
    [RLN__STATS_STRICT] =
        {.name = "strict",
         .help = "exit with 1 if a report is empty, as when a filter matches nothing"},
    RLN__FILTER_OPTIONS(RLN__STATS_FILTERS),
    [RLN__STATS_DEPTH] = {.name = "max-depth",
                          .kind = RLN__ARG_COUNT,
                          .value = "N",
                          .help = "limit the tree to N levels"},
    [RLN__STATS_SHARE] = {.name = "min-share",
                          .kind = RLN__ARG_TEXT,
                          .value = "PERCENT",
                          .help = "hide tree nodes with less than PERCENT of the time"},
    [RLN__STATS_UNDER] = {.name = "under",
                          .kind = RLN__ARG_TEXT,
                          .value = "NAME",
                          .help =
                              "show only tree nodes of this name (* is any text, ? any "
                              "character) and those inside"},
    [RLN__STATS_SORT] =
        {.name = "sort",
         .kind = RLN__ARG_TEXT,
         .value = "COLUMN",
         .help = "sort rows by a column, such as max: numbers from the largest, "
                 "text from A; not the tree"},
    [RLN__STATS_ROWS] =
        {.name = "rows",
         .letter = 'n',
         .kind = RLN__ARG_COUNT,
         .value = "N",
         .help = "print only the first N rows of each report; not of the tree"},
    [RLN__STATS_JOBS] = {RLN__PROCESSORS_OPTION},
};

static const struct rln__example examples[] = {
    {"see where the time went", "rangeline stats run.rln"},
    {"print only names, of at most 40 characters",
     "rangeline stats -r nvtx_pushpop_sum -f column:nohdr:0:0:0:0:0:0:0:0:40 run.rln"},
    {"print the numbers for a spreadsheet",
     "rangeline stats -r nvtx_sum -f csv run.rln"},
    {"write them to a file, and print the tree",
     "rangeline stats -r nvtx_sum,tree -f csv,column -o .,- run.rln"},
    {"see how ranges nest", "rangeline stats -r tree run.rln"},
    {"see how much steps vary", "rangeline stats -r histogram:step run.rln"},
    {"read all ranks of a run together", "rangeline stats rank*.rln"},
    {"see which kernels took the GPU's time, and which ranges launched them",
     "rangeline stats -r cuda_gpu_kern_sum,nvtx_kern_sum report.sqlite"},
};

const struct rln__command rln__command_stats = {
    .name = "stats",
    .summary = "print how often each range ran and how long it took",
    .operands = "[FILE...]",
    .ignored_because = "it reads traces without another file",
    .operands_help = RLN__INPUT_TRACES_HELP,
    .description =
        "FILE may also be what `rangeline reduce` wrote: sums, for some of the "
        "reports (see its help).\n\nReports of Nsight Systems have its names, "
        "columns, order and rounding; a range is DOMAIN:MESSAGE, or :MESSAGE in the "
        "default domain. On a terminal, times have fitting units unless you give a "
        "format or unit. Medians are exact. A range that was never closed counts up "
        "to the last event of its trace; one already open when its window opened "
        "counts from there. With --window, --filter-time or --filter-nvtx, only time "
        "inside counts.\n\nSeveral JSON reports on the console form one object with "
        "an array each; an empty line separates other tables.\n\nFormat arguments "
        "follow colons: nohdr (no header), nofmt (no thousands separators), "
        "time=UNIT, esc (tsv: \\t for a tab); for column and table, column widths "
        "from the first on (a number, 0 to hide, . to fit); for hdoc, an HTML page, "
        "title=TEXT and css=FILE.\n\nReports with gpu, kern, cuda or nccl in their "
        "name need GPU work, of `profile -t cuda` or Nsight's exports. In nvtx_... "
        "it belongs to the ranges around the call that requested "
        "it.\n\n--help-reports NAME says what the rows and columns of a report "
        "mean.",
    .topics = {"REPORTS", rln__stats_report_at},
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_stats,
};
