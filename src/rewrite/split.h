/* SPDX-License-Identifier: Apache-2.0 */
/* split.h - splits a trace into its windows. Records stay as they were recorded.
 *
 *     run.rln --rln__split_open()--+--rln__split_write(0)--> window 0
 *                                  '--rln__split_write(1)--> window 1
 */
#ifndef RLN_REWRITE_SPLIT_H
#define RLN_REWRITE_SPLIT_H

#include "rangeline/error.h"

/* The windows of one trace, to be written separately. */
struct rln__split;

/* Finds the chunks of each window of a trace. No process may still write the trace.
 * RLN_ERR_ARGUMENT if the trace has several parts or a ring buffer. */
rln_status rln__split_open(const char *path, struct rln__split **out, rln_error *err);

/* Counts the windows that can be written: 0 for a trace that was recorded from
 * beginning to end. */
size_t rln__split_count(const struct rln__split *split);

/* Counts the further windows, which the trace does not distinguish. */
uint64_t rln__split_count_unlisted(const struct rln__split *split);

/* Writes a window as a trace: all names of the whole trace, and the events that
 * rln_reader_select_window() selects. The file is sparse: its holes occupy no disk
 * space. RLN_ERR_ARGUMENT if `index` is not below rln__split_count(). */
rln_status rln__split_write(struct rln__split *split, size_t index, int fd,
                            rln_error *err);

/* Frees a split. */
void rln__split_close(struct rln__split *split);

#endif
