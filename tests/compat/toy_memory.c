/* SPDX-License-Identifier: Apache-2.0 */
/* toy_memory.c - the toy tool's callbacks for the memory extension. */
#define NVTX_NO_IMPL
#include "toy_tool.h"

#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>

typedef unsigned long long u64;

static unsigned long n_handles;

static void *new_handle(void)
{
    return (void *)(uintptr_t)++n_handles;
}

static void say_ranges(uint32_t type, size_t n, size_t size, const void *elements)
{
    const nvtxMemVirtualRangeDesc_t *const r =
        (const nvtxMemVirtualRangeDesc_t *)elements;
    size_t i;

    toy_say("  type=%x n=%llu size=%llu", (unsigned)type, (u64)n, (u64)size);
    for (i = 0; i < n; i++)
        toy_say("  %llu bytes at %lx", (u64)r[i].size, toy_index(r[i].ptr));
}

static nvtxMemHeapHandle_t on_MemHeapRegister(nvtxDomainHandle_t d,
                                              const nvtxMemHeapDesc_t *h)
{
    toy_say("MemHeapRegister domain=%lu -> %lu", toy_index(d), n_handles + 1);
    if (h) {
        toy_say("  %x size=%u reserved=%u usage=%x category=%u %s", h->extCompatID,
                h->structSize, (unsigned)h->reserved0, (unsigned)h->usage,
                (unsigned)h->category,
                toy_message((int32_t)h->messageType, h->message).s);
        say_ranges(h->type, 1, h->typeSpecificDescSize, h->typeSpecificDesc);
    }
    return (nvtxMemHeapHandle_t)new_handle();
}

static void on_MemHeapUnregister(nvtxDomainHandle_t d, nvtxMemHeapHandle_t heap)
{
    toy_say("MemHeapUnregister domain=%lu %lu", toy_index(d), toy_index(heap));
}

static void on_MemHeapReset(nvtxDomainHandle_t d, nvtxMemHeapHandle_t heap)
{
    toy_say("MemHeapReset domain=%lu %lu", toy_index(d), toy_index(heap));
}

static void on_MemRegionsRegister(nvtxDomainHandle_t d,
                                  const nvtxMemRegionsRegisterBatch_t *b)
{
    size_t i;

    toy_say("MemRegionsRegister domain=%lu%s", toy_index(d), b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  %x size=%u heap=%lu", b->extCompatID, b->structSize, toy_index(b->heap));
    say_ranges(b->regionType, b->regionCount, b->regionDescElementSize,
               b->regionDescElements);
    for (i = 0; i < b->regionCount && b->regionHandleElementsOut; i++)
        b->regionHandleElementsOut[i] = (nvtxMemRegionHandle_t)new_handle();
}

static void on_MemRegionsResize(nvtxDomainHandle_t d,
                                const nvtxMemRegionsResizeBatch_t *b)
{
    toy_say("MemRegionsResize domain=%lu%s", toy_index(d), b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  %x size=%u", b->extCompatID, b->structSize);
    say_ranges(b->regionType, b->regionDescCount, b->regionDescElementSize,
               b->regionDescElements);
}

static void on_MemRegionsUnregister(nvtxDomainHandle_t d,
                                    const nvtxMemRegionsUnregisterBatch_t *b)
{
    size_t i;

    toy_say("MemRegionsUnregister domain=%lu%s", toy_index(d), b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  %x size=%u type=%u element=%llu", b->extCompatID, b->structSize,
            (unsigned)b->refType, (u64)b->refElementSize);
    for (i = 0; i < b->refCount; i++)
        toy_say("  %lx", toy_index(b->refElements[i].pointer));
}

static void on_MemRegionsName(nvtxDomainHandle_t d, const nvtxMemRegionsNameBatch_t *b)
{
    size_t i;

    toy_say("MemRegionsName domain=%lu%s", toy_index(d), b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  %x size=%u reserved=%u %llu element=%llu", b->extCompatID, b->structSize,
            (unsigned)b->reserved0, (u64)b->reserved1, (u64)b->regionElementSize);
    for (i = 0; i < b->regionCount; i++) {
        const nvtxMemRegionNameDesc_t *const n = &b->regionElements[i];

        toy_say("  type=%u %lx category=%u reserved=%u %s", (unsigned)n->regionRefType,
                toy_index(n->region.pointer), (unsigned)n->category,
                (unsigned)n->reserved0, toy_message((int32_t)n->nameType, n->name).s);
    }
}

static void on_MemPermissionsAssign(nvtxDomainHandle_t d,
                                    const nvtxMemPermissionsAssignBatch_t *b)
{
    size_t i;

    toy_say("MemPermissionsAssign domain=%lu%s", toy_index(d), b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  %x size=%u reserved=%u %llu %lu element=%llu", b->extCompatID,
            b->structSize, (unsigned)b->reserved0, (u64)b->reserved1,
            toy_index(b->permissions), (u64)b->regionElementSize);
    for (i = 0; i < b->regionCount; i++)
        toy_say("  flags=%x type=%u %lx", (unsigned)b->regionElements[i].flags,
                (unsigned)b->regionElements[i].regionRefType,
                toy_index(b->regionElements[i].region.pointer));
}

static nvtxMemPermissionsHandle_t on_MemPermissionsCreate(nvtxDomainHandle_t d,
                                                          int32_t flags)
{
    toy_say("MemPermissionsCreate domain=%lu flags=%d -> %lu", toy_index(d), (int)flags,
            n_handles + 1);
    return (nvtxMemPermissionsHandle_t)new_handle();
}

static void on_MemPermissionsDestroy(nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p)
{
    toy_say("MemPermissionsDestroy domain=%lu %lu", toy_index(d), toy_index(p));
}

static void on_MemPermissionsReset(nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p)
{
    toy_say("MemPermissionsReset domain=%lu %lu", toy_index(d), toy_index(p));
}

static void on_MemPermissionsBind(nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p,
                                  uint32_t scope, uint32_t flags)
{
    toy_say("MemPermissionsBind domain=%lu %lu scope=%u flags=%x", toy_index(d),
            toy_index(p), (unsigned)scope, (unsigned)flags);
}

static void on_MemPermissionsUnbind(nvtxDomainHandle_t d, uint32_t scope)
{
    toy_say("MemPermissionsUnbind domain=%lu scope=%u", toy_index(d), (unsigned)scope);
}

static nvtxMemPermissionsHandle_t
on_MemCudaGetProcessWidePermissions(nvtxDomainHandle_t d)
{
    toy_say("MemCudaGetProcessWidePermissions domain=%lu -> %lu", toy_index(d),
            n_handles + 1);
    return (nvtxMemPermissionsHandle_t)new_handle();
}

static nvtxMemPermissionsHandle_t
on_MemCudaGetDeviceWidePermissions(nvtxDomainHandle_t d, int device)
{
    toy_say("MemCudaGetDeviceWidePermissions domain=%lu %d -> %lu", toy_index(d),
            device, n_handles + 1);
    return (nvtxMemPermissionsHandle_t)new_handle();
}

static void on_MemCudaSetPeerAccess(nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p,
                                    int peer, uint32_t flags)
{
    toy_say("MemCudaSetPeerAccess domain=%lu %lu peer=%d flags=%x", toy_index(d),
            toy_index(p), peer, (unsigned)flags);
}

static void on_MemCudaMarkInitialized(nvtxDomainHandle_t d, cudaStream_t stream,
                                      uint8_t per_thread,
                                      const nvtxMemMarkInitializedBatch_t *b)
{
    toy_say("MemCudaMarkInitialized domain=%lu stream=%lu per thread %u%s",
            toy_index(d), toy_index(stream), per_thread, b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  %x size=%u", b->extCompatID, b->structSize);
    say_ranges(b->regionType, b->regionDescCount, b->regionDescElementSize,
               b->regionDescElements);
}

#define STORE_V(module, name, params, args)                                            \
    __atomic_store_n(&slot[NVTX3EXT_CBID_nvtx##name],                                  \
                     (intptr_t)(nvtx##name##_impl_fntype)on_##name, __ATOMIC_RELEASE);
#define STORE_R(module, name, params, args, type, neutral)                             \
    STORE_V(module, name, params, args)

void toy_fill_memory(intptr_t *slot)
{
    NVTX_MEM_CALLS(STORE_V, STORE_R)
    NVTX_MEM_CUDART_CALLS(STORE_V, STORE_R)
}
