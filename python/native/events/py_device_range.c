/* SPDX-License-Identifier: Apache-2.0 */
/* py_device_range.c - implements ranges that begin and end when a CUDA stream reaches
 * these points.
 *
 * Both ends are queued on the stream as host functions, which a thread of the driver
 * runs. Python's handle and the queued functions share one object; its last user frees
 * it:
 *
 *     capsule --+
 *     begin() --+--> {n_users, id, message}      id: 0 -> the tool's -> ENDED
 *     end()   --+
 *
 * Neither function uses Python, because that thread must not wait for anything.
 *
 * Without the driver, or if it fails (no context, no such stream), they run
 * immediately.
 */
#include "base/py_native.h"

#include "base/py_arguments.h"
#include "domain/py_domain.h"
#include "domain/py_switch.h"
#include "events/py_torch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define CAPSULE_NAME "rangeline.device_range"
#define ENDED UINT64_MAX

struct device_range {
    uint64_t id; /* atomic: see above */
    unsigned n_users;
    char message[];
};

/* ---- Functions for the driver's thread ------------------------------------------- */

static void release(struct device_range *range)
{
    /* Acquire and release: every user's last access comes before the last one's free().
     */
    if (__atomic_sub_fetch(&range->n_users, 1, __ATOMIC_ACQ_REL) == 0)
        free(range);
}

static void begin(void *data)
{
    struct device_range *const range = data;
    const nvtxRangeId_t id = nvtxRangeStartA(range->message);
    uint64_t expected = 0;

    /* Two streams may reach begin and end in either order, and it may be begun twice.
     */
    if (!__atomic_compare_exchange_n(&range->id, &expected, id, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        nvtxRangeEnd(id);
    release(range);
}

static void end(void *data)
{
    struct device_range *const range = data;
    const uint64_t id = __atomic_exchange_n(&range->id, ENDED, __ATOMIC_ACQ_REL);

    if (id && id != ENDED)
        nvtxRangeEnd(id);
    release(range);
}

/* ---- The driver ------------------------------------------------------------------ */

typedef int launch_host_function(void *stream, void (*function)(void *), void *data);

/* The driver's function, or NULL. Searched once: a process has one driver. */
static launch_host_function *find_driver(void)
{
    static launch_host_function *known;
    static int is_known;
    union {
        void *symbol;
        launch_host_function *call;
    } found = {NULL};

    if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
        void *const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);

        if (library)
            found.symbol = dlsym(library, "cuLaunchHostFunc");
        __atomic_store_n(&known, found.call, __ATOMIC_RELAXED);
        __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&known, __ATOMIC_RELAXED);
}

/* Runs the function when the stream reaches this point, or now. */
static void launch(void (*function)(void *), struct device_range *range, void *stream)
{
    int result = -1;

    __atomic_add_fetch(&range->n_users, 1, __ATOMIC_RELAXED); /* the function's */
    Py_BEGIN_ALLOW_THREADS; /* a full queue may wait for functions that need Python */
    launch_host_function *const driver = find_driver();

    if (driver)
        result = driver(stream, function, range);
    Py_END_ALLOW_THREADS;
    if (result)
        function(range);
}

/* ---- The functions --------------------------------------------------------------- */

static void capsule_free(PyObject *capsule)
{
    release(PyCapsule_GetPointer(capsule, CAPSULE_NAME));
}

static PyObject *range_new(const char *message)
{
    struct device_range *const range = calloc(1, sizeof(*range) + strlen(message) + 1);
    PyObject *capsule;

    if (!range)
        return PyErr_NoMemory();
    range->n_users = 1;
    strcpy(range->message, message);
    capsule = PyCapsule_New(range, CAPSULE_NAME, capsule_free);
    if (!capsule)
        free(range);
    return capsule;
}

/* A stream as torch passes it: the driver's pointer as an int. */
static int take_stream(void **stream, PyObject *number)
{
    *stream = NULL;
    if (!number)
        return 0;
    if (!PyLong_Check(number)) {
        rln_py_wrong_type("stream", "int", number);
        return -1;
    }
    *stream = PyLong_AsVoidPtr(number);
    return *stream || !PyErr_Occurred() ? 0 : -1;
}

static PyObject *device_range_start(PyObject *module, PyObject *const *args,
                                    Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "_device_range_start", 2, 2, {RLN_PY_MSG, RLN_PY_STREAM}};
    struct native_state *const state = PyModule_GetState(module);
    struct domain_object *domain;
    PyObject *argument[2], *capsule;
    const char *message;
    void *stream;

    if (rln_py_arguments(state, &signature, args, n_args, keywords, argument))
        return NULL;
    message = rln_py_text(argument[0] ? argument[0] : Py_None, "msg");
    if (!message || take_stream(&stream, argument[1]) ||
        rln_py_take_domain(state, NULL, &domain))
        return NULL;
    capsule = range_new(message);
    if (capsule && domain && rln_py_is_on(state))
        launch(begin, PyCapsule_GetPointer(capsule, CAPSULE_NAME), stream);
    Py_XDECREF(domain);
    return capsule;
}

static PyObject *device_range_end(PyObject *module, PyObject *const *args,
                                  Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "_device_range_end", 2, 2, {RLN_PY_RANGE_HANDLE, RLN_PY_STREAM}};
    struct native_state *const state = PyModule_GetState(module);
    PyObject *argument[2];
    void *stream;

    if (rln_py_arguments(state, &signature, args, n_args, keywords, argument))
        return NULL;
    if (!argument[0] || !PyCapsule_IsValid(argument[0], CAPSULE_NAME)) {
        rln_py_wrong_type("range_handle", "what _device_range_start() returned",
                          argument[0] ? argument[0] : Py_None);
        return NULL;
    }
    if (take_stream(&stream, argument[1]))
        return NULL;
    launch(end, PyCapsule_GetPointer(argument[0], CAPSULE_NAME), stream);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    RLN_PY_METHOD(
        "_device_range_start", device_range_start,
        "_device_range_start($module, /, msg, stream=0)\n--\n\n"
        "Begins a range when the CUDA stream has done what was queued before, and\n"
        "returns what _device_range_end() wants. Without CUDA it begins at once.\n\n"
        "Example:\n"
        "    >>> handle = _device_range_start(\"copy\", stream=0)\n"
        "    >>> _device_range_end(handle, stream=0)"),
    RLN_PY_METHOD(
        "_device_range_end", device_range_end,
        "_device_range_end($module, /, range_handle, stream=0)\n--\n\n"
        "Ends a range when the CUDA stream has done what was queued before. A second\n"
        "end is ignored. Without CUDA it ends at once.\n\n"
        "Example:\n"
        "    >>> handle = _device_range_start(\"copy\", stream=0)\n"
        "    >>> _device_range_end(handle, stream=0)"),
    {NULL, NULL, 0, NULL},
};

int rln_py_add_device_range(PyObject *module, struct native_state *state)
{
    (void)state;
    return rln_py_add_torch_functions(module, functions);
}
