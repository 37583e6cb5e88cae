/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_gpu.h - gPU work as rows of Nsight's tables, CUPTI_ACTIVITY_KIND_...: the
 * inverse of import/gpu_tables.c. */
#ifndef RLN_EXPORT_NSYS_NSYS_GPU_H
#define RLN_EXPORT_NSYS_NSYS_GPU_H

#include "export/nsys/nsys.h"

/* GPU work or a call of CUDA. */
rln_status rln__nsys_gpu(struct rln__nsys *n, const rln_range *range, rln_error *err);
/* The GPUs, which are known when all events are. */
rln_status rln__nsys_gpus(struct rln__nsys *n, rln_error *err);

#endif
