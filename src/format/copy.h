/* SPDX-License-Identifier: Apache-2.0 */
/* copy.h - a consistent copy of a trace that is being written: docs/FORMAT.md 10.
 *
 *   headers, until they are stable   -->  which chunks there are, at one moment
 *   these chunks, the newest first   -->  what is overwritten meanwhile is left out,
 *                                         with all older chunks of the thread
 *   kept events, then names          -->  all that the chunks refer to is there
 *
 * A chunk that its thread had left before that moment is complete. One being written is
 * as complete as when it was copied, and what the thread wrote after it is missing.
 */
#ifndef RLN_FORMAT_COPY_H
#define RLN_FORMAT_COPY_H

#include <stdint.h>

struct rln__copied {
    uint64_t n_chunks;      /* of events, of any kind */
    uint64_t n_overwritten; /* while it was copied */
    uint64_t n_bytes;       /* of the copy */
};

/* Copies one file to an empty one, as a run that has not ended (`finished` is the
 * source's). 0, or a negative errno: -ENOENT if the source is no trace. */
int rln__copy_trace(int from, int to, struct rln__copied *out);

#endif
