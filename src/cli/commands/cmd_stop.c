/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_stop.c - stops recording a run, until `rangeline start`. */
#include <stdio.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/commands/nsys_options.h"
#include "console/die.h"
#include "console/stdout_error.h"
#include "format/windows.h"
#include "record/start/found_run.h"

static const struct rln__example examples[] = {
    {"stop recording a server", "rangeline stop $(pidof server)"},
    {"print what was recorded so far", "rangeline stats run.rln"},
};

const struct rln__command rln__command_stop = {
    .name = "stop",
    .summary = "stop recording a running program",
    .operands = "PID|FILE",
    .description =
        "Closes the window of a run, for all its processes. PID is any process of the "
        "run, or the launcher; FILE is the run's trace.\n\nThe program continues; each "
        "call now costs one check. Open ranges still get their ends. `rangeline start` "
        "opens another window.",
    RLN__EXAMPLES(examples),
    .way_out = rln__nsys_session_way_out,
    .run = rln__cmd_stop,
};

int rln__cmd_stop(int argc, char **argv)
{
    struct rln__args args;
    struct rln__found_run run;
    struct rln__clock_tuple now;
    uint32_t before;

    rln__args_parse(&rln__command_stop, argc, argv, &args);
    rln__found_run_open(&run, &args, true);
    rln__clock_read((enum rln__clock_kind)run.super->clock_kind, &now);
    before = rln__gate_change(run.super, RLN__GATE_COMMAND, 0, RLN__WINDOW_BY_COMMAND,
                              now.ticks);
    rln__found_run_close(&run);
    rln__print_line(stdout, "%s: %s", run.path,
                    before & RLN__GATE_CLOSED ? "was not recording, and stays stopped"
                                              : "recording has stopped");
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
