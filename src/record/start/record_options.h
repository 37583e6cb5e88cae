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
        RLN__RECORD_INCLUDE] =                                                         \
        {.group = "What is recorded",                                                  \
         .name = "nvtx-domain-include",                                                \
         .kind = RLN__ARG_TEXT,                                                        \
         .is_repeatable = true,                                                        \
         .value = "NAME[,NAME...]",                                                    \
         .help = "record only these domains; `default` means events without a "        \
                 "domain; \\ makes it, or a comma, literal"},                          \
        [(at) + RLN__RECORD_EXCLUDE] = {.name = "nvtx-domain-exclude",                 \
                                        .kind = RLN__ARG_TEXT,                         \
                                        .is_repeatable = true,                         \
                                        .value = "NAME[,NAME...]",                     \
                                        .help = "exclude these domains"},              \
        [(at) + RLN__RECORD_CATEGORIES] =                                              \
            {.name = "categories",                                                     \
             .kind = RLN__ARG_TEXT,                                                    \
             .is_repeatable = true,                                                    \
             .value = "CATEGORY[@DOMAIN][,...]",                                       \
             .help = "record only marks and ranges of these categories, by name (* "   \
                     "is any text, ? any character) or number (0: no category); "      \
                     "counters and memory calls are not filtered"},                    \
        [(at) + RLN__RECORD_BUFFER] =                                                  \
            {.name = "buffer",                                                         \
             .kind = RLN__ARG_BYTES,                                                   \
             .value = "SIZE",                                                          \
             .help = "keep only the newest events, in a ring buffer of SIZE (16M) "    \
                     "per process, for continuous use; `rangeline snapshot` copies "   \
                     "it while the program runs"},                                     \
        [(at) + RLN__RECORD_OVERLOAD] = {                                              \
            .name = "on-overload",                                                     \
            .kind = RLN__ARG_CHOICE,                                                   \
            .choices = "drop|wait",                                                    \
            .help =                                                                    \
                "if an event finds no free space: drop it, or wait, at most 1 s if "   \
                "the disk is full. By default the thread makes space, and drops "      \
                "events if the disk is full. The collector counts dropped events"}

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
