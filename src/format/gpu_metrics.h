/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_metrics.h - defines the counters of what GPUs report of themselves, in the domain
 * `rangeline.gpu`: "GPU 0 power", of the scope GPU[UUID:...].
 *
 * Readers find them by their ids, which are fixed; numbers of metrics are never reused.
 */
#ifndef RLN_FORMAT_GPU_METRICS_H
#define RLN_FORMAT_GPU_METRICS_H

#include <stdint.h>

#define RLN__GPU_METRICS_DOMAIN "rangeline.gpu"

enum rln__gpu_metric {
    RLN__METRIC_ENERGY, /* J, from the first sample on; less where the GPU began again */
    RLN__METRIC_POWER,  /* W */
    RLN__METRIC_UTILIZATION,
    RLN__METRIC_MEMORY_UTILIZATION,
    RLN__METRIC_MEMORY,
    RLN__METRIC_SM_CLOCK,
    RLN__METRIC_MEMORY_CLOCK,
    RLN__METRIC_TEMPERATURE,
    RLN__METRIC_POWER_CAPPED,
    RLN__METRIC_HOT,
    RLN__N_GPU_METRICS,
};

/* {metric:8, GPU:12, 0x0DA:12}: NVTX leaves ids from 2^24 to 2^32 to programs. The GPU's
 * number is NVML's, and that of nvidia-smi. */
#define RLN__GPU_METRIC_IDS UINT64_C(0x0DA00000)
#define RLN__GPU_METRIC_ID(gpu, metric)                                                \
    (RLN__GPU_METRIC_IDS + ((uint64_t)(gpu) << 8) + (unsigned)(metric))

#define RLN__MOST_METERED_GPUS 4096u

/* Whether `id` is of the domain's; and which. */
static inline int rln__gpu_metric_of(uint64_t id, uint32_t *gpu,
                                     enum rln__gpu_metric *metric)
{
    const uint64_t number = id - RLN__GPU_METRIC_IDS;

    *gpu = (uint32_t)(number >> 8);
    *metric = (enum rln__gpu_metric)(number & 255);
    return id >= RLN__GPU_METRIC_IDS && number >> 8 < RLN__MOST_METERED_GPUS &&
           (number & 255) < RLN__N_GPU_METRICS;
}

#endif
