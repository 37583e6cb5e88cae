/* SPDX-License-Identifier: Apache-2.0 */
/* filter_options.h - the options that filter and rename, the same in every command that
 * reads traces.
 *
 *     --align                                 on which time line
 *     --fold-numbers --rename                 under which names
 *     --window --filter-time --filter-nvtx    when
 *     --process --thread ... --filter-payload what
 *     --min-duration                          how long
 */
#ifndef RLN_CLI_INPUTS_FILTER_OPTIONS_H
#define RLN_CLI_INPUTS_FILTER_OPTIONS_H

#include "base/buf.h"
#include "cli/inputs/input_traces.h"

#define RLN__FILTER_KINDS (RLN_FILTER_PAYLOAD + 1)

enum {
    RLN__OPTION_ALIGN,
    RLN__OPTION_FOLD,
    RLN__OPTION_RENAME,
    RLN__OPTION_WINDOW,
    RLN__OPTION_TIME,
    RLN__OPTION_NVTX,
    RLN__OPTION_WHAT, /* and the rows after it, as rln_filter_kind */
    RLN__OPTION_DURATION = RLN__OPTION_WHAT + RLN__FILTER_KINDS,
    RLN__N_FILTER_OPTIONS
};

/* The rows of an option table from `first` on. */
#define RLN__FILTER_OPTIONS(first)                                                     \
    RLN__TIME_OPTIONS(first), RLN__RENAME_OPTIONS((first) + RLN__OPTION_FOLD),         \
        RLN__NAME_OPTIONS((first) + RLN__OPTION_WHAT),                                 \
        [(first) + RLN__OPTION_DURATION] = RLN__DURATION_OPTION

/* --- Inside ----------------------------------------------------------------------- */

#define RLN__TIME_OPTIONS(first)                                                       \
    [(first) + RLN__OPTION_ALIGN] = RLN__ALIGN_OPTION,                                 \
               [(first) + RLN__OPTION_WINDOW] = RLN__WINDOW_OPTION,                    \
               [(first) + RLN__OPTION_TIME] =                                          \
                   {.name = "filter-time",                                             \
                    .kind = RLN__ARG_TEXT,                                             \
                    .value = "[START]/[END]",                                          \
                    .help = "read only this interval, such as 1s/2500ms: events that " \
                            "begin in it and ranges already open"},                    \
               [(first) + RLN__OPTION_NVTX] = {                                        \
                   .name = "filter-nvtx",                                              \
                   .kind = RLN__ARG_TEXT,                                              \
                   .value = "RANGE[@DOMAIN][/INDEX]",                                  \
                   .help = "read only the time of one range; INDEX, counted from 0, "  \
                           "selects among equal names, before --rename. Without "      \
                           "@DOMAIN: the default domain; @*: any; \\ escapes @ and /"}

#define RLN__RENAME_OPTIONS(first)                                                     \
    [(first)] = {.name = "fold-numbers",                                               \
                 .help = "merge names that differ only in numbers: `step 12` and "     \
                         "`step 13` become `step #`"},                                 \
    [(first) + 1] = {                                                                  \
        .name = "rename",                                                              \
        .kind = RLN__ARG_TEXT,                                                         \
        .is_repeatable = true,                                                         \
        .value = "s/PATTERN/TEXT/",                                                    \
        .help = "rewrite range and mark names like sed (extended regular expression; " \
                "flags g, i; matches as in --name). A name that grows by more than "   \
                "4096 bytes is cut and ends with [...]. --name matches new names"}

#define RLN__WHAT_OPTION(option, form, what)                                           \
    {                                                                                  \
        .name = (option), .kind = RLN__ARG_TEXT, .is_repeatable = true,                \
        .value = (form), .help = (what)                                                \
    }
#define RLN__NAME_OPTION(option, what) RLN__WHAT_OPTION(option, "PATTERN", what)
#define RLN__NAME_OPTIONS(first)                                                       \
    [(first) +                                                                         \
        RLN_FILTER_PROCESS] =                                                          \
        RLN__NAME_OPTION("process", "select a process by pid or program name"),        \
        [(first) + RLN_FILTER_THREAD] = RLN__NAME_OPTION(                              \
            "thread", "select a thread by tid or name, or a stream of a GPU by name"), \
        [(first) + RLN_FILTER_DOMAIN] = RLN__NAME_OPTION(                              \
            "domain", "select a domain; `default` is the unnamed one"),                \
        [(first) + RLN_FILTER_CATEGORY] =                                              \
            RLN__NAME_OPTION("category", "select a category by number or name"),       \
        [(first) + RLN_FILTER_NAME] = RLN__NAME_OPTION(                                \
            "name",                                                                    \
            "select a message. In patterns * is any text, ? any character, and "       \
            "/PATTERN/ an extended regular expression that matches anywhere in the "   \
            "first 4096 bytes"),                                                       \
        [(first) + RLN_FILTER_PAYLOAD] = RLN__WHAT_OPTION(                             \
            "filter-payload", "TEST[,TEST...]",                                        \
            "select ranges and marks whose payload passes all tests: >= 1M, != 0, "    \
            "1000..2000 (plain payload); Bytes>=1M, Op=Sum, peer.name=gpu* (field of " \
            "an extended payload). K, M, G, T are powers of 1024")

#define RLN__DURATION_OPTION                                                           \
    {                                                                                  \
        .name = "min-duration", .kind = RLN__ARG_TEXT, .value = "TIME",                \
        .help = "select ranges and GPU work that took at least TIME, such as 500us "   \
                "or 1.5ms"                                                             \
    }

/* --- Reading them ----------------------------------------------------------------- */

/* The filter of the options from `what` on, one of each kind, and of --min-duration;
 * NULL if everything matches. Owned by the caller. Exits 1 or 2 with a message if they
 * make no sense. */
rln_filter *rln__filter_read(const struct rln__args *args, unsigned what,
                             unsigned duration);

/* The rules of the two options from `first` on: an array of `*n`, for free(), of
 * borrowed texts. */
const char **rln__rename_rules(const struct rln__args *args, unsigned first, size_t *n);

/* Exits 2 if one of them is not a rule, or 1 for another failure. */
void rln__die_of_rules(rln_status status, const rln_error *err);

/* Renames by the two options from `first` on. Exits 2 with a message if one of them is
 * not a rule. */
void rln__apply_renames(const struct rln__input_traces *inputs,
                        const struct rln__args *args, unsigned first);

/* Restricts the traces to the times that options from `first` on give. Exits 1 or 2
 * with a message if these make no sense. */
void rln__select_time(const struct rln__input_traces *inputs,
                      const struct rln__args *args, unsigned first);

/* Sets the reader's filter from the options. Exits as above. */
void rln__select_events(struct rln__input_traces *inputs, const struct rln__args *args,
                        unsigned first);

/* All three. */
void rln__restrict(struct rln__input_traces *inputs, const struct rln__args *args,
                   unsigned first);

/* Adds the options that were given and leave something out, as typed; nothing if there
 * are none. */
void rln__filter_summary(const struct rln__args *args, unsigned first,
                         struct rln__buf *out);

/* Appends the options from `first` up to `end` that were given as words of a shell,
 * each with a blank before it, so that another command sees the same events: "
 * --fold-numbers --name 'a b'". All are up to first + RLN__N_FILTER_OPTIONS. */
void rln__filter_words(const struct rln__args *args, unsigned first, unsigned end,
                       struct rln__buf *out);

/* What --min-duration says, in ns; 0 without it. Exits 2 with a message if that is no
 * time. */
int64_t rln__least_duration(const struct rln__args *args, unsigned option);

/* Prints a note if a filter is the reason for an empty result: `n` is the number of
 * matches. */
void rln__note_if_empty(const struct rln__input_traces *inputs, uint64_t n);

#endif
