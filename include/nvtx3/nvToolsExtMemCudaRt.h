/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtMemCudaRt.h - NVTX memory extension: CUDA memory.
 *
 * Adds types of heaps to nvToolsExtMem.h, and permissions for work on GPUs. That
 * header's rules apply here, too.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExtMem.h"

/* Guards of every copy of this header and its parts: the first one included wins. */
#if !defined(NVTX_MEM_CUDART_CONTENTS_V1)
#define NVTX_MEM_CUDART_CONTENTS_V1
#define NVTX_EXT_IMPL_MEM_CUDART_V1

#define NVTX_WANTS_CUDA
#define NVTX_WANTS_CUDART
#define NVTX_WANTS_CUDART_TYPES
#include "nvtxDetail/nvtx_foreign_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types of heaps -------------------------------------------------------------- */

/* typeSpecificDesc is a cudaArray_t; regions are nvtxMemCudaArrayRangeDesc_t. */
#define NVTX_MEM_TYPE_CUDA_ARRAY 0x11

/* A box of a runtime array. */
typedef struct nvtxMemCudaArrayRangeDesc_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t reserved0;
    cudaArray_t src;
    size_t offset[3];
    size_t extent[3];
} nvtxMemCudaArrayRangeDesc_v1;
typedef nvtxMemCudaArrayRangeDesc_v1 nvtxMemCudaArrayRangeDesc_t;

/* typeSpecificDesc is a CUarray; regions are nvtxMemCuArrayRangeDesc_t. */
#define NVTX_MEM_TYPE_CU_ARRAY 0x12

/* A box of a driver array. */
typedef struct nvtxMemCuArrayRangeDesc_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t reserved0;
    CUarray src;
    size_t offset[3];
    size_t extent[3];
} nvtxMemCuArrayRangeDesc_v1;
typedef nvtxMemCuArrayRangeDesc_v1 nvtxMemCuArrayRangeDesc_t;

/* ---- Permissions of devices ------------------------------------------------------ */

/**
 * Returns the permissions of all work on GPUs, which can be changed per region or peer.
 *
 * Ownership: not to be destroyed.
 * Errors:    returns NULL without a tool.
 */
NVTX_DECLSPEC nvtxMemPermissionsHandle_t NVTX_API nvtxMemCudaGetProcessWidePermissions(
    nvtxDomainHandle_t domain) NVTX_LINK_NAME(MemCudaGetProcessWidePermissions);

/**
 * Returns the permissions of work on one device, by its number.
 *
 * Ownership: not to be destroyed.
 * Errors:    returns NULL without a tool.
 */
NVTX_DECLSPEC nvtxMemPermissionsHandle_t NVTX_API
nvtxMemCudaGetDeviceWidePermissions(nvtxDomainHandle_t domain, int device)
    NVTX_LINK_NAME(MemCudaGetDeviceWidePermissions);

#define NVTX_MEM_CUDA_PEER_ALL_DEVICES -1

/**
 * Sets the default permissions for another device's memory, outside of regions.
 *
 * `devicePeer` is its number or NVTX_MEM_CUDA_PEER_ALL_DEVICES; `flags` are
 * NVTX_MEM_PERMISSIONS_REGION_FLAGS_*.
 */
NVTX_DECLSPEC void NVTX_API nvtxMemCudaSetPeerAccess(
    nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissions, int devicePeer,
    uint32_t flags) NVTX_LINK_NAME(MemCudaSetPeerAccess);

/* ---- Initialized memory ---------------------------------------------------------- */

typedef struct nvtxMemMarkInitializedBatch_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t regionType; /* NVTX_MEM_TYPE_* */
    size_t regionDescCount;
    size_t regionDescElementSize;   /* bytes */
    void const *regionDescElements; /* an array, as regionType says */
} nvtxMemMarkInitializedBatch_v1;
typedef nvtxMemMarkInitializedBatch_v1 nvtxMemMarkInitializedBatch_t;

/**
 * States that memory has defined contents once `stream` reaches this point.
 *
 * `isPerThreadStream` is not 0 if the default stream is the thread's own.
 */
NVTX_DECLSPEC void NVTX_API nvtxMemCudaMarkInitialized(
    nvtxDomainHandle_t domain, cudaStream_t stream, uint8_t isPerThreadStream,
    nvtxMemMarkInitializedBatch_t const *desc) NVTX_LINK_NAME(MemCudaMarkInitialized);

/* ---- For tools ------------------------------------------------------------------- */

/* One line per call; nvtxTypes.h explains V and R. */
#define NVTX_MEM_CUDART_CALLS(V, R)                                                    \
    R(_MEM, MemCudaGetProcessWidePermissions, (nvtxDomainHandle_t d), (d),             \
      nvtxMemPermissionsHandle_t, NVTX_NULLPTR)                                        \
    R(_MEM, MemCudaGetDeviceWidePermissions, (nvtxDomainHandle_t d, int device),       \
      (d, device), nvtxMemPermissionsHandle_t, NVTX_NULLPTR)                           \
    V(_MEM, MemCudaSetPeerAccess,                                                      \
      (nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p, int peer, uint32_t flags),  \
      (d, p, peer, flags))                                                             \
    V(_MEM, MemCudaMarkInitialized,                                                    \
      (nvtxDomainHandle_t d, cudaStream_t stream, uint8_t per_thread,                  \
       nvtxMemMarkInitializedBatch_t const *desc),                                     \
      (d, stream, per_thread, desc))

NVTX_MEM_CUDART_CALLS(NVTX_TYPE_V, NVTX_TYPE_R)
#if !defined(NVTX_NO_IMPL)
NVTX_MEM_CUDART_CALLS(NVTX_EXT_BODY_V, NVTX_EXT_BODY_R)
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTX_MEM_CUDART_CONTENTS_V1 */
