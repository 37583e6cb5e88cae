/* SPDX-License-Identifier: Apache-2.0 */
/* py_frame.h - tells whether the calling frame can pause or belongs to a plain
 * function.
 *
 * A coroutine, generator or async generator keeps its frame while others run, so its
 * ranges must not lie on the thread's stack of ranges. Each version of Python stores
 * the calling frame differently; only this file knows how.
 *
 * Frames of the module contextlib are skipped: an ExitStack enters and exits on behalf
 * of the frame that uses it.
 */
#ifndef RLN_PYTHON_FRAME_H
#define RLN_PYTHON_FRAME_H

#include "base/py_native.h"

#if PY_VERSION_HEX < 0x030b0000
#include <frameobject.h>
#elif PY_VERSION_HEX < 0x030c0000
#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#endif

#define RLN_PY_CAN_PAUSE (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)

struct rln_py_caller {
    const void *frame; /* an address unique to this frame while it lives */
    int code_flags;
    const PyObject *file; /* of its code; only for comparison */
};

#if PY_VERSION_HEX < 0x030b0000

static inline struct rln_py_caller rln_py_calling_frame(void)
{
    const PyFrameObject *const frame = PyThreadState_Get()->frame;

    if (!frame)
        return (struct rln_py_caller){NULL, 0, NULL};
    return (struct rln_py_caller){frame, frame->f_code->co_flags,
                                  frame->f_code->co_filename};
}

#elif PY_VERSION_HEX < 0x030c0000

static inline struct rln_py_caller rln_py_calling_frame(void)
{
    const struct _PyInterpreterFrame *const frame =
        PyThreadState_Get()->cframe->current_frame;

    if (!frame)
        return (struct rln_py_caller){NULL, 0, NULL};
    return (struct rln_py_caller){frame, frame->f_code->co_flags,
                                  frame->f_code->co_filename};
}

#else

static inline struct rln_py_caller rln_py_calling_frame(void)
{
#if PY_VERSION_HEX < 0x030d0000
    struct _PyInterpreterFrame *const frame =
        PyThreadState_Get()->cframe->current_frame;
#else
    struct _PyInterpreterFrame *const frame = PyThreadState_Get()->current_frame;
#endif
    struct rln_py_caller caller = {frame, 0, NULL};
    PyObject *code;

    if (!frame)
        return caller;
    code = PyUnstable_InterpreterFrame_GetCode(frame);
    if (code && PyCode_Check(code)) {
        caller.code_flags = ((PyCodeObject *)code)->co_flags;
        caller.file = ((PyCodeObject *)code)->co_filename;
    }
    Py_XDECREF(code);
    return caller;
}

#endif

/* The first calling frame outside of the module contextlib. `contextlib` is the file of
 * that module's code. */
struct rln_py_caller rln_py_frame_behind(const PyObject *contextlib);

/* The calling frame, without those of the module contextlib. */
static inline struct rln_py_caller rln_py_caller(const struct native_state *state)
{
    const struct rln_py_caller caller = rln_py_calling_frame();

    if (RLN_PY_UNLIKELY(caller.file && caller.file == state->contextlib_file))
        return rln_py_frame_behind(state->contextlib_file);
    return caller;
}

#endif
