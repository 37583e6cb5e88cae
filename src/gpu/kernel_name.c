/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/kernel_name.h"

#include <dlfcn.h>
#include <string.h>

char *rln__kernel_demangle(const char *mangled)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    union {
        void *symbol;
        char *(*call)(const char *, char *, size_t *, int *);
    } demangle = {NULL};
    int status = 0;

    if (strncmp(mangled, "_Z", 2) != 0)
        return NULL;
    for (size_t i = 0; i < 2 && !demangle.symbol; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

        if (library) {
            demangle.symbol = dlsym(library, "__cxa_demangle");
            (void)dlclose(library); /* the program keeps it */
        }
    }
    return demangle.symbol ? demangle.call(mangled, NULL, NULL, &status) : NULL;
}

/* The bracket that opens the pair that ends at `at`, or the beginning. */
static const char *opening(const char *name, const char *at, char open, char close)
{
    int depth = 0;

    for (; at > name; at--) {
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
