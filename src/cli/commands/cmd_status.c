/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_status.c - prints whether a run is being recorded, and what it has recorded. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/commands/nsys_options.h"
#include "cli/inputs/input_traces.h"
#include "console/die.h"
#include "console/stdout_error.h"
#include "record/finish/trace_totals.h"
#include "record/start/found_run.h"

static const struct rln__example examples[] = {
    {"see whether a server is recorded, and if not, why",
     "rangeline status $(pidof server)"},
};

const struct rln__command rln__command_status = {
    .name = "status",
    .summary = "print whether a running program is recorded",
    .operands = "PID|FILE",
    .description =
        "PID is any process of the run, or the launcher; FILE is the run's trace.",
    RLN__EXAMPLES(examples),
    .way_out = rln__nsys_session_way_out,
    .run = rln__cmd_status,
};

static void add_line(struct rln__buf *buf, const char *label, const char *text)
{
    rln__buf_format(buf, "%-12s", label);
    (void)rln__buf_printable(buf, text, strlen(text));
    rln__buf_char(buf, '\n');
}

/* Counting reads the whole file, which takes half a second a GiB. */
static void add_contents(struct rln__buf *buf, const struct rln__found_run *run)
{
    struct rln__trace_totals totals;
    char line[256];

    if (rln__trace_totals_read(run->path, &totals) < 0)
        return;
    rln__trace_totals_format(&totals, line, sizeof(line));
    add_line(buf, "contents", line);
}

int rln__cmd_status(int argc, char **argv)
{
    struct rln__args args;
    struct rln__found_run run;
    struct rln__buf buf = {0};
    char state[256];
    bool is_recording, has_ended, is_run;

    rln__args_parse(&rln__command_status, argc, argv, &args);
    rln__found_run_open(&run, &args, false);
    is_recording = rln__run_state(run.super, state, sizeof(state));
    has_ended = run.super->finished;
    is_run = !has_ended && rln__found_run_has_process(&run);
    rln__found_run_close(&run);
    add_line(&buf, "trace", run.path);
    add_line(&buf, "run",
             has_ended ? "has ended"
             : is_run  ? "running"
                       : "was killed: no process has the trace open");
    rln__buf_format(&buf, "%-12s%s%s\n", "recording",
                    !is_run        ? "over"
                    : is_recording ? "yes"
                                   : "no: ",
                    !is_run || is_recording ? "" : state);
    add_contents(&buf, &run);
    (void)rln__write_out(&buf);
    rln__buf_clear(&buf);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
