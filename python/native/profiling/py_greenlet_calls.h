/* SPDX-License-Identifier: Apache-2.0 */
/* py_greenlet_calls.h - moves calls between the stack of a thread and its greenlets.
 *
 * The stack of the thread has the calls of the greenlet that runs, above those of its
 * ancestors, as far as these are known. Other greenlets keep theirs in a table:
 *
 *     thread's calls:  main main main | hub | job job     newest last
 *     levels:          main             hub   job         base: of the last one
 *     table:           other job -> its calls
 *
 * A greenlet that waits for its child is thereby in the same place as the caller of a
 * generator. Greenlets are addresses here, which a later one may have again: nothing
 * keeps them. A greenlet that begins finds no calls of an earlier one.
 */
#ifndef RLN_PYTHON_GREENLET_CALLS_H
#define RLN_PYTHON_GREENLET_CALLS_H

#include "profiling/py_calls.h"

/* The calls of a greenlet that waits. */
struct rln_py_waiting {
    struct rln_py_waiting *next; /* with the same hash */
    const void *greenlet;
    size_t n;
    struct rln_py_call calls[];
};

/* The greenlet of the last level; NULL if there is none. */
const void *rln_py_greenlet_running(const struct rln_py_calls *calls);

/* Its level, counted from 1; 0 if it has none. */
size_t rln_py_greenlet_level(const struct rln_py_calls *calls, const void *greenlet);

size_t rln_py_greenlet_n_levels(const struct rln_py_calls *calls);

/* Adds a level without calls; false if out of memory. */
bool rln_py_greenlet_add_level(struct rln_py_calls *calls, const void *greenlet);

/* Removes the last level, which has no calls any more. */
void rln_py_greenlet_remove_level(struct rln_py_calls *calls);

/* Copies the calls of the last level to the table; they stay in the stack. If out of
 * memory, the table has none. */
void rln_py_greenlet_keep(struct rln_py_calls *calls);

/* Takes the calls of a greenlet out of the table; to be freed, or NULL. */
struct rln_py_waiting *rln_py_greenlet_take(struct rln_py_calls *calls,
                                            const void *greenlet);

/* Empties the table, and removes the levels: all calls are in one stack. */
void rln_py_greenlet_calls_forget(struct rln_py_calls *calls);

#endif
