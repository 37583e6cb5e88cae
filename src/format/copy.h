/* SPDX-License-Identifier: Apache-2.0 */
/* copy.h - a copy of a trace that is being written, in which everything goes with
 * everything: docs/FORMAT.md 10.
 *
 *   headers, until they stand still  -->  which chunks there are, at one moment
 *   these chunks, the newest first   -->  what was overwritten meanwhile is left out,
 *                                         with all that is older of the thread's
 *   kept events, then names          -->  all that the chunks refer to is there
 *
 * A chunk that was left before that moment is complete; one in which a thread writes is
 * as complete as when it was copied, and what the thread wrote behind it is not there.
 */
#ifndef RLN_FORMAT_COPY_H
#define RLN_FORMAT_COPY_H

#include <stdint.h>

struct rln__copied {
    uint64_t n_chunks;      /* of events, of any kind */
    uint64_t n_overwritten; /* while it was copied */
    uint64_t n_bytes;       /* of the copy */
};

/* Copies one file to another that is empty, as a run that has not ended (`finished` as
 * the source has it). 0, or a negative errno: -ENOENT if the source is no trace. */
int rln__copy_trace(int from, int to, struct rln__copied *out);

#endif
