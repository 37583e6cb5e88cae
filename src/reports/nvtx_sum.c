/* SPDX-License-Identifier: Apache-2.0 */
/* nvtx_sum.c - how often each range ran, and how long it took: for both styles,
 * or for one. */
#include "reports/report_list.h"
#include "reports/summary/stats.h"

static int is_listed(const struct rln__report_source *source,
                     const struct rln__stats_row *row)
{
    return !source->kind->about.style || source->kind->about.style == row->style;
}

static void add_row(const struct rln__report_source *source,
                    const struct rln__stats_row *row, uint64_t total, rln_report *out)
{
    rln__report_put_percent(out, row->total_ns, total);
    rln__report_put_ns(out, row->total_ns);
    rln__report_put_count(out, row->n_ranges);
    rln__report_put_mean(out, row->average_ns);
    rln__report_put_mean(out, row->median_ns);
    rln__report_put_ns(out, row->min_ns);
    rln__report_put_ns(out, row->max_ns);
    rln__report_put_mean(out, row->stddev_ns);
    if (!source->kind->about.style)
        rln__report_put_style(out, row->style);
    rln__report_put_qualified(out, row->domain_name, row->message);
}

static rln_status build_summary(const struct rln__report_source *source,
                                rln_report *out)
{
    const struct rln__stats *stats = source->stats;
    uint64_t total = 0;

    for (size_t i = 0; i < rln__stats_count(stats); i++) {
        if (is_listed(source, rln__stats_at(stats, i)))
            total += rln__stats_at(stats, i)->total_ns;
    }
    for (size_t i = 0; i < rln__stats_count(stats); i++) {
        const struct rln__stats_row *row = rln__stats_at(stats, i);

        if (is_listed(source, row))
            add_row(source, row, total, out);
    }
    return RLN_OK;
}

#define RANGES "NV Tools Extension (NVTX) data"
static const rln_report_column both_styles[] = {
    RLN__TIME_COLUMNS("Instances"), RLN__TEXTS("Style"), RLN__TEXTS("Range")};
static const rln_report_column one_style[] = {RLN__TIME_COLUMNS("Instances"),
                                              RLN__TEXTS("Range")};

const struct rln__report_kind rln__report_nvtx_sum = {
    .about = {.name = "nvtx_sum",
              .title = "NVTX Range Summary",
              .help = "all ranges, by style and name",
              .subject = RANGES,
              .alias = "nvtxsum",
              .details =
                  "One row per name, domain and style, the longest Total Time "
                  "first. A range that was never closed counts up to the last "
                  "event of its trace; ends without a start are left out. Ranges "
                  "inside others count in full, so totals overlap. " RLN__TIME_DETAILS},
    .build = build_summary,
    RLN__COLUMNS(both_styles),
    .needs = RLN__NEEDS_PARTS,
};

const struct rln__report_kind rln__report_nvtx_pushpop_sum = {
    .about = {.name = "nvtx_pushpop_sum",
              .title = "NVTX Push/Pop Range Summary",
              .help = "push/pop ranges, by name",
              .subject = RANGES,
              .alias = "nvtxppsum",
              .style = RLN_RANGE_PUSH_POP,
              .details =
                  "One row per name and domain, as in nvtx_sum, of ranges opened "
                  "by a push and closed by a pop. Ranges inside others count in "
                  "full, so totals overlap. " RLN__TIME_DETAILS},
    .build = build_summary,
    RLN__COLUMNS(one_style),
    .needs = RLN__NEEDS_PARTS,
};

const struct rln__report_kind rln__report_nvtx_startend_sum = {
    .about = {.name = "nvtx_startend_sum",
              .title = "NVTX Start/End Range Summary",
              .help = "start/end ranges, by name",
              .subject = RANGES,
              .alias = "nvtxsesum",
              .older_alias = "nvtxsssum",
              .style = RLN_RANGE_START_END,
              .details =
                  "One row per name and domain, as in nvtx_sum, of ranges with a "
                  "start and an end, which may be on different threads. They may "
                  "overlap each other. " RLN__TIME_DETAILS},
    .build = build_summary,
    RLN__COLUMNS(one_style),
    .needs = RLN__NEEDS_PARTS,
};
