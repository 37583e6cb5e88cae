/* SPDX-License-Identifier: Apache-2.0 */
/* toy_names.c - the toy tool's callbacks for names of other APIs' objects, and for the
 * locks that programs make themselves: CUDA, CUDART, OPENCL, SYNC. */
#define NVTX_NO_IMPL
#include "toy_tool.h"

#include <nvtx3/nvToolsExtSync.h>

static unsigned long n_locks;

#define NAMED(name, type)                                                              \
    static void on_Name##name##A(type object, const char *text)                        \
    {                                                                                  \
        toy_say("Name" #name "A %lu %s", (unsigned long)(uintptr_t)object,             \
                toy_narrow(text).s);                                                   \
    }                                                                                  \
    static void on_Name##name##W(type object, const wchar_t *text)                     \
    {                                                                                  \
        toy_say("Name" #name "W %lu %s", (unsigned long)(uintptr_t)object,             \
                toy_wide(text).s);                                                     \
    }
NAMED(CuDevice, nvtx_CUdevice)
NAMED(CuContext, nvtx_CUcontext)
NAMED(CuStream, nvtx_CUstream)
NAMED(CuEvent, nvtx_CUevent)
NAMED(CudaDevice, int)
NAMED(CudaStream, nvtx_cudaStream_t)
NAMED(CudaEvent, nvtx_cudaEvent_t)
NAMED(ClDevice, nvtx_cl_device_id)
NAMED(ClContext, nvtx_cl_context)
NAMED(ClCommandQueue, nvtx_cl_command_queue)
NAMED(ClMemObject, nvtx_cl_mem)
NAMED(ClSampler, nvtx_cl_sampler)
NAMED(ClProgram, nvtx_cl_program)
NAMED(ClEvent, nvtx_cl_event)

static nvtx_nvtxSyncUser_t on_DomainSyncUserCreate(nvtxDomainHandle_t domain,
                                                   const void *attributes)
{
    const nvtxSyncUserAttributes_t *const a =
        (const nvtxSyncUserAttributes_t *)attributes;

    if (a)
        toy_say("DomainSyncUserCreate domain=%lu v%u size=%u %s -> %lu",
                toy_index(domain), a->version, a->size,
                toy_message(a->messageType, a->message).s, ++n_locks);
    else
        toy_say("DomainSyncUserCreate domain=%lu NULL -> %lu", toy_index(domain),
                ++n_locks);
    return (nvtx_nvtxSyncUser_t)(uintptr_t)n_locks;
}

#define LOCK(name)                                                                     \
    static void on_DomainSyncUser##name(nvtx_nvtxSyncUser_t lock)                      \
    {                                                                                  \
        toy_say("DomainSyncUser" #name " %lu", toy_index(lock));                       \
    }
LOCK(Destroy)
LOCK(AcquireStart)
LOCK(AcquireFailed)
LOCK(AcquireSuccess)
LOCK(Releasing)

#define CALLBACK(module, name)                                                         \
    {                                                                                  \
        NVTX_CB_MODULE##module, NVTX_CBID##module##_##name,                            \
            (NvtxFunctionPointer)(nvtx##name##_fakeimpl_fntype)on_##name               \
    }
#define CALLBACKS(module, name) CALLBACK(module, name##A), CALLBACK(module, name##W)

static const struct {
    NvtxCallbackModule module;
    unsigned id;
    NvtxFunctionPointer callback;
} callbacks[] = {
    CALLBACKS(_CUDA, NameCuDevice),
    CALLBACKS(_CUDA, NameCuContext),
    CALLBACKS(_CUDA, NameCuStream),
    CALLBACKS(_CUDA, NameCuEvent),
    CALLBACKS(_CUDART, NameCudaDevice),
    CALLBACKS(_CUDART, NameCudaStream),
    CALLBACKS(_CUDART, NameCudaEvent),
    CALLBACKS(_OPENCL, NameClDevice),
    CALLBACKS(_OPENCL, NameClContext),
    CALLBACKS(_OPENCL, NameClCommandQueue),
    CALLBACKS(_OPENCL, NameClMemObject),
    CALLBACKS(_OPENCL, NameClSampler),
    CALLBACKS(_OPENCL, NameClProgram),
    CALLBACKS(_OPENCL, NameClEvent),
    CALLBACK(_SYNC, DomainSyncUserCreate),
    CALLBACK(_SYNC, DomainSyncUserDestroy),
    CALLBACK(_SYNC, DomainSyncUserAcquireStart),
    CALLBACK(_SYNC, DomainSyncUserAcquireFailed),
    CALLBACK(_SYNC, DomainSyncUserAcquireSuccess),
    CALLBACK(_SYNC, DomainSyncUserReleasing),
};

void toy_fill_names(const NvtxExportTableCallbacks *c)
{
    size_t i;

    for (i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++) {
        NvtxFunctionTable table = NULL;

        c->GetModuleFunctionTable(callbacks[i].module, &table, NULL);
        __atomic_store_n(table[callbacks[i].id], callbacks[i].callback,
                         __ATOMIC_RELEASE);
    }
}
