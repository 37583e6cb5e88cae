/* SPDX-License-Identifier: Apache-2.0 */
/* copy.h - copies a trace consistently while it is written:
 * docs/reference/FORMAT.md 10.
 *
 *   1. headers, until they are stable   the chunks that exist at one time T
 *   2. these chunks, newest first       excludes chunks that are overwritten meanwhile,
 *                                       with all older chunks of the thread
 *   3. kept events, then names          includes all that the chunks refer to
 *
 * A chunk that its thread had left before T is complete. A chunk that its thread still
 * writes is as complete as when it was copied; later chunks of the thread are missing.
 */
#ifndef RLN_FORMAT_COPY_H
#define RLN_FORMAT_COPY_H

#include <stdint.h>

struct rln__copied {
    uint64_t n_chunks;      /* chunks of events, of any kind */
    uint64_t n_overwritten; /* chunks overwritten before they were copied */
    uint64_t n_bytes;       /* of the copy */
};

/* Copies one file to an empty one; `finished` in the copy is that of the source. 0, or
 * a negative errno: -ENOENT if the source is not a trace. */
int rln__copy_trace(int from, int to, struct rln__copied *out);

#endif
