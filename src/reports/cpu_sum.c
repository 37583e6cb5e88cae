/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_sum.c - what the time of each name's ranges was made of: on a processor,
 * preempted, blocked. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/cpu_times.h"
#include "reports/domain_order.h"
#include "reports/report_list.h"
#include "reports/report_parts.h"
#include "reports/summary/summary.h"

struct cpu_row {
    struct rln__cpu_split split;
    uint64_t total_ns, n_ranges;
    /* When all has been read: */
    rln_text domain_name, message;
    rln_range_style style;
    uint8_t is_default_domain;
};

struct cpu_rows {
    struct rln__cpu_times times;
    struct cpu_row *rows; /* owned */
    size_t n, capacity;
};

static int take(void *context, const struct rln__closing *c, uint64_t ns, uint32_t row,
                uint32_t process)
{
    struct cpu_rows *all = context;
    struct rln__cpu_split split;
    struct cpu_row *rows;

    (void)process;
    rows = rln__grow_to(all->rows, &all->n, &all->capacity, row, sizeof(*rows));
    if (!rows)
        return -1;
    all->rows = rows;
    split = rln__cpu_times_of_range(&all->times, c->thread, c->start_ns, c->end_ns);
    rln__cpu_split_add(&rows[row].split, &split);
    rows[row].total_ns += ns;
    rows[row].n_ranges++;
    return 0;
}

/* --- Rows ------------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct cpu_row *x = a, *y = b;
    int order;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                 y->is_default_domain, y->domain_name);
    if (!order)
        order = rln__compare_text(x->message, y->message);
    return order ? order : (int)x->style - (int)y->style;
}

static void name_row(struct cpu_row *row, const struct rln__summary_row *of,
                     const struct rln__names *names)
{
    row->domain_name =
        rln__strings_get(&names->strings, names->domains[of->domain].name);
    row->message = rln__strings_get(&names->strings, of->message);
    row->style = of->style;
    row->is_default_domain = of->domain == 0;
}

/* Drops names without ranges, and sorts the others. */
static void sort(struct cpu_rows *all, const struct rln__summary *s)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++) {
        if (!all->rows[i].n_ranges)
            continue;
        all->rows[n] = all->rows[i];
        name_row(&all->rows[n++], &s->rows[i], &s->reader->names);
    }
    all->n = n;
    if (n)
        qsort(all->rows, n, sizeof(*all->rows), by_total);
}

static void put_row(rln_report *out, const struct cpu_row *row, uint64_t whole_ns)
{
    rln__report_put_percent(out, row->total_ns, whole_ns);
    rln__report_put_ns(out, row->total_ns);
    rln__report_put_count(out, row->n_ranges);
    rln__report_put_percent(out, row->split.on_ns, row->total_ns);
    rln__report_put_split(out, &row->split);
    rln__report_put_style(out, row->style);
    rln__report_put_qualified(out, row->domain_name, row->message);
}

static void put_rows(rln_report *out, const struct cpu_rows *all)
{
    uint64_t whole_ns = 0;

    for (size_t i = 0; i < all->n; i++)
        whole_ns += all->rows[i].total_ns;
    for (size_t i = 0; i < all->n; i++)
        put_row(out, &all->rows[i], whole_ns);
}

/* Of merged sums. */
static void put_stats(rln_report *out, const struct rln__stats *stats)
{
    const struct rln__stats_row *of;
    uint64_t whole_ns = 0;

    for (size_t i = 0; (of = rln__stats_at(stats, i)); i++)
        whole_ns += of->total_ns;
    for (size_t i = 0; (of = rln__stats_at(stats, i)); i++) {
        const struct cpu_row row = {
            of->split,   of->total_ns, of->n_ranges,         of->domain_name,
            of->message, of->style,    of->is_default_domain};

        put_row(out, &row, whole_ns);
    }
}

static rln_status read_rows(const struct rln__report_source *source,
                            struct cpu_rows *all, rln_report *out)
{
    const struct rln__summary_taker taker = {all, take};
    struct rln__summary summary;
    const rln_status status =
        rln__summary_read_names_to(&summary, source->reader, &taker, source->err);

    if (status)
        return status;
    sort(all, &summary);
    put_rows(out, all);
    rln__summary_clear(&summary);
    return RLN_OK;
}

static rln_status build_cpu_sum(const struct rln__report_source *source,
                                rln_report *out)
{
    struct cpu_rows all = {0};
    rln_status status;

    if (source->parts) {
        if (source->parts->has_cpu_times)
            put_stats(out, source->stats);
        return RLN_OK;
    }
    if (!rln__has_cpu_times(source->reader, RLN__NONE))
        return RLN_OK;
    status = rln__cpu_times_load(&all.times, source->reader, source->err);
    if (!status)
        status = read_rows(source, &all, out);
    rln__free(all.rows);
    rln__cpu_times_clear(&all.times);
    return status;
}

static const rln_report_column columns[] = {
    RLN__NUMBERS("Time (%)"),
    RLN__TIMES("Total Time"),
    RLN__NUMBERS("Instances"),
    RLN__NUMBERS("On CPU (%)"),
    RLN__SPLIT,
    RLN__TEXTS("Style"),
    RLN__TEXTS("Range"),
};

const struct rln__report_kind rln__report_cpu_sum = {
    .about =
        {.name = "cpu_sum",
         .title = "Processor Time Summary",
         .help = "time of ranges on a processor, preempted and blocked, by name",
         .subject = "context switches",
         .details =
             "One row per name, domain and style, the longest Total Time first; it "
             "is On CPU + Preempted + Blocked + Unknown. On CPU: the range's thread "
             "was on a processor; in a virtual machine, that includes time that the "
             "host "
             "took. Preempted: it could have gone on, but others had the processor. "
             "Blocked: it waited for something else, and then, "
             "perhaps, to get a processor again. Unknown: switches were lost, or "
             "those of its thread were not recorded, or the range is deferred; or the "
             "kernel refused to record "
             "any, and readings of clocks do not say it of all of a range. "
             "The thread of a start/end "
             "range is the one that began it. Ranges inside others count in full, "
             "so totals overlap."},
    .build = build_cpu_sum,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_PARTS,
};
