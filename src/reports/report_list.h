/* SPDX-License-Identifier: Apache-2.0 */
/* report_list.h - all reports, in the order in which people see them: a line each. */
#ifndef RLN_REPORTS_REPORT_LIST_H
#define RLN_REPORTS_REPORT_LIST_H

#include "reports/report_build.h"

#define RLN__REPORTS(X)                                                                \
    X(nvtx_sum)                                                                        \
    X(nvtx_pushpop_sum)                                                                \
    X(nvtx_startend_sum)                                                               \
    X(nvtx_pushpop_trace)                                                              \
    X(nvtx_gpu_proj_sum)                                                               \
    X(nvtx_gpu_proj_trace)                                                             \
    X(nvtx_kern_sum)                                                                   \
    X(cuda_gpu_kern_sum)                                                               \
    X(cuda_gpu_kern_gb_sum)                                                            \
    X(cuda_gpu_mem_time_sum)                                                           \
    X(cuda_gpu_mem_size_sum)                                                           \
    X(cuda_gpu_sum)                                                                    \
    X(cuda_api_sum)                                                                    \
    X(cuda_api_gpu_sum)                                                                \
    X(gpu_util)                                                                        \
    X(gpu_energy)                                                                      \
    X(nccl_sum)                                                                        \
    X(cuda_kern_exec_sum)                                                              \
    X(cuda_kern_exec_trace)                                                            \
    X(cuda_api_trace)                                                                  \
    X(cuda_gpu_trace)                                                                  \
    X(startend_trace)                                                                  \
    X(self_sum)                                                                        \
    X(cpu_sum)                                                                         \
    X(tree)                                                                            \
    X(category_sum)                                                                    \
    X(thread_sum)                                                                      \
    X(process_sum)                                                                     \
    X(rank_sum)                                                                        \
    X(rank_calls)                                                                      \
    X(late_rank_sum)                                                                   \
    X(straggler)                                                                       \
    X(step_trace)                                                                      \
    X(mark_sum)                                                                        \
    X(counter_sum)                                                                     \
    X(payload_sum)                                                                     \
    X(sync_sum)                                                                        \
    X(pace)                                                                            \
    X(histogram)                                                                       \
    X(outliers)                                                                        \
    X(gaps)

#define X(name) extern const struct rln__report_kind rln__report_##name;
RLN__REPORTS(X)
#undef X

#endif
