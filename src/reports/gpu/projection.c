/* SPDX-License-Identifier: Apache-2.0 */
/* projection.c - ranges as the GPU saw them: from the start of the first operation
 * requested in a range to the end of the last.
 *
 *     thread   |--- step ---|
 *     GPU         [copy]   [kernel]
 *     projected   |---------------|
 *
 * With RLN__GPU_BY_CAPTURE, a range in which nodes of a CUDA graph were created has a
 * projection per launch that ran them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/sorter.h"
#include "reports/gpu/gpu_ranges.h"
#include "reports/report_list.h"

/* What one launch of a CUDA graph ran of the nodes that were created in a range. */
struct replay {
    int64_t first_op_ns, last_op_ns;
    uint32_t correlation, n_ops;
    uint32_t next; /* of the range: index + 1 */
};

struct projecting {
    struct rln__range_names names;
    struct rln__key_index launches; /* {range, correlation} */
    struct replay *replays;         /* owned; by the number of the launch */
    size_t n, capacity;
    /* Called for each projection of a range. 0, or -1 when there is no memory. */
    int (*put)(struct projecting *, const struct rln__gpu_range *, int is_first);
    void *out; /* borrowed, what put() fills */
};

static int add_to_replay(struct projecting *p, const struct rln__gpu_op *op,
                         struct rln__gpu_range *r)
{
    const struct rln__key key = {{r->number, op->correlation}};
    const uint32_t number = rln__key_index_number(&p->launches, &key);
    struct replay *replay =
        rln__key_index_item(&p->replays, &p->n, &p->capacity, number, sizeof(*replay));

    if (!replay)
        return -1;
    if (!replay->n_ops) {
        *replay = (struct replay){op->start_ns, op->end_ns, op->correlation, 0,
                                  r->visitor_data};
        r->visitor_data = number + 1;
    }
    if (op->start_ns < replay->first_op_ns)
        replay->first_op_ns = op->start_ns;
    if (op->end_ns > replay->last_op_ns)
        replay->last_op_ns = op->end_ns;
    replay->n_ops++;
    return 0;
}

/* The operations of one call, such as the nodes of a graph, count once; they come in
 * sequence. */
static int add_op(void *context, const struct rln__gpu_op *op, struct rln__gpu_range *r)
{
    if (!r)
        return 0;
    if (op->is_captured)
        return add_to_replay(context, op, r);
    if (!r->n_ops || op->start_ns < r->first_op_ns)
        r->first_op_ns = op->start_ns;
    if (!r->n_ops || op->end_ns > r->last_op_ns)
        r->last_op_ns = op->end_ns;
    if (!r->n_ops || op->correlation != r->last_correlation)
        r->n_ops++;
    r->last_correlation = op->correlation;
    return 0;
}

static int put_all(struct projecting *p, const struct rln__gpu_range *r)
{
    int failed = r->n_ops ? p->put(p, r, 1) : 0;

    for (uint32_t i = r->visitor_data; i && !failed; i = p->replays[i - 1].next) {
        const struct replay *replay = &p->replays[i - 1];
        struct rln__gpu_range as_replayed = *r;

        as_replayed.first_op_ns = replay->first_op_ns;
        as_replayed.last_op_ns = replay->last_op_ns;
        as_replayed.last_correlation = replay->correlation;
        as_replayed.n_ops = replay->n_ops;
        failed = p->put(p, &as_replayed, !r->n_ops && i == r->visitor_data);
    }
    return failed;
}

static rln_status project(struct projecting *p, const struct rln__report_source *source,
                          int (*end)(void *, const struct rln__gpu_range *))
{
    const struct rln__gpu_choice operations = {
        .kinds = RLN__GPU_OPERATIONS, .rules = rln__gpu_rules_by(source->argument)};
    const struct rln__gpu_visitor visitor = {.context = p, .op = add_op, .end = end};
    const rln_status status = rln__gpu_ranges_visit(source->reader, &operations,
                                                    &p->names, &visitor, source->err);

    rln__key_index_clear(&p->launches);
    rln__free(p->replays);
    return status;
}

static void put_name(rln_report *out, const struct projecting *p, uint32_t name)
{
    rln__report_put_qualified(out, p->names.items[name].domain_name,
                              p->names.items[name].message);
}

/* --- nvtx_gpu_proj_sum ------------------------------------------------------------ */

/* All ranges of a name and style that have operations. */
struct sum_row {
    uint32_t name;
    rln_range_style style;
    struct rln__tally projected_ns;
    uint64_t range_ns, n_ops, levels, n_children; /* added up */
};

struct sum {
    struct rln__key_index keys; /* {name, style} */
    struct sum_row *rows;       /* owned */
    size_t n, capacity;
};

static int add_up(struct projecting *p, const struct rln__gpu_range *r, int is_first)
{
    struct sum *s = p->out;
    const struct rln__key key = {{r->name, r->style}};
    struct sum_row *row =
        rln__key_index_item(&s->rows, &s->n, &s->capacity,
                            rln__key_index_number(&s->keys, &key), sizeof(*row));

    if (!row)
        return -1;
    row->name = r->name;
    row->style = r->style;
    row->range_ns += is_first ? (uint64_t)(r->end_ns - r->start_ns) : 0;
    row->n_ops += r->n_ops;
    row->levels += r->level;
    row->n_children += r->n_children;
    return rln__tally_add(&row->projected_ns,
                          (uint64_t)(r->last_op_ns - r->first_op_ns));
}

static int end_sum(void *context, const struct rln__gpu_range *r)
{
    return put_all(context, r);
}

static int by_total(const void *a, const void *b)
{
    const struct sum_row *x = a, *y = b;

    if (x->projected_ns.total != y->projected_ns.total)
        return x->projected_ns.total > y->projected_ns.total ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->style > y->style) - (x->style < y->style);
}

static const rln_report_column proj_sum[] = {
    RLN__TEXTS("Range"),
    RLN__TEXTS("Style"),
    RLN__TIMES("Total Proj Time"),
    RLN__TIMES("Total Range Time"),
    RLN__NUMBERS("Range Instances"),
    RLN__TIMES("Proj Avg"),
    RLN__TIMES("Proj Med"),
    RLN__TIMES("Proj Min"),
    RLN__TIMES("Proj Max"),
    RLN__TIMES("Proj StdDev"),
    RLN__NUMBERS("Total GPU Ops"),
    RLN__NUMBERS("Avg GPU Ops"),
    RLN__NUMBERS("Avg Range Lvl"),
    RLN__NUMBERS("Avg Num Child"),
};

static void put_average(rln_report *out, uint64_t total, uint64_t n)
{
    rln__report_put_fixed(out, (double)total / (double)n, 1);
}

static void put_sum_row(rln_report *out, const struct projecting *p,
                        const struct sum_row *row)
{
    put_name(out, p, row->name);
    rln__report_put_style(out, row->style);
    rln__report_put_ns(out, row->projected_ns.total);
    rln__report_put_ns(out, row->range_ns);
    rln__report_put_count(out, row->projected_ns.n);
    rln__report_put_spread(out, &row->projected_ns);
    rln__report_put_count(out, row->n_ops);
    put_average(out, row->n_ops, row->projected_ns.n);
    put_average(out, row->levels, row->projected_ns.n);
    put_average(out, row->n_children, row->projected_ns.n);
}

static rln_status build_gpu_proj_sum(const struct rln__report_source *source,
                                     rln_report *out)
{
    struct sum s = {.n = 0};
    struct projecting p = {.put = add_up, .out = &s};
    rln_status status = project(&p, source, end_sum);

    for (size_t i = 0; i < s.n && !status; i++) {
        if (rln__tally_end(&s.rows[i].projected_ns))
            status = rln__fail_nomem(source->err);
    }
    if (s.n)
        qsort(s.rows, s.n, sizeof(*s.rows), by_total);
    for (size_t i = 0; i < s.n; i++) {
        put_sum_row(out, &p, &s.rows[i]);
        rln__tally_clear(&s.rows[i].projected_ns);
    }
    rln__range_names_clear(&p.names);
    rln__key_index_clear(&s.keys);
    rln__free(s.rows);
    return status;
}

const struct rln__report_kind rln__report_nvtx_gpu_proj_sum = {
    .about = {.name = "nvtx_gpu_proj_sum",
              .title = "NVTX GPU Projection Summary",
              .help = "GPU time of ranges, by name (:captured, :adopt: whose)",
              .subject = "CUDA trace data",
              .words = RLN__GPU_RULE_WORDS,
              .details = "One row per range name and style, for ranges that requested "
                         "GPU work. A range's projection is the time from the start of "
                         "the first operation requested in it to the end of the last; "
                         "pauses between operations count. Total Range Time is the "
                         "host's. Total GPU Ops: operations requested, those of one "
                         "call counted once. Lvl: enclosing ranges; Num Child: ranges "
                         "directly inside. " RLN__GPU_RULE_DETAILS},
    .build = build_gpu_proj_sum,
    RLN__COLUMNS(proj_sum),
    .needs = RLN__READS_LAUNCHES,
};

/* --- nvtx_gpu_proj_trace ---------------------------------------------------------- */

/* Each range that has operations. */
struct list {
    struct rln__sorter projected; /* struct rln__gpu_range, by projected start */
    uint32_t *parents;            /* owned: of all ranges, by number */
    size_t n_parents, capacity;
};

static int by_projection(const void *a, const void *b)
{
    const struct rln__gpu_range *x = a, *y = b;

    if (x->first_op_ns != y->first_op_ns)
        return x->first_op_ns < y->first_op_ns ? -1 : 1;
    if (x->last_op_ns != y->last_op_ns)
        return x->last_op_ns > y->last_op_ns ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->last_correlation > y->last_correlation) -
           (x->last_correlation < y->last_correlation);
}

static int add_to_list(struct projecting *p, const struct rln__gpu_range *r,
                       int is_first)
{
    struct list *list = p->out;

    (void)is_first;
    return rln__sorter_add(&list->projected, r, NULL) ? -1 : 0;
}

static int end_listed(void *context, const struct rln__gpu_range *r)
{
    struct projecting *p = context;
    struct list *list = p->out;
    uint32_t *parents = rln__grow(list->parents, &list->capacity, (size_t)r->number + 1,
                                  sizeof(*parents));

    if (!parents)
        return -1;
    list->parents = parents;
    parents[r->number] = r->parent;
    if (r->number >= list->n_parents)
        list->n_parents = (size_t)r->number + 1;
    return put_all(p, r);
}

static const rln_report_column proj_trace[] = {
    RLN__TEXTS("Name"),
    RLN__TIMES("Projected Start"),
    RLN__TIMES("Projected Duration"),
    RLN__TIMES("Orig Start"),
    RLN__TIMES("Orig Duration"),
    RLN__TEXTS("Style"),
    RLN__IDS("PID"),
    RLN__IDS("TID"),
    RLN__NUMBERS("NumGPUOps"),
    RLN__NUMBERS("Lvl"),
    RLN__NUMBERS("NumChild"),
    RLN__IDS("RangeId"),
    RLN__IDS("ParentId"),
    RLN__TEXTS("RangeStack"),
};

/* ":1:5:9", from the outermost one on. `path` has room for all ranges. */
static void add_stack(rln_report *out, const struct list *list, uint32_t number,
                      uint32_t *path)
{
    size_t n = 0;

    for (; number != RLN__NO_RANGE; number = list->parents[number])
        path[n++] = number;
    while (n)
        rln__buf_format(rln__report_text(out), ":%llu",
                        (unsigned long long)path[--n] + 1);
    rln__report_put_text(out);
}

static void put_listed(rln_report *out, const struct projecting *p,
                       const struct rln__gpu_range *r, uint32_t *path)
{
    put_name(out, p, r->name);
    rln__report_put_time(out, r->first_op_ns);
    rln__report_put_ns(out, (uint64_t)(r->last_op_ns - r->first_op_ns));
    rln__report_put_time(out, r->start_ns);
    rln__report_put_ns(out, (uint64_t)(r->end_ns - r->start_ns));
    rln__report_put_style(out, r->style);
    rln__report_put_id(out, r->pid);
    rln__report_put_id(out, r->tid);
    rln__report_put_count(out, r->n_ops);
    rln__report_put_count(out, r->level);
    rln__report_put_count(out, r->n_children);
    rln__report_put_id(out, (uint64_t)r->number + 1);
    rln__report_put_id(out, (uint64_t)r->parent + 1);
    rln__report_only_if(out, r->parent != RLN__NO_RANGE, 1);
    add_stack(out, p->out, r->number, path);
}

static rln_status build_gpu_proj_trace(const struct rln__report_source *source,
                                       rln_report *out)
{
    struct list list = {.projected = {.item_bytes = sizeof(struct rln__gpu_range),
                                      .compare = by_projection}};
    struct projecting p = {.put = add_to_list, .out = &list};
    const struct rln__gpu_range *range;
    uint32_t *path; /* owned */
    rln_status status = project(&p, source, end_listed);

    if (!status)
        status = rln__sorter_end(&list.projected, source->err);
    path = status ? NULL : rln__alloc(list.n_parents + 1, sizeof(*path));
    if (!status && !path)
        status = rln__fail_nomem(source->err);
    while (!status && (range = rln__sorter_next(&list.projected)))
        put_listed(out, &p, range, path);
    rln__range_names_clear(&p.names);
    rln__sorter_clear(&list.projected);
    rln__free(list.parents);
    rln__free(path);
    return status;
}

const struct rln__report_kind rln__report_nvtx_gpu_proj_trace = {
    .about = {.name = "nvtx_gpu_proj_trace",
              .title = "NVTX GPU Projection Trace",
              .help = "GPU time of each range (:captured, :adopt)",
              .subject = "CUDA trace data",
              .words = RLN__GPU_RULE_WORDS,
              .alias = "nvtxgpuproj",
              .details =
                  "One row per range that requested GPU work, by Projected "
                  "Start. Its projection is the time from the start of the first "
                  "operation requested in it to the end of the last; Orig Start "
                  "and Orig Duration are the host's. NumGPUOps: operations "
                  "requested, those of one call counted once. Lvl: enclosing "
                  "ranges. RangeStack: the RangeIds of these from the outermost "
                  "on. " RLN__GPU_RULE_DETAILS},
    .build = build_gpu_proj_trace,
    RLN__COLUMNS(proj_trace),
    .needs = RLN__READS_LAUNCHES,
};
