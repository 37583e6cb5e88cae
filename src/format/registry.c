/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c - reads records of registrations into tables (docs/reference/FORMAT.md 6).
 */
#include "format/registry.h"
#include "base/alloc.h"
#include "format/nvtx_payload.h"
#include "format/registry_ids.h"
#include "format/registry_lookup.h"

#include <stdlib.h>
#include <string.h>

/* A record's position over all files is part << PART_SHIFT ^ offset / 8: offsets are
 * multiples of 8, and below 2^51. */
#define PART_SHIFT 48

static uint32_t low32(uint64_t word)
{
    return (uint32_t)word;
}

static uint32_t high32(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

/* Makes room for `n_more` more items and zeroes it; NULL if there is no memory. */
static void *add_items(void **items, size_t *n, size_t *capacity, size_t n_more,
                       size_t item_bytes)
{
    char *moved = rln__grow(*items, capacity, *n + n_more, item_bytes);

    if (!moved)
        return NULL;
    *items = moved;
    moved += *n * item_bytes;
    *n += n_more;
    return memset(moved, 0, n_more * item_bytes);
}

#define ADD_N(registry, array, n_more)                                                 \
    add_items((void **)&(registry)->array, &(registry)->n_##array,                     \
              &(registry)->array##_capacity, n_more, sizeof(*(registry)->array))
#define ADD(registry, array) ADD_N(registry, array, 1)

static int add_id(struct rln__registry *r, enum rln__id_table table,
                  const struct rln__registered *from, size_t n_rows)
{
    struct rln__registered_id *id = ADD(r, ids);

    if (!id)
        return -1;
    id->from = *from;
    id->table = (uint32_t)table;
    id->row = (uint32_t)n_rows - 1;
    return 0;
}

/* --- One function per record: 0, -1 when there is no memory, 1 if it is damaged --- */

/* Whether a record has room for `n` items of `item_words` after `n_before` words. */
static int has_items(const struct rln__record *r, uint32_t n_before, uint64_t n,
                     uint32_t item_words)
{
    return n <= (r->n_words - n_before) / item_words;
}

static struct rln__registered registered(uint32_t process, const struct rln__record *r,
                                         uint64_t ticks)
{
    return (struct rln__registered){r->words[2], ticks, process, low32(r->words[1])};
}

static uint8_t sets_attributes(const struct rln__schema_entry *e)
{
    return RLN__ENTRY_PURPOSE(e->flags) == RLN__PURPOSE_MESSAGE ||
           e->type == RLN__TYPE_CATEGORY || e->type == RLN__TYPE_COLOR;
}

static int add_schema(struct rln__registry *registry, uint32_t process,
                      const struct rln__record *r)
{
    const uint64_t *w = r->words;
    const uint32_t n = high32(w[5]);
    const size_t first = registry->n_entries;
    struct rln__schema *s;
    void *entries;

    if (!has_items(r, 7, n, RLN__ENTRY_WORDS))
        return 1;
    entries = ADD_N(registry, entries, n);
    s = entries ? ADD(registry, schemas) : NULL;
    if (!s)
        return -1;
    memcpy(entries, w + 7, n * sizeof(struct rln__schema_entry));
    s->from = registered(process, r, w[6]);
    s->name = high32(w[1]);
    s->type = low32(w[3]);
    s->flags = high32(w[3]);
    s->size_bytes = w[4];
    s->pack_align = low32(w[5]);
    s->n_entries = n;
    s->first = first;
    for (uint32_t i = 0; i < n; i++)
        s->sets_attributes |= sets_attributes(&registry->entries[first + i]);
    return add_id(registry, RLN__ID_SCHEMA, &s->from, registry->n_schemas);
}

static int add_enum(struct rln__registry *registry, uint32_t process,
                    const struct rln__record *r)
{
    const uint64_t *w = r->words;
    const uint32_t n = high32(w[3]);
    const size_t first = registry->n_values;
    struct rln__enum_value *values;
    struct rln__schema *s;

    if (!has_items(r, 5, n, 2))
        return 1;
    values = ADD_N(registry, values, n);
    s = values ? ADD(registry, schemas) : NULL;
    if (!s)
        return -1;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *v = w + 5 + (size_t)i * 2;

        values[i] = (struct rln__enum_value){v[0], low32(v[1]), high32(v[1])};
    }
    s->from = registered(process, r, w[4]);
    s->name = high32(w[1]);
    s->size_bytes = low32(w[3]);
    s->n_entries = n;
    s->first = first;
    s->is_enum = 1;
    return add_id(registry, RLN__ID_SCHEMA, &s->from, registry->n_schemas);
}

/* One element of a list; `w` has `n_words` words, its header included. */
static void read_semantic(struct rln__semantics *s, const uint64_t *w, uint32_t n_words)
{
    switch ((uint16_t)w[0]) {
    case 1:
        if (n_words < 2 || s->has_scope)
            return;
        s->has_scope = 1;
        s->scope = w[1];
        return;
    case 2:
        if (n_words < 2 || s->has_time)
            return;
        s->has_time = 1;
        s->time_domain = w[1];
        return;
    case 3:
        if (n_words < 5 || s->has_correlation)
            return;
        s->has_correlation = 1;
        memcpy(s->correlation_uuid, w + 1, sizeof(s->correlation_uuid));
        s->correlation_name = low32(w[3]);
        s->correlation_role = w[4];
        return;
    case 5:
        if (n_words < 7 || s->has_counter)
            return;
        s->has_counter = 1;
        s->counter_flags = w[1];
        s->unit = low32(w[2]);
        s->limit_type = high32(w[2]);
        s->scale_numerator = w[3];
        s->scale_denominator = w[4];
        s->min = w[5];
        s->max = w[6];
        return;
    default:
        return; /* from a newer NVTX */
    }
}

static int add_semantics(struct rln__registry *registry, uint32_t process,
                         const struct rln__record *r)
{
    const struct rln__registered from = {low32(r->words[1]), 0, process, 0};
    struct rln__semantics *s = ADD(registry, semantics);
    uint32_t n_words;

    if (!s)
        return -1;
    s->process = process;
    s->id = low32(r->words[1]);
    for (uint32_t at = 2; at < r->n_words; at += n_words) {
        n_words = high32(r->words[at]);
        if (n_words == 0)
            break; /* the rest is padding */
        if (n_words > r->n_words - at) {
            registry->n_semantics--;
            return 1;
        }
        read_semantic(s, r->words + at, n_words);
    }
    return add_id(registry, RLN__ID_SEMANTICS, &from, registry->n_semantics);
}

static int add_scope(struct rln__registry *registry, uint32_t process,
                     const struct rln__record *r)
{
    struct rln__scope *s = ADD(registry, scopes);

    if (!s)
        return -1;
    s->from = registered(process, r, 0);
    s->path = high32(r->words[1]);
    s->parent = r->words[3];
    return add_id(registry, RLN__ID_SCOPE, &s->from, registry->n_scopes);
}

static int add_counter(struct rln__registry *registry, uint32_t process,
                       const struct rln__record *r)
{
    const uint64_t *w = r->words;
    struct rln__counter *c = ADD(registry, counters);

    if (!c)
        return -1;
    c->from = registered(process, r, 0);
    c->name = high32(w[1]);
    c->schema = w[3];
    c->description = low32(w[4]);
    c->semantics = high32(w[4]);
    c->scope = w[5];
    return add_id(registry, RLN__ID_COUNTER, &c->from, registry->n_counters);
}

static int add_number(struct rln__registry *registry, uint32_t process,
                      const struct rln__record *r)
{
    const uint64_t *w = r->words;
    const struct rln__registered from = {low32(w[1]), 0, process, 0};
    struct rln__counter_number *n = ADD(registry, numbers);

    if (!n)
        return -1;
    *n = (struct rln__counter_number){process, low32(w[1]), high32(w[1]), w[2]};
    return add_id(registry, RLN__ID_NUMBER, &from, registry->n_numbers);
}

static int add_time_domain(struct rln__registry *registry, uint32_t process,
                           const struct rln__record *r)
{
    const uint64_t *w = r->words;
    struct rln__time_domain *t = ADD(registry, time_domains);

    if (!t)
        return -1;
    t->from = registered(process, r, 0);
    t->scope = w[3];
    t->timestamp_type = w[4];
    t->flags = w[5];
    t->ticks_per_s = (int64_t)w[6];
    t->start = w[7];
    return add_id(registry, RLN__ID_TIME_DOMAIN, &t->from, registry->n_time_domains);
}

static int add_sync_points(struct rln__registry *registry, uint32_t process,
                           const struct rln__record *r)
{
    const uint64_t *w = r->words;
    const uint32_t n = high32(w[1]);
    const size_t first = registry->n_points;
    struct rln__sync_points *s;
    void *points;

    if (!has_items(r, 4, n, 2))
        return 1;
    points = ADD_N(registry, points, n);
    s = points ? ADD(registry, sync_points) : NULL;
    if (!s)
        return -1;
    memcpy(points, w + 4, n * sizeof(struct rln__sync_point));
    *s = (struct rln__sync_points){process, low32(w[1]), w[2], w[3], first, n};
    return 0;
}

static int add_conversion(struct rln__registry *registry, uint32_t process,
                          const struct rln__record *r)
{
    const uint64_t *w = r->words;
    struct rln__conversion *c = ADD(registry, conversions);

    if (!c)
        return -1;
    *c = (struct rln__conversion){.process = process,
                                  .domain_id = low32(w[1]),
                                  .source = w[2],
                                  .destination = w[3],
                                  .at_source = (int64_t)w[5],
                                  .at_destination = (int64_t)w[6]};
    memcpy(&c->slope, &w[4], sizeof(c->slope));
    return 0;
}

static int add_object(struct rln__registry *registry, uint32_t process,
                      const struct rln__record *r)
{
    const uint64_t *w = r->words;
    const struct rln__registered from = {low32(w[1]), w[3], process, 0};
    struct rln__sync_object *o = ADD(registry, objects);

    if (!o)
        return -1;
    *o = (struct rln__sync_object){process,     low32(w[1]), high32(w[1]),
                                   low32(w[2]), w[3],        0};
    return add_id(registry, RLN__ID_OBJECT, &from, registry->n_objects);
}

/* The object may be in a chunk that has not been read yet; rln__registry_sort() updates
 * it. */
static int add_destroyed(struct rln__registry *registry, uint32_t process,
                         const struct rln__record *r)
{
    struct rln__sync_object *o = ADD(registry, destroyed);

    if (!o)
        return -1;
    o->process = process;
    o->object = low32(r->words[1]);
    o->destroyed_ticks = r->words[2];
    return 0;
}

static int add_types(struct rln__registry *registry, uint32_t process,
                     const struct rln__record *r)
{
    const struct rln__registered from = {0, 0, process, 0};
    uint32_t n = low32(r->words[1]);
    struct rln__types *t;

    if ((uint64_t)n > ((uint64_t)r->n_words - 2) * 2)
        return 1;
    t = ADD(registry, types);
    if (!t)
        return -1;
    n = n < RLN__N_TYPES ? n : RLN__N_TYPES;
    t->process = process;
    t->flags = high32(r->words[1]);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t type = (uint32_t)(r->words[2 + i / 2] >> (i % 2 * 32));

        t->of[i].size = (uint16_t)type;
        t->of[i].alignment = (uint16_t)(type >> 16);
    }
    return add_id(registry, RLN__ID_TYPES, &from, registry->n_types);
}

int rln__registry_add(struct rln__registry *registry, uint32_t part, uint32_t process,
                      const struct rln__record *r)
{
    static const struct {
        uint32_t n_least; /* words */
        int (*add)(struct rln__registry *, uint32_t, const struct rln__record *);
    } records[] = {
        {7, add_schema},      {5, add_enum},        {2, add_semantics},
        {4, add_scope},       {6, add_counter},     {3, add_number},
        {8, add_time_domain}, {4, add_sync_points}, {7, add_conversion},
        {4, add_object},      {3, add_destroyed},   {2, add_types},
    };
    const unsigned sub = (unsigned)(r->words[0] >> RLN__SUB_SHIFT) & 255;
    const uint64_t position = (uint64_t)part << PART_SHIFT ^ r->offset / 8;
    int status;

    if (r->n_words < records[sub - RLN__SUB_SCHEMA].n_least)
        return 1;
    if (rln__map_get(&registry->seen, position))
        return 0;
    /* Row numbers have 32 bits. */
    if (registry->n_ids >= UINT32_MAX - 1)
        return 1;
    status = records[sub - RLN__SUB_SCHEMA].add(registry, process, r);
    return status ? status : rln__map_put(&registry->seen, position, 1);
}

static int by_id(const void *a, const void *b)
{
    return rln__compare_ids(a, b);
}

void rln__registry_sort(struct rln__registry *r)
{
    if (r->n_ids)
        qsort(r->ids, r->n_ids, sizeof(*r->ids), by_id);
    for (size_t i = 0; i < r->n_destroyed; i++) {
        const struct rln__sync_object *d = &r->destroyed[i];
        const struct rln__registered what = {d->object, d->destroyed_ticks, d->process,
                                             0};
        const uint32_t row = rln__find_id(r, RLN__ID_OBJECT, &what);

        if (row != RLN__NO_ROW)
            r->objects[row].destroyed_ticks = d->destroyed_ticks;
    }
}

void rln__registry_clear(struct rln__registry *r)
{
    rln__free(r->schemas);
    rln__free(r->entries);
    rln__free(r->values);
    rln__free(r->scopes);
    rln__free(r->counters);
    rln__free(r->numbers);
    rln__free(r->time_domains);
    rln__free(r->sync_points);
    rln__free(r->points);
    rln__free(r->conversions);
    rln__free(r->objects);
    rln__free(r->destroyed);
    rln__free(r->semantics);
    rln__free(r->types);
    rln__free(r->ids);
    rln__map_clear(&r->seen);
    memset(r, 0, sizeof(*r));
}
