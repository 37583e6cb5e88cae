/* SPDX-License-Identifier: Apache-2.0 */
/* events.c - the public iteration over events: merges, pairs, and spells names out. */
#include "model/events.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "model/merge.h"

#include <string.h>

struct rln_events {
    rln_reader *reader; /* borrowed */
    struct rln__merge merge;
    struct rln__pairing pairing;
    rln_event event;
    struct rln__open closed; /* by the last event, if has_closed */
    int has_closed;
};

rln_status rln_events_open(rln_reader *reader, rln_events **out, rln_error *err)
{
    rln_events *e = rln__alloc(1, sizeof(*e));
    rln_status status;

    *out = NULL;
    if (!e)
        return rln__fail_nomem(err);
    e->reader = reader;
    rln__pairing_init(&e->pairing);
    status = rln__merge_init(&e->merge, reader, err);
    if (status) {
        rln__free(e);
        return status;
    }
    *out = e;
    return RLN_OK;
}

void rln_events_close(rln_events *e)
{
    if (!e)
        return;
    rln__merge_clear(&e->merge);
    rln__pairing_clear(&e->pairing);
    rln__free(e);
}

const struct rln__open *rln__events_closed(const rln_events *e)
{
    return e->has_closed ? &e->closed : NULL;
}

struct rln__pairing *rln__events_pairing(rln_events *e)
{
    return &e->pairing;
}

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

static rln_status fill_domain(rln_events *e, uint32_t process, uint32_t domain_id,
                              rln_error *err)
{
    struct rln__names *names = &e->reader->names;
    int is_unknown = 0;
    const uint32_t domain = rln__names_domain(names, process, domain_id, &is_unknown);

    if (domain == RLN__NONE)
        return rln__fail_nomem(err);
    e->event.with.domain = domain;
    e->event.with.domain_name =
        rln__strings_get(&names->strings, names->domains[domain].name);
    if (is_unknown)
        e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    return RLN_OK;
}

/* --- One function per group of items ---------------------------------------------- */

static rln_status fill_begin(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const struct rln__item *item = &m->item;
    const struct rln__attr *attr = &e->reader->names.attrs[item->ref];
    uint32_t index = 0;

    rln__fill_attributes(e->reader, item->ref, item->has_value, &e->event.with);
    e->event.payload_bits = item->value;
    if (attr->is_unknown)
        e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    if (item->kind == RLN__MARK) {
        e->event.type = RLN_EVENT_MARK;
    } else if (item->kind == RLN__PUSH) {
        e->event.type = RLN_EVENT_PUSH;
        index = rln__pair_push(&e->pairing, attr->domain_id, item->thread, m->t_ns,
                               item->ref);
    } else {
        e->event.type = RLN_EVENT_START;
        e->event.id = rln__start_id(e->reader, m->part, item->offset);
        index =
            rln__pair_start(&e->pairing, e->event.id, item->thread, m->t_ns, item->ref);
    }
    if (index == RLN__NONE)
        return rln__fail_nomem(err);
    if (item->kind != RLN__MARK) {
        e->event.depth = e->pairing.pool[index].depth;
        e->pairing.pool[index].value = item->value;
        e->pairing.pool[index].has_value = item->has_value;
    }
    return RLN_OK;
}

static rln_status fill_close(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const struct rln__item *item = &m->item;
    uint32_t index;

    if (item->kind == RLN__POP) {
        e->event.type = RLN_EVENT_POP;
        e->event.flags = rln__pair_pop(&e->pairing, item->thread, item->ref, &index,
                                       &e->event.depth);
    } else {
        e->event.type = RLN_EVENT_END;
        e->event.id = rln__range_id(m->part, item->value);
        index = rln__pair_end(&e->pairing, e->event.id);
        e->event.flags = index == RLN__NONE ? RLN_FLAG_UNMATCHED : 0;
    }
    if (index == RLN__NONE)
        return fill_domain(e, e->event.process, item->ref, err);

    e->closed = e->pairing.pool[index];
    e->has_closed = 1;
    rln__pair_release(&e->pairing, index);
    rln__fill_attributes(e->reader, e->closed.attr, e->closed.has_value,
                         &e->event.with);
    e->event.payload_bits = e->closed.value;
    e->event.duration_ns = m->t_ns - e->closed.t_ns;
    return RLN_OK;
}

static rln_status fill_reset(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const int is_gap = m->item.kind == RLN__ITEM_GAP;
    uint64_t *words; /* owned */
    rln_status status =
        rln__stream_words(e->reader->layout.parts[m->part].file, &m->item, &words, err);

    if (status)
        return status;
    e->event.type = is_gap ? RLN_EVENT_GAP : RLN_EVENT_INHERITED;
    e->event.n_lost = is_gap ? m->item.value : 0;
    if (rln__pair_reset(&e->pairing, m->item.thread,
                        is_gap ? RLN__RESET_GAP : RLN__RESET_INHERITED, words + 3,
                        m->item.n_words - 3))
        status = rln__fail_nomem(err);
    rln__free(words);
    return status;
}

static rln_status fill_item(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const struct rln__thread *thread = &e->reader->threads[m->item.thread];

    e->event.thread = m->item.thread;
    e->event.tid = thread->tid;
    e->event.process = thread->process;
    switch (m->item.kind) {
    case RLN__POP:
    case RLN__END:
        return fill_close(e, m, err);
    case RLN__ITEM_GAP:
    case RLN__ITEM_INHERITED:
        return fill_reset(e, m, err);
    case RLN__ITEM_THREAD:
        e->event.type = RLN_EVENT_THREAD_BEGIN;
        e->event.with.message =
            rln__strings_get(&e->reader->names.strings, thread->system_name);
        if (rln__pair_reset(&e->pairing, m->item.thread, RLN__RESET_THREAD, NULL, 0))
            return rln__fail_nomem(err);
        return RLN_OK;
    default:
        return fill_begin(e, m, err);
    }
}

static rln_status fill_name(rln_events *e, const struct rln__name_event *name,
                            rln_error *err)
{
    const struct rln__names *names = &e->reader->names;

    e->event.process = name->process;
    e->event.thread = UINT32_MAX;
    e->event.with.message = rln__strings_get(
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
        return fill_domain(e, name->process, name->domain_id, err);
    case RLN__SUB_RESOURCE_DESTROY:
        e->event.type = RLN_EVENT_RESOURCE_DESTROY;
        e->event.id = name->id;
        return RLN_OK;
    default:
        e->event.type = RLN_EVENT_DOMAIN_DESTROY;
        return fill_domain(e, name->process, name->id, err);
    }
}

rln_status rln_events_next(rln_events *e, const rln_event **out, rln_error *err)
{
    struct rln__merged merged;
    rln_status status = rln__merge_next(&e->merge, &merged, err);

    *out = NULL;
    if (status)
        return status;
    memset(&e->event, 0, sizeof(e->event));
    e->event.t_ns = merged.t_ns;
    e->event.duration_ns = -1;
    e->has_closed = 0;
    if (merged.name)
        status = fill_name(e, merged.name, err);
    else
        status = fill_item(e, &merged, err);
    if (status)
        return status;
    e->event.pid = e->reader->names.processes[e->event.process].record.pid;
    *out = &e->event;
    return RLN_OK;
}
