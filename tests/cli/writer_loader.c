/* SPDX-License-Identifier: Apache-2.0 */
/* writer_loader.c - loads a backend of NVTXW as the arguments say, and prints the result,
 * what it means, and the folder and file that the backend came from.
 *
 *   writer_loader [LIBRARY]
 */
#include <nvtxw3/nvtxw3_helpers.h>

#include <dlfcn.h>
#include <stdio.h>

static void print_origin(nvtxwModuleHandle_t module)
{
    Dl_info info;
    const char *path, *part;

    if (!dladdr(dlsym(module, NVTXW_GET_INTERFACE_SYMBOL_NAME), &info))
        return;
    path = info.dli_fname;
    part = path + strlen(path);
    for (int n_slashes = 0; part > path; part--) {
        n_slashes += part[-1] == '/';
        if (n_slashes == 2)
            break;
    }
    (void)printf("from %s\n", part);
}

int main(int argc, char **argv)
{
    const char *const library = argc > 1 ? argv[1] : NULL;
    const nvtxwInterface_t *writer = (const nvtxwInterface_t *)&argc;
    nvtxwModuleHandle_t module = &argc;
    nvtxwGetInterface_t get = NULL;
    nvtxwResultCode_t result;
    char message[256], start[6];

    result = nvtxwLoadInterface(library, &writer, &module);
    if (nvtxwGetError(result, message, sizeof(message)) != strlen(message) ||
        nvtxwGetError(result, start, sizeof(start)) != 5 ||
        strncmp(start, message, 5) != 0)
        return 1;
    (void)printf("%d: %.*s\n", (int)result, (int)strcspn(message, ":"), message);
    if (!writer != !module || !writer != (result != NVTXW_RESULT_SUCCESS))
        return 1;
    nvtxwUnload(module);
    /* Loads backends whose interface is of another version, too. */
    if (nvtxwLoad(library, &get, &module) == NVTXW_RESULT_SUCCESS)
        print_origin(module);
    else if (get || module)
        return 1;
    nvtxwUnload(module);
    return 0;
}
