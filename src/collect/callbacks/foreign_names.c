/* SPDX-License-Identifier: Apache-2.0 */
/* foreign_names.c - implements NVTX's modules CUDA, CUDART and OPENCL: names for
 * objects of those APIs. Their handles are recorded as numbers.
 */
#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/resource.h"

/* NVTX_RESOURCE_TYPE_*: {index:16, class:16}. */
enum {
    CUDA_DEVICE = 4 << 16 | 1,
    CUDA_CONTEXT = 4 << 16 | 2,
    CUDA_STREAM = 4 << 16 | 3,
    CUDA_EVENT = 4 << 16 | 4,
    CUDART_DEVICE = 5 << 16 | 0,
    CUDART_STREAM = 5 << 16 | 1,
    CUDART_EVENT = 5 << 16 | 2,
    OPENCL_DEVICE = 6 << 16 | 1,
    OPENCL_CONTEXT = 6 << 16 | 2,
    OPENCL_COMMANDQUEUE = 6 << 16 | 3,
    OPENCL_MEMOBJECT = 6 << 16 | 4,
    OPENCL_SAMPLER = 6 << 16 | 5,
    OPENCL_PROGRAM = 6 << 16 | 6,
    OPENCL_EVENT = 6 << 16 | 7,
};

/* The two callbacks that name one kind of object. CUDA devices are ints. */
#define NAMES_OF(type, handle)                                                         \
    static void name_##type##_a(handle object, const char *name)                       \
    {                                                                                  \
        rln__name_object(type, (uint64_t)object, name);                                \
    }                                                                                  \
    static void name_##type##_w(handle object, const void *name)                       \
    {                                                                                  \
        rln__name_object_wide(type, (uint64_t)object, name);                           \
    }

NAMES_OF(CUDA_DEVICE, int)
NAMES_OF(CUDA_CONTEXT, uintptr_t)
NAMES_OF(CUDA_STREAM, uintptr_t)
NAMES_OF(CUDA_EVENT, uintptr_t)
NAMES_OF(CUDART_DEVICE, int)
NAMES_OF(CUDART_STREAM, uintptr_t)
NAMES_OF(CUDART_EVENT, uintptr_t)
NAMES_OF(OPENCL_DEVICE, uintptr_t)
NAMES_OF(OPENCL_CONTEXT, uintptr_t)
NAMES_OF(OPENCL_COMMANDQUEUE, uintptr_t)
NAMES_OF(OPENCL_MEMOBJECT, uintptr_t)
NAMES_OF(OPENCL_SAMPLER, uintptr_t)
NAMES_OF(OPENCL_PROGRAM, uintptr_t)
NAMES_OF(OPENCL_EVENT, uintptr_t)

#define SLOTS(type) (rln__callback) name_##type##_a, (rln__callback)name_##type##_w

const rln__callback rln__cuda_callbacks[RLN__CUDA_CALLBACKS] = {
    (rln__callback)0,   SLOTS(CUDA_DEVICE), SLOTS(CUDA_CONTEXT),
    SLOTS(CUDA_STREAM), SLOTS(CUDA_EVENT),
};

const rln__callback rln__cudart_callbacks[RLN__CUDART_CALLBACKS] = {
    (rln__callback)0,
    SLOTS(CUDART_DEVICE),
    SLOTS(CUDART_STREAM),
    SLOTS(CUDART_EVENT),
};

const rln__callback rln__opencl_callbacks[RLN__OPENCL_CALLBACKS] = {
    (rln__callback)0,           SLOTS(OPENCL_DEVICE),    SLOTS(OPENCL_CONTEXT),
    SLOTS(OPENCL_COMMANDQUEUE), SLOTS(OPENCL_MEMOBJECT), SLOTS(OPENCL_SAMPLER),
    SLOTS(OPENCL_PROGRAM),      SLOTS(OPENCL_EVENT),
};
