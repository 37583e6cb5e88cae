/* SPDX-License-Identifier: Apache-2.0 */
/* driver_types.h - replaces a header of the CUDA runtime; see cuda.h. */
#ifndef COMPAT_DRIVER_TYPES_H
#define COMPAT_DRIVER_TYPES_H

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;

#endif /* COMPAT_DRIVER_TYPES_H */
