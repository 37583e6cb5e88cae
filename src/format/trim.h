/* SPDX-License-Identifier: Apache-2.0 */
/* trim.h - frees the disk space that a finished trace has reserved but not used.
 *
 * Only zeros are removed: unused ends of chunks and blocks become holes, and the file
 * is truncated before unused blocks at its end. No offset changes, so a reader sees the
 * same trace before, during and after. No process may still write the trace.
 */
#ifndef RLN_FORMAT_TRIM_H
#define RLN_FORMAT_TRIM_H

#include <stdint.h>

struct rln__trim {
    uint64_t file_bytes;    /* the file's size now */
    uint64_t punched_bytes; /* turned into holes */
};

/* Trims the trace at `fd`, which is open for reading and writing. Trusts nothing in the
 * file. 0 or -errno; on a file system without holes, only truncates. Stops with -EINTR
 * when `is_stopped` returns true; that may be NULL. */
int rln__trim(int fd, int (*is_stopped)(void), struct rln__trim *out);

#endif
