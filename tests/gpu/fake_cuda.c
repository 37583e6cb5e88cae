/* SPDX-License-Identifier: Apache-2.0 */
/* fake_cuda.c - stands in for libcuda.so.1: cuInit() loads the library that
 * CUDA_INJECTION64_PATH names, as the driver does, and fails if that does. It finds no
 * GPU if CUDA_VISIBLE_DEVICES is empty. */
#include <dlfcn.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int cuInit(unsigned flags);
EXPORTED int cuDriverGetVersion(int *version);

enum { NO_DEVICE = 100 };

int cuInit(unsigned flags)
{
    static int is_done;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    union {
        void *symbol;
        int (*call)(void);
    } initialize = {NULL};

    (void)flags;
    if (visible && !*visible)
        return NO_DEVICE;
    if (is_done || !path || !*path)
        return 0;
    is_done = 1;
    void *library = dlopen(path, RTLD_NOW);
    if (library)
        initialize.symbol = dlsym(library, "InitializeInjection");
    return initialize.symbol && initialize.call() ? 0 : 3;
}

int cuDriverGetVersion(int *version)
{
    const char *text = getenv("FAKE_DRIVER");

    *version = text ? atoi(text) : 12080;
    return 0;
}
