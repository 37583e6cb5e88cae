/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtOpenCL.h - NVTX names for objects of OpenCL.
 *
 * Names are for tools; OpenCL does not see them. The rules for all calls in
 * nvToolsExt.h apply here, too. The object is not used: any value may be passed.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExt.h"

#ifndef NVTOOLSEXT_OPENCL_V3
#define NVTOOLSEXT_OPENCL_V3

#if !defined(NVTX_LINK_NAME)
#error "Another copy of NVTX is included already; take all of its headers from there."
#endif
#define NVTX_WANTS_OPENCL
#include "nvtxDetail/nvtx_foreign_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of resources, for nvtxDomainResourceCreate(). */
#define NVTX_RESOURCE_CLASS_OPENCL 6
typedef enum nvtxResourceOpenCLType_t {
    NVTX_RESOURCE_TYPE_OPENCL_DEVICE = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 1),
    NVTX_RESOURCE_TYPE_OPENCL_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 2),
    NVTX_RESOURCE_TYPE_OPENCL_COMMANDQUEUE = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 3),
    NVTX_RESOURCE_TYPE_OPENCL_MEMOBJECT = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 4),
    NVTX_RESOURCE_TYPE_OPENCL_SAMPLER = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 5),
    NVTX_RESOURCE_TYPE_OPENCL_PROGRAM = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 6),
    NVTX_RESOURCE_TYPE_OPENCL_EVENT = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 7)
} nvtxResourceOpenCLType_t;

/** Names a device. */
NVTX_DECLSPEC void NVTX_API nvtxNameClDeviceA(cl_device_id device, const char *name)
    NVTX_LINK_NAME(NameClDeviceA);

/** nvtxNameClDeviceA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameClDeviceW(cl_device_id device, const wchar_t *name)
    NVTX_LINK_NAME(NameClDeviceW);

/** Names a context. */
NVTX_DECLSPEC void NVTX_API nvtxNameClContextA(cl_context context, const char *name)
    NVTX_LINK_NAME(NameClContextA);

/** nvtxNameClContextA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameClContextW(cl_context context, const wchar_t *name)
    NVTX_LINK_NAME(NameClContextW);

/** Names a command queue. */
NVTX_DECLSPEC void NVTX_API nvtxNameClCommandQueueA(cl_command_queue command_queue,
                                                    const char *name)
    NVTX_LINK_NAME(NameClCommandQueueA);

/** nvtxNameClCommandQueueA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameClCommandQueueW(cl_command_queue command_queue,
                                                    const wchar_t *name)
    NVTX_LINK_NAME(NameClCommandQueueW);

/** Names a buffer or image. */
NVTX_DECLSPEC void NVTX_API nvtxNameClMemObjectA(cl_mem memobj, const char *name)
    NVTX_LINK_NAME(NameClMemObjectA);

/** nvtxNameClMemObjectA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameClMemObjectW(cl_mem memobj, const wchar_t *name)
    NVTX_LINK_NAME(NameClMemObjectW);

/** Names a sampler. */
NVTX_DECLSPEC void NVTX_API nvtxNameClSamplerA(cl_sampler sampler, const char *name)
    NVTX_LINK_NAME(NameClSamplerA);

/** nvtxNameClSamplerA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameClSamplerW(cl_sampler sampler, const wchar_t *name)
    NVTX_LINK_NAME(NameClSamplerW);

/** Names a program. */
NVTX_DECLSPEC void NVTX_API nvtxNameClProgramA(cl_program program, const char *name)
    NVTX_LINK_NAME(NameClProgramA);

/** nvtxNameClProgramA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameClProgramW(cl_program program, const wchar_t *name)
    NVTX_LINK_NAME(NameClProgramW);

/** Names an event. */
NVTX_DECLSPEC void NVTX_API nvtxNameClEventA(cl_event evnt, const char *name)
    NVTX_LINK_NAME(NameClEventA);

/** nvtxNameClEventA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameClEventW(cl_event evnt, const wchar_t *name)
    NVTX_LINK_NAME(NameClEventW);

#ifdef UNICODE
#define nvtxNameClDevice nvtxNameClDeviceW
#define nvtxNameClContext nvtxNameClContextW
#define nvtxNameClCommandQueue nvtxNameClCommandQueueW
#define nvtxNameClMemObject nvtxNameClMemObjectW
#define nvtxNameClSampler nvtxNameClSamplerW
#define nvtxNameClProgram nvtxNameClProgramW
#define nvtxNameClEvent nvtxNameClEventW
#else
#define nvtxNameClDevice nvtxNameClDeviceA
#define nvtxNameClContext nvtxNameClContextA
#define nvtxNameClCommandQueue nvtxNameClCommandQueueA
#define nvtxNameClMemObject nvtxNameClMemObjectA
#define nvtxNameClSampler nvtxNameClSamplerA
#define nvtxNameClProgram nvtxNameClProgramA
#define nvtxNameClEvent nvtxNameClEventA
#endif

/* One line per call; nvtxTypes.h explains V. */
#define NVTX_OPENCL_CALLS(V)                                                           \
    V(_OPENCL, NameClDeviceA, (cl_device_id o, const char *name), (o, name))           \
    V(_OPENCL, NameClDeviceW, (cl_device_id o, const wchar_t *name), (o, name))        \
    V(_OPENCL, NameClContextA, (cl_context o, const char *name), (o, name))            \
    V(_OPENCL, NameClContextW, (cl_context o, const wchar_t *name), (o, name))         \
    V(_OPENCL, NameClCommandQueueA, (cl_command_queue o, const char *name), (o, name)) \
    V(_OPENCL, NameClCommandQueueW, (cl_command_queue o, const wchar_t *name),         \
      (o, name))                                                                       \
    V(_OPENCL, NameClMemObjectA, (cl_mem o, const char *name), (o, name))              \
    V(_OPENCL, NameClMemObjectW, (cl_mem o, const wchar_t *name), (o, name))           \
    V(_OPENCL, NameClSamplerA, (cl_sampler o, const char *name), (o, name))            \
    V(_OPENCL, NameClSamplerW, (cl_sampler o, const wchar_t *name), (o, name))         \
    V(_OPENCL, NameClProgramA, (cl_program o, const char *name), (o, name))            \
    V(_OPENCL, NameClProgramW, (cl_program o, const wchar_t *name), (o, name))         \
    V(_OPENCL, NameClEventA, (cl_event o, const char *name), (o, name))                \
    V(_OPENCL, NameClEventW, (cl_event o, const wchar_t *name), (o, name))

NVTX_OPENCL_CALLS(NVTX_TYPE_V)
#if !defined(NVTX_NO_IMPL)
NVTX_OPENCL_CALLS(NVTX_TABLE_BODY_V)
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTOOLSEXT_OPENCL_V3 */
