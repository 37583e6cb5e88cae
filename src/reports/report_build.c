/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report_build.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "reports/sorted_rows.h"

#include <string.h>

struct cell {
    uint64_t bits;   /* of text: where it begins */
    uint32_t length; /* of text */
    uint8_t kind;    /* enum rln_cell_kind */
    uint8_t decimals;
    uint8_t is_heading; /* of a row's first cell */
};

struct column {
    rln_report_column is;
    char *header; /* owned; NULL: `is` has a static one */
};

struct rln_report {
    const struct rln__report_kind *kind;
    char *argument;         /* owned; or NULL */
    struct column *columns; /* owned */
    size_t n_columns, columns_capacity;
    struct cell *cells; /* owned; row by row */
    size_t n_cells, capacity;
    struct rln__buf text;
    size_t text_begin; /* of the text that is not in a cell yet */
    int has_failed;
    struct rln__sorted_rows *rows; /* owned; NULL: all cells are above */
    rln_report *row;               /* owned: the cells of the row made last */
    size_t n_made;                 /* its index + 1; 0: none was made */
};

char *rln__copy_name(const char *name)
{
    char *copy = rln__alloc(strlen(name) + 1, 1);

    return copy ? memcpy(copy, name, strlen(name)) : NULL;
}

int rln__is_named(const char *name, rln_text domain, rln_text message)
{
    const size_t n = domain.length;

    return rln__text_is(message, name) || (strlen(name) > n && name[n] == ':' &&
                                           (!n || memcmp(name, domain.bytes, n) == 0) &&
                                           rln__text_is(message, name + n + 1));
}

static void clear_columns(rln_report *r)
{
    for (size_t i = 0; i < r->n_columns; i++)
        rln__free(r->columns[i].header);
    r->n_columns = 0;
}

void rln_report_free(rln_report *r)
{
    if (!r)
        return;
    clear_columns(r);
    rln__sorted_rows_free(r->rows);
    rln_report_free(r->row);
    rln__free(r->columns);
    rln__free(r->cells);
    rln__buf_clear(&r->text);
    rln__free(r->argument);
    rln__free(r);
}

rln_status rln_report_status(const rln_report *r, rln_error *err)
{
    return r->row && (r->row->has_failed || r->row->text.has_failed)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

/* Whether rows are whole and memory did not run out. */
static rln_status check_rows(const rln_report *r, rln_error *err)
{
    if (r->has_failed || r->text.has_failed)
        return rln__fail_nomem(err);
    if (r->n_columns ? r->n_cells % r->n_columns : r->n_cells)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "report %s has %zu cells for %zu columns", r->kind->about.name,
                         r->n_cells, r->n_columns);
    return RLN_OK;
}

rln_status rln__report_make(const struct rln__report_source *source, rln_report **out)
{
    rln_report *r = rln__alloc(1, sizeof(*r));
    rln_status status;

    *out = NULL;
    if (!r)
        return rln__fail_nomem(source->err);
    r->kind = source->kind;
    if (source->argument)
        r->argument = rln__copy_name(source->argument);
    r->has_failed = source->argument && !r->argument;
    rln__set_columns(r, source->kind->columns, source->kind->n_columns);
    status = source->kind->build(source, r);
    if (!status)
        status = check_rows(r, source->err);
    if (status)
        rln_report_free(r);
    else
        *out = r;
    return status;
}

/* --- Columns ---------------------------------------------------------------------- */

static struct column *new_column(rln_report *r)
{
    struct column *column = r->has_failed
                                ? NULL
                                : rln__append(&r->columns, &r->n_columns,
                                              &r->columns_capacity, sizeof(*column));

    r->has_failed |= !column;
    return column;
}

void rln__set_columns(rln_report *r, const rln_report_column *columns, size_t n)
{
    clear_columns(r);
    for (size_t i = 0; i < n; i++) {
        struct column *column = new_column(r);

        if (column)
            *column = (struct column){columns[i], NULL};
    }
}

void rln__add_column(rln_report *r, const char *header, rln_report_column column)
{
    struct column *new = new_column(r);

    if (!new)
        return;
    *new = (struct column){column, rln__copy_name(header)};
    new->is.header = new->header;
    r->has_failed |= !new->header;
}

void rln__rename_column(rln_report *r, size_t column, const char *header)
{
    if (column < r->n_columns)
        r->columns[column].is.header = header;
}

/* --- Rows that are made when they are read ---------------------------------------- */

struct rln__sorted_rows *rln__report_sorted_rows(rln_report *r,
                                                 const struct rln__sorted_kind *kind)
{
    r->rows = rln__sorted_rows_new(kind);
    r->row = rln__alloc(1, sizeof(*r->row));
    r->has_failed |= !r->row;
    return r->rows;
}

/* The row with its cells; NULL: out of memory. */
static const rln_report *make_row(const rln_report *r, size_t index)
{
    rln_report *row = r->row;
    const void *item;

    if (row->has_failed || row->text.has_failed)
        return NULL;
    item = rln__sorter_item(&r->rows->all, index);
    row->n_cells = row->text.length = row->text_begin = 0;
    row->n_made = index + 1;
    if (item)
        r->rows->kind->put(row, r->rows, item);
    else
        row->has_failed = 1;
    return row->has_failed || row->text.has_failed || row->n_cells != r->n_columns
               ? NULL
               : row;
}

/* --- Cells ------------------------------------------------------------------------ */

static void put(rln_report *r, rln_cell_kind kind, uint64_t bits)
{
    struct cell *added;

    if (r->has_failed) /* asking again for each cell would take forever */
        return;
    added = rln__append(&r->cells, &r->n_cells, &r->capacity, sizeof(*added));
    if (!added) {
        r->has_failed = 1;
        return;
    }
    *added = (struct cell){.bits = bits, .kind = (uint8_t)kind};
}

static void put_double(rln_report *r, rln_cell_kind kind, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    put(r, kind, bits);
}

struct rln__buf *rln__report_text(rln_report *r)
{
    return &r->text;
}

void rln__report_put_text(rln_report *r)
{
    const size_t length = r->text.length - r->text_begin;

    put(r, RLN_CELL_TEXT, r->text_begin);
    if (!r->has_failed)
        r->cells[r->n_cells - 1].length = length < UINT32_MAX ? (uint32_t)length : 0;
    r->text_begin = r->text.length;
}

void rln__report_put_dimensions(rln_report *r, const uint32_t *sizes)
{
    rln__buf_format(&r->text, "%4u %4u %4u", (unsigned)sizes[0], (unsigned)sizes[1],
                    (unsigned)sizes[2]);
    rln__report_put_text(r);
}

void rln__report_put_empty(rln_report *r)
{
    put(r, RLN_CELL_EMPTY, 0);
}

void rln__report_put_word(rln_report *r, const char *text)
{
    rln__buf_text(&r->text, text);
    rln__report_put_text(r);
}

void rln__report_put_name(rln_report *r, rln_text text)
{
    rln__buf_add(&r->text, text.bytes, text.length);
    rln__report_put_text(r);
}

void rln__report_put_qualified(rln_report *r, rln_text domain, rln_text message)
{
    rln__buf_add(&r->text, domain.bytes, domain.length);
    rln__buf_char(&r->text, ':');
    rln__buf_add(&r->text, message.bytes, message.length);
    rln__report_put_text(r);
}

void rln__report_put_split(rln_report *r, const struct rln__cpu_split *split)
{
    rln__report_put_ns(r, split->on_ns);
    rln__report_put_ns(r, split->preempted_ns);
    rln__report_put_ns(r, split->blocked_ns);
    rln__report_put_ns(r, split->unknown_ns);
}

void rln__report_put_style(rln_report *r, rln_range_style style)
{
    rln__report_put_word(r, style == RLN_RANGE_PUSH_POP    ? "PushPop"
                            : style == RLN_RANGE_START_END ? "StartEnd"
                                                           : "");
}

void rln__report_put_count(rln_report *r, uint64_t value)
{
    put(r, RLN_CELL_COUNT, value);
}

void rln__report_put_bits(rln_report *r, uint8_t type, uint64_t bits)
{
    put(r,
        type == RLN_PAYLOAD_DOUBLE ? RLN_CELL_NUMBER
        : type == RLN_PAYLOAD_I64  ? RLN_CELL_INTEGER
                                   : RLN_CELL_COUNT,
        bits);
}

void rln__report_put_id(rln_report *r, uint64_t id)
{
    put(r, RLN_CELL_ID, id);
}

void rln__report_put_ns(rln_report *r, uint64_t ns)
{
    put(r, RLN_CELL_DURATION, ns);
}

void rln__report_put_distance(rln_report *r, int64_t ns)
{
    put(r, RLN_CELL_DISTANCE, (uint64_t)ns);
}

void rln__report_put_time(rln_report *r, int64_t ns)
{
    put(r, RLN_CELL_TIME, (uint64_t)ns);
}

void rln__report_put_mean(rln_report *r, double ns)
{
    put_double(r, RLN_CELL_MEAN, ns);
}

void rln__report_put_rate(rln_report *r, double ns)
{
    put_double(r, RLN_CELL_RATE, ns);
}

void rln__report_put_number(rln_report *r, double value)
{
    put_double(r, RLN_CELL_NUMBER, value);
}

void rln__report_put_about(rln_report *r, double value)
{
    put_double(r, RLN_CELL_ABOUT, value);
}

void rln__report_put_size(rln_report *r, double bytes)
{
    put_double(r, RLN_CELL_SIZE, bytes);
}

void rln__report_put_fixed(rln_report *r, double value, unsigned decimals)
{
    put_double(r, RLN_CELL_FIXED, value);
    if (!r->has_failed)
        r->cells[r->n_cells - 1].decimals = (uint8_t)decimals;
}

void rln__report_put_percent(rln_report *r, uint64_t part, uint64_t whole)
{
    rln__report_put_fixed(r, whole ? 100.0 * (double)part / (double)whole : 0.0, 1);
}

void rln__report_put_spread(rln_report *r, const struct rln__tally *ns)
{
    rln__report_put_mean(r, ns->spread.average);
    rln__report_put_mean(r, ns->spread.median);
    rln__report_put_ns(r, ns->min);
    rln__report_put_ns(r, ns->max);
    rln__report_put_mean(r, ns->spread.stddev);
}

void rln__report_put_times(rln_report *r, const struct rln__tally *ns, uint64_t whole)
{
    rln__report_put_percent(r, ns->total, whole);
    rln__report_put_ns(r, ns->total);
    rln__report_put_count(r, ns->n);
    rln__report_put_spread(r, ns);
}

void rln__report_only_if(rln_report *r, int is_known, size_t n)
{
    for (size_t i = 1; i <= n && !is_known && !r->has_failed; i++)
        r->cells[r->n_cells - i] = (struct cell){.kind = RLN_CELL_EMPTY};
}

void rln__report_put_heading(rln_report *r)
{
    if (!r->has_failed && r->n_cells && r->n_columns)
        r->cells[(r->n_cells - 1) / r->n_columns * r->n_columns].is_heading = 1;
}

/* --- What others read ------------------------------------------------------------- */

const struct rln__report_info *rln__report_get_about(const rln_report *r)
{
    return &r->kind->about;
}

const char *rln__report_argument(const rln_report *r)
{
    return r->argument;
}

size_t rln__report_count_columns(const rln_report *r)
{
    return r->n_columns;
}

const rln_report_column *rln_report_column_at(const rln_report *r, size_t column)
{
    return column < r->n_columns ? &r->columns[column].is : NULL;
}

size_t rln_report_count_rows(const rln_report *r)
{
    if (r->rows)
        return r->rows->all.n;
    return r->n_columns ? r->n_cells / r->n_columns : 0;
}

int rln_report_is_heading(const rln_report *r, size_t row)
{
    return !r->rows && row < rln_report_count_rows(r) &&
           r->cells[row * r->n_columns].is_heading;
}

static rln_cell unpack(const rln_report *r, const struct cell *cell)
{
    rln_cell out = {
        .kind = (rln_cell_kind)cell->kind,
        .decimals = cell->decimals,
        .bits = cell->bits,
    };

    switch (out.kind) {
    case RLN_CELL_EMPTY:
        break;
    case RLN_CELL_TEXT:
        out.bits = 0;
        out.text =
            (rln_text){cell->length ? r->text.bytes + cell->bits : "", cell->length};
        break;
    case RLN_CELL_COUNT:
    case RLN_CELL_ID:
    case RLN_CELL_DURATION:
        out.number = (double)cell->bits;
        break;
    case RLN_CELL_INTEGER:
    case RLN_CELL_DISTANCE:
    case RLN_CELL_TIME:
        out.number = (double)(int64_t)cell->bits;
        break;
    default:
        memcpy(&out.number, &cell->bits, sizeof(out.number));
    }
    return out;
}

rln_cell rln_report_cell(const rln_report *r, size_t row, size_t column)
{
    const rln_report *in = r;
    size_t first = row * r->n_columns;

    if (column >= r->n_columns || row >= rln_report_count_rows(r))
        return (rln_cell){.kind = RLN_CELL_EMPTY};
    if (r->rows) {
        in = r->row->n_made == row + 1 ? r->row : make_row(r, row);
        first = 0;
    }
    return in && first + column < in->n_cells ? unpack(in, &in->cells[first + column])
                                              : (rln_cell){.kind = RLN_CELL_EMPTY};
}

int rln__report_has_word(const char *argument, const char *word)
{
    const size_t length = strlen(word);
    const char *at = argument ? argument : "";

    while (*at && (strcspn(at, ":") != length || strncmp(at, word, length) != 0)) {
        at += strcspn(at, ":");
        at += *at == ':';
    }
    return *at != '\0';
}
