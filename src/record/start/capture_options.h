/* SPDX-License-Identifier: Apache-2.0 */
/* capture_options.h - the options that say which part of a run is recorded: rows of the
 * option tables of `profile` and `env`, checked, and passed to the collector.
 *
 *     enum { SHELL, CAPTURE, OUTPUT = CAPTURE + RLN__N_CAPTURE_OPTIONS };
 *
 *     [SHELL] = {...},
 *     RLN__CAPTURE_OPTIONS(CAPTURE, "none|nvtx", NULL),
 *     [OUTPUT] = {...},
 */
#ifndef RLN_RECORD_START_CAPTURE_OPTIONS_H
#define RLN_RECORD_START_CAPTURE_OPTIONS_H

#include "console/args.h"
#include "record/start/variables.h"

enum rln__capture_option {
    RLN__CAPTURE_RANGE,
    RLN__CAPTURE_NVTX,
    RLN__CAPTURE_END,
    RLN__CAPTURE_NTH,
    RLN__N_CAPTURE_OPTIONS
};

/* `otherwise` gives the hint for another trigger, or is NULL. */
#define RLN__CAPTURE_OPTIONS(at, triggers, otherwise)                                  \
    [(at) +                                                                            \
        RLN__CAPTURE_RANGE] =                                                          \
        {.group = "When it is recorded",                                               \
         .name = "capture-range",                                                      \
         .letter = 'c',                                                                \
         .kind = RLN__ARG_CHOICE,                                                      \
         .choices = (triggers),                                                        \
         .way_out = (otherwise),                                                       \
         .initial = "none",                                                            \
         .help = "record while such a range is open; none: record the whole run"},     \
        [(at) + RLN__CAPTURE_NVTX] =                                                   \
            {.name = "nvtx-capture",                                                   \
             .letter = 'p',                                                            \
             .kind = RLN__ARG_TEXT,                                                    \
             .value = "MESSAGE[@DOMAIN]",                                              \
             .help = "ranges for -c nvtx. Without @DOMAIN: the default domain; @*: "   \
                     "any; * is any text, ? any character; \\ escapes them and @"},    \
        [(at) + RLN__CAPTURE_END] =                                                    \
            {.name = "capture-range-end",                                              \
             .kind = RLN__ARG_TEXT,                                                    \
             .value = "MODE",                                                          \
             .choices = "none|stop|stop-shutdown|repeat|"                              \
                        "repeat:2|repeat-shutdown:2",                                  \
             .initial = "stop",                                                        \
             .help =                                                                   \
                 "when the range closes: none: keep recording; stop: stop recording; " \
                 "repeat[:N]: also record the next one, N in total; stop-shutdown, "   \
                 "repeat-shutdown:N: then end the run (see --kill)"},                  \
        [(at) + RLN__CAPTURE_NTH] = {                                                  \
            .name = "capture-nth",                                                     \
            .kind = RLN__ARG_TEXT,                                                     \
            .value = "K[..M]",                                                         \
            .help = "record only occurrences K to M, counted from 0"}

enum rln__capture_trigger {
    RLN__TRIGGER_NONE,
    RLN__TRIGGER_NVTX,
    RLN__TRIGGER_CUDA,
};

struct rln__capture_choice {
    enum rln__capture_trigger trigger;
    const char *range; /* borrowed from argv; NULL unless the trigger is a range */
    bool shuts_down;
};

/* Exits 2 with a message if MESSAGE[@DOMAIN], in the value of the option `name`, is
 * invalid. */
void rln__capture_check_range(const char *name, const char *value, const char *range);

/* Reads the rows of `args` from `at` on. Exits 2 with a message if they make no
 * sense. */
void rln__capture_parse(const struct rln__args *args, unsigned at,
                        struct rln__capture_choice *out);

/* The collector's variables: RANGELINE_CAPTURE, ..._END, ..._NTH. */
void rln__capture_variables(const struct rln__args *args, unsigned at,
                            struct rln__variables *out);

/* The two patterns of MESSAGE[@DOMAIN], with their escapes: owned; `*domain` is NULL
 * for the default domain. Dies if memory is out. */
void rln__capture_split(const char *range, char **message, char **domain);

#endif
