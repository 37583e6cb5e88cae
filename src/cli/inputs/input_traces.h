/* SPDX-License-Identifier: Apache-2.0 */
/* input_traces.h - the traces that a reading command was given. */
#ifndef RLN_CLI_INPUTS_INPUT_TRACES_H
#define RLN_CLI_INPUTS_INPUT_TRACES_H

#include "cli/inputs/input_files.h"
#include "console/args.h"
#include "rangeline/filter.h"
#include "reduce/reduced.h"

#define RLN__TITLE_BYTES 320 /* for the longest name of a file */

struct rln__input_traces {
    rln_reader *reader;           /* owned; NULL with the next */
    struct rln__reduced *reduced; /* owned: sums instead of traces; NULL: traces */
    rln_filter *filter;           /* owned: the reader's; or NULL */
    char *found;      /* owned: the name of the trace found without operands, or NULL */
    char **paths;     /* owned, as each is: what was opened; ends with NULL */
    const char *name; /* borrowed: what to call the traces in a message */
    /* Borrowed: the first --process, --thread ... that was given, by rln_filter_kind; or
     * NULL. */
    const char *asked[RLN_FILTER_PAYLOAD];
};

/* For a command's `operands_help`. */
#define RLN__FILES_HELP                                                                \
    "A FILE may also be a quoted pattern, such as 'job/*.rln', or @LIST, a file with " \
    "a name per line."
#define RLN__INPUT_TRACES_HELP                                                         \
    "Several traces are read as one. " RLN__FILES_HELP                                 \
    " Without FILE, the newest *.rln in the working directory is read."

/* Opens the files of these words or, without any, the newest trace of the working
 * directory, which it then names. Exits 1 with a message if that fails. */
void rln__input_traces_open(struct rln__input_traces *inputs, char *const *words,
                            size_t n_words);
/* The same for files that are found already. */
void rln__input_traces_open_files(struct rln__input_traces *inputs,
                                  const struct rln__file_names *files);
/* The same for one or more paths, which are no patterns. */
void rln__input_traces_open_paths(struct rln__input_traces *inputs,
                                  const char *const *paths, size_t n_paths);
/* The option --window of reading commands. */
#define RLN__WINDOW_OPTION                                                             \
    {                                                                                  \
        .name = "window", .kind = RLN__ARG_COUNT, .value = "K", .example = "0",        \
        .help = "read only window K, counted from 0: events that begin in it and "     \
                "ranges open when it opens; `rangeline info` lists windows"            \
    }

/* Their option --align. */
#define RLN__ALIGN_OPTION                                                              \
    {                                                                                  \
        .name = "align", .kind = RLN__ARG_TEXT, .value = "HOW",                        \
        .choices = "realtime|sync|range=",                                             \
        .help = "align machines' clocks: realtime (time of day), "                     \
                "range=MESSAGE[@DOMAIN] (a range that all of them leave together, as " \
                "a barrier) or sync (synchronization points with a shared clock)"      \
    }

/* Their option --jobs, without its group. */
#define RLN__MOST_PROCESSORS 256
#define RLN__PROCESSORS_OPTION                                                         \
    .name = "jobs", .letter = 'j', .kind = RLN__ARG_COUNT, .value = "N",               \
    .range = "1 to 256",                                                               \
    .help = "use N processors; default: all that this process may use, if the "        \
            "traces are large"

/* Sets how many processors reading uses. Exits with a message if `option` gives another
 * number than it may. */
void rln__input_traces_set_jobs(const struct rln__input_traces *inputs,
                                const struct rln__args *args, unsigned option);

/* Aligns clocks as `option` says, if it was given; call before anything is selected.
 * Exits with a message if that is impossible. */
void rln__input_traces_align(const struct rln__input_traces *inputs,
                             const struct rln__args *args, unsigned option);

/* Selects the window that `option` gives, if any. Exits 1 with a message if there is no
 * such window. */
void rln__input_traces_select_window(const struct rln__input_traces *inputs,
                                     const struct rln__args *args, unsigned option);

/* Notes on standard error which traces are there twice, what could not be read so far,
 * and lost events, if there are more than `n_opened`. */
void rln__input_traces_note_losses(const struct rln__input_traces *inputs,
                                   uint64_t n_opened);

/* Exits 1 with a message if `output` is one of the traces, under any name: an input is
 * never overwritten, with or without -f. */
void rln__input_traces_refuse_output(const struct rln__input_traces *inputs,
                                     const char *output);

void rln__input_traces_close(struct rln__input_traces *inputs);

/* Exits 1 with the error's message if `status` is a failure. */
void rln__die_if(rln_status status, const rln_error *err);

/* "run.rln", or "rank0.rln and 3 more". */
void rln__input_traces_title(const struct rln__input_traces *inputs,
                             char out[RLN__TITLE_BYTES]);

#endif
