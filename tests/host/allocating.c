/* SPDX-License-Identifier: Apache-2.0 */
/* allocating.c - a program whose allocator annotates: if the collector or NVTX's
 * headers called it, that would be an event. */
#include "host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#if !HAS_ASAN && defined(__GLIBC__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *at, size_t size);
extern void __libc_free(void *at);

static int is_annotating; /* from main() on, and all the time */

static void annotate(const char *what)
{
    if (!is_annotating)
        return;
    nvtxRangePushA(what);
    nvtxMarkA(what);
    nvtxRangePop();
}

void *malloc(size_t size)
{
    annotate("malloc");
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    annotate("calloc");
    return __libc_calloc(n, size);
}

void *realloc(void *at, size_t size)
{
    annotate("realloc");
    return __libc_realloc(at, size);
}

void free(void *at)
{
    annotate("free");
    __libc_free(at);
}

static void *allocate(void *unused)
{
    for (int i = 0; i < 100000; i++) {
        void *volatile held = malloc(64);

        mark();
        free(held);
    }
    return unused;
}

/* Annotates the first call of the process, and each call made by dlopen() or by a
 * thread that begins or ends, the helper included. */
static int annotated_malloc(void)
{
    pthread_t threads[4];

    is_annotating = 1;
    free(malloc(1));
    for (int i = 0; i < 4; i++)
        CHECK(!pthread_create(&threads[i], NULL, allocate, NULL));
    for (int i = 0; i < 4; i++)
        CHECK(!pthread_join(threads[i], NULL));
    CHECK(dlopen(getenv("HOST_CLIENT"), RTLD_NOW) != NULL);
    return 0;
}
#else
static int annotated_malloc(void)
{
    return host_skip("the allocator is the sanitizer's, or not glibc's");
}
#endif

const struct host_case host_cases[] = {
    {"annotated_malloc", annotated_malloc},
    {0},
};
