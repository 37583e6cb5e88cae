/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/event_fill.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/registry_lookup.h"
#include "rangeline/values.h"
#include "ranges/events_state.h"

/* --- Attributes and names --------------------------------------------------------- */

void rln__fill_attributes(const rln_reader *reader, uint32_t attr, int has_value,
                          rln_attributes *out)
{
    const struct rln__names *names = &reader->names;
    const struct rln__attr *a = &names->attrs[attr];

    out->domain = a->domain;
    out->category = a->category;
    out->color = a->color;
    out->has_color = a->color_type == 1;
    out->payload_type = has_value ? a->payload_type : RLN_PAYLOAD_NONE;
    out->message_kind = a->message_type;
    out->domain_name =
        rln__strings_get(&names->strings, names->domains[a->domain].name);
    out->message = rln__strings_get(&names->strings, a->message);
    out->category_name = rln__strings_get(&names->strings, a->category_name);
}

rln_status rln__fill_domain(rln_events *e, uint32_t process, uint32_t domain_id,
                            rln_error *err)
{
    struct rln__names *names = &e->reader->names;
    int is_unknown = 0;
    const uint32_t domain = rln__names_domain(names, process, domain_id, &is_unknown);

    if (domain == RLN__NONE)
        return rln__fail_nomem(err);
    e->event.attributes.domain = domain;
    e->event.attributes.domain_name =
        rln__strings_get(&names->strings, names->domains[domain].name);
    if (is_unknown)
        e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    return RLN_OK;
}

rln_status rln__fill_object(rln_reader *reader, uint32_t process, uint32_t object,
                            uint64_t ticks, rln_attributes *out, rln_error *err)
{
    struct rln__names *names = &reader->names;
    const struct rln__sync_object *o =
        rln__registry_object(names, process, object, ticks);
    int is_unknown = 0;
    uint32_t domain;

    memset(out, 0, sizeof(*out));
    if (!o)
        return RLN_OK;
    domain = rln__names_domain(names, o->process, o->domain_id, &is_unknown);
    if (domain == RLN__NONE)
        return rln__fail_nomem(err);
    out->domain = domain;
    out->domain_name = rln__strings_get(&names->strings, names->domains[domain].name);
    out->message = rln__strings_get(&names->strings,
                                    rln__names_string(names, o->process, o->name));
    return RLN_OK;
}

rln_status rln__fill_name(rln_events *e, const struct rln__name_event *name,
                          rln_error *err)
{
    const struct rln__names *names = &e->reader->names;

    e->event.process = name->process;
    e->event.thread = UINT32_MAX;
    e->event.attributes.message = rln__strings_get(
        &names->strings, rln__names_string(names, name->process, name->string_id));
    switch (name->sub) {
    case RLN__SUB_THREAD_NAME:
        e->event.type = RLN_EVENT_THREAD_NAME;
        e->event.tid = name->id;
        return RLN_OK;
    case RLN__SUB_RESOURCE:
        e->event.type = RLN_EVENT_RESOURCE;
        e->event.id = name->id;
        e->event.payload_bits = name->identifier;
        e->event.resource_type = name->type;
        return rln__fill_domain(e, name->process, name->domain_id, err);
    case RLN__SUB_OBJECT:
        e->event.type = RLN_EVENT_SYNC_OBJECT;
        e->event.id = name->id;
        return rln__fill_domain(e, name->process, name->domain_id, err);
    case RLN__SUB_OBJECT_DESTROY:
        e->event.type = RLN_EVENT_SYNC_OBJECT_DESTROY;
        e->event.id = name->id;
        return rln__fill_object(e->reader, name->process, name->id, name->ticks,
                                &e->event.attributes, err);
    case RLN__SUB_RESOURCE_DESTROY:
        e->event.type = RLN_EVENT_RESOURCE_DESTROY;
        e->event.id = name->id;
        return RLN_OK;
    default:
        e->event.type = RLN_EVENT_DOMAIN_DESTROY;
        return rln__fill_domain(e, name->process, name->id, err);
    }
}

/* --- Samples ---------------------------------------------------------------------- */

/* A sample of `counter`, with the values in `e->counters`. */
static void fill_values(rln_events *e, const rln_counter *counter)
{
    const rln_sample_value *values = e->counters.values;

    e->event.type = RLN_EVENT_SAMPLE;
    e->event.id = counter->id;
    e->event.counter = counter;
    e->event.attributes.domain = counter->domain;
    e->event.attributes.domain_name = counter->domain_name;
    e->event.attributes.message = counter->name;
    if (!counter->is_registered)
        e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    e->event.values = values;
    e->event.n_values = e->counters.n_values;
    if (e->event.n_values == 1 && !values->name.length) {
        e->event.attributes.payload_type = values->type;
        e->event.payload_bits = values->bits;
    }
}

static rln_status sample_by_reference(rln_events *e, const struct rln__item *item,
                                      const rln_counter *counter, rln_error *err)
{
    const struct rln__counter_number *number =
        rln__registry_number(&e->reader->names, e->event.process, item->ref >> 1);
    const struct rln__decoder *d = &e->payloads.decoder;
    const rln_status status =
        rln__event_payloads_read(&e->payloads, e->reader, &e->address, err);

    if (status || !d->n_payloads)
        return status;
    return rln__counter_values(&e->counters, counter, number ? number->domain_id : 0,
                               d->payloads, item->ticks, err);
}

/* {reason:2, counter:22} or {is_float:1, counter:23}: docs/reference/FORMAT.md 4. */
static rln_status fill_sample(rln_events *e, const struct rln__item *item,
                              rln_error *err)
{
    const int has_value = item->kind == RLN__SAMPLE;
    const rln_counter *counter = rln__counter_of_number(
        &e->counters, e->event.process, has_value ? item->ref >> 1 : item->ref >> 2);
    rln_status status = RLN_OK;

    if (!counter)
        return rln__fail_nomem(err);
    e->counters.n_values = 0;
    if (item->has_value)
        status =
            rln__counter_value(&e->counters, counter, item->ref & 1, item->value, err);
    else if (has_value)
        status = sample_by_reference(e, item, counter, err);
    else
        e->event.no_value = (uint8_t)(RLN_NO_VALUE_ZERO + (item->ref & 3));
    if (!status)
        fill_values(e, counter);
    return status;
}

/* A sample of a batch, or an event whose schema is a group of counters. */
rln_status rln__fill_deferred_sample(rln_events *e,
                                     const struct rln__deferred_event *deferred,
                                     rln_error *err)
{
    const struct rln__deferred_record *r = &e->merge.deferred.records[deferred->record];
    const struct rln__decoder *d = &e->payloads.decoder;
    rln_status status =
        rln__event_payloads_read(&e->payloads, e->reader, &e->address, err);
    const rln_payload *payload = d->n_payloads ? d->payloads : NULL;
    uint64_t id = r->id;
    const rln_counter *counter;

    if (status)
        return status;
    if (r->sub != RLN__SUB_COUNTER_BATCH && payload)
        id = rln__counter_of_schema(e->reader, r->process, r->domain_id,
                                    payload->schema);
    counter = rln__counter_of_id(&e->counters, r->process, r->domain_id, id);
    if (!counter)
        return rln__fail_nomem(err);
    e->counters.n_values = 0;
    if (payload)
        status = rln__counter_values(&e->counters, counter, r->domain_id, payload,
                                     r->ticks, err);
    fill_values(e, counter);
    if (!counter->is_registered && payload)
        e->event.attributes.message = payload->schema_name;
    return status;
}

/* --- Others ----------------------------------------------------------------------- */

static rln_status fill_sync(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const struct rln__item *item = m->item;
    const struct rln__sync_event moment = {m->t_ns, e->event.process, item->ref >> 2,
                                           item->thread,
                                           (enum rln__sync_step)(item->ref & 3)};
    const int what = rln__sync_step(&e->syncs, &moment, &e->unlocked);

    if (what < 0)
        return rln__fail_nomem(err);
    e->event.type = (rln_event_type)(RLN_EVENT_SYNC_WAIT + (item->ref & 3));
    e->event.id = moment.object;
    e->has_unlocked = what;
    if (what)
        e->event.duration_ns = m->t_ns - e->unlocked.t_ns;
    else if (moment.step == RLN__SYNC_GAVE_UP || moment.step == RLN__SYNC_RELEASES)
        e->event.flags |= RLN_FLAG_UNMATCHED;
    return rln__fill_object(e->reader, moment.process, moment.object, item->ticks,
                            &e->event.attributes, err);
}

static rln_status fill_memory(rln_events *e, const struct rln__merged *m,
                              rln_error *err)
{
    const uint32_t process = e->event.process;
    uint64_t *words; /* owned */
    rln_status status =
        rln__stream_words(e->reader->layout.parts[m->part].file, m->item, &words, err);

    if (status)
        return status;
    e->event.type = RLN_EVENT_MEMORY;
    e->event.memory = &e->memory.call;
    if (rln__memory_decode(&e->memory, &e->reader->names, process, words,
                           m->item->n_words))
        status = rln__fail_nomem(err);
    else
        status = rln__fill_domain(e, process, m->item->ref, err);
    rln__free(words);
    return status;
}

static rln_status fill_reset(rln_events *e, const struct rln__merged *m)
{
    static const rln_event_type types[] = {
        [RLN__ITEM_THREAD - RLN__ITEM_THREAD] = RLN_EVENT_THREAD_BEGIN,
        [RLN__ITEM_GAP - RLN__ITEM_THREAD] = RLN_EVENT_GAP,
        [RLN__ITEM_INHERITED - RLN__ITEM_THREAD] = RLN_EVENT_INHERITED,
        [RLN__ITEM_CONTINUED - RLN__ITEM_THREAD] = RLN_EVENT_OVERWRITTEN,
    };

    e->event.type = types[m->item->kind - RLN__ITEM_THREAD];
    if (m->item->kind == RLN__ITEM_GAP)
        e->event.n_lost = m->item->value;
    if (m->item->kind == RLN__ITEM_THREAD)
        e->event.attributes.message = rln__strings_get(
            &e->reader->names.strings, e->reader->threads[m->item->thread].system_name);
    return RLN_OK;
}

rln_status rln__fill_other(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    switch (m->item->kind) {
    case RLN__SAMPLE:
    case RLN__NO_VALUE:
        return fill_sample(e, m->item, err);
    case RLN__SYNC:
        return fill_sync(e, m, err);
    case RLN__ITEM_MEMORY:
        return fill_memory(e, m, err);
    default:
        return fill_reset(e, m);
    }
}
