/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_sums.c - kernels, memory operations and CUDA calls, by name: how often, and how
 * long or how much. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reports/gpu/range_prefix.h"
#include "reports/report_list.h"

enum value {
    DURATION, /* within the window */
    BYTES,    /* of copies and sets */
    /* The duration; kernels of one name with other numbers of blocks or threads are in
     * rows of their own. */
    DURATION_BY_SHAPE,
};

struct sum {
    rln_text name; /* in `names` */
    enum rln__gpu_kind kind;
    struct rln__kernel_shape shape; /* zeros, unless it was asked for */
    struct rln__tally tally;
};

struct sums {
    struct sum *rows; /* owned; the largest total first */
    size_t n, capacity;
    uint64_t total;
    struct rln__strings names;
};

struct adding {
    struct rln__gpu_work work;
    struct sums *sums;
    struct rln__range_prefix *prefix; /* borrowed; or NULL */
    /* attributes, kind -> index of the row + 1; if more than these select the row, it
     * is not used */
    struct rln__map row_of;
    struct rln__key_index by_name; /* {name, kind; shape} */
    enum value value;
};

static uint64_t bytes_of(const struct rln__gpu_work *work)
{
    struct rln__gpu_copy copy;
    struct rln__gpu_set set;

    if (work->batch->kind == RLN__GPU_COPY) {
        rln__gpu_work_element(work, &copy, sizeof(copy));
        return copy.bytes;
    }
    rln__gpu_work_element(work, &set, sizeof(set));
    return set.bytes;
}

static uint64_t value_of(const struct adding *a)
{
    const struct rln__span *span = &a->work.predicate.reader->span;
    const struct rln__gpu_event *e = a->work.event;

    if (a->value == BYTES)
        return bytes_of(&a->work);
    return (uint64_t)(rln__span_clip(span, e->end_ns) -
                      rln__span_clip(span, e->start_ns));
}

static int has_prefix(const struct adding *a)
{
    return a->prefix && a->work.batch->kind == RLN__GPU_KERNEL;
}

static int has_shape(const struct adding *a)
{
    return a->value == DURATION_BY_SHAPE && a->work.batch->kind == RLN__GPU_KERNEL;
}

/* Several calls may have one name, without their versions. UINT32_MAX when there is no
 * memory. */
static uint32_t row_by_name(struct adding *a)
{
    struct sums *s = a->sums;
    const enum rln__gpu_kind kind = a->work.batch->kind;
    rln_text name = rln__gpu_work_text(&a->work);
    struct rln__kernel_shape shape = {.grid = {0}};
    struct sum *row;
    struct rln__key key;
    uint32_t text, number;

    if (kind == RLN__GPU_CALL)
        name = rln__gpu_call_name(name);
    if (has_prefix(a) && rln__range_prefix_add(a->prefix, a->work.batch->process,
                                               a->work.event->correlation, &name))
        return UINT32_MAX;
    text = rln__strings_add(&s->names, name.length ? name.bytes : "", name.length);
    if (has_shape(a))
        shape = rln__gpu_work_shape(&a->work);
    key = (struct rln__key){{(uint64_t)text << 32 | kind}};
    memcpy(&key.words[1], &shape, sizeof(shape));
    number = text ? rln__key_index_number(&a->by_name, &key) : UINT32_MAX;
    row = rln__key_index_item(&s->rows, &s->n, &s->capacity, number, sizeof(*row));
    if (!row)
        return UINT32_MAX;
    row->name = rln__strings_get(&s->names, text);
    row->kind = kind;
    row->shape = shape;
    return number;
}

/* Adds the last event. 0, or -1 when there is no memory. */
static int add(struct adding *a)
{
    const uint64_t key = (uint64_t)a->work.name << 8 | (unsigned)a->work.batch->kind;
    const uint64_t known =
        has_prefix(a) || has_shape(a) ? 0 : rln__map_get(&a->row_of, key);
    const uint32_t row = known ? (uint32_t)(known - 1) : row_by_name(a);
    const uint64_t value = value_of(a);

    if (row == UINT32_MAX || (!known && rln__map_put(&a->row_of, key, row + 1)))
        return -1;
    a->sums->total += value;
    return rln__tally_add(&a->sums->rows[row].tally, value);
}

static int compare_shapes(const struct rln__kernel_shape *x,
                          const struct rln__kernel_shape *y)
{
    for (size_t i = 0; i < 3; i++) {
        if (x->grid[i] != y->grid[i])
            return x->grid[i] < y->grid[i] ? -1 : 1;
    }
    for (size_t i = 0; i < 3; i++) {
        if (x->block[i] != y->block[i])
            return x->block[i] < y->block[i] ? -1 : 1;
    }
    return 0;
}

static int by_total(const void *a, const void *b)
{
    const struct sum *x = a, *y = b;
    int order;

    if (x->tally.total != y->tally.total)
        return x->tally.total > y->tally.total ? -1 : 1;
    if (x->tally.n != y->tally.n)
        return x->tally.n < y->tally.n ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    order = compare_shapes(&x->shape, &y->shape);
    if (order)
        return order;
    return rln__compare_text(x->name, y->name);
}

static rln_status add_all(struct adding *a, rln_error *err)
{
    struct sums *s = a->sums;
    int failed = 0;
    rln_status status;

    while (!(status = rln__gpu_work_next(&a->work, err))) {
        if (add(a))
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < s->n && !failed; i++)
        failed = rln__tally_end(&s->rows[i].tally);
    if (s->n)
        qsort(s->rows, s->n, sizeof(*s->rows), by_total);
    return status != RLN_END ? status : failed ? rln__fail_nomem(err) : RLN_OK;
}

static void clear_sums(struct sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__tally_clear(&s->rows[i].tally);
    rln__free(s->rows);
    rln__strings_clear(&s->names);
    memset(s, 0, sizeof(*s));
}

/* `prefix` may be NULL. On failure there is nothing to clear. */
static rln_status read_sums(struct sums *s, rln_reader *reader,
                            const struct rln__gpu_choice *choice,
                            struct rln__range_prefix *prefix, enum value value,
                            rln_error *err)
{
    struct adding a = {.sums = s, .prefix = prefix, .value = value};
    rln_status status = rln__gpu_work_init(&a.work, reader, choice, err);

    memset(s, 0, sizeof(*s));
    if (status)
        return status;
    status = add_all(&a, err);
    rln__gpu_work_clear(&a.work);
    rln__map_clear(&a.row_of);
    rln__key_index_clear(&a.by_name);
    if (status)
        clear_sums(s);
    return status;
}

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
    struct sums sums;
    rln_status status =
        rln__range_prefix_read(&prefix, source->reader, source->argument, source->err);

    if (!status)
        status =
            read_sums(&sums, source->reader, &choice, prefix.names.n ? &prefix : NULL,
                      source->kind->columns == shapes ? DURATION_BY_SHAPE : DURATION,
                      source->err);
    rln__range_prefix_clear(&prefix);
    if (status)
        return status;
    for (size_t i = 0; i < sums.n; i++) {
        const struct sum *row = &sums.rows[i];

        rln__report_put_times(out, &row->tally, sums.total);
        if (source->kind->columns == all)
            rln__report_put_word(out, category_of(row->kind));
        if (source->kind->columns == shapes) {
            rln__report_put_dimensions(out, row->shape.grid);
            rln__report_put_dimensions(out, row->shape.block);
        }
        rln__report_put_name(out, row->name);
    }
    clear_sums(&sums);
    return RLN_OK;
}

const struct rln__report_kind rln__report_cuda_gpu_kern_sum = {
    .about = {.name = "cuda_gpu_kern_sum",
              .title = "CUDA GPU Kernel Summary",
              .help = "kernels, by name (:base, :mangled), and by range (:nvtx-name)",
              .is_of_kernels = 1,
              .subject = "CUDA kernel data",
              .words = RLN__KERNEL_PREFIX_WORDS,
              .alias = "gpukernsum",
              .details = "One row per kernel name, with its times on the GPU, which "
                         "exclude the launching call. " RLN__TIME_DETAILS
                         " " RLN__KERNEL_DETAILS},
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
              .alias = "gpukerngbsum",
              .details =
                  "One row per kernel name, GridXYZ (blocks in three dimensions) "
                  "and BlockXYZ (threads per block), with times on the "
                  "GPU. " RLN__TIME_DETAILS " " RLN__KERNEL_DETAILS},
    .build = build_times,
    .gpu_kinds = RLN__GPU_KERNELS,
    RLN__COLUMNS(shapes),
};

const struct rln__report_kind rln__report_cuda_gpu_mem_time_sum = {
    .about = {.name = "cuda_gpu_mem_time_sum",
              .title = "CUDA GPU MemOps Summary (by Time)",
              .help = "copies and sets of memory, by their time on the GPU",
              .subject = "GPU memory data",
              .alias = "gpumemtimesum",
              .details =
                  "One row per Operation: copies by direction, such as from host "
                  "to device, and sets of memory, with their times on the "
                  "GPU. " RLN__TIME_DETAILS},
    .build = build_times,
    .gpu_kinds = RLN__GPU_MEMORY,
    RLN__COLUMNS(memory),
};

const struct rln__report_kind rln__report_cuda_api_sum = {
    .about = {.name = "cuda_api_sum",
              .title = "CUDA API Summary",
              .help = "calls of CUDA's runtime and driver, by name",
              .subject = "CUDA API data",
              .alias = "cudaapisum",
              .details = "One row per function of CUDA's runtime or driver, with the "
                         "times of its calls on the host. Num Calls: how often it was "
                         "called. What `profile --cuda-api` does not record is left "
                         "out. " RLN__TIME_DETAILS},
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
              .alias = "gpusum",
              .details = "One row per kernel name or memory operation, with its times "
                         "on the GPU; Category is CUDA_KERNEL, MEMORY_OPER or, for "
                         "graphs recorded as a whole, CUDA_GRAPH. " RLN__TIME_DETAILS
                         " " RLN__KERNEL_DETAILS},
    .build = build_times,
    .gpu_kinds = RLN__GPU_OPERATIONS,
    RLN__COLUMNS(all),
};

const struct rln__report_kind rln__report_cuda_api_gpu_sum = {
    .about =
        {.name = "cuda_api_gpu_sum",
         .title = "CUDA Summary (API/Kernels/MemOps)",
         .help = "the same, and the calls",
         .is_of_kernels = 1,
         .subject = "CUDA trace data",
         .words = RLN__KERNEL_PREFIX_WORDS,
         .alias = "apigpusum",
         .details =
             "The rows of cuda_gpu_sum, with times on the GPU, and those of "
             "cuda_api_sum, with times on the host (Category CUDA_API). The "
             "two run at the same time: shares are of their sum. " RLN__TIME_DETAILS
             " " RLN__KERNEL_DETAILS},
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
    struct sums sums;
    const rln_status status =
        read_sums(&sums, source->reader, &choice, NULL, BYTES, source->err);

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
    clear_sums(&sums);
    return RLN_OK;
}

const struct rln__report_kind rln__report_cuda_gpu_mem_size_sum = {
    .about = {.name = "cuda_gpu_mem_size_sum",
              .title = "CUDA GPU MemOps Summary (by Size)",
              .help = "copies and sets of memory, by their bytes",
              .subject = "GPU memory data",
              .alias = "gpumemsizesum",
              .details = "One row per Operation: copies by direction, and sets of "
                         "memory. Total, Avg, Med, Min, Max and StdDev are sizes in "
                         "bytes, in csv and tsv in MB of 1,000,000 bytes."},
    .build = build_sizes,
    RLN__COLUMNS(sizes),
};
