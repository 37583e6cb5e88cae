/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtCudaRt.h - NVTX names for objects of the CUDA runtime.
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

#ifndef NVTOOLSEXT_CUDART_V3
#define NVTOOLSEXT_CUDART_V3

#if !defined(NVTX_LINK_NAME)
#error "Another copy of NVTX is included already; take all of its headers from there."
#endif
#define NVTX_WANTS_CUDA
#define NVTX_WANTS_CUDART_TYPES
#include "nvtxDetail/nvtx_foreign_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of resources, for nvtxDomainResourceCreate(). */
#define NVTX_RESOURCE_CLASS_CUDART 5
typedef enum nvtxResourceCUDARTType_t {
    NVTX_RESOURCE_TYPE_CUDART_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDART, 0), /* number */
    NVTX_RESOURCE_TYPE_CUDART_STREAM =
        NVTX_RESOURCE_MAKE_TYPE(CUDART, 1), /* cudaStream_t */
    NVTX_RESOURCE_TYPE_CUDART_EVENT =
        NVTX_RESOURCE_MAKE_TYPE(CUDART, 2) /* cudaEvent_t */
} nvtxResourceCUDARTType_t;

/** Names a device, by its number. */
NVTX_DECLSPEC void NVTX_API nvtxNameCudaDeviceA(int device, const char *name)
    NVTX_LINK_NAME(NameCudaDeviceA);

/** nvtxNameCudaDeviceA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCudaDeviceW(int device, const wchar_t *name)
    NVTX_LINK_NAME(NameCudaDeviceW);

/** Names a stream. */
NVTX_DECLSPEC void NVTX_API nvtxNameCudaStreamA(cudaStream_t stream, const char *name)
    NVTX_LINK_NAME(NameCudaStreamA);

/** nvtxNameCudaStreamA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCudaStreamW(cudaStream_t stream,
                                                const wchar_t *name)
    NVTX_LINK_NAME(NameCudaStreamW);

/** Names an event. */
NVTX_DECLSPEC void NVTX_API nvtxNameCudaEventA(cudaEvent_t event, const char *name)
    NVTX_LINK_NAME(NameCudaEventA);

/** nvtxNameCudaEventA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCudaEventW(cudaEvent_t event, const wchar_t *name)
    NVTX_LINK_NAME(NameCudaEventW);

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

/* One line per call; nvtxTypes.h explains V. */
#define NVTX_CUDART_CALLS(V)                                                           \
    V(_CUDART, NameCudaDeviceA, (int o, const char *name), (o, name))                  \
    V(_CUDART, NameCudaDeviceW, (int o, const wchar_t *name), (o, name))               \
    V(_CUDART, NameCudaStreamA, (cudaStream_t o, const char *name), (o, name))         \
    V(_CUDART, NameCudaStreamW, (cudaStream_t o, const wchar_t *name), (o, name))      \
    V(_CUDART, NameCudaEventA, (cudaEvent_t o, const char *name), (o, name))           \
    V(_CUDART, NameCudaEventW, (cudaEvent_t o, const wchar_t *name), (o, name))

NVTX_CUDART_CALLS(NVTX_TYPE_V)
#if !defined(NVTX_NO_IMPL)
NVTX_CUDART_CALLS(NVTX_TABLE_BODY_V)
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTOOLSEXT_CUDART_V3 */
