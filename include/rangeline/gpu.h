/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h - describes the GPUs of the opened traces.
 *
 * What they did are events of type RLN_EVENT_GPU and ranges of style RLN_RANGE_GPU.
 */
#ifndef RANGELINE_GPU_H
#define RANGELINE_GPU_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A GPU as one process sees it. Library-owned; grows at its end. */
typedef struct rln_gpu_info {
    uint32_t process; /**< Index for rln_info_process(). */
    /** CUDA's number, which paths of streams have: "GPU 0/context 1/stream 7". Another
     * process may have another number for the same GPU. */
    uint32_t device;
    rln_text name;             /**< "NVIDIA H100 80GB HBM3". */
    rln_text uuid;             /**< As nvidia-smi writes it, "GPU-5e1a..."; or none. */
    uint64_t memory_bytes;     /**< 0: unknown, as the next three. */
    uint32_t multiprocessors;  /**< Streaming multiprocessors. */
    uint32_t capability_major; /**< 9 of 9.0. */
    uint32_t capability_minor;
} rln_gpu_info;

/**
 * Describes one GPU, from 0 on, in the order in which they were found. Traces of
 * 0.1, exports without TARGET_INFO_GPU and processes without GPU work have none.
 *
 * Ownership: borrowed until rln_info_close().
 * Threads:   as rln_info_open().
 * Errors:    NULL if there are not that many.
 * Since:     0.2
 */
RLN_API const rln_gpu_info *rln_info_gpu(const rln_info *info, uint32_t index);

/**
 * Whether a GPU did anything: 1 or 0. Filters and windows do not matter.
 *
 * Ownership: none.
 * Threads:   as the reader.
 * Errors:    none.
 * Since:     0.2
 */
RLN_API int rln_reader_has_gpu_work(const rln_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
