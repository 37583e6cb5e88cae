/* SPDX-License-Identifier: Apache-2.0 */
/* schema_catalog.h - lists the schemas, enums and scopes that the programs of a trace
 * registered. */
#ifndef RANGELINE_SCHEMA_CATALOG_H
#define RANGELINE_SCHEMA_CATALOG_H

#include "rangeline/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The schemas, enums and scopes of a trace. */
typedef struct rln_schema_catalog rln_schema_catalog;

/** What a schema describes. Values are never renumbered; 1 to 4 are NVTX's. */
typedef enum rln_schema_kind {
    RLN_SCHEMA_ENUM = 0,
    RLN_SCHEMA_STATIC = 1,         /**< A struct of one size. */
    RLN_SCHEMA_DYNAMIC = 2,        /**< Its arrays determine its size. */
    RLN_SCHEMA_UNION = 3,          /**< Outside fields select its active member. */
    RLN_SCHEMA_UNION_INTERNAL = 4, /**< It contains the selector itself. */
} rln_schema_kind;

/** An entry of a schema, or a value of an enum. Library-owned; grows at its end. */
typedef struct rln_schema_entry {
    rln_text name;
    rln_text description;
    uint64_t flags; /**< NVTX_PAYLOAD_ENTRY_FLAG_*; of an enum 1: a set of bits. */
    uint64_t type;  /**< NVTX_PAYLOAD_ENTRY_TYPE_* or an id; of an enum: the value. */
    const char *type_name; /**< Of a predefined type, else NULL. Static. */
    uint64_t detail;       /**< A length, or the index of an entry. */
    uint64_t offset;       /**< In bytes; 0: follows from its alignment. */
    rln_text unit;         /**< Of a counter, if it has one. */
} rln_schema_entry;

/** A schema or enum that a process registered. Library-owned; grows at its end. */
typedef struct rln_schema {
    rln_schema_kind kind;
    uint32_t process; /**< Index for rln_info_process(). */
    uint32_t domain;  /**< Index for rln_info_domain(). */
    uint32_t flags;   /**< NVTX_PAYLOAD_SCHEMA_FLAG_*. */
    uint64_t id;
    rln_text name;
    rln_text domain_name;
    uint64_t size_bytes; /**< Static size, or that of an enum's value; 0: unknown. */
    uint32_t pack_align; /**< 0: C's layout. */
    uint32_t n_entries;
    const rln_schema_entry *entries;
} rln_schema;

/** A scope, as one process registered it. Library-owned; grows at its end. */
typedef struct rln_scope {
    uint32_t process;
    uint32_t domain;
    uint64_t id;
    uint64_t parent;
    rln_text path; /**< From the root, separated by `/`. */
    rln_text domain_name;
} rln_scope;

/**
 * Lists what the programs registered, in the order of recording.
 *
 * An id that several processes registered, or one process several times, is listed each
 * time.
 *
 * Ownership: the caller owns `*out` and closes it with rln_schema_catalog_close(),
 *            before the reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_schema_catalog_open(rln_reader *reader,
                                                         rln_schema_catalog **out,
                                                         rln_error *err);

/**
 * Frees the list.
 *
 * Ownership: what was borrowed from it ends here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_schema_catalog_close(rln_schema_catalog *catalog);

/**
 * Gives a schema or enum by its index.
 *
 * Ownership: borrowed until rln_schema_catalog_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL past the last one.
 * Since:     0.1
 */
RLN_API const rln_schema *rln_schema_catalog_schema(const rln_schema_catalog *catalog,
                                                    size_t index);

/**
 * Gives a scope by its index.
 *
 * Ownership: borrowed until rln_schema_catalog_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL past the last one.
 * Since:     0.1
 */
RLN_API const rln_scope *rln_schema_catalog_scope(const rln_schema_catalog *catalog,
                                                  size_t index);

#ifdef __cplusplus
}
#endif

#endif
