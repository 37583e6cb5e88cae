/* SPDX-License-Identifier: Apache-2.0 */
/* nccl_kernel.h - which kernels communicate between GPUs: those of NCCL and RCCL. */
#ifndef RLN_REPORTS_GPU_NCCL_KERNEL_H
#define RLN_REPORTS_GPU_NCCL_KERNEL_H

#include "rangeline/error.h"

#include <string.h>

/* Such as ncclDevKernel_AllReduce_Sum_f32_RING_LL, also in a namespace. */
static inline int rln__is_nccl_kernel(rln_text name)
{
    return name.length && (memmem(name.bytes, name.length, "nccl", 4) ||
                           memmem(name.bytes, name.length, "rccl", 4));
}

#endif
