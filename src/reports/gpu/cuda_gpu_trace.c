/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_gpu_trace.c - each GPU operation in time order, and how long kernels waited
 * between their launch and their execution. */
#include "base/fail.h"
#include "reports/gpu/gpu_ops.h"
#include "reports/gpu/range_prefix.h"
#include "reports/report_build.h"
#include "reports/report_list.h"
#include "reports/sorted_rows.h"

#include <stdlib.h>

/* --- cuda_gpu_trace --------------------------------------------------------------- */

static const rln_report_column trace[] = {
    RLN__TIMES("Start"),    RLN__TIMES("Duration"),
    RLN__IDS("CorrId"),     RLN__IDS("GrdX"),
    RLN__IDS("GrdY"),       RLN__IDS("GrdZ"),
    RLN__IDS("BlkX"),       RLN__IDS("BlkY"),
    RLN__IDS("BlkZ"),       RLN__IDS("Reg/Trd"),
    RLN__SIZES("StcSMem"),  RLN__SIZES("DymSMem"),
    RLN__SIZES("Bytes"),    RLN__NUMBERS("Throughput (MB/s)"),
    RLN__TEXTS("SrcMemKd"), RLN__TEXTS("DstMemKd"),
    RLN__TEXTS("Device"),   RLN__IDS("Ctx"),
    RLN__IDS("GreenCtx"),   RLN__IDS("Strm"),
    RLN__TEXTS("Name"),
};

/* The cells of a row. */
struct operation {
    int64_t start_ns, end_ns, whole_ns; /* the last, also outside of a window */
    size_t index; /* of equal ones, the first in the trace comes first */
    struct rln__gpu_stream_id at;
    uint32_t correlation;
    enum rln__gpu_kind kind;
    rln_text name, gpu; /* borrowed from the reader, or the prefixes */
    uint64_t bytes;
    struct rln__kernel_shape shape; /* of a kernel */
    uint32_t registers, static_memory, dynamic_memory;
    uint32_t source_kind, destination_kind;
};

static int compare_starts(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void fill_kernel(struct operation *op, const struct rln__gpu_work *work)
{
    struct rln__gpu_kernel kernel;

    rln__gpu_work_element(work, &kernel, sizeof(kernel));
    op->shape = rln__gpu_work_shape(work);
    op->registers = kernel.registers_per_thread;
    op->static_memory = kernel.static_shared_memory;
    op->dynamic_memory = kernel.dynamic_shared_memory;
    op->at = kernel.at;
}

static void fill_copy(struct operation *op, const struct rln__gpu_work *work)
{
    struct rln__gpu_copy copy;

    rln__gpu_work_element(work, &copy, sizeof(copy));
    op->bytes = copy.bytes;
    op->source_kind = copy.source_kind;
    op->destination_kind = copy.destination_kind;
    op->at = copy.at;
}

static void fill_set(struct operation *op, const struct rln__gpu_work *work)
{
    struct rln__gpu_set set;

    rln__gpu_work_element(work, &set, sizeof(set));
    op->bytes = set.bytes;
    op->source_kind = set.memory_kind;
    op->at = set.at;
}

static void fill_graph(struct operation *op, const struct rln__gpu_work *work)
{
    struct rln__gpu_graph graph;

    rln__gpu_work_element(work, &graph, sizeof(graph));
    op->at = graph.at;
}

static rln_status add_operation(struct rln__sorter *all,
                                struct rln__range_prefix *prefix,
                                const struct rln__gpu_work *work, rln_error *err)
{
    static void (*const fill[RLN__N_GPU_KINDS])(struct operation *,
                                                const struct rln__gpu_work *) = {
        [RLN__GPU_KERNEL] = fill_kernel,
        [RLN__GPU_COPY] = fill_copy,
        [RLN__GPU_SET] = fill_set,
        [RLN__GPU_GRAPH] = fill_graph,
    };
    const struct rln__span *span = &work->predicate.reader->span;
    struct operation op = {
        .start_ns = rln__span_clip(span, work->event->start_ns),
        .end_ns = rln__span_clip(span, work->event->end_ns),
        .whole_ns = work->event->end_ns - work->event->start_ns,
        .index = all->n,
        .kind = work->batch->kind,
        .correlation = work->event->correlation,
        .name = rln__gpu_work_text(work),
    };
    const struct rln__gpu_info *gpu;

    fill[op.kind](&op, work);
    if (op.kind == RLN__GPU_KERNEL &&
        rln__range_prefix_add(prefix, work->batch->process, op.correlation, &op.name))
        return rln__fail_nomem(err);
    gpu = rln__gpus_find(&work->predicate.reader->gpus, work->batch->process,
                         op.at.device);
    if (gpu)
        op.gpu = gpu->name;
    return rln__sorter_add(all, &op, err);
}

/* --- Its cells --- */

static void put_sizes(rln_report *out, const uint32_t *sizes)
{
    for (int i = 0; i < 3; i++)
        rln__report_put_id(out, sizes[i]);
}

static void put_memory_kind(rln_report *out, uint32_t kind, int is_known)
{
    const char *label = rln__gpu_memory_label(kind);

    rln__report_put_word(out, label ? label : "");
    rln__report_only_if(out, is_known && label, 1);
}

static void put_transfer(rln_report *out, const struct operation *op)
{
    rln__report_put_size(out, (double)op->bytes);
    rln__report_put_fixed(out, (double)op->bytes * 1e3 / (double)op->whole_ns, 3);
    rln__report_only_if(out, op->whole_ns > 0, 1);
    put_memory_kind(out, op->source_kind, 1);
    put_memory_kind(out, op->destination_kind, op->kind == RLN__GPU_COPY);
}

/* "NVIDIA H100 80GB HBM3 (0)", or "GPU 0". */
static void put_device(rln_report *out, const struct operation *op)
{
    struct rln__buf *text = rln__report_text(out);

    rln__buf_add(text, op->gpu.bytes, op->gpu.length);
    rln__buf_format(text, op->gpu.length ? " (%u)" : "GPU %u", (unsigned)op->at.device);
    rln__report_put_text(out);
}

static void put_operation(rln_report *out, const struct rln__sorted_rows *rows,
                          const void *item)
{
    const struct operation *op = item;

    (void)rows;
    rln__report_put_time(out, op->start_ns);
    rln__report_put_ns(out, (uint64_t)(op->end_ns - op->start_ns));
    rln__report_put_id(out, op->correlation);
    put_sizes(out, op->shape.grid);
    put_sizes(out, op->shape.block);
    rln__report_put_id(out, op->registers);
    rln__report_put_size(out, op->static_memory);
    rln__report_put_size(out, op->dynamic_memory);
    rln__report_only_if(out, op->kind == RLN__GPU_KERNEL, 9);
    put_transfer(out, op);
    rln__report_only_if(out, op->kind == RLN__GPU_COPY || op->kind == RLN__GPU_SET, 4);
    put_device(out, op);
    rln__report_put_id(out, op->at.context);
    rln__report_put_id(out, op->at.green_context);
    rln__report_only_if(out, op->at.green_context != 0, 1);
    rln__report_put_id(out, op->at.stream);
    rln__report_put_name(out, op->name);
}

struct trace_rows {
    struct rln__sorted_rows rows;
    struct rln__range_prefix prefix; /* its texts are those of the rows */
};

static void clear_prefix(struct rln__sorted_rows *rows)
{
    rln__range_prefix_clear(&((struct trace_rows *)rows)->prefix);
}

static rln_status build_trace(const struct rln__report_source *source, rln_report *out)
{
    static const struct rln__sorted_kind kind = {.n_bytes = sizeof(struct trace_rows),
                                                 .item_bytes = sizeof(struct operation),
                                                 .compare = compare_starts,
                                                 .put = put_operation,
                                                 .clear = clear_prefix};
    const struct rln__gpu_choice choice = {
        .kinds = RLN__GPU_OPERATIONS,
        .form = rln__kernel_name_by(source->argument),
        .is_filtered = 1,
    };
    struct trace_rows *all = (struct trace_rows *)rln__report_sorted_rows(out, &kind);
    struct rln__gpu_work work;
    rln_status status;

    if (!all)
        return rln__fail_nomem(source->err);
    status = rln__range_prefix_read(&all->prefix, source->reader, source->argument,
                                    source->err);
    if (!status)
        status = rln__gpu_work_init(&work, source->reader, &choice, source->err);
    if (status)
        return status;
    while (!status && !(status = rln__gpu_work_next(&work, source->err)))
        status = add_operation(&all->rows.all, &all->prefix, &work, source->err);
    rln__gpu_work_clear(&work);
    return rln__sorted_rows_end(&all->rows, status, source->err);
}

const struct rln__report_kind rln__report_cuda_gpu_trace = {
    .about = {.name = "cuda_gpu_trace",
              .title = "CUDA GPU Trace",
              .help = "each kernel and memory operation, in time order",
              .is_of_kernels = 1,
              .subject = "GPU trace data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "gputrace",
              .details = "One row per kernel, copy or set of memory, by Start, a time "
                         "since the trace began; Duration is that on the GPU. CorrId: "
                         "the number of the call that requested it, as in "
                         "cuda_api_trace. Kernels have a grid in blocks, blocks in "
                         "threads, Reg/Trd (registers per thread), StcSMem and DymSMem "
                         "(static and dynamic shared memory); copies and sets have "
                         "Bytes, Throughput and the kinds of memory. Ctx, GreenCtx and "
                         "Strm are ids. " RLN__KERNEL_DETAILS},
    .build = build_trace,
    RLN__COLUMNS(trace),
};
