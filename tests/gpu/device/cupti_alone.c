/* SPDX-License-Identifier: Apache-2.0 */
/* cupti_alone.c - takes what CUPTI records as librangeline-gpu.so does, and discards
 * it: what recording costs beyond this is rangeline's own.
 *
 * The driver loads it, because CUDA_INJECTION64_PATH names it; ALONE_CUPTI names CUPTI.
 * It enables the same kinds and calls as src/gpu/activities.c.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

enum { BUFFER_BYTES = 1 << 20, MOST_CALLS = 1200, RUNTIME_API = 2, DRIVER_API = 1 };

static void on_request(uint8_t **buffer, size_t *size, size_t *most)
{
    *most = 0;
    *size = BUFFER_BYTES;
    *buffer = aligned_alloc(8, BUFFER_BYTES);
}

static void on_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                        size_t n_valid)
{
    (void)context;
    (void)stream;
    (void)size;
    (void)n_valid;
    free(buffer);
}

static int is_launching(const char *name)
{
    static const char *const parts[] = {"Launch", "GraphLaunch", "Memcpy", "Memset"};

    name += strncmp(name, "cuda", 4) == 0 ? 4 : 2;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (strncmp(name, parts[i], strlen(parts[i])) == 0)
            return 1;
    }
    return 0;
}

static void find(void *library, const char *name, void *to)
{
    void *symbol = dlsym(library, name);

    memcpy(to, &symbol, sizeof(symbol));
}

static void enable_calls(void *library, int domain, const char *function)
{
    int (*enable)(uint32_t, uint8_t), (*name_of)(int, uint32_t, const char **);

    find(library, function, &enable);
    find(library, "cuptiGetCallbackName", &name_of);
    for (uint32_t cbid = 1; enable && cbid <= MOST_CALLS; cbid++) {
        const char *name = NULL;

        if (!name_of(domain, cbid, &name) && name && is_launching(name))
            (void)enable(cbid, 1);
    }
}

/* Returns 1: without it, cuInit() would fail. */
EXPORTED int InitializeInjection(void);
EXPORTED int InitializeInjection(void)
{
    static const int kinds[] = {9, 10, 1, 2, 22, 38, 17};
    const char *path = getenv("ALONE_CUPTI");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*add_callbacks)(void *, void *), (*enable)(int);

    if (!library)
        return 1;
    find(library, "cuptiActivityRegisterCallbacks", &add_callbacks);
    find(library, "cuptiActivityEnable", &enable);
    (void)add_callbacks((void *)(uintptr_t)on_request, (void *)(uintptr_t)on_complete);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        (void)enable(kinds[i]);
    enable_calls(library, RUNTIME_API, "cuptiActivityEnableRuntimeApi");
    enable_calls(library, DRIVER_API, "cuptiActivityEnableDriverApi");
    return 1;
}
