/* SPDX-License-Identifier: Apache-2.0 */
/* counter_types.h - reads the counters of an export with their semantics, and writes
 * them to the scratch trace. */
#ifndef RLN_IMPORT_COUNTER_TYPES_H
#define RLN_IMPORT_COUNTER_TYPES_H

#include "import/id_map.h"

/* ENUM_NSYS_GENERIC_EVENT_FIELD_TYPE */
enum rln__field_type {
    RLN__FIELD_TYPE_SIGNED,
    RLN__FIELD_TYPE_UNSIGNED,
    RLN__FIELD_TYPE_FLOAT,
    RLN__FIELD_TYPE_DOUBLE,
    RLN__N_FIELD_TYPES,
};

struct rln__counter_field {
    uint32_t name, unit, scope; /* texts' numbers */
    enum rln__field_type type;
    uint64_t flags; /* NVTX_COUNTER_FLAG_*, as far as known */
    uint64_t scale_numerator, scale_denominator;
    double min, max;
};

struct rln__counter_type {
    uint32_t name, domain, description; /* texts' numbers; domain 0: the default */
    struct rln__counter_field *fields;  /* owned */
    size_t n_fields, capacity;
    int is_group; /* its numbers have names */
};

struct rln__counter_types {
    struct rln__counter_type *types; /* owned */
    size_t n, capacity;
    struct rln__map by_id;         /* typeId -> index + 1 */
    struct rln__key_index written; /* {process, type} -> number - 1 in the trace */
    struct rln__key_index scopes;  /* {process, domain, path} */
    uint32_t n_semantics;          /* ids so far */
};

rln_status rln__counter_types_read(struct rln__counter_types *types,
                                   struct rln__import *import, rln_error *err);
void rln__counter_types_clear(struct rln__counter_types *types);

/* NULL: unknown, or of another kind. */
const struct rln__counter_type *
rln__counter_types_find(const struct rln__counter_types *types, int64_t type_id);

/* The number of a counter in a process. Writes the counter to the process's names if it
 * is new. */
rln_status rln__counter_types_number(struct rln__counter_types *types,
                                     struct rln__import *import, uint32_t process,
                                     const struct rln__counter_type *type,
                                     uint32_t *out, rln_error *err);

#endif
