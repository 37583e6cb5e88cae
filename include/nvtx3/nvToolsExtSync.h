/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtSync.h - NVTX for synchronization: locks that a program implements, and
 * names for the system's.
 *
 *     AcquireStart ---> AcquireSuccess ---> Releasing     the lock was held
 *                 \---> AcquireFailed                     an attempt that gave up
 *
 * To name the system's objects, use nvtxDomainResourceCreate() with the types below.
 * The rules for all calls in nvToolsExt.h apply here, too.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExt.h"

#ifndef NVTOOLSEXT_SYNC_V3
#define NVTOOLSEXT_SYNC_V3

#if !defined(NVTX_LINK_NAME)
#error "Another copy of NVTX is included already; take all of its headers from there."
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types of resources ---------------------------------------------------------- */

#define NVTX_RESOURCE_CLASS_SYNC_OS 2
#define NVTX_RESOURCE_CLASS_SYNC_PTHREAD 3

/* identifier.pValue is the address of a pthread_mutex_t and so on. */
typedef enum nvtxResourceSyncPosixThreadType_t {
    NVTX_RESOURCE_TYPE_SYNC_PTHREAD_MUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 1),
    NVTX_RESOURCE_TYPE_SYNC_PTHREAD_CONDITION =
        NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 2),
    NVTX_RESOURCE_TYPE_SYNC_PTHREAD_RWLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 3),
    NVTX_RESOURCE_TYPE_SYNC_PTHREAD_BARRIER = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 4),
    NVTX_RESOURCE_TYPE_SYNC_PTHREAD_SPINLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 5),
    NVTX_RESOURCE_TYPE_SYNC_PTHREAD_ONCE = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 6)
} nvtxResourceSyncPosixThreadType_t;

typedef enum nvtxResourceSyncWindowsType_t {
    NVTX_RESOURCE_TYPE_SYNC_WINDOWS_MUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 1),
    NVTX_RESOURCE_TYPE_SYNC_WINDOWS_SEMAPHORE = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 2),
    NVTX_RESOURCE_TYPE_SYNC_WINDOWS_EVENT = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 3),
    NVTX_RESOURCE_TYPE_SYNC_WINDOWS_CRITICAL_SECTION =
        NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 4),
    NVTX_RESOURCE_TYPE_SYNC_WINDOWS_SRWLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 5)
} nvtxResourceSyncWindowsType_t;

typedef enum nvtxResourceSyncLinuxType_t {
    NVTX_RESOURCE_TYPE_SYNC_LINUX_MUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 1),
    NVTX_RESOURCE_TYPE_SYNC_LINUX_FUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 2),
    NVTX_RESOURCE_TYPE_SYNC_LINUX_SEMAPHORE = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 3),
    NVTX_RESOURCE_TYPE_SYNC_LINUX_COMPLETION = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 4),
    NVTX_RESOURCE_TYPE_SYNC_LINUX_SPINLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 5),
    NVTX_RESOURCE_TYPE_SYNC_LINUX_SEQLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 6),
    NVTX_RESOURCE_TYPE_SYNC_LINUX_RCU = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 7)
} nvtxResourceSyncLinuxType_t;

typedef enum nvtxResourceSyncLinuxType_t nvtxResourceSyncAndroidType_t;

/* ---- The program's own locks ----------------------------------------------------- */

/* The tool's handle of a lock; NULL without a tool. */
typedef struct nvtxSyncUser *nvtxSyncUser_t;

/* A lock's name. Zero it and set version and size, as for events. */
typedef struct nvtxSyncUserAttributes_v0 {
    uint16_t version;
    uint16_t size;
    int32_t messageType; /* nvtxMessageType_t */
    nvtxMessageValue_t message;
} nvtxSyncUserAttributes_v0;
typedef struct nvtxSyncUserAttributes_v0 nvtxSyncUserAttributes_t;

#define NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE                                               \
    (NVTX_STATIC_CAST(uint16_t, sizeof(nvtxSyncUserAttributes_v0)))

/**
 * Registers a lock that is built from atomics, for example, which tools cannot see.
 *
 * Ownership: end it with nvtxDomainSyncUserDestroy().
 * Errors: returns NULL without a tool; the calls below accept it.
 */
NVTX_DECLSPEC nvtxSyncUser_t NVTX_API nvtxDomainSyncUserCreate(
    nvtxDomainHandle_t domain, const nvtxSyncUserAttributes_t *attribs)
    NVTX_LINK_NAME(DomainSyncUserCreate);

/** Ends a lock; its handle becomes invalid. */
NVTX_DECLSPEC void NVTX_API nvtxDomainSyncUserDestroy(nvtxSyncUser_t handle)
    NVTX_LINK_NAME(DomainSyncUserDestroy);

/** Records that this thread begins to wait for the lock. */
NVTX_DECLSPEC void NVTX_API nvtxDomainSyncUserAcquireStart(nvtxSyncUser_t handle)
    NVTX_LINK_NAME(DomainSyncUserAcquireStart);

/** Records that this thread gave up waiting. */
NVTX_DECLSPEC void NVTX_API nvtxDomainSyncUserAcquireFailed(nvtxSyncUser_t handle)
    NVTX_LINK_NAME(DomainSyncUserAcquireFailed);

/** Records that this thread has the lock. */
NVTX_DECLSPEC void NVTX_API nvtxDomainSyncUserAcquireSuccess(nvtxSyncUser_t handle)
    NVTX_LINK_NAME(DomainSyncUserAcquireSuccess);

/**
 * Records that this thread is about to release the lock; call it before the release.
 */
NVTX_DECLSPEC void NVTX_API nvtxDomainSyncUserReleasing(nvtxSyncUser_t handle)
    NVTX_LINK_NAME(DomainSyncUserReleasing);

/* ---- The module ------------------------------------------------------------------ */

/* One line per call; nvtxTypes.h explains V and R. */
#define NVTX_SYNC_CALLS(V, R)                                                          \
    R(_SYNC, DomainSyncUserCreate,                                                     \
      (nvtxDomainHandle_t d, const nvtxSyncUserAttributes_t *a), (d, a),               \
      nvtxSyncUser_t, NVTX_NULLPTR)                                                    \
    V(_SYNC, DomainSyncUserDestroy, (nvtxSyncUser_t lock), (lock))                     \
    V(_SYNC, DomainSyncUserAcquireStart, (nvtxSyncUser_t lock), (lock))                \
    V(_SYNC, DomainSyncUserAcquireFailed, (nvtxSyncUser_t lock), (lock))               \
    V(_SYNC, DomainSyncUserAcquireSuccess, (nvtxSyncUser_t lock), (lock))              \
    V(_SYNC, DomainSyncUserReleasing, (nvtxSyncUser_t lock), (lock))

NVTX_SYNC_CALLS(NVTX_TYPE_V, NVTX_TYPE_R)
#if !defined(NVTX_NO_IMPL)
NVTX_SYNC_CALLS(NVTX_TABLE_BODY_V, NVTX_TABLE_BODY_R)
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTOOLSEXT_SYNC_V3 */
