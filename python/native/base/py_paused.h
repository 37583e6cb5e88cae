/* SPDX-License-Identifier: Apache-2.0 */
/* py_paused.h - stores the ranges that one annotation, or a profiler, has open in
 * frames that can pause.
 *
 *     frame -> its range -> outer ranges of the same frame
 *
 * Thousands of tasks and recursive calls may use one annotation object at once. So this
 * is a hash table by frame address, with the ids of one frame in a chain. The caller
 * locks it.
 */
#ifndef RLN_PYTHON_PAUSED_H
#define RLN_PYTHON_PAUSED_H

#include "base/py_native.h"

struct rln_py_paused;

/* A range, as domain/py_started.h starts it. */
struct rln_py_started {
    nvtxRangeId_t id;   /* 0: suppressed */
    PyObject *as_outer; /* owned: tells ranges begun in it; NULL: none can be */
};

/* Records that `frame` has begun a range. *paused is NULL
 * until first used. 0, or -1 if out of memory. */
int rln_py_paused_add(struct rln_py_paused **paused, const void *frame,
                      struct rln_py_started started);

/* Moves the newest range of `frame` to *started; false if it has none. */
bool rln_py_paused_take(struct rln_py_paused **paused, const void *frame,
                        struct rln_py_started *started);

/* Whether `frame` has a range. */
bool rln_py_paused_has(struct rln_py_paused *paused, const void *frame);

/* The same with any range; false if there is none. */
bool rln_py_paused_take_any(struct rln_py_paused **paused,
                            struct rln_py_started *started);

/* Whether no range is open. */
bool rln_py_paused_is_empty(const struct rln_py_paused *paused);

void rln_py_paused_free(struct rln_py_paused *paused);

#endif
