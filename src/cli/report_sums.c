/* SPDX-License-Identifier: Apache-2.0 */
/* report_sums.c - the reports that Nsight Systems does not have. */
#include "cli/report.h"

#include <string.h>

#include "base/fail.h"

/* --- Marks ------------------------------------------------------------------------ */

static const struct rln__column marks[] = {
    {"Instances", RLN__NUMBER},        {"Per s", RLN__NUMBER},
    {"First (@)", RLN__NUMBER},        {"Last (@)", RLN__NUMBER},
    {"Avg Distance (@)", RLN__NUMBER}, {"Min Distance (@)", RLN__NUMBER},
    {"Max Distance (@)", RLN__NUMBER}, {"Mark", RLN__TEXT},
};

/* A single mark has none. */
static void add_distances(struct rln__table *t, const struct rln__report_look *look,
                          const rln_mark_row *row)
{
    if (row->n_marks < 2) {
        for (int i = 0; i < 3; i++)
            rln__table_cell(t);
        return;
    }
    rln__cell_computed(t, look, row->mean_distance_ns);
    rln__cell_ns(t, look, row->min_distance_ns);
    rln__cell_ns(t, look, row->max_distance_ns);
}

bool rln__fill_marks(const struct rln__report *report,
                     const struct rln__report_data *data,
                     const struct rln__report_look *look, struct rln__table *t)
{
    const rln_mark_row *row;

    (void)report;
    rln__table_init(t, marks, RLN_COUNT(marks));
    for (size_t i = 0; (row = rln_sums_mark(data->sums, i)); i++) {
        rln__cell_count(t, look, row->n_marks);
        if (row->per_s > 0)
            rln__cell_rounded(t, look, row->per_s);
        else
            rln__table_cell(t);
        rln__cell_moment(t, look, row->first_ns);
        rln__cell_moment(t, look, row->last_ns);
        add_distances(t, look, row);
        rln__cell_qualified(t, row->domain_name, row->message);
    }
    return rln_sums_mark(data->sums, 0) != NULL;
}

/* --- Categories ------------------------------------------------------------------- */

static const struct rln__column categories[] = {
    {"Time (%)", RLN__NUMBER},  {"Total Time (@)", RLN__NUMBER},
    {"Instances", RLN__NUMBER}, {"Avg (@)", RLN__NUMBER},
    {"Med (@)", RLN__NUMBER},   {"Min (@)", RLN__NUMBER},
    {"Max (@)", RLN__NUMBER},   {"StdDev (@)", RLN__NUMBER},
    {"Number", RLN__ID},        {"Category", RLN__TEXT},
};

bool rln__fill_categories(const struct rln__report *report,
                          const struct rln__report_data *data,
                          const struct rln__report_look *look, struct rln__table *t)
{
    const rln_category_row *row;
    uint64_t total = 0;

    (void)report;
    rln__table_init(t, categories, RLN_COUNT(categories));
    for (size_t i = 0; (row = rln_sums_category(data->sums, i)); i++)
        total += row->total_ns;
    for (size_t i = 0; (row = rln_sums_category(data->sums, i)); i++) {
        rln__cell_percent(t, row->total_ns, total);
        rln__cell_ns(t, look, row->total_ns);
        rln__cell_count(t, look, row->n_ranges);
        rln__cell_computed(t, look, row->average_ns);
        rln__cell_computed(t, look, row->median_ns);
        rln__cell_ns(t, look, row->min_ns);
        rln__cell_ns(t, look, row->max_ns);
        rln__cell_computed(t, look, row->stddev_ns);
        rln__cell_plain(t, row->category, true);
        rln__cell_qualified(t, row->domain_name, row->name);
    }
    return rln_sums_category(data->sums, 0) != NULL;
}

/* --- Counters --------------------------------------------------------------------- */

static const struct rln__column counters[] = {
    {"Samples", RLN__NUMBER}, {"Gaps", RLN__NUMBER},
    {"Min", RLN__NUMBER},     {"Avg", RLN__NUMBER},
    {"Over", RLN__TEXT},      {"Max", RLN__NUMBER},
    {"Last", RLN__NUMBER},    {"Integral (Unit*s)", RLN__NUMBER},
    {"Unit", RLN__TEXT},      {"Scope", RLN__TEXT},
    {"PID", RLN__ID},         {"Counter", RLN__TEXT},
};

/* Integers have all their digits. */
static void add_bits(struct rln__table *t, const struct rln__report_look *look,
                     uint8_t type, uint64_t bits)
{
    double number;

    if (type == RLN_PAYLOAD_DOUBLE) {
        memcpy(&number, &bits, sizeof(number));
        rln__cell_number(t, look, number);
        return;
    }
    rln__cell_integer(t, look, type, bits);
}

static void add_level(struct rln__table *t, const struct rln__report_look *look,
                      const rln_counter_row *row, uint64_t bits)
{
    if (row->n_samples)
        add_bits(t, look, row->type, bits);
    else
        rln__table_cell(t);
}

/* "domain:counter.field", or the id of a counter without a name */
static void add_counter_name(struct rln__table *t, const rln_counter_row *row)
{
    rln__buf_add(&t->text, row->domain_name.bytes, row->domain_name.length);
    rln__buf_char(&t->text, ':');
    rln__buf_add(&t->text, row->name.bytes, row->name.length);
    if (!row->name.length)
        rln__buf_u64(&t->text, row->id);
    if (row->field.length) {
        rln__buf_char(&t->text, '.');
        rln__buf_add(&t->text, row->field.bytes, row->field.length);
    }
    rln__table_cell(t);
}

bool rln__fill_counters(const struct rln__report *report,
                        const struct rln__report_data *data,
                        const struct rln__report_look *look, struct rln__table *t)
{
    const rln_counter_row *row;

    (void)report;
    rln__table_init(t, counters, RLN_COUNT(counters));
    for (size_t i = 0; (row = rln_sums_counter(data->sums, i)); i++) {
        rln__cell_count(t, look, row->n_samples);
        rln__cell_count(t, look, row->n_gaps);
        add_level(t, look, row, row->min_bits);
        if (row->n_samples)
            rln__cell_number(t, look, row->mean);
        else
            rln__table_cell(t);
        rln__cell_text(t, row->is_time_weighted ? "time" : "samples");
        add_level(t, look, row, row->max_bits);
        add_level(t, look, row, row->last_bits);
        if (row->is_time_weighted)
            rln__cell_number(t, look, row->integral);
        else
            rln__table_cell(t);
        rln__cell_name(t, row->unit);
        rln__cell_name(t, row->scope);
        rln__cell_plain(t, row->pid, true);
        add_counter_name(t, row);
    }
    return rln_sums_counter(data->sums, 0) != NULL;
}

/* --- Payloads --------------------------------------------------------------------- */

static const struct rln__column payloads[] = {
    {"Instances", RLN__NUMBER},     {"Total", RLN__NUMBER},
    {"Avg", RLN__NUMBER},           {"Min", RLN__NUMBER},
    {"Max", RLN__NUMBER},           {"Time (@)", RLN__NUMBER},
    {"Time/Unit (@)", RLN__NUMBER}, {"Correlation", RLN__NUMBER},
    {"Field", RLN__TEXT},           {"Range", RLN__TEXT},
};

bool rln__fill_payloads(const struct rln__report *report,
                        const struct rln__report_data *data,
                        const struct rln__report_look *look, struct rln__table *t)
{
    const rln_payload_row *row;

    (void)report;
    rln__table_init(t, payloads, RLN_COUNT(payloads));
    for (size_t i = 0; (row = rln_sums_payload(data->sums, i)); i++) {
        rln__cell_count(t, look, row->n_ranges);
        rln__cell_number(t, look, row->total);
        rln__cell_number(t, look, row->mean);
        add_bits(t, look, row->type, row->min_bits);
        add_bits(t, look, row->type, row->max_bits);
        rln__cell_ns(t, look, row->total_ns);
        if (row->has_ns_per_unit)
            rln__cell_rate(t, look, row->ns_per_unit);
        else
            rln__table_cell(t);
        if (row->has_correlation)
            rln__buf_format(&t->text, "%.3f", row->correlation);
        rln__table_cell(t);
        if (row->field.length)
            rln__cell_name(t, row->field);
        else
            rln__cell_text(t, "payload");
        rln__cell_qualified(t, row->domain_name, row->message);
    }
    return rln_sums_payload(data->sums, 0) != NULL;
}

/* --- Synchronisation objects ------------------------------------------------------ */

static const struct rln__column sync_objects[] = {
    {"Waiting (@)", RLN__NUMBER},
    {"Waits", RLN__NUMBER},
    {"Avg Waiting (@)", RLN__NUMBER},
    {"Max Waiting (@)", RLN__NUMBER},
    {"Gave Up", RLN__NUMBER},
    {"Acquired", RLN__NUMBER},
    {"Holding (@)", RLN__NUMBER},
    {"Max Holding (@)", RLN__NUMBER},
    {"Threads", RLN__NUMBER},
    {"PID", RLN__ID},
    {"Number", RLN__ID},
    {"Object", RLN__TEXT},
};

bool rln__fill_sync(const struct rln__report *report,
                    const struct rln__report_data *data,
                    const struct rln__report_look *look, struct rln__table *t)
{
    const rln_sync_row *row;

    (void)report;
    rln__table_init(t, sync_objects, RLN_COUNT(sync_objects));
    for (size_t i = 0; (row = rln_sums_sync(data->sums, i)); i++) {
        rln__cell_ns(t, look, row->waiting_ns);
        rln__cell_count(t, look, row->n_waits);
        rln__cell_computed(
            t, look, row->n_waits ? (double)row->waiting_ns / (double)row->n_waits : 0);
        rln__cell_ns(t, look, row->max_waiting_ns);
        rln__cell_count(t, look, row->n_gave_up);
        rln__cell_count(t, look, row->n_acquired);
        rln__cell_ns(t, look, row->holding_ns);
        rln__cell_ns(t, look, row->max_holding_ns);
        rln__cell_count(t, look, row->n_threads);
        rln__cell_plain(t, row->pid, true);
        rln__cell_plain(t, row->object, true);
        rln__cell_qualified(t, row->domain_name, row->name);
    }
    return rln_sums_sync(data->sums, 0) != NULL;
}
