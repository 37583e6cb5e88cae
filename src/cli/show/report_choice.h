/* SPDX-License-Identifier: Apache-2.0 */
/* report_choice.h - parses the requested reports: "tree,pace:step". */
#ifndef RLN_CLI_SHOW_REPORT_CHOICE_H
#define RLN_CLI_SHOW_REPORT_CHOICE_H

#include "base/buf.h"
#include "console/args.h"
#include "reduce/reduced.h"

#define RLN__MOST_REPORTS 64

/* Zeroed, it is empty. */
struct rln__report_choice {
    const struct rln__report_info *reports[RLN__MOST_REPORTS];
    char *arguments[RLN__MOST_REPORTS]; /* owned; NULL: none */
    size_t requests
        [RLN__MOST_REPORTS]; /* indices among the requested ones, known or not */
    size_t n, n_requested;
    bool is_usual; /* the default reports */
    bool is_first; /* the ones that people see who give no format */
};

/* The reports that `option` names; none are the usual ones, which the traces decide.
 * Those of nsys about data that is not recorded are left out with a note. Exits 2 with
 * a message if there is no such report, or no other one. */
void rln__choose_reports(struct rln__report_choice *choice,
                         const struct rln__args *args, unsigned option);

/* Leaves a report out. */
void rln__report_choice_drop(struct rln__report_choice *choice, size_t index);

/* Appends a name for a list of reports, which commas divide. */
void rln__list_put(struct rln__buf *out, const char *bytes, size_t length);

/* The report of that name, a part of a word of `args`; it may be an older name. Exits 2
 * with a message if there is none. */
const struct rln__report_info *rln__report_called(const struct rln__args *args,
                                                  const char *name, size_t length);

/* Adds the usual reports if no other is requested: those that fit the traces, with GPU
 * work and with several ranks. Those of people begin with where the time is; with a
 * format, they are those of nsys. */
void rln__choose_fitting(struct rln__report_choice *choice, const rln_reader *reader);

/* The same for sums of traces. */
void rln__choose_fitting_sums(struct rln__report_choice *choice,
                              const struct rln__reduced *reduced);

/* The length of the first word of "a,b\\,c,d": up to a comma without a backslash before
 * it. */
size_t rln__list_word(const char *list);
/* A copy without its backslashes, for free(). */
char *rln__list_copy(const char *text, size_t length);

void rln__report_choice_clear(struct rln__report_choice *choice);

#endif
