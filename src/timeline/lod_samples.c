/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_samples.h"

#include "base/fail.h"
#include "format/registry_lookup.h"
#include "timeline/lod_fill.h"
#include "timeline/lod_rows.h"
#include "trace/decode/event_payloads.h"
#include "trace/payload/in_unit.h"
#include "trace/payload/numbers.h"

#include <math.h>

static rln_status add_values(struct rln__lod *lod, const rln_counter *counter,
                             int64_t t_ns, rln_error *err)
{
    for (size_t i = 0; i < lod->counters.n_values; i++) {
        const rln_sample_value *v = &lod->counters.values[i];
        const double value =
            rln__in_unit(v->semantics, rln__number_double(v->type, v->bits));
        const double number = isfinite(value) ? value : (double)NAN;
        const uint32_t row = rln__lod_counter_row(lod, counter, v);
        const struct rln__sample_bucket sample_bucket = {
            t_ns, t_ns, number, number, number, isfinite(value) ? value : 0, 1};

        if (row == RLN__NONE || rln__lod_add_sample_bucket(lod, row, &sample_bucket))
            return rln__fail_nomem(err);
    }
    return RLN_OK;
}

/* Reads the values in a sample's bytes, if they can be read. */
static rln_status read_values(struct rln__lod *lod,
                              const struct rln__record_address *address,
                              const rln_counter *counter, uint32_t domain_id,
                              uint64_t ticks, rln_error *err)
{
    const struct rln__decoder *d = &lod->payloads.decoder;
    const rln_status status =
        rln__event_payloads_read(&lod->payloads, lod->reader, address, err);

    if (status || !d->n_payloads)
        return status;
    return rln__counter_values(&lod->counters, counter, domain_id, d->payloads, ticks,
                               err);
}

/* Whether the sample is in the window and matches the filter. */
static int is_shown(struct rln__lod *lod, const rln_counter *counter, uint32_t thread,
                    uint32_t part, int64_t t_ns)
{
    return rln__span_has(&lod->reader->span, part, t_ns) &&
           rln__predicate_matches_sample(&lod->predicate, counter, thread);
}

rln_status rln__lod_sample(struct rln__lod *lod, const struct rln__item *item,
                           int64_t t_ns, uint32_t part, rln_error *err)
{
    const struct rln__trace_thread *thread = &lod->reader->threads[item->thread];
    const rln_counter *counter =
        rln__counter_of_number(&lod->counters, thread->process, item->ref >> 1);
    rln_status status;

    if (!counter)
        return rln__fail_nomem(err);
    if (!is_shown(lod, counter, item->thread, part, t_ns))
        return RLN_OK;
    lod->counters.n_values = 0;
    if (item->has_value) {
        status = rln__counter_value(&lod->counters, counter, item->ref & 1, item->value,
                                    err);
    } else {
        const struct rln__counter_number *number =
            rln__registry_number(&lod->reader->names, thread->process, item->ref >> 1);
        const struct rln__record_address address = {
            .offset = item->offset,
            .n_payloads = rln__item_payloads(item),
            .part = part,
            .process = thread->process,
            .domain_id = item->ref,
            .tid = thread->tid,
        };

        status = read_values(lod, &address, counter, number ? number->domain_id : 0,
                             item->ticks, err);
    }
    return status ? status : add_values(lod, counter, t_ns, err);
}

static int is_of(const struct rln__lod *lod, const struct rln__lod_row *row,
                 const rln_counter *counter)
{
    const struct rln__lod_name *name = &lod->names[row->name];

    return lod->groups[row->group].process == counter->process &&
           rln__compare_text(name->domain, counter->domain_name) == 0 &&
           rln__compare_text(name->message, counter->name) == 0;
}

/* Ends the lines of its counter, unless the value is 0. An unchanged value adds
 * nothing; lines that have not begun do not end. */
rln_status rln__lod_no_value(struct rln__lod *lod, const struct rln__item *item,
                             int64_t t_ns, uint32_t part, rln_error *err)
{
    const unsigned why = RLN_NO_VALUE_ZERO + (item->ref & 3);
    const double number = why == RLN_NO_VALUE_ZERO ? 0 : (double)NAN;
    const struct rln__sample_bucket sample_bucket = {t_ns,   t_ns, number, number,
                                                     number, 0,    1};
    const rln_counter *counter = rln__counter_of_number(
        &lod->counters, lod->reader->threads[item->thread].process, item->ref >> 2);

    if (!counter)
        return rln__fail_nomem(err);
    if (!is_shown(lod, counter, item->thread, part, t_ns))
        return RLN_OK;
    for (uint32_t i = 0; i < lod->n_rows && why != RLN_NO_VALUE_UNCHANGED; i++) {
        if (lod->rows[i].kind != RLN__LOD_COUNTER ||
            !is_of(lod, &lod->rows[i], counter))
            continue;
        if (rln__lod_add_sample_bucket(lod, i, &sample_bucket))
            return rln__fail_nomem(err);
        if (!counter->is_group)
            break;
    }
    return RLN_OK;
}

rln_status rln__lod_deferred_sample(struct rln__lod *lod,
                                    const struct rln__deferred_events *deferred,
                                    const struct rln__deferred_event *event,
                                    rln_error *err)
{
    const struct rln__deferred_record *r = &deferred->records[event->record];
    const struct rln__record_address address =
        rln__deferred_event_address(deferred, event);
    const struct rln__decoder *d = &lod->payloads.decoder;
    rln_status status =
        rln__event_payloads_read(&lod->payloads, lod->reader, &address, err);
    uint64_t id = r->id;
    const rln_counter *counter;

    if (status || !d->n_payloads)
        return status;
    if (r->sub != RLN__SUB_COUNTER_BATCH)
        id = rln__counter_of_schema(lod->reader, r->process, r->domain_id,
                                    d->payloads->schema);
    counter = rln__counter_of_id(&lod->counters, r->process, r->domain_id, id);
    if (!counter)
        return rln__fail_nomem(err);
    if (!is_shown(lod, counter, RLN__NONE, r->part, event->t_ns))
        return RLN_OK;
    lod->counters.n_values = 0;
    status = rln__counter_values(&lod->counters, counter, r->domain_id, d->payloads,
                                 r->ticks, err);
    return status ? status : add_values(lod, counter, event->t_ns, err);
}
