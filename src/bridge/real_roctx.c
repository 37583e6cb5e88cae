/* SPDX-License-Identifier: Apache-2.0 */
/* real_roctx.c - a program linked with AMD's library gets ours instead, which has its
 * name: so the real one is not loaded, and is looked for where ROCm installs it. The
 * newer of its two forms is the one that AMD's newer tools look at. */
#include "bridge/real_roctx.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"librocprofiler-sdk-roctx.so.1",
                                    "librocprofiler-sdk-roctx.so.0", "libroctx64.so.4"};

static struct rln__real_roctx real;

/* By which a copy of this library is known, in a folder of ROCm. A function, because
 * two libraries with one variable look like a mistake. */
__attribute__((visibility("default"))) void rln_stands_in_for_roctx(void);
void rln_stands_in_for_roctx(void)
{
}

/* Not a copy of this library: each would call the other for ever. */
static void *open_other(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

    if (!library || !dlsym(library, "rln_stands_in_for_roctx"))
        return library;
    (void)dlclose(library);
    return NULL;
}

static void *open_installed(void)
{
    const char *root = getenv("ROCM_PATH");
    void *library = NULL;
    char path[4096];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++) {
        const int n = snprintf(path, sizeof(path), "%s/lib/%s",
                               root && *root ? root : "/opt/rocm", names[i]);

        if (n > 0 && (size_t)n < sizeof(path))
            library = open_other(path);
    }
    return library;
}

static void find(void)
{
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {
        {"roctxMarkA", offsetof(struct rln__real_roctx, mark)},
        {"roctxRangePushA", offsetof(struct rln__real_roctx, push)},
        {"roctxRangePop", offsetof(struct rln__real_roctx, pop)},
        {"roctxRangeStartA", offsetof(struct rln__real_roctx, start)},
        {"roctxRangeStop", offsetof(struct rln__real_roctx, stop)},
        {"roctxProfilerPause", offsetof(struct rln__real_roctx, pause)},
        {"roctxProfilerResume", offsetof(struct rln__real_roctx, resume)},
        {"roctxNameOsThread", offsetof(struct rln__real_roctx, name_thread)},
        {"roctxNameHsaAgent", offsetof(struct rln__real_roctx, name_agent)},
        {"roctxNameHipDevice", offsetof(struct rln__real_roctx, name_device)},
        {"roctxNameHipStream", offsetof(struct rln__real_roctx, name_stream)},
        {"roctxGetThreadId", offsetof(struct rln__real_roctx, thread_id)},
    };
    const int saved_errno = errno;
    void *library = open_installed();

    for (size_t i = 0; library && i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *symbol = dlsym(library, functions[i].name);

        memcpy((char *)&real + functions[i].offset, &symbol, sizeof(symbol));
    }
    errno = saved_errno;
}

const struct rln__real_roctx *rln__real_roctx(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, find);
    return &real;
}
