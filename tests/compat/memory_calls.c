/* SPDX-License-Identifier: Apache-2.0 */
/* memory_calls.c - every call of the memory extension, in a fixed order.
 *
 * C90 and C++98, for any copy of these headers. Describes memory and never touches it.
 */
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>

#include <stdio.h>
#include <string.h>

static void say_set(const char *call, int is_set)
{
    printf("%s = %s\n", call, is_set ? "set" : "NULL");
}

/* All batches begin the same way. */
#define BATCH(b)                                                                       \
    memset(&(b), 0, sizeof(b));                                                        \
    (b).extCompatID = NVTX_EXT_COMPATID_MEM;                                           \
    (b).structSize = (uint16_t)sizeof(b)

static const nvtxMemVirtualRangeDesc_t ranges[2] = {{16, (const void *)0x1000},
                                                    {32, (const void *)0x2000}};

static nvtxMemHeapHandle_t heaps(nvtxDomainHandle_t domain)
{
    static const nvtxMemVirtualRangeDesc_t all = {4096, (const void *)0x1000};
    nvtxMemHeapDesc_t desc;
    nvtxMemHeapHandle_t heap;

    printf("# heaps\n");
    BATCH(desc);
    desc.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
    desc.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    desc.typeSpecificDescSize = sizeof(all);
    desc.typeSpecificDesc = &all;
    desc.category = 3;
    desc.messageType = NVTX_MESSAGE_TYPE_ASCII;
    desc.message.ascii = "heap";
    heap = nvtxMemHeapRegister(domain, &desc);
    say_set("nvtxMemHeapRegister", heap != NULL);
    desc.usage = NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT;
    desc.type = NVTX_MEM_TYPE_CUDA_ARRAY;
    nvtxMemHeapUnregister(domain, nvtxMemHeapRegister(domain, &desc));
    say_set("nvtxMemHeapRegister (NULL)", nvtxMemHeapRegister(NULL, NULL) != NULL);
    nvtxMemHeapReset(domain, heap);
    nvtxMemHeapReset(NULL, NULL);
    return heap;
}

static void regions(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap)
{
    nvtxMemRegionsRegisterBatch_t made;
    nvtxMemRegionsResizeBatch_t resized;
    nvtxMemRegionsUnregisterBatch_t gone;
    nvtxMemRegionsNameBatch_t named;
    nvtxMemRegionNameDesc_t names[2];
    nvtxMemRegionHandle_t handles[2] = {NULL, NULL};
    nvtxMemRegionRef_t refs[2];

    printf("# regions\n");
    BATCH(made);
    made.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    made.heap = heap;
    made.regionCount = 2;
    made.regionDescElementSize = sizeof(ranges[0]);
    made.regionDescElements = ranges;
    made.regionHandleElementsOut = handles;
    nvtxMemRegionsRegister(domain, &made);
    say_set("handles", handles[0] && handles[1]);
    nvtxMemRegionsRegister(NULL, NULL);

    BATCH(resized);
    resized.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    resized.regionDescCount = 1;
    resized.regionDescElementSize = sizeof(ranges[0]);
    resized.regionDescElements = ranges;
    nvtxMemRegionsResize(domain, &resized);
    nvtxMemRegionsResize(NULL, NULL);

    memset(names, 0, sizeof(names));
    names[0].regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    names[0].nameType = NVTX_MESSAGE_TYPE_ASCII;
    names[0].region.pointer = ranges[0].ptr;
    names[0].name.ascii = "by address";
    names[1].regionRefType = NVTX_MEM_REGION_REF_TYPE_HANDLE;
    names[1].nameType = NVTX_MESSAGE_TYPE_UNICODE;
    names[1].region.handle = handles[1];
    names[1].name.unicode = L"by handle";
    names[1].category = 4;
    BATCH(named);
    named.regionCount = 2;
    named.regionElementSize = sizeof(names[0]);
    named.regionElements = names;
    nvtxMemRegionsName(domain, &named);
    nvtxMemRegionsName(NULL, NULL);

    refs[0].pointer = ranges[0].ptr;
    refs[1].pointer = ranges[1].ptr;
    BATCH(gone);
    gone.refType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    gone.refCount = 2;
    gone.refElementSize = sizeof(refs[0]);
    gone.refElements = refs;
    nvtxMemRegionsUnregister(domain, &gone);
    nvtxMemRegionsUnregister(NULL, NULL);
}

static void permissions(nvtxDomainHandle_t domain)
{
    nvtxMemPermissionsAssignRegionDesc_t assigned[1];
    nvtxMemPermissionsAssignBatch_t batch;
    nvtxMemPermissionsHandle_t set;

    printf("# permissions\n");
    set = nvtxMemPermissionsCreate(
        domain, NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE);
    say_set("nvtxMemPermissionsCreate", set != NULL);
    memset(assigned, 0, sizeof(assigned));
    assigned[0].flags = NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ |
                        NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC;
    assigned[0].regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    assigned[0].region.pointer = ranges[0].ptr;
    BATCH(batch);
    batch.permissions = set;
    batch.regionCount = 1;
    batch.regionElementSize = sizeof(assigned[0]);
    batch.regionElements = assigned;
    nvtxMemPermissionsAssign(domain, &batch);
    nvtxMemPermissionsAssign(NULL, NULL);
    nvtxMemPermissionsBind(domain, set, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD,
                           NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_READ);
    nvtxMemPermissionsUnbind(domain, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CUDA_STREAM);
    nvtxMemPermissionsReset(domain, set);
    nvtxMemPermissionsDestroy(domain, set);
}

static void cuda(nvtxDomainHandle_t domain)
{
    nvtxMemMarkInitializedBatch_t batch;
    nvtxMemPermissionsHandle_t set;

    printf("# CUDA\n");
    set = nvtxMemCudaGetProcessWidePermissions(domain);
    say_set("nvtxMemCudaGetProcessWidePermissions", set != NULL);
    set = nvtxMemCudaGetDeviceWidePermissions(domain, 2);
    say_set("nvtxMemCudaGetDeviceWidePermissions", set != NULL);
    nvtxMemCudaSetPeerAccess(domain, set, NVTX_MEM_CUDA_PEER_ALL_DEVICES,
                             NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    BATCH(batch);
    batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    batch.regionDescCount = 2;
    batch.regionDescElementSize = sizeof(ranges[0]);
    batch.regionDescElements = ranges;
    nvtxMemCudaMarkInitialized(domain, (cudaStream_t)6, 1, &batch);
    nvtxMemCudaMarkInitialized(NULL, NULL, 0, NULL);
}

int main(void)
{
    nvtxMemHeapHandle_t heap;
    nvtxDomainHandle_t domain;

    nvtxMemHeapReset(NULL, NULL); /* the very first call is one of an extension */
    domain = nvtxDomainCreateA("domain");
    heap = heaps(domain);
    regions(domain, heap);
    permissions(domain);
    cuda(domain);
    nvtxMemHeapUnregister(domain, heap);
    printf("# done\n");
    return 0;
}
