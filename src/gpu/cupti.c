/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cupti.h"
#include "base/count.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The releases that are known, the newest first. */
static const struct release {
    const char *soname;
    const char *runtime; /* CUDA's run-time library of the same release */
    int major;
} releases[] = {
    {"libcupti.so.13", "libcudart.so.13", 13},
    {"libcupti.so.12", "libcudart.so.12", 12},
    {"libcupti.so.11.8", "libcudart.so.11.0", 11},
};

/* --- Functions -------------------------------------------------------------------- */

static const char *find_functions(struct rln__cupti *c, void *library)
{
    const struct {
        const char *name;
        size_t offset;
        int is_needed;
    } functions[] = {
        {"cuptiSubscribe", offsetof(struct rln__cupti, subscribe), 1},
        {"cuptiUnsubscribe", offsetof(struct rln__cupti, unsubscribe), 1},
        {"cuptiEnableCallback", offsetof(struct rln__cupti, enable_callback), 1},
        {"cuptiGetGraphNodeId", offsetof(struct rln__cupti, graph_node_id), 1},
        {"cuptiActivityRegisterCallbacks",
         offsetof(struct rln__cupti, register_buffers), 1},
        {"cuptiActivityRegisterTimestampCallback",
         offsetof(struct rln__cupti, set_clock), 0},
        {"cuptiActivityEnable", offsetof(struct rln__cupti, enable), 1},
        {"cuptiActivityDisable", offsetof(struct rln__cupti, disable), 1},
        {"cuptiActivityFlushAll", offsetof(struct rln__cupti, flush), 1},
        {"cuptiActivityGetNextRecord", offsetof(struct rln__cupti, next_record), 1},
        {"cuptiActivityGetNumDroppedRecords",
         offsetof(struct rln__cupti, count_dropped), 1},
        {"cuptiGetResultString", offsetof(struct rln__cupti, result_text), 1},
        {"cuptiGetCallbackName", offsetof(struct rln__cupti, call_name), 1},
        {"cuptiActivityEnableRuntimeApi",
         offsetof(struct rln__cupti, enable_runtime_call), 0},
        {"cuptiActivityEnableDriverApi",
         offsetof(struct rln__cupti, enable_driver_call), 0},
    };

    for (size_t i = 0; i < RLN_COUNT(functions); i++) {
        void *symbol = dlsym(library, functions[i].name);

        if (!symbol && functions[i].is_needed)
            return "the CUPTI library lacks functions";
        memcpy((char *)c + functions[i].offset, &symbol, sizeof(symbol));
    }
    return NULL;
}

/* --- Where it is ------------------------------------------------------------------ */

struct beside {
    const struct release *release;
    char *path; /* of PATH_MAX bytes */
};

/* Finds where the program has loaded the run-time library of a release from. Python's
 * packages for CUDA 12 have a folder per library, those for 13 have one for all. */
static int find_beside(struct dl_phdr_info *info, size_t size, void *context)
{
    static const char *const folders[] = {"", "../../cuda_cupti/lib/"};
    struct beside *b = context;
    const char *name = strrchr(info->dlpi_name, '/');

    (void)size;
    if (!name || strcmp(name + 1, b->release->runtime) != 0)
        return 0;
    for (size_t i = 0; i < RLN_COUNT(folders); i++) {
        const int n =
            snprintf(b->path, PATH_MAX, "%.*s/%s%s", (int)(name - info->dlpi_name),
                     info->dlpi_name, folders[i], b->release->soname);
        FILE *file = n > 0 && n < PATH_MAX ? fopen(b->path, "re") : NULL;

        if (file) {
            (void)fclose(file);
            return 1;
        }
    }
    return 0;
}

static void *open_beside(void)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < RLN_COUNT(releases); i++) {
        struct beside b = {&releases[i], path};

        if (dl_iterate_phdr(find_beside, &b))
            return dlopen(path, RTLD_LAZY);
    }
    return NULL;
}

/* The major release of CUDA that the driver serves; 0 if it does not tell. */
static int driver_major(void)
{
    union {
        void *symbol;
        int (*call)(int *);
    } get_version = {NULL};
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    int version = 0;

    if (driver)
        get_version.symbol = dlsym(driver, "cuDriverGetVersion");
    if (get_version.symbol && get_version.call(&version))
        version = 0;
    return version / 1000;
}

static void *open_newest(void)
{
    const int most = driver_major();

    for (size_t i = 0; i < RLN_COUNT(releases); i++) {
        void *library = !most || releases[i].major <= most
                            ? dlopen(releases[i].soname, RTLD_LAZY)
                            : NULL;

        if (library)
            return library;
    }
    return dlopen("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so", RTLD_LAZY);
}

/* A second copy from another path would be a second CUPTI. */
static void *open_loaded(void)
{
    for (size_t i = 0; i < RLN_COUNT(releases); i++) {
        void *library = dlopen(releases[i].soname, RTLD_LAZY | RTLD_NOLOAD);

        if (library)
            return library;
    }
    return NULL;
}

const char *rln__cupti_load(struct rln__cupti *out, const char *path)
{
    void *library = open_loaded();

    memset(out, 0, sizeof(*out));
    if (!library && path)
        library = dlopen(path, RTLD_LAZY);
    else if (!library)
        library = open_beside();
    if (!library && !path)
        library = open_newest();
    if (!library)
        return path ? "the CUPTI library that --cupti names cannot be loaded"
                    : "there is no CUPTI library: install it, or name it with --cupti";
    return find_functions(out, library);
}
