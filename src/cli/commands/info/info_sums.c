/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/info/info_sums.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "base/human_units.h"
#include "table/table.h"

static void add_start(struct rln__buf *buf, int64_t realtime_ns, bool is_json)
{
    const time_t seconds = (time_t)(realtime_ns / 1000000000);
    struct tm tm;
    char text[64];

    if (is_json)
        rln__buf_format(buf, "%" PRId64, realtime_ns);
    else if (localtime_r(&seconds, &tm) &&
             strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
        rln__buf_text(buf, text);
}

/* A trace of several runs has a number for each of them: the first. */
static void add_row(struct rln__table *table,
                    const struct rln__reduced_trace_info *trace, size_t number,
                    bool is_json)
{
    struct rln__buf *text = &table->text;
    const uint64_t span_ns =
        (uint64_t)trace->last_realtime_ns - (uint64_t)trace->first_realtime_ns;

    rln__buf_format(text, "%zu", number);
    rln__table_cell(table);
    if (trace->n_ranks)
        rln__buf_format(text, "%" PRIu32, trace->first_rank);
    rln__table_cell(table);
    rln__buf_format(text, "%zu", trace->n_ranks);
    rln__table_cell(table);
    rln__buf_add(text, trace->host.bytes, trace->host.length);
    rln__table_cell(table);
    add_start(text, trace->start_realtime_ns, is_json);
    rln__table_cell(table);
    if (is_json)
        rln__buf_format(text, "%" PRIu64, span_ns);
    else
        rln__buf_duration(text, (double)span_ns);
    rln__table_cell(table);
    rln__buf_format(text, "%" PRIu64, trace->n_events);
    rln__table_cell(table);
    rln__buf_add(text, trace->name.bytes, trace->name.length);
    rln__table_cell(table);
}

void rln__info_sums(struct rln__buf *buf, const struct rln__input_traces *inputs,
                    bool is_json)
{
    const struct rln__column columns[] = {
        {"Trace", RLN__ID},
        {"Rank", RLN__ID},
        {"Ranks", RLN__NUMBER},
        {"Host", RLN__TEXT},
        {"Start (@)", is_json ? RLN__ID : RLN__TEXT},
        {"Span (@)", RLN__NUMBER},
        {"Events", RLN__NUMBER},
        {"Name", RLN__PATH},
    };
    struct rln__reduced *sums = inputs->reduced;
    const struct rln__reduced_trace_info *trace;
    struct rln__table table = {0};
    size_t number = 0;

    rln__table_init(&table, columns, RLN_COUNT(columns));
    table.unit = is_json ? "ns" : NULL;
    for (size_t i = 0; (trace = rln__reduced_trace_at(sums, i)); i++) {
        add_row(&table, trace, number, is_json);
        number += trace->n_parts;
    }
    if (!is_json) {
        rln__buf_format(buf, "sums of %zu trace%s", rln__reduced_count_traces(sums),
                        rln__reduced_count_traces(sums) == 1 ? "" : "s");
        if (*rln__reduced_filters(sums))
            rln__buf_format(buf, ", filters: %s", rln__reduced_filters(sums));
        if (*rln__reduced_renames(sums))
            rln__buf_format(buf, ", names: %s", rln__reduced_renames(sums));
        if (*rln__reduced_steps(sums))
            rln__buf_format(buf, ", steps: %s", rln__reduced_steps(sums));
        rln__buf_text(buf, "\n\n");
    }
    rln__table_print(&table, is_json ? RLN__FORMAT_JSON : RLN__FORMAT_COLUMN, buf);
    rln__table_clear(&table);
}
