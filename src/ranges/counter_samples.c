/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/counter_samples.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/nvtx_counter.h"
#include "format/registry_lookup.h"
#include "trace/payload/in_unit.h"
#include "trace/payload/payload_json.h"
#include "trace/payload/payload_names.h"
#include "trace/payload/payload_scalar.h"

#include <string.h>

#define MOST_VALUES 4096 /* of one sample: arrays may claim any number */
#define MOST_DEPTH 16

void rln__counters_init(struct rln__counters *c, rln_reader *reader)
{
    memset(c, 0, sizeof(*c));
    c->reader = reader;
}

void rln__counters_clear(struct rln__counters *c)
{
    for (size_t i = 0; i < c->n; i++)
        rln__free(c->items[i]);
    for (size_t i = 0; i < c->n_semantics; i++)
        rln__free(c->semantics[i]);
    rln__free(c->items);
    rln__free(c->semantics);
    rln__free(c->values);
    rln__map_clear(&c->by_number);
    rln__key_index_clear(&c->by_id);
    rln__key_index_clear(&c->by_semantics);
    rln__buf_clear(&c->text);
    memset(c, 0, sizeof(*c));
}

/* --- What numbers mean ------------------------------------------------------------ */

/* As a payload's type: signed, unsigned or floating point. */
static uint8_t number_type(uint64_t type)
{
    static const uint8_t integers[] = {
        [RLN__TYPE_CHAR] = 'i',      [RLN__TYPE_UCHAR] = 'u',
        [RLN__TYPE_SHORT] = 'i',     [RLN__TYPE_USHORT] = 'u',
        [RLN__TYPE_INT] = 'i',       [RLN__TYPE_UINT] = 'u',
        [RLN__TYPE_LONG] = 'i',      [RLN__TYPE_ULONG] = 'u',
        [RLN__TYPE_LONGLONG] = 'i',  [RLN__TYPE_INT8] = 'i',
        [RLN__TYPE_ULONGLONG] = 'u', [RLN__TYPE_UINT8] = 'u',
        [RLN__TYPE_INT16] = 'i',     [RLN__TYPE_UINT16] = 'u',
        [RLN__TYPE_INT32] = 'i',     [RLN__TYPE_UINT32] = 'u',
        [RLN__TYPE_INT64] = 'i',     [RLN__TYPE_UINT64] = 'u',
        [RLN__TYPE_SIZE] = 'u',      [RLN__TYPE_BYTE] = 'u',
    };

    if (type < RLN_COUNT(integers) && integers[type])
        return integers[type] == 'i' ? RLN_PAYLOAD_I64 : RLN_PAYLOAD_U64;
    return RLN_PAYLOAD_DOUBLE;
}

/* The bits that an integer type's values use; all of them for other types. */
static uint64_t mask_of(struct rln__counters *c, uint32_t process, uint64_t type)
{
    const struct rln__trace_process *p = &c->reader->names.processes[process];
    const uint32_t clock = c->reader->layout.parts[p->part].super.clock_kind;
    const uint32_t size =
        rln__type_size(rln__registry_types(&c->reader->names, process, clock), type);

    return size == 0 || size >= 8 ? UINT64_MAX : (UINT64_C(1) << (size * 8)) - 1;
}

static uint8_t limit_type(uint32_t type)
{
    return type == RLN__LIMIT_U64   ? RLN_PAYLOAD_U64
           : type == RLN__LIMIT_F64 ? RLN_PAYLOAD_DOUBLE
                                    : RLN_PAYLOAD_I64;
}

/* The path of a scope, or none. -1: no memory. `text` is the same afterwards. */
static int find_scope(struct rln__counters *c, uint32_t process, uint32_t domain_id,
                      uint64_t scope, rln_text *out)
{
    struct rln__names *names = &c->reader->names;
    const uint32_t pid = names->processes[process].record.pid;
    const size_t length = c->text.length;
    uint32_t number;

    *out = (rln_text){NULL, 0};
    if (!scope || !rln__buf_scope(&c->text, names, process, domain_id, scope, pid, 0))
        return 0;
    number = rln__strings_add(&names->strings, c->text.bytes + length,
                              c->text.length - length);
    c->text.length = length;
    *out = rln__strings_get(&names->strings, number);
    return number && !c->text.has_failed ? 0 : -1;
}

static void fill_semantics(struct rln__counters *c, uint32_t process,
                           const struct rln__semantics *s, uint64_t type,
                           rln_semantics *out)
{
    const struct rln__names *names = &c->reader->names;
    const uint8_t number = number_type(type);
    const uint64_t flags = s ? s->counter_flags : 0;
    const unsigned value_type = RLN__COUNTER_VALUE_TYPE(flags);

    memset(out, 0, sizeof(*out));
    out->scale = 1;
    if (!s || !s->has_counter)
        return;
    out->unit = rln__strings_get(&names->strings,
                                 rln__names_string(names, s->process, s->unit));
    if (s->scale_numerator && s->scale_denominator)
        out->scale = (double)s->scale_numerator / (double)s->scale_denominator;
    if ((flags & RLN__COUNTER_NORMALIZE) && number != RLN_PAYLOAD_DOUBLE) {
        const uint64_t mask = mask_of(c, process, type);

        out->full_scale = (double)(number == RLN_PAYLOAD_I64 ? mask >> 1 : mask);
    }
    out->value_type = (uint8_t)(value_type ? value_type - 1 : RLN_VALUE_ABSOLUTE);
    out->interpolation = (uint8_t)RLN__COUNTER_INTERPOLATION(flags);
    if (out->interpolation > RLN_INTERPOLATION_LINEAR)
        out->interpolation = RLN_INTERPOLATION_UNKNOWN;
    out->has_min = s->limit_type && (flags & RLN__COUNTER_LIMIT_MIN);
    out->has_max = s->limit_type && (flags & RLN__COUNTER_LIMIT_MAX);
    out->limit_type = limit_type(s->limit_type);
    out->min_bits = s->min;
    out->max_bits = s->max;
}

/* The semantics of values of a type, from those of the process; NULL when there is no
 * memory. Its address stays valid. */
static const rln_semantics *semantics_of(struct rln__counters *c, uint32_t process,
                                         uint32_t domain_id, uint32_t semantics_id,
                                         uint64_t type)
{
    const struct rln__key key = {{rln__pair32(process, domain_id), semantics_id, type}};
    const uint32_t number = rln__key_index_number(&c->by_semantics, &key);
    const struct rln__semantics *s;
    rln_semantics **semantics;

    if (number < c->n_semantics)
        return c->semantics[number];
    if (number == UINT32_MAX)
        return NULL;
    semantics = rln__grow(c->semantics, &c->semantics_capacity, c->n_semantics + 1,
                          sizeof(rln_semantics *));
    if (!semantics)
        return NULL;
    c->semantics = semantics;
    semantics[c->n_semantics] = rln__alloc(1, sizeof(rln_semantics));
    if (!semantics[c->n_semantics])
        return NULL;
    s = rln__registry_semantics(&c->reader->names, process, semantics_id);
    fill_semantics(c, process, s, type, semantics[c->n_semantics]);
    if (s && s->has_scope &&
        find_scope(c, process, domain_id, s->scope, &semantics[c->n_semantics]->scope))
        return NULL;
    return semantics[c->n_semantics++];
}

/* --- Counters --------------------------------------------------------------------- */

static int fill_type(struct rln__counters *c, uint32_t domain_id, rln_counter *out)
{
    struct rln__names *names = &c->reader->names;
    const struct rln__schema *schema =
        rln__registry_schema(names, out->process, domain_id, out->schema, UINT64_MAX);
    const char *known = rln__type_name(out->schema);
    uint32_t number = 0;

    if (schema)
        number = rln__names_string(names, schema->from.process, schema->name);
    else if (known)
        number = rln__strings_add(&names->strings, known, strlen(known));
    out->is_group = out->schema >= RLN__FIRST_SCHEMA_ID && !(schema && schema->is_enum);
    out->type_name = rln__strings_get(&names->strings, number);
    return known && !schema && !number ? -1 : 0;
}

static int fill_counter(struct rln__counters *c, uint32_t process, uint32_t domain_id,
                        uint64_t id, rln_counter *out)
{
    struct rln__names *names = &c->reader->names;
    const struct rln__counter *known =
        rln__registry_counter(names, process, domain_id, id);
    const rln_semantics *semantics;
    int is_unknown = 0;

    out->process = process;
    out->pid = names->processes[process].record.pid;
    out->id = id;
    out->domain = rln__names_domain(names, process, domain_id, &is_unknown);
    if (out->domain == RLN__NONE)
        return -1;
    out->domain_name =
        rln__strings_get(&names->strings, names->domains[out->domain].name);
    if (known) {
        const uint32_t owner = known->from.process;

        out->is_registered = 1;
        out->schema = known->schema;
        out->name = rln__strings_get(&names->strings,
                                     rln__names_string(names, owner, known->name));
        out->description = rln__strings_get(
            &names->strings, rln__names_string(names, owner, known->description));
        if (find_scope(c, process, domain_id, known->scope, &out->scope) ||
            fill_type(c, domain_id, out))
            return -1;
    }
    semantics =
        semantics_of(c, process, domain_id, known ? known->semantics : 0, out->schema);
    if (!semantics)
        return -1;
    out->semantics = *semantics;
    if (!out->scope.length)
        out->scope = semantics->scope;
    return 0;
}

/* The index of a counter, added if it is new; UINT32_MAX when there is no memory. */
static uint32_t index_of_id(struct rln__counters *c, uint32_t process,
                            uint32_t domain_id, uint64_t id)
{
    const struct rln__key key = {{process, domain_id, id}};
    const uint32_t number = rln__key_index_number(&c->by_id, &key);
    rln_counter **items;

    if (number < c->n || number == UINT32_MAX)
        return number;
    items = rln__grow(c->items, &c->capacity, c->n + 1, sizeof(rln_counter *));
    if (!items)
        return UINT32_MAX;
    c->items = items;
    items[c->n] = rln__alloc(1, sizeof(rln_counter));
    if (!items[c->n])
        return UINT32_MAX;
    c->n++;
    return fill_counter(c, process, domain_id, id, items[number]) ? UINT32_MAX : number;
}

rln_counter *rln__counter_of_id(struct rln__counters *c, uint32_t process,
                                uint32_t domain_id, uint64_t id)
{
    const uint32_t index = index_of_id(c, process, domain_id, id);

    return index == UINT32_MAX ? NULL : c->items[index];
}

rln_counter *rln__counter_of_number(struct rln__counters *c, uint32_t process,
                                    uint32_t number)
{
    const uint64_t key = ((uint64_t)process << 32) | number;
    const uint64_t found = rln__map_get(&c->by_number, key);
    const struct rln__counter_number *meant;
    uint32_t index;

    if (found)
        return c->items[found - 1];
    meant = rln__registry_number(&c->reader->names, process, number);
    if (!meant && rln__reader_names_grew(c->reader))
        meant = rln__registry_number(&c->reader->names, process, number);
    /* An unknown number is a counter of its own: numbers are below NVTX's ids. */
    index = meant ? index_of_id(c, process, meant->domain_id, meant->counter)
                  : index_of_id(c, process, 0, number);
    if (index == UINT32_MAX || rln__map_put(&c->by_number, key, (uint64_t)index + 1))
        return NULL;
    return c->items[index];
}

uint64_t rln__counter_of_schema(const rln_reader *reader, uint32_t process,
                                uint32_t domain_id, uint64_t schema)
{
    const struct rln__registry *r = &reader->names.registry;

    for (size_t i = 0; i < r->n_counters; i++) {
        const struct rln__counter *c = &r->counters[i];

        if (c->schema == schema && c->from.process == process &&
            c->from.domain_id == domain_id)
            return c->from.id;
    }
    return schema;
}

/* --- Values ----------------------------------------------------------------------- */

static rln_sample_value *add_value(struct rln__counters *c)
{
    rln_sample_value *value =
        rln__append(&c->values, &c->n_values, &c->values_capacity, sizeof(*value));

    return value ? memset(value, 0, sizeof(*value)) : NULL;
}

rln_status rln__counter_value(struct rln__counters *c, const rln_counter *counter,
                              int is_double, uint64_t bits, rln_error *err)
{
    rln_sample_value *value;

    c->n_values = 0;
    value = add_value(c);
    if (!value)
        return rln__fail_nomem(err);
    value->semantics = &counter->semantics;
    value->type = is_double ? RLN_PAYLOAD_DOUBLE : RLN_PAYLOAD_I64;
    value->bits = bits;
    if (!is_double && number_type(counter->schema) == RLN_PAYLOAD_U64) {
        value->type = RLN_PAYLOAD_U64;
        value->bits = bits & mask_of(c, counter->process, counter->schema);
    }
    return RLN_OK;
}

struct walk {
    struct rln__counters *counters;
    const struct rln__payload_context *context;
    const rln_field *fields;
    size_t n;
    uint32_t semantics; /* the counter's */
};

/* 0: the field is no number. */
static int read_number(const rln_field *f, rln_sample_value *out)
{
    uint32_t low;
    float number;

    switch (f->kind) {
    case RLN_FIELD_INT:
        out->type = RLN_PAYLOAD_I64;
        out->bits = f->bits;
        return 1;
    case RLN_FIELD_UINT:
        out->type = RLN_PAYLOAD_U64;
        out->bits = f->bits;
        return 1;
    case RLN_FIELD_INT128:
    case RLN_FIELD_UINT128:
    case RLN_FIELD_DOUBLE:
        out->type = RLN_PAYLOAD_DOUBLE;
        memcpy(&out->bits, &f->number, sizeof(out->bits));
        return 1;
    case RLN_FIELD_FLOAT: /* fewer digits suffice */
        number = (float)f->number;
        memcpy(&low, &number, sizeof(low));
        out->type = RLN_PAYLOAD_FLOAT;
        out->bits = low;
        return 1;
    default:
        return 0;
    }
}

/* The semantics of a schema's entry, or else those of the enclosing one. */
static uint32_t entry_semantics(const struct walk *w, uint64_t schema_id,
                                uint32_t entry, uint32_t enclosing)
{
    const struct rln__schema *schema =
        rln__registry_schema(w->context->names, w->context->process,
                             w->context->domain_id, schema_id, w->context->ticks);
    const struct rln__schema_entry *entries =
        schema ? rln__schema_entries(&w->context->names->registry, schema) : NULL;

    return entries && entry < schema->n_entries && entries[entry].semantics
               ? entries[entry].semantics
               : enclosing;
}

/* Appends "a.b" or "a[3]" to `text`. */
static void add_name(struct rln__buf *text, const rln_field *f, int is_element)
{
    if (is_element) {
        rln__buf_format(text, "[%u]", f->index);
        return;
    }
    if (text->length)
        rln__buf_char(text, '.');
    if (f->name.length)
        rln__buf_add(text, f->name.bytes, f->name.length);
    else
        rln__buf_format(text, "%u", f->index);
}

static rln_status add_leaf(struct walk *w, const rln_field *f, uint32_t semantics,
                           rln_error *err)
{
    struct rln__counters *c = w->counters;
    rln_sample_value value = {0};
    rln_sample_value *room;
    uint32_t name;

    /* A sample's time is not a counter of the group. */
    if ((f->flags & RLN_FIELD_IS_TIMESTAMP) || !read_number(f, &value) ||
        c->n_values >= MOST_VALUES)
        return RLN_OK;
    value.semantics =
        semantics_of(c, w->context->process, w->context->domain_id, semantics, f->type);
    room = value.semantics ? add_value(c) : NULL;
    if (!room)
        return rln__fail_nomem(err);
    if (c->text.length) {
        name = rln__strings_add(&w->context->names->strings, c->text.bytes,
                                c->text.length);
        if (!name || c->text.has_failed)
            return rln__fail_nomem(err);
        value.name = rln__strings_get(&w->context->names->strings, name);
    }
    *room = value;
    return RLN_OK;
}

/* Adds the numbers of field `*at` and of all below it, and moves `*at` past them. */
static rln_status add_fields(struct walk *w, size_t *at, uint32_t semantics,
                             unsigned depth, rln_error *err)
{
    const rln_field *f = &w->fields[(*at)++];
    const size_t length = w->counters->text.length;
    const int has_children = f->kind == RLN_FIELD_STRUCT ||
                             f->kind == RLN_FIELD_UNION || f->kind == RLN_FIELD_ARRAY;
    rln_status status = RLN_OK;

    if (!has_children)
        return add_leaf(w, f, semantics, err);
    for (uint32_t i = 0; i < f->n_children && *at < w->n && !status; i++) {
        const rln_field *child = &w->fields[*at];
        const uint32_t own = f->kind == RLN_FIELD_ARRAY
                                 ? semantics
                                 : entry_semantics(w, f->type, child->index, semantics);

        if (depth < MOST_DEPTH)
            add_name(&w->counters->text, child, f->kind == RLN_FIELD_ARRAY);
        status = add_fields(w, at, own, depth + 1, err);
        w->counters->text.length = length;
    }
    return status;
}

rln_status rln__counter_values(struct rln__counters *c, const rln_counter *counter,
                               uint32_t domain_id, const rln_payload *payload,
                               uint64_t ticks, rln_error *err)
{
    struct rln__names *names = &c->reader->names;
    const struct rln__payload_context context = {.names = names,
                                                 .ticks = ticks,
                                                 .process = counter->process,
                                                 .domain_id = domain_id};
    const struct rln__counter *known =
        rln__registry_counter(names, counter->process, domain_id, counter->id);
    struct walk w = {c, &context, payload->fields, payload->n_fields,
                     known ? known->semantics : 0};
    size_t at = 0;

    c->n_values = 0;
    c->text.length = 0;
    return w.fields && w.n ? add_fields(&w, &at, w.semantics, 0, err) : RLN_OK;
}

double rln_sample_in_unit(const rln_sample_value *value)
{
    return rln__in_unit(value->semantics, rln__number_double(value->type, value->bits));
}

int rln__sample_is_scaled(const rln_sample_value *value)
{
    const rln_semantics *m = value->semantics;

    return m->full_scale > 0 || m->scale < 1 || m->scale > 1;
}
