/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.h - merges several traces into one, and splits a trace into its windows.
 *
 *     a.rln, b.rln --rln__reader_merge()--> both.rln
 *
 *     run.rln --rln__split_open()--+--rln__split_write(0)--> window 0
 *                                 '--rln__split_write(1)--> window 1
 *
 * Neither re-encodes anything: records stay as they were recorded.
 */
#ifndef RLN_TRACE_REWRITE_REWRITE_H
#define RLN_TRACE_REWRITE_REWRITE_H

#include "rangeline/reader.h"

/* What rln__reader_merge() wrote. */
struct rln__merge_result {
    uint64_t n_bytes; /* Length of the file, holes included. */
    uint64_t n_parts; /* One per run. */
};

/* Writes all opened traces as one; each keeps its own clock. A shift by
 * rln__reader_align() changes the start time of the copy; a correction of speed is
 * discarded.
 *
 * Ignores filters, windows and renamed messages (rln__reader_rename()). */
rln_status rln__reader_merge(const rln_reader *reader, int fd,
                             struct rln__merge_result *out, rln_error *err);

/* The windows of one trace, to be written separately. */
struct rln__split;

/* Finds the chunks of each window of a trace. No process may still write the trace. */
rln_status rln__split_open(const char *path, struct rln__split **out, rln_error *err);

/* Counts the windows that can be written: 0 for a trace that was recorded from
 * beginning to end. */
size_t rln__split_count(const struct rln__split *split);

/* Counts the further windows, which the trace does not distinguish. */
uint64_t rln__split_count_unlisted(const struct rln__split *split);

/* Writes a window as a trace: all names of the whole trace, and the events that
 * rln_reader_select_window() selects. The file is sparse: its holes occupy no disk
 * space. */
rln_status rln__split_write(struct rln__split *split, size_t index, int fd,
                            rln_error *err);

/* Frees a split. */
void rln__split_close(struct rln__split *split);

#endif
