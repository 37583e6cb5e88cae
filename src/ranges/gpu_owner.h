/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_owner.h - which ranges the work of a GPU belongs to: those that are open around
 * the call that requested it, on its thread. By adoption, the ranges of the process's
 * main thread, if the thread of the call has none then, as PyTorch's backward thread.
 *
 *     main     |------ backward ------|        gets the kernel by adoption
 *     thread         [launch]                  in no range
 *     GPU                    [kernel]
 */
#ifndef RLN_RANGES_GPU_OWNER_H
#define RLN_RANGES_GPU_OWNER_H

#include "trace/open/load.h"

/* What of a call a range must enclose. */
struct rln__gpu_call_span {
    int64_t from_ns, to_ns;
};

/* If a call was recorded here, it has CUPTI's times, of another clock than ranges have:
 * these differ by what clocks are adjusted, and ranges end 100 ns after a call. Then it
 * is the middle of the call. */
static inline struct rln__gpu_call_span
rln__gpu_call_span(int64_t start_ns, int64_t end_ns, int is_by_other_clock)
{
    const int64_t middle_ns = start_ns + (end_ns - start_ns) / 2;

    return is_by_other_clock ? (struct rln__gpu_call_span){middle_ns, middle_ns}
                             : (struct rln__gpu_call_span){start_ns, end_ns};
}

static inline int rln__gpu_is_around(const struct rln__gpu_call_span *span,
                                     int64_t start_ns, int64_t end_ns)
{
    return start_ns <= span->from_ns && end_ns >= span->to_ns;
}

/* The id of the thread that adopts the work of a process. On Linux, the main thread has
 * the process's number. */
static inline uint32_t rln__gpu_adopter(const rln_reader *reader, uint32_t process)
{
    return reader->names.processes[process].record.pid;
}

#endif
