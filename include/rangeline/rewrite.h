/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.h - traces made of traces: several as one, and each window of one apart.
 *
 *     a.rln, b.rln --rln_reader_write()--> both.rln
 *
 *     run.rln --rln_split_open()--+--rln_split_write(0)--> window 0
 *                                 '--rln_split_write(1)--> window 1
 *
 * Neither decodes and encodes again: what is kept is kept as it was recorded.
 */
#ifndef RANGELINE_REWRITE_H
#define RANGELINE_REWRITE_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What rln_reader_write() wrote. */
typedef struct rln_written {
    uint64_t n_bytes; /**< How long the file is, holes included. */
    uint64_t n_parts; /**< One for each run that is in it. */
} rln_written;

/**
 * Writes all opened traces as one: each keeps its own clock. By how much
 * rln_reader_align() moved a clock goes into its time of day, in the copy; how fast it
 * goes does not.
 *
 * A filter, a window and new names of messages (rln_reader_rename()) are of no account.
 *
 * Ownership: `fd` is an empty file that may be written at any place; it stays the
 *            caller's, and stays open. After a failure what is in it is no trace.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_IO; the message says whether a trace could not be read or the file
 *            not be written. `*out` is filled in only if RLN_OK is returned.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_write(const rln_reader *reader, int fd,
                                                  rln_written *out, rln_error *err);

/** The windows of one trace, to be written apart. */
typedef struct rln_split rln_split;

/**
 * Finds out what in a trace is of which window. Nobody may write it any more.
 *
 * Ownership: the caller owns `*out` and frees it with rln_split_close(). On failure it
 *            is NULL.
 * Threads:   any; what it gives, one at a time.
 * Errors:    those of rln_reader_open(); RLN_ERR_ARGUMENT if the trace has several
 *            parts or keeps its newest events only.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_split_open(const char *path, rln_split **out,
                                                rln_error *err);

/**
 * Says how many windows can be written: 0 of a trace that was recorded from its
 * beginning to its end.
 *
 * Ownership: none.
 * Threads:   any, while nobody closes it.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_split_count(const rln_split *split);

/**
 * Says how many more there were than can be told apart.
 *
 * Ownership: none.
 * Threads:   any, while nobody closes it.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API uint64_t rln_split_count_unlisted(const rln_split *split);

/**
 * Writes a window as a trace of its own: the names that the whole trace has, and of its
 * events those that rln_reader_select_window() would show. The file has holes, and
 * takes no more room than what is in it.
 *
 * Ownership: as rln_reader_write().
 * Threads:   one at a time.
 * Errors:    RLN_ERR_ARGUMENT if `index` is not below rln_split_count(); RLN_ERR_IO,
 *            RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_split_write(rln_split *split, size_t index, int fd,
                                                 rln_error *err);

/**
 * Frees it.
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
