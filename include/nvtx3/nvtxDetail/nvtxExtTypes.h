/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxExtTypes.h - what a tool sees of an extension module: payload, counters, memory.
 *
 * At the first call of a client into a module, once the client itself has attached
 * (nvtxTypes.h), its code calls
 *
 *     int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module);
 *
 * The tool stores its callbacks as `module->segments[0].functionSlots[id]`, with the
 * NVTX3EXT_CBID_* of the module's header, and returns non-zero; or 0 to decline, which
 * disables the module. Slots left at 0 are disabled, too. A callback may be called from
 * another thread as soon as it is stored. The client owns all of this; the info and the
 * segments are valid only during the call.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "../nvToolsExt.h"

#ifndef NVTXEXTTYPES_H
#define NVTXEXTTYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Unused so far: clients pass NULL. */
typedef intptr_t(NVTX_API *NvtxExtGetExportFunction_t)(uint32_t exportFunctionId);

typedef struct nvtxExtModuleSegment_t {
    size_t segmentId;
    size_t slotCount;
    intptr_t *functionSlots; /* indexed by callback id; 0 before a callback is stored */
} nvtxExtModuleSegment_t;

typedef struct nvtxExtModuleInfo_t {
    uint16_t nvtxVer;    /* NVTX_VERSION */
    uint16_t structSize; /* bytes of this struct */
    uint16_t moduleId;   /* NVTX_EXT_*_MODULEID */
    uint16_t compatId;   /* NVTX_EXT_*_COMPATID: the client's version of the module */
    size_t segmentsCount;
    nvtxExtModuleSegment_t *segments;
    NvtxExtGetExportFunction_t getExportFunction; /* may be NULL */
    const void *extInfo; /* the module's own; of the payload module an array of
                            nvtxPayloadEntryTypeInfo_t */
} nvtxExtModuleInfo_t;

/* The tool's entry, and the type of InitializeInjectionNvtxExtension_fnptr, the
 * variable that a tool linked into the program defines. */
typedef int(NVTX_API *NvtxExtInitializeInjectionFunc_t)(
    nvtxExtModuleInfo_t *moduleInfo);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTXEXTTYPES_H */
