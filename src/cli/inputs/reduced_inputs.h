/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_inputs.h - files of `rangeline reduce`, given in place of traces. */
#ifndef RLN_CLI_INPUTS_REDUCED_INPUTS_H
#define RLN_CLI_INPUTS_REDUCED_INPUTS_H

#include "cli/inputs/input_traces.h"
#include "cli/show/report_choice.h"

#include <limits.h>

#define RLN__NO_FILTERS UINT_MAX

/* The first of the files if they are such, else NULL. Exits with a message if only some
 * are. */
const char *rln__reduced_inputs_first(const struct rln__file_names *files);

/* Whether the files are such, which are then opened and merged, and their names taken.
 * Exits with a message if only some are, or if they cannot be read or merged. `filters`
 * is the first of the filter options, which refuse such files, or RLN__NO_FILTERS. */
bool rln__reduced_inputs_open(struct rln__input_traces *inputs,
                              struct rln__file_names *files,
                              const struct rln__args *args, unsigned filters);

/* Removes the reports that need the traces themselves, and says so; returns how many.
 * Exits 1 if no other is left. */
size_t rln__choose_of_sums(struct rln__report_choice *choice,
                           const struct rln__input_traces *inputs);

/* Notes on standard error which medians are not exact. */
void rln__reduced_inputs_note_medians(const struct rln__input_traces *inputs);
/* And what the sums lack, or have twice. */
void rln__reduced_inputs_note_losses(struct rln__reduced *sums);

/* Notes which trace is there as a whole and as a window of `profile --split`. */
void rln__note_window_twice(const struct rln__reduced *sums);

#endif
