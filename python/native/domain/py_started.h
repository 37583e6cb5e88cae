/* SPDX-License-Identifier: Apache-2.0 */
/* py_started.h - start/end ranges of code that can pause, and which of them began
 * which.
 *
 * A context variable has the innermost range that a coroutine is in. Who creates a task
 * copies the context for it, so ranges of tasks find the one that created them:
 *
 *     async with batch ------------------------  variable: batch
 *         gather()
 *             task: fetch ----------------       begun in batch; in this task: fetch
 *                       parse ---                begun in fetch
 *
 * The start says so with a payload of type NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, unless the
 * event has a number as payload. Generators share the context of their callers, and
 * pause in the middle of them, so they only read the variable.
 *
 * Setting a context variable costs as much as a range. So it is not set back: a range
 * that has ended says so, and stands for the one that it was begun in.
 */
#ifndef RLN_PYTHON_STARTED_H
#define RLN_PYTHON_STARTED_H

#include "base/py_paused.h"
#include "domain/py_switch.h"

/* Starts a range; of a coroutine, ranges can be begun in it. */
struct rln_py_started rln_py_started_begin(struct domain_object *domain,
                                           const nvtxEventAttributes_t *event,
                                           bool is_of_coroutine);

/* From now on, ranges of this context are begun in that one. Call once it is kept: this
 * may run the garbage collector, and thereby any code. */
void rln_py_started_enter(const struct native_state *state,
                          const struct rln_py_started *started);

/* Ends it, and releases what `started` owns. */
void rln_py_started_end(const struct domain_object *domain,
                        struct rln_py_started *started);

#endif
