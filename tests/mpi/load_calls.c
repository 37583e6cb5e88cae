/* SPDX-License-Identifier: Apache-2.0 */
/* load_calls.c MODULE ARGUMENT... - calls main() of a module that it loads as Python loads its
 * own: no other library finds what that and its libraries have. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    union {
        void *symbol;
        int (*call)(int, char **);
    } function = {module ? dlsym(module, "main") : NULL};

    if (!function.symbol) {
        (void)fprintf(stderr, "load: %s\n", module ? "no main()" : dlerror());
        return 1;
    }
    return function.call(argc - 1, argv + 1);
}
