/* SPDX-License-Identifier: Apache-2.0 */
/* registry.h - looks up the ids of NVTX's extensions: schemas, enums, scopes, counters,
 * time domains, semantics, sync objects (docs/reference/FORMAT.md 6, records 27 to 38).
 *
 *   tables   schemas [ ][ ][ ]  scopes [ ][ ]  counters [ ] ...     in reading order
 *   ids      sorted by table, process, domain, id, ticks  --> a row of its table
 *
 * Ids belong to a domain of a process, are 64 bits wide and may be registered again for
 * something else; so there is one list of ids, which is sorted after all chunks of
 * names were read. A forked child inherits ids that it did not register itself.
 *
 * Rows are never removed, and their indices stay. They have unresolved ids of the
 * record: names are string ids of the row's own process, for rln__names_string().
 * Counts and positions of entries are checked; all other numbers come from the program
 * unchecked. Pointers are valid until names are loaded again.
 */
#ifndef RLN_FORMAT_REGISTRY_H
#define RLN_FORMAT_REGISTRY_H

#include "base/hash.h"
#include "format/chunk_reader.h"

struct rln__names;

/* The registration of a row. */
struct rln__registered {
    uint64_t id;
    uint64_t ticks; /* of the registration; 0 where the record has none */
    uint32_t process;
    uint32_t domain_id; /* the process's own */
};

/* A schema, or an enum: they share their ids. Flags and types are NVTX's. */
struct rln__schema {
    struct rln__registered from;
    uint64_t size_bytes; /* the static size; for an enum: of a value */
    size_t first;        /* index of the first entry in `entries`, or in `values` */
    uint32_t n_entries;
    uint32_t name; /* string id */
    uint32_t type; /* NVTX_PAYLOAD_SCHEMA_TYPE_*; 0 in an enum */
    uint32_t flags;
    uint32_t pack_align;
    uint8_t is_enum;
    uint8_t sets_attributes; /* it sets its event's message, category or color */
};

struct rln__enum_value {
    uint64_t value;
    uint32_t name; /* string id */
    uint32_t is_flag;
};

struct rln__scope {
    struct rln__registered from;
    uint64_t parent; /* scope id */
    uint32_t path;   /* string id; relative to the parent */
};

struct rln__counter {
    struct rln__registered from;
    uint64_t schema; /* id of a schema or of a predefined type */
    uint64_t scope;
    uint32_t name, description; /* string ids */
    uint32_t semantics;         /* id; 0 none */
};

/* The counter of a 22- or 23-bit number in samples. */
struct rln__counter_number {
    uint32_t process;
    uint32_t number;
    uint32_t domain_id;
    uint64_t counter; /* NVTX's id */
};

struct rln__time_domain {
    struct rln__registered from;
    uint64_t scope;
    uint64_t timestamp_type; /* NVTX_TIMESTAMP_TYPE_* */
    uint64_t flags;          /* NVTX_TIMER_FLAG_* */
    int64_t ticks_per_s;     /* 0 if unknown */
    uint64_t start;          /* NVTX_TIMER_START_* */
};

struct rln__sync_point {
    int64_t source, destination;
};

/* Sync points between two time domains; the points are in `points`. */
struct rln__sync_points {
    uint32_t process;
    uint32_t domain_id;           /* 0: may also be the collector's clock */
    uint64_t source, destination; /* time domain ids */
    size_t first, n;
};

/* destination = at_destination + (source - at_source) * slope */
struct rln__conversion {
    uint32_t process;
    uint32_t domain_id;
    uint64_t source, destination; /* time domain ids */
    double slope;                 /* may be any bits, infinities included */
    int64_t at_source, at_destination;
};

struct rln__sync_object {
    uint32_t process;
    uint32_t object; /* its number */
    uint32_t domain_id;
    uint32_t name; /* string id */
    uint64_t created_ticks;
    uint64_t destroyed_ticks; /* 0: unknown */
};

/* All elements of one list of semantics; the first of each kind counts. */
struct rln__semantics {
    uint32_t process;
    uint32_t id;
    uint8_t has_scope, has_time, has_correlation, has_counter;
    uint64_t scope;       /* id */
    uint64_t time_domain; /* id */
    uint8_t correlation_uuid[16];
    uint32_t correlation_name; /* string id */
    uint64_t correlation_role;
    uint64_t counter_flags; /* NVTX_COUNTER_FLAG_* */
    uint32_t unit;          /* string id */
    uint32_t limit_type;    /* NVTX_COUNTER_LIMIT_*: type of `min` and `max` */
    uint64_t scale_numerator, scale_denominator;
    uint64_t min, max; /* bits */
};

#define RLN__N_TYPES 28 /* NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE */

/* Layout of C's types by the process's compiler, indexed by NVTX's type numbers. */
struct rln__types {
    uint32_t process;
    uint32_t flags; /* enum rln__types_flags */
    struct {
        uint16_t size, alignment;
    } of[RLN__N_TYPES];
};

struct rln__registered_id; /* registry.c */

struct rln__registry {
    struct rln__schema *schemas; /* owned, like the others below */
    size_t n_schemas, schemas_capacity;
    struct rln__schema_entry *entries;
    size_t n_entries, entries_capacity;
    struct rln__enum_value *values;
    size_t n_values, values_capacity;
    struct rln__scope *scopes;
    size_t n_scopes, scopes_capacity;
    struct rln__counter *counters;
    size_t n_counters, counters_capacity;
    struct rln__counter_number *numbers;
    size_t n_numbers, numbers_capacity;
    struct rln__time_domain *time_domains;
    size_t n_time_domains, time_domains_capacity;
    struct rln__sync_points *sync_points;
    size_t n_sync_points, sync_points_capacity;
    struct rln__sync_point *points;
    size_t n_points, points_capacity;
    struct rln__conversion *conversions;
    size_t n_conversions, conversions_capacity;
    struct rln__sync_object *objects;
    size_t n_objects, objects_capacity;
    struct rln__sync_object
        *destroyed; /* `destroyed_ticks`, for rln__registry_sort() */
    size_t n_destroyed, destroyed_capacity;
    struct rln__semantics *semantics;
    size_t n_semantics, semantics_capacity;
    struct rln__types *types;
    size_t n_types, types_capacity;
    struct rln__registered_id *ids; /* sorted when loading is done */
    size_t n_ids, ids_capacity;
    struct rln__map seen; /* positions of records: files are read again as they grow */
};

/* --- Look-ups --------------------------------------------------------------------- */

/* `process` is an index, `domain_id` the process's own id. NULL: not in the trace. */

static inline const struct rln__schema_entry *
rln__schema_entries(const struct rln__registry *r, const struct rln__schema *schema)
{
    return schema->is_enum || !schema->n_entries ? NULL : &r->entries[schema->first];
}

static inline const struct rln__enum_value *
rln__schema_values(const struct rln__registry *r, const struct rln__schema *schema)
{
    return schema->is_enum && schema->n_entries ? &r->values[schema->first] : NULL;
}

/* --- Filling: names.c ------------------------------------------------------------- */

/* Adds a record of RLN__SUB_SCHEMA to RLN__SUB_LAST_NAME. 0, -1 when there is no
 * memory, 1 if the record is damaged. */
int rln__registry_add(struct rln__registry *registry, uint32_t part, uint32_t process,
                      const struct rln__record *record);

/* Call after the last record is added, before any look-up. */
void rln__registry_sort(struct rln__registry *registry);
void rln__registry_clear(struct rln__registry *registry);

#endif
