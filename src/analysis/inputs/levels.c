/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/inputs/levels.h"

#include <math.h>

#include "analysis/by_time.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/events.h"
#include "reports/check/info.h"
#include "trace/open/load.h"

/* NULL when there is no memory. */
static struct rln__gauge *gauge_of(struct rln__levels *levels, const rln_event *e,
                                   const rln_sample_value *value)
{
    const struct rln__key key = {
        {(uint64_t)(uintptr_t)e->counter, rln__key_of_text(value->name)}};
    const uint32_t number = rln__key_index_number(&levels->keys, &key);
    const size_t n_known = levels->n;
    struct rln__gauge *gauge = rln__key_index_item(
        &levels->gauges, &levels->n, &levels->capacity, number, sizeof(*gauge));

    if (gauge && number >= n_known)
        *gauge = (struct rln__gauge){
            .domain_name = e->counter->domain_name,
            .name = e->counter->name,
            .field = value->name,
            .unit = value->semantics->unit,
            .is_default_domain = e->counter->domain == 0,
            .adds_up = value->semantics->value_type == RLN_VALUE_DELTA,
            .process = e->process,
            .counter = e->counter,
        };
    return gauge;
}

static int add(struct rln__gauge *gauge, int64_t at_ns, double value)
{
    struct rln__level *level;

    if (!isfinite(value))
        return 0;
    if (gauge->adds_up)
        value = gauge->sum += value;
    level = rln__append(&gauge->levels, &gauge->n, &gauge->capacity, sizeof(*level));
    if (!level)
        return -1;
    *level = (struct rln__level){at_ns, value};
    return 0;
}

/* All fields that are known of a group. */
static int add_no_value(struct rln__levels *levels, const rln_event *e)
{
    for (size_t i = 0; i < levels->n; i++) {
        struct rln__gauge *gauge = &levels->gauges[i];

        if (gauge->counter != e->counter)
            continue;
        if (e->no_value == RLN_NO_VALUE_ZERO)
            gauge->last = 0;
        else if (e->no_value != RLN_NO_VALUE_UNCHANGED)
            continue;
        if (add(gauge, e->t_ns, gauge->last))
            return -1;
    }
    return 0;
}

static int add_sample(struct rln__levels *levels, rln__level_filter *matches,
                      const rln_event *e)
{
    const rln_sample_value zero = {.semantics = &e->counter->semantics};

    if (e->no_value == RLN_NO_VALUE_ZERO && !e->counter->is_group &&
        matches(e->counter->name, &zero.name, zero.semantics) &&
        !gauge_of(levels, e, &zero))
        return -1;
    if (e->no_value)
        return add_no_value(levels, e);
    for (size_t i = 0; i < e->n_values; i++) {
        struct rln__gauge *gauge;

        if (!matches(e->counter->name, &e->values[i].name, e->values[i].semantics))
            continue;
        gauge = gauge_of(levels, e, &e->values[i]);
        if (!gauge)
            return -1;
        gauge->last = rln_sample_in_unit(&e->values[i]);
        if (add(gauge, e->t_ns, gauge->last))
            return -1;
    }
    return 0;
}

static bool matches_any(const rln_info *info, rln__level_filter *matches)
{
    const rln_counter *counter;

    for (uint32_t i = 0; (counter = rln__info_counter(info, i)); i++)
        if (counter->n_samples &&
            matches(counter->name, counter->is_group ? NULL : &(rln_text){"", 0},
                    &counter->semantics))
            return true;
    return false;
}

rln_status rln__levels_read(rln_reader *reader, const rln_info *info,
                            rln__level_filter *matches, struct rln__levels *out,
                            rln_error *err)
{
    const rln_event *e;
    rln_events *events;
    rln_status status;

    *out = (struct rln__levels){0};
    if (!matches_any(info, matches))
        return RLN_OK;
    status = rln__events_open_all(reader, &events, err);
    while (!status && !(status = rln_events_next(events, &e, err)))
        if (e->type == RLN_EVENT_SAMPLE && !(e->flags & RLN_FLAG_UNPLACED) &&
            add_sample(out, matches, e))
            status = rln__fail_nomem(err);
    rln_events_close(events);
    return status == RLN_END ? RLN_OK : status;
}

void rln__levels_clear(struct rln__levels *levels)
{
    for (size_t i = 0; i < levels->n; i++)
        rln__free(levels->gauges[i].levels);
    rln__free(levels->gauges);
    rln__key_index_clear(&levels->keys);
    *levels = (struct rln__levels){0};
}

bool rln__level_at(const struct rln__gauge *gauge, int64_t t_ns, double *out)
{
    const size_t n = gauge->n ? rln__count_until(&gauge->levels->at_ns, gauge->n,
                                                 sizeof(*gauge->levels), t_ns)
                              : 0;

    if (n)
        *out = gauge->levels[n - 1].value;
    return n > 0;
}
