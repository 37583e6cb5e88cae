/* SPDX-License-Identifier: Apache-2.0 */
/* nvtx_kern_sum.c - kernels by the ranges that launched them. A kernel counts for each
 * range that encloses its launch, or else in a row without a range. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "reports/gpu/gpu_ranges.h"
#include "reports/report_list.h"

/* All kernels of one name that ranges of one name launched on one thread. */
struct row {
    uint8_t has_range;
    rln_text domain_name, message, kernel; /* borrowed from the reader */
    rln_range_style style;                 /* 0 without a range */
    uint32_t pid, tid;
    uint64_t n_ranges;
    struct rln__tally ns; /* of its kernels */
};

struct search {
    struct rln__range_names names;
    struct row *rows; /* owned */
    size_t n, capacity;
    struct rln__key_index keys; /* {name, style; process; tid; kernel} */
    rln_reader *reader;         /* borrowed */
    /* {range, row} of open ranges -> 1 + the row that was seen before it there, + 1 */
    struct rln__map seen;
};

static uint64_t seen_key(const struct rln__gpu_range *range, uint32_t row)
{
    return (uint64_t)range->number << 32 | row;
}

/* Whether it is the first kernel of a row in a range; -1: no memory. */
static int is_first(struct search *s, struct rln__gpu_range *range, uint32_t row)
{
    const uint64_t key = seen_key(range, row);

    if (rln__map_get(&s->seen, key))
        return 0;
    if (rln__map_put(&s->seen, key, (uint64_t)range->visitor_data + 1))
        return -1;
    range->visitor_data = row + 1;
    return 1;
}

static int forget(void *context, const struct rln__gpu_range *range)
{
    struct search *s = context;
    uint64_t row = range->visitor_data;

    while (row)
        row = rln__map_remove(&s->seen, seen_key(range, (uint32_t)row - 1)) - 1;
    return 0;
}

static void name_row(struct row *row, const struct rln__range_name *name,
                     rln_range_style style)
{
    row->has_range = 1;
    row->domain_name = name->domain_name;
    row->message = name->message;
    row->style = style;
}

static int add_kernel(void *context, const struct rln__gpu_op *op,
                      struct rln__gpu_range *range)
{
    struct search *s = context;
    const struct rln__names *names = &s->reader->names;
    const uint32_t kernel = names->attrs[op->name].message;
    const uint64_t name =
        range ? (uint64_t)range->name << 8 | range->style : UINT64_MAX;
    const struct rln__key key = {{name, op->process, op->tid, kernel}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    struct row *row =
        rln__key_index_item(&s->rows, &s->n, &s->capacity, number, sizeof(*row));

    if (!row)
        return -1;
    row->pid = names->processes[op->process].record.pid;
    row->tid = op->tid;
    row->kernel = rln__strings_get(&names->strings, kernel);
    if (range) {
        const int first = is_first(s, range, number);

        if (first < 0)
            return -1;
        name_row(row, &s->names.items[range->name], range->style);
        row->n_ranges += (unsigned)first;
    }
    return rln__tally_add(&row->ns, (uint64_t)(op->end_ns - op->start_ns));
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* As in nsys. */
static int by_range(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = x->has_range - y->has_range;

    if (!order)
        order = rln__compare_text(x->domain_name, y->domain_name);
    if (!order)
        order = rln__compare_text(x->message, y->message);
    if (!order)
        order = compare(x->pid, y->pid);
    if (!order)
        order = compare(x->tid, y->tid);
    if (!order)
        order = compare(y->ns.total, x->ns.total);
    if (!order)
        order = rln__compare_text(x->kernel, y->kernel);
    return order ? order : compare(x->style, y->style);
}

static rln_status find(struct search *s, const struct rln__report_source *source)
{
    const struct rln__gpu_choice kernels = {
        .kinds = RLN__GPU_KERNELS,
        .form = rln__kernel_name_by(source->argument),
        .rules = rln__gpu_rules_by(source->argument),
    };
    const struct rln__gpu_visitor visitor = {
        .context = s, .op = add_kernel, .end = forget};
    rln_status status = rln__gpu_ranges_visit(source->reader, &kernels, &s->names,
                                              &visitor, source->err);

    for (size_t i = 0; i < s->n && !status; i++) {
        if (rln__tally_end(&s->rows[i].ns))
            status = rln__fail_nomem(source->err);
    }
    if (s->n)
        qsort(s->rows, s->n, sizeof(*s->rows), by_range);
    return status;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column kern_sum[] = {
    RLN__TEXTS("NVTX Range"),  RLN__TEXTS("Style"),       RLN__IDS("PID"),
    RLN__IDS("TID"),           RLN__NUMBERS("NVTX Inst"), RLN__NUMBERS("Kern Inst"),
    RLN__TIMES("Total Time"),  RLN__TIMES("Avg"),         RLN__TIMES("Med"),
    RLN__TIMES("Min"),         RLN__TIMES("Max"),         RLN__TIMES("StdDev"),
    RLN__TEXTS("Kernel Name"),
};

static void put_row(rln_report *out, const struct row *row)
{
    rln__report_put_qualified(out, row->domain_name, row->message);
    rln__report_only_if(out, row->has_range, 1);
    rln__report_put_style(out, row->style);
    rln__report_put_id(out, row->pid);
    rln__report_put_id(out, row->tid);
    rln__report_put_count(out, row->n_ranges);
    rln__report_put_count(out, row->ns.n);
    rln__report_put_ns(out, row->ns.total);
    rln__report_put_spread(out, &row->ns);
    rln__report_put_name(out, row->kernel);
}

static rln_status build_gpu_kern_sum(const struct rln__report_source *source,
                                     rln_report *out)
{
    struct search s = {.reader = source->reader};
    const rln_status status = find(&s, source);

    for (size_t i = 0; i < s.n; i++) {
        put_row(out, &s.rows[i]);
        rln__tally_clear(&s.rows[i].ns);
    }
    rln__range_names_clear(&s.names);
    rln__key_index_clear(&s.keys);
    rln__map_clear(&s.seen);
    rln__free(s.rows);
    return status;
}

const struct rln__report_kind rln__report_nvtx_kern_sum = {
    .about = {.name = "nvtx_kern_sum",
              .title = "NVTX Range Kernel Summary",
              .help = "kernels by launching range (:base, :mangled: names; :captured, "
                      ":adopt: whose)",
              .is_of_kernels = 1,
              .subject = "CUDA kernel data",
              .words = RLN__KERNEL_NAME_WORDS " " RLN__GPU_RULE_WORDS,
              .alias = "nvtxkernsum",
              .details =
                  "One row per range name, style, thread and kernel. A kernel "
                  "counts in each range that was open on its thread when it was "
                  "launched, so rows of nested ranges overlap; without one, NVTX "
                  "Range is empty. NVTX Inst: ranges that launched it; Kern "
                  "Inst: its launches. Total Time, Avg, Med, Min, Max and StdDev "
                  "are the kernel's times on the GPU. :captured gives nodes of "
                  "CUDA graphs to the ranges around their creation; :adopt gives "
                  "work of threads without ranges to those of the main "
                  "thread. " RLN__KERNEL_NAME_DETAILS},
    .build = build_gpu_kern_sum,
    RLN__COLUMNS(kern_sum),
    .needs = RLN__READS_LAUNCHES,
};
