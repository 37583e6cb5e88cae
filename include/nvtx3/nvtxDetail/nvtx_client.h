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
 * - One hidden client in each executable or shared library: weak (selectany on
 *   Windows), so that the linker keeps one of the object files' copies.
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

#include "nvtx_system.h"

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(NVTX_DISABLE)

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

NVTX_ONE_IN_UNIT_LATER struct rln__nvtx3_client rln__nvtx3_client_v1;

/* Pointers to the slots, module after module: the NULL at the beginning of a module's
 * table also ends the previous one. Attach fills it, which saves the dynamic linker a
 * relocation per slot. */
NVTX_ONE_IN_UNIT_LATER NvtxFunctionPointer *rln__nvtx3_table_v1[NVTX_N_SLOTS + 1];

/* Relaxed: a plain load on every machine. A tool whose state must be visible to a
 * thread's first callback must order that itself (acquire, in its thread set-up). */
#define NVTX_SLOT_LOAD(index)                                                          \
    NVTX_LOAD_RELAXED(NvtxFunctionPointer, &rln__nvtx3_client_v1.slot[index])

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

/* The variable through which a tool linked into the program is found. */
#if NVTX_SUPPORT_STATIC_INJECTION_LIBRARY
NVTX_TOOL_VARIABLE(NvtxInitializeInjectionNvtxFunc_t, InitializeInjectionNvtx2_fnptr);
#define NVTX_STATIC_TOOL NVTX_TOOL_IN(InitializeInjectionNvtx2_fnptr)
#else
#define NVTX_STATIC_TOOL                                                               \
    NVTX_STATIC_CAST(NvtxInitializeInjectionNvtxFunc_t, NVTX_NULLPTR)
#endif

/* The entry of that name in a library that is in the process already, such as a
 * preloaded one; NULL unless this was enabled. */
#if NVTX_SUPPORT_ALREADY_INJECTED_LIBRARY
#define NVTX_PRESENT_TOOL(entry) rln__nvtx3_find(NVTX_THIS_PROCESS, entry)
#else
#define NVTX_PRESENT_TOOL(entry) NVTX_NULLPTR
#endif

/* The path in the environment, or NULL. */
NVTX_COLD const rln__nvtx3_path_char *rln__nvtx3_tool_path(void)
{
#if !NVTX_SUPPORT_ENV_VARS || !NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY
    return NVTX_NULLPTR;
#else
    if (rln__nvtx3_is_set_uid())
        return NVTX_NULLPTR;
    return NVTX_ENVIRONMENT(sizeof(void *) == 4
                                ? NVTX_PATH_TEXT("NVTX_INJECTION32_PATH")
                                : NVTX_PATH_TEXT("NVTX_INJECTION64_PATH"));
#endif
}

/* A tool's entry from the CUDA driver, or NULL; *library is then the driver's handle.
 * Tried last, and only if a tool announced itself: otherwise the driver is not loaded.
 */
NVTX_COLD NvtxInjectionGenericFunc_t
rln__nvtx3_find_in_driver(NvtxInjectionInitializerKind kind, void **library)
{
    NvtxInjectionGenericFunc_t entry = NVTX_NULLPTR;
    NvtxGetInjectionInitializerFunc_t get;

    if (!NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY || rln__nvtx3_is_set_uid() ||
        !rln__nvtx3_is_announced())
        return NVTX_NULLPTR;
    *library = NVTX_LOAD_DRIVER();
    if (!*library)
        return NVTX_NULLPTR;
    get = NVTX_REINTERPRET_CAST(
        NvtxGetInjectionInitializerFunc_t,
        rln__nvtx3_find(*library, "cuNvtxGetInjectionInitializer"));
    if (get && get(kind, &entry) == 0 && entry)
        return entry;
    NVTX_UNLOAD(*library);
    *library = NVTX_NULLPTR;
    return NVTX_NULLPTR;
}

/* The tool's entry, or NULL; *library is its handle if we loaded it. A path that cannot
 * be loaded also rules out other tools: the user asked for that one. */
NVTX_COLD NvtxInitializeInjectionNvtxFunc_t rln__nvtx3_find_tool(void **library)
{
    const rln__nvtx3_path_char *const path = rln__nvtx3_tool_path();
    NvtxInjectionGenericFunc_t found = NVTX_NULLPTR;

    *library = NVTX_NULLPTR;
    if (path) {
        *library = NVTX_LOAD(path);
        if (*library)
            found = rln__nvtx3_find(*library, "InitializeInjectionNvtx2");
    } else {
        found = NVTX_PRESENT_TOOL("InitializeInjectionNvtx2Preinject");
        if (!found)
            found = NVTX_REINTERPRET_CAST(NvtxInjectionGenericFunc_t, NVTX_STATIC_TOOL);
        if (!found)
            found = rln__nvtx3_find_in_driver(NVTX_INJECTION_INITIALIZER_CORE, library);
    }
    return NVTX_REINTERPRET_CAST(NvtxInitializeInjectionNvtxFunc_t, found);
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
            NVTX_STORE_RELAXED(NvtxFunctionPointer, &slot[i], NVTX_NULLPTR);
    }
    if (!attached && library)
        NVTX_UNLOAD(library);
}

/* Runs `attach` once in the life of `*once`, and returns whether it has finished. It
 * has not if attaching leads to a call on the same thread (an annotated malloc, a
 * signal handler), or in a child forked while another thread was attaching, which does
 * not exist in the child. Waiting would last for ever, so those calls are dropped. */
NVTX_COLD int rln__nvtx3_once(struct rln__nvtx3_attaching *once, void (*attach)(void))
{
    uintptr_t *const state = &once->state;
    const uintptr_t pid = NVTX_STATIC_CAST(uintptr_t, NVTX_PROCESS_NUMBER);
    const uintptr_t here = NVTX_THREAD_MARK;
    uintptr_t seen = NVTX_LOAD_ACQUIRE(state);
    rln__nvtx3_errors saved;

    NVTX_ERRORS_SAVE(saved);
    /* A thread that loses the race below has written the same number. */
    if (seen == NVTX_STATE_FRESH)
        NVTX_STORE_RELAXED(uintptr_t, &once->pid, pid);
    if (seen == NVTX_STATE_FRESH && NVTX_CLAIM(state, &seen, here)) {
        attach();
        /* Pairs with the acquire loads here: slots are stored before the state. */
        NVTX_STORE_RELEASE(state, NVTX_STATE_COMPLETE);
    } else if (seen == here || (seen != NVTX_STATE_COMPLETE &&
                                NVTX_LOAD_RELAXED(uintptr_t, &once->pid) != pid)) {
        return 0;
    } else {
        while (NVTX_LOAD_ACQUIRE(state) != NVTX_STATE_COMPLETE)
            NVTX_YIELD_THREAD();
    }
    NVTX_ERRORS_RESTORE(saved);
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
        NVTX_SET_NAME_MANGLING_OPTIONS                                                 \
        const nvtx##name##_impl_fntype callback = NVTX_CALLBACK(module, name);         \
        if (NVTX_UNLIKELY(callback != NVTX_NULLPTR))                                   \
            (*callback) args;                                                          \
    }
#define NVTX_BODY_R(module, name, params, args, type, neutral)                         \
    NVTX_DECLSPEC type NVTX_API nvtx##name params                                      \
    {                                                                                  \
        NVTX_SET_NAME_MANGLING_OPTIONS                                                 \
        const nvtx##name##_impl_fntype callback = NVTX_CALLBACK(module, name);         \
        if (NVTX_UNLIKELY(callback != NVTX_NULLPTR))                                   \
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
        NVTX_SET_NAME_MANGLING_OPTIONS                                                 \
        if (0)                                                                         \
            nvtx##name args;                                                           \
    }
#define NVTX_DISABLED_BODY_R(module, name, params, args, type, neutral)                \
    NVTX_DECLSPEC type NVTX_API nvtx##name params                                      \
    {                                                                                  \
        NVTX_SET_NAME_MANGLING_OPTIONS                                                 \
        return 0 ? nvtx##name args : neutral;                                          \
    }

/* The functions of the other modules. A slot is a callback, or `off`, or still `fresh`:
 * then `first` attaches and returns the slot's new value, never `fresh`. */
#define NVTX_LAZY_BODY_V(name, params, args, load, fresh, off, first)                  \
    NVTX_DECLSPEC void NVTX_API nvtx##name params                                      \
    {                                                                                  \
        NVTX_SET_NAME_MANGLING_OPTIONS                                                 \
        intptr_t slot = load;                                                          \
        if (NVTX_UNLIKELY(slot != off)) {                                              \
            if (slot == fresh)                                                         \
                slot = first;                                                          \
            if (slot != off)                                                           \
                (*NVTX_REINTERPRET_CAST(nvtx##name##_impl_fntype, slot)) args;         \
        }                                                                              \
    }
#define NVTX_LAZY_BODY_R(name, params, args, type, neutral, load, fresh, off, first)   \
    NVTX_DECLSPEC type NVTX_API nvtx##name params                                      \
    {                                                                                  \
        NVTX_SET_NAME_MANGLING_OPTIONS                                                 \
        intptr_t slot = load;                                                          \
        if (NVTX_UNLIKELY(slot != off)) {                                              \
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
