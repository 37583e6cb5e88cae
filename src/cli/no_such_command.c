/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/no_such_command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "cli/commands.h"
#include "console/die.h"
#include "console/ends_with.h"
#include "console/find_program.h"

/* Commands of nsys, and one of perf. */
static const struct {
    const char *name, *hint;
} theirs[] = {
    {"cancel", "`kill PID` ends the program; then remove its trace"},
    {"finalize", "leave it out: a trace is complete at every moment"},
    {"import", "`nsys export -t sqlite` makes files of Nsight's reports that rangeline "
               "reads"},
    {"launch", "`rangeline profile --start-later PROGRAM` runs a program, `rangeline "
               "start PID` records it"},
    {"record", "`rangeline profile PROGRAM` records a program"},
    {"report", "`rangeline stats` prints reports of a trace"},
    {"sessions", "a run is known by its pid or its trace: `rangeline status PID`"},
    {"shutdown", "`rangeline stop PID` ends recording, `kill PID` the program"},
};

static const char *of_nsys(const char *name)
{
    for (size_t i = 0; i < RLN_COUNT(theirs); i++)
        if (strcmp(theirs[i].name, name) == 0)
            return theirs[i].hint;
    return NULL;
}

static const char *nearest_command(const char *name)
{
    const char *names[32];
    size_t n_names = 0;

    while (rln__commands[n_names] && n_names < 32) {
        names[n_names] = rln__commands[n_names]->name;
        n_names++;
    }
    return rln__nearest(name, names, n_names);
}

/* Or sums of traces. */
static bool is_trace(const char *name)
{
    return rln__ends_with(name, ".rln") || rln__ends_with(name, ".sqlite") ||
           rln__ends_with(name, ".rlsum");
}

static bool is_program(const char *name)
{
    char path[PATH_MAX];

    return rln__find_program(name, path) == 0;
}

static void hint_at_command(const char *name)
{
    const char *hint = of_nsys(name);
    const char *nearest = nearest_command(name);

    if (hint)
        rln__hint("%s", hint);
    else if (is_trace(name))
        rln__hint("`rangeline stats %s`", name);
    else if (rln__ends_with(name, ".py"))
        rln__hint("`rangeline profile python3 %s`", name);
    else if (nearest && !strchr(name, '/')) /* programs have names like ours: stat */
        rln__hint("did you mean `rangeline %s`? `rangeline help` lists the commands",
                  nearest);
    else if (is_program(name))
        rln__hint("`rangeline profile %s`", name);
    else
        rln__hint("`rangeline help` lists the commands");
}

void rln__refuse_command(const char *name)
{
    rln__complain("cannot run command: name=\"%s\": no such command", name);
    hint_at_command(name);
    exit(RLN__EXIT_USAGE);
}
