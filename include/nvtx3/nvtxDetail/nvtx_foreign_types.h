/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_foreign_types.h - the types of CUDA and OpenCL objects that NVTX can name.
 *
 * Included by the headers that need them, each of which requests its part by a macro.
 * The types come from the API's own header. If that is not installed, they are declared
 * here in the same way, so a program that only passes handles on, or compiles these
 * calls without making them, builds on a machine without CUDA or OpenCL.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#if defined(__has_include)
#define NVTX_HAS_INCLUDE(file) __has_include(file)
#else
#define NVTX_HAS_INCLUDE(file) 1
#endif

#if defined(NVTX_WANTS_CUDA) && !defined(NVTX_HAS_CUDA)
#define NVTX_HAS_CUDA
#if NVTX_HAS_INCLUDE("cuda.h")
#include "cuda.h"
#else
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
#endif
#endif

#if defined(NVTX_WANTS_CUDART) && !defined(NVTX_HAS_CUDART)
#define NVTX_HAS_CUDART
#if NVTX_HAS_INCLUDE("cuda_runtime.h")
#include "cuda_runtime.h"
#endif
#endif

#if defined(NVTX_WANTS_CUDART_TYPES) && !defined(NVTX_HAS_CUDART_TYPES)
#define NVTX_HAS_CUDART_TYPES
#if NVTX_HAS_INCLUDE("driver_types.h")
#include "driver_types.h"
#else
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;
#endif
#endif

#if defined(NVTX_WANTS_OPENCL) && !defined(NVTX_HAS_OPENCL)
#define NVTX_HAS_OPENCL
#if NVTX_HAS_INCLUDE("CL/cl.h")
#include <CL/cl.h>
#else
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;
#endif
#endif
