/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_start.c - records a run that `rangeline stop` or --start-later holds back. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/commands/nsys_options.h"
#include "console/die.h"
#include "console/stdout_error.h"
#include "format/windows.h"
#include "record/start/found_run.h"

static const struct rln__example examples[] = {
    {"record a server started by `rangeline profile --start-later ./server`",
     "rangeline start $(pidof server)"},
};

const struct rln__command rln__command_start = {
    .name = "start",
    .summary = "start recording a running program",
    .operands = "PID|FILE",
    .description =
        "Opens a window of a run that was started with --start-later, or stopped by "
        "`rangeline stop`, for all its processes. PID is any process of the run, or "
        "the launcher; FILE is the run's trace.\n\nIf a capture range or a delay still "
        "blocks recording, the command prints which.",
    RLN__EXAMPLES(examples),
    .way_out = rln__nsys_session_way_out,
    .run = rln__cmd_start,
};

int rln__cmd_start(int argc, char **argv)
{
    struct rln__args args;
    struct rln__found_run run;
    struct rln__clock_tuple now;
    char state[256];
    bool is_recording;

    rln__args_parse(&rln__command_start, argc, argv, &args);
    rln__found_run_open(&run, &args, true);
    if (rln__gate_of(run.super) & RLN__GATE_OVER)
        rln__die(
            RLN__EXIT_FAILED,
            "cannot start recording: path=\"%s\": recording has ended for this run",
            run.path);
    if (!rln__found_run_has_process(&run)) {
        rln__complain("cannot start recording: path=\"%s\": no process has it open",
                      run.path);
        rln__hint("if it continues in another container, run this command there; "
                  "otherwise the run has ended");
        exit(RLN__EXIT_FAILED);
    }
    rln__clock_read((enum rln__clock_kind)run.super->clock_kind, &now);
    (void)rln__gate_change(run.super, 0, RLN__GATE_COMMAND, RLN__WINDOW_BY_COMMAND,
                           now.ticks);
    is_recording = rln__run_state(run.super, state, sizeof(state));
    rln__found_run_close(&run);
    if (is_recording)
        rln__print_line(stdout, "%s: recording", run.path);
    else
        rln__print_line(stdout, "%s: not recording yet: %s", run.path, state);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
