/* SPDX-License-Identifier: Apache-2.0 */
#include "import/counter_types.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/nvtx_counter.h"
#include "format/nvtx_payload.h"

#include <math.h>
#include <string.h>

#define MOST_FIELDS 1024
#define SCOPE_SEMANTIC 1
#define SCOPE_WORDS 2
#define COUNTER_SEMANTIC 5
#define COUNTER_WORDS 7
#define UNKNOWN_GROUP 0

/* --- Semantics -------------------------------------------------------------------- */

/* Sets the fraction with the smallest numbers that equals this double: 0.001 is
 * 1/1000. */
static void set_scale(double scale, struct rln__counter_field *f)
{
    uint64_t n[2] = {0, 1}, d[2] = {1, 0}; /* the last two convergents */
    double rest = scale;

    f->scale_numerator = f->scale_denominator = 1;
    if (!(scale > 0) || scale > 1e15 || scale < 1e-19)
        return;
    for (int i = 0; i < 64 && rest < 1.8e19; i++) {
        const uint64_t whole = (uint64_t)rest;
        const uint64_t next[] = {whole * n[1] + n[0], whole * d[1] + d[0]};

        n[0] = n[1], n[1] = next[0];
        d[0] = d[1], d[1] = next[1];
        if (!next[1] || (double)next[0] / (double)next[1] == scale ||
            rest <= (double)whole)
            break;
        rest = 1 / (rest - (double)whole);
    }
    f->scale_numerator = n[1] ? n[1] : 1;
    f->scale_denominator = d[1] ? d[1] : 1;
}

/* The index of the cell's word, from 1; 0: none. */
static unsigned which(rln_text cell, const char *const *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (rln__text_is(cell, words[i]))
            return i + 1;
    }
    return 0;
}

enum {
    M_TYPE,
    M_INDEX,
    M_DOMAIN,
    M_FIELD,
    M_UNIT,
    M_SCALE,
    M_VALUE,
    M_HOLDS,
    M_MIN,
    M_MAX,
    M_DESCRIPTION,
    M_SCOPE
};

static rln_status read_field_semantics(struct rln__import *m, sqlite3_stmt *rows,
                                       struct rln__counter_type *type, rln_error *err)
{
    static const char *const values[] = {"absolute", "delta", "since start"};
    static const char *const holds[] = {"at point", "since last", "until next",
                                        "linear"};
    const int64_t index = sqlite3_column_int64(rows, M_INDEX);
    struct rln__counter_field *f =
        index >= 0 && index < (int64_t)type->n_fields ? &type->fields[index] : NULL;
    rln_status status;

    if (!f)
        return RLN_OK;
    f->flags = (uint64_t)which(rln__cell_get_text(rows, M_VALUE), values, 3) << 4 |
               (uint64_t)which(rln__cell_get_text(rows, M_HOLDS), holds, 4) << 8;
    set_scale(sqlite3_column_double(rows, M_SCALE), f);
    if (sqlite3_column_type(rows, M_MIN) == SQLITE_FLOAT)
        f->flags |= RLN__COUNTER_LIMIT_MIN;
    if (sqlite3_column_type(rows, M_MAX) == SQLITE_FLOAT)
        f->flags |= RLN__COUNTER_LIMIT_MAX;
    f->min = sqlite3_column_double(rows, M_MIN);
    f->max = sqlite3_column_double(rows, M_MAX);
    type->is_group = sqlite3_column_type(rows, M_FIELD) != SQLITE_NULL;
    status = rln__import_text(m, rln__cell_get_text(rows, M_UNIT), &f->unit, err);
    if (!status)
        status = rln__import_text(m, rln__cell_get_text(rows, M_SCOPE), &f->scope, err);
    if (!status)
        status =
            rln__import_text(m, rln__cell_get_text(rows, M_DOMAIN), &type->domain, err);
    if (!status)
        status = rln__import_text(m, rln__cell_get_text(rows, M_DESCRIPTION),
                                  &type->description, err);
    return status;
}

/* Reads the semantics, which only exports by Rangeline have. */
static rln_status read_semantics(struct rln__counter_types *t, struct rln__import *m,
                                 rln_error *err)
{
    static const char *const columns[] = {
        "!typeId",   "!fieldIdx",     "domain",  "field",   "unit",        "scale",
        "valueType", "interpolation", "minimum", "maximum", "description", "scope"};
    sqlite3_stmt *rows;
    rln_status status =
        rln__database_select(&m->db, "RANGELINE_COUNTER_FIELDS", columns,
                             RLN_COUNT(columns), "", &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        const uint64_t found =
            rln__map_get(&t->by_id, (uint64_t)sqlite3_column_int64(rows, M_TYPE));

        if (found)
            status = read_field_semantics(m, rows, &t->types[found - 1], err);
    }
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

/* --- Types and their fields ------------------------------------------------------- */

/* Reads sources that are programs, not those of the kernel's tracing. */
static rln_status read_sources(struct rln__import *m, struct rln__map *names,
                               rln_error *err)
{
    static const char *const columns[] = {"!sourceId", "!nameId", "sourceGroupId"};
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(&m->db, "GENERIC_EVENT_SOURCES", columns,
                                             RLN_COUNT(columns), "", &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        uint32_t text = 0;

        if (sqlite3_column_int64(rows, 2) != UNKNOWN_GROUP)
            continue;
        status = rln__import_text_of_id(m, sqlite3_column_int64(rows, 1), &text, err);
        if (!status && rln__map_put(names, (uint64_t)sqlite3_column_int64(rows, 0),
                                    (uint64_t)text + 1))
            status = rln__fail_nomem(err);
    }
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status add_type(struct rln__counter_types *t, int64_t id, uint32_t name,
                           uint32_t domain, rln_error *err)
{
    struct rln__counter_type *type =
        rln__append(&t->types, &t->n, &t->capacity, sizeof(*type));

    if (!type)
        return rln__fail_nomem(err);
    *type = (struct rln__counter_type){.name = name, .domain = domain};
    return rln__map_put(&t->by_id, (uint64_t)id, t->n) ? rln__fail_nomem(err) : RLN_OK;
}

static rln_status read_types(struct rln__counter_types *t, struct rln__import *m,
                             rln_error *err)
{
    static const char *const columns[] = {"!typeId", "!sourceId", "!nameId"};
    struct rln__map sources = {0}; /* sourceId -> text's number + 1 */
    sqlite3_stmt *rows = NULL;
    rln_status status = read_sources(m, &sources, err);

    if (!status)
        status = rln__database_select(&m->db, "GENERIC_EVENT_TYPES", columns,
                                      RLN_COUNT(columns), "", &rows, err);
    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        const int64_t id = sqlite3_column_int64(rows, 0);
        const uint64_t source =
            rln__map_get(&sources, (uint64_t)sqlite3_column_int64(rows, 1));
        uint32_t name = 0;

        if (!source || rln__map_get(&t->by_id, (uint64_t)id))
            continue;
        status = rln__import_text_of_id(m, sqlite3_column_int64(rows, 2), &name, err);
        if (!status) /* read_field_semantics() sets the domain if we wrote the export */
            status =
                add_type(t, id, name, m->db.is_ours ? 0 : (uint32_t)source - 1, err);
    }
    (void)sqlite3_finalize(rows);
    rln__map_clear(&sources);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status add_field(struct rln__import *m, struct rln__counter_type *type,
                            sqlite3_stmt *rows, rln_error *err)
{
    struct rln__counter_field *f =
        rln__append(&type->fields, &type->n_fields, &type->capacity, sizeof(*f));

    if (!f)
        return rln__fail_nomem(err);
    *f = (struct rln__counter_field){
        .type = (enum rln__field_type)sqlite3_column_int64(rows, 3),
        .scale_numerator = 1,
        .scale_denominator = 1};
    type->is_group = type->n_fields > 1;
    return rln__import_text_of_id(m, sqlite3_column_int64(rows, 2), &f->name, err);
}

/* Indices count from 0; fields after a gap are ignored. */
static rln_status read_fields(struct rln__counter_types *t, struct rln__import *m,
                              rln_error *err)
{
    static const char *const columns[] = {"!typeId", "!fieldIdx", "!fieldNameId",
                                          "!type"};
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(&m->db, "GENERIC_EVENT_TYPE_FIELDS",
                                             columns, RLN_COUNT(columns),
                                             "ORDER BY typeId, fieldIdx", &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        const uint64_t found =
            rln__map_get(&t->by_id, (uint64_t)sqlite3_column_int64(rows, 0));
        const int64_t kind = sqlite3_column_int64(rows, 3);
        struct rln__counter_type *type = found ? &t->types[found - 1] : NULL;

        if (type && kind >= 0 && kind < RLN__N_FIELD_TYPES &&
            type->n_fields < MOST_FIELDS &&
            sqlite3_column_int64(rows, 1) == (int64_t)type->n_fields)
            status = add_field(m, type, rows, err);
    }
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__counter_types_read(struct rln__counter_types *t, struct rln__import *m,
                                   rln_error *err)
{
    rln_status status;

    memset(t, 0, sizeof(*t));
    status = read_types(t, m, err);
    if (!status)
        status = read_fields(t, m, err);
    return status ? status : read_semantics(t, m, err);
}

void rln__counter_types_clear(struct rln__counter_types *t)
{
    for (size_t i = 0; i < t->n; i++)
        rln__free(t->types[i].fields);
    rln__free(t->types);
    rln__map_clear(&t->by_id);
    rln__key_index_clear(&t->written);
    rln__key_index_clear(&t->scopes);
    memset(t, 0, sizeof(*t));
}

const struct rln__counter_type *
rln__counter_types_find(const struct rln__counter_types *t, int64_t type_id)
{
    const uint64_t found = rln__map_get(&t->by_id, (uint64_t)type_id);

    return found && t->types[found - 1].n_fields ? &t->types[found - 1] : NULL;
}

/* --- Writing names ---------------------------------------------------------------- */

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint64_t scope_id(const struct rln__counter_field *f)
{
    return RLN__FIRST_SCHEMA_ID + f->scope;
}

/* Writes the scope as one path, without its parents. */
static rln_status append_scope(struct rln__counter_types *t, struct rln__import *m,
                               uint32_t process, uint32_t domain,
                               const struct rln__counter_field *f, rln_error *err)
{
    const struct rln__key key = {{process, domain, f->scope}};
    const size_t n_written = t->scopes.n;
    const uint32_t number = f->scope ? rln__key_index_number(&t->scopes, &key) : 0;
    rln_status status;
    uint64_t *w;

    if (number == UINT32_MAX)
        return rln__fail_nomem(err);
    if (!f->scope || number < n_written)
        return RLN_OK;
    status = rln__import_string(m, process, f->scope, err);
    if (status)
        return status;
    w = rln__import_name(m, process, RLN__SUB_SCOPE, 4, err);
    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(domain, f->scope);
    w[2] = scope_id(f);
    return RLN_OK;
}

/* `*out` is 0 if there is nothing to write. */
static rln_status append_semantics(struct rln__counter_types *t, struct rln__import *m,
                                   uint32_t process, uint32_t domain,
                                   const struct rln__counter_field *f, uint32_t *out,
                                   rln_error *err)
{
    const size_t n_words = 2 + COUNTER_WORDS + (f->scope ? SCOPE_WORDS : 0);
    const int has_limits =
        (f->flags & (RLN__COUNTER_LIMIT_MIN | RLN__COUNTER_LIMIT_MAX)) != 0;
    rln_status status = append_scope(t, m, process, domain, f, err);
    uint64_t *w;

    *out = 0;
    if (status || (!f->flags && !f->unit && !f->scope &&
                   f->scale_numerator == f->scale_denominator))
        return status;
    status = rln__import_string(m, process, f->unit, err);
    if (status)
        return status;
    w = rln__import_name(m, process, RLN__SUB_SEMANTICS, n_words, err);
    if (!w)
        return m->trace.failed;
    *out = ++t->n_semantics;
    w[1] = *out;
    w[2] = COUNTER_SEMANTIC | 1u << 16 | (uint64_t)COUNTER_WORDS << 32;
    w[3] = f->flags;
    w[4] = rln__pair32(f->unit, has_limits ? RLN__LIMIT_F64 : 0);
    w[5] = f->scale_numerator;
    w[6] = f->scale_denominator;
    w[7] = bits_of(f->min);
    w[8] = bits_of(f->max);
    if (f->scope) {
        w[9] = SCOPE_SEMANTIC | 1u << 16 | (uint64_t)SCOPE_WORDS << 32;
        w[10] = scope_id(f);
    }
    return RLN_OK;
}

static uint64_t nvtx_type(enum rln__field_type type)
{
    static const uint64_t types[] = {
        [RLN__FIELD_TYPE_SIGNED] = RLN__TYPE_INT64,
        [RLN__FIELD_TYPE_UNSIGNED] = RLN__TYPE_UINT64,
        [RLN__FIELD_TYPE_FLOAT] = RLN__TYPE_FLOAT,
        [RLN__FIELD_TYPE_DOUBLE] = RLN__TYPE_DOUBLE,
    };

    return types[type];
}

/* Writes a schema; its numbers are eight bytes apart, whatever their types. */
static rln_status append_group(struct rln__counter_types *t, struct rln__import *m,
                               uint32_t process, const struct rln__counter_type *type,
                               uint32_t domain, uint64_t schema, rln_error *err)
{
    struct rln__schema_entry *entries =
        rln__alloc(type->n_fields, sizeof(*entries)); /* owned */
    rln_status status = entries ? RLN_OK : rln__fail_nomem(err);

    for (size_t i = 0; i < type->n_fields && !status; i++) {
        const struct rln__counter_field *f = &type->fields[i];

        entries[i].type = nvtx_type(f->type);
        entries[i].name = f->name;
        entries[i].offset = i * 8;
        status = append_semantics(t, m, process, domain, f, &entries[i].semantics, err);
        if (!status)
            status = rln__import_string(m, process, f->name, err);
    }
    if (!status)
        status = rln__import_schema(m, process,
                                    &(struct rln__import_schema){
                                        .domain = domain,
                                        .id = schema,
                                        .type = RLN__SCHEMA_STATIC,
                                        .n_bytes = type->n_fields * 8,
                                        .entries = entries,
                                        .n_entries = (uint32_t)type->n_fields,
                                    },
                                    err);
    rln__free(entries);
    return status;
}

static rln_status append_counter(struct rln__counter_types *t, struct rln__import *m,
                                 uint32_t process, const struct rln__counter_type *type,
                                 uint32_t number, rln_error *err)
{
    /* In a separate domain, so that no schema of the program has the same id. */
    const uint64_t id = RLN__FIRST_SCHEMA_ID + (uint64_t)(type - t->types);
    uint32_t domain, semantics = 0;
    uint64_t *w;
    rln_status status =
        rln__import_domain_of_name(m, process, type->domain, &domain, err);

    if (!status)
        status = rln__import_string(m, process, type->name, err);
    if (!status)
        status = rln__import_string(m, process, type->description, err);
    if (!status && type->is_group)
        status = append_group(t, m, process, type, domain, id, err);
    else if (!status)
        status = append_semantics(t, m, process, domain, type->fields, &semantics, err);
    if (status)
        return status;
    w = rln__import_name(m, process, RLN__SUB_COUNTER_REGISTERED, 6, err);
    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(domain, type->name);
    w[2] = id;
    w[3] = type->is_group ? id : nvtx_type(type->fields[0].type);
    w[4] = rln__pair32(type->description, semantics);
    w = rln__import_name(m, process, RLN__SUB_COUNTER, 3, err);
    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(number, domain);
    w[2] = id;
    return RLN_OK;
}

rln_status rln__counter_types_number(struct rln__counter_types *t,
                                     struct rln__import *m, uint32_t process,
                                     const struct rln__counter_type *type,
                                     uint32_t *out, rln_error *err)
{
    const struct rln__key key = {{process, (uint64_t)(type - t->types)}};
    const size_t n_written = t->written.n;
    const uint32_t number = rln__key_index_number(&t->written, &key);

    *out = number + 1;
    if (number == UINT32_MAX)
        return rln__fail_nomem(err);
    return number < n_written ? RLN_OK : append_counter(t, m, process, type, *out, err);
}
