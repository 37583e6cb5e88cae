/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxTypes.h - what a tool sees of a client. Included by nvToolsExt.h.
 *
 * At a client's first call its attach code (nvtx_client.h) loads the tool and calls
 *
 *     int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
 *
 * The tool fetches the client's function tables and stores its callbacks:
 *
 *     get(NVTX_ETID_CALLBACKS) -> GetModuleFunctionTable(module, &table, &size)
 *
 *     table  +------+---+---+- - -+------+      size counts entry 0; an older client
 *            | NULL | o | o |     | NULL |      has fewer entries: look before storing
 *            +------+-|-+-|-+- - -+------+
 *      entry = id     v   v                     *table[id] = callback
 *                   slot slot
 *
 * and returns non-zero, or 0 to decline, which closes its library again. A callback
 * may be called from another thread as soon as it is stored. Tables and slots vanish
 * with the client (dlclose), so nothing but the init function should touch them.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "../nvToolsExt.h" /* for a tool that includes this file first */

#ifndef NVTX_TOOL_ABI_H
#define NVTX_TOOL_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Modules and callback ids ---------------------------------------------------- */

typedef enum NvtxCallbackModule {
    NVTX_CB_MODULE_INVALID = 0,
    NVTX_CB_MODULE_CORE = 1,
    NVTX_CB_MODULE_CUDA = 2,
    NVTX_CB_MODULE_OPENCL = 3,
    NVTX_CB_MODULE_CUDART = 4,
    NVTX_CB_MODULE_CORE2 = 5,
    NVTX_CB_MODULE_SYNC = 6,
    NVTX_CB_MODULE_SIZE,
    NVTX_CB_MODULE_FORCE_INT = 0x7fffffff
} NvtxCallbackModule;

typedef enum NvtxCallbackIdCore {
    NVTX_CBID_CORE_INVALID = 0,
    NVTX_CBID_CORE_MarkEx = 1,
    NVTX_CBID_CORE_MarkA = 2,
    NVTX_CBID_CORE_MarkW = 3,
    NVTX_CBID_CORE_RangeStartEx = 4,
    NVTX_CBID_CORE_RangeStartA = 5,
    NVTX_CBID_CORE_RangeStartW = 6,
    NVTX_CBID_CORE_RangeEnd = 7,
    NVTX_CBID_CORE_RangePushEx = 8,
    NVTX_CBID_CORE_RangePushA = 9,
    NVTX_CBID_CORE_RangePushW = 10,
    NVTX_CBID_CORE_RangePop = 11,
    NVTX_CBID_CORE_NameCategoryA = 12,
    NVTX_CBID_CORE_NameCategoryW = 13,
    NVTX_CBID_CORE_NameOsThreadA = 14,
    NVTX_CBID_CORE_NameOsThreadW = 15,
    NVTX_CBID_CORE_SIZE,
    NVTX_CBID_CORE_FORCE_INT = 0x7fffffff
} NvtxCallbackIdCore;

typedef enum NvtxCallbackIdCore2 {
    NVTX_CBID_CORE2_INVALID = 0,
    NVTX_CBID_CORE2_DomainMarkEx = 1,
    NVTX_CBID_CORE2_DomainRangeStartEx = 2,
    NVTX_CBID_CORE2_DomainRangeEnd = 3,
    NVTX_CBID_CORE2_DomainRangePushEx = 4,
    NVTX_CBID_CORE2_DomainRangePop = 5,
    NVTX_CBID_CORE2_DomainResourceCreate = 6,
    NVTX_CBID_CORE2_DomainResourceDestroy = 7,
    NVTX_CBID_CORE2_DomainNameCategoryA = 8,
    NVTX_CBID_CORE2_DomainNameCategoryW = 9,
    NVTX_CBID_CORE2_DomainRegisterStringA = 10,
    NVTX_CBID_CORE2_DomainRegisterStringW = 11,
    NVTX_CBID_CORE2_DomainCreateA = 12,
    NVTX_CBID_CORE2_DomainCreateW = 13,
    NVTX_CBID_CORE2_DomainDestroy = 14,
    NVTX_CBID_CORE2_Initialize = 15,
    NVTX_CBID_CORE2_SIZE,
    NVTX_CBID_CORE2_FORCE_INT = 0x7fffffff
} NvtxCallbackIdCore2;

typedef enum NvtxCallbackIdCuda {
    NVTX_CBID_CUDA_INVALID = 0,
    NVTX_CBID_CUDA_NameCuDeviceA = 1,
    NVTX_CBID_CUDA_NameCuDeviceW = 2,
    NVTX_CBID_CUDA_NameCuContextA = 3,
    NVTX_CBID_CUDA_NameCuContextW = 4,
    NVTX_CBID_CUDA_NameCuStreamA = 5,
    NVTX_CBID_CUDA_NameCuStreamW = 6,
    NVTX_CBID_CUDA_NameCuEventA = 7,
    NVTX_CBID_CUDA_NameCuEventW = 8,
    NVTX_CBID_CUDA_SIZE,
    NVTX_CBID_CUDA_FORCE_INT = 0x7fffffff
} NvtxCallbackIdCuda;

typedef enum NvtxCallbackIdCudaRt {
    NVTX_CBID_CUDART_INVALID = 0,
    NVTX_CBID_CUDART_NameCudaDeviceA = 1,
    NVTX_CBID_CUDART_NameCudaDeviceW = 2,
    NVTX_CBID_CUDART_NameCudaStreamA = 3,
    NVTX_CBID_CUDART_NameCudaStreamW = 4,
    NVTX_CBID_CUDART_NameCudaEventA = 5,
    NVTX_CBID_CUDART_NameCudaEventW = 6,
    NVTX_CBID_CUDART_SIZE,
    NVTX_CBID_CUDART_FORCE_INT = 0x7fffffff
} NvtxCallbackIdCudaRt;

typedef enum NvtxCallbackIdOpenCL {
    NVTX_CBID_OPENCL_INVALID = 0,
    NVTX_CBID_OPENCL_NameClDeviceA = 1,
    NVTX_CBID_OPENCL_NameClDeviceW = 2,
    NVTX_CBID_OPENCL_NameClContextA = 3,
    NVTX_CBID_OPENCL_NameClContextW = 4,
    NVTX_CBID_OPENCL_NameClCommandQueueA = 5,
    NVTX_CBID_OPENCL_NameClCommandQueueW = 6,
    NVTX_CBID_OPENCL_NameClMemObjectA = 7,
    NVTX_CBID_OPENCL_NameClMemObjectW = 8,
    NVTX_CBID_OPENCL_NameClSamplerA = 9,
    NVTX_CBID_OPENCL_NameClSamplerW = 10,
    NVTX_CBID_OPENCL_NameClProgramA = 11,
    NVTX_CBID_OPENCL_NameClProgramW = 12,
    NVTX_CBID_OPENCL_NameClEventA = 13,
    NVTX_CBID_OPENCL_NameClEventW = 14,
    NVTX_CBID_OPENCL_SIZE,
    NVTX_CBID_OPENCL_FORCE_INT = 0x7fffffff
} NvtxCallbackIdOpenCL;

typedef enum NvtxCallbackIdSync {
    NVTX_CBID_SYNC_INVALID = 0,
    NVTX_CBID_SYNC_DomainSyncUserCreate = 1,
    NVTX_CBID_SYNC_DomainSyncUserDestroy = 2,
    NVTX_CBID_SYNC_DomainSyncUserAcquireStart = 3,
    NVTX_CBID_SYNC_DomainSyncUserAcquireFailed = 4,
    NVTX_CBID_SYNC_DomainSyncUserAcquireSuccess = 5,
    NVTX_CBID_SYNC_DomainSyncUserReleasing = 6,
    NVTX_CBID_SYNC_SIZE,
    NVTX_CBID_SYNC_FORCE_INT = 0x7fffffff
} NvtxCallbackIdSync;

/* ---- Export tables --------------------------------------------------------------- */

typedef enum NvtxExportTableID {
    NVTX_ETID_INVALID = 0,
    NVTX_ETID_CALLBACKS = 1,
    NVTX_ETID_RESERVED0 = 2,
    NVTX_ETID_VERSIONINFO = 3,
    NVTX_ETID_SIZE,
    NVTX_ETID_FORCE_INT = 0x7fffffff
} NvtxExportTableID;

/* A slot holds any callback; cast to and from the types at the end of this file. */
typedef void (*NvtxFunctionPointer)(void);
typedef NvtxFunctionPointer **NvtxFunctionTable;

typedef struct NvtxExportTableCallbacks {
    size_t struct_size;
    /* 1, or 0 for a module that this client does not know. Outputs may be NULL. */
    int(NVTX_API *GetModuleFunctionTable)(NvtxCallbackModule callback_module,
                                          NvtxFunctionTable *out_table,
                                          unsigned int *out_size);
} NvtxExportTableCallbacks;

typedef struct NvtxExportTableVersionInfo {
    size_t struct_size;
    uint32_t version; /* the client's NVTX_VERSION */
    uint32_t reserved0;
    /* The tool may report the version it was written for; this client ignores it. */
    void(NVTX_API *SetInjectionNvtxVersion)(uint32_t version);
} NvtxExportTableVersionInfo;

/* An export table by NvtxExportTableID, or NULL. Check its struct_size first. */
typedef const void *(NVTX_API *NvtxGetExportTableFunc_t)(uint32_t exportTableId);

/* The tool's entry, and the type of InitializeInjectionNvtx2_fnptr, the variable that
 * a tool linked into the program defines. */
typedef int(NVTX_API *NvtxInitializeInjectionNvtxFunc_t)(
    NvtxGetExportTableFunc_t exportTable);

/* The CUDA driver may also have a tool's entries: its cuNvtxGetInjectionInitializer
 * returns 0 and stores the entry of a kind if it has one. See nvtx_client.h. */
typedef enum NvtxInjectionInitializerKind {
    NVTX_INJECTION_INITIALIZER_INVALID = 0,
    NVTX_INJECTION_INITIALIZER_CORE = 1,
    NVTX_INJECTION_INITIALIZER_EXTENSION = 2,
    NVTX_INJECTION_INITIALIZER_SIZE,
    NVTX_INJECTION_INITIALIZER_FORCE_INT = 0x7fffffff
} NvtxInjectionInitializerKind;

/* Holds any entry; cast it to its own type. */
typedef void(NVTX_API *NvtxInjectionGenericFunc_t)(void);
typedef int(NVTX_API *NvtxGetInjectionInitializerFunc_t)(
    NvtxInjectionInitializerKind kind, NvtxInjectionGenericFunc_t *initializer);

/* ---- The calls ------------------------------------------------------------------- */

/* One line per call, in the order of the ids above, so that the callback types below
 * and the functions in nvtx_client.h cannot differ. Other headers list theirs in the
 * same way. V(module, name, parameters, arguments) R(module, name, parameters,
 * arguments, type returned, value without a tool) A module's name begins with an
 * underscore, because programs may be built with -DCORE.
 */
#define NVTX_CORE_CALLS(V, R)                                                          \
    V(_CORE, MarkEx, (const nvtxEventAttributes_t *a), (a))                            \
    V(_CORE, MarkA, (const char *message), (message))                                  \
    V(_CORE, MarkW, (const wchar_t *message), (message))                               \
    R(_CORE, RangeStartEx, (const nvtxEventAttributes_t *a), (a), nvtxRangeId_t, 0)    \
    R(_CORE, RangeStartA, (const char *message), (message), nvtxRangeId_t, 0)          \
    R(_CORE, RangeStartW, (const wchar_t *message), (message), nvtxRangeId_t, 0)       \
    V(_CORE, RangeEnd, (nvtxRangeId_t id), (id))                                       \
    R(_CORE, RangePushEx, (const nvtxEventAttributes_t *a), (a), int,                  \
      NVTX_NO_PUSH_POP_TRACKING)                                                       \
    R(_CORE, RangePushA, (const char *message), (message), int,                        \
      NVTX_NO_PUSH_POP_TRACKING)                                                       \
    R(_CORE, RangePushW, (const wchar_t *message), (message), int,                     \
      NVTX_NO_PUSH_POP_TRACKING)                                                       \
    R(_CORE, RangePop, (void), (), int, NVTX_NO_PUSH_POP_TRACKING)                     \
    V(_CORE, NameCategoryA, (uint32_t category, const char *name), (category, name))   \
    V(_CORE, NameCategoryW, (uint32_t category, const wchar_t *name),                  \
      (category, name))                                                                \
    V(_CORE, NameOsThreadA, (uint32_t threadId, const char *name), (threadId, name))   \
    V(_CORE, NameOsThreadW, (uint32_t threadId, const wchar_t *name), (threadId, name))

#define NVTX_CORE2_CALLS(V, R)                                                         \
    V(_CORE2, DomainMarkEx, (nvtxDomainHandle_t d, const nvtxEventAttributes_t *a),    \
      (d, a))                                                                          \
    R(_CORE2, DomainRangeStartEx,                                                      \
      (nvtxDomainHandle_t d, const nvtxEventAttributes_t *a), (d, a), nvtxRangeId_t,   \
      0)                                                                               \
    V(_CORE2, DomainRangeEnd, (nvtxDomainHandle_t d, nvtxRangeId_t id), (d, id))       \
    R(_CORE2, DomainRangePushEx,                                                       \
      (nvtxDomainHandle_t d, const nvtxEventAttributes_t *a), (d, a), int,             \
      NVTX_NO_PUSH_POP_TRACKING)                                                       \
    R(_CORE2, DomainRangePop, (nvtxDomainHandle_t d), (d), int,                        \
      NVTX_NO_PUSH_POP_TRACKING)                                                       \
    R(_CORE2, DomainResourceCreate,                                                    \
      (nvtxDomainHandle_t d, nvtxResourceAttributes_t * a), (d, a),                    \
      nvtxResourceHandle_t, NVTX_NULLPTR)                                              \
    V(_CORE2, DomainResourceDestroy, (nvtxResourceHandle_t resource), (resource))      \
    V(_CORE2, DomainNameCategoryA,                                                     \
      (nvtxDomainHandle_t d, uint32_t category, const char *name),                     \
      (d, category, name))                                                             \
    V(_CORE2, DomainNameCategoryW,                                                     \
      (nvtxDomainHandle_t d, uint32_t category, const wchar_t *name),                  \
      (d, category, name))                                                             \
    R(_CORE2, DomainRegisterStringA, (nvtxDomainHandle_t d, const char *string),       \
      (d, string), nvtxStringHandle_t, NVTX_NULLPTR)                                   \
    R(_CORE2, DomainRegisterStringW, (nvtxDomainHandle_t d, const wchar_t *string),    \
      (d, string), nvtxStringHandle_t, NVTX_NULLPTR)                                   \
    R(_CORE2, DomainCreateA, (const char *name), (name), nvtxDomainHandle_t,           \
      NVTX_NULLPTR)                                                                    \
    R(_CORE2, DomainCreateW, (const wchar_t *name), (name), nvtxDomainHandle_t,        \
      NVTX_NULLPTR)                                                                    \
    V(_CORE2, DomainDestroy, (nvtxDomainHandle_t d), (d))                              \
    V(_CORE2, Initialize, (const void *reserved), (reserved))

/* Callback types: nvtxMarkEx_impl_fntype and so on. */
#define NVTX_TYPE_V(module, name, params, args)                                        \
    typedef void(NVTX_API * nvtx##name##_impl_fntype) params;
#define NVTX_TYPE_R(module, name, params, args, type, neutral)                         \
    typedef type(NVTX_API *nvtx##name##_impl_fntype) params;
NVTX_CORE_CALLS(NVTX_TYPE_V, NVTX_TYPE_R)
NVTX_CORE2_CALLS(NVTX_TYPE_V, NVTX_TYPE_R)

/* Callback types of the other modules, nvtxNameCuDeviceA_fakeimpl_fntype and so on,
 * using only types that need none of the headers (CUDA, OpenCL) of the real ones. */
typedef int nvtx_CUdevice;
typedef void *nvtx_CUcontext;
typedef void *nvtx_CUstream;
typedef void *nvtx_CUevent;
typedef void *nvtx_cudaStream_t;
typedef void *nvtx_cudaEvent_t;
typedef void *nvtx_cl_platform_id;
typedef void *nvtx_cl_device_id;
typedef void *nvtx_cl_context;
typedef void *nvtx_cl_command_queue;
typedef void *nvtx_cl_mem;
typedef void *nvtx_cl_program;
typedef void *nvtx_cl_kernel;
typedef void *nvtx_cl_event;
typedef void *nvtx_cl_sampler;
typedef void *nvtx_nvtxSyncUser_t;
typedef void nvtx_nvtxSyncUserAttributes_t;

#define NVTX_TYPE_NAME(what, type)                                                     \
    typedef void(NVTX_API * nvtxName##what##A_fakeimpl_fntype)(type,                   \
                                                               const char *name);      \
    typedef void(NVTX_API * nvtxName##what##W_fakeimpl_fntype)(type,                   \
                                                               const wchar_t *name);
NVTX_TYPE_NAME(CuDevice, nvtx_CUdevice)
NVTX_TYPE_NAME(CuContext, nvtx_CUcontext)
NVTX_TYPE_NAME(CuStream, nvtx_CUstream)
NVTX_TYPE_NAME(CuEvent, nvtx_CUevent)
NVTX_TYPE_NAME(ClDevice, nvtx_cl_device_id)
NVTX_TYPE_NAME(ClContext, nvtx_cl_context)
NVTX_TYPE_NAME(ClCommandQueue, nvtx_cl_command_queue)
NVTX_TYPE_NAME(ClMemObject, nvtx_cl_mem)
NVTX_TYPE_NAME(ClSampler, nvtx_cl_sampler)
NVTX_TYPE_NAME(ClProgram, nvtx_cl_program)
NVTX_TYPE_NAME(ClEvent, nvtx_cl_event)
NVTX_TYPE_NAME(CudaDevice, int)
NVTX_TYPE_NAME(CudaStream, nvtx_cudaStream_t)
NVTX_TYPE_NAME(CudaEvent, nvtx_cudaEvent_t)
#undef NVTX_TYPE_NAME

typedef nvtx_nvtxSyncUser_t(NVTX_API *nvtxDomainSyncUserCreate_fakeimpl_fntype)(
    nvtxDomainHandle_t domain, const nvtx_nvtxSyncUserAttributes_t *attribs);
#define NVTX_TYPE_SYNC(what)                                                           \
    typedef void(NVTX_API * nvtxDomainSyncUser##what##_fakeimpl_fntype)(               \
        nvtx_nvtxSyncUser_t handle);
NVTX_TYPE_SYNC(Destroy)
NVTX_TYPE_SYNC(AcquireStart)
NVTX_TYPE_SYNC(AcquireFailed)
NVTX_TYPE_SYNC(AcquireSuccess)
NVTX_TYPE_SYNC(Releasing)
#undef NVTX_TYPE_SYNC

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTX_TOOL_ABI_H */
