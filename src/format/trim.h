/* SPDX-License-Identifier: Apache-2.0 */
/* trim.h - gives back the room that a finished trace reserved and did not use.
 *
 * Only zeros go: ends of chunks and blocks that nobody used become holes, and the file
 * ends after the last byte that is not zero. No offset changes, so a reader sees the
 * same trace before, during and after. Nobody may be writing any more.
 */
#ifndef RLN_FORMAT_TRIM_H
#define RLN_FORMAT_TRIM_H

#include <stdint.h>

struct rln__trim {
    uint64_t file_bytes;    /* the file's size now */
    uint64_t punched_bytes; /* turned into holes */
};

/* Trims the trace behind `fd`, which is open for reading and writing. Trusts nothing in
 * the file. 0 or -errno; where the file system has no holes, only the end is cut. */
int rln__trim(int fd, struct rln__trim *out);

#endif
