/* SPDX-License-Identifier: Apache-2.0 */
/* roctx.c - the functions of AMD's ROCTX, as calls of NVTX.
 *
 *     program --> roctxRangePushA (here) --> NVTX, in the domain ROCTX
 *                                        --> the real one, if there is one
 *
 * The library stands in for AMD's two: it is preloaded under their names, so that
 * programs start where these are not installed. Where they are, their levels and ids
 * are returned, and their tools still see the calls.
 *
 * Ids count from 1, as the real ones: programs made by hipify keep them in an int.
 */
#include "bridge/open_ranges.h"
#include "bridge/real_roctx.h"
#include "rangeline/control.h"

#include <nvtx3/nvToolsExt.h>

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
/* The library is loaded when the program starts, so these need no allocation. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

OF_THREAD int level; /* how many ranges the thread has pushed and not popped */

static nvtxDomainHandle_t domain(void)
{
    static nvtxDomainHandle_t known; /* atomic */
    nvtxDomainHandle_t handle = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!handle) {
        handle = nvtxDomainCreateA("ROCTX");
        __atomic_store_n(&known, handle, __ATOMIC_RELAXED);
    }
    return handle;
}

static nvtxEventAttributes_t named(const char *message)
{
    nvtxEventAttributes_t event = {.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};

    if (message) {
        event.messageType = NVTX_MESSAGE_TYPE_ASCII;
        event.message.ascii = message;
    }
    return event;
}

/* --- Marks and ranges ------------------------------------------------------------- */

EXPORTED void roctxMarkA(const char *message);
EXPORTED void roctxMarkA(const char *message)
{
    const struct rln__real_roctx *real = rln__real_roctx();
    const nvtxEventAttributes_t event = named(message);

    nvtxDomainMarkEx(domain(), &event);
    if (real->mark)
        real->mark(message);
}

/* The level of the range, from 0. */
EXPORTED int roctxRangePushA(const char *message);
EXPORTED int roctxRangePushA(const char *message)
{
    const struct rln__real_roctx *real = rln__real_roctx();
    const nvtxEventAttributes_t event = named(message);

    (void)nvtxDomainRangePushEx(domain(), &event);
    level++;
    return real->push ? real->push(message) : level - 1;
}

/* The level of the range that it ends, or -1 if there is none. */
EXPORTED int roctxRangePop(void);
EXPORTED int roctxRangePop(void)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    (void)nvtxDomainRangePop(domain());
    if (level)
        level--;
    else if (!real->pop)
        return -1;
    return real->pop ? real->pop() : level;
}

EXPORTED uint64_t roctxRangeStartA(const char *message);
EXPORTED uint64_t roctxRangeStartA(const char *message)
{
    static uint64_t n; /* atomic */
    const struct rln__real_roctx *real = rln__real_roctx();
    const uint64_t id = real->start ? real->start(message)
                                    : __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);
    const nvtxEventAttributes_t event = named(message);
    const nvtxRangeId_t range = nvtxDomainRangeStartEx(domain(), &event);

    if (range && rln__open_range_keep(id, range))
        nvtxDomainRangeEnd(domain(), range); /* too many are open */
    return id;
}

EXPORTED void roctxRangeStop(uint64_t id);
EXPORTED void roctxRangeStop(uint64_t id)
{
    const struct rln__real_roctx *real = rln__real_roctx();
    const nvtxRangeId_t range = rln__open_range_take(id);

    if (range)
        nvtxDomainRangeEnd(domain(), range);
    if (real->stop)
        real->stop(id);
}

/* --- Control ---------------------------------------------------------------------- */

/* Of one thread, NVTX has no way to pause. */
enum { ALL_THREADS = 0 };

EXPORTED int roctxProfilerPause(uint64_t thread);
EXPORTED int roctxProfilerPause(uint64_t thread)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    if (thread == ALL_THREADS)
        (void)rln_stop();
    return real->pause ? real->pause(thread) : 0;
}

EXPORTED int roctxProfilerResume(uint64_t thread);
EXPORTED int roctxProfilerResume(uint64_t thread)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    if (thread == ALL_THREADS)
        (void)rln_start();
    return real->resume ? real->resume(thread) : 0;
}

/* --- Names ------------------------------------------------------------------------ */

EXPORTED int roctxNameOsThread(const char *name);
EXPORTED int roctxNameOsThread(const char *name)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    if (name)
        nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), name);
    return real->name_thread ? real->name_thread(name) : 0;
}

EXPORTED int roctxNameHsaAgent(const char *name, const void *agent);
EXPORTED int roctxNameHsaAgent(const char *name, const void *agent)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    return real->name_agent ? real->name_agent(name, agent) : 0;
}

EXPORTED int roctxNameHipDevice(const char *name, int device);
EXPORTED int roctxNameHipDevice(const char *name, int device)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    return real->name_device ? real->name_device(name, device) : 0;
}

EXPORTED int roctxNameHipStream(const char *name, const void *stream);
EXPORTED int roctxNameHipStream(const char *name, const void *stream)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    return real->name_stream ? real->name_stream(name, stream) : 0;
}

EXPORTED int roctxGetThreadId(uint64_t *thread);
EXPORTED int roctxGetThreadId(uint64_t *thread)
{
    const struct rln__real_roctx *real = rln__real_roctx();

    if (real->thread_id)
        return real->thread_id(thread);
    if (thread)
        *thread = (uint64_t)syscall(SYS_gettid);
    return 0;
}

/* --- Version ---------------------------------------------------------------------- */

EXPORTED uint32_t roctx_version_major(void);
EXPORTED uint32_t roctx_version_major(void)
{
    return 4;
}

EXPORTED uint32_t roctx_version_minor(void);
EXPORTED uint32_t roctx_version_minor(void)
{
    return 1;
}
