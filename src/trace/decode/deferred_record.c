/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/deferred_record.h"
#include "base/alloc.h"
#include "format/attributes.h"
#include "format/registry_lookup.h"
#include "trace/payload/payload_extent.h"
#include "trace/payload/payload_names.h"

#include <string.h>

#define MAX_DEPTH 8            /* of structs with fields that say something */
#define MAX_LAYOUT_STEPS 65536 /* to find an element's size */

rln_status rln__deferred_reader_init(struct rln__deferred_reader *r, rln_reader *reader,
                                     rln_error *err)
{
    memset(r, 0, sizeof(*r));
    r->reader = reader;
    return rln__time_domains_init(&r->times, reader, err);
}

void rln__deferred_reader_clear(struct rln__deferred_reader *r)
{
    rln__time_domains_clear(&r->times);
    rln__decoder_clear(&r->decoder);
    rln__payload_segments_clear(&r->segments);
    memset(r, 0, sizeof(*r));
}

void rln__deferred_reader_begin(struct rln__deferred_reader *r,
                                const struct rln__deferred_record *record)
{
    struct rln__names *names = &r->reader->names;
    const uint32_t clock = r->reader->layout.parts[record->part].super.clock_kind;

    r->part = record->part;
    r->scope = 0;
    r->context = (struct rln__payload_context){
        .names = names,
        .types = rln__registry_types(names, record->process, clock),
        .ticks = record->ticks,
        .process = record->process,
        .domain_id = record->domain_id,
        .pid = names->processes[record->process].record.pid,
    };
}

/* --- Times ------------------------------------------------------------------------ */

static struct rln__deferred_time time_of_call(struct rln__deferred_reader *r)
{
    return (struct rln__deferred_time){
        .ns = rln__reader_ns(r->reader, r->part, r->context.ticks)};
}

/* Whether this timestamp, or the one it was computed from, can be the tool's: from
 * about when the trace began to about when the event was submitted. */
static int may_be_ours(const struct rln__deferred_reader *r, int64_t timestamp)
{
    const struct rln__superblock *super = &r->reader->layout.parts[r->part].super;
    const int64_t slack_ns = INT64_C(60000000000);
    const int64_t at = rln__reader_ns(r->reader, r->part, (uint64_t)timestamp);

    return at >=
               rln__reader_ns(r->reader, r->part, super->created[0].ticks) - slack_ns &&
           at <= rln__reader_ns(r->reader, r->part, r->context.ticks) + slack_ns;
}

/* -1: there is no memory. */
static int set_time(struct rln__deferred_reader *r, int64_t timestamp, uint64_t domain,
                    struct rln__deferred_time *out)
{
    const uint32_t number = rln__time_domains_find(&r->times, r->context.process,
                                                   r->context.domain_id, domain);

    if (number == UINT32_MAX)
        return -1;
    *out = time_of_call(r);
    out->timestamp = timestamp;
    out->domain = domain;
    out->is_given = 1;
    out->why_unplaced =
        rln__time_domains_is_guess(&r->times, number) && !may_be_ours(r, timestamp)
            ? RLN__UNPLACED_UNTIED
            : (uint8_t)rln__time_domains_ns(&r->times, number, timestamp, &out->ns);
    return 0;
}

/* --- Fields ----------------------------------------------------------------------- */

/* Where a scope comes from. NVTX's order: the last counts most. */
enum scope_rank {
    SCOPE_MISSING,
    SCOPE_OF_SEMANTICS,
    SCOPE_OF_BATCH,
    SCOPE_OF_FIELD,
    SCOPE_OF_PURPOSEFUL_SEMANTICS, /* of an entry with a time or another part of the event */
    SCOPE_OF_PURPOSEFUL_FIELD,
};

/* What the fields read so far set. */
struct finding {
    struct rln__deferred_reader *r;
    struct rln__deferred_attributes *out;
    unsigned n_times;
    unsigned event; /* of a schema; 0: not set */
    unsigned has_mark, has_counter;
    uint32_t message, category, color;
    uint8_t has_color;
    uint8_t is_registered;
    enum scope_rank scope_rank;
};

static const struct rln__schema_entry *entry_of(const struct rln__deferred_reader *r,
                                                uint64_t schema_id, uint32_t index)
{
    const struct rln__schema *schema =
        rln__registry_schema(r->context.names, r->context.process, r->context.domain_id,
                             schema_id, r->context.ticks);
    const struct rln__schema_entry *entries =
        schema ? rln__schema_entries(&r->context.names->registry, schema) : NULL;

    return entries && index < schema->n_entries ? &entries[index] : NULL;
}

/* A range may have two scopes; that of its begin counts. */
static void find_scope(struct finding *f, uint64_t scope, enum scope_rank rank,
                       int is_end)
{
    if (!scope || rank < f->scope_rank || (is_end && rank == f->scope_rank))
        return;
    f->out->scope = scope;
    f->scope_rank = rank;
}

static int find_time(struct finding *f, const rln_field *field,
                     const struct rln__schema_entry *entry)
{
    const struct rln__semantics *s = rln__registry_semantics(
        f->r->context.names, f->r->context.process, entry->semantics);
    const unsigned about = RLN__ENTRY_EVENT(entry->flags);
    const int is_end =
        about == RLN__ENTRY_OF_END || (about != RLN__ENTRY_OF_BEGIN && f->n_times == 1);

    if (field->kind != RLN_FIELD_INT && field->kind != RLN_FIELD_UINT)
        return 0;
    f->n_times++;
    return set_time(f->r, (int64_t)field->bits, s && s->has_time ? s->time_domain : 0,
                    is_end ? &f->out->end : &f->out->begin);
}

static int find_message(struct finding *f, const rln_field *field)
{
    if (field->kind != RLN_FIELD_TEXT)
        return 0;
    f->message = rln__strings_add(&f->r->context.names->strings, field->text.bytes,
                                  field->text.length);
    f->is_registered = field->type == RLN__TYPE_STRING_HANDLE;
    return f->message ? 0 : -1;
}

/* -1: there is no memory. */
static int find_in_field(struct finding *f, const rln_field *field,
                         const struct rln__schema_entry *entry)
{
    const unsigned about = RLN__ENTRY_EVENT(entry->flags);
    const int is_end = about == RLN__ENTRY_OF_END;
    const int is_purposeful =
        about || RLN__ENTRY_PURPOSE(entry->flags) == RLN__PURPOSE_TIMESTAMP;
    const struct rln__semantics *s = rln__registry_semantics(
        f->r->context.names, f->r->context.process, entry->semantics);

    if (s && s->has_scope)
        find_scope(f, s->scope,
                   is_purposeful ? SCOPE_OF_PURPOSEFUL_SEMANTICS : SCOPE_OF_SEMANTICS,
                   is_end);
    if (entry->type == RLN__TYPE_SCOPE) {
        if (field->kind != RLN_FIELD_UNREAD)
            find_scope(f, field->bits,
                       is_purposeful ? SCOPE_OF_PURPOSEFUL_FIELD : SCOPE_OF_FIELD,
                       is_end);
        return 0;
    }
    f->has_mark |= about == RLN__ENTRY_OF_MARK;
    f->has_counter |= about == RLN__ENTRY_OF_COUNTER;
    if (RLN__ENTRY_PURPOSE(entry->flags) == RLN__PURPOSE_TIMESTAMP)
        return find_time(f, field, entry);
    if (RLN__ENTRY_PURPOSE(entry->flags) == RLN__PURPOSE_MESSAGE)
        return find_message(f, field);
    if (field->kind == RLN_FIELD_UNREAD) /* its bits are an address */
        return 0;
    switch (entry->type) {
    case RLN__TYPE_RANGE_ID:
        f->out->range_id = field->bits;
        break;
    case RLN__TYPE_CATEGORY:
        f->category = (uint32_t)field->bits;
        break;
    case RLN__TYPE_COLOR:
        f->color = (uint32_t)field->bits;
        f->has_color = field->bits != 0; /* writers leave it 0 for no color */
        break;
    case RLN__TYPE_TID32:
    case RLN__TYPE_TID64:
        f->out->tid = (uint32_t)field->bits;
        break;
    default:
        break;
    }
    return 0;
}

/* Goes through a struct and the structs in it. */
static int find_in_struct(struct finding *f, const rln_payload *p, size_t *at,
                          unsigned depth)
{
    const rln_field *head = &p->fields[(*at)++];
    const int is_struct =
        head->kind == RLN_FIELD_STRUCT || head->kind == RLN_FIELD_UNION;
    const int has_children = is_struct || head->kind == RLN_FIELD_ARRAY;

    for (uint32_t i = 0; has_children && i < head->n_children && *at < p->n_fields;
         i++) {
        const rln_field *child = &p->fields[*at];
        const struct rln__schema_entry *entry =
            is_struct && depth < MAX_DEPTH ? entry_of(f->r, head->type, child->index)
                                           : NULL;

        if (entry && find_in_field(f, child, entry))
            return -1;
        if (find_in_struct(f, p, at, depth + 1))
            return -1;
    }
    return 0;
}

static void find_kind(struct finding *f, uint64_t schema_id)
{
    const struct rln__schema *schema =
        rln__registry_schema(f->r->context.names, f->r->context.process,
                             f->r->context.domain_id, schema_id, f->r->context.ticks);

    if (schema && !schema->is_enum && !f->event)
        f->event = RLN__SCHEMA_EVENT(schema->flags);
}

/* The entries determine what the schema leaves open. */
static enum rln__schema_event settle_kind(const struct finding *f)
{
    if (f->event >= RLN__SCHEMA_IS_COUNTERS && f->event <= RLN__SCHEMA_IS_END)
        return (enum rln__schema_event)f->event;
    if (f->out->end.is_given)
        return RLN__SCHEMA_IS_STARTEND;
    return f->has_counter && !f->has_mark ? RLN__SCHEMA_IS_COUNTERS
                                          : RLN__SCHEMA_IS_MARK;
}

/* A decoder's text is free once its fields have been read. -1: no memory. */
static int find_scope_path(struct finding *f)
{
    const struct rln__payload_context *context = &f->r->context;
    struct rln__buf *text = &f->r->decoder.text;
    const size_t begin = text->length;

    if (!f->out->scope ||
        !rln__buf_scope(text, context->names, context->process, context->domain_id,
                        f->out->scope, context->pid, f->out->tid))
        return 0;
    f->out->scope_path = rln__strings_add(&context->names->strings, text->bytes + begin,
                                          text->length - begin);
    text->length = begin;
    return f->out->scope_path && !text->has_failed ? 0 : -1;
}

static int settle(struct finding *f)
{
    const uint64_t words[3] = {
        rln__pair32(f->r->context.domain_id, f->category),
        rln__pair32(f->color, rln__types(f->has_color, 0,
                                         f->is_registered ? RLN__MESSAGE_REGISTERED
                                         : f->message     ? RLN__MESSAGE_PLAIN
                                                          : RLN__MESSAGE_NONE)),
        0};

    f->out->event = settle_kind(f);
    /* Halves have one time, in whichever entry. */
    if (f->out->event > RLN__SCHEMA_IS_STARTEND && !f->out->begin.is_given &&
        f->out->end.is_given)
        f->out->begin = f->out->end;
    /* A range with one time has no length. */
    if (!f->out->end.is_given)
        f->out->end = f->out->begin;
    else if (!f->out->begin.is_given)
        f->out->begin = f->out->end;
    f->out->attr = rln__names_attr_in_line(f->r->context.names, f->r->context.process,
                                           words, f->message);
    return f->out->attr == RLN__NONE ? -1 : find_scope_path(f);
}

static void begin_finding(struct finding *f, struct rln__deferred_reader *r,
                          struct rln__deferred_attributes *out)
{
    memset(out, 0, sizeof(*out));
    out->scope = r->scope;
    out->begin = out->end = time_of_call(r);
    *f = (struct finding){
        .r = r, .out = out, .scope_rank = r->scope ? SCOPE_OF_BATCH : SCOPE_MISSING};
}

static int find_in_payloads(struct finding *f)
{
    const struct rln__decoder *d = &f->r->decoder;

    for (size_t i = 0; i < d->n_payloads; i++) {
        size_t at = 0;

        find_kind(f, d->payloads[i].schema);
        if (d->payloads[i].fields && d->payloads[i].n_fields &&
            find_in_struct(f, &d->payloads[i], &at, 0))
            return -1;
    }
    return settle(f);
}

int rln__deferred_reader_read_submitted(struct rln__deferred_reader *r,
                                        const uint64_t *words, size_t n_words,
                                        uint64_t n_payloads,
                                        struct rln__deferred_attributes *out)
{
    const int what =
        rln__payload_segments_read(&r->segments, words, n_words, n_payloads);
    struct finding f;

    if (what)
        return what;
    if (rln__decode(&r->decoder, &r->context, &r->segments, NULL))
        return -1;
    begin_finding(&f, r, out);
    return find_in_payloads(&f);
}

/* --- Batches ---------------------------------------------------------------------- */

/* The size of a schema's elements; `n_bytes` if the schema does not say. */
static uint64_t element_bytes(struct rln__decoder *d,
                              const struct rln__payload_context *context,
                              uint64_t schema, uint64_t n_bytes)
{
    struct rln__extent extent;

    d->context = *context;
    d->steps_left = MAX_LAYOUT_STEPS;
    extent = rln__type_extent(d, schema, 0);
    return extent.size && extent.size < n_bytes ? extent.size : n_bytes;
}

/* Decodes an element with the schema; its pointers may lead to other segments or among
 * the elements. */
static int decode_element(struct rln__decoder *d,
                          const struct rln__payload_context *context,
                          const struct rln__payload_segments *of_batch, uint64_t schema,
                          uint64_t n_bytes, size_t i)
{
    struct rln__payload_segment items[3] = {
        of_batch->items[0], {0}, of_batch->items[0]};
    struct rln__payload_segments segments = {items, 1, 3, 1};
    const size_t offset = i * (size_t)n_bytes;

    items[0].bytes += offset;
    items[0].address += offset;
    items[0].n_kept = items[0].n_given = (uint32_t)n_bytes;
    items[1] = of_batch->n > 1 ? of_batch->items[1] : items[2];
    segments.n = 3;
    return rln__decode_as(d, context, &segments, 0, schema, NULL) ? -1 : 0;
}

int rln__deferred_record_decode(struct rln__decoder *d,
                                struct rln__payload_segments *segments,
                                const struct rln__payload_context *context,
                                const uint64_t *words, size_t n_words, uint32_t element)
{
    static const size_t begins[] = {RLN__SUBMITTED_WORDS, RLN__EVENT_BATCH_WORDS,
                                    RLN__COUNTER_BATCH_WORDS};
    const unsigned sub = (unsigned)(words[0] >> RLN__SUB_SHIFT) & 255;
    const size_t begin = begins[sub - RLN__SUB_SUBMITTED];
    const struct rln__counter *counter;
    uint64_t schema, n_bytes;
    int what;

    d->n_payloads = 0;
    if (n_words < begin)
        return 0;
    what = rln__payload_segments_read(segments, words + begin, n_words - begin,
                                      sub == RLN__SUB_SUBMITTED ? words[3] : 0);
    if (what || (sub != RLN__SUB_SUBMITTED && !segments->n))
        return what < 0 ? -1 : 0;
    if (sub == RLN__SUB_SUBMITTED)
        return rln__decode(d, context, segments, NULL) ? -1 : 0;
    schema = words[3];
    if (sub == RLN__SUB_COUNTER_BATCH) {
        counter = rln__registry_counter(context->names, context->process,
                                        context->domain_id, schema);
        schema = counter ? counter->schema : 0;
        segments->n = 1; /* not the timestamps */
    }
    n_bytes = element_bytes(d, context, schema, segments->items[0].n_kept);
    if ((uint64_t)(element + 1) * n_bytes > segments->items[0].n_kept)
        return 0;
    return decode_element(d, context, segments, schema, n_bytes, element);
}

static void begin_elements(struct rln__deferred_reader *r, uint64_t schema, size_t *n)
{
    const uint64_t n_kept = r->segments.items[0].n_kept;

    r->schema = schema;
    r->element_bytes = element_bytes(&r->decoder, &r->context, schema, n_kept);
    *n = r->element_bytes ? (size_t)(n_kept / r->element_bytes) : 0;
    r->n_elements = *n;
}

static int read_element(struct rln__deferred_reader *r, size_t i)
{
    return decode_element(&r->decoder, &r->context, &r->segments, r->schema,
                          r->element_bytes, i);
}

int rln__deferred_reader_begin_batch(struct rln__deferred_reader *r,
                                     const uint64_t *words, size_t n_words,
                                     uint64_t schema, uint64_t scope, size_t *n)
{
    const int what = rln__payload_segments_read(&r->segments, words, n_words, 0);

    *n = 0;
    if (what || !r->segments.n)
        return what ? what : 1;
    r->scope = scope;
    begin_elements(r, schema, n);
    return 0;
}

int rln__deferred_reader_read_element(struct rln__deferred_reader *r, size_t i,
                                      struct rln__deferred_attributes *out)
{
    struct finding f;

    if (read_element(r, i))
        return -1;
    begin_finding(&f, r, out);
    return find_in_payloads(&f);
}

int rln__deferred_reader_begin_samples(struct rln__deferred_reader *r,
                                       const uint64_t *words, size_t n_words,
                                       uint64_t counter, uint64_t flags, size_t *n)
{
    const struct rln__counter *known = rln__registry_counter(
        r->context.names, r->context.process, r->context.domain_id, counter);
    const struct rln__semantics *s =
        known ? rln__registry_semantics(r->context.names, known->from.process,
                                        known->semantics)
              : NULL;
    const int what = rln__payload_segments_read(&r->segments, words, n_words, 0);

    *n = 0;
    if (what || !r->segments.n)
        return what ? what : 1;
    memset(&r->timestamps, 0, sizeof(r->timestamps));
    if (r->segments.n > 1)
        r->timestamps = r->segments.items[1];
    r->segments.n = 1;
    r->flags = flags;
    r->time_domain = s && s->has_time ? s->time_domain : 0;
    begin_elements(r, known ? known->schema : 0, n);
    return 0;
}

static uint64_t timestamp_at(const struct rln__deferred_reader *r, size_t i)
{
    uint64_t timestamp;

    memcpy(&timestamp, r->timestamps.bytes + i * sizeof(timestamp), sizeof(timestamp));
    return timestamp;
}

/* The array's timestamp of sample `i`; 0 if it has none. NVIDIA's headers define the
 * flags of pairs as numbers that do not fit an int: compilers turn them into 0. */
static int sample_time(const struct rln__deferred_reader *r, size_t i, int64_t *out)
{
    const size_t n = r->timestamps.n_kept / sizeof(uint64_t);
    const int is_lost_pair =
        n == 2 && r->n_elements > 2 &&
        !(r->flags & (RLN__BATCH_BEGIN_INTERVAL | RLN__BATCH_END_INTERVAL));

    if (n >= 2 && (r->flags & RLN__BATCH_END_INTERVAL))
        *out = (int64_t)(timestamp_at(r, 0) -
                         timestamp_at(r, 1) * (uint64_t)(r->n_elements - 1 - i));
    else if (n >= 2 && ((r->flags & RLN__BATCH_BEGIN_INTERVAL) || is_lost_pair))
        *out = (int64_t)(timestamp_at(r, 0) + timestamp_at(r, 1) * (uint64_t)i);
    else if (i < n)
        *out = (int64_t)timestamp_at(r, i);
    else
        return 0;
    return 1;
}

int rln__deferred_reader_read_sample(struct rln__deferred_reader *r, size_t i,
                                     struct rln__deferred_attributes *out)
{
    struct finding f;
    int64_t timestamp;

    begin_finding(&f, r, out);
    if (sample_time(r, i, &timestamp))
        return set_time(r, timestamp, r->time_domain, &out->begin);
    if (read_element(r, i) || find_in_payloads(&f))
        return -1;
    if (!out->begin.is_given) {
        out->begin.domain = r->time_domain;
        out->begin.why_unplaced = RLN__UNPLACED_UNTIMED;
    }
    return 0;
}
