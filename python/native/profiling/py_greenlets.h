/* SPDX-License-Identifier: Apache-2.0 */
/* py_greenlets.h - closes the ranges of a greenlet's calls while it waits.
 *
 * A greenlet has a stack of its own, but its ranges are on its thread's. At a switch,
 * greenlet.settrace() calls us on the thread, already in the other greenlet:
 *
 *     time ->            switch to job        switch to hub       switch to job
 *     hub     run -----------------------------------------------------------
 *     job                fetch --------------                     fetch, "resumed" ---
 *
 * The ranges of the running greenlet lie in those of its ancestors, which wait for it
 * as a caller does; a greenlet that does not wait for this one has no open range.
 *
 * Each thread has a function of its own for switches. The program's is called after
 * ours. If the program later sets one that does not call ours, switches are missed. Then
 * calls return in another order than they began, functions are first called in a
 * greenlet that does not seem to run, or a switch begins in one: this is reported, once.
 */
#ifndef RLN_PYTHON_GREENLETS_H
#define RLN_PYTHON_GREENLETS_H

#include "profiling/py_profiler.h"

/* Of Profiler: (module greenlet._greenlet, on_missed). Follows the greenlets of this
 * thread from here on, and those of others from their next call on. */
PyObject *rln_py_follow_greenlets(PyObject *self, PyObject *const *args,
                                  Py_ssize_t n_args);

/* Of Profiler: reports it if another greenlet of this thread runs than seems to. */
PyObject *rln_py_check_greenlet(PyObject *self, PyObject *nothing);

/* Takes our function away from this thread, if it is the one that is set. */
void rln_py_unfollow_greenlets(void);

#endif
