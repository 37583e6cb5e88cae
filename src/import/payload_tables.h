/* SPDX-License-Identifier: Apache-2.0 */
/* payload_tables.h - reads extended payloads and their schemas.
 *
 *   NVTX_EVENTS.binaryData   [domain schema size 32][bytes][domain ...][bytes]
 *   NVTX_PAYLOAD_SCHEMAS, NVTX_PAYLOAD_ENUMS, and a table of entries of each
 *
 * The tables do not have the process of a schema, only the number of its domain: every
 * process with a domain of that number gets the schema.
 */
#ifndef RLN_IMPORT_PAYLOAD_TABLES_H
#define RLN_IMPORT_PAYLOAD_TABLES_H

#include "base/buf.h"
#include "import/id_map.h"

/* An event's payloads as segments (docs/reference/FORMAT.md 5); reused for the next
 * one. */
struct rln__imported_segments {
    struct rln__buf words; /* owned */
    uint32_t n_payloads;
};

/* Reads a cell of binaryData. `row` borrows its payloads from `segments`, until the
 * next call. `*is_damaged`: the cell is malformed, or exceeds a limit. */
rln_status rln__imported_segments_read(struct rln__imported_segments *segments,
                                       rln_text blob, struct rln__folded *row,
                                       int *is_damaged, rln_error *err);
/* The same for a single payload; `schema` is 0 for a sample's. */
rln_status rln__imported_segments_one(struct rln__imported_segments *segments,
                                      uint64_t schema, rln_text bytes,
                                      struct rln__folded *row, rln_error *err);
void rln__imported_segments_clear(struct rln__imported_segments *segments);

/* Writes the schemas to the names of all processes with their domains. */
rln_status rln__payload_tables(struct rln__import *import, rln_error *err);

#endif
