/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_client.h - how a program's calls reach a tool. Included by nvToolsExt.h.
 *
 *     nvtxRangePushA("x")
 *         |   slot holds        before the first call   first_RangePushA: attaches the
 *         v                                             tool, then calls again
 *     rln__nvtx3_client.slot[]  with a tool             the tool's callback
 *                               without                 NULL: the call does nothing
 *
 * Invariants:
 * - One hidden client in each executable or shared library: weak, so that the linker
 *   keeps one of the object files' copies.
 * - A slot changes exactly once: the tool stores a callback during attach, or attach
 *   stores NULL at its end.
 * - Everything is initialized by constants: calls work before static constructors.
 *
 * Linker names begin with rln__nvtx3_, so that this client and those of other copies of
 * NVTX can coexist in one program. A change of the client's layout needs a new name: a
 * library may be built from files of different age.
 */
#ifndef NVTX_CLIENT_H
#define NVTX_CLIENT_H

#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

/* Some of these are included only because programs rely on getting them from NVTX. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <wchar.h>

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
#ifndef NVTX_SUPPORT_STATIC_INJECTION_LIBRARY
#define NVTX_SUPPORT_STATIC_INJECTION_LIBRARY 1
#endif
#ifndef NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY
#if defined(__linux__) && NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY
#define NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY 1
#else
#define NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY 0
#endif
#endif

/* Without a dynamic linker, even the name of dlopen() must not occur. */
#if NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY || NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY
#define NVTX_DLOPEN(path) dlopen(path, RTLD_LAZY)
#else
#define NVTX_DLOPEN(path)                                                              \
    (NVTX_STATIC_CAST(void, path), NVTX_STATIC_CAST(void *, NVTX_NULLPTR))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(NVTX_DISABLE)

/* Functions that run at most once, placed away from the program's own code. */
#if defined(__cplusplus)
#define NVTX_COLD inline __attribute__((visibility("hidden"), cold))
#else
#define NVTX_COLD static __attribute__((unused, noinline, cold))
#endif

/* Variables shared by the linkage unit's object files, hidden from all other units. */
#define NVTX_ONE_IN_UNIT __attribute__((visibility("hidden"), weak))

/* ---- The client ------------------------------------------------------------------ */

/* The first slot of each module; entry 0 of each is unused, as in the tables. */
#define NVTX_SLOT_CORE 0
#define NVTX_SLOT_CUDA (NVTX_SLOT_CORE + NVTX_CBID_CORE_SIZE)
#define NVTX_SLOT_OPENCL (NVTX_SLOT_CUDA + NVTX_CBID_CUDA_SIZE)
#define NVTX_SLOT_CUDART (NVTX_SLOT_OPENCL + NVTX_CBID_OPENCL_SIZE)
#define NVTX_SLOT_CORE2 (NVTX_SLOT_CUDART + NVTX_CBID_CUDART_SIZE)
#define NVTX_SLOT_SYNC (NVTX_SLOT_CORE2 + NVTX_CBID_CORE2_SIZE)
#define NVTX_N_SLOTS (NVTX_SLOT_SYNC + NVTX_CBID_SYNC_SIZE)

/* An action that is done once. */
struct rln__nvtx3_attaching {
    uintptr_t state; /* NVTX_STATE_*, or a mark of the thread that is attaching */
    uintptr_t pid;   /* of that thread's process: a child may be forked in between */
};

struct rln__nvtx3_client {
    struct rln__nvtx3_attaching attaching;
    NvtxExportTableCallbacks callbacks;
    NvtxExportTableVersionInfo version;
    NvtxFunctionPointer slot[NVTX_N_SLOTS];
};
#define NVTX_STATE_FRESH 0
#define NVTX_STATE_COMPLETE 1
/* Each thread has its own errno, so its address identifies the thread. */
#define NVTX_STATE_ATTACHING_HERE NVTX_REINTERPRET_CAST(uintptr_t, &errno)

extern struct rln__nvtx3_client rln__nvtx3_client_v1
    __attribute__((visibility("hidden")));

/* Pointers to the slots, module after module: the NULL at the beginning of a module's
 * table also ends the previous one. Attach fills it, which saves the dynamic linker a
 * relocation per slot. */
extern NvtxFunctionPointer *rln__nvtx3_table_v1[NVTX_N_SLOTS + 1]
    __attribute__((visibility("hidden")));

/* Relaxed: a plain load on every machine. A tool whose state must be visible to a
 * thread's first callback must order that itself (acquire, in its thread set-up). */
#define NVTX_SLOT_LOAD(index)                                                          \
    __atomic_load_n(&rln__nvtx3_client_v1.slot[index], __ATOMIC_RELAXED)

/* ---- Attaching ------------------------------------------------------------------- */

/* All six modules have tables even if the program includes no header that uses them:
 * tools consider a client broken if it refuses one. */
NVTX_COLD int NVTX_API rln__nvtx3_get_table(NvtxCallbackModule module,
                                            NvtxFunctionTable *out_table,
                                            unsigned int *out_size)
{
    unsigned int first, size;

    switch (NVTX_STATIC_CAST(int, module)) {
#define NVTX_MODULE(name)                                                              \
    case NVTX_CB_MODULE##name:                                                         \
        first = NVTX_SLOT##name;                                                       \
        size = NVTX_CBID##name##_SIZE;                                                 \
        break;
        NVTX_MODULE(_CORE)
        NVTX_MODULE(_CUDA)
        NVTX_MODULE(_OPENCL)
        NVTX_MODULE(_CUDART)
        NVTX_MODULE(_CORE2)
        NVTX_MODULE(_SYNC)
#undef NVTX_MODULE
    default:
        return 0;
    }
    if (out_size)
        *out_size = size;
    if (out_table)
        *out_table = &rln__nvtx3_table_v1[first];
    return 1;
}

NVTX_COLD void NVTX_API rln__nvtx3_set_tool_version(uint32_t version)
{
    (void)version;
}

NVTX_COLD const void *NVTX_API rln__nvtx3_get_export_table(uint32_t id)
{
    if (id == NVTX_ETID_CALLBACKS)
        return &rln__nvtx3_client_v1.callbacks;
    if (id == NVTX_ETID_VERSIONINFO)
        return &rln__nvtx3_client_v1.version;
    return NVTX_NULLPTR;
}

/* The variable through which a tool linked into the program is found. If the object
 * format has weak references, it is only referred to, never defined. */
#if NVTX_SUPPORT_STATIC_INJECTION_LIBRARY
#if defined(NVTX_STATIC_INJECTION_IMPL)
extern NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr;
#define NVTX_STATIC_TOOL InitializeInjectionNvtx2_fnptr
#elif defined(__ELF__)
extern NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr
    __attribute__((weak, visibility("default")));
#define NVTX_STATIC_TOOL                                                               \
    (&InitializeInjectionNvtx2_fnptr ? InitializeInjectionNvtx2_fnptr : NVTX_NULLPTR)
#else
__attribute__((weak)) NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr;
#define NVTX_STATIC_TOOL InitializeInjectionNvtx2_fnptr
#endif
#else
#define NVTX_STATIC_TOOL NVTX_NULLPTR
#endif

/* The entry of that name in any library of the process, such as a preloaded one; NULL
 * unless this was enabled. The handle is RTLD_DEFAULT, which <dlfcn.h> has for
 * _GNU_SOURCE only. */
#if NVTX_SUPPORT_ALREADY_INJECTED_LIBRARY
#define NVTX_PRESENT_TOOL(entry) dlsym(NVTX_NULLPTR, entry)
#else
#define NVTX_PRESENT_TOOL(entry) NVTX_NULLPTR
#endif

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

/* The path in the environment, or NULL. */
NVTX_COLD const char *rln__nvtx3_tool_path(void)
{
#if !NVTX_SUPPORT_ENV_VARS || !NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY
    return NVTX_NULLPTR;
#else
    if (rln__nvtx3_is_set_uid())
        return NVTX_NULLPTR;
    return getenv(sizeof(void *) == 4 ? "NVTX_INJECTION32_PATH"
                                      : "NVTX_INJECTION64_PATH");
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
    folder = getenv("XDG_RUNTIME_DIR");
#endif
    if (!folder || !*folder || strlen(folder) > sizeof(path) - 64)
        return 0;
    strcpy(path, folder);
    strcat(path, "/nvidia/nvtx/nvtx-cuda.yaml");
    return access(path, F_OK) == 0;
}

/* A tool's entry from the CUDA driver, or NULL; *library is then the driver's handle.
 * Tried last, and only if a tool announced itself: otherwise the driver is not loaded.
 */
NVTX_COLD NvtxInjectionGenericFunc_t
rln__nvtx3_find_in_driver(NvtxInjectionInitializerKind kind, void **library)
{
    NvtxInjectionGenericFunc_t entry = NVTX_NULLPTR;
    union {
        void *object;
        NvtxGetInjectionInitializerFunc_t get;
    } found;

    if (!NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY || rln__nvtx3_is_set_uid() ||
        !rln__nvtx3_is_announced())
        return NVTX_NULLPTR;
    *library = NVTX_DLOPEN("libcuda.so.1");
    if (!*library)
        return NVTX_NULLPTR;
    found.object = dlsym(*library, "cuNvtxGetInjectionInitializer");
    if (found.object && found.get(kind, &entry) == 0 && entry)
        return entry;
    dlclose(*library);
    *library = NVTX_NULLPTR;
    return NVTX_NULLPTR;
}

/* The tool's entry, or NULL; *library is its handle if we loaded it. A path that cannot
 * be loaded also rules out other tools: the user asked for that one. */
NVTX_COLD NvtxInitializeInjectionNvtxFunc_t rln__nvtx3_find_tool(void **library)
{
    const char *const path = rln__nvtx3_tool_path();
    union { /* converts without casts that ISO C forbids */
        void *object;
        NvtxInjectionGenericFunc_t any;
        NvtxInitializeInjectionNvtxFunc_t entry;
    } found;

    *library = NVTX_NULLPTR;
    if (!path) {
        found.object = NVTX_PRESENT_TOOL("InitializeInjectionNvtx2Preinject");
        if (!found.object)
            found.entry = NVTX_STATIC_TOOL;
        if (!found.entry)
            found.any =
                rln__nvtx3_find_in_driver(NVTX_INJECTION_INITIALIZER_CORE, library);
        return found.entry;
    }
    *library = NVTX_DLOPEN(path);
    if (!*library)
        return NVTX_NULLPTR;
    found.object = dlsym(*library, "InitializeInjectionNvtx2");
    return found.entry;
}

/* Finds the tool, lets it fill the slots, and stores NULL in those it left. */
NVTX_COLD void rln__nvtx3_attach(void)
{
    NvtxFunctionPointer *const slot = rln__nvtx3_client_v1.slot;
    NvtxFunctionPointer before[NVTX_N_SLOTS];
    NvtxInitializeInjectionNvtxFunc_t entry;
    void *library;
    int attached, i;

    for (i = 0; i < NVTX_N_SLOTS; i++) {
        before[i] = slot[i];
        rln__nvtx3_table_v1[i] = before[i] ? &slot[i] : NVTX_NULLPTR;
    }

    entry = rln__nvtx3_find_tool(&library);
    attached = entry && entry(rln__nvtx3_get_export_table) != 0;

    for (i = 0; i < NVTX_N_SLOTS; i++) {
        if (!attached || NVTX_SLOT_LOAD(i) == before[i])
            __atomic_store_n(&slot[i], NVTX_NULLPTR, __ATOMIC_RELAXED);
    }
    if (!attached && library)
        dlclose(library);
}

/* Runs `attach` once in the life of `*once`, and returns whether it has finished. It
 * has not if attaching leads to a call on the same thread (an annotated malloc, a
 * signal handler), or in a child forked while another thread was attaching, which does
 * not exist in the child. Waiting would last for ever, so those calls are dropped. */
NVTX_COLD int rln__nvtx3_once(struct rln__nvtx3_attaching *once, void (*attach)(void))
{
    uintptr_t *const state = &once->state;
    const uintptr_t pid = NVTX_STATIC_CAST(uintptr_t, getpid());
    const uintptr_t here = NVTX_STATE_ATTACHING_HERE;
    const int saved_errno = errno;
    uintptr_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);

    /* A thread that loses the race below has written the same number. */
    if (seen == NVTX_STATE_FRESH)
        __atomic_store_n(&once->pid, pid, __ATOMIC_RELAXED);
    if (seen == NVTX_STATE_FRESH &&
        __atomic_compare_exchange_n(state, &seen, here, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE)) {
        attach();
        /* Pairs with the acquire loads here: slots are stored before the state. */
        __atomic_store_n(state, NVTX_STATE_COMPLETE, __ATOMIC_RELEASE);
    } else if (seen == here || (seen != NVTX_STATE_COMPLETE &&
                                __atomic_load_n(&once->pid, __ATOMIC_RELAXED) != pid)) {
        return 0;
    } else {
        while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != NVTX_STATE_COMPLETE)
            sched_yield();
    }
    errno = saved_errno;
    return 1;
}

/* Makes sure that the client's slots are final, and returns whether they are. */
NVTX_COLD int rln__nvtx3_ready(void)
{
    return rln__nvtx3_once(&rln__nvtx3_client_v1.attaching, rln__nvtx3_attach);
}

/* The value of a slot outside the core after attaching; 0 for a call to be dropped. */
NVTX_COLD intptr_t rln__nvtx3_first(int index)
{
    return rln__nvtx3_ready() ? NVTX_REINTERPRET_CAST(intptr_t, NVTX_SLOT_LOAD(index))
                              : 0;
}

/* The first values of the core's slots: attach, then make the same call again. */
#define NVTX_FIRST_V(module, name, params, args)                                       \
    NVTX_COLD void NVTX_API rln__nvtx3_first_##name params                             \
    {                                                                                  \
        if (rln__nvtx3_ready())                                                        \
            nvtx##name args;                                                           \
    }
#define NVTX_FIRST_R(module, name, params, args, type, neutral)                        \
    NVTX_COLD type NVTX_API rln__nvtx3_first_##name params                             \
    {                                                                                  \
        return rln__nvtx3_ready() ? nvtx##name args : neutral;                         \
    }
NVTX_CORE_CALLS(NVTX_FIRST_V, NVTX_FIRST_R)
NVTX_CORE2_CALLS(NVTX_FIRST_V, NVTX_FIRST_R)
#undef NVTX_FIRST_V
#undef NVTX_FIRST_R

/* The slots of modules that other headers call. Their first value is not a function,
 * but a mark that those calls know: see NVTX_TABLE_BODY_V. */
#define NVTX_SLOT_FRESH                                                                \
    NVTX_REINTERPRET_CAST(NvtxFunctionPointer, NVTX_STATIC_CAST(uintptr_t, 1))
#define NVTX_FRESH_2 NVTX_SLOT_FRESH, NVTX_SLOT_FRESH
#define NVTX_FRESH_6 NVTX_FRESH_2, NVTX_FRESH_2, NVTX_FRESH_2
#define NVTX_FIRST_SLOT_V(module, name, params, args)                                  \
    , NVTX_REINTERPRET_CAST(NvtxFunctionPointer, rln__nvtx3_first_##name)
#define NVTX_FIRST_SLOT_R(module, name, params, args, type, neutral)                   \
    , NVTX_REINTERPRET_CAST(NvtxFunctionPointer, rln__nvtx3_first_##name)

NVTX_ONE_IN_UNIT NvtxFunctionPointer *rln__nvtx3_table_v1[NVTX_N_SLOTS + 1] = {
    NVTX_NULLPTR};

NVTX_ONE_IN_UNIT struct rln__nvtx3_client rln__nvtx3_client_v1 = {
    {NVTX_STATE_FRESH, 0},
    {sizeof(NvtxExportTableCallbacks), rln__nvtx3_get_table},
    {sizeof(NvtxExportTableVersionInfo), NVTX_VERSION, 0, rln__nvtx3_set_tool_version},
    {
        /* CORE */
        NVTX_NULLPTR NVTX_CORE_CALLS(NVTX_FIRST_SLOT_V, NVTX_FIRST_SLOT_R),
        /* CUDA */
        NVTX_NULLPTR,
        NVTX_FRESH_6,
        NVTX_FRESH_2,
        /* OPENCL */
        NVTX_NULLPTR,
        NVTX_FRESH_6,
        NVTX_FRESH_6,
        NVTX_FRESH_2,
        /* CUDART */
        NVTX_NULLPTR,
        NVTX_FRESH_6,
        /* CORE2 */
        NVTX_NULLPTR NVTX_CORE2_CALLS(NVTX_FIRST_SLOT_V, NVTX_FIRST_SLOT_R),
        /* SYNC */
        NVTX_NULLPTR,
        NVTX_FRESH_6,
    },
};
#undef NVTX_FIRST_SLOT_V
#undef NVTX_FIRST_SLOT_R

#endif /* !NVTX_DISABLE */

/* ---- The functions --------------------------------------------------------------- */

/* Every function of the core has the same body. The branch is laid out for a run
 * without a tool: it is not taken then, and with a tool it is predicted. */
#if !defined(NVTX_DISABLE)
#define NVTX_CALLBACK(module, name)                                                    \
    NVTX_REINTERPRET_CAST(                                                             \
        nvtx##name##_impl_fntype,                                                      \
        NVTX_SLOT_LOAD(NVTX_SLOT##module + NVTX_CBID##module##_##name))
#define NVTX_BODY_V(module, name, params, args)                                        \
    NVTX_DECLSPEC void NVTX_API nvtx##name params                                      \
    {                                                                                  \
        const nvtx##name##_impl_fntype callback = NVTX_CALLBACK(module, name);         \
        if (__builtin_expect(callback != NVTX_NULLPTR, 0))                             \
            (*callback) args;                                                          \
    }
#define NVTX_BODY_R(module, name, params, args, type, neutral)                         \
    NVTX_DECLSPEC type NVTX_API nvtx##name params                                      \
    {                                                                                  \
        const nvtx##name##_impl_fntype callback = NVTX_CALLBACK(module, name);         \
        if (__builtin_expect(callback != NVTX_NULLPTR, 0))                             \
            return (*callback)args;                                                    \
        return neutral;                                                                \
    }
#else
#define NVTX_BODY_V NVTX_DISABLED_BODY_V
#define NVTX_BODY_R NVTX_DISABLED_BODY_R
#endif

/* With NVTX_DISABLE. The call that never executes uses the parameters. */
#define NVTX_DISABLED_BODY_V(module, name, params, args)                               \
    NVTX_DECLSPEC void NVTX_API nvtx##name params                                      \
    {                                                                                  \
        if (0)                                                                         \
            nvtx##name args;                                                           \
    }
#define NVTX_DISABLED_BODY_R(module, name, params, args, type, neutral)                \
    NVTX_DECLSPEC type NVTX_API nvtx##name params                                      \
    {                                                                                  \
        return 0 ? nvtx##name args : neutral;                                          \
    }

/* The functions of the other modules. A slot is a callback, or `off`, or still `fresh`:
 * then `first` attaches and returns the slot's new value, never `fresh`. */
#define NVTX_LAZY_BODY_V(name, params, args, load, fresh, off, first)                  \
    NVTX_DECLSPEC void NVTX_API nvtx##name params                                      \
    {                                                                                  \
        intptr_t slot = load;                                                          \
        if (__builtin_expect(slot != off, 0)) {                                        \
            if (slot == fresh)                                                         \
                slot = first;                                                          \
            if (slot != off)                                                           \
                (*NVTX_REINTERPRET_CAST(nvtx##name##_impl_fntype, slot)) args;         \
        }                                                                              \
    }
#define NVTX_LAZY_BODY_R(name, params, args, type, neutral, load, fresh, off, first)   \
    NVTX_DECLSPEC type NVTX_API nvtx##name params                                      \
    {                                                                                  \
        intptr_t slot = load;                                                          \
        if (__builtin_expect(slot != off, 0)) {                                        \
            if (slot == fresh)                                                         \
                slot = first;                                                          \
            if (slot != off)                                                           \
                return (*NVTX_REINTERPRET_CAST(nvtx##name##_impl_fntype, slot))args;   \
        }                                                                              \
        return neutral;                                                                \
    }

/* Modules whose slots are in the client: CUDA, OPENCL, CUDART, SYNC. */
#if !defined(NVTX_DISABLE)
#define NVTX_TABLE_INDEX(module, name) (NVTX_SLOT##module + NVTX_CBID##module##_##name)
#define NVTX_TABLE_LOAD(module, name)                                                  \
    NVTX_REINTERPRET_CAST(intptr_t, NVTX_SLOT_LOAD(NVTX_TABLE_INDEX(module, name)))
#define NVTX_TABLE_BODY_V(module, name, params, args)                                  \
    NVTX_LAZY_BODY_V(name, params, args, NVTX_TABLE_LOAD(module, name), 1, 0,          \
                     rln__nvtx3_first(NVTX_TABLE_INDEX(module, name)))
#define NVTX_TABLE_BODY_R(module, name, params, args, type, neutral)                   \
    NVTX_LAZY_BODY_R(name, params, args, type, neutral, NVTX_TABLE_LOAD(module, name), \
                     1, 0, rln__nvtx3_first(NVTX_TABLE_INDEX(module, name)))
#else
#define NVTX_TABLE_BODY_V NVTX_DISABLED_BODY_V
#define NVTX_TABLE_BODY_R NVTX_DISABLED_BODY_R
#endif

NVTX_CORE_CALLS(NVTX_BODY_V, NVTX_BODY_R)
NVTX_CORE2_CALLS(NVTX_BODY_V, NVTX_BODY_R)
#undef NVTX_BODY_V
#undef NVTX_BODY_R

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTX_CLIENT_H */
