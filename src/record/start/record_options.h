/* SPDX-License-Identifier: Apache-2.0 */
/* record_options.h - the options that select what is recorded, and how much of it is
 * kept: rows of the option tables of `profile` and `env`, checked, and passed to the
 * collector. capture_options.h has those that select when. */
#ifndef RLN_RECORD_START_RECORD_OPTIONS_H
#define RLN_RECORD_START_RECORD_OPTIONS_H

#include "console/args.h"
#include "record/start/variables.h"

enum rln__record_option {
    RLN__RECORD_INCLUDE,
    RLN__RECORD_EXCLUDE,
    RLN__RECORD_CATEGORIES,
    RLN__N_RECORD_LISTS, /* of names separated by commas; repeated options add up */
    RLN__RECORD_BUFFER = RLN__N_RECORD_LISTS,
    RLN__RECORD_OVERLOAD,
    RLN__N_RECORD_OPTIONS
};

#define RLN__RECORD_OPTIONS(at)                                                        \
    [(at) +                                                                            \
        RLN__RECORD_INCLUDE] = {.group = "What is recorded",                           \
                                .name = "nvtx-domain-include",                         \
                                .kind = RLN__ARG_TEXT,                                 \
                                .is_repeatable = true,                                 \
                                .value = "NAME[,NAME...]",                             \
                                .help = "record these domains alone; `default` "       \
                                        "are the events without a domain, \\ "         \
                                        "before it or before a comma takes it as "     \
                                        "it stands"},                                  \
        [(at) + RLN__RECORD_EXCLUDE] = {.name = "nvtx-domain-exclude",                 \
                                        .kind = RLN__ARG_TEXT,                         \
                                        .is_repeatable = true,                         \
                                        .value = "NAME[,NAME...]",                     \
                                        .help = "leave these domains out"},            \
        [(at) + RLN__RECORD_CATEGORIES] = {.name = "categories",                       \
                                           .kind = RLN__ARG_TEXT,                      \
                                           .is_repeatable = true,                      \
                                           .value = "CATEGORY[@DOMAIN][,...]",         \
                                           .help =                                     \
                                               "record marks and ranges of these "     \
                                               "categories alone, by name (* stands "  \
                                               "for any text) or number; 0 are those " \
                                               "without one; counters and memory "     \
                                               "calls stay"},                          \
        [(at) + RLN__RECORD_BUFFER] = {.name = "buffer",                               \
                                       .kind = RLN__ARG_BYTES,                         \
                                       .value = "SIZE",                                \
                                       .help =                                         \
                                           "keep the newest events alone, in SIZE "    \
                                           "(16M) for each process: a flight "         \
                                           "recorder that can stay on; `rangeline "    \
                                           "snapshot` copies what is there "           \
                                           "while the program runs"},                  \
        [(at) + RLN__RECORD_OVERLOAD] = {.name = "on-overload",                        \
                                         .kind = RLN__ARG_CHOICE,                      \
                                         .choices = "drop|wait",                       \
                                         .help =                                       \
                                             "when an event finds no room ready: "     \
                                             "drop it at once, or wait for room, "     \
                                             "up to a second where the disk is full; " \
                                             "without this option its thread "         \
                                             "makes room and drops where the disk is " \
                                             "full. What is dropped is counted"}

struct rln__record_choice {
    char *lists[RLN__N_RECORD_LISTS]; /* owned: of options that were given */
    bool has_categories;
    const char *filter, *filtered; /* the option that excludes most events, and its
                                      value, both borrowed; or NULL */
    uint64_t buffer_bytes;         /* 0: all events are kept */
};

/* Reads the rows of `args` from `at` on. Exits 2 with a message if they make no
 * sense. */
void rln__record_parse(const struct rln__args *args, unsigned at,
                       struct rln__record_choice *out);
void rln__record_clear(struct rln__record_choice *choice);

/* The collector's variables, except the buffer's size, which is written into the new
 * trace. */
void rln__record_variables(const struct rln__record_choice *choice,
                           const struct rln__args *args, unsigned at,
                           struct rln__variables *out);

#endif
