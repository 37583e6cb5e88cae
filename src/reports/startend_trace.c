/* SPDX-License-Identifier: Apache-2.0 */
/* startend_trace.c - each start/end range whose start is known, with both threads. */
#include "base/fail.h"
#include "ranges/events.h"
#include "reports/report_build.h"
#include "reports/report_list.h"
#include "reports/sorted_rows.h"

static const rln_report_column startend_trace[] = {
    RLN__TIMES("Start"), RLN__TIMES("End"),   RLN__TIMES("Duration"),
    RLN__TEXTS("Name"),  RLN__IDS("PID"),     RLN__IDS("TID"),
    RLN__IDS("End PID"), RLN__IDS("End TID"), RLN__NUMBERS("Open"),
    RLN__IDS("RangeId"),
};

/* The cells of its row. */
struct startend {
    int64_t start_ns, end_ns;
    uint64_t id;
    size_t index; /* of equal ones, the first that ended comes first */
    uint32_t pid, tid, end_pid, end_tid;
    int is_open;
    rln_text domain_name, message; /* borrowed from the reader */
};

static int compare_starts(const void *a, const void *b)
{
    const struct startend *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int is_listed_range(const rln_range *range)
{
    return range->style == RLN_RANGE_START_END &&
           !(range->flags & (RLN_FLAG_UNMATCHED | RLN_FLAG_LOST | RLN_FLAG_UNPLACED));
}

static rln_status add_range(struct rln__sorter *all, const rln_range *r, rln_error *err)
{
    return rln__sorter_add(all,
                           &(struct startend){
                               .start_ns = r->start_ns,
                               .end_ns = r->end_ns,
                               .id = r->id,
                               .index = all->n,
                               .pid = r->pid,
                               .tid = r->tid,
                               .end_pid = r->end_pid,
                               .end_tid = r->end_tid,
                               .is_open = (r->flags & RLN_FLAG_OPEN) != 0,
                               .domain_name = r->attributes.domain_name,
                               .message = r->attributes.message,
                           },
                           err);
}

static void put_startend(rln_report *out, const struct rln__sorted_rows *rows,
                         const void *item)
{
    const struct startend *r = item;

    (void)rows;
    rln__report_put_time(out, r->start_ns);
    rln__report_put_time(out, r->end_ns);
    rln__report_put_ns(out, (uint64_t)(r->end_ns - r->start_ns));
    rln__report_put_qualified(out, r->domain_name, r->message);
    rln__report_put_id(out, r->pid);
    rln__report_put_id(out, r->tid);
    rln__report_put_id(out, r->end_pid);
    rln__report_put_id(out, r->end_tid);
    rln__report_only_if(out, !r->is_open, 2);
    rln__report_put_count(out, (uint64_t)r->is_open);
    rln__report_put_id(out, r->id);
}

/* All start/end ranges whose start is known. */
static rln_status build_startend_trace(const struct rln__report_source *source,
                                       rln_report *out)
{
    static const struct rln__sorted_kind kind = {.n_bytes =
                                                     sizeof(struct rln__sorted_rows),
                                                 .item_bytes = sizeof(struct startend),
                                                 .compare = compare_starts,
                                                 .put = put_startend};
    struct rln__sorted_rows *rows = rln__report_sorted_rows(out, &kind);
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status;

    if (!rows)
        return rln__fail_nomem(source->err);
    status = rln_ranges_open(source->reader, &ranges, source->err);
    while (!status && !(status = rln_ranges_next(ranges, &range, source->err))) {
        const rln_range inside = rln__range_inside(source->reader, range);

        if (is_listed_range(range))
            status = add_range(&rows->all, &inside, source->err);
    }
    rln_ranges_close(ranges);
    return rln__sorted_rows_end(rows, status, source->err);
}

const struct rln__report_kind rln__report_startend_trace = {
    .about = {.name = "startend_trace",
              .title = "Start/End Range Trace",
              .help = "each start/end range with both threads",
              .subject = "start/end ranges",
              .details =
                  "One row per start/end range, by Start, a time since the trace "
                  "began. PID and TID called start, End PID and End TID called "
                  "end. Open: 1 for a range that was never closed; End is then "
                  "the last event of its trace. RangeId is the id that links "
                  "start and end. Ends without a start are left out."},
    .build = build_startend_trace,
    RLN__COLUMNS(startend_trace),
};
