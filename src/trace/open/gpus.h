/* SPDX-License-Identifier: Apache-2.0 */
/* gpus.h - keeps what the traces say of their GPUs. */
#ifndef RLN_TRACE_GPUS_H
#define RLN_TRACE_GPUS_H

#include "base/hash.h"
#include "rangeline/gpu.h"

/* Empty when zeroed. */
struct rln__gpus {
    rln_gpu_info *items; /* owned; of each process and device one */
    size_t n, capacity;
    struct rln__map numbers; /* process, device -> index + 1 */
};

/* Adds one, unless the device of the process is known. 0, or -1 without memory. */
int rln__gpus_add(struct rln__gpus *gpus, const rln_gpu_info *gpu);

/* NULL: its process says nothing of it. */
const rln_gpu_info *rln__gpus_find(const struct rln__gpus *gpus, uint32_t process,
                                   uint32_t device);

struct rln__trace_thread;

/* Whether a thread is a stream of a GPU: load.h. */
int rln__is_stream(const struct rln__trace_thread *thread);

/* Forgets all. */
void rln__gpus_clear(struct rln__gpus *gpus);

#endif
