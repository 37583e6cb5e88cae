/* SPDX-License-Identifier: Apache-2.0 */
#include "table/table_shared.h"

#include <string.h>

#include "base/utf8.h"
#include "table/table_parts.h"

enum {
    MOST_ROWS = 10000, /* that are read for it */
    LEAST_BYTES = 12,  /* a shorter beginning stays */
};

static size_t indentation(rln_text cell)
{
    size_t n = 0;

    while (n < cell.length && cell.bytes[n] == ' ')
        n++;
    return n;
}

static rln_text without_indentation(rln_text cell)
{
    const size_t n = indentation(cell);

    return (rln_text){cell.bytes + n, cell.length - n};
}

static bool begins_with(rln_text name, const struct rln__buf *beginning)
{
    return name.length >= beginning->length && beginning->length &&
           !memcmp(name.bytes, beginning->bytes, beginning->length);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of the beginning of a name with one more part, "Net.layers." after "Net.";
 * 0 if there is none. Arguments are no parts, nor are the digits of a fraction. */
static size_t next_length(rln_text name, size_t length)
{
    for (size_t i = length; i + 1 < name.length && !strchr("(<[{", name.bytes[i]);
         i++) {
        const bool is_fraction = name.bytes[i] == '.' && i &&
                                 is_digit(name.bytes[i - 1]) &&
                                 is_digit(name.bytes[i + 1]);

        if (strchr("./:", name.bytes[i]) && !is_fraction)
            return i + 1;
    }
    return 0;
}

static rln_text name_of(const struct rln__table *t, size_t row, size_t column)
{
    return without_indentation(rln__table_cell_at(t, row * t->n_columns + column));
}

/* Makes `best` the only beginning with one more part than `before` that more than half
 * of the rows can have (Boyer and Moore's majority vote), and tells whether they do. */
static bool extend(const struct rln__table *t, size_t column, size_t n_rows,
                   const struct rln__buf *before, struct rln__buf *best)
{
    size_t n_votes = 0, n_having = 0;

    best->length = 0;
    for (size_t row = 0; row < n_rows; row++) {
        const rln_text name = name_of(t, row, column);
        const size_t length = !before->length || begins_with(name, before)
                                  ? next_length(name, before->length)
                                  : 0;

        if (!n_votes && length) {
            best->length = 0;
            rln__buf_add(best, name.bytes, length);
        }
        if (!n_votes)
            n_votes = length > 0;
        else if (length == best->length && begins_with(name, best))
            n_votes++;
        else
            n_votes--;
    }
    for (size_t row = 0; row < n_rows; row++)
        n_having += begins_with(name_of(t, row, column), best);
    return !best->has_failed && n_having * 2 > n_rows;
}

static bool find(struct rln__table *t, size_t column)
{
    const size_t n_rows = t->n_cells / t->n_columns;
    struct rln__buf next = {0};

    t->shared.length = 0;
    while (
        extend(t, column, n_rows < MOST_ROWS ? n_rows : MOST_ROWS, &t->shared, &next)) {
        const struct rln__buf before = t->shared;

        t->shared = next;
        next = before;
    }
    rln__buf_clear(&next);
    return t->shared.length >= LEAST_BYTES;
}

void rln__table_find_shared(struct rln__table *t)
{
    for (size_t column = 0; column < t->n_columns && t->n_cells / t->n_columns > 1;
         column++) {
        t->shared_column = column;
        if (rln__table_kind(t, column) == RLN__TEXT && find(t, column))
            return;
    }
    t->shared.length = 0;
}

void rln__table_say_shared(const struct rln__table *table, struct rln__buf *out)
{
    if (!table->shared.length)
        return;
    rln__buf_text(out, " " RLN__ELLIPSIS " = ");
    (void)rln__buf_printable(out, table->shared.bytes, table->shared.length);
    rln__buf_text(out, "\n\n");
}

size_t rln__table_add_unshared(const struct rln__table *t, rln_text cell,
                               struct rln__buf *out)
{
    const rln_text name = without_indentation(cell);
    size_t n_columns, n_before;

    if (!begins_with(name, &t->shared))
        return rln__buf_printable(out, cell.bytes, cell.length);
    n_before = cell.length - name.length;
    rln__buf_fill(out, ' ', n_before);
    rln__buf_text(out, RLN__ELLIPSIS);
    n_columns = rln__buf_printable(out, name.bytes + t->shared.length,
                                   name.length - t->shared.length);
    return n_before + 1 + n_columns;
}
