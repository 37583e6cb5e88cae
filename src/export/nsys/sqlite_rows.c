/* SPDX-License-Identifier: Apache-2.0 */
#if RLN_HAVE_SQLITE
#include "export/nsys/sqlite_rows.h"
#include "base/alloc.h"

struct table {
    sqlite3_vtab base; /* SQLite's, and first */
    const struct rln__sqlite_rows *rows;
};

struct cursor {
    sqlite3_vtab_cursor base;
    size_t at;
};

static int on_connect(sqlite3 *db, void *rows, int n, const char *const *words,
                      sqlite3_vtab **out, char **message)
{
    struct table *t = rln__alloc(1, sizeof(*t));

    (void)n;
    (void)words;
    (void)message;
    if (!t)
        return SQLITE_NOMEM;
    t->rows = rows;
    *out = &t->base;
    return sqlite3_declare_vtab(db, "CREATE TABLE x(" RLN__EVENT_COLUMNS ")");
}

static int on_disconnect(sqlite3_vtab *table)
{
    rln__free(table);
    return SQLITE_OK;
}

static int on_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    (void)info;
    return SQLITE_OK;
}

static int on_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    struct cursor *c = rln__alloc(1, sizeof(*c));

    (void)table;
    if (!c)
        return SQLITE_NOMEM;
    *out = &c->base;
    return SQLITE_OK;
}

static int on_close(sqlite3_vtab_cursor *cursor)
{
    rln__free(cursor);
    return SQLITE_OK;
}

static int on_filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int n,
                     sqlite3_value **values)
{
    (void)number;
    (void)text;
    (void)n;
    (void)values;
    ((struct cursor *)cursor)->at = 0;
    return SQLITE_OK;
}

static int on_next(sqlite3_vtab_cursor *cursor)
{
    ((struct cursor *)cursor)->at++;
    return SQLITE_OK;
}

static int on_eof(sqlite3_vtab_cursor *cursor)
{
    return ((struct cursor *)cursor)->at >=
           ((const struct table *)cursor->pVtab)->rows->waiting->n;
}

static inline void give(sqlite3_context *context, const struct rln__cell *cell)
{
    switch (cell->kind) {
    case RLN__CELL_INT:
        sqlite3_result_int64(context, cell->integer);
        break;
    case RLN__CELL_REAL:
        sqlite3_result_double(context, cell->real);
        break;
    case RLN__CELL_TEXT:
        sqlite3_result_text64(context, cell->text.bytes, cell->text.length,
                              SQLITE_STATIC, SQLITE_UTF8);
        break;
    case RLN__CELL_BLOB:
        sqlite3_result_blob64(context, cell->text.bytes, cell->text.length,
                              SQLITE_STATIC);
        break;
    case RLN__CELL_NULL:
        break; /* the default of a column */
    }
}

static int on_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    const struct rln__sqlite_rows *rows = ((const struct table *)cursor->pVtab)->rows;
    const struct rln__cell cell =
        rln__nsys_cell(&rows->waiting->rows[((struct cursor *)cursor)->at], column);

    give(context, &cell);
    return SQLITE_OK;
}

static int on_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((struct cursor *)cursor)->at;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = on_connect,
    .xBestIndex = on_best_index,
    .xDisconnect = on_disconnect,
    .xOpen = on_open,
    .xClose = on_close,
    .xFilter = on_filter,
    .xNext = on_next,
    .xEof = on_eof,
    .xColumn = on_column,
    .xRowid = on_rowid,
};

int rln__sqlite_rows_open(struct rln__sqlite_rows *r, sqlite3 *db)
{
    for (size_t i = 0; i < 2; i++) {
        r->batches[i].rows =
            rln__alloc(RLN__WAITING_ROWS, sizeof(struct rln__nsys_event));
        if (!r->batches[i].rows)
            return SQLITE_NOMEM;
    }
    r->filling = &r->batches[0];
    r->waiting = &r->batches[1];
    return sqlite3_create_module(db, "waiting", &module, r);
}

/* `payloads` may move, so the texts in it are offsets until it is complete. */
static rln_text keep(struct rln__sqlite_batch *b, rln_text text)
{
    const rln_text kept = {(const char *)(uintptr_t)(b->payloads.length + 1),
                           text.length};

    if (!text.bytes)
        return text;
    rln__buf_add(&b->payloads, text.bytes, text.length);
    return kept;
}

static void settle(const struct rln__sqlite_batch *b, rln_text *text)
{
    if (text->bytes)
        text->bytes = b->payloads.bytes + (uintptr_t)text->bytes - 1;
}

int rln__sqlite_rows_add(struct rln__sqlite_rows *r, const struct rln__nsys_event *e)
{
    struct rln__sqlite_batch *b = r->filling;
    struct rln__nsys_event *row = &b->rows[b->n++];

    *row = *e;
    b->is_plain = (b->n == 1 || b->is_plain) && rln__nsys_is_plain(e);
    row->json = keep(b, e->json);
    row->blob = keep(b, e->blob);
    if (b->payloads.has_failed)
        return -1;
    return b->n == RLN__WAITING_ROWS || b->payloads.length >= RLN__WAITING_BYTES;
}

void rln__sqlite_rows_turn(struct rln__sqlite_rows *r)
{
    struct rln__sqlite_batch *b = r->filling;

    for (size_t i = 0; b->payloads.length && i < b->n; i++) {
        settle(b, &b->rows[i].json);
        settle(b, &b->rows[i].blob);
    }
    r->filling = r->waiting;
    r->waiting = b;
    r->filling->n = 0;
    r->filling->payloads.length = 0;
}

void rln__sqlite_rows_clear(struct rln__sqlite_rows *r)
{
    for (size_t i = 0; i < 2; i++) {
        rln__free(r->batches[i].rows);
        rln__buf_clear(&r->batches[i].payloads);
    }
    memset(r, 0, sizeof(*r));
}
#else
typedef int rln__no_sqlite; /* a file in C has something in it */
#endif
