/* SPDX-License-Identifier: Apache-2.0 */
/* stats_notes.h - what a reader of the numbers of `stats` has to know about them. */
#ifndef RLN_CLI_COMMANDS_STATS_NOTES_H
#define RLN_CLI_COMMANDS_STATS_NOTES_H

#include "cli/inputs/input_traces.h"
#include "cli/show/report_choice.h"
#include "reports/summary/stats.h"
#include "trace/open/losses.h"

/* Notes which ranges were cut, omitted or lost. */
void rln__stats_note(const struct rln__report_choice *chosen,
                     const struct rln__stats *stats,
                     const struct rln__input_traces *inputs);

/* Notes which kernels the reports lack. */
void rln__stats_note_graphs(const struct rln__report_choice *chosen,
                            rln_reader *reader);

/* Notes that a requested report found no GPU work because no call was recorded. */
void rln__stats_note_calls(const struct rln__report_choice *chosen, rln_reader *reader);

/* Notes why times on a processor are unknown, if a requested report has them. */
void rln__stats_note_switches(const struct rln__report_choice *chosen,
                              rln_reader *reader);

/* Notes under the usual reports that threads were preempted for much of their time: ranges
 * that seem slow may not be. Not with a filter, which selects none of that time. */
void rln__stats_note_preempted(const struct rln__report_choice *chosen,
                               const struct rln__input_traces *inputs);

/* Notes that GPU work was lost, if any was. */
void rln__note_gpu_losses(const struct rln__losses *losses);

/* The same, if a requested report is of it. */
void rln__stats_note_gpu_losses(const struct rln__report_choice *chosen,
                                rln_reader *reader);

#endif
