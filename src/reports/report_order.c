/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/key_index.h"
#include "reports/report_build.h"

struct key {
    size_t row;
    double number;
    rln_text text;
};

size_t rln__report_find_column(const rln_report *r, const char *header)
{
    const size_t n = rln__report_count_columns(r);

    for (size_t i = 0; i < n; i++)
        if (strcasecmp(rln_report_column_at(r, i)->header, header) == 0)
            return i;
    for (size_t i = 0; i < n && *header; i++)
        if (strncasecmp(rln_report_column_at(r, i)->header, header, strlen(header)) ==
            0)
            return i;
    return SIZE_MAX;
}

static int by_number(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->number > y->number || x->number < y->number)
        return x->number > y->number ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_text(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    const int order = rln__compare_text(x->text, y->text);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Rows may be made as they are read, so that texts are kept here. False: no memory. */
static int read_keys(const rln_report *r, size_t column, struct key *keys,
                     struct rln__buf *texts)
{
    const size_t n = rln_report_count_rows(r);
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        const rln_cell cell = rln_report_cell(r, i, column);

        keys[i] = (struct key){i, cell.number, {NULL, cell.text.length}};
        if (cell.kind == RLN_CELL_EMPTY || isnan(cell.number))
            keys[i].number = -INFINITY;
        rln__buf_add(texts, cell.text.bytes, cell.text.length);
    }
    if (texts->has_failed || rln_report_status(r, NULL))
        return 0;
    for (size_t i = 0; i < n; i++) {
        keys[i].text.bytes = texts->bytes ? texts->bytes + at : "";
        at += keys[i].text.length;
    }
    return 1;
}

size_t *rln__report_order(const rln_report *r, size_t column)
{
    const size_t n = rln_report_count_rows(r);
    const int is_text = rln_report_column_at(r, column)->kind == RLN_COLUMN_TEXT;
    struct key *keys = rln__alloc(n + 1, sizeof(*keys));
    size_t *rows = rln__alloc(n + 1, sizeof(*rows));
    struct rln__buf texts = {0};

    if (keys && rows && read_keys(r, column, keys, &texts)) {
        qsort(keys, n, sizeof(*keys), is_text ? by_text : by_number);
        for (size_t i = 0; i < n; i++)
            rows[i] = keys[i].row;
    } else {
        rln__free(rows);
        rows = NULL;
    }
    rln__buf_clear(&texts);
    rln__free(keys);
    return rows;
}
