/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtCuda.h - NVTX names for objects of the CUDA driver.
 *
 * Names are for tools; CUDA does not see them. The rules for all calls in nvToolsExt.h
 * apply here, too. The object is not used: any value may be passed, with or without a
 * GPU.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExt.h"

#ifndef NVTOOLSEXT_CUDA_V3
#define NVTOOLSEXT_CUDA_V3

#if !defined(NVTX_LINK_NAME)
#error "Another copy of NVTX is included already; take all of its headers from there."
#endif
#define NVTX_WANTS_CUDA
#include "nvtxDetail/nvtx_foreign_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of resources, for nvtxDomainResourceCreate(). */
#define NVTX_RESOURCE_CLASS_CUDA 4
typedef enum nvtxResourceCUDAType_t {
    NVTX_RESOURCE_TYPE_CUDA_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDA, 1),  /* CUdevice */
    NVTX_RESOURCE_TYPE_CUDA_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 2), /* CUcontext */
    NVTX_RESOURCE_TYPE_CUDA_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDA, 3),  /* CUstream */
    NVTX_RESOURCE_TYPE_CUDA_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 4)    /* CUevent */
} nvtxResourceCUDAType_t;

/** Names a device. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuDeviceA(CUdevice device, const char *name)
    NVTX_LINK_NAME(NameCuDeviceA);

/** nvtxNameCuDeviceA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuDeviceW(CUdevice device, const wchar_t *name)
    NVTX_LINK_NAME(NameCuDeviceW);

/** Names a context. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuContextA(CUcontext context, const char *name)
    NVTX_LINK_NAME(NameCuContextA);

/** nvtxNameCuContextA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuContextW(CUcontext context, const wchar_t *name)
    NVTX_LINK_NAME(NameCuContextW);

/** Names a stream. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuStreamA(CUstream stream, const char *name)
    NVTX_LINK_NAME(NameCuStreamA);

/** nvtxNameCuStreamA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuStreamW(CUstream stream, const wchar_t *name)
    NVTX_LINK_NAME(NameCuStreamW);

/** Names an event. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuEventA(CUevent event, const char *name)
    NVTX_LINK_NAME(NameCuEventA);

/** nvtxNameCuEventA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCuEventW(CUevent event, const wchar_t *name)
    NVTX_LINK_NAME(NameCuEventW);

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

/* One line per call; nvtxTypes.h explains V. */
#define NVTX_CUDA_CALLS(V)                                                             \
    V(_CUDA, NameCuDeviceA, (CUdevice o, const char *name), (o, name))                 \
    V(_CUDA, NameCuDeviceW, (CUdevice o, const wchar_t *name), (o, name))              \
    V(_CUDA, NameCuContextA, (CUcontext o, const char *name), (o, name))               \
    V(_CUDA, NameCuContextW, (CUcontext o, const wchar_t *name), (o, name))            \
    V(_CUDA, NameCuStreamA, (CUstream o, const char *name), (o, name))                 \
    V(_CUDA, NameCuStreamW, (CUstream o, const wchar_t *name), (o, name))              \
    V(_CUDA, NameCuEventA, (CUevent o, const char *name), (o, name))                   \
    V(_CUDA, NameCuEventW, (CUevent o, const wchar_t *name), (o, name))

NVTX_CUDA_CALLS(NVTX_TYPE_V)
#if !defined(NVTX_NO_IMPL)
NVTX_CUDA_CALLS(NVTX_TABLE_BODY_V)
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTOOLSEXT_CUDA_V3 */
