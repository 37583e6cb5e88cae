/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/sorted_rows.h"
#include "base/alloc.h"

struct rln__sorted_rows *rln__sorted_rows_new(const struct rln__sorted_kind *kind)
{
    struct rln__sorted_rows *rows = rln__alloc(1, kind->n_bytes);

    if (!rows)
        return NULL;
    rows->all.item_bytes = kind->item_bytes;
    rows->all.compare = kind->compare;
    rows->kind = kind;
    return rows;
}

void rln__sorted_rows_free(struct rln__sorted_rows *rows)
{
    if (!rows)
        return;
    rln__sorter_clear(&rows->all);
    if (rows->kind->clear)
        rows->kind->clear(rows);
    rln__free(rows);
}

rln_status rln__sorted_rows_end(struct rln__sorted_rows *rows, rln_status status,
                                rln_error *err)
{
    return status == RLN_END ? rln__sorter_end(&rows->all, err) : status;
}
