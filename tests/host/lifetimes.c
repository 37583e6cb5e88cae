/* SPDX-License-Identifier: Apache-2.0 */
/* lifetimes.c - annotates before main() and after it, in executables and libraries. */
#include "host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

enum { EARLY_CLIENT_MARKS = 5 };

static int has_begun;

/* In a constructor, and within dlopen(): the library's first call attaches. */
__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("HOST_EARLY_CLIENT");

    if (!path)
        return;
    CHECK(dlopen(path, RTLD_NOW) != NULL);
    count_marks(EARLY_CLIENT_MARKS);
    mark();
    has_begun = 1;
}

__attribute__((destructor)) static void end(void)
{
    for (int i = 0; i < 10000; i++)
        mark();
}

static void at_exit(void)
{
    mark();
}

static void *mark_in_thread(void *unused)
{
    mark();
    return unused;
}

/* The last exit handler: even there another thread can be started. */
static void at_exit_in_thread(void)
{
    pthread_t thread;

    CHECK(!pthread_create(&thread, NULL, mark_in_thread, NULL));
    CHECK(!pthread_join(thread, NULL));
}

static int static_lifetimes(void)
{
    CHECK(has_begun);
    CHECK(atexit(at_exit_in_thread) == 0 && atexit(at_exit) == 0);
    mark();
    return 0;
}

/* Only exit handlers annotate: the process attaches while it ends. */
static int only_at_exit(void)
{
    CHECK(atexit(at_exit) == 0);
    return 0;
}

static void *end_all(void *unused)
{
    (void)unused;
    mark();
    exit(0);
}

/* Exit handlers run on the thread that calls exit(). */
static int exit_in_thread(void)
{
    pthread_t thread;

    CHECK(!pthread_create(&thread, NULL, end_all, NULL));
    (void)pthread_join(thread, NULL);
    return 1;
}

const struct host_case host_cases[] = {
    {"static_lifetimes", static_lifetimes},
    {"only_at_exit", only_at_exit},
    {"exit_in_thread", exit_in_thread},
    {0},
};
