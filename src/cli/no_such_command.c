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
#include "console/hint_line.h"
#include "console/nearest.h"

/* Commands of other tools: how ours begins, what it is about if nothing was given, and
 * what it does. */
static const struct {
    const char *name, *ours, *operands, *does;
} theirs[] = {
    {"attach", "start", "PID", " records a running program"},
    {"compare", "diff", "BEFORE AFTER", " compares two runs"},
    {"convert", "export -t TYPE", "TRACE", " writes a trace for another tool"},
    {"flamegraph", "export -t folded", "TRACE",
     " writes what flamegraph.pl and speedscope read"},
    {"html", "view --html PAGE", "TRACE", " writes a page"},
    {"live", "top", "PID", " shows what a running program is doing"},
    {"open", "view", "TRACE", " shows a timeline"},
    {"record", "profile", "PROGRAM", " records a program"},
    {"report", "stats", "TRACE", " prints reports of a trace"},
    {"run", "profile", "PROGRAM", " records a program"},
    {"script", "print", "TRACE", " prints every event"},
    {"serve", "view", "TRACE", " serves a timeline"},
    {"show", "stats", "TRACE", " prints where the time went"},
    {"summary", "stats", "TRACE", " prints where the time went"},
    {"trace", "profile", "PROGRAM", " records a program"},
    {"tree", "stats -r tree", "TRACE", " prints how ranges nest"},
};

/* Those that no command of ours stands for, all of nsys. */
static const struct {
    const char *name, *hint;
} without[] = {
    {"cancel", "`kill PID` ends the program; then remove its trace"},
    {"finalize", "leave it out: a trace is complete at every moment"},
    {"import", "`nsys export -t sqlite` makes files of Nsight's reports that rangeline "
               "reads"},
    {"launch", "`rangeline profile --start-later PROGRAM` runs a program, `rangeline "
               "start PID` records it"},
    {"sessions", "a run is known by its pid or its trace: `rangeline status PID`"},
    {"shutdown", "`rangeline stop PID` ends recording, `kill PID` the program"},
    {"version", "`rangeline --version`"},
};

static bool hint_of_other_tools(const char *name, char *const *words)
{
    for (size_t i = 0; i < RLN_COUNT(without); i++)
        if (strcmp(without[i].name, name) == 0) {
            rln__hint("%s", without[i].hint);
            return true;
        }
    for (size_t i = 0; i < RLN_COUNT(theirs); i++) {
        if (strcmp(theirs[i].name, name) != 0)
            continue;
        rln__hint_line("", theirs[i].ours, words, theirs[i].operands, theirs[i].does);
        return true;
    }
    return false;
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

static void hint_at_command(char *const *words)
{
    const char *name = words[0], *nearest = nearest_command(name);

    if (hint_of_other_tools(name, words + 1))
        return;
    if (is_trace(name))
        rln__hint_line("", "stats", words, NULL, "");
    else if (rln__ends_with(name, ".py"))
        rln__hint_line("", "profile python3", words, NULL, "");
    else if (nearest && !strchr(name, '/')) /* programs have names like ours: stat */
        rln__hint_line("did you mean ", nearest, words + 1, NULL,
                       "? `rangeline help` lists the commands");
    else if (is_program(name))
        rln__hint_line("", "profile", words, NULL, "");
    else
        rln__hint("`rangeline help` lists the commands");
}

void rln__refuse_command(char *const *words)
{
    rln__complain("cannot run command: name=\"%s\": no such command", words[0]);
    hint_at_command(words);
    exit(RLN__EXIT_USAGE);
}
