/* SPDX-License-Identifier: Apache-2.0 */
/* global_id.h - packs and unpacks the ids of processes and threads in Nsight's tables.
 *
 *     {host:8, vm:8, pid:24, tid:24}     the id of a process has tid 0
 */
#ifndef RLN_FORMAT_GLOBAL_ID_H
#define RLN_FORMAT_GLOBAL_ID_H

#include <stdint.h>

#define RLN__GLOBAL_MASK 0xffffffu
#define RLN__GLOBAL_PID_SHIFT 24
#define RLN__GLOBAL_VM_SHIFT 48

static inline uint32_t rln__pid_of_global(int64_t id)
{
    return (uint32_t)((uint64_t)id >> RLN__GLOBAL_PID_SHIFT) & RLN__GLOBAL_MASK;
}

static inline uint32_t rln__tid_of_global(int64_t id)
{
    return (uint32_t)id & RLN__GLOBAL_MASK;
}

/* The id of a thread's process. */
static inline uint64_t rln__process_of_global(int64_t id)
{
    return (uint64_t)id & ~(uint64_t)RLN__GLOBAL_MASK;
}

#endif
