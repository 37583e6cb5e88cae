/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/sorted_rows.h"
#include "base/alloc.h"

static void next(struct rln__row_source *source, rln_report *out)
{
    struct rln__sorted_rows *rows = (struct rln__sorted_rows *)source;

    rows->kind->put(out, rln__sorter_next(&rows->all));
}

static void rewind_rows(struct rln__row_source *source)
{
    rln__sorter_rewind(&((struct rln__sorted_rows *)source)->all);
}

static void clear(struct rln__row_source *source)
{
    struct rln__sorted_rows *rows = (struct rln__sorted_rows *)source;

    rln__sorter_clear(&rows->all);
    if (rows->kind->clear)
        rows->kind->clear(rows);
}

struct rln__sorted_rows *rln__sorted_rows_new(rln_report *out,
                                              const struct rln__sorted_kind *kind)
{
    struct rln__sorted_rows *rows = rln__alloc(1, kind->n_bytes);

    if (!rows)
        return NULL;
    rows->source = (struct rln__row_source){0, next, rewind_rows, clear};
    rows->all =
        (struct rln__sorter){.item_bytes = kind->item_bytes, .compare = kind->compare};
    rows->kind = kind;
    rln__set_rows(out, &rows->source);
    return rows;
}

rln_status rln__sorted_rows_end(struct rln__sorted_rows *rows, rln_status status,
                                rln_error *err)
{
    if (status == RLN_END)
        status = rln__sorter_end(&rows->all, err);
    rows->source.n_rows = rows->all.n;
    return status;
}
