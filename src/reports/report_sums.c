/* SPDX-License-Identifier: Apache-2.0 */
/* report_sums.c - the reports of marks, categories, counters, payloads, locks and
 * ranks.
 */
#include "reports/report_list.h"

#include <string.h>

#include "base/fail.h"

/* --- Marks ------------------------------------------------------------------------ */

static const rln_report_column marks[] = {
    RLN__NUMBERS("Instances"),  RLN__NUMBERS("Per s"),      RLN__TIMES("First"),
    RLN__TIMES("Last"),         RLN__TIMES("Avg Distance"), RLN__TIMES("Min Distance"),
    RLN__TIMES("Max Distance"), RLN__TEXTS("Mark"),
};

/* A single mark has none. */
static void add_distances(rln_report *out, const rln_mark_row *row)
{
    if (row->n_marks < 2) {
        for (int i = 0; i < 3; i++)
            rln__report_put_empty(out);
        return;
    }
    rln__report_put_mean(out, row->mean_distance_ns);
    rln__report_put_ns(out, row->min_distance_ns);
    rln__report_put_ns(out, row->max_distance_ns);
}

static rln_status build_marks(const struct rln__report_source *source, rln_report *out)
{
    const rln_mark_row *row;

    for (size_t i = 0; (row = rln_sums_mark(source->sums, i)); i++) {
        rln__report_put_count(out, row->n_marks);
        if (row->per_s > 0)
            rln__report_put_about(out, row->per_s);
        else
            rln__report_put_empty(out);
        rln__report_put_time(out, row->first_ns);
        rln__report_put_time(out, row->last_ns);
        add_distances(out, row);
        rln__report_put_qualified(out, row->domain_name, row->message);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_mark_sum = {
    .about = {.name = "mark_sum",
              .title = "Mark Summary",
              .help = "marks, by name",
              .subject = "marks"},
    .build = build_marks,
    RLN__COLUMNS(marks),
    .sums = RLN_SUM_MARKS,
};

/* --- Categories ------------------------------------------------------------------- */

static const rln_report_column categories[] = {
    RLN__NUMBERS("Time (%)"), RLN__TIMES("Total Time"), RLN__NUMBERS("Instances"),
    RLN__TIMES("Avg"),        RLN__TIMES("Med"),        RLN__TIMES("Min"),
    RLN__TIMES("Max"),        RLN__TIMES("StdDev"),     RLN__IDS("Number"),
    RLN__TEXTS("Category"),
};

static rln_status build_categories(const struct rln__report_source *source,
                                   rln_report *out)
{
    const rln_category_row *row;
    uint64_t total = 0;

    for (size_t i = 0; (row = rln_sums_category(source->sums, i)); i++)
        total += row->total_ns;
    for (size_t i = 0; (row = rln_sums_category(source->sums, i)); i++) {
        rln__report_put_percent(out, row->total_ns, total);
        rln__report_put_ns(out, row->total_ns);
        rln__report_put_count(out, row->n_ranges);
        rln__report_put_mean(out, row->average_ns);
        rln__report_put_mean(out, row->median_ns);
        rln__report_put_ns(out, row->min_ns);
        rln__report_put_ns(out, row->max_ns);
        rln__report_put_mean(out, row->stddev_ns);
        rln__report_put_id(out, row->category);
        rln__report_put_qualified(out, row->domain_name, row->name);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_category_sum = {
    .about = {.name = "category_sum",
              .title = "Category Summary",
              .help = "ranges of both styles, by category",
              .subject = "ranges with a category"},
    .build = build_categories,
    RLN__COLUMNS(categories),
    .sums = RLN_SUM_CATEGORIES,
};

/* --- Counters --------------------------------------------------------------------- */

static const rln_report_column counters[] = {
    RLN__NUMBERS("Samples"), RLN__NUMBERS("Gaps"),
    RLN__NUMBERS("Min"),     RLN__NUMBERS("Avg"),
    RLN__TEXTS("Over"),      RLN__NUMBERS("Max"),
    RLN__NUMBERS("Last"),    RLN__NUMBERS("Integral (Unit*s)"),
    RLN__TEXTS("Unit"),      RLN__TEXTS("Scope"),
    RLN__IDS("PID"),         RLN__TEXTS("Counter"),
};

/* Integers have all their digits. */
static void add_bits(rln_report *out, uint8_t type, uint64_t bits)
{
    double number;

    if (type == RLN_PAYLOAD_DOUBLE) {
        memcpy(&number, &bits, sizeof(number));
        rln__report_put_number(out, number);
        return;
    }
    rln__report_put_integer(out, type, bits);
}

static void add_level(rln_report *out, const rln_counter_row *row, uint64_t bits)
{
    if (row->n_samples)
        add_bits(out, row->type, bits);
    else
        rln__report_put_empty(out);
}

/* "domain:counter.field", or the id of a counter without a name */
static void add_counter_name(rln_report *out, const rln_counter_row *row)
{
    rln__buf_add(rln__report_text(out), row->domain_name.bytes,
                 row->domain_name.length);
    rln__buf_char(rln__report_text(out), ':');
    rln__buf_add(rln__report_text(out), row->name.bytes, row->name.length);
    if (!row->name.length)
        rln__buf_u64(rln__report_text(out), row->id);
    if (row->field.length) {
        rln__buf_char(rln__report_text(out), '.');
        rln__buf_add(rln__report_text(out), row->field.bytes, row->field.length);
    }
    rln__report_put_cached_text(out);
}

static rln_status build_counters(const struct rln__report_source *source,
                                 rln_report *out)
{
    const rln_counter_row *row;

    for (size_t i = 0; (row = rln_sums_counter(source->sums, i)); i++) {
        rln__report_put_count(out, row->n_samples);
        rln__report_put_count(out, row->n_gaps);
        add_level(out, row, row->min_bits);
        if (row->n_samples)
            rln__report_put_number(out, row->mean);
        else
            rln__report_put_empty(out);
        rln__report_put_word(out, row->is_time_weighted ? "time" : "samples");
        add_level(out, row, row->max_bits);
        add_level(out, row, row->last_bits);
        if (row->is_time_weighted)
            rln__report_put_number(out, row->integral);
        else
            rln__report_put_empty(out);
        rln__report_put_name(out, row->unit);
        rln__report_put_name(out, row->scope);
        rln__report_put_id(out, row->pid);
        add_counter_name(out, row);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_counter_sum = {
    .about = {.name = "counter_sum",
              .title = "Counter Summary",
              .help = "values of counters, by name and field",
              .subject = "samples of counters"},
    .build = build_counters,
    RLN__COLUMNS(counters),
    .sums = RLN_SUM_COUNTERS,
};

/* --- Payloads --------------------------------------------------------------------- */

static const rln_report_column payloads[] = {
    RLN__NUMBERS("Instances"), RLN__NUMBERS("Total"),       RLN__NUMBERS("Avg"),
    RLN__NUMBERS("Min"),       RLN__NUMBERS("Max"),         RLN__TIMES("Time"),
    RLN__TIMES("Time/Unit"),   RLN__NUMBERS("Correlation"), RLN__TEXTS("Field"),
    RLN__TEXTS("Range"),
};

static rln_status build_payloads(const struct rln__report_source *source,
                                 rln_report *out)
{
    const rln_payload_row *row;

    for (size_t i = 0; (row = rln_sums_payload(source->sums, i)); i++) {
        rln__report_put_count(out, row->n_ranges);
        rln__report_put_number(out, row->total);
        rln__report_put_number(out, row->mean);
        add_bits(out, row->type, row->min_bits);
        add_bits(out, row->type, row->max_bits);
        rln__report_put_ns(out, row->total_ns);
        if (row->has_ns_per_unit)
            rln__report_put_rate(out, row->ns_per_unit);
        else
            rln__report_put_empty(out);
        if (row->has_correlation)
            rln__report_put_fixed(out, row->correlation, 3);
        else
            rln__report_put_empty(out);
        if (row->field.length)
            rln__report_put_name(out, row->field);
        else
            rln__report_put_word(out, "payload");
        rln__report_put_qualified(out, row->domain_name, row->message);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_payload_sum = {
    .about = {.name = "payload_sum",
              .title = "Payload Summary",
              .help = "payload values of ranges, by name and field",
              .subject = "ranges with payloads"},
    .build = build_payloads,
    RLN__COLUMNS(payloads),
    .sums = RLN_SUM_PAYLOADS,
};

/* --- Synchronization objects ------------------------------------------------------ */

static const rln_report_column sync_objects[] = {
    RLN__TIMES("Waiting"),     RLN__NUMBERS("Waits"),     RLN__TIMES("Avg Waiting"),
    RLN__TIMES("Max Waiting"), RLN__NUMBERS("Gave Up"),   RLN__NUMBERS("Acquired"),
    RLN__TIMES("Holding"),     RLN__TIMES("Max Holding"), RLN__NUMBERS("Threads"),
    RLN__IDS("PID"),           RLN__IDS("Number"),        RLN__TEXTS("Object"),
};

static rln_status build_sync(const struct rln__report_source *source, rln_report *out)
{
    const rln_sync_row *row;

    for (size_t i = 0; (row = rln_sums_sync(source->sums, i)); i++) {
        rln__report_put_ns(out, row->waiting_ns);
        rln__report_put_count(out, row->n_waits);
        rln__report_put_mean(
            out, row->n_waits ? (double)row->waiting_ns / (double)row->n_waits : 0);
        rln__report_put_ns(out, row->max_waiting_ns);
        rln__report_put_count(out, row->n_gave_up);
        rln__report_put_count(out, row->n_acquired);
        rln__report_put_ns(out, row->holding_ns);
        rln__report_put_ns(out, row->max_holding_ns);
        rln__report_put_count(out, row->n_threads);
        rln__report_put_id(out, row->pid);
        rln__report_put_id(out, row->object);
        rln__report_put_qualified(out, row->domain_name, row->name);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_sync_sum = {
    .about = {.name = "sync_sum",
              .title = "Synchronization Object Summary",
              .help = "waiting and holding times of locks, by object",
              .subject = "synchronization objects"},
    .build = build_sync,
    RLN__COLUMNS(sync_objects),
    .sums = RLN_SUM_SYNC,
};
