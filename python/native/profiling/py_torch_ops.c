/* SPDX-License-Identifier: Apache-2.0 */
/* py_torch_ops.c - a range per operator, autograd node and label of PyTorch, for
 * rangeline/torch/_observe.py.
 *
 *     PyTorch's thread --> start() --> push, and the function's address on a stack
 *                      --> end()   --> pop, of inner ranges whose ends are missing, too
 *
 * PyTorch calls these without the GIL, on threads that Python does not know, and even
 * after the interpreter has ended. That is safe because of Python's objects they use
 * only a domain's handle and the switch in its module's state: observed[] keeps the
 * domain, which keeps its type, which keeps the module, and the reference is never
 * released.
 *
 * A label that ends on another thread, as it does when a future ends it, stays open
 * until one outside it ends. MAX_OPEN bounds what can remain of them.
 */
#include "domain/py_registered_string.h"
#include "domain/py_switch.h"
#include "profiling/py_torch_abi.h"

#include <dlfcn.h>
#include <string.h>

#if defined(__x86_64__) && defined(__LP64__)

/* Observers have no data of their own, so each needs a function of its own. */
#define N_OBSERVERS 8
/* Ranges of a thread that are open at once: 16 KiB per thread that records any. Calls
 * do not nest as deep, because Python's do not; what reaches it are labels that other
 * threads have ended, and then all of the thread's are closed: a range can only be
 * closed after those inside it. */
#define MAX_OPEN 1024

struct open_function {
    rln_torch_function function;
    struct domain_object *domain; /* borrowed from observed[] */
};

/* In the thread's own memory, so that no thread has to free it, or fails to get it. */
struct thread {
    size_t n;
    struct open_function open[MAX_OPEN];
};

static _Thread_local struct thread own;

/* What observers record into: owned, and never released. Set once, in a critical
 * section of the module, before PyTorch knows the observer. */
static struct domain_object *observed[N_OBSERVERS];
static struct rln_torch_library torch; /* likewise */

/* ---- The stack of a thread --------------------------------------------------------
 */

static void pop_to(struct thread *thread, size_t n)
{
    while (thread->n > n)
        rln_py_pop(thread->open[--thread->n].domain);
}

/* Closes the ranges of a domain that were opened after the first n. */
static void pop_domain(struct thread *thread, size_t n,
                       const struct domain_object *domain)
{
    const size_t n_before = thread->n;

    if (n > n_before)
        return;
    thread->n = n;
    for (size_t i = n; i < n_before; i++) {
        if (thread->open[i].domain == domain)
            rln_py_pop(thread->open[i].domain);
        else
            thread->open[thread->n++] = thread->open[i];
    }
}

/* ---- What PyTorch calls -----------------------------------------------------------
 */

/* The engine's own range around each node, which adds nothing to that of the node. */
static bool is_engine(const char *name)
{
    static const char prefix[] = "autograd::engine::";

    return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

static RLN_PY_INLINE void **start(size_t i, void **context, rln_torch_function function)
{
    struct domain_object *const domain = observed[i];
    const char *const name = torch.name(function);
    struct thread *const thread = &own;
    nvtxEventAttributes_t event = RLN_PY_EVENT_INIT;

    *context = NULL;
    if (is_engine(name))
        return context;
    if (RLN_PY_UNLIKELY(thread->n == MAX_OPEN))
        pop_to(thread, 0);
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = name;
    thread->open[thread->n++] = (struct open_function){function, domain};
    rln_py_push(domain, &event);
    return context;
}

static void end(rln_torch_function function, void *context)
{
    struct thread *const thread = &own;
    size_t i = thread->n;

    while (i && thread->open[i - 1].function != function)
        i--;
    if (i)
        pop_to(thread, i - 1);
}

#define START(i)                                                                       \
    static void **start_##i(void **context, rln_torch_function function)               \
    {                                                                                  \
        return start(i, context, function);                                            \
    }
START(0)
START(1)
START(2)
START(3)
START(4)
START(5)
START(6)
START(7)

/* ---- What Python calls ------------------------------------------------------------
 */

/* NULL, or why the library at `path` cannot be used.
 *
 * The library is asked by its handle, because its header is the one that was compared:
 * Python loads it with RTLD_LOCAL, and what RTLD_DEFAULT finds may belong to another
 * release. But the linker resolves the library's own calls as RTLD_DEFAULT does. Where
 * that finds another function, PyTorch's operators ask that one for their observers,
 * and those added here would never be called. */
static const char *load(const char *path)
{
    static const char *const symbols[] = RLN_TORCH_SYMBOLS;
    void *found[sizeof(symbols) / sizeof(*symbols)];
    void *library;

    if (torch.name)
        return NULL;
    library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return "its libtorch_cpu.so is not loaded";
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *const visible = dlsym(RTLD_DEFAULT, symbols[i]);

        found[i] = dlsym(library, symbols[i]);
        if (!found[i])
            return "its libtorch_cpu.so lacks functions";
        if (visible && visible != found[i])
            return "another library hides functions of its libtorch_cpu.so";
    }
    memcpy(&torch, found, sizeof(torch));
    return NULL;
}

/* The number of the domain's observer, perhaps a new one; N_OBSERVERS: too many. */
static size_t number_of(struct domain_object *domain)
{
    size_t i = 0;

    while (i < N_OBSERVERS && observed[i] && observed[i] != domain)
        i++;
    if (i < N_OBSERVERS && !observed[i]) {
        Py_INCREF(domain);
        observed[i] = domain;
    }
    return i;
}

static uint64_t add(size_t i, const char *scopes, size_t n_scopes, bool to_all)
{
    static void **(*const starts[])(void **, rln_torch_function) = {
        start_0, start_1, start_2, start_3, start_4, start_5, start_6, start_7};
    struct rln_torch_observer observer = {starts[i], end, 1, {false}};

    memcpy(observer.flags, scopes, n_scopes);
    return (to_all ? torch.add_global : torch.add_thread_local)(observer);
}

/* (domain, whether on all threads, path of libtorch_cpu.so, a byte per scope) -> what
 * unobserve() takes, or a str, why it cannot be done. The caller observes no domain
 * twice on a thread. */
static PyObject *observe(PyObject *module, PyObject *args)
{
    PyObject *object;
    struct domain_object *domain;
    const char *path, *scopes, *reason;
    Py_ssize_t n_scopes;
    int to_all;
    size_t i = 0;

    if (!PyArg_ParseTuple(args, "Opsy#:torch_observe", &object, &to_all, &path, &scopes,
                          &n_scopes) ||
        rln_py_domain_argument(PyModule_GetState(module), object, &domain))
        return NULL;
    if (n_scopes > RLN_TORCH_MAX_SCOPES)
        return PyUnicode_FromString("it has too many scopes");
    Py_BEGIN_CRITICAL_SECTION(module);
    reason = load(path);
    if (!reason)
        i = number_of(domain);
    Py_END_CRITICAL_SECTION();
    if (reason)
        return PyUnicode_FromString(reason);
    if (i == N_OBSERVERS)
        return PyUnicode_FromFormat("observers record operators in at most %d domains",
                                    N_OBSERVERS);
    return Py_BuildValue("(nnK)", (Py_ssize_t)i, (Py_ssize_t)own.n,
                         (unsigned long long)add(i, scopes, (size_t)n_scopes, to_all));
}

/* Takes what observe() returned, on the same thread. Closes the domain's ranges of
 * labels that were begun since and are still open. */
static PyObject *unobserve(PyObject *module, PyObject *args)
{
    Py_ssize_t i, n;
    unsigned long long handle;

    if (!PyArg_ParseTuple(args, "(nnK):torch_unobserve", &i, &n, &handle))
        return NULL;
    torch.remove(handle);
    pop_domain(&own, (size_t)n, observed[i]);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"torch_observe", observe, METH_VARARGS, "Used by rangeline/torch/_observe.py."},
    {"torch_unobserve", unobserve, METH_VARARGS, "Ends torch_observe()."},
    {NULL, NULL, 0, NULL},
};

int rln_py_add_torch_ops(PyObject *module, struct native_state *state)
{
    return PyModule_AddFunctions(module, functions);
}

#else

int rln_py_add_torch_ops(PyObject *module, struct native_state *state)
{
    return 0;
}

#endif
