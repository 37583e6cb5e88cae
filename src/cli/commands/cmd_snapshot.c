/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_snapshot.c - copies the trace of a running program. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "console/die.h"
#include "console/unfinished.h"
#include "record/during/snapshot.h"
#include "record/start/found_run.h"
#include "record/start/output_name.h"

enum { OUTPUT, FORCE_OVERWRITE };

static const struct rln__option options[] = {
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "NAME",
                .help = "write NAME.rln; # at the end is the first free number. "
                        "Default: TRACE.1.rln, TRACE.2.rln, ... beside the trace, or "
                        "beside where --spool will move it"},
    [FORCE_OVERWRITE] = {.name = "force-overwrite",
                         .letter = 'f',
                         .kind = RLN__ARG_BOOL,
                         .initial = "false",
                         .help = "replace an existing file"},
};

static const struct rln__example examples[] = {
    {"copy the last minutes of `rangeline profile --buffer 64M ./server`",
     "rangeline snapshot $(pidof server)"},
    {"read the running trace, without a copy", "rangeline stats server.rln"},
};

const struct rln__command rln__command_snapshot = {
    .name = "snapshot",
    .summary = "copy the trace of a running program",
    .operands = "PID|FILE",
    .description =
        "Writes a trace of all that is recorded so far of a run, of all its processes. "
        "PID is any process of the run, or the launcher; FILE is the run's trace. This "
        "does not affect the program.\n\nThe copy is consistent: for each thread it "
        "has all events up to one time that the run still keeps, with all names. `cp` "
        "cannot do that where --buffer overwrites the oldest events.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_snapshot,
};

static _Noreturn void refuse(const char *name, const char *trace, int error)
{
    rln__complain("cannot write snapshot: path=\"%s\", trace=\"%s\": %s", name, trace,
                  error == EDEADLK ? "it is the trace of the run" : strerror(error));
    if (error == EEXIST)
        rln__hint("choose another name with -o, or replace it with -f");
    else if (error == ENAMETOOLONG)
        rln__hint("use a shorter name with -o");
    else
        rln__hint("choose another folder with -o");
    exit(RLN__EXIT_FAILED);
}

int rln__cmd_snapshot(int argc, char **argv)
{
    struct rln__args args;
    struct rln__found_run run;
    const char *output;
    char *pattern, *name;
    int result;

    rln__args_parse(&rln__command_snapshot, argc, argv, &args);
    rln__found_run_open(&run, &args, false);
    output = rln__args_text(&args, OUTPUT);
    pattern =
        output ? rln__output_expand(output, getpid()) : rln__snapshot_pattern(run.name);
    rln__unfinished_begin(NULL);
    result =
        rln__snapshot_take(run.path, pattern, rln__args_bool(&args, FORCE_OVERWRITE),
                           rln__unfinished_is, &name);
    rln__unfinished_is(NULL);
    if (result < 0)
        refuse(name, run.path, -result);
    rln__snapshot_print(name);
    free(name);
    free(pattern);
    rln__found_run_close(&run);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
