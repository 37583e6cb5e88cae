/* SPDX-License-Identifier: Apache-2.0 */
/* schema_catalog.h - lists the schemas, enums and scopes that the programs of a trace
 * registered. */
#ifndef RLN_TRACE_OPEN_SCHEMA_CATALOG_H
#define RLN_TRACE_OPEN_SCHEMA_CATALOG_H

#include "format/nvtx_payload.h"
#include "rangeline/reader.h"

/* The schemas, enums and scopes of a trace. */
struct rln__schema_catalog;

/* In place of a type: an enum. */
#define RLN__SCHEMA_ENUM 0

/* An entry of a schema, or a value of an enum. */
struct rln__listed_entry {
    rln_text name;
    rln_text description;
    uint64_t flags; /* NVTX_PAYLOAD_ENTRY_FLAG_*; of an enum 1: a set of bits. */
    uint64_t type;  /* NVTX_PAYLOAD_ENTRY_TYPE_* or an id; of an enum: the value. */
    const char *type_name; /* Of a predefined type, else NULL. Static. */
    uint64_t detail;       /* A length, or the index of an entry. */
    uint64_t offset;       /* In bytes; 0: follows from its alignment. */
    rln_text unit;         /* Of a counter, if it has one. */
};

/* A schema or enum that a process registered. */
struct rln__listed_schema {
    uint32_t kind;    /* Of rln__schema_type, or RLN__SCHEMA_ENUM. */
    uint32_t process; /* Index for rln_info_process(). */
    uint32_t domain;  /* Index for rln_info_domain(). */
    uint32_t flags;   /* NVTX_PAYLOAD_SCHEMA_FLAG_*. */
    uint64_t id;
    rln_text name;
    rln_text domain_name;
    uint64_t size_bytes; /* Static size, or that of an enum's value; 0: unknown. */
    uint32_t pack_align; /* 0: C's layout. */
    uint32_t n_entries;
    const struct rln__listed_entry *entries;
};

/* A scope, as one process registered it. */
struct rln__listed_scope {
    uint32_t process;
    uint32_t domain;
    uint64_t id;
    uint64_t parent;
    rln_text path; /* From the root, separated by `/`. */
    rln_text domain_name;
};

/* Lists what the programs registered, in the order of recording.
 *
 * An id that several processes registered, or one process several times, is listed each
 * time. */
rln_status rln__schema_catalog_open(rln_reader *reader,
                                    struct rln__schema_catalog **out, rln_error *err);

/* Frees the list. */
void rln__schema_catalog_close(struct rln__schema_catalog *catalog);

/* Gives a schema or enum by its index. NULL past the last one. */
const struct rln__listed_schema *
rln__schema_catalog_schema(const struct rln__schema_catalog *catalog, size_t index);

/* Gives a scope by its index. NULL past the last one. */
const struct rln__listed_scope *
rln__schema_catalog_scope(const struct rln__schema_catalog *catalog, size_t index);

#endif
