/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_snapshot.c - copies the trace of a running program. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "console/die.h"
#include "record/during/snapshot.h"
#include "record/start/output_name.h"
#include "record/start/run_target.h"

enum { OUTPUT, FORCE_OVERWRITE };

static const struct rln__option options[] = {
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "NAME",
                .help = "write the copy to NAME.rln; # at the end is the first free "
                        "number. Without this option it is TRACE.1.rln, TRACE.2.rln, "
                        "... beside the trace, or beside where --spool will move it"},
    [FORCE_OVERWRITE] = {.name = "force-overwrite",
                         .letter = 'f',
                         .kind = RLN__ARG_BOOL,
                         .initial = "false",
                         .help = "replace a file of that name"},
};

static const struct rln__example examples[] = {
    {"keep the last minutes of a server: `rangeline profile --buffer 64M ./server`",
     "rangeline snapshot $(pidof server)"},
    {"what it did lately, without a file", "rangeline stats server.rln"},
};

const struct rln__command rln__command_snapshot = {
    .name = "snapshot",
    .summary = "copy what is recorded of a running program",
    .operands = "PID|FILE",
    .description =
        "Writes a trace of what is recorded so far of a run, of all its processes, "
        "whichever of them PID is; it may be the launcher as well. FILE is the run's "
        "trace. The program is not stopped and does not notice.\n\n"
        "The copy is of one moment: of each thread it has all events up to then that "
        "the "
        "run still keeps, with all their names. `cp` cannot do that where --buffer "
        "lets "
        "newer events overwrite the oldest.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_snapshot,
};

static _Noreturn void refuse(const char *name, const char *trace, int error)
{
    rln__complain("cannot write snapshot: path=\"%s\", trace=\"%s\": %s", name, trace,
                  error == EDEADLK ? "it is the trace itself" : strerror(error));
    if (error == EEXIST)
        rln__hint("choose another name with -o, or replace it with -f");
    else
        rln__hint("choose another place with -o");
    exit(RLN__EXIT_FAILED);
}

int rln__cmd_snapshot(int argc, char **argv)
{
    struct rln__args args;
    struct rln__target target;
    const char *output;
    char *pattern, *name;
    int result;

    rln__args_parse(&rln__command_snapshot, argc, argv, &args);
    rln__target_open(&target, &args, false);
    output = rln__args_text(&args, OUTPUT);
    pattern = output ? rln__output_expand(output, getpid())
                     : rln__snapshot_pattern(target.name);
    result = rln__snapshot_take(target.path, pattern,
                                rln__args_bool(&args, FORCE_OVERWRITE), &name);
    if (result < 0)
        refuse(name, target.path, -result);
    rln__snapshot_print(name);
    free(name);
    free(pattern);
    rln__target_close(&target);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
