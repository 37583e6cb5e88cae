/* SPDX-License-Identifier: Apache-2.0 */
/* report_output.h - the format of each report, and where it goes.
 *
 *     -r a,b,c  -f csv,column  -o .,-        a to a file, b and c to the console
 *
 * As in nsys: the first report has the first format and the first name, and so on; the
 * last word of a shorter list counts for the rest.
 */
#ifndef RLN_CLI_SHOW_REPORT_OUTPUT_H
#define RLN_CLI_SHOW_REPORT_OUTPUT_H

#include "cli/show/report_choice.h"
#include "console/args.h"
#include "table/cells.h"

struct rln__report_output {
    const char *name; /* borrowed from the list's words; NULL: the console */
    enum rln__table_format format;
    struct rln__cell_format cell_format;
    struct rln__table_style style;
};

struct rln__report_outputs {
    struct rln__report_output items[RLN__MOST_REPORTS];
    size_t n;                       /* the last one counts for all further reports */
    char *words[RLN__MOST_REPORTS]; /* owned: names */
    size_t n_words;
};

/* `usual` is the format where the option gives none; NULL: column, in files csv. Exits
 * 2 with a message if a word is invalid. */
void rln__choose_outputs(struct rln__report_outputs *outputs,
                         const struct rln__args *args, unsigned format,
                         const char *usual, unsigned timeunit, unsigned output);
const struct rln__report_output *
rln__report_output_of(const struct rln__report_outputs *outputs, size_t report);
void rln__report_outputs_clear(struct rln__report_outputs *outputs);

/* Appends the file name for a report, with a NUL: "run_nvtx_sum.csv". `trace` replaces
 * ".". */
void rln__report_file_name(const struct rln__report_output *output, const char *trace,
                           const struct rln__report_info *report, const char *argument,
                           struct rln__buf *path);

#endif
