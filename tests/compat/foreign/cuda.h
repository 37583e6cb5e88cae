/* SPDX-License-Identifier: Apache-2.0 */
/* cuda.h - stands in for the CUDA driver's header, where NVIDIA's NVTX headers need
 * one: the types that they use, and nothing else. Its companions here do the same. */
#ifndef COMPAT_CUDA_H
#define COMPAT_CUDA_H

typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;

#endif /* COMPAT_CUDA_H */
