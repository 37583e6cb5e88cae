/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/print/resource_type.h"

#include <stddef.h>

#include "base/fail.h"

/* NVTX_RESOURCE_TYPE_*: {index:16, class:16}. The operating system's types are those of
 * Linux. */
const char *rln__resource_type_name(uint32_t type)
{
    static const char *const names[][8] = {
        {NULL},
        {NULL, "pointer", "handle", "native_thread", "posix_thread"},
        {NULL, "linux_mutex", "linux_futex", "linux_semaphore", "linux_completion",
         "linux_spinlock", "linux_seqlock", "linux_rcu"},
        {NULL, "pthread_mutex", "pthread_condition", "pthread_rwlock",
         "pthread_barrier", "pthread_spinlock", "pthread_once"},
        {NULL, "cuda_device", "cuda_context", "cuda_stream", "cuda_event"},
        {"cudart_device", "cudart_stream", "cudart_event"},
        {NULL, "opencl_device", "opencl_context", "opencl_command_queue",
         "opencl_memory_object", "opencl_sampler", "opencl_program", "opencl_event"},
    };
    const uint32_t index = type & 0xffff, class = type >> 16;

    return class < RLN_COUNT(names) && index < RLN_COUNT(names[0]) ? names[class][index]
                                                                   : NULL;
}
