/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_samples.c - writes counters to the tables of Nsight's plugins.
 *
 *   GENERIC_EVENT_SOURCES          a domain
 *     GENERIC_EVENT_TYPES          a counter; typeId: <0, 1><source:16><number:32>
 *       GENERIC_EVENT_TYPE_FIELDS  its numbers; RANGELINE_COUNTER_FIELDS: their
 * semantics GENERIC_EVENTS                 a sample, and GENERIC_EVENT_DATA its numbers
 */
#include "export/nsys/nsys_samples.h"

#include "base/json.h"
#include "trace/payload/numbers.h"
#include "trace/payload/payload_json.h"

#define SOURCE_SHIFT 32
#define LOCAL ((int64_t)1 << 48) /* <host 0, vm 1> */
#define MOST_SOURCES 0xffffu

enum { SESSION_NS = 3, UNKNOWN_GROUP = 0 };
enum { FIELD_SIGNED, FIELD_UNSIGNED, FIELD_FLOAT, FIELD_DOUBLE };

static int64_t source_of(const rln_counter *counter)
{
    return LOCAL | (int64_t)(counter->domain % MOST_SOURCES + 1) << SOURCE_SHIFT;
}

static int field_type(uint8_t type)
{
    return type == RLN_PAYLOAD_U64      ? FIELD_UNSIGNED
           : type == RLN_PAYLOAD_FLOAT  ? FIELD_FLOAT
           : type == RLN_PAYLOAD_DOUBLE ? FIELD_DOUBLE
                                        : FIELD_SIGNED;
}

static rln_status write_source(struct rln__nsys *n, const rln_counter *counter,
                               rln_error *err)
{
    const uint64_t key = (uint64_t)source_of(counter);
    struct rln__cell cells[5] = {rln__cell_int((int64_t)key)};
    const rln_text fallback = {"NVTX", 4};
    int64_t name;
    rln_status status;

    if (rln__map_get(&n->sources, key))
        return RLN_OK;
    if (rln__map_put(&n->sources, key, 1))
        return rln__fail_nomem(err);
    status = rln__nsys_string(
        n, counter->domain_name.length ? counter->domain_name : fallback, &name, err);
    cells[1] = rln__cell_int(name);
    cells[2] = rln__cell_int(SESSION_NS);
    cells[3] = rln__cell_int(UNKNOWN_GROUP);
    return status ? status : rln__nsys_put(n, RLN__T_GENERIC_EVENT_SOURCES, cells, err);
}

static rln_status write_type(struct rln__nsys *n, const rln_counter *counter,
                             int64_t type_id, rln_error *err)
{
    struct rln__cell cells[4] = {rln__cell_int(type_id),
                                 rln__cell_int(source_of(counter))};
    int64_t name;
    rln_status status = rln__nsys_string(n, counter->name, &name, err);

    cells[2] = rln__cell_int(name);
    return status ? status : rln__nsys_put(n, RLN__T_GENERIC_EVENT_TYPES, cells, err);
}

static struct rln__cell limit(const rln_semantics *m, int has_limit, uint64_t bits)
{
    if (!has_limit)
        return rln__cell_null();
    return rln__cell_real(rln__number_double(m->limit_type, bits));
}

static rln_status clean_cell(struct rln__nsys *n, rln_text text, struct rln__cell *out,
                             rln_error *err)
{
    const rln_status status = rln__nsys_clean(n, &text, err);

    *out = rln__nsys_cell_text(text);
    return status;
}

static rln_status write_field(struct rln__nsys *n, const rln_counter *counter,
                              const struct rln__sampled *f, int64_t type_id,
                              rln_error *err)
{
    static const char *const types[] = {"absolute", "delta", "since start"};
    static const char *const holds[] = {NULL, "at point", "since last", "until next",
                                        "linear"};
    const rln_semantics *m = f->semantics;
    const rln_text fallback = {"value", 5};
    const rln_text texts[] = {counter->domain_name, counter->name, f->field, m->unit};
    struct rln__cell field[6] = {rln__cell_int(type_id), rln__cell_int(f->index)};
    struct rln__cell about[14] = {rln__cell_int(type_id), rln__cell_int(f->index),
                                  rln__cell_int(counter->pid)};
    int64_t name;
    rln_status status =
        rln__nsys_string(n, f->field.length ? f->field : fallback, &name, err);

    field[2] = rln__cell_int(name);
    field[5] = rln__cell_int(field_type(f->type));
    if (!status)
        status = rln__nsys_put(n, RLN__T_GENERIC_EVENT_TYPE_FIELDS, field, err);
    for (size_t i = 0; i < RLN_COUNT(texts) && !status; i++)
        status = clean_cell(n, texts[i], &about[3 + i], err);
    about[7] = rln__cell_real(m->full_scale > 0 ? m->scale / m->full_scale : m->scale);
    if (m->value_type < RLN_COUNT(types))
        about[8] = rln__cell_words(types[m->value_type]);
    if (m->interpolation && m->interpolation < RLN_COUNT(holds))
        about[9] = rln__cell_words(holds[m->interpolation]);
    about[10] = limit(m, m->has_min, m->min_bits);
    about[11] = limit(m, m->has_max, m->max_bits);
    if (!status)
        status =
            clean_cell(n, m->scope.length ? m->scope : counter->scope, &about[12], err);
    if (!status)
        status = clean_cell(n, counter->description, &about[13], err);
    return status ? status : rln__nsys_put(n, RLN__T_COUNTER_FIELDS, about, err);
}

static rln_status write_value(struct rln__nsys *n, const struct rln__sampled *f,
                              rln_error *err)
{
    struct rln__cell cells[6] = {rln__cell_int(n->n_generic), rln__cell_int(f->index)};
    const int type = field_type(f->type);

    if (!f->has_value)
        return RLN_OK;
    cells[2 + type] = type == FIELD_DOUBLE  ? rln__cell_double(f->bits)
                      : type == FIELD_FLOAT ? rln__cell_float(f->bits)
                                            : rln__cell_int((int64_t)f->bits);
    return rln__nsys_put(n, RLN__T_GENERIC_EVENT_DATA, cells, err);
}

/* {"value":3} or {"a":1,"b":null}: what GENERIC_EVENTS.data has. */
static rln_text json_of(struct rln__nsys *n, const struct rln__sampled_counter *c)
{
    struct rln__buf *buf = &n->scratch;

    buf->length = 0;
    rln__buf_char(buf, '{');
    for (size_t i = 0; i < c->n; i++) {
        const struct rln__sampled *f = &c->fields[i];

        rln__buf_text(buf, i ? "," : "");
        if (f->field.length)
            rln__buf_json(buf, f->field.bytes, f->field.length);
        else
            rln__buf_text(buf, "\"value\"");
        rln__buf_char(buf, ':');
        if (f->has_value)
            rln__json_number(buf, f->type, f->bits);
        else
            rln__buf_text(buf, "null");
    }
    rln__buf_char(buf, '}');
    return (rln_text){buf->bytes, buf->length};
}

rln_status rln__nsys_sample(struct rln__nsys *n, const rln_event *e, rln_error *err)
{
    const struct rln__sampled_counter *c;
    struct rln__cell cells[6];
    int64_t type_id;
    rln_status status = rln__sampling_see(&n->samples, e, &c, err);

    if (status)
        return status;
    type_id = source_of(e->counter) | c->number;
    if (c->is_new) {
        status = write_source(n, e->counter, err);
        if (!status && !rln__map_get(&n->sources, (uint64_t)type_id)) {
            status = rln__map_put(&n->sources, (uint64_t)type_id, 1)
                         ? rln__fail_nomem(err)
                         : write_type(n, e->counter, type_id, err);
        }
        for (size_t i = 0; i < c->n && !status; i++)
            if (c->fields[i].is_new)
                status = write_field(n, e->counter, &c->fields[i], type_id, err);
    }
    if (status)
        return status;
    n->n_generic++;
    cells[0] = rln__cell_int(n->n_generic);
    cells[1] = cells[2] = rln__cell_int(e->t_ns);
    cells[3] = rln__cell_int(type_id);
    cells[4] = rln__cell_int(rln__nsys_global_tid(n, e->process, e->tid));
    cells[5] = rln__export_needs(n->x, RLN_EXPORT_JSON)
                   ? rln__nsys_cell_text(json_of(n, c))
                   : rln__cell_null();
    status = rln__nsys_put(n, RLN__T_GENERIC_EVENTS, cells, err);
    for (size_t i = 0; i < c->n && !status; i++)
        status = write_value(n, &c->fields[i], err);
    return status;
}
