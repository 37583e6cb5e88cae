/* SPDX-License-Identifier: Apache-2.0 */
/* py_control.c - starts and stops recording by the collector, and by NVIDIA's profilers
 * if the program has loaded the CUDA runtime.
 */
#include "base/py_native.h"

#include <rangeline/control.h>

#include <link.h>
#include <string.h>

/* ---- The CUDA runtime ------------------------------------------------------------ */

/* Puts the path of a loaded libcudart.so into *path; 1 ends the search. */
static int is_runtime(struct dl_phdr_info *library, size_t size, void *path)
{
    const char *const slash = strrchr(library->dlpi_name, '/');
    const char *const name = slash ? slash + 1 : library->dlpi_name;

    if (strncmp(name, "libcudart.so", strlen("libcudart.so")))
        return 0;
    *(const char **)path = library->dlpi_name;
    return 1;
}

/* Calls a function of the CUDA runtime if the program has loaded that. It searches all
 * loaded libraries, because the runtime may have been loaded with local scope. */
static void call_runtime(const char *function)
{
    union {
        void *symbol;
        int (*call)(void);
    } found = {NULL};
    const char *path = NULL;
    void *library;

    if (!dl_iterate_phdr(is_runtime, &path))
        return;
    library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return;
    found.symbol = dlsym(library, function);
    if (found.symbol)
        (void)found.call();
    dlclose(library);
}

/* ---- The functions --------------------------------------------------------------- */

static PyObject *start_profiler(PyObject *module, PyObject *unused)
{
    (void)rln_start(); /* ignores a missing collector */
    (void)rln_control_(RLN_CONTROL_PROFILER_START_);
    call_runtime("cudaProfilerStart");
    Py_RETURN_NONE;
}

static PyObject *stop_profiler(PyObject *module, PyObject *unused)
{
    (void)rln_control_(RLN_CONTROL_PROFILER_STOP_);
    (void)rln_stop();
    call_runtime("cudaProfilerStop");
    Py_RETURN_NONE;
}

/* What cudaProfilerStart() and cudaProfilerStop() are to `-c cudaProfilerApi`. */
static PyObject *profiler_api_start(PyObject *module, PyObject *unused)
{
    (void)rln_control_(RLN_CONTROL_PROFILER_START_);
    Py_RETURN_NONE;
}

static PyObject *profiler_api_stop(PyObject *module, PyObject *unused)
{
    (void)rln_control_(RLN_CONTROL_PROFILER_STOP_);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"torch_profiler_start", profiler_api_start, METH_NOARGS,
     "Of torch.cuda.profiler, for builds without CUDA."},
    {"torch_profiler_stop", profiler_api_stop, METH_NOARGS,
     "Of torch.cuda.profiler, for builds without CUDA."},
    {"start_profiler", start_profiler, METH_NOARGS,
     "start_profiler($module, /)\n--\n\n"
     "Records the run from now on, after stop_profiler(); where the CUDA runtime is\n"
     "loaded, starts NVIDIA's profilers, too.\n\n"
     "Example:\n"
     "    >>> stop_profiler()\n"
     "    >>> start_profiler()"},
    {"stop_profiler", stop_profiler, METH_NOARGS,
     "stop_profiler($module, /)\n--\n\n"
     "Records nothing that begins from now on; where the CUDA runtime is loaded, "
     "stops\n"
     "NVIDIA's profilers, too.\n\n"
     "Example:\n"
     "    >>> stop_profiler()\n"
     "    >>> start_profiler()"},
    {NULL, NULL, 0, NULL},
};

int rln_py_add_control(PyObject *module, struct native_state *state)
{
    (void)state;
    return PyModule_AddFunctions(module, functions);
}
