/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.h - merges several traces into one. Records stay as they were recorded.
 *
 *     a.rln, b.rln --rln__reader_merge()--> both.rln
 */
#ifndef RLN_REWRITE_REWRITE_H
#define RLN_REWRITE_REWRITE_H

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
 * Ignores filters, windows and renamed messages (rln__reader_rename()). RLN_ERR_IO:
 * the message says whether a trace could not be read or the file could not be written.
 * `*out` is filled in only if RLN_OK is returned. */
rln_status rln__reader_merge(const rln_reader *reader, int fd,
                             struct rln__merge_result *out, rln_error *err);

#endif
