/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/nsys_recipes.h"

#include <string.h>

#include "base/count.h"
#include "console/die.h"
#include "rangeline/report.h"
#include "reports/report_set.h"

/* By the first of these that a name begins with. Others are reports with the same name.
 */
static const struct {
    const char *begins, *answer;
} recipes[] = {
    {"nvtx_pace", "recipe pace NAME"},
    {"nvtx_sum", "recipe rank_sum"},
    {"nvtx_gpu_proj_pace", "stats -r nvtx_gpu_proj_trace"},
    {"nccl_sum", "recipe nccl"},
    {"nccl_straggler", "stats --domain NCCL -r rank_sum"},
    {"nccl_gpu_proj_sum", "stats --domain NCCL -r nvtx_gpu_proj_sum"},
    {"nccl_gpu_overlap_trace", "recipe overlap"},
    {"nccl_gpu_time_util_map", "recipe overlap"},
    {"cuda_gpu_time_util_map", "recipe gpu_util"},
    {"gpu_time_util", "recipe gpu_util"},
    {"gpu_gaps", "analyze -r gpu-idle"},
    {"cuda_gpu_kern_hist", "stats -r cuda_gpu_kern_sum"},
    {"cuda_gpu_kern_pace", "stats -r cuda_gpu_trace"},
    {"cuda_memcpy_async", "analyze -r pageable-copy"},
    {"cuda_memcpy_sync", "analyze -r sync-stall"},
    {"cuda_memset_sync", "analyze -r sync-stall"},
    {"cuda_api_sync", "analyze -r sync-stall"},
};

/* Of data that is not recorded. */
static const char *const others[] = {
    "dx12_",   "file_access", "gfx_",  "gpu_metric_", "mpi_",     "network_",
    "nvlink_", "nvtx_cpu_",   "osrt_", "s3_access",   "storage_", "ucx_",
};

bool rln__hint_nsys_recipe(const char *name)
{
    for (size_t i = 0; i < RLN_COUNT(recipes); i++) {
        if (strncmp(name, recipes[i].begins, strlen(recipes[i].begins)) == 0) {
            rln__hint("`rangeline %.*s INPUT...`", (int)strlen(recipes[i].answer),
                      recipes[i].answer);
            return true;
        }
    }
    for (size_t i = 0; i < RLN_COUNT(others); i++) {
        if (strncmp(name, others[i], strlen(others[i])) == 0) {
            rln__hint("nothing answers it: only NVTX events, GPU work and switches are "
                      "recorded");
            return true;
        }
    }
    if (!rln__report_find(name))
        return false;
    rln__hint("`rangeline stats -r %s INPUT...`", name);
    return true;
}
