/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtMem.h - NVTX memory extension: a program's own allocators.
 *
 *     heap         memory that is allocated in parts: a pool, an arena, a struct with
 *                  a layout
 *     region       a part of a heap that is in use
 *     permissions  a set of regions and of what may be done with each; bound to a
 *                  thread, it replaces the process-wide set there
 *
 * For tools that check memory: they can then find accesses outside the regions of a
 * pool, as they find those outside the blocks of malloc. The rules for all calls in
 * nvToolsExt.h apply here, too; nothing here changes the memory itself.
 *
 * Structs that begin with `extCompatID` and `structSize`: zero them and set these to
 * NVTX_EXT_COMPATID_MEM and the struct's size.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExt.h"

/* Guards of every copy of this header and its parts: the first one included wins. */
#if !defined(NVTX_MEM_CONTENTS_V1)
#define NVTX_MEM_CONTENTS_V1
#define NVTX_MEM_CALLBACK_ID_V1
#define NVTX_EXT_IMPL_MEM_V1

#if !defined(NVTX_LINK_NAME)
#error "Another copy of NVTX is included already; take all of its headers from there."
#endif
#include "nvtxDetail/nvtxExtTypes.h"
#if !defined(NVTX_NO_IMPL)
#include "nvtxDetail/nvtx_ext_client.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How the module introduces itself to a tool. */
#define NVTX_EXT_MODULEID_MEM 1
#define NVTX_EXT_COMPATID_MEM 0x0102

/* ---- Handles --------------------------------------------------------------------- */

typedef struct nvtxMemHeap_v1 nvtxMemHeap_t;
typedef nvtxMemHeap_t *nvtxMemHeapHandle_t;
typedef struct nvtxMemRegion_v1 nvtxMemRegion_t;
typedef nvtxMemRegion_t *nvtxMemRegionHandle_t;
typedef struct nvtxMemPermissions_v1 nvtxMemPermissions_t;
typedef nvtxMemPermissions_t *nvtxMemPermissionsHandle_t;

/* The process's whole address space as a heap: everything is allowed outside its
 * regions, everything except execution inside them. */
#define NVTX_MEM_HEAP_HANDLE_PROCESS_WIDE                                              \
    (NVTX_STATIC_CAST(nvtxMemHeapHandle_t, NVTX_NULLPTR))
/* The permissions that apply where none are bound. */
#define NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE                                       \
    (NVTX_STATIC_CAST(nvtxMemPermissionsHandle_t, NVTX_NULLPTR))

/* Reserved for "there is no tool"; the calls below return NULL in that case. */
#define NVTX_MEM_HEAP_HANDLE_NO_TOOL                                                   \
    (NVTX_REINTERPRET_CAST(nvtxMemHeapHandle_t, NVTX_STATIC_CAST(intptr_t, -1)))
#define NVTX_MEM_REGION_HANDLE_NO_TOOL                                                 \
    (NVTX_REINTERPRET_CAST(nvtxMemRegionHandle_t, NVTX_STATIC_CAST(intptr_t, -1)))
#define NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL                                            \
    (NVTX_REINTERPRET_CAST(nvtxMemPermissionsHandle_t, NVTX_STATIC_CAST(intptr_t, -1)))

/* A region by its address or its handle; a type next to it says which. */
typedef union nvtxMemRegionRef_t {
    void const *pointer;
    nvtxMemRegionHandle_t handle;
} nvtxMemRegionRef_t;
#define NVTX_MEM_REGION_REF_TYPE_UNKNOWN 0x0
#define NVTX_MEM_REGION_REF_TYPE_POINTER 0x1
#define NVTX_MEM_REGION_REF_TYPE_HANDLE 0x2

/* What a heap or region consists of: virtual addresses are described by an
 * nvtxMemVirtualRangeDesc_t. 0x2 to 0xf are reserved. */
#define NVTX_MEM_TYPE_UNKNOWN 0x0
#define NVTX_MEM_TYPE_VIRTUAL_ADDRESS 0x1

typedef struct nvtxMemVirtualRangeDesc_v1 {
    size_t size; /* bytes */
    void const *ptr;
} nvtxMemVirtualRangeDesc_v1;
typedef nvtxMemVirtualRangeDesc_v1 nvtxMemVirtualRangeDesc_t;

/* ---- Heaps ----------------------------------------------------------------------- */

#define NVTX_MEM_HEAP_USAGE_UNKNOWN 0x0
/* A pool: only its regions are in use, and may be read and written. */
#define NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR 0x1
/* One object with a layout: all of it is in use, and may be read and written. */
#define NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT 0x2

typedef struct nvtxMemHeapDesc_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t reserved0;
    uint32_t usage;               /* NVTX_MEM_HEAP_USAGE_*, not 0 */
    uint32_t type;                /* NVTX_MEM_TYPE_*, not 0 */
    size_t typeSpecificDescSize;  /* bytes at typeSpecificDesc */
    void const *typeSpecificDesc; /* its location, as `type` says */
    uint32_t category;            /* 0 is none; see nvtxNameCategoryA */
    uint32_t messageType;         /* nvtxMessageType_t */
    nvtxMessageValue_t message;   /* its name */
} nvtxMemHeapDesc_v1;
typedef nvtxMemHeapDesc_v1 nvtxMemHeapDesc_t;

/**
 * Registers a heap. Its memory must already be allocated.
 *
 * Ownership: end it with nvtxMemHeapUnregister(), before its memory is freed.
 * Errors:    returns NULL without a tool, which is also the process-wide heap.
 */
NVTX_DECLSPEC nvtxMemHeapHandle_t NVTX_API
nvtxMemHeapRegister(nvtxDomainHandle_t domain, nvtxMemHeapDesc_t const *desc)
    NVTX_LINK_NAME(MemHeapRegister);

/** Ends a heap and its regions. Not for the process-wide heap. */
NVTX_DECLSPEC void NVTX_API nvtxMemHeapUnregister(nvtxDomainHandle_t domain,
                                                  nvtxMemHeapHandle_t heap)
    NVTX_LINK_NAME(MemHeapUnregister);

/** Ends all regions of a heap, or of the process-wide one, and keeps the heap. */
NVTX_DECLSPEC void NVTX_API nvtxMemHeapReset(nvtxDomainHandle_t domain,
                                             nvtxMemHeapHandle_t heap)
    NVTX_LINK_NAME(MemHeapReset);

/* ---- Regions --------------------------------------------------------------------- */

/* New regions of a heap. */
typedef struct nvtxMemRegionsRegisterBatch_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t regionType; /* NVTX_MEM_TYPE_* */
    nvtxMemHeapHandle_t heap;
    size_t regionCount;
    size_t regionDescElementSize;   /* bytes */
    void const *regionDescElements; /* an array, as regionType says */
    /* Receives the handles, or NULL: regions of virtual addresses can be referred to by
     * address. */
    nvtxMemRegionHandle_t *regionHandleElementsOut;
} nvtxMemRegionsRegisterBatch_v1;
typedef nvtxMemRegionsRegisterBatch_v1 nvtxMemRegionsRegisterBatch_t;

/**
 * States that parts of a heap are in use from now on.
 *
 * Errors: without a tool `regionHandleElementsOut` stays unchanged.
 */
NVTX_DECLSPEC void NVTX_API nvtxMemRegionsRegister(
    nvtxDomainHandle_t domain, nvtxMemRegionsRegisterBatch_t const *desc)
    NVTX_LINK_NAME(MemRegionsRegister);

/* Existing regions, found by address, and their new sizes. */
typedef struct nvtxMemRegionsResizeBatch_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t regionType; /* NVTX_MEM_TYPE_* */
    size_t regionDescCount;
    size_t regionDescElementSize;   /* bytes */
    void const *regionDescElements; /* an array, as regionType says */
} nvtxMemRegionsResizeBatch_v1;
typedef nvtxMemRegionsResizeBatch_v1 nvtxMemRegionsResizeBatch_t;

/** Changes the size of regions. */
NVTX_DECLSPEC void NVTX_API
nvtxMemRegionsResize(nvtxDomainHandle_t domain, nvtxMemRegionsResizeBatch_t const *desc)
    NVTX_LINK_NAME(MemRegionsResize);

typedef struct nvtxMemRegionsUnregisterBatch_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t refType; /* NVTX_MEM_REGION_REF_TYPE_* */
    size_t refCount;
    size_t refElementSize; /* bytes */
    nvtxMemRegionRef_t const *refElements;
} nvtxMemRegionsUnregisterBatch_v1;
typedef nvtxMemRegionsUnregisterBatch_v1 nvtxMemRegionsUnregisterBatch_t;

/** States that regions are no longer in use. The end of the heap implies it. */
NVTX_DECLSPEC void NVTX_API nvtxMemRegionsUnregister(
    nvtxDomainHandle_t domain, nvtxMemRegionsUnregisterBatch_t const *desc)
    NVTX_LINK_NAME(MemRegionsUnregister);

typedef struct nvtxMemRegionNameDesc_v1 {
    uint32_t regionRefType; /* NVTX_MEM_REGION_REF_TYPE_* */
    uint32_t nameType;      /* nvtxMessageType_t */
    nvtxMemRegionRef_t region;
    nvtxMessageValue_t name;
    uint32_t category; /* 0 is none */
    uint32_t reserved0;
} nvtxMemRegionNameDesc_v1;
typedef nvtxMemRegionNameDesc_v1 nvtxMemRegionNameDesc_t;

typedef struct nvtxMemRegionsNameBatch_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t reserved0;
    size_t regionCount;
    size_t regionElementSize; /* bytes */
    nvtxMemRegionNameDesc_t const *regionElements;
    size_t reserved1;
} nvtxMemRegionsNameBatch_v1;
typedef nvtxMemRegionsNameBatch_v1 nvtxMemRegionsNameBatch_t;

/** Names or renames regions. */
NVTX_DECLSPEC void NVTX_API nvtxMemRegionsName(nvtxDomainHandle_t domain,
                                               nvtxMemRegionsNameBatch_t const *desc)
    NVTX_LINK_NAME(MemRegionsName);

/* ---- Permissions ----------------------------------------------------------------- */

/* What may be done with a region. RESET, used alone, discards earlier assignments. */
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ 0x1
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET 0x8

typedef struct nvtxMemPermissionsAssignRegionDesc_v1 {
    uint32_t flags;         /* NVTX_MEM_PERMISSIONS_REGION_FLAGS_* */
    uint32_t regionRefType; /* NVTX_MEM_REGION_REF_TYPE_* */
    nvtxMemRegionRef_t region;
} nvtxMemPermissionsAssignRegionDesc_v1;
typedef nvtxMemPermissionsAssignRegionDesc_v1 nvtxMemPermissionsAssignRegionDesc_t;

typedef struct nvtxMemPermissionsAssignBatch_v1 {
    uint16_t extCompatID;
    uint16_t structSize;
    uint32_t reserved0;
    nvtxMemPermissionsHandle_t permissions;
    size_t regionCount;
    size_t regionElementSize; /* bytes */
    nvtxMemPermissionsAssignRegionDesc_t const *regionElements;
    size_t reserved1;
} nvtxMemPermissionsAssignBatch_v1;
typedef nvtxMemPermissionsAssignBatch_v1 nvtxMemPermissionsAssignBatch_t;

/** Changes a set's permissions for regions. */
NVTX_DECLSPEC void NVTX_API nvtxMemPermissionsAssign(
    nvtxDomainHandle_t domain, nvtxMemPermissionsAssignBatch_t const *desc)
    NVTX_LINK_NAME(MemPermissionsAssign);

/* The process-wide permissions that a bound set does not inherit. */
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_READ 0x1
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_ATOMIC 0x4

/**
 * Creates an empty set of permissions. It has no effect before it is bound.
 *
 * Ownership: end it with nvtxMemPermissionsDestroy().
 * Errors:    returns NULL without a tool.
 */
NVTX_DECLSPEC nvtxMemPermissionsHandle_t NVTX_API
nvtxMemPermissionsCreate(nvtxDomainHandle_t domain, int32_t creationflags)
    NVTX_LINK_NAME(MemPermissionsCreate);

/** Ends a set of permissions, and unbinds it. Not for the process-wide set. */
NVTX_DECLSPEC void NVTX_API nvtxMemPermissionsDestroy(
    nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissionsHandle)
    NVTX_LINK_NAME(MemPermissionsDestroy);

/** Resets a set of permissions, or the process-wide one, to its initial state. */
NVTX_DECLSPEC void NVTX_API nvtxMemPermissionsReset(
    nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissionsHandle)
    NVTX_LINK_NAME(MemPermissionsReset);

/* What the binding applies to: this thread's code, or the work that it submits to CUDA
 * streams. */
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_UNKNOWN 0x0
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD 0x1
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CUDA_STREAM 0x2

/* The accesses that the set alone decides, whatever the process-wide permissions are.
 */
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_READ 0x1
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_ATOMIC 0x4

/**
 * Binds a set of permissions to the calling thread. Not for the process-wide set.
 *
 * Uses the current state of the set and the process-wide one; bind again after a
 * change.
 *
 * Threads: concerns the calling thread alone.
 */
NVTX_DECLSPEC void NVTX_API nvtxMemPermissionsBind(
    nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissions,
    uint32_t bindScope, uint32_t bindFlags) NVTX_LINK_NAME(MemPermissionsBind);

/**
 * Ends what nvtxMemPermissionsBind() did in that scope.
 *
 * Threads: concerns the calling thread alone.
 */
NVTX_DECLSPEC void NVTX_API nvtxMemPermissionsUnbind(nvtxDomainHandle_t domain,
                                                     uint32_t bindScope)
    NVTX_LINK_NAME(MemPermissionsUnbind);

/* ---- For tools ------------------------------------------------------------------- */

/* Callback ids: indices of the module's slots (nvtxDetail/nvtxExtTypes.h). Those from
 * 13 on belong to nvToolsExtMemCudaRt.h. */
#define NVTX3EXT_CBID_nvtxMemHeapRegister 0
#define NVTX3EXT_CBID_nvtxMemHeapUnregister 1
#define NVTX3EXT_CBID_nvtxMemHeapReset 2
#define NVTX3EXT_CBID_nvtxMemRegionsRegister 3
#define NVTX3EXT_CBID_nvtxMemRegionsResize 4
#define NVTX3EXT_CBID_nvtxMemRegionsUnregister 5
#define NVTX3EXT_CBID_nvtxMemRegionsName 6
#define NVTX3EXT_CBID_nvtxMemPermissionsAssign 7
#define NVTX3EXT_CBID_nvtxMemPermissionsCreate 8
#define NVTX3EXT_CBID_nvtxMemPermissionsDestroy 9
#define NVTX3EXT_CBID_nvtxMemPermissionsReset 10
#define NVTX3EXT_CBID_nvtxMemPermissionsBind 11
#define NVTX3EXT_CBID_nvtxMemPermissionsUnbind 12
#define NVTX3EXT_CBID_nvtxMemCudaGetProcessWidePermissions 13
#define NVTX3EXT_CBID_nvtxMemCudaGetDeviceWidePermissions 14
#define NVTX3EXT_CBID_nvtxMemCudaSetPeerAccess 15
#define NVTX3EXT_CBID_nvtxMemCudaMarkInitialized 16

/* One line per call; nvtxTypes.h explains V and R. */
#define NVTX_MEM_CALLS(V, R)                                                           \
    R(_MEM, MemHeapRegister, (nvtxDomainHandle_t d, nvtxMemHeapDesc_t const *desc),    \
      (d, desc), nvtxMemHeapHandle_t, NVTX_NULLPTR)                                    \
    V(_MEM, MemHeapUnregister, (nvtxDomainHandle_t d, nvtxMemHeapHandle_t heap),       \
      (d, heap))                                                                       \
    V(_MEM, MemHeapReset, (nvtxDomainHandle_t d, nvtxMemHeapHandle_t heap), (d, heap)) \
    V(_MEM, MemRegionsRegister,                                                        \
      (nvtxDomainHandle_t d, nvtxMemRegionsRegisterBatch_t const *desc), (d, desc))    \
    V(_MEM, MemRegionsResize,                                                          \
      (nvtxDomainHandle_t d, nvtxMemRegionsResizeBatch_t const *desc), (d, desc))      \
    V(_MEM, MemRegionsUnregister,                                                      \
      (nvtxDomainHandle_t d, nvtxMemRegionsUnregisterBatch_t const *desc), (d, desc))  \
    V(_MEM, MemRegionsName,                                                            \
      (nvtxDomainHandle_t d, nvtxMemRegionsNameBatch_t const *desc), (d, desc))        \
    V(_MEM, MemPermissionsAssign,                                                      \
      (nvtxDomainHandle_t d, nvtxMemPermissionsAssignBatch_t const *desc), (d, desc))  \
    R(_MEM, MemPermissionsCreate, (nvtxDomainHandle_t d, int32_t flags), (d, flags),   \
      nvtxMemPermissionsHandle_t, NVTX_NULLPTR)                                        \
    V(_MEM, MemPermissionsDestroy,                                                     \
      (nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p), (d, p))                    \
    V(_MEM, MemPermissionsReset, (nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p), \
      (d, p))                                                                          \
    V(_MEM, MemPermissionsBind,                                                        \
      (nvtxDomainHandle_t d, nvtxMemPermissionsHandle_t p, uint32_t scope,             \
       uint32_t flags),                                                                \
      (d, p, scope, flags))                                                            \
    V(_MEM, MemPermissionsUnbind, (nvtxDomainHandle_t d, uint32_t scope), (d, scope))

NVTX_MEM_CALLS(NVTX_TYPE_V, NVTX_TYPE_R)
#if !defined(NVTX_NO_IMPL)
NVTX_EXT_SIMPLE_MODULE(_MEM, NVTX_EXT_MODULEID_MEM, NVTX_EXT_COMPATID_MEM, 1)
NVTX_MEM_CALLS(NVTX_EXT_BODY_V, NVTX_EXT_BODY_R)
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTX_MEM_CONTENTS_V1 */
