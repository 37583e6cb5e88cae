/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_ext_client.h - how calls into extension modules reach a tool. Included by the
 * headers of payload, counters and memory; describes the differences from
 * nvtx_client.h.
 *
 *     nvtxMarkPayload(...)
 *         |   slot holds                0  before the first call: attaches the module
 *         v                             1  no callback
 *     rln__nvtx3_ext_PAYLOAD_v1.slot[]  else the tool's callback
 *
 * A module is a separate client within the client: it attaches after it, at the
 * module's first call. Unused extensions add no code.
 */
#ifndef NVTX_EXT_CLIENT_H
#define NVTX_EXT_CLIENT_H

#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvtxExtTypes.h"
#include "nvtx_client.h"

#define NVTX_EXT_IMPL_H /* the guard of NVIDIA's corresponding file */

#if !defined(NVTX_DISABLE)

#ifdef __cplusplus
extern "C" {
#endif

#define NVTX_EXT_SLOT_FRESH 0
#define NVTX_EXT_SLOT_OFF 1
#define NVTX_EXT_N_SLOTS 63

struct rln__nvtx3_ext {
    struct rln__nvtx3_attaching attaching;
    intptr_t slot[NVTX_EXT_N_SLOTS];
};

/* The tool's state for the modules of this linkage unit. */
struct rln__nvtx3_ext_tool {
    NvtxExtInitializeInjectionFunc_t entry; /* NULL: not found, or not searched for */
};

NVTX_ONE_IN_UNIT_LATER struct rln__nvtx3_ext_tool rln__nvtx3_ext_tool_v1;
NVTX_ONE_IN_UNIT struct rln__nvtx3_ext_tool rln__nvtx3_ext_tool_v1 = {NVTX_NULLPTR};

/* ---- Attaching ------------------------------------------------------------------- */

#if NVTX_SUPPORT_STATIC_INJECTION_LIBRARY
NVTX_TOOL_VARIABLE(NvtxExtInitializeInjectionFunc_t,
                   InitializeInjectionNvtxExtension_fnptr);
#define NVTX_EXT_STATIC_TOOL NVTX_TOOL_IN(InitializeInjectionNvtxExtension_fnptr)
#else
#define NVTX_EXT_STATIC_TOOL                                                           \
    NVTX_STATIC_CAST(NvtxExtInitializeInjectionFunc_t, NVTX_NULLPTR)
#endif

/* The tool's entry for extensions, or NULL; *has_tool is 1 if a tool was loaded. The
 * library stays open: we are its second user, after the client. */
NVTX_COLD NvtxExtInitializeInjectionFunc_t rln__nvtx3_ext_find_tool(int *has_tool)
{
    const rln__nvtx3_path_char *const path = rln__nvtx3_tool_path();
    NvtxInjectionGenericFunc_t found = NVTX_NULLPTR;
    void *library = NVTX_NULLPTR;

    *has_tool = 0;
    if (path) {
        library = NVTX_LOAD(path);
        if (library) {
            *has_tool = 1;
            found = rln__nvtx3_find(library, "InitializeInjectionNvtxExtension");
            if (!found)
                NVTX_UNLOAD(library);
        }
    } else {
        found = NVTX_PRESENT_TOOL("InitializeInjectionNvtxExtensionPreinject");
        if (!found)
            found =
                NVTX_REINTERPRET_CAST(NvtxInjectionGenericFunc_t, NVTX_EXT_STATIC_TOOL);
        if (!found)
            found = rln__nvtx3_find_in_driver(NVTX_INJECTION_INITIALIZER_EXTENSION,
                                              &library);
    }
    return NVTX_REINTERPRET_CAST(NvtxExtInitializeInjectionFunc_t, found);
}

/* Lets the tool fill the module's slots, and disables those that it left. Returns
 * whether there is a tool and it did not decline. */
NVTX_COLD int rln__nvtx3_ext_attach(struct rln__nvtx3_ext *module,
                                    nvtxExtModuleInfo_t *info, size_t segment_id)
{
    NvtxExtInitializeInjectionFunc_t *const entry = &rln__nvtx3_ext_tool_v1.entry;
    NvtxExtInitializeInjectionFunc_t found =
        NVTX_LOAD_RELAXED(NvtxExtInitializeInjectionFunc_t, entry);
    nvtxExtModuleSegment_t segment;
    int has_tool = 1, attached = 0, i;

    segment.segmentId = segment_id;
    segment.slotCount = NVTX_EXT_N_SLOTS;
    segment.functionSlots = module->slot;
    info->nvtxVer = NVTX_VERSION;
    info->structSize = sizeof(*info);
    info->segmentsCount = 1;
    info->segments = &segment;
    info->getExportFunction = NVTX_NULLPTR;

    if (!found) {
        nvtxInitialize(NVTX_NULLPTR);
        found = rln__nvtx3_ext_find_tool(&has_tool);
        NVTX_STORE_RELAXED(NvtxExtInitializeInjectionFunc_t, entry, found);
    }
    if (found)
        has_tool = attached = found(info) != 0;

    for (i = 0; i < NVTX_EXT_N_SLOTS; i++) {
        intptr_t *const slot = &module->slot[i];

        if (!attached || NVTX_LOAD_RELAXED(intptr_t, slot) == NVTX_EXT_SLOT_FRESH)
            NVTX_STORE_RELAXED(intptr_t, slot, NVTX_EXT_SLOT_OFF);
    }
    return has_tool;
}

/* Makes sure that a module's slots are final, and returns whether they are. The client
 * comes first: a call made while it attaches must not attach a module to a
 * half-attached tool. */
NVTX_COLD int rln__nvtx3_ext_ready(struct rln__nvtx3_ext *module, void (*attach)(void))
{
    return rln__nvtx3_ready() && rln__nvtx3_once(&module->attaching, attach);
}

/* ---- A module -------------------------------------------------------------------- */

/* Defines rln__nvtx3_ext_first_MODULE(id), which returns a slot's value after
 * attaching. Expects `void rln__nvtx3_ext_attach_MODULE(void)`, declared here. */
#define NVTX_EXT_MODULE(module)                                                        \
    NVTX_ONE_IN_UNIT_LATER struct rln__nvtx3_ext rln__nvtx3_ext##module##_v1;          \
    NVTX_ONE_IN_UNIT struct rln__nvtx3_ext rln__nvtx3_ext##module##_v1 = {{0, 0},      \
                                                                          {0}};        \
                                                                                       \
    NVTX_COLD void rln__nvtx3_ext_attach##module(void);                                \
    NVTX_COLD intptr_t rln__nvtx3_ext_first##module(int id)                            \
    {                                                                                  \
        if (!rln__nvtx3_ext_ready(&rln__nvtx3_ext##module##_v1,                        \
                                  rln__nvtx3_ext_attach##module))                      \
            return NVTX_EXT_SLOT_OFF;                                                  \
        return NVTX_EXT_LOAD(module, id);                                              \
    }

/* The same, including an attach function, for a module without further information for
 * tools. */
#define NVTX_EXT_SIMPLE_MODULE(module, module_id, compat_id, segment_id)               \
    NVTX_EXT_MODULE(module)                                                            \
    NVTX_COLD void rln__nvtx3_ext_attach##module(void)                                 \
    {                                                                                  \
        nvtxExtModuleInfo_t info;                                                      \
                                                                                       \
        info.moduleId = module_id;                                                     \
        info.compatId = compat_id;                                                     \
        info.extInfo = NVTX_NULLPTR;                                                   \
        rln__nvtx3_ext_attach(&rln__nvtx3_ext##module##_v1, &info, segment_id);        \
    }

#define NVTX_EXT_LOAD(module, id)                                                      \
    NVTX_LOAD_RELAXED(intptr_t, &rln__nvtx3_ext##module##_v1.slot[id])

#ifdef __cplusplus
} /* extern "C" */
#endif

/* ---- Its functions --------------------------------------------------------------- */

#define NVTX_EXT_BODY_V(module, name, params, args)                                    \
    NVTX_LAZY_BODY_V(name, params, args,                                               \
                     NVTX_EXT_LOAD(module, NVTX3EXT_CBID_nvtx##name),                  \
                     NVTX_EXT_SLOT_FRESH, NVTX_EXT_SLOT_OFF,                           \
                     rln__nvtx3_ext_first##module(NVTX3EXT_CBID_nvtx##name))
#define NVTX_EXT_BODY_R(module, name, params, args, type, neutral)                     \
    NVTX_LAZY_BODY_R(name, params, args, type, neutral,                                \
                     NVTX_EXT_LOAD(module, NVTX3EXT_CBID_nvtx##name),                  \
                     NVTX_EXT_SLOT_FRESH, NVTX_EXT_SLOT_OFF,                           \
                     rln__nvtx3_ext_first##module(NVTX3EXT_CBID_nvtx##name))

#else

#define NVTX_EXT_SIMPLE_MODULE(module, module_id, compat_id, segment_id)
#define NVTX_EXT_BODY_V NVTX_DISABLED_BODY_V
#define NVTX_EXT_BODY_R NVTX_DISABLED_BODY_R

#endif /* NVTX_DISABLE */

#endif /* NVTX_EXT_CLIENT_H */
