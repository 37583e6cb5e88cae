/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.h - merges several traces into one, and splits a trace into its windows.
 *
 *     a.rln, b.rln --rln_reader_merge()--> both.rln
 *
 *     run.rln --rln_split_open()--+--rln_split_write(0)--> window 0
 *                                 '--rln_split_write(1)--> window 1
 *
 * Neither re-encodes anything: records stay as they were recorded.
 */
#ifndef RANGELINE_REWRITE_H
#define RANGELINE_REWRITE_H

#include "rangeline/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What rln_reader_merge() wrote. */
typedef struct rln_merge_result {
    uint64_t n_bytes; /**< Length of the file, holes included. */
    uint64_t n_parts; /**< One per run. */
} rln_merge_result;

/**
 * Writes all opened traces as one; each keeps its own clock. A shift by
 * rln_reader_align() changes the start time of the copy; a correction of speed is
 * discarded.
 *
 * Ignores filters, windows and renamed messages (rln_reader_rename()).
 *
 * Ownership: `fd` is an empty file, writable at any position; it remains the caller's,
 *            and open. After a failure its contents are not a trace.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_IO; the message says whether a trace could not be read or the file
 *            could not be written. `*out` is filled in only if RLN_OK is returned.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_merge(const rln_reader *reader, int fd,
                                                  rln_merge_result *out,
                                                  rln_error *err);

/** The windows of one trace, to be written separately. */
typedef struct rln_split rln_split;

/**
 * Finds the chunks of each window of a trace. No process may still write the trace.
 *
 * Ownership: the caller owns `*out` and frees it with rln_split_close(). On failure it
 *            is NULL.
 * Threads:   any; use the result in one thread at a time.
 * Errors:    those of rln_reader_open(); RLN_ERR_ARGUMENT if the trace has several
 *            parts or a ring buffer.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_split_open(const char *path, rln_split **out,
                                                rln_error *err);

/**
 * Counts the windows that can be written: 0 for a trace that was recorded from
 * beginning to end.
 *
 * Ownership: none.
 * Threads:   any, until it is closed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_split_count(const rln_split *split);

/**
 * Counts the further windows, which the trace does not distinguish.
 *
 * Ownership: none.
 * Threads:   any, until it is closed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API uint64_t rln_split_count_unlisted(const rln_split *split);

/**
 * Writes a window as a trace: all names of the whole trace, and the events that
 * rln_reader_select_window() selects. The file is sparse: its holes occupy no disk
 * space.
 *
 * Ownership: as rln_reader_merge().
 * Threads:   one at a time.
 * Errors:    RLN_ERR_ARGUMENT if `index` is not below rln_split_count(); RLN_ERR_IO,
 *            RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_split_write(rln_split *split, size_t index, int fd,
                                                 rln_error *err);

/**
 * Frees a split.
 *
 * Ownership: takes `split`. NULL is accepted.
 * Threads:   one.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_split_close(rln_split *split);

#ifdef __cplusplus
}
#endif

#endif
