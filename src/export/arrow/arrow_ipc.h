/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_ipc.h - Arrow's streams as bytes: https://arrow.apache.org/docs/format/IPC.html
 *
 *   stream   [schema][batch][batch]...[end]
 *   message  ffffffff, size, flatbuffer, padding | a batch's buffers, each padded
 *
 * Only of columns without dictionaries.
 */
#ifndef RLN_EXPORT_ARROW_ARROW_IPC_H
#define RLN_EXPORT_ARROW_ARROW_IPC_H

#include "export/arrow/arrow_batch.h"
#include "output/block_codec.h"
#include "rangeline/error.h"

/* Where messages go. */
struct rln__arrow_sink {
    rln_status (*write)(void *context, const void *bytes, size_t length,
                        rln_error *err);
    void *context;
    struct rln__block_codec *codec; /* borrowed; NULL: buffers are not compressed */
};

struct rln__ipc_table {
    const char *name; /* static: the metadata `table_name` */
    const struct rln__arrow_field *fields;
    size_t n_fields;
    uint64_t required; /* bits: the columns that are never null */
};

rln_status rln__arrow_write_schema(const struct rln__arrow_sink *sink,
                                   const struct rln__ipc_table *table, rln_error *err);
/* The rows of a batch, which is empty then. Without rows, nothing. */
rln_status rln__arrow_write_batch(const struct rln__arrow_sink *sink,
                                  struct rln__arrow_batch *batch, rln_error *err);
rln_status rln__arrow_write_end(const struct rln__arrow_sink *sink, rln_error *err);

#endif
