/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/nsys_options.h"

#include <string.h>

#include "base/count.h"
#include "record/start/gpu_options.h"

struct way_out {
    const char *name; /* of an option; a * stands for what may follow */
    const char *hint;
};

#define PARTS                                                                          \
    "a part of a run is a capture range (-c nvtx -p RANGE), or what `rangeline start " \
    "PID` and `rangeline stop PID` enclose"
#define WINDOWS "leave it out: it is for Windows"
#define EMBEDDED "leave it out: it is for embedded platforms"
#define PATTERNS "use -o 'NAME-%h-%p': %h is the host, %p the program's pid"

static const struct way_out refused[] = {
    {"after-collection-start",
     "run the command before PROGRAM: `rangeline profile sh -c 'COMMAND; exec "
     "PROGRAM'`"},
    {"auto-report-name", PATTERNS},
    {"dask", "use --python=functions: it records the functions of Dask, too"},
    {"duration-frames", PARTS},
    {"hotkey-capture", PARTS},
    {"python-functions-trace",
     "use --python=functions, which records every function, or call "
     "rangeline.nvtx.annotate_module in the program"},
    {"run-as", "`sudo -u USER rangeline profile PROGRAM`"},
    {"session", "leave it out: a run is known by its pid or its trace"},
    {"start-frame-index", PARTS},
    {"dx*", WINDOWS},
    {"el1-*", EMBEDDED},
    {"etw-provider", WINDOWS},
    {"injection-use-detours", WINDOWS},
    {"isr", WINDOWS},
    {"qnx-*", EMBEDDED},
    {"retain-etw-files", WINDOWS},
    {"soc-metrics*", EMBEDDED},
    {"vsync", EMBEDDED},
    {"wddm-*", WINDOWS},
    {"xhv-*", EMBEDDED},
};

static bool is_called(const struct way_out *w, const char *name)
{
    const size_t stem = strcspn(w->name, "*");

    return strncmp(w->name, name, stem) == 0 && (w->name[stem] || !name[stem]);
}

const char *rln__nsys_way_out(const char *name)
{
    for (size_t i = 0; i < RLN_COUNT(refused); i++)
        if (is_called(&refused[i], name))
            return refused[i].hint;
    return rln__gpu_way_out(name);
}

const char *rln__nsys_session_way_out(const char *name)
{
    static const struct way_out known[] = {
        {"session", "give the pid of a process of the run, or its trace"},
        {"defer-report", "leave it out: a trace is complete at every moment"},
        {"keep",
         "`rangeline profile --buffer SIZE` keeps the newest events, `rangeline "
         "snapshot PID` copies them"},
        {"output", "give it to `rangeline profile`"},
        {"capture-range*", "give it to `rangeline profile`"},
        {"export", "give it to `rangeline profile`"},
        {"stats", "give it to `rangeline profile`"},
    };

    for (size_t i = 0; i < RLN_COUNT(known); i++)
        if (is_called(&known[i], name))
            return known[i].hint;
    return NULL;
}

const char *rln__nsys_trigger_way_out(const char *word)
{
    return strcmp(word, "hotkey") == 0 ? PARTS : NULL;
}
