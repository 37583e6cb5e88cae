/* SPDX-License-Identifier: Apache-2.0 */
/* counter_sum.c - levels of counters over time.
 *
 *   raw value --normalize, scale--> units --add up changes--> level
 *
 *        v1      v2           until next  v1 counts between the two samples
 *        o-------o            since last  v2 does
 *       t1       t2           linear      their mean does
 *
 * Integers stay integers unless they are normalized or scaled. A sample without a value
 * is a gap, unless it means zero or unchanged: its time counts, its level does not. A
 * sample whose level is infinite or NaN is a gap, too. Samples that cannot be placed in
 * time are left out.
 */
#include "reports/counter_sum.h"
#include "base/alloc.h"
#include "rangeline/values.h"
#include "reports/domain_order.h"
#include "reports/report_list.h"
#include "reports/sums.h"
#include "trace/payload/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct level {
    double number;
    int64_t integer; /* if the row is of integers; a U64's bits */
};

struct rln__counter_item {
    struct rln__counter_row row;
    const rln_counter *counter;     /* borrowed from the iteration: not used after it */
    const rln_semantics *semantics; /* the same */
    rln_sample_value raw;           /* the last one */
    struct level level;
    struct rln__exact levels, area; /* of all samples; level x ns */
    double covered_ns;
    int64_t t_ns;  /* of the last sample, with or without a value */
    uint32_t next; /* item of the same counter; + 1 */
    uint8_t has_raw, has_level;
};

/* --- Rows ------------------------------------------------------------------------- */

static struct rln__counter_row new_row(const rln_counter *counter,
                                       const rln_sample_value *value)
{
    const rln_semantics *m = value->semantics;

    return (struct rln__counter_row){
        .is_default_domain = counter->domain == 0,
        .domain_name = counter->domain_name,
        .name = counter->name,
        .field = value->name,
        .unit = m->unit,
        .scope = m->scope.length ? m->scope : counter->scope,
        .id = counter->id,
        .process = counter->process,
        .pid = counter->pid,
        .type = m->full_scale > 0 || m->scale != 1 ? RLN_PAYLOAD_DOUBLE : value->type,
        .value_type = m->value_type,
        .interpolation = m->interpolation,
    };
}

static struct rln__counter_item *item_of(struct rln__counter_sum *s,
                                         const rln_counter *counter,
                                         const rln_sample_value *value)
{
    const uint64_t address = (uint64_t)(uintptr_t)counter;
    const struct rln__key key = {{address, rln__key_of_text(value->name)}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    const size_t n_known = s->n;
    struct rln__counter_item *item =
        rln__key_index_item(&s->items, &s->n, &s->capacity, number, sizeof(*item));

    if (!item || number < n_known)
        return item;
    *item = (struct rln__counter_item){
        .row = new_row(counter, value),
        .counter = counter,
        .semantics = value->semantics,
        .next = (uint32_t)rln__map_get(&s->by_counter, address),
    };
    return rln__map_put(&s->by_counter, address, s->n) ? NULL : item;
}

/* --- Levels ----------------------------------------------------------------------- */

/* Integers do not wrap: they stop at the ends of their type. */
static int64_t add_change(int64_t level, int64_t change, int is_unsigned)
{
    int64_t sum;

    if (is_unsigned) {
        const uint64_t a = (uint64_t)level, b = (uint64_t)change;

        return (int64_t)(a + b < a ? UINT64_MAX : a + b);
    }
    if (__builtin_add_overflow(level, change, &sum))
        return change < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

static struct level level_of(const struct rln__counter_item *item,
                             const rln_sample_value *raw)
{
    const rln_semantics *m = item->semantics;
    const struct rln__counter_row *row = &item->row;
    const int adds_up = row->value_type == RLN_VALUE_DELTA;
    struct level level = {rln__number_double(raw->type, raw->bits), 0};

    /* The types may differ: a counter can be sampled by calls of both types. */
    if (row->type != RLN_PAYLOAD_DOUBLE && raw->type != RLN_PAYLOAD_DOUBLE) {
        level.integer = (int64_t)raw->bits;
        if (adds_up)
            level.integer = add_change(item->level.integer, level.integer,
                                       row->type == RLN_PAYLOAD_U64);
        level.number = rln__number_double(row->type, (uint64_t)level.integer);
        return level;
    }
    if (m->full_scale > 0) {
        level.number /= m->full_scale;
        if (level.number < -1)
            level.number = -1; /* two's complement has one more below */
    }
    level.number *= m->scale;
    if (adds_up)
        level.number += item->level.number;
    return level;
}

/* The first floating-point value makes the row one of doubles. */
static void become_double(struct rln__counter_row *row)
{
    row->min_bits = rln__number_bits(rln__number_double(row->type, row->min_bits));
    row->max_bits = rln__number_bits(rln__number_double(row->type, row->max_bits));
    row->last_bits = rln__number_bits(rln__number_double(row->type, row->last_bits));
    row->type = RLN_PAYLOAD_DOUBLE;
}

/* A row has the type of its first sample; "zero", which has none, counts as signed
 * until another comes. */
static void agree_on_type(struct rln__counter_row *row, const rln_sample_value *raw)
{
    if (row->type == RLN_PAYLOAD_DOUBLE || row->type == raw->type)
        return;
    if (raw->type == RLN_PAYLOAD_U64 && (int64_t)row->min_bits >= 0)
        row->type = RLN_PAYLOAD_U64;
    else if (raw->type == RLN_PAYLOAD_DOUBLE || (int64_t)raw->bits < 0)
        become_double(row);
}

static uint64_t bits_of(const struct rln__counter_row *row, const struct level *level)
{
    return row->type == RLN_PAYLOAD_DOUBLE ? rln__number_bits(level->number)
                                           : (uint64_t)level->integer;
}

/* The stretch from the previous sample to this one; `now` is NULL in a gap. */
static void add_area(struct rln__counter_item *item, const struct level *now,
                     int64_t t_ns)
{
    const uint8_t by = item->row.interpolation;
    const double ns = (double)(t_ns - item->t_ns);
    const double before = item->level.number;
    double height;

    if (by == RLN_INTERPOLATION_UNTIL_NEXT && item->has_level)
        height = before;
    else if (by == RLN_INTERPOLATION_SINCE_LAST && now)
        height = now->number;
    else if (by == RLN_INTERPOLATION_LINEAR && now && item->has_level)
        height = before + (now->number - before) / 2;
    else
        return;
    rln__exact_add(&item->area, height * ns);
    item->covered_ns += ns;
}

static void add_gap(struct rln__counter_item *item, int64_t t_ns)
{
    struct rln__counter_row *row = &item->row;

    if (row->n_samples + row->n_gaps)
        add_area(item, NULL, t_ns);
    row->n_gaps++;
    item->has_level = 0;
    item->t_ns = t_ns;
}

static void add_sample(struct rln__counter_item *item, const rln_sample_value *raw,
                       int64_t t_ns)
{
    struct rln__counter_row *row = &item->row;
    struct level level;
    uint64_t bits;

    agree_on_type(row, raw);
    level = level_of(item, raw);
    if (!isfinite(level.number)) {
        add_gap(item, t_ns);
        return;
    }
    bits = bits_of(row, &level);
    if (row->n_samples + row->n_gaps)
        add_area(item, &level, t_ns);
    if (row->n_samples == 0 || rln__number_is_less(row->type, bits, row->min_bits))
        row->min_bits = bits;
    if (row->n_samples == 0 || rln__number_is_less(row->type, row->max_bits, bits))
        row->max_bits = bits;
    row->n_samples++;
    row->last_bits = bits;
    rln__exact_add(&item->levels, level.number);
    item->level = level;
    item->raw = *raw;
    item->has_raw = item->has_level = 1;
    item->t_ns = t_ns;
}

static int add_no_value(struct rln__counter_sum *s, const rln_event *e)
{
    const uint64_t address = (uint64_t)(uintptr_t)e->counter;
    rln_sample_value zero = {{NULL, 0}, RLN_PAYLOAD_I64, 0, &e->counter->semantics};

    /* A group's fields are known from its first sample with values. */
    if (!rln__map_get(&s->by_counter, address) && !e->counter->is_group &&
        !item_of(s, e->counter, &zero))
        return -1;
    for (uint64_t at = rln__map_get(&s->by_counter, address); at;
         at = s->items[at - 1].next) {
        struct rln__counter_item *item = &s->items[at - 1];
        const rln_sample_value last = item->raw;

        zero.type = item->row.type;
        if (e->no_value == RLN_NO_VALUE_ZERO)
            add_sample(item, &zero, e->t_ns);
        else if (e->no_value == RLN_NO_VALUE_UNCHANGED && item->has_raw)
            add_sample(item, &last, e->t_ns);
        else
            add_gap(item, e->t_ns);
    }
    return 0;
}

int rln__counter_sum_add(struct rln__counter_sum *s, const rln_event *e)
{
    if (e->type != RLN_EVENT_SAMPLE || (e->flags & RLN_FLAG_UNPLACED))
        return 0;
    if (e->no_value)
        return add_no_value(s, e);
    for (size_t i = 0; i < e->n_values; i++) {
        rln_sample_value value = e->values[i];
        struct rln__counter_item *item;

        if (value.type == RLN_PAYLOAD_FLOAT) {
            value.bits = rln__number_bits(rln__number_double(value.type, value.bits));
            value.type = RLN_PAYLOAD_DOUBLE;
        }
        item = item_of(s, e->counter, &value);
        if (!item)
            return -1;
        add_sample(item, &value, e->t_ns);
    }
    return 0;
}

/* --- The end ---------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct rln__counter_row *x = a, *y = b;
    int order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                     y->is_default_domain, y->domain_name);

    if (!order)
        order = rln__compare_text(x->name, y->name);
    if (!order)
        order = (x->process > y->process) - (x->process < y->process);
    if (!order)
        order = (x->id > y->id) - (x->id < y->id);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

void rln__counter_sum_end(struct rln__counter_sum *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct rln__counter_item *item = &s->items[i];
        struct rln__counter_row *row = &s->items[i].row;

        row->order = (uint32_t)i;
        row->is_time_weighted = item->covered_ns > 0;
        if (row->is_time_weighted) {
            row->mean = rln__exact_total(&item->area) / item->covered_ns;
            row->integral = rln__exact_total(&item->area) / 1e9;
        } else if (row->n_samples) {
            row->mean = rln__exact_total(&item->levels) / (double)row->n_samples;
        }
    }
    if (s->n)
        qsort(s->items, s->n, sizeof(*s->items), by_name);
}

void rln__counter_sum_clear(struct rln__counter_sum *s)
{
    rln__key_index_clear(&s->keys);
    rln__map_clear(&s->by_counter);
    rln__free(s->items);
    memset(s, 0, sizeof(*s));
}

const struct rln__counter_row *rln__sums_counter(const struct rln__sums *s,
                                                 size_t index)
{
    return index < s->counters.n ? &s->counters.items[index].row : NULL;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column counters[] = {
    RLN__NUMBERS("Samples"), RLN__NUMBERS("Gaps"),
    RLN__NUMBERS("Min"),     RLN__NUMBERS("Avg"),
    RLN__TEXTS("Over"),      RLN__NUMBERS("Max"),
    RLN__NUMBERS("Last"),    RLN__NUMBERS("Integral (Unit*s)"),
    RLN__TEXTS("Unit"),      RLN__TEXTS("Scope"),
    RLN__IDS("PID"),         RLN__TEXTS("Counter"),
};

static void add_level(rln_report *out, const struct rln__counter_row *row,
                      uint64_t bits)
{
    rln__report_put_bits(out, row->type, bits);
    rln__report_only_if(out, row->n_samples > 0, 1);
}

/* "domain:counter.field", or the id of a counter without a name */
static void add_counter_name(rln_report *out, const struct rln__counter_row *row)
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
    rln__report_put_text(out);
}

static rln_status build_counters(const struct rln__report_source *source,
                                 rln_report *out)
{
    const struct rln__counter_row *row;

    for (size_t i = 0; (row = rln__sums_counter(source->sums, i)); i++) {
        rln__report_put_count(out, row->n_samples);
        rln__report_put_count(out, row->n_gaps);
        add_level(out, row, row->min_bits);
        rln__report_put_number(out, row->mean);
        rln__report_only_if(out, row->n_samples > 0, 1);
        rln__report_put_word(out, row->is_time_weighted ? "time" : "samples");
        add_level(out, row, row->max_bits);
        add_level(out, row, row->last_bits);
        rln__report_put_number(out, row->integral);
        rln__report_only_if(out, row->is_time_weighted, 1);
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
              .subject = "samples of counters",
              .details = "One row per counter, or field of a group, and process. Min, "
                         "Avg, Max and Last are in the counter's Unit. Over: what Avg "
                         "weighs, time if the program declares an interpolation, else "
                         "samples; the Integral needs one, too. Gaps: samples that say "
                         "that there is no value. Scope: what the counter belongs to."},
    .build = build_counters,
    RLN__COLUMNS(counters),
    .sums = RLN__SUM_COUNTERS,
};
