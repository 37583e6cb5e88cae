/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_arrow_cells.h - cells of Nsight's tables in Arrow's columns. */
#ifndef RLN_EXPORT_NSYS_NSYS_ARROW_CELLS_H
#define RLN_EXPORT_NSYS_NSYS_ARROW_CELLS_H

#include "export/arrow/arrow_batch.h"
#include "export/nsys/nsys.h"

#define RLN__NSYS_ARROW_BATCH_BYTES ((size_t)8 << 20) /* of texts */

static inline enum rln__arrow_type
rln__nsys_arrow_type(const struct rln__nsys_column *column)
{
    switch (*column->type) {
    case 'I':
        return RLN__ARROW_I64;
    case 'R':
        return RLN__ARROW_F64;
    default:
        return strcmp(column->name, "binaryData") == 0 ? RLN__ARROW_BYTES
                                                       : RLN__ARROW_PLAIN_TEXT;
    }
}

/* A cell of another kind than its column's is NULL; so is NaN, as in SQLite. */
static inline void rln__nsys_arrow_put(struct rln__arrow_batch *b,
                                       const struct rln__cell *cell)
{
    const enum rln__arrow_type type = b->columns[b->at].type;

    if (cell->kind == RLN__CELL_INT && type == RLN__ARROW_I64)
        rln__arrow_i64(b, cell->integer);
    else if (cell->kind == RLN__CELL_REAL && type == RLN__ARROW_F64 &&
             cell->real == cell->real)
        rln__arrow_f64(b, cell->real);
    else if ((cell->kind == RLN__CELL_TEXT || cell->kind == RLN__CELL_BLOB) &&
             (type == RLN__ARROW_PLAIN_TEXT || type == RLN__ARROW_BYTES))
        rln__arrow_bytes(b, cell->text);
    else
        rln__arrow_null(b);
}

#endif
