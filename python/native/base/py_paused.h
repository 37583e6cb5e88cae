/* SPDX-License-Identifier: Apache-2.0 */
/* py_paused.h - stores the ranges that one annotation, or a profiler, has open in
 * frames that can pause.
 *
 *     frame -> id of the range -> ids of outer ranges of the same frame
 *
 * Thousands of tasks and recursive calls may use one annotation object at once. So this
 * is a hash table by frame address, with the ids of one frame in a chain. The caller
 * locks it.
 */
#ifndef RLN_PYTHON_PAUSED_H
#define RLN_PYTHON_PAUSED_H

#include "base/py_native.h"

struct rln_py_paused;

/* Records that `frame` has begun the range `id` (0: suppressed). *paused is NULL
 * until first used. 0, or -1 if out of memory. */
int rln_py_paused_add(struct rln_py_paused **paused, const void *frame,
                      nvtxRangeId_t id);

/* Removes the newest range of `frame`; false if it has none. */
bool rln_py_paused_take(struct rln_py_paused **paused, const void *frame,
                        nvtxRangeId_t *id);

/* Whether `frame` has a range. */
bool rln_py_paused_has(struct rln_py_paused *paused, const void *frame);

/* Removes any range; false if there is none. */
bool rln_py_paused_take_any(struct rln_py_paused **paused, nvtxRangeId_t *id);

/* Whether no range is open. */
bool rln_py_paused_is_empty(const struct rln_py_paused *paused);

void rln_py_paused_free(struct rln_py_paused *paused);

#endif
