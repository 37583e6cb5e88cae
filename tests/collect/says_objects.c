/* SPDX-License-Identifier: Apache-2.0 */
/* says_objects.c - registers resources, locks, memory, and names of other APIs'
 * objects.
 */
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <nvtx3/nvToolsExtSync.h>

#include <string.h>

static nvtxDomainHandle_t domain;

static void say_resources(void)
{
    nvtxResourceAttributes_t a;
    nvtxResourceHandle_t handle;

    memset(&a, 0, sizeof a);
    a.version = NVTX_VERSION;
    a.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
    a.identifierType = NVTX_RESOURCE_TYPE_SYNC_PTHREAD_MUTEX;
    a.identifier.ullValue = 0x1234;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "a mutex";
    handle = nvtxDomainResourceCreate(domain, &a);
    a.identifierType = NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX;
    a.message.ascii = "a thread";
    nvtxDomainResourceCreate(domain, &a);
    nvtxDomainResourceDestroy(handle);
}

static void say_names(void)
{
    nvtxNameCuDeviceA(0, "driver's device");
    nvtxNameCuContextW((CUcontext)0x1001, L"driver's context");
    nvtxNameCuStreamA((CUstream)0x1002, "driver's stream");
    nvtxNameCuEventA((CUevent)0x1003, "driver's event");
    nvtxNameCudaDeviceA(1, "runtime's device");
    nvtxNameCudaStreamA((cudaStream_t)0x2001, "runtime's stream");
    nvtxNameCudaEventW((cudaEvent_t)0x2002, L"runtime's event");
    nvtxNameClDeviceA((cl_device_id)0x3001, "device");
    nvtxNameClContextA((cl_context)0x3002, "context");
    nvtxNameClCommandQueueA((cl_command_queue)0x3003, "queue");
    nvtxNameClMemObjectA((cl_mem)0x3004, "buffer");
    nvtxNameClSamplerA((cl_sampler)0x3005, "sampler");
    nvtxNameClProgramA((cl_program)0x3006, "program");
    nvtxNameClEventW((cl_event)0x3007, L"event");
}

static void say_locks(void)
{
    nvtxSyncUserAttributes_t a;
    nvtxSyncUser_t spin, nameless = nvtxDomainSyncUserCreate(NULL, NULL);

    memset(&a, 0, sizeof a);
    a.version = NVTX_VERSION;
    a.size = NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "spin lock";
    spin = nvtxDomainSyncUserCreate(domain, &a);
    nvtxDomainSyncUserAcquireStart(spin);
    nvtxDomainSyncUserAcquireFailed(spin);
    nvtxDomainSyncUserAcquireStart(spin);
    nvtxDomainSyncUserAcquireSuccess(spin);
    nvtxDomainSyncUserAcquireStart(nameless);
    nvtxDomainSyncUserReleasing(spin);
    nvtxDomainSyncUserDestroy(spin);
}

static void say_memory(void)
{
    const nvtxMemVirtualRangeDesc_t pool = {4096, (const void *)0x10000};
    nvtxMemVirtualRangeDesc_t parts[] = {{256, (const void *)0x10000},
                                         {512, (const void *)0x10100}};
    nvtxMemRegionHandle_t regions[2];
    nvtxMemHeapDesc_t heap;
    nvtxMemRegionsRegisterBatch_t add;
    nvtxMemRegionsResizeBatch_t resize;
    nvtxMemRegionsUnregisterBatch_t drop;
    nvtxMemRegionsNameBatch_t rename;
    nvtxMemRegionNameDesc_t name;
    nvtxMemPermissionsAssignBatch_t assign;
    nvtxMemPermissionsAssignRegionDesc_t rights;
    nvtxMemRegionRef_t reference;
    nvtxMemHeapHandle_t handle;
    nvtxMemPermissionsHandle_t set;

    memset(&heap, 0, sizeof heap);
    heap.extCompatID = NVTX_EXT_COMPATID_MEM;
    heap.structSize = sizeof heap;
    heap.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
    heap.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    heap.typeSpecificDescSize = sizeof pool;
    heap.typeSpecificDesc = &pool;
    heap.category = 5;
    heap.messageType = NVTX_MESSAGE_TYPE_ASCII;
    heap.message.ascii = "pool";
    handle = nvtxMemHeapRegister(domain, &heap);

    memset(&add, 0, sizeof add);
    add.extCompatID = NVTX_EXT_COMPATID_MEM;
    add.structSize = sizeof add;
    add.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    add.heap = handle;
    add.regionCount = 2;
    add.regionDescElementSize = sizeof *parts;
    add.regionDescElements = parts;
    add.regionHandleElementsOut = regions;
    nvtxMemRegionsRegister(domain, &add);

    memset(&name, 0, sizeof name);
    memset(&rename, 0, sizeof rename);
    name.regionRefType = NVTX_MEM_REGION_REF_TYPE_HANDLE;
    name.nameType = NVTX_MESSAGE_TYPE_ASCII;
    name.region.handle = regions[1];
    name.name.ascii = "second";
    name.category = 6;
    rename.extCompatID = NVTX_EXT_COMPATID_MEM;
    rename.structSize = sizeof rename;
    rename.regionCount = 1;
    rename.regionElementSize = sizeof name;
    rename.regionElements = &name;
    nvtxMemRegionsName(domain, &rename);

    parts[1].size = 1024;
    memset(&resize, 0, sizeof resize);
    resize.extCompatID = NVTX_EXT_COMPATID_MEM;
    resize.structSize = sizeof resize;
    resize.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    resize.regionDescCount = 1;
    resize.regionDescElementSize = sizeof *parts;
    resize.regionDescElements = &parts[1];
    nvtxMemRegionsResize(domain, &resize);

    set = nvtxMemPermissionsCreate(
        domain, NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE);
    memset(&rights, 0, sizeof rights);
    memset(&assign, 0, sizeof assign);
    rights.flags = NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ;
    rights.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    rights.region.pointer = parts[0].ptr;
    assign.extCompatID = NVTX_EXT_COMPATID_MEM;
    assign.structSize = sizeof assign;
    assign.permissions = set;
    assign.regionCount = 1;
    assign.regionElementSize = sizeof rights;
    assign.regionElements = &rights;
    nvtxMemPermissionsAssign(domain, &assign);
    nvtxMemPermissionsBind(domain, set, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD,
                           NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_WRITE);
    nvtxMemPermissionsUnbind(domain, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD);
    nvtxMemPermissionsReset(domain, set);
    nvtxMemPermissionsDestroy(domain, set);

    memset(&drop, 0, sizeof drop);
    reference.pointer = parts[0].ptr;
    drop.extCompatID = NVTX_EXT_COMPATID_MEM;
    drop.structSize = sizeof drop;
    drop.refType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    drop.refCount = 1;
    drop.refElementSize = sizeof reference;
    drop.refElements = &reference;
    nvtxMemRegionsUnregister(domain, &drop);
    nvtxMemHeapReset(domain, handle);
    nvtxMemHeapUnregister(domain, handle);
}

int main(void)
{
    domain = nvtxDomainCreateA("objects");
    say_resources();
    say_names();
    say_locks();
    say_memory();
    return 0;
}
