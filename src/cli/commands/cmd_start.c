/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_start.c - records a run that `rangeline stop` or --start-later holds back. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "console/die.h"
#include "console/stdout_error.h"
#include "format/windows.h"
#include "record/start/run_target.h"

static const struct rln__example examples[] = {
    {"a server that waits for it: `rangeline profile --start-later ./server`",
     "rangeline start $(pidof server)"},
};

const struct rln__command rln__command_start = {
    .name = "start",
    .summary = "record a running program from now on",
    .operands = "PID|FILE",
    .description =
        "Opens a window of a run that was begun with --start-later, or that `rangeline "
        "stop` has stopped: of all its processes, whichever of them PID is; it may be "
        "the launcher as well. FILE is the run's trace.\n\n"
        "What else keeps the run from being recorded, a capture range or a delay, does "
        "so still, and is said.",
    RLN__EXAMPLES(examples),
    .run = rln__cmd_start,
};

int rln__cmd_start(int argc, char **argv)
{
    struct rln__args args;
    struct rln__target target;
    struct rln__clock_tuple now;
    char state[256];

    rln__args_parse(&rln__command_start, argc, argv, &args);
    rln__target_open(&target, &args, true);
    if (rln__gate_of(target.super) & RLN__GATE_OVER)
        rln__die(RLN__EXIT_FAILED,
                 "cannot start recording: path=\"%s\": it is over for this run",
                 target.path);
    if (!rln__target_is_run(&target)) {
        rln__complain("cannot start recording: path=\"%s\": no process has it open",
                      target.path);
        rln__hint("the run has ended, or goes on where its processes are not seen from "
                  "here: in another container");
        exit(RLN__EXIT_FAILED);
    }
    rln__clock_read((enum rln__clock_kind)target.super->clock_kind, &now);
    (void)rln__gate_change(target.super, 0, RLN__GATE_COMMAND, RLN__WINDOW_BY_COMMAND,
                           now.ticks);
    if (rln__target_state(target.super, state, sizeof(state)))
        rln__print_line(stdout, "%s: recording", target.path);
    else
        rln__print_line(stdout, "%s: not recording yet: %s", target.path, state);
    rln__target_close(&target);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
