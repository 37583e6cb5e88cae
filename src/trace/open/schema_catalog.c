/* SPDX-License-Identifier: Apache-2.0 */
/* schema_catalog.c - lists the schemas, enums and scopes of the registry, with their
 * names. */
#include "trace/open/schema_catalog.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/registry_lookup.h"
#include "trace/open/load.h"
#include "trace/payload/payload_json.h"
#include "trace/payload/payload_names.h"

struct rln__schema_catalog {
    struct rln__listed_schema *schemas; /* owned, like the others below */
    size_t n_schemas;
    struct rln__listed_entry *entries; /* of all schemas */
    struct rln__listed_scope *scopes;
    size_t n_scopes;
    struct rln__buf paths; /* of all scopes */
};

static rln_text string_of(const struct rln__names *names, uint32_t process, uint32_t id)
{
    return rln__strings_get(&names->strings, rln__names_string(names, process, id));
}

/* RLN__NONE when there is no memory. */
static uint32_t domain_of(struct rln__names *names, const struct rln__registered *from,
                          rln_text *name)
{
    int is_unknown = 0;
    const uint32_t domain =
        rln__names_domain(names, from->process, from->domain_id, &is_unknown);

    if (domain != RLN__NONE)
        *name = rln__strings_get(&names->strings, names->domains[domain].name);
    return domain;
}

static void fill_entry(const struct rln__names *names, uint32_t process,
                       const struct rln__schema_entry *from,
                       struct rln__listed_entry *to)
{
    const struct rln__semantics *semantics =
        rln__registry_semantics(names, process, from->semantics);

    *to = (struct rln__listed_entry){
        .name = string_of(names, process, from->name),
        .description = string_of(names, process, from->description),
        .flags = from->flags,
        .type = from->type,
        .type_name = rln__type_name(from->type),
        .detail = from->detail,
        .offset = from->offset,
    };
    if (semantics && semantics->has_counter)
        to->unit = string_of(names, process, semantics->unit);
}

static void fill_entries(const struct rln__names *names, const struct rln__schema *from,
                         struct rln__listed_entry *to)
{
    const struct rln__schema_entry *entries =
        rln__schema_entries(&names->registry, from);
    const struct rln__enum_value *values = rln__schema_values(&names->registry, from);

    for (uint32_t i = 0; i < from->n_entries; i++) {
        if (!from->is_enum)
            fill_entry(names, from->from.process, &entries[i], &to[i]);
        else
            to[i] = (struct rln__listed_entry){
                .name = string_of(names, from->from.process, values[i].name),
                .type = values[i].value,
                .flags = values[i].is_flag != 0,
            };
    }
}

static rln_status list_schemas(struct rln__names *names,
                               struct rln__schema_catalog *out, rln_error *err)
{
    const struct rln__registry *r = &names->registry;
    struct rln__listed_entry *entries;

    out->schemas = rln__alloc(r->n_schemas, sizeof(*out->schemas));
    out->entries = rln__alloc(r->n_entries + r->n_values, sizeof(*out->entries));
    if (!out->schemas || !out->entries)
        return rln__fail_nomem(err);
    entries = out->entries;
    for (size_t i = 0; i < r->n_schemas; i++) {
        const struct rln__schema *s = &r->schemas[i];
        struct rln__listed_schema *to = &out->schemas[out->n_schemas++];

        *to = (struct rln__listed_schema){
            .kind = s->is_enum ? RLN__SCHEMA_ENUM : s->type,
            .process = s->from.process,
            .flags = s->flags,
            .id = s->from.id,
            .name = string_of(names, s->from.process, s->name),
            .size_bytes = s->size_bytes,
            .pack_align = s->pack_align,
            .n_entries = s->n_entries,
            .entries = entries,
        };
        to->domain = domain_of(names, &s->from, &to->domain_name);
        if (to->domain == RLN__NONE)
            return rln__fail_nomem(err);
        fill_entries(names, s, entries);
        entries += s->n_entries;
    }
    return RLN_OK;
}

/* Sets the paths once the buffer is complete, because it may move. */
static rln_status list_scopes(struct rln__names *names, struct rln__schema_catalog *out,
                              rln_error *err)
{
    const struct rln__registry *r = &names->registry;
    size_t at = 0;

    out->scopes = rln__alloc(r->n_scopes, sizeof(*out->scopes));
    if (!out->scopes)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < r->n_scopes; i++) {
        const struct rln__scope *s = &r->scopes[i];
        struct rln__listed_scope *to = &out->scopes[out->n_scopes++];
        const size_t begin = out->paths.length;

        *to = (struct rln__listed_scope){
            .process = s->from.process, .id = s->from.id, .parent = s->parent};
        to->domain = domain_of(names, &s->from, &to->domain_name);
        (void)rln__buf_scope(&out->paths, names, s->from.process, s->from.domain_id,
                             s->from.id, names->processes[s->from.process].record.pid,
                             0);
        to->path.length = out->paths.length - begin;
        if (to->domain == RLN__NONE || out->paths.has_failed)
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < out->n_scopes; i++) {
        rln_text *path = &out->scopes[i].path;

        path->bytes = path->length ? out->paths.bytes + at : "";
        at += path->length;
    }
    return RLN_OK;
}

rln_status rln__schema_catalog_open(rln_reader *reader,
                                    struct rln__schema_catalog **out, rln_error *err)
{
    struct rln__schema_catalog *registered = rln__alloc(1, sizeof(*registered));
    rln_status status;

    *out = NULL;
    if (!registered)
        return rln__fail_nomem(err);
    status = list_schemas(&reader->names, registered, err);
    if (!status)
        status = list_scopes(&reader->names, registered, err);
    if (status) {
        rln__schema_catalog_close(registered);
        return status;
    }
    *out = registered;
    return RLN_OK;
}

void rln__schema_catalog_close(struct rln__schema_catalog *r)
{
    if (!r)
        return;
    rln__free(r->schemas);
    rln__free(r->entries);
    rln__free(r->scopes);
    rln__buf_clear(&r->paths);
    rln__free(r);
}

const struct rln__listed_schema *
rln__schema_catalog_schema(const struct rln__schema_catalog *r, size_t index)
{
    return index < r->n_schemas ? &r->schemas[index] : NULL;
}

const struct rln__listed_scope *
rln__schema_catalog_scope(const struct rln__schema_catalog *r, size_t index)
{
    return index < r->n_scopes ? &r->scopes[index] : NULL;
}
