/* SPDX-License-Identifier: Apache-2.0 */
#include "table/table_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/thousands.h"
#include "base/utf8.h"

void rln__table_put_cell(const struct rln__table *t, size_t row, size_t column,
                         struct rln__buf *out)
{
    size_t index, begin;

    if (t->rows)
        row = t->rows[row];
    if (t->source) {
        t->source->add(t->source, row, column, out);
        return;
    }
    index = row * t->n_columns + column;
    begin = index ? t->ends[index - 1] : 0;
    rln__buf_add(out, t->text.bytes + begin, t->ends[index] - begin);
}

rln_text rln__table_cell_at(const struct rln__table *t, size_t index)
{
    struct rln__table_source *source = t->source;
    size_t begin, length;

    if (source) {
        source->made.length = 0;
        rln__table_put_cell(t, index / t->n_columns, index % t->n_columns,
                            &source->made);
        length = source->made.length;
        return (rln_text){length ? source->made.bytes : "", length};
    }
    if (t->rows)
        index = t->rows[index / t->n_columns] * t->n_columns + index % t->n_columns;
    begin = index ? t->ends[index - 1] : 0;
    length = t->ends[index] - begin;
    return (rln_text){length ? t->text.bytes + begin : "", length};
}

const struct rln__table_style *rln__table_style_of(const struct rln__table *t)
{
    static const struct rln__table_style plain = {.n_widths = 0};

    return t->style ? t->style : &plain;
}

#define MOST_BYTES (256u << 10) /* in memory, if they can be written */

bool rln__table_row_ends(const struct rln__table *t, struct rln__buf *out)
{
    out->has_failed |= t->source && t->source->made.has_failed;
    if (out->has_failed)
        return false;
    return !t->drain || out->length < MOST_BYTES || t->drain(t->drain_to, out);
}

/* --- Cells as people read them ---------------------------------------------------- */

size_t rln__table_add_cell(const struct rln__table *t, size_t index,
                           struct rln__buf *out)
{
    const rln_text cell = rln__table_cell_at(t, index);
    const size_t before = out->length;

    if (rln__table_kind(t, index % t->n_columns) != RLN__NUMBER || t->is_plain ||
        rln__table_style_of(t)->is_ungrouped)
        return rln__buf_printable(out, cell.bytes, cell.length);
    rln__buf_thousands(out, cell.bytes, cell.length);
    return out->length - before;
}

const char *rln__table_header(const struct rln__table *t, size_t i,
                              char out[RLN__HEADER_BYTES])
{
    const char *header = t->columns[i].header, *at = strstr(header, " (@)");
    const int length = at ? (int)(at - header) : 0;

    if (!at)
        return header;
    (void)snprintf(out, RLN__HEADER_BYTES, t->unit ? "%.*s (%s)%s" : "%.*s%s%s", length,
                   header, t->unit ? t->unit : "", at + strlen(" (@)"));
    return out;
}
