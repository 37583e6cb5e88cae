/* SPDX-License-Identifier: Apache-2.0 */
/* trim.h - gives back the room that a finished trace reserved and did not use.
 *
 * Only zeros go: unused ends of chunks and blocks become holes, and unused blocks at
 * the end of the file are cut off. No offset changes, so a reader sees the same trace
 * before, during and after. The trace must no longer be written.
 */
#ifndef RLN_FORMAT_TRIM_H
#define RLN_FORMAT_TRIM_H

#include <stdint.h>

struct rln__trim {
    uint64_t file_bytes;    /* the file's size now */
    uint64_t punched_bytes; /* turned into holes */
};

/* Trims the trace at `fd`, which is open for reading and writing. Trusts nothing in the
 * file. 0 or -errno; where the file system has no holes, only the end is cut. Stops
 * with -EINTR when `is_stopped` says so; that may be NULL. */
int rln__trim(int fd, int (*is_stopped)(void), struct rln__trim *out);

#endif
