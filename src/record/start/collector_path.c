/* SPDX-License-Identifier: Apache-2.0 */
/* collector_path.c - finds the collector relative to this program, so that a tree can
 * be moved. Installed, the libraries that are loaded by their paths lie in
 * PREFIX/lib/rangeline, where no linker finds them; in a build tree all lie in lib. */
#include "record/start/collector_path.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "console/die.h"

#define COLLECTOR "librangeline-collect.so"

#if defined(__x86_64__)
#define MULTIARCH_LIBDIR "lib/x86_64-linux-gnu"
#elif defined(__aarch64__)
#define MULTIARCH_LIBDIR "lib/aarch64-linux-gnu"
#else
#define MULTIARCH_LIBDIR "lib"
#endif

#ifndef RLN_LIBDIR
#define RLN_LIBDIR "lib"
#endif

static char path[PATH_MAX];

static const char *from_environment(const char *name)
{
    if (realpath(name, path) && access(path, R_OK) == 0)
        return path;
    rln__complain("cannot find collector: RANGELINE_COLLECTOR=\"%s\": %s", name,
                  strerror(errno));
    rln__hint("unset it, or set it to the path of %s", COLLECTOR);
    exit(RLN__EXIT_FAILED);
}

/* The folder that has the bin in which this program is. */
static void find_prefix(char prefix[PATH_MAX - 64])
{
    const ssize_t n = readlink("/proc/self/exe", prefix, PATH_MAX - 65);

    prefix[n > 0 ? n : 0] = '\0';
    for (int i = 0; i < 2; i++) { /* the program's name, then bin */
        char *slash = strrchr(prefix, '/');

        if (slash)
            *slash = '\0';
    }
}

/* The path of an installed file, below the prefix's library folder; into found. False
 * if there is none, with the first path that was tried. */
static bool find_installed(const char *name, char found[PATH_MAX])
{
    static const char *const folders[] = {RLN_LIBDIR, "lib", "lib64", MULTIARCH_LIBDIR};
    char prefix[PATH_MAX - 64];

    find_prefix(prefix);
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        (void)snprintf(found, PATH_MAX, "%s/%s/%s", prefix, folders[i], name);
        if (access(found, R_OK) == 0)
            return true;
    }
    (void)snprintf(found, PATH_MAX, "%s/%s/%s", prefix, folders[0], name);
    return false;
}

const char *rln__collector_path(void)
{
    static char built[PATH_MAX];
    const char *name = getenv("RANGELINE_COLLECTOR");

    if (name && *name)
        return from_environment(name);
    if (find_installed("rangeline/" COLLECTOR, path))
        return path;
    if (find_installed(COLLECTOR, built))
        return built;
    rln__complain("cannot find collector: path=\"%s\": %s", path, strerror(errno));
    rln__hint("install it there, or set RANGELINE_COLLECTOR to its path");
    exit(RLN__EXIT_FAILED);
}

const char *rln__cmake_path(void)
{
    static char cmake[PATH_MAX];

    if (find_installed("cmake/rangeline/rangeline-config.cmake", cmake)) {
        for (int i = 0; i < 2; i++)
            *strrchr(cmake, '/') = '\0';
        return cmake;
    }
    rln__complain("cannot find CMake package: path=\"%s\": %s", cmake, strerror(errno));
    rln__hint("a build tree has none: `cmake --install` puts it there");
    exit(RLN__EXIT_FAILED);
}

const char *rln__include_path(void)
{
    static char include[PATH_MAX];
    char prefix[PATH_MAX - 64], header[PATH_MAX + 64];

    find_prefix(prefix);
    (void)snprintf(include, sizeof(include), "%s/include", prefix);
    (void)snprintf(header, sizeof(header), "%s/nvtx3/nvToolsExt.h", include);
    if (access(header, R_OK) == 0)
        return include;
    rln__complain("cannot find headers: path=\"%s\": %s", header, strerror(errno));
    rln__hint("`cmake --install` puts them there; Debian's are in librangeline-dev");
    exit(RLN__EXIT_FAILED);
}

static const char *beside_collector(const char *name)
{
    static char found[PATH_MAX + 64];
    const char *collector = rln__collector_path();
    const char *slash = strrchr(collector, '/');

    (void)snprintf(found, sizeof(found), "%.*s/%s", (int)(slash - collector), collector,
                   name);
    if (access(found, R_OK) == 0)
        return found;
    rln__complain("cannot find library: path=\"%s\": %s", found, strerror(errno));
    rln__hint("install it there, beside the collector");
    exit(RLN__EXIT_FAILED);
}

const char *rln__profiler_path(void)
{
    return beside_collector("librangeline-cuda.so");
}

const char *rln__gil_path(void)
{
    return beside_collector("librangeline-gil.so");
}

const char *rln__mpi_path(void)
{
    return beside_collector("librangeline-mpi.so");
}

const char *rln__gpu_recorder_path(void)
{
    return beside_collector("librangeline-gpu.so");
}

const char *rln__gpu_metrics_path(void)
{
    return beside_collector("rangeline-gpu-metrics");
}

const char *rln__itt_path(void)
{
    return beside_collector("librangeline-itt.so");
}

const char *rln__roctx_path(size_t index)
{
    static const char *const names[] = {"roctx/libroctx64.so.4",
                                        "roctx/librocprofiler-sdk-roctx.so.1"};

    return index < RLN_COUNT(names) ? beside_collector(names[index]) : NULL;
}

const char *rln__writer_path(void)
{
    return beside_collector("librangeline-writer.so");
}
