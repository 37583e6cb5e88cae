/* SPDX-License-Identifier: Apache-2.0 */
/* py_frame.c - finds frames outside the calling one. */
#include "base/py_frame.h"

/* An address unique to this frame: of its generator or coroutine if it can pause. */
static const void *identify(PyFrameObject *frame)
{
#if PY_VERSION_HEX < 0x030b0000
    return frame;
#else
    PyObject *const generator = PyFrame_GetGenerator(frame);

    Py_XDECREF(generator); /* it is running, so others have references */
    return generator;
#endif
}

struct rln_py_caller rln_py_frame_behind(const PyObject *contextlib)
{
    struct rln_py_caller caller = {NULL, 0, NULL};
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());

    while (frame) {
        PyCodeObject *const code = PyFrame_GetCode(frame);
        PyFrameObject *const outer = PyFrame_GetBack(frame);

        caller.code_flags = code->co_flags;
        caller.file = code->co_filename;
        caller.frame = identify(frame);
        Py_DECREF(code);
        Py_DECREF(frame);
        if (caller.file != contextlib) {
            Py_XDECREF(outer);
            return caller;
        }
        frame = outer;
    }
    return (struct rln_py_caller){NULL, 0, NULL};
}
