/* SPDX-License-Identifier: Apache-2.0 */
/* cuda.h - replaces the CUDA driver's header where NVIDIA's NVTX headers need one. It
 * has only the types that they use, and so do the other headers here. */
#ifndef COMPAT_CUDA_H
#define COMPAT_CUDA_H

typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;

#endif /* COMPAT_CUDA_H */
