/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_api_trace.c - each call of CUDA's runtime or driver, in time order. */
#include "base/fail.h"
#include "reports/gpu/gpu_work.h"
#include "reports/report_build.h"
#include "reports/report_list.h"
#include "reports/sorted_rows.h"

/* Nsight also knows the priority of the thread. */
static const rln_report_column columns[] = {
    RLN__TIMES("Start"), RLN__TIMES("Duration"), RLN__TEXTS("Name"),
    RLN__IDS("Result"),  RLN__IDS("CorrID"),     RLN__IDS("Pid"),
    RLN__IDS("Tid"),     RLN__IDS("T-Pri"),      RLN__TEXTS("Thread Name"),
};

/* The cells of a row. */
struct call {
    int64_t start_ns, end_ns;
    size_t index;               /* of equal ones, the first in the trace comes first */
    rln_text name, thread_name; /* borrowed from the reader */
    uint32_t pid, tid, correlation;
    int32_t result;
};

static int compare_starts(const void *a, const void *b)
{
    const struct call *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static rln_text thread_name(const rln_info *info, uint32_t index)
{
    const rln_thread_info *thread = rln_info_thread(info, index);
    const rln_text none = {NULL, 0};

    return !thread ? none : thread->name.length ? thread->name : thread->system_name;
}

static rln_status add_call(struct rln__sorter *all, const struct rln__gpu_work *work,
                           const rln_info *info, rln_error *err)
{
    const rln_reader *reader = work->predicate.reader;
    struct rln__gpu_call element;
    struct call call = {
        .start_ns = rln__span_clip(&reader->span, work->event->start_ns),
        .end_ns = rln__span_clip(&reader->span, work->event->end_ns),
        .index = all->n,
        .name = rln__gpu_call_name(rln__gpu_work_text(work)),
        .thread_name = thread_name(info, work->event->thread),
        .pid = reader->names.processes[work->batch->process].record.pid,
        .tid = work->event->tid,
        .correlation = work->event->correlation,
    };

    rln__gpu_work_element(work, &element, sizeof(element));
    call.result = element.result;
    return rln__sorter_add(all, &call, err);
}

static void put_call(rln_report *out, const struct rln__sorted_rows *rows,
                     const void *item)
{
    const struct call *call = item;

    (void)rows;
    rln__report_put_time(out, call->start_ns);
    rln__report_put_ns(out, (uint64_t)(call->end_ns - call->start_ns));
    rln__report_put_name(out, call->name);
    rln__report_put_id(out, (uint32_t)call->result);
    rln__report_put_id(out, call->correlation);
    rln__report_put_id(out, call->pid);
    rln__report_put_id(out, call->tid);
    rln__report_put_empty(out);
    rln__report_put_name(out, call->thread_name);
}

static rln_status build(const struct rln__report_source *source, rln_report *out)
{
    static const struct rln__sorted_kind kind = {.n_bytes =
                                                     sizeof(struct rln__sorted_rows),
                                                 .item_bytes = sizeof(struct call),
                                                 .compare = compare_starts,
                                                 .put = put_call};
    static const struct rln__gpu_choice choice = {.kinds = RLN__GPU_CALLS,
                                                  .is_filtered = 1};
    struct rln__sorted_rows *rows = rln__report_sorted_rows(out, &kind);
    struct rln__gpu_work work;
    rln_status status;

    if (!rows)
        return rln__fail_nomem(source->err);
    status = rln__gpu_work_init(&work, source->reader, &choice, source->err);
    if (status)
        return status;
    while (!status && !(status = rln__gpu_work_next(&work, source->err)))
        status = add_call(&rows->all, &work, source->info, source->err);
    rln__gpu_work_clear(&work);
    return rln__sorted_rows_end(rows, status, source->err);
}

const struct rln__report_kind rln__report_cuda_api_trace = {
    .about = {.name = "cuda_api_trace",
              .title = "CUDA API Trace",
              .help = "each call of CUDA's runtime or driver, in time order",
              .subject = "CUDA API data",
              .alias = "cudaapitrace",
              .details = "One row per call, by Start, a time since the trace began. "
                         "Result: what the call returned, 0 for success. CorrID: the "
                         "number that links the call to the GPU work it requested, as "
                         "in cuda_gpu_trace. T-Pri, the thread's priority, is not "
                         "recorded and always empty."},
    .build = build,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_INFO,
};
