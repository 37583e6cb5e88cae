/* SPDX-License-Identifier: Apache-2.0 */
/* nvtx_pushpop_trace.c - each push/pop range with its enclosing ranges. */
#include "base/fail.h"
#include "ranges/nesting.h"
#include "reports/report_build.h"
#include "reports/report_list.h"
#include "reports/sorted_rows.h"

static const rln_report_column pushpop_trace[] = {
    RLN__TIMES("Start"),      RLN__TIMES("End"),         RLN__TIMES("Duration"),
    RLN__TIMES("DurChild"),   RLN__TIMES("DurNonChild"), RLN__TEXTS("Name"),
    RLN__IDS("PID"),          RLN__IDS("TID"),           RLN__NUMBERS("Lvl"),
    RLN__NUMBERS("NumChild"), RLN__IDS("RangeId"),       RLN__IDS("ParentId"),
    RLN__TEXTS("RangeStack"), RLN__TEXTS("NameTree"),
};

struct by_time {
    int64_t start_ns, end_ns;
    size_t index;
};

/* As nsys: by start, then the shortest first. */
static int compare_times(const void *a, const void *b)
{
    const struct by_time *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* A row spells out at most this many levels, the innermost: whole paths would make the
 * report grow with the square of the depth, and hundreds of levels would make it many
 * times as large as the trace of a program that forgets its pops. */
#define MOST_LEVELS 64

/* ":1:5:9", from the outermost one on; "...:5:9" if it is deeper. */
static void add_stack(rln_report *out, const struct rln__nesting *nesting, size_t index)
{
    size_t path[MOST_LEVELS], n = 0, at = index;
    struct rln__nesting_row range;

    while (n < MOST_LEVELS && rln__nesting_get(nesting, at, &range)) {
        path[n++] = at;
        at = range.parent;
    }
    rln__buf_text(rln__report_text(out), at == SIZE_MAX ? "" : "...");
    while (n) {
        rln__buf_char(rln__report_text(out), ':');
        rln__buf_u64(rln__report_text(out), path[--n] + 1);
    }
    rln__report_put_text(out);
}

static void add_name_tree(rln_report *out, const struct rln__nesting_row *r)
{
    const size_t level = r->level < MOST_LEVELS ? r->level : MOST_LEVELS;

    rln__buf_fill(rln__report_text(out), '-', level * 2);
    rln__report_put_qualified(out, r->domain_name, r->message);
}

struct nested_rows {
    struct rln__sorted_rows rows;
    struct rln__nesting *nesting; /* owned: held */
};

static void put_nested(rln_report *out, const struct rln__sorted_rows *rows,
                       const void *item)
{
    const struct rln__nesting *nesting = ((const struct nested_rows *)rows)->nesting;
    const size_t index = ((const struct by_time *)item)->index;
    const struct rln__nesting_row r = rln__nesting_at(nesting, index);
    const uint64_t ns = rln__nesting_row_ns(&r);

    rln__report_put_time(out, r.start_ns);
    rln__report_put_time(out, r.end_ns);
    rln__report_put_ns(out, ns);
    rln__report_put_ns(out, r.children_ns);
    rln__report_put_ns(out, r.self_ns);
    rln__report_put_qualified(out, r.domain_name, r.message);
    rln__report_put_id(out, r.pid);
    rln__report_put_id(out, r.tid);
    rln__report_put_count(out, r.level);
    rln__report_put_count(out, r.n_children);
    rln__report_put_id(out, index + 1);
    rln__report_put_id(out, r.parent + 1);
    rln__report_only_if(out, r.parent != SIZE_MAX, 1);
    add_stack(out, nesting, index);
    add_name_tree(out, &r);
}

static void clear_nested(struct rln__sorted_rows *rows)
{
    rln__nesting_free(((struct nested_rows *)rows)->nesting);
}

static rln_status build_pushpop_trace(const struct rln__report_source *source,
                                      rln_report *out)
{
    static const struct rln__sorted_kind kind = {.n_bytes = sizeof(struct nested_rows),
                                                 .item_bytes = sizeof(struct by_time),
                                                 .compare = compare_times,
                                                 .put = put_nested,
                                                 .clear = clear_nested};
    struct nested_rows *all = (struct nested_rows *)rln__report_sorted_rows(out, &kind);
    rln_status status = RLN_OK;
    struct rln__nesting_row r;

    if (!all)
        return rln__fail_nomem(source->err);
    all->nesting = rln__nesting_hold(source->nesting);
    for (size_t i = 0; !status && rln__nesting_get(all->nesting, i, &r); i++)
        status = rln__sorter_add(
            &all->rows.all, &(struct by_time){r.start_ns, r.end_ns, i}, source->err);
    return rln__sorted_rows_end(&all->rows, status ? status : RLN_END, source->err);
}

const struct rln__report_kind rln__report_nvtx_pushpop_trace = {
    .about = {.name = "nvtx_pushpop_trace",
              .title = "NVTX Push/Pop Range Trace",
              .help = "each push/pop range with its enclosing ranges",
              .subject = "NV Tools Extension (NVTX) data",
              .alias = "nvtxpptrace",
              .details =
                  "A parent is the innermost enclosing range of the thread, in any "
                  "domain. Of two crossing ranges neither is the parent; in the tree, "
                  "built in begin order, the later is the child and may take longer. "
                  "With a filter, parents, children and roots are matching ranges: "
                  "DurChild and NumChild count listed ranges, DurNonChild excludes all "
                  "inner ones. RangeId numbers ranges as they begin. Below 64 levels, "
                  "RangeStack and NameTree have the innermost. Deferred ranges are on "
                  "no thread's stack and nest among each other."},
    .build = build_pushpop_trace,
    RLN__COLUMNS(pushpop_trace),
    .needs = RLN__NEEDS_NESTING,
};
