/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_devices.h - imports what Nsight's tables say of GPUs.
 *
 *   TARGET_INFO_CUDA_DEVICE   process 100, device 0 --+
 *   TARGET_INFO_GPU           GPU 3: "NVIDIA H100" <--+
 */
#ifndef RLN_IMPORT_GPU_DEVICES_H
#define RLN_IMPORT_GPU_DEVICES_H

#include "import/gpu_records.h"

struct rln__known_device;

/* Empty when zeroed. */
struct rln__gpu_devices {
    struct rln__known_device *items; /* owned: devices of processes */
    size_t n, capacity;
    struct rln__map lists; /* pid, globalPid or -1 -> its first device + 1 */
};

/* Reads both tables, of which either may be missing. What cannot be read of them is
 * damage, and no reason to refuse the rest of the export. */
rln_status rln__gpu_devices_read(struct rln__gpu_devices *devices,
                                 struct rln__import *import, rln_error *err);

/* Describes the GPUs of a process in its domain of GPU work. */
rln_status rln__gpu_devices_write(const struct rln__gpu_devices *devices,
                                  struct rln__import *import, uint32_t process,
                                  uint32_t domain, rln_error *err);

void rln__gpu_devices_clear(struct rln__gpu_devices *devices);

#endif
