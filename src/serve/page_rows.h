/* SPDX-License-Identifier: Apache-2.0 */
/* page_rows.h - the rows of an index as JSON, for the page in a file: an object for
 * each, whose members are columns of its items.
 *
 * The first column has the differences between starts, which are short numbers. Columns
 * of zeros are left out.
 */
#ifndef RLN_SERVE_PAGE_ROWS_H
#define RLN_SERVE_PAGE_ROWS_H

#include "output/output.h"
#include "timeline/lod_query.h"

/* For all extended payloads together. */
#define RLN__PAGE_PAYLOAD_BYTES (8u << 20)

struct rln__page_rows {
    struct rln__lod *lod; /* borrowed, as the next */
    struct rln__output *output;
    uint32_t *categories; /* owned while they are written; by kinship */
    size_t payload_bytes;
    uint64_t n_payloads_left_out;
    uint64_t n_items;
};

/* Writes "rows":[...]. */
rln_status rln__page_rows_put(struct rln__page_rows *rows, rln_error *err);

#endif
