/* SPDX-License-Identifier: Apache-2.0 */
/* python_gil.c - waits for Python's GIL become ranges of NVTX.
 *
 *     CPython --> pthread_cond_timedwait (here) --> push, the real one, pop
 *
 * `rangeline profile -t python-gil` preloads this library. A thread of CPython that
 * needs the GIL waits on a condition variable for 5 ms, again and again until the GIL is
 * free: one range. That of the main interpreter lies in an object that Python exports,
 * _PyRuntime, which has no other that is waited on with a time limit. All other waits
 * are passed on, after one comparison, as is everything in a program without Python.
 *
 * The calls of NVTX are made with the mutex of the GIL held. The tool is therefore
 * loaded before, when this library is, and no call here allocates.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "nvtx3/nvToolsExt.h"

#define EXPORTED __attribute__((visibility("default")))

/* Without it, dlsym() of older C libraries finds one for other condition variables. */
#if defined(__x86_64__)
#define TIMED_WAIT_VERSION "GLIBC_2.3.2"
#else
#define TIMED_WAIT_VERSION "GLIBC_2.17"
#endif

typedef int timed_wait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

union function {
    void *symbol;
    timed_wait *call;
};

static union function real;

/* Python's, if the program or a library that it is linked with has it: Py_Version since
 * 3.11, the other since 3.7. */
extern const char _PyRuntime __attribute__((weak));
extern const unsigned long Py_Version __attribute__((weak));

/* The GIL is the same from 3.7 to 3.14. */
#define FIRST_UNKNOWN 0x030f0000

/* Where _PyRuntime is. Without Python, or a tool, it has no bytes. */
static uintptr_t runtime_begin;
static size_t n_runtime_bytes;

static bool knows_layout;
static nvtxDomainHandle_t domain;
static nvtxEventAttributes_t range = {.version = NVTX_VERSION,
                                      .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};

/* Whether this thread has an open range. In the TLS that each thread begins with, since
 * any other kind is allocated at its first use. */
static __thread bool is_waiting __attribute__((tls_model("initial-exec")));

/* Other preloaded libraries may wait before this one is initialized. */
static timed_wait *get_real(void)
{
    union function found = {__atomic_load_n(&real.symbol, __ATOMIC_RELAXED)};

    if (found.symbol)
        return found.call;
    found.symbol = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", TIMED_WAIT_VERSION);
    if (!found.symbol)
        found.symbol = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    __atomic_store_n(&real.symbol, found.symbol, __ATOMIC_RELAXED);
    return found.call;
}

static size_t size_of_object(const void *object)
{
    Dl_info where;
    const ElfW(Sym) *symbol = NULL;

    if (!dladdr1(object, &where, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
        where.dli_saddr != object)
        return 0;
    return symbol->st_size;
}

__attribute__((constructor)) static void find_python(void)
{
    (void)get_real();
    if (!&_PyRuntime)
        return;
    domain = nvtxDomainCreateA("Python GIL");
    range.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    range.message.registered = nvtxDomainRegisterStringA(domain, "wait for the GIL");
    knows_layout = !&Py_Version || Py_Version < FIRST_UNKNOWN;
    runtime_begin = (uintptr_t)&_PyRuntime;
    n_runtime_bytes = domain ? size_of_object(&_PyRuntime) : 0;
}

/* Whether another thread has the GIL, so that CPython will go on waiting. Two words
 * before the condition variable lies an int that says so; the caller has the mutex. */
static bool is_taken(const pthread_cond_t *condition)
{
    const int *locked = (const int *)((uintptr_t)condition - 2 * sizeof(long));

    return knows_layout && __atomic_load_n(locked, __ATOMIC_RELAXED) != 0;
}

EXPORTED int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                    const struct timespec *until)
{
    int result;

    if ((uintptr_t)condition - runtime_begin >= n_runtime_bytes)
        return get_real()(condition, mutex, until);
    if (!is_waiting)
        (void)nvtxDomainRangePushEx(domain, &range);
    is_waiting = true;
    result = get_real()(condition, mutex, until);
    if (!is_taken(condition)) {
        is_waiting = false;
        (void)nvtxDomainRangePop(domain);
    }
    return result;
}
