/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxw3_loader.h - NVTXW: finds and loads a backend; reads the options of a session.
 *
 * Header-only, unlike NVIDIA's: the functions are static, and need -ldl before glibc
 * 2.34. Define NVTXW_NO_IMPL to declare nvtxwLoad(), nvtxwUnload() and nvtxwGetError()
 * only, such as in a program that compiles NVIDIA's nvtxw3_loader.c. Programs may also
 * load a backend themselves: see nvtxwGetInterface_t.
 */
#if !defined(NVTXW_LOADER_API)
#define NVTXW_LOADER_API

#include <nvtxw3/nvtxw3.h>

#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

#if defined(NVTXW_NO_IMPL)
#define NVTXW_DECLSPEC extern
#else
#define NVTXW_DECLSPEC NVTX_INLINE_STATIC
#endif

#if defined(_WIN32)
#define NVTXW_LIB_PREFIX ""
#define NVTXW_LIB_SUFFIX ".dll"
#elif defined(__APPLE__)
#define NVTXW_LIB_PREFIX "lib"
#define NVTXW_LIB_SUFFIX ".dylib"
#else
#define NVTXW_LIB_PREFIX "lib"
#define NVTXW_LIB_SUFFIX ".so"
#endif
#define NVTXW_LIB_FILENAME_DEFAULT NVTXW_LIB_PREFIX "nvtxw3" NVTXW_LIB_SUFFIX
#define NVTXW_LIBRARY_ENV_VAR "NVTXW3_LIBRARY"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Loading --------------------------------------------------------------------- */

/* What the system's loader returned. */
typedef void *nvtxwModuleHandle_t;

/**
 * Loads a backend, and sets `*getInterfaceFuncOut` to what it exports.
 *
 * The backend is the one that NVTXW3_LIBRARY in the environment names; otherwise
 * `library`, unless that is NULL or empty; otherwise the first
 * NVTXW_LIB_FILENAME_DEFAULT in the executable's folder, the system loader's ones and the
 * working directory. A backend that is named is the only one tried. Set-uid programs
 * ignore the environment and the working directory.
 *
 * Ownership: `*moduleHandleOut` is to be unloaded with nvtxwUnload(). If
 *            `moduleHandleOut` is NULL, the backend stays loaded.
 * Threads:   any; the environment must not change meanwhile.
 * Errors:    NVTXW_RESULT_LIBRARY_LOAD_FAILED and ..._SYMBOL_MISSING for a named
 *            backend, ..._NOT_FOUND if there is none to be found. The outputs are then
 *            NULL.
 */
NVTXW_DECLSPEC nvtxwResultCode_t nvtxwLoad(const char *library,
                                           nvtxwGetInterface_t *getInterfaceFuncOut,
                                           nvtxwModuleHandle_t *moduleHandleOut);

/** Calls the backend's nvtxwFinalize(), if it has one, and unloads it. After all of its
 * sessions. `moduleHandle` may be NULL. */
NVTXW_DECLSPEC void nvtxwUnload(nvtxwModuleHandle_t moduleHandle);

/**
 * Writes what a result means, as much of it as fits, and returns the text's length.
 *
 * Also what the system's loader says, if it was the last to be called on this thread.
 *
 * Errors: writes nothing and returns 0 without a buffer.
 */
NVTXW_DECLSPEC size_t nvtxwGetError(nvtxwResultCode_t code, char *messageOut,
                                    size_t messageOutLen);

/* ---- Options of a session -------------------------------------------------------- */

/** Gets a key and its value; not zero ends the reading.
 *
 * Ownership: the texts are parts of the configuration, not terminated. */
typedef int (*nvtxwKeyValuePairConsumer_t)(void *state, const char *keyBegin,
                                           const char *keyEnd, const char *valBegin,
                                           const char *valEnd);

/* Without blanks at the end. */
NVTX_INLINE_STATIC const char *rln__nvtxw_trimmed(const char *begin, const char *end)
{
    while (end > begin && strchr(" \t\v", end[-1]))
        end--;
    return end;
}

/** Passes on each KEY=VALUE of nvtxwSessionAttributes_t.configString, also those whose
 * key was there before. Omits comments, and keys or values of nothing but blanks. */
NVTX_INLINE_STATIC void nvtxwConsumeConfigString(const char *config,
                                                 nvtxwKeyValuePairConsumer_t consumer,
                                                 void *state)
{
    while (config && consumer && *config) {
        const char *const key = config + strspn(config, " \t\v");
        const char *const end = key + strcspn(key, "|\r\n");
        const char *const sign = key + strcspn(key, "=|\r\n");
        const char *const key_end = rln__nvtxw_trimmed(key, sign);
        const char *value;
        const char *value_end;

        config = *end ? end + 1 : end;
        if (*key == '#' || sign == end || key_end == key)
            continue;
        value = sign + 1 + strspn(sign + 1, " \t\v");
        value_end = rln__nvtxw_trimmed(value, end);
        if (value < value_end && consumer(state, key, key_end, value, value_end))
            return;
    }
}

/* ---- The loader ------------------------------------------------------------------ */

#if !defined(NVTXW_NO_IMPL)

typedef void (*rln__nvtxw_function)(void);

#if defined(_WIN32)

#define RLN__NVTXW_SEPARATOR "\\"
#define RLN__NVTXW_LOAD(path) LoadLibraryA(path)
#define RLN__NVTXW_UNLOAD(module) FreeLibrary(NVTX_STATIC_CAST(HMODULE, module))
#define RLN__NVTXW_ERROR() NVTX_STATIC_CAST(const char *, NVTX_NULLPTR)

NVTX_INLINE_STATIC rln__nvtxw_function rln__nvtxw_find(void *module, const char *name)
{
    return NVTX_REINTERPRET_CAST(
        rln__nvtxw_function, GetProcAddress(NVTX_STATIC_CAST(HMODULE, module), name));
}

NVTX_INLINE_STATIC size_t rln__nvtxw_executable(char *path, size_t size)
{
    const DWORD n =
        GetModuleFileNameA(NVTX_NULLPTR, path, NVTX_STATIC_CAST(DWORD, size));

    return n < size ? n : 0;
}

#else

#define RLN__NVTXW_SEPARATOR "/"
#define RLN__NVTXW_LOAD(path) dlopen(path, RTLD_LAZY)
#define RLN__NVTXW_UNLOAD(module) dlclose(module)
#define RLN__NVTXW_ERROR() dlerror()

NVTX_INLINE_STATIC rln__nvtxw_function rln__nvtxw_find(void *module, const char *name)
{
    union { /* converts without casts that ISO C forbids */
        void *object;
        rln__nvtxw_function function;
    } found;

    found.object = dlsym(module, name);
    return found.function;
}

/* libc's functions under other names: standard C hides readlink(), and getauxval()'s
 * header defines thousands of macros. */
#if defined(__linux__)
extern long rln__nvtxw_readlink(const char *path, char *to,
                                size_t size) __asm__("readlink");
extern unsigned long rln__nvtxw_getauxval(unsigned long type) __asm__("getauxval");
#endif

/* The length of the executable's path; 0 if it is unknown or longer than `size`. */
NVTX_INLINE_STATIC size_t rln__nvtxw_executable(char *path, size_t size)
{
#if defined(__linux__)
    const long n = rln__nvtxw_readlink("/proc/self/exe", path, size);

    return n > 0 && NVTX_STATIC_CAST(size_t, n) < size ? NVTX_STATIC_CAST(size_t, n)
                                                       : 0;
#elif defined(__APPLE__)
    uint32_t given = NVTX_STATIC_CAST(uint32_t, size);

    return _NSGetExecutablePath(path, &given) == 0 ? strlen(path) : 0;
#else
    (void)path;
    (void)size;
    return 0;
#endif
}

#endif

/* Whether the caller of this process may not choose what it loads. */
NVTX_INLINE_STATIC int rln__nvtxw_is_set_uid(void)
{
#if defined(__linux__)
    return rln__nvtxw_getauxval(23) != 0; /* AT_SECURE */
#else
    return 0;
#endif
}

NVTX_INLINE_STATIC nvtxwResultCode_t rln__nvtxw_load(const char *library,
                                                     nvtxwGetInterface_t *get,
                                                     nvtxwModuleHandle_t *out)
{
    nvtxwModuleHandle_t const module = RLN__NVTXW_LOAD(library);

    if (!module)
        return NVTXW_RESULT_LIBRARY_LOAD_FAILED;
    *get = NVTX_REINTERPRET_CAST(
        nvtxwGetInterface_t, rln__nvtxw_find(module, NVTXW_GET_INTERFACE_SYMBOL_NAME));
    if (!*get) {
        RLN__NVTXW_UNLOAD(module);
        return NVTXW_RESULT_LIBRARY_SYMBOL_MISSING;
    }
    if (out)
        *out = module;
    return NVTXW_RESULT_SUCCESS;
}

NVTX_INLINE_STATIC nvtxwResultCode_t rln__nvtxw_search(nvtxwGetInterface_t *get,
                                                       nvtxwModuleHandle_t *out)
{
    static const char name[] = NVTXW_LIB_FILENAME_DEFAULT;
    char path[4096 + sizeof(name)];
    size_t n = rln__nvtxw_executable(path, 4096);

    while (n && path[n - 1] != RLN__NVTXW_SEPARATOR[0])
        n--;
    memcpy(path + n, name, sizeof(name));
    if (n && rln__nvtxw_load(path, get, out) == NVTXW_RESULT_SUCCESS)
        return NVTXW_RESULT_SUCCESS;
    if (rln__nvtxw_load(name, get, out) == NVTXW_RESULT_SUCCESS)
        return NVTXW_RESULT_SUCCESS;
    if (!rln__nvtxw_is_set_uid() &&
        rln__nvtxw_load("." RLN__NVTXW_SEPARATOR NVTXW_LIB_FILENAME_DEFAULT, get,
                        out) == NVTXW_RESULT_SUCCESS)
        return NVTXW_RESULT_SUCCESS;
    return NVTXW_RESULT_LIBRARY_NOT_FOUND;
}

NVTXW_DECLSPEC nvtxwResultCode_t nvtxwLoad(const char *library,
                                           nvtxwGetInterface_t *getInterfaceFuncOut,
                                           nvtxwModuleHandle_t *moduleHandleOut)
{
    const char *named = NVTX_NULLPTR;

    if (moduleHandleOut)
        *moduleHandleOut = NVTX_NULLPTR;
    if (!getInterfaceFuncOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    *getInterfaceFuncOut = NVTX_NULLPTR;
#if defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4996)
#endif
    if (!rln__nvtxw_is_set_uid())
        named = getenv(NVTXW_LIBRARY_ENV_VAR);
#if defined(_MSC_VER)
#pragma warning(pop)
#endif
    if (!named || !*named)
        named = library;
    return named && *named
               ? rln__nvtxw_load(named, getInterfaceFuncOut, moduleHandleOut)
               : rln__nvtxw_search(getInterfaceFuncOut, moduleHandleOut);
}

NVTXW_DECLSPEC void nvtxwUnload(nvtxwModuleHandle_t moduleHandle)
{
    nvtxwFinalize_t finalize;

    if (!moduleHandle)
        return;
    finalize = rln__nvtxw_find(moduleHandle, NVTXW_FINALIZE_SYMBOL_NAME);
    if (finalize)
        finalize();
    RLN__NVTXW_UNLOAD(moduleHandle);
}

/* Appends what fits into the `size` bytes of `to`, and a 0; returns the new length. */
NVTX_INLINE_STATIC size_t rln__nvtxw_append(char *to, size_t length, size_t size,
                                            const char *text)
{
    const size_t n = strlen(text);
    const size_t kept = n < size - length ? n : size - length - 1;

    memcpy(to + length, text, kept);
    to[length + kept] = '\0';
    return length + kept;
}

NVTXW_DECLSPEC size_t nvtxwGetError(nvtxwResultCode_t code, char *messageOut,
                                    size_t messageOutLen)
{
    static const char *const meanings[] = {
        "success",
        "failed",
        "invalid argument",
        "no backend found: set " NVTXW_LIBRARY_ENV_VAR,
        "cannot load backend",
        "not a backend: no " NVTXW_GET_INTERFACE_SYMBOL_NAME "()",
        "backend lacks this version of the interface",
        "backend does not support this",
    };
    const char *detail = NVTX_NULLPTR;
    size_t n;

    if (!messageOut || !messageOutLen)
        return 0;
    n = rln__nvtxw_append(messageOut, 0, messageOutLen,
                          code >= 0 && code <= NVTXW_RESULT_NOT_SUPPORTED
                              ? meanings[code]
                              : "unknown result");
    if (code == NVTXW_RESULT_LIBRARY_LOAD_FAILED ||
        code == NVTXW_RESULT_LIBRARY_SYMBOL_MISSING)
        detail = RLN__NVTXW_ERROR();
    if (!detail)
        return n;
    n = rln__nvtxw_append(messageOut, n, messageOutLen, ": ");
    return rln__nvtxw_append(messageOut, n, messageOutLen, detail);
}

#endif /* !NVTXW_NO_IMPL */

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTXW_LOADER_API */
