/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_system.h - what a client needs of the system. Included by nvtx_client.h.
 *
 * A first part per system: libraries, environment, errors, threads; the rest of the
 * client is the same everywhere. All of it runs at a first call or not at all.
 *
 *                   POSIX                    Windows
 *     path          char, UTF-8              wchar_t, UTF-16
 *     errors        errno                    errno and GetLastError()
 *     fork          yes                      no: the process number never changes
 *     a library of  any: the loader has      the executable: the loader looks names
 *     the process   one list of names        up in one module only
 */
#ifndef NVTX_SYSTEM_H
#define NVTX_SYSTEM_H

#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

/* Some of these are included only because programs rely on getting them from NVTX. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/types.h>
#include <unistd.h>
#endif

#ifndef NVTX_SUPPORT_ENV_VARS
#define NVTX_SUPPORT_ENV_VARS 1
#endif
#ifndef NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY
#define NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY 1
#endif
/* Off, as in NVIDIA's headers: several libraries of one process may be tools. */
#ifndef NVTX_SUPPORT_ALREADY_INJECTED_LIBRARY
#define NVTX_SUPPORT_ALREADY_INJECTED_LIBRARY 0
#endif
/* Windows has no weak symbols: with 1, one file of the program must define the tool's
 * variables. */
#ifndef NVTX_SUPPORT_STATIC_INJECTION_LIBRARY
#if defined(_WIN32)
#define NVTX_SUPPORT_STATIC_INJECTION_LIBRARY 0
#else
#define NVTX_SUPPORT_STATIC_INJECTION_LIBRARY 1
#endif
#endif
#ifndef NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY
#if (defined(__linux__) || defined(_WIN32)) && NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY
#define NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY 1
#else
#define NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY 0
#endif
#endif

/* Declares a variable of a tool that is linked into the program: `tool` is its value,
 * or NULL if the program has no such tool. If the object format has weak references,
 * the variable is only referred to, never defined. */
#if defined(NVTX_STATIC_INJECTION_IMPL) || defined(_WIN32)
#define NVTX_TOOL_VARIABLE(type, name) extern type name
#define NVTX_TOOL_IN(name) name
#elif defined(__ELF__)
#define NVTX_TOOL_VARIABLE(type, name)                                                 \
    extern type name __attribute__((weak, visibility("default")))
#define NVTX_TOOL_IN(name) (&name ? name : NVTX_NULLPTR)
#else
#define NVTX_TOOL_VARIABLE(type, name) __attribute__((weak)) type name
#define NVTX_TOOL_IN(name) name
#endif

#if !defined(NVTX_DISABLE)

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)

/* ---- Windows --------------------------------------------------------------------- */

typedef wchar_t rln__nvtx3_path_char;
#define NVTX_PATH_TEXT(text) L##text

/* The driver comes from folders of the system or folders that the program added, never
 * from the current one, where a file may only pretend to be the driver. 0x800 is
 * LOAD_LIBRARY_SEARCH_SYSTEM32 and 0x400 LOAD_LIBRARY_SEARCH_USER_DIRS, which older
 * versions of <windows.h> lack. */
#define NVTX_LOAD(path) LoadLibraryW(path)
#define NVTX_LOAD_DRIVER() LoadLibraryExW(L"nvcuda.dll", NVTX_NULLPTR, 0x800 | 0x400)
#define NVTX_UNLOAD(library) FreeLibrary(NVTX_STATIC_CAST(HMODULE, library))
#define NVTX_THIS_PROCESS GetModuleHandleW(NVTX_NULLPTR)

NVTX_COLD NvtxInjectionGenericFunc_t rln__nvtx3_find(void *library, const char *name)
{
    return NVTX_REINTERPRET_CAST(
        NvtxInjectionGenericFunc_t,
        GetProcAddress(NVTX_STATIC_CAST(HMODULE, library), name));
}

/* Microsoft's compiler warns of every function that reads the environment. */
NVTX_COLD const wchar_t *rln__nvtx3_environment(const wchar_t *name)
{
#if defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4996)
#endif
    return _wgetenv(name);
#if defined(_MSC_VER)
#pragma warning(pop)
#endif
}
#define NVTX_ENVIRONMENT(name) rln__nvtx3_environment(name)

/* A number of this thread that is neither 0 nor 1. */
#define NVTX_THREAD_MARK (NVTX_STATIC_CAST(uintptr_t, GetCurrentThreadId()) << 1)
#define NVTX_PROCESS_NUMBER GetCurrentProcessId()
#define NVTX_YIELD_THREAD() SwitchToThread()

typedef struct rln__nvtx3_errors {
    int number;
    unsigned long last;
} rln__nvtx3_errors;
#define NVTX_ERRORS_SAVE(saved) ((saved).number = errno, (saved).last = GetLastError())
#define NVTX_ERRORS_RESTORE(saved) (errno = (saved).number, SetLastError((saved).last))

NVTX_COLD int rln__nvtx3_is_set_uid(void)
{
    return 0;
}

NVTX_COLD int rln__nvtx3_exists_below(const wchar_t *folder, const wchar_t *file)
{
    const size_t folder_length = folder ? wcslen(folder) : 0;
    const size_t file_size = wcslen(file) + 1;
    wchar_t path[512];

    if (!folder_length || folder_length + file_size > sizeof(path) / sizeof(path[0]))
        return 0;
    memcpy(path, folder, folder_length * sizeof(path[0]));
    memcpy(path + folder_length, file, file_size * sizeof(path[0]));
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

NVTX_COLD int rln__nvtx3_is_announced(void)
{
#if NVTX_SUPPORT_ENV_VARS
    return rln__nvtx3_exists_below(
               NVTX_ENVIRONMENT(L"ProgramFiles"),
               L"\\NVIDIA Corporation\\NVTX\\runtime\\nvtx-cuda.yaml") ||
           rln__nvtx3_exists_below(NVTX_ENVIRONMENT(L"LOCALAPPDATA"),
                                   L"\\NVIDIA Corporation\\NVTX\\nvtx-cuda.yaml");
#else
    return 0;
#endif
}

#else

/* ---- POSIX ----------------------------------------------------------------------- */

typedef char rln__nvtx3_path_char;
#define NVTX_PATH_TEXT(text) text

/* Without a dynamic linker, even the name of dlopen() must not occur. */
#if NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY || NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY
#define NVTX_LOAD(path) dlopen(path, RTLD_LAZY)
#else
#define NVTX_LOAD(path)                                                                \
    (NVTX_STATIC_CAST(void, path), NVTX_STATIC_CAST(void *, NVTX_NULLPTR))
#endif
#define NVTX_LOAD_DRIVER() NVTX_LOAD("libcuda.so.1")
#define NVTX_UNLOAD(library) dlclose(library)
/* RTLD_DEFAULT, which <dlfcn.h> has for _GNU_SOURCE only. */
#define NVTX_THIS_PROCESS NVTX_NULLPTR

NVTX_COLD NvtxInjectionGenericFunc_t rln__nvtx3_find(void *library, const char *name)
{
    union { /* converts without casts that ISO C forbids */
        void *object;
        NvtxInjectionGenericFunc_t function;
    } found;

    found.object = dlsym(library, name);
    return found.function;
}

#define NVTX_ENVIRONMENT(name) getenv(name)

/* Each thread has its own errno, so its address identifies the thread. */
#define NVTX_THREAD_MARK NVTX_REINTERPRET_CAST(uintptr_t, &errno)
#define NVTX_PROCESS_NUMBER getpid()
#define NVTX_YIELD_THREAD() sched_yield()

typedef int rln__nvtx3_errors;
#define NVTX_ERRORS_SAVE(saved) ((saved) = errno)
#define NVTX_ERRORS_RESTORE(saved) (errno = (saved))

/* libc's getauxval(), declared under another name: its header includes all of <elf.h>,
 * thousands of macros that may clash with the program's. */
#if defined(__linux__)
extern unsigned long rln__nvtx3_getauxval(unsigned long type) __asm__("getauxval");
#define NVTX_AT_SECURE 23 /* the ABI of Linux */
#endif

/* A set-uid program must not load a library named by its caller. */
NVTX_COLD int rln__nvtx3_is_set_uid(void)
{
#if defined(__linux__)
    return rln__nvtx3_getauxval(NVTX_AT_SECURE) != 0;
#else
    return 0;
#endif
}

/* Whether a file announces that the CUDA driver has a tool's entries. Uses little
 * stack: the first call may be in a signal handler. */
NVTX_COLD int rln__nvtx3_is_announced(void)
{
    const char *folder = NVTX_NULLPTR;
    char path[512];

    if (access("/run/nvidia/nvtx/nvtx-cuda.yaml", F_OK) == 0)
        return 1;
    if (geteuid() == 0)
        return access("/run/nvidia/nvtx/user.0/nvtx-cuda.yaml", F_OK) == 0;
#if NVTX_SUPPORT_ENV_VARS
    folder = NVTX_ENVIRONMENT("XDG_RUNTIME_DIR");
#endif
    if (!folder || !*folder || strlen(folder) > sizeof(path) - 64)
        return 0;
    strcpy(path, folder);
    strcat(path, "/nvidia/nvtx/nvtx-cuda.yaml");
    return access(path, F_OK) == 0;
}

#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* !NVTX_DISABLE */

#endif /* NVTX_SYSTEM_H */
