/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/event_payloads.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/registry_lookup.h"
#include "trace/decode/deferred_record.h"

#include <string.h>

static struct rln__payload_context context_of(rln_reader *reader, uint32_t process,
                                              uint32_t domain_id, uint64_t ticks)
{
    const struct rln__trace_process *p = &reader->names.processes[process];
    const uint32_t clock_kind = reader->layout.parts[p->part].super.clock_kind;

    return (struct rln__payload_context){
        .names = &reader->names,
        .types = rln__registry_types(&reader->names, process, clock_kind),
        .ticks = ticks,
        .process = process,
        .domain_id = domain_id,
        .pid = p->record.pid,
    };
}

/* --- What an event's payloads say about it ---------------------------------------- */

/* Whether payloads of this schema say something about their event. */
static int sets_attributes(const struct rln__payload_context *context, uint64_t schema)
{
    const struct rln__schema *s;

    if (schema < RLN__FIRST_SCHEMA_ID)
        return schema == RLN__TYPE_CATEGORY || schema == RLN__TYPE_COLOR;
    s = rln__registry_schema(context->names, context->process, context->domain_id,
                             schema, context->ticks);
    return s && s->sets_attributes;
}

/* The last field for each attribute counts. */
static int listen(rln_reader *reader, const rln_field *f,
                  struct rln__payload_attributes *out)
{
    if ((f->flags & RLN_FIELD_IS_MESSAGE) && f->kind == RLN_FIELD_TEXT) {
        out->message =
            rln__strings_add(&reader->names.strings, f->text.bytes, f->text.length);
        if (!out->message)
            return -1;
        out->has_message = 1;
        out->is_registered = f->type == RLN__TYPE_STRING_HANDLE;
    } else if (f->kind == RLN_FIELD_CATEGORY) {
        out->category = (uint32_t)f->bits;
        out->has_category = 1;
    } else if (f->kind == RLN_FIELD_COLOR) {
        out->color = (uint32_t)f->bits;
        out->has_color = 1;
    }
    return 0;
}

static size_t behind(const rln_field *fields, size_t at)
{
    size_t n_left = 1;

    while (n_left--)
        n_left += fields[at++].n_children;
    return at;
}

/* Examines the value itself or, in a struct, its own entries; deeper entries do not
 * describe the event. */
static int listen_to(rln_reader *reader, const rln_payload *p,
                     struct rln__payload_attributes *out)
{
    size_t at = 1;

    if (!p->fields)
        return 0;
    if (p->fields->kind != RLN_FIELD_STRUCT)
        return listen(reader, p->fields, out);
    for (uint32_t i = 0; i < p->fields->n_children; i++) {
        if (listen(reader, &p->fields[at], out))
            return -1;
        at = behind(p->fields, at);
    }
    return 0;
}

int rln__payload_attributes_of(rln_reader *reader, uint32_t process, uint32_t domain_id,
                               const uint64_t *words, size_t n_words,
                               struct rln__payload_attributes *out)
{
    struct rln__payload_context context =
        context_of(reader, process, domain_id, words[1]);
    const size_t begin = rln__payloads_begin(words, n_words);
    struct rln__payload_segments *segments = &reader->payload_segments;
    int what;

    memset(out, 0, sizeof(*out));
    if (!begin)
        return 0;
    what = rln__payload_segments_read(segments, words + begin, n_words - begin,
                                      rln__payloads_count(words));
    if (what)
        return what < 0 ? -1 : 0;
    for (size_t i = 0; i < segments->n_payloads; i++) {
        struct rln__decoder *d = &reader->attribute_decoder;

        if (!sets_attributes(&context, segments->items[i].schema))
            continue;
        if (rln__decode_as(d, &context, segments, i, segments->items[i].schema, NULL) ||
            listen_to(reader, d->payloads, out))
            return -1;
    }
    return 0;
}

static int is_with_payloads(uint64_t word)
{
    return (word & 15) == RLN__LONG &&
           ((word >> RLN__SUB_SHIFT) & 255) == RLN__SUB_PAYLOADS;
}

static rln_status attributes_of_end(rln_reader *reader, uint32_t part,
                                    const struct rln__item *item,
                                    struct rln__payload_attributes *out, rln_error *err)
{
    const uint32_t process = reader->threads[item->thread].process;
    uint64_t *words; /* owned */
    rln_status status =
        rln__stream_words(reader->layout.parts[part].file, item, &words, err);

    if (status)
        return status;
    if (rln__payload_attributes_of(reader, process, item->ref, words, item->n_words,
                                   out))
        status = rln__fail_nomem(err);
    rln__free(words);
    return status;
}

rln_status rln__closing_attr(rln_reader *reader, uint32_t part,
                             const struct rln__item *item, uint32_t *attr,
                             rln_error *err)
{
    struct rln__payload_attributes attributes;
    const rln_status status = attributes_of_end(reader, part, item, &attributes, err);

    if (status)
        return status;
    *attr = rln__names_attr_with_payload(
        &reader->names, reader->threads[item->thread].process, *attr, &attributes);
    return *attr == RLN__NONE ? rln__fail_nomem(err) : RLN_OK;
}

int rln__end_may_rename(rln_reader *reader, uint32_t part, const struct rln__item *item)
{
    struct rln__payload_attributes attributes;

    return attributes_of_end(reader, part, item, &attributes, NULL) ||
           attributes.has_message || attributes.has_category || attributes.has_color;
}

static unsigned deferred_sub(uint64_t word)
{
    const unsigned sub = (unsigned)(word >> RLN__SUB_SHIFT) & 255;
    const int is_deferred = (word & 15) == RLN__LONG && sub >= RLN__SUB_SUBMITTED &&
                            sub <= RLN__SUB_COUNTER_BATCH;

    return is_deferred ? sub : 0;
}

struct rln__record_address rln__item_address(const rln_reader *reader, uint32_t part,
                                             const struct rln__item *item)
{
    const struct rln__trace_thread *thread = &reader->threads[item->thread];
    const int has_attr = !((RLN__OWN_ID_KINDS >> item->kind) & 1);

    return (struct rln__record_address){
        .offset = item->offset,
        .n_payloads = rln__item_payloads(item),
        .part = part,
        .process = thread->process,
        .domain_id = has_attr ? reader->names.attrs[item->ref].domain_id : item->ref,
        .tid = thread->tid,
    };
}

/* --- All payloads ----------------------------------------------------------------- */

static rln_status read_batch(struct rln__event_payloads *p,
                             const struct rln__input *file,
                             const struct rln__record_address *address, size_t n_words,
                             rln_error *err)
{
    uint64_t *words = rln__resize(NULL, n_words + 1, sizeof(*words)); /* until kept */
    rln_status status;

    if (!words)
        return rln__fail_nomem(err);
    status = rln__input_read(file, address->offset, words, n_words * 8, NULL, err);
    if (status) {
        rln__free(words);
        return status;
    }
    if (rln__record_keep(&p->batches, address->part, address->offset, words, n_words))
        return rln__fail_nomem(err);
    p->words = words;
    p->n_words = n_words;
    return RLN_OK;
}

static rln_status read_words(struct rln__event_payloads *p,
                             const struct rln__input *file,
                             const struct rln__record_address *address, rln_error *err)
{
    rln_status status;
    uint64_t *own;
    uint64_t first;

    p->n_words = 0;
    p->words =
        rln__record_cached(&p->batches, address->part, address->offset, &p->n_words);
    if (p->words)
        return RLN_OK;
    status = rln__input_read(file, address->offset, &first, 8, NULL, err);
    if (status || !(is_with_payloads(first) || deferred_sub(first)))
        return status;
    if (deferred_sub(first) > RLN__SUB_SUBMITTED)
        return read_batch(p, file, address, rln__record_words(first), err);
    own = rln__grow(p->own, &p->capacity, rln__record_words(first) + 1, sizeof(*own));
    if (!own)
        return rln__fail_nomem(err);
    p->words = p->own = own;
    p->n_words = rln__record_words(first);
    return rln__input_read(file, address->offset, own, p->n_words * 8, NULL, err);
}

/* A sample names its counter, and the counter has the schema. */
static uint64_t schema_of_sample(const struct rln__names *names,
                                 struct rln__payload_context *context, uint32_t id)
{
    const struct rln__counter_number *number =
        rln__registry_number(names, context->process, id >> 1);
    const struct rln__counter *counter = NULL;

    if (number) {
        context->domain_id = number->domain_id;
        counter = rln__registry_counter(names, context->process, number->domain_id,
                                        number->counter);
    }
    return counter ? counter->schema : 0;
}

static rln_status decode_words(struct rln__event_payloads *p, rln_reader *reader,
                               const struct rln__record_address *address,
                               rln_error *err)
{
    struct rln__payload_context context =
        context_of(reader, address->process, address->domain_id, p->words[1]);
    size_t begin;
    int what;

    context.tid = address->tid;
    if (deferred_sub(p->words[0]))
        return rln__deferred_record_decode(&p->decoder, &p->segments, &context,
                                           p->words, p->n_words, address->element)
                   ? rln__fail_nomem(err)
                   : RLN_OK;
    begin = rln__payloads_begin(p->words, p->n_words);
    if (!begin)
        return RLN_OK;
    what =
        rln__payload_segments_read(&p->segments, p->words + begin, p->n_words - begin,
                                   rln__payloads_count(p->words));
    if (what)
        return what < 0 ? rln__fail_nomem(err) : RLN_OK;
    if ((uint8_t)p->words[2] == RLN__SAMPLE) {
        const uint64_t schema =
            schema_of_sample(&reader->names, &context, (uint32_t)(p->words[2] >> 32));

        return rln__decode_as(&p->decoder, &context, &p->segments, 0, schema, err);
    }
    return rln__decode(&p->decoder, &context, &p->segments, err);
}

static int lacks_schema(const struct rln__decoder *d)
{
    for (size_t i = 0; i < d->n_payloads; i++) {
        if (!d->payloads[i].fields && d->payloads[i].schema >= RLN__FIRST_SCHEMA_ID)
            return 1;
    }
    return 0;
}

rln_status rln__event_payloads_read(struct rln__event_payloads *p, rln_reader *reader,
                                    const struct rln__record_address *address,
                                    rln_error *err)
{
    rln_status status;

    p->decoder.n_payloads = 0;
    if (!address->n_payloads)
        return RLN_OK;
    status = read_words(p, reader->layout.parts[address->part].file, address, err);
    if (status || p->n_words < 3)
        return status;
    status = decode_words(p, reader, address, err);
    if (!status && lacks_schema(&p->decoder) && rln__reader_names_grew(reader))
        status = decode_words(p, reader, address, err);
    return status;
}

rln_status rln__outer_range(struct rln__event_payloads *p, rln_reader *reader,
                            const struct rln__record_address *start, uint64_t *id,
                            rln_error *err)
{
    const rln_status status = rln__event_payloads_read(p, reader, start, err);

    *id = 0;
    for (size_t i = 0; i < p->decoder.n_payloads && !status && !*id; i++) {
        const rln_payload *payload = &p->decoder.payloads[i];

        if (payload->schema == RLN__TYPE_RANGE_ID && payload->fields &&
            payload->fields->kind == RLN_FIELD_UINT)
            *id = payload->fields->bits;
    }
    return status;
}

void rln__event_payloads_clear(struct rln__event_payloads *p)
{
    rln__decoder_clear(&p->decoder);
    rln__payload_segments_clear(&p->segments);
    rln__record_cache_clear(&p->batches);
    rln__free(p->own);
    memset(p, 0, sizeof(*p));
}
