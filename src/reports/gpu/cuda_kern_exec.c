/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_kern_exec.c - how long kernels took from their launch to their end:
 *
 *     thread   |-- launch --|
 *     GPU                         |-- kernel --|
 *              |   A: call  | Q   | K          |
 *              |-------------- T --------------|
 *
 * A kernel that began before its launch returned was not queued. By name, or each.
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/gpu/gpu_ops.h"
#include "reports/gpu/range_prefix.h"
#include "reports/report_list.h"

#include <stdlib.h>
#include <string.h>

#define SPREAD(letter)                                                                 \
    RLN__TIMES(letter "Avg"), RLN__TIMES(letter "Med"), RLN__TIMES(letter "Min"),      \
        RLN__TIMES(letter "Max"), RLN__TIMES(letter "StdDev")

static const rln_report_column columns[] = {
    RLN__IDS("PID"),
    RLN__IDS("TID"),
    RLN__IDS("DevId"),
    RLN__NUMBERS("Count"),
    RLN__NUMBERS("QCount"),
    SPREAD("T"),
    SPREAD("A"),
    SPREAD("Q"),
    SPREAD("K"),
    RLN__TEXTS("API Name"),
    RLN__TEXTS("Kernel Name"),
};

/* The kernels of one name that one thread launched on one GPU by calls of one name. */
struct launches {
    uint32_t pid, tid, device;
    rln_text call, kernel; /* borrowed from the reader, or the prefixes */
    struct rln__tally total_ns, call_ns, queue_ns, kernel_ns;
};

struct rows {
    struct launches *all; /* owned */
    size_t n, capacity;
    struct rln__key_index numbers; /* {process; thread, GPU; call; kernel's text} */
    struct rln__range_prefix prefix;
};

/* The end of the call or of the kernel, whichever is later. */
static int64_t last_ns(const struct rln__gpu_op *op)
{
    return op->end_ns > op->call_end_ns ? op->end_ns : op->call_end_ns;
}

static int is_queued(const struct rln__gpu_op *op)
{
    return op->start_ns >= op->call_end_ns;
}

static int add(struct rows *rows, const rln_reader *reader,
               const struct rln__gpu_op *op)
{
    const struct rln__names *names = &reader->names;
    const uint32_t call = names->attrs[op->call_name].message;
    rln_text kernel = rln__strings_get(&names->strings, names->attrs[op->name].message);
    struct launches *row;
    struct rln__key key;

    if (rln__range_prefix_add(&rows->prefix, op->process, op->correlation, &kernel))
        return -1;
    /* Each table of strings has a text once. */
    key = (struct rln__key){{op->process, (uint64_t)op->tid << 32 | op->device, call,
                             (uint64_t)(uintptr_t)kernel.bytes}};
    row =
        rln__key_index_item(&rows->all, &rows->n, &rows->capacity,
                            rln__key_index_number(&rows->numbers, &key), sizeof(*row));
    if (!row)
        return -1;
    row->pid = names->processes[op->process].record.pid;
    row->tid = op->tid;
    row->device = op->device;
    row->call = rln__gpu_call_name(rln__strings_get(&names->strings, call));
    row->kernel = kernel;
    return rln__tally_add(&row->total_ns,
                          (uint64_t)(last_ns(op) - op->call_start_ns)) ||
           rln__tally_add(&row->call_ns,
                          (uint64_t)(op->call_end_ns - op->call_start_ns)) ||
           (is_queued(op) &&
            rln__tally_add(&row->queue_ns,
                           (uint64_t)(op->start_ns - op->call_end_ns))) ||
           rln__tally_add(&row->kernel_ns, (uint64_t)(op->end_ns - op->start_ns));
}

static int end(struct launches *row)
{
    return rln__tally_end(&row->total_ns) || rln__tally_end(&row->call_ns) ||
           rln__tally_end(&row->queue_ns) || rln__tally_end(&row->kernel_ns);
}

static void clear(struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        rln__tally_clear(&rows->all[i].total_ns);
        rln__tally_clear(&rows->all[i].call_ns);
        rln__tally_clear(&rows->all[i].queue_ns);
        rln__tally_clear(&rows->all[i].kernel_ns);
    }
    rln__free(rows->all);
    rln__key_index_clear(&rows->numbers);
    rln__range_prefix_clear(&rows->prefix);
}

/* The longest average first, as nsys has it. */
static int by_average(const void *a, const void *b)
{
    const struct launches *x = a, *y = b;
    const double p = x->total_ns.spread.average, q = y->total_ns.spread.average;
    int order = (p < q) - (p > q);

    if (!order)
        order = (x->pid > y->pid) - (x->pid < y->pid);
    if (!order)
        order = (x->tid > y->tid) - (x->tid < y->tid);
    if (!order)
        order = (x->device > y->device) - (x->device < y->device);
    if (!order)
        order = rln__compare_text(x->call, y->call);
    return order ? order : rln__compare_text(x->kernel, y->kernel);
}

static struct rln__gpu_choice choice_of(const struct rln__report_source *source)
{
    return (struct rln__gpu_choice){
        .kinds = RLN__GPU_KERNELS,
        .form = rln__kernel_name_by(source->argument),
        .is_filtered = 1,
    };
}

static rln_status read_launches(struct rows *rows,
                                const struct rln__report_source *source)
{
    const struct rln__gpu_choice choice = choice_of(source);
    struct rln__gpu_op *ops = NULL; /* owned */
    size_t n = 0;
    int failed = 0;
    rln_status status = rln__range_prefix_read(&rows->prefix, source->reader,
                                               source->argument, source->err);

    if (!status)
        status = rln__gpu_ops_read(source->reader, &choice, &ops, &n, source->err);

    for (size_t i = 0; i < n && !failed; i++)
        failed = add(rows, source->reader, &ops[i]);
    rln__free(ops);
    for (size_t i = 0; i < rows->n && !failed; i++)
        failed = end(&rows->all[i]);
    if (rows->n)
        qsort(rows->all, rows->n, sizeof(*rows->all), by_average);
    return failed ? rln__fail_nomem(source->err) : status;
}

static rln_status build(const struct rln__report_source *source, rln_report *out)
{
    struct rows rows = {.n = 0};
    const rln_status status = read_launches(&rows, source);

    for (size_t i = 0; i < rows.n && !status; i++) {
        const struct launches *row = &rows.all[i];

        rln__report_put_id(out, row->pid);
        rln__report_put_id(out, row->tid);
        rln__report_put_id(out, row->device);
        rln__report_put_count(out, row->total_ns.n);
        rln__report_put_count(out, row->queue_ns.n);
        rln__report_put_spread(out, &row->total_ns);
        rln__report_put_spread(out, &row->call_ns);
        rln__report_put_spread(out, &row->queue_ns);
        rln__report_only_if(out, row->queue_ns.n > 0, 5);
        rln__report_put_spread(out, &row->kernel_ns);
        rln__report_put_name(out, row->call);
        rln__report_put_name(out, row->kernel);
    }
    clear(&rows);
    return status;
}

const struct rln__report_kind rln__report_cuda_kern_exec_sum = {
    .about = {.name = "cuda_kern_exec_sum",
              .title = "CUDA Kernel Launch & Exec Time Summary",
              .help = "from launch to end: calls, waiting and execution",
              .is_of_kernels = 1,
              .subject = "CUDA kernel data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "kernexecsum",
              .details = "One row per thread, GPU, launching call (API Name) and "
                         "kernel. A: from the launch's begin to its end; Q: from there "
                         "to the kernel's begin, for QCount kernels that had to wait; "
                         "K: on the GPU; T: all of it. Avg, Med, Min, Max, StdDev: of "
                         "Count launches. " RLN__KERNEL_DETAILS},
    .build = build,
    RLN__COLUMNS(columns),
    .needs = RLN__READS_LAUNCHES,
};

/* --- cuda_kern_exec_trace --------------------------------------------------------- */

static const rln_report_column trace_columns[] = {
    RLN__TIMES("API Start"),
    RLN__TIMES("API Dur"),
    RLN__TIMES("Queue Start"),
    RLN__TIMES("Queue Dur"),
    RLN__TIMES("Kernel Start"),
    RLN__TIMES("Kernel Dur"),
    RLN__TIMES("Total Dur"),
    RLN__IDS("PID"),
    RLN__IDS("TID"),
    RLN__IDS("DevId"),
    RLN__TEXTS("API Function"),
    RLN__TEXTS("GridXYZ"),
    RLN__TEXTS("BlockXYZ"),
    RLN__TEXTS("Kernel Name"),
};

static void put_launch(rln_report *out, const rln_reader *reader,
                       const struct rln__gpu_op *op, rln_text kernel)
{
    const struct rln__names *names = &reader->names;
    const rln_text call =
        rln__strings_get(&names->strings, names->attrs[op->call_name].message);

    rln__report_put_time(out, op->call_start_ns);
    rln__report_put_ns(out, (uint64_t)(op->call_end_ns - op->call_start_ns));
    rln__report_put_time(out, op->call_end_ns);
    rln__report_put_ns(out, (uint64_t)(op->start_ns - op->call_end_ns));
    rln__report_only_if(out, is_queued(op), 2);
    rln__report_put_time(out, op->start_ns);
    rln__report_put_ns(out, (uint64_t)(op->end_ns - op->start_ns));
    rln__report_put_ns(out, (uint64_t)(last_ns(op) - op->call_start_ns));
    rln__report_put_id(out, names->processes[op->process].record.pid);
    rln__report_put_id(out, op->tid);
    rln__report_put_id(out, op->device);
    rln__report_put_name(out, rln__gpu_call_name(call));
    rln__report_put_dimensions(out, op->shape.grid);
    rln__report_put_dimensions(out, op->shape.block);
    rln__report_put_name(out, kernel);
}

static rln_status build_trace(const struct rln__report_source *source, rln_report *out)
{
    const struct rln__gpu_choice choice = choice_of(source);
    const struct rln__names *names = &source->reader->names;
    struct rln__range_prefix prefix;
    struct rln__gpu_op *ops = NULL; /* owned */
    size_t n = 0;
    rln_status status =
        rln__range_prefix_read(&prefix, source->reader, source->argument, source->err);

    if (!status)
        status = rln__gpu_ops_read(source->reader, &choice, &ops, &n, source->err);
    for (size_t i = 0; i < n && !status; i++) {
        rln_text kernel =
            rln__strings_get(&names->strings, names->attrs[ops[i].name].message);

        if (rln__range_prefix_add(&prefix, ops[i].process, ops[i].correlation, &kernel))
            status = rln__fail_nomem(source->err);
        else
            put_launch(out, source->reader, &ops[i], kernel);
    }
    rln__free(ops);
    rln__range_prefix_clear(&prefix);
    return status;
}

const struct rln__report_kind rln__report_cuda_kern_exec_trace = {
    .about = {.name = "cuda_kern_exec_trace",
              .title = "CUDA Kernel Launch & Exec Time Trace",
              .help = "each kernel from its launch to its end, by launch",
              .is_of_kernels = 1,
              .subject = "CUDA kernel data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "kernexectrace",
              .details =
                  "One row per kernel, by the start of its launch. API: the "
                  "launching call; Queue: from the call's return to the kernel's "
                  "start, empty if the kernel started earlier; Kernel: on the "
                  "GPU; Total Dur: from the call's start to the later of both "
                  "ends. GridXYZ: blocks in three dimensions; BlockXYZ: threads "
                  "per block. " RLN__KERNEL_DETAILS},
    .build = build_trace,
    RLN__COLUMNS(trace_columns),
    .needs = RLN__READS_LAUNCHES,
};
