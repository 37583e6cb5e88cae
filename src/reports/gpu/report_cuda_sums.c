/* SPDX-License-Identifier: Apache-2.0 */
/* report_cuda_sums.c - kernels, memory operations and CUDA calls, by name. */
#include "reports/gpu/gpu_sums.h"
#include "reports/report_list.h"

/* --- By time ---------------------------------------------------------------------- */

static const rln_report_column kernels[] = {RLN__TIME_COLUMNS("Instances"),
                                            RLN__TEXTS("Name")};
static const rln_report_column shapes[] = {RLN__TIME_COLUMNS("Instances"),
                                           RLN__TEXTS("GridXYZ"),
                                           RLN__TEXTS("BlockXYZ"), RLN__TEXTS("Name")};
static const rln_report_column memory[] = {RLN__TIME_COLUMNS("Count"),
                                           RLN__TEXTS("Operation")};
static const rln_report_column calls[] = {RLN__TIME_COLUMNS("Num Calls"),
                                          RLN__TEXTS("Name")};
static const rln_report_column all[] = {
    RLN__TIME_COLUMNS("Instances"), RLN__TEXTS("Category"), RLN__TEXTS("Operation")};

/* Nsight's. */
static const char *category_of(enum rln__gpu_kind kind)
{
    return kind == RLN__GPU_CALL     ? "CUDA_API"
           : kind == RLN__GPU_KERNEL ? "CUDA_KERNEL"
           : kind == RLN__GPU_GRAPH  ? "CUDA_GRAPH"
                                     : "MEMORY_OPER";
}

static rln_status build_times(const struct rln__report_source *source, rln_report *out)
{
    const struct rln__gpu_choice choice = {
        .kinds = source->kind->gpu_kinds,
        .form = rln__kernel_name_by(source->argument),
        .is_filtered = 1,
    };
    struct rln__range_prefix prefix;
    struct rln__gpu_sums sums;
    rln_status status =
        rln__range_prefix_read(&prefix, source->reader, source->argument, source->err);

    if (!status)
        status = rln__gpu_sums_read(
            &sums, source->reader, &choice, prefix.names.n ? &prefix : NULL,
            source->kind->columns == shapes ? RLN__GPU_DURATION_BY_SHAPE
                                            : RLN__GPU_DURATION,
            source->err);
    rln__range_prefix_clear(&prefix);
    if (status)
        return status;
    for (size_t i = 0; i < sums.n; i++) {
        const struct rln__gpu_sum *row = &sums.rows[i];

        rln__report_put_times(out, &row->tally, sums.total);
        if (source->kind->columns == all)
            rln__report_put_word(out, category_of(row->kind));
        if (source->kind->columns == shapes) {
            rln__report_put_dimensions(out, row->shape.grid);
            rln__report_put_dimensions(out, row->shape.block);
        }
        rln__report_put_name(out, row->name);
    }
    rln__gpu_sums_clear(&sums);
    return RLN_OK;
}

const struct rln__report_kind rln__report_cuda_gpu_kern_sum = {
    .about = {.name = "cuda_gpu_kern_sum",
              .title = "CUDA GPU Kernel Summary",
              .help = "kernels, by name (:base, :mangled), and by range (:nvtx-name)",
              .is_of_kernels = 1,
              .subject = "CUDA kernel data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "gpukernsum"},
    .build = build_times,
    .gpu_kinds = RLN__GPU_KERNELS,
    RLN__COLUMNS(kernels),
};

const struct rln__report_kind rln__report_cuda_gpu_kern_gb_sum = {
    .about = {.name = "cuda_gpu_kern_gb_sum",
              .title = "CUDA GPU Kernel/Grid/Block Summary",
              .help = "kernels, by name, grid and block",
              .is_of_kernels = 1,
              .subject = "CUDA kernel data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "gpukerngbsum"},
    .build = build_times,
    .gpu_kinds = RLN__GPU_KERNELS,
    RLN__COLUMNS(shapes),
};

const struct rln__report_kind rln__report_cuda_gpu_mem_time_sum = {
    .about = {.name = "cuda_gpu_mem_time_sum",
              .title = "CUDA GPU MemOps Summary (by Time)",
              .help = "copies and sets of memory, by their time on the GPU",
              .subject = "GPU memory data",
              .alias = "gpumemtimesum"},
    .build = build_times,
    .gpu_kinds = RLN__GPU_MEMORY,
    RLN__COLUMNS(memory),
};

const struct rln__report_kind rln__report_cuda_api_sum = {
    .about = {.name = "cuda_api_sum",
              .title = "CUDA API Summary",
              .help = "calls of CUDA's runtime and driver, by name",
              .subject = "CUDA API data",
              .alias = "cudaapisum"},
    .build = build_times,
    .gpu_kinds = RLN__GPU_CALLS,
    RLN__COLUMNS(calls),
};

const struct rln__report_kind rln__report_cuda_gpu_sum = {
    .about = {.name = "cuda_gpu_sum",
              .title = "CUDA GPU Summary (Kernels/MemOps)",
              .help = "kernels and memory operations together, by name",
              .is_of_kernels = 1,
              .subject = "CUDA trace data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "gpusum"},
    .build = build_times,
    .gpu_kinds = RLN__GPU_OPERATIONS,
    RLN__COLUMNS(all),
};

const struct rln__report_kind rln__report_cuda_api_gpu_sum = {
    .about = {.name = "cuda_api_gpu_sum",
              .title = "CUDA Summary (API/Kernels/MemOps)",
              .help = "the same, and the calls",
              .is_of_kernels = 1,
              .subject = "CUDA trace data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "apigpusum"},
    .build = build_times,
    .gpu_kinds = RLN__GPU_OPERATIONS | RLN__GPU_CALLS,
    RLN__COLUMNS(all),
};

/* --- By size ---------------------------------------------------------------------- */

static const rln_report_column sizes[] = {
    RLN__SIZES("Total"),  RLN__NUMBERS("Count"),   RLN__SIZES("Avg"),
    RLN__SIZES("Med"),    RLN__SIZES("Min"),       RLN__SIZES("Max"),
    RLN__SIZES("StdDev"), RLN__TEXTS("Operation"),
};

static rln_status build_sizes(const struct rln__report_source *source, rln_report *out)
{
    static const struct rln__gpu_choice choice = {.kinds = RLN__GPU_MEMORY,
                                                  .is_filtered = 1};
    struct rln__gpu_sums sums;
    const rln_status status = rln__gpu_sums_read(&sums, source->reader, &choice, NULL,
                                                 RLN__GPU_BYTES, source->err);

    if (status)
        return status;
    for (size_t i = 0; i < sums.n; i++) {
        const struct rln__tally *bytes = &sums.rows[i].tally;

        rln__report_put_size(out, (double)bytes->total);
        rln__report_put_count(out, bytes->n);
        rln__report_put_size(out, bytes->spread.average);
        rln__report_put_size(out, bytes->spread.median);
        rln__report_put_size(out, (double)bytes->min);
        rln__report_put_size(out, (double)bytes->max);
        rln__report_put_size(out, bytes->spread.stddev);
        rln__report_put_name(out, sums.rows[i].name);
    }
    rln__gpu_sums_clear(&sums);
    return RLN_OK;
}

const struct rln__report_kind rln__report_cuda_gpu_mem_size_sum = {
    .about = {.name = "cuda_gpu_mem_size_sum",
              .title = "CUDA GPU MemOps Summary (by Size)",
              .help = "copies and sets of memory, by their bytes",
              .subject = "GPU memory data",
              .alias = "gpumemsizesum"},
    .build = build_sizes,
    RLN__COLUMNS(sizes),
};
