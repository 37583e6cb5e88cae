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

/* NaN is NULL, as in SQLite. */
static inline void rln__nsys_arrow_put(struct rln__arrow_batch *b,
                                       const struct rln__cell *cell)
{
    switch (b->columns[b->at].type) {
    case RLN__ARROW_I64:
        if (cell->kind == RLN__CELL_INT)
            rln__arrow_i64(b, cell->integer);
        else
            rln__arrow_null(b);
        break;
    case RLN__ARROW_F64:
        if (cell->kind == RLN__CELL_REAL && cell->real == cell->real)
            rln__arrow_f64(b, cell->real);
        else
            rln__arrow_null(b);
        break;
    default:
        rln__arrow_bytes(b, cell->kind ? cell->text : (rln_text){NULL, 0});
        break;
    }
}

#endif
