/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c - prints the contents of a trace: on a screen, or as JSON. */
#include <stdbool.h>

#include "base/buf.h"
#include "cli/commands.h"
#include "cli/commands/info/info_json.h"
#include "cli/commands/info/info_screen.h"
#include "cli/commands/info/info_sums.h"
#include "cli/inputs/input_traces.h"
#include "cli/inputs/reduced_inputs.h"
#include "console/die.h"
#include "console/stdout_error.h"
#include "reports/summary/stats.h"

enum { JSON, ALIGN, JOBS };

static const struct rln__option options[] = {
    [JSON] = {.name = "json",
              .help = "print everything as one JSON object; without it, long lists are "
                      "shortened"},
    [ALIGN] = RLN__ALIGN_OPTION,
    [JOBS] = {RLN__PROCESSORS_OPTION},
};

static const struct rln__example examples[] = {
    {"see what a trace contains", "rangeline info run.rln"},
    {"check whether events were dropped",
     "rangeline info --json run.rln | jq '.dropped'"},
};

const struct rln__command rln__command_info = {
    .name = "info",
    .summary = "print what a trace contains",
    .operands = "[FILE...]",
    .operands_help = RLN__INPUT_TRACES_HELP,
    .description =
        "Of sums that `rangeline reduce` wrote, info lists the traces: Trace "
        "is their number in reports, where they have no ranks.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_info,
};

/* Of several files, the traces of all, by name. */
static void print_sums(const struct rln__input_traces *inputs, bool is_json)
{
    struct rln__buf buf = {0};
    const void *bytes;
    size_t n;
    rln_error err = {0};

    rln__die_if(rln__reduced_bytes(inputs->reduced, &bytes, &n, &err), &err);
    rln__info_sums(&buf, inputs, is_json);
    (void)rln__write_out(&buf);
    rln__buf_clear(&buf);
    rln__reduced_inputs_note_losses(inputs->reduced);
}

int rln__cmd_info(int argc, char **argv)
{
    struct rln__args args;
    struct rln__input_traces inputs;
    struct rln__file_names files = {0};
    struct rln__buf buf = {0};
    rln_info *info;
    struct rln__schema_catalog *registered;
    struct rln__stats *stats; /* for what `info` does not pair itself */
    rln_error err = {0};

    rln__args_parse(&rln__command_info, argc, argv, &args);
    rln__file_names_add_all(&files, args.operands, args.n_operands);
    if (rln__reduced_inputs_open(&inputs, &files, &args, RLN__NO_FILTERS)) {
        print_sums(&inputs, rln__args_bool(&args, JSON));
        rln__input_traces_close(&inputs);
        rln__file_names_clear(&files);
        rln__args_clear(&args);
        return RLN__EXIT_OK;
    }
    rln__input_traces_open_files(&inputs, &files);
    rln__file_names_clear(&files);
    rln__input_traces_set_jobs(&inputs, &args, JOBS);
    rln__input_traces_align(&inputs, &args, ALIGN);
    rln__die_if(rln_info_open(inputs.reader, &info, &err), &err);
    rln__die_if(rln__schema_catalog_open(inputs.reader, &registered, &err), &err);
    rln__die_if(rln__stats_new(inputs.reader, &stats, &err), &err);
    if (rln__args_bool(&args, JSON))
        rln__json_info(&buf, info, registered, rln__stats_get_totals(stats));
    else
        rln__info_screen(&buf, info, registered, rln__stats_get_totals(stats));
    (void)rln__write_out(&buf);
    rln__buf_clear(&buf);
    rln__stats_free(stats);
    rln__schema_catalog_close(registered);
    rln_info_close(info);
    rln__input_traces_close(&inputs);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
