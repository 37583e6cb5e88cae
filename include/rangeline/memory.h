/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - describes calls of NVTX's memory extension: heaps, their regions, and
 * access permissions. */
#ifndef RANGELINE_MEMORY_H
#define RANGELINE_MEMORY_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The function called: the numbers of NVTX's callbacks. Values are never renumbered;
 * skip unknown ones. */
typedef enum rln_memory_operation {
    RLN_MEMORY_HEAP_REGISTER = 0,
    RLN_MEMORY_HEAP_UNREGISTER = 1,
    RLN_MEMORY_HEAP_RESET = 2, /**< Its regions end; the heap stays. */
    RLN_MEMORY_REGIONS_REGISTER = 3,
    RLN_MEMORY_REGIONS_RESIZE = 4,
    RLN_MEMORY_REGIONS_UNREGISTER = 5,
    RLN_MEMORY_REGIONS_NAME = 6,
    RLN_MEMORY_PERMISSIONS_ASSIGN = 7,
    RLN_MEMORY_PERMISSIONS_CREATE = 8,
    RLN_MEMORY_PERMISSIONS_DESTROY = 9,
    RLN_MEMORY_PERMISSIONS_RESET = 10,
    RLN_MEMORY_PERMISSIONS_BIND = 11,
    RLN_MEMORY_PERMISSIONS_UNBIND = 12,
    RLN_MEMORY_CUDA_PROCESS_WIDE = 13,
    RLN_MEMORY_CUDA_DEVICE_WIDE = 14,
    RLN_MEMORY_CUDA_PEER_ACCESS = 15,
    RLN_MEMORY_CUDA_MARK_INITIALIZED = 16,
} rln_memory_operation;

/** A region that a call names. Library-owned; grows at its end. */
typedef struct rln_memory_region {
    uint64_t region;     /**< The collector's number, unique in its process; or 0. */
    uint64_t address;    /**< If has_address. */
    uint64_t size_bytes; /**< If has_size. */
    uint32_t category;   /**< Of a name. */
    uint32_t flags;      /**< Of an assignment: NVTX_MEM_PERMISSIONS_REGION_FLAGS_*. */
    rln_text name;
    uint8_t has_address;
    uint8_t has_size;
} rln_memory_region;

/** A call. Members that do not apply to its operation are 0. Library-owned; grows at
 * its end. */
typedef struct rln_memory_call {
    uint32_t operation;   /**< rln_memory_operation. */
    uint32_t usage;       /**< Of a new heap: NVTX_MEM_HEAP_USAGE_*. */
    uint64_t heap;        /**< In its process, from 1; 0 is the process-wide one. */
    uint64_t permissions; /**< A set, in its process; 0 is the process-wide one. */
    uint64_t address;     /**< Of a new heap, if it consists of virtual addresses. */
    uint64_t size_bytes;
    uint64_t scope; /**< Of a binding: NVTX_MEM_PERMISSIONS_BIND_SCOPE_*. */
    uint64_t flags; /**< Of permissions and bindings; of peer access: its flags. */
    uint64_t device;
    uint64_t stream; /**< A CUDA stream's address; flags are 1 for a per-thread one. */
    uint32_t category; /**< Of a new heap. */
    uint32_t has_address;
    rln_text name; /**< Of a new heap. */
    const rln_memory_region *regions;
    size_t n_regions;
} rln_memory_call;

#ifdef __cplusplus
}
#endif

#endif
