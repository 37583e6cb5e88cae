/* SPDX-License-Identifier: Apache-2.0 */
/* gpus.h - keeps what the traces say of their GPUs. */
#ifndef RLN_TRACE_GPUS_H
#define RLN_TRACE_GPUS_H

#include "base/hash.h"
#include "rangeline/model.h"

/* A GPU as one process sees it. */
struct rln__gpu_info {
    uint32_t process; /* Index for rln_info_process(). */
    /* CUDA's number, which paths of streams have: "GPU 0/context 1/stream 7". Another
     * process may have another number for the same GPU. */
    uint32_t device;
    rln_text name;             /* "NVIDIA H100 80GB HBM3". */
    rln_text uuid;             /* As nvidia-smi writes it, "GPU-5e1a..."; or none. */
    uint64_t memory_bytes;     /* 0: unknown, as the next three. */
    uint32_t multiprocessors;  /* Streaming multiprocessors. */
    uint32_t capability_major; /* 9 of 9.0. */
    uint32_t capability_minor;
};

/* Empty when zeroed. */
struct rln__gpus {
    struct rln__gpu_info *items; /* owned; of each process and device one */
    size_t n, capacity;
    struct rln__map numbers; /* process, device -> index + 1 */
};

/* Adds one, unless the device of the process is known. 0, or -1 without memory. */
int rln__gpus_add(struct rln__gpus *gpus, const struct rln__gpu_info *gpu);

/* NULL: its process says nothing of it. */
const struct rln__gpu_info *rln__gpus_find(const struct rln__gpus *gpus,
                                           uint32_t process, uint32_t device);

/* Forgets all. */
void rln__gpus_clear(struct rln__gpus *gpus);

/* Whether a GPU did anything: 1 or 0. Filters and windows do not matter. */
int rln__reader_has_gpu_work(const rln_reader *reader);

#endif
