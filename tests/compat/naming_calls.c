/* SPDX-License-Identifier: Apache-2.0 */
/* naming_calls.c - every call that names objects of CUDA and OpenCL, and every call for
 * the program's own locks, in a fixed order.
 *
 * C90 and C++98, for any copy of these headers. No object is real.
 */
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <nvtx3/nvToolsExtSync.h>

#include <stdio.h>
#include <string.h>

/* NVIDIA's declarations of both forms, called by name and through the plain name. */
#define NAME(what, object)                                                             \
    nvtxName##what##A(object, #what " A");                                             \
    nvtxName##what##W(object, L## #what);                                              \
    nvtxName##what(object, #what);                                                     \
    nvtxName##what##A(object, NULL)

static void names(void)
{
    printf("# names\n");
    NAME(CuDevice, 1);
    NAME(CuContext, (CUcontext)2);
    NAME(CuStream, (CUstream)3);
    NAME(CuEvent, (CUevent)4);
    NAME(CudaDevice, 5);
    NAME(CudaStream, (cudaStream_t)6);
    NAME(CudaEvent, (cudaEvent_t)7);
    NAME(ClDevice, (cl_device_id)8);
    NAME(ClContext, (cl_context)9);
    NAME(ClCommandQueue, (cl_command_queue)10);
    NAME(ClMemObject, (cl_mem)11);
    NAME(ClSampler, (cl_sampler)12);
    NAME(ClProgram, (cl_program)13);
    NAME(ClEvent, (cl_event)14);
}

static void locks(nvtxDomainHandle_t domain)
{
    nvtxSyncUserAttributes_t a;
    nvtxSyncUser_t lock;

    printf("# locks\n");
    memset(&a, 0, sizeof(a));
    a.version = NVTX_VERSION;
    a.size = NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "lock";
    lock = nvtxDomainSyncUserCreate(domain, &a);
    printf("nvtxDomainSyncUserCreate = %s\n", lock ? "set" : "NULL");
    nvtxDomainSyncUserAcquireStart(lock);
    nvtxDomainSyncUserAcquireFailed(lock);
    nvtxDomainSyncUserAcquireStart(lock);
    nvtxDomainSyncUserAcquireSuccess(lock);
    nvtxDomainSyncUserReleasing(lock);
    nvtxDomainSyncUserDestroy(lock);
    lock = nvtxDomainSyncUserCreate(NULL, NULL);
    printf("nvtxDomainSyncUserCreate (NULL) = %s\n", lock ? "set" : "NULL");
    nvtxDomainSyncUserDestroy(NULL);
}

static void resources(nvtxDomainHandle_t domain)
{
    static const int32_t types[] = {
        NVTX_RESOURCE_TYPE_CUDA_STREAM, NVTX_RESOURCE_TYPE_CUDART_EVENT,
        NVTX_RESOURCE_TYPE_OPENCL_MEMOBJECT, NVTX_RESOURCE_TYPE_SYNC_PTHREAD_MUTEX,
        NVTX_RESOURCE_TYPE_SYNC_LINUX_FUTEX};
    nvtxResourceAttributes_t r;
    size_t i;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        memset(&r, 0, sizeof(r));
        r.version = NVTX_VERSION;
        r.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
        r.identifierType = types[i];
        r.identifier.ullValue = 0x2000u + i;
        r.messageType = NVTX_MESSAGE_TYPE_ASCII;
        r.message.ascii = "resource";
        nvtxDomainResourceDestroy(nvtxDomainResourceCreate(domain, &r));
    }
}

int main(void)
{
    nvtxDomainHandle_t domain;

    names(); /* the very first call is not one of the core */
    domain = nvtxDomainCreateA("domain");
    locks(domain);
    resources(domain);
    printf("# done\n");
    return 0;
}
