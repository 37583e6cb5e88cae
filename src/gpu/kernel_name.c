/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/kernel_name.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

struct task {
    const char *mangled;
    char *demangled; /* owned */
};

static void *demangle(void *context)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    struct task *task = context;
    union {
        void *symbol;
        char *(*call)(const char *, char *, size_t *, int *);
    } found = {NULL};
    int status = 0;

    for (size_t i = 0; i < 2 && !found.symbol; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

        if (library) {
            found.symbol = dlsym(library, "__cxa_demangle");
            (void)dlclose(library); /* the program keeps it */
        }
    }
    if (found.symbol)
        task->demangled = found.call(task->mangled, NULL, NULL, &status);
    return NULL;
}

/* A name of some hundred characters takes more stack than a thread of the program may
 * have left, so there is a thread for it, without the program's signals. */
char *rln__kernel_demangle(const char *mangled)
{
    enum { STACK_BYTES = 16 << 20 };
    struct task task = {mangled, NULL};
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;

    if (strncmp(mangled, "_Z", 2) != 0 || pthread_attr_init(&attributes))
        return NULL;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!pthread_create(&thread, &attributes, demangle, &task))
        (void)pthread_join(thread, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return task.demangled;
}

/* The bracket that opens the pair that ends at `at`, or the beginning. Comparisons in
 * template arguments stand in parentheses: "f<((3)>(2))>". */
static const char *opening(const char *name, const char *at, char open, char close)
{
    int depth = 0, inside = 0;

    for (; at > name; at--) {
        if (open == '<') {
            inside += *at == ')';
            inside -= *at == '(';
        }
        if (inside)
            continue;
        depth += *at == close;
        depth -= *at == open;
        if (!depth)
            break;
    }
    return at;
}

/* The end of the part before the parameters: those of "f(int (*)(int))" begin at the
 * bracket that closes with the last one. */
static const char *before_parameters(const char *name)
{
    const char *end = name + strlen(name);
    const char *last = strrchr(name, ')');
    const char *open = last ? opening(name, last, '(', ')') : NULL;

    return open && open > name ? open : end;
}

const char *rln__kernel_short(const char *name, size_t *length)
{
    const char *end = before_parameters(name), *begin = end;

    if (end > name && end[-1] == '>') {
        const char *open = opening(name, end - 1, '<', '>');

        end = open > name ? open : end;
    }
    for (begin = end; begin > name && begin[-1] != ' ' && begin[-1] != ':'; begin--)
        ;
    *length = (size_t)(end - begin);
    return begin;
}
