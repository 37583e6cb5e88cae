/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.c - Nsight Systems' SQLite export.
 *
 * One transaction without a journal into a temporary file: it is renamed when it is
 * complete, so nothing has to be undone. Rows of NVTX_EVENTS go through sqlite_rows.c,
 * which a second thread inserts while the trace is read on. A range that is set aside
 * (rows.h) has its row reserved, so that the table is in the order of begins however
 * long a range is open.
 */
#include "export/exporters.h"
#include "export/nsys/nsys.h"
#if RLN_HAVE_SQLITE
#include "base/alloc.h"
#include "base/worker.h"
#include "export/nsys/nsys_about.h"
#include "export/nsys/nsys_gpu.h"
#include "export/nsys/nsys_samples.h"
#include "export/nsys/sqlite_rows.h"

/* Rows: waking a thread takes up to 50 us, inserting a row 2. */
#define WORTH_WAKING 64u

struct sqlite {
    struct rln__export *x; /* borrowed */
    struct rln__nsys nsys;
    sqlite3 *db; /* owned, as the statements */
    sqlite3_stmt *inserts[RLN__N_TABLES];
    sqlite3_stmt *append;       /* all that waits, behind the last row */
    sqlite3_stmt *append_plain; /* the same of plain rows */
    sqlite3_stmt *insert_at;    /* from a row number on */
    struct rln__sqlite_rows rows;
    struct rln__worker worker;  /* while it works, the connection is its own */
    int64_t first_row;          /* for the worker: insert_waiting() */
    struct rln__map rows_aside; /* of ranges that were set aside: number -> rowid */
    int64_t n_rows;             /* of NVTX_EVENTS, with the rows that are reserved */
    int has_gap;                /* the last row is reserved: nothing can be appended */
};

/* --- SQLite ----------------------------------------------------------------------- */

static rln_status refuse(const struct sqlite *s, rln_error *err)
{
    const int code = s->db ? sqlite3_errcode(s->db) : SQLITE_NOMEM;

    if (code == SQLITE_NOMEM)
        return rln__fail_nomem(err);
    return rln__fail(err, RLN_ERR_IO, 0, "cannot write file: path=\"%s\": %s",
                     s->x->output.path, sqlite3_errmsg(s->db));
}

static rln_status run(const struct sqlite *s, const char *sql, rln_error *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? refuse(s, err) : RLN_OK;
}

static rln_status prepare(const struct sqlite *s, const char *sql, sqlite3_stmt **out,
                          rln_error *err)
{
    return sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL)
               ? refuse(s, err)
               : RLN_OK;
}

static rln_status step(const struct sqlite *s, sqlite3_stmt *statement, rln_error *err)
{
    const int result = sqlite3_step(statement);

    if (result != SQLITE_DONE)
        return refuse(s, err);
    (void)sqlite3_reset(statement);
    return RLN_OK;
}

/* --- Tables ----------------------------------------------------------------------- */

/* Columns are listed one per line, as `.schema` prints them. */
static rln_status create(const struct sqlite *s, enum rln__nsys_table table,
                         rln_error *err)
{
    const struct rln__nsys_schema *schema = &rln__nsys_schemas[table];
    struct rln__buf sql = {0};
    rln_status status;

    rln__buf_format(&sql, "CREATE TABLE %s (", schema->name);
    for (size_t i = 0; i < schema->n_columns; i++)
        rln__buf_format(&sql, "%s\n    %-27s %s", i ? "," : "", schema->columns[i].name,
                        schema->columns[i].type);
    if (table == RLN__T_NVTX_EVENTS && rln__export_schema_minor(s->x) >= 28)
        rln__buf_format(&sql, ",\n    %-27s %s", "eventId",
                        "INTEGER NOT NULL PRIMARY KEY");
    rln__buf_text(&sql, "\n)");
    rln__buf_add(&sql, "", 1);
    status = sql.has_failed ? rln__fail_nomem(err) : run(s, sql.bytes, err);
    rln__buf_clear(&sql);
    return status;
}

static rln_status prepare_insert(struct sqlite *s, enum rln__nsys_table table,
                                 rln_error *err)
{
    const struct rln__nsys_schema *schema = &rln__nsys_schemas[table];
    struct rln__buf sql = {0};
    rln_status status = RLN_OK;

    if (!schema->is_always_there && !rln__export_needs(s->x, RLN_EXPORT_EMPTY_TABLES))
        status = create(s, table, err);
    rln__buf_format(&sql, "INSERT INTO %s VALUES(", schema->name);
    for (size_t i = 0; i < schema->n_columns; i++)
        rln__buf_text(&sql, i ? ",?" : "?");
    rln__buf_text(&sql, ")");
    rln__buf_add(&sql, "", 1);
    if (!status)
        status = sql.has_failed ? rln__fail_nomem(err)
                                : prepare(s, sql.bytes, &s->inserts[table], err);
    rln__buf_clear(&sql);
    return status;
}

static int bind(sqlite3_stmt *statement, int at, const struct rln__cell *cell)
{
    switch (cell->kind) {
    case RLN__CELL_INT:
        return sqlite3_bind_int64(statement, at, cell->integer);
    case RLN__CELL_REAL:
        return sqlite3_bind_double(statement, at, cell->real);
    case RLN__CELL_TEXT:
        return sqlite3_bind_text64(statement, at, cell->text.bytes, cell->text.length,
                                   SQLITE_STATIC, SQLITE_UTF8);
    case RLN__CELL_BLOB:
        return sqlite3_bind_blob64(statement, at, cell->text.bytes, cell->text.length,
                                   SQLITE_STATIC);
    default:
        return sqlite3_bind_null(statement, at);
    }
}

static rln_status put_row(void *context, enum rln__nsys_table table,
                          const struct rln__cell *cells, rln_error *err)
{
    struct sqlite *s = context;
    rln_status status = rln__worker_wait(&s->worker, err);

    if (!status && !s->inserts[table])
        status = prepare_insert(s, table, err);
    if (status)
        return status;
    for (size_t i = 0; i < rln__nsys_schemas[table].n_columns; i++)
        if (bind(s->inserts[table], (int)i + 1, &cells[i]))
            return refuse(s, err);
    return step(s, s->inserts[table], err);
}

/* --- NVTX_EVENTS ------------------------------------------------------------------ */

/* The worker: appends waiting rows, or puts them where `first_row` says. */
static rln_status insert_waiting(void *context, rln_error *err)
{
    struct sqlite *s = context;
    sqlite3_stmt *statement = s->first_row                ? s->insert_at
                              : s->rows.waiting->is_plain ? s->append_plain
                                                          : s->append;

    if (s->first_row && sqlite3_bind_int64(statement, 1, s->first_row))
        return refuse(s, err);
    return step(s, statement, err);
}

/* Gives filled rows to the worker; few are inserted sooner than it wakes. `first_row` is
 * 0 to append them. */
static rln_status give(struct sqlite *s, int64_t first_row, rln_error *err)
{
    const rln_status status = rln__worker_wait(&s->worker, err);

    if (status)
        return status;
    rln__sqlite_rows_turn(&s->rows);
    s->first_row = first_row;
    if (s->rows.waiting->n < WORTH_WAKING)
        return insert_waiting(s, err);
    rln__worker_give(&s->worker, insert_waiting, s);
    return RLN_OK;
}

static rln_status flush(struct sqlite *s, rln_error *err)
{
    const int64_t first = s->n_rows - (int64_t)s->rows.filling->n + 1;
    const int has_gap = s->has_gap;

    if (!s->rows.filling->n)
        return RLN_OK;
    s->has_gap = 0;
    return give(s, has_gap ? first : 0, err);
}

/* A range that was set aside gets the row that was reserved for it. */
static rln_status put_aside(struct sqlite *s, const struct rln__nsys_event *event,
                            rln_error *err)
{
    const int64_t row = (int64_t)rln__map_remove(&s->rows_aside, event->aside);
    const rln_status status = flush(s, err);

    if (status)
        return status;
    if (rln__sqlite_rows_add(&s->rows, event) < 0)
        return rln__fail_nomem(err);
    return give(s, row, err);
}

static rln_status put_event(void *context, const struct rln__nsys_event *event,
                            rln_error *err)
{
    struct sqlite *s = context;
    int is_full;

    if (event->aside)
        return put_aside(s, event, err);
    s->n_rows++;
    is_full = rln__sqlite_rows_add(&s->rows, event);
    if (is_full < 0)
        return rln__fail_nomem(err);
    return is_full ? flush(s, err) : RLN_OK;
}

static rln_status on_aside(void *state, uint64_t number, const rln_range *range,
                           rln_error *err)
{
    struct sqlite *s = state;
    rln_status status;

    (void)range;
    if (s->nsys.is_excluded[RLN__T_NVTX_EVENTS])
        return RLN_OK;
    status = flush(s, err);
    if (status)
        return status;
    s->has_gap = 1;
    return rln__map_put(&s->rows_aside, number, (uint64_t)++s->n_rows)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

/* --- Beginning and end ------------------------------------------------------------ */

static rln_status create_enum(const struct sqlite *s, const struct rln__nsys_enum *e,
                              rln_error *err)
{
    struct rln__buf sql = {0};
    rln_status status;

    rln__buf_format(&sql,
                    "CREATE TABLE %s (\n    %-27s INTEGER NOT NULL PRIMARY KEY,\n"
                    "    %-27s TEXT,\n    %-27s TEXT\n);\nINSERT INTO %s VALUES",
                    e->name, "id", "name", "label", e->name);
    for (size_t i = 0; i < e->n_rows; i++)
        rln__buf_format(&sql, "%s(%d,'%s','%s')", i ? "," : "", e->rows[i].id,
                        e->rows[i].name, e->rows[i].label);
    rln__buf_add(&sql, "", 1);
    status = sql.has_failed ? rln__fail_nomem(err) : run(s, sql.bytes, err);
    rln__buf_clear(&sql);
    return status;
}

static rln_status create_tables(struct sqlite *s, rln_error *err)
{
    rln_status status = RLN_OK;

    for (int i = 0; i < RLN__N_TABLES && !status; i++)
        if (rln__nsys_has(&s->nsys, (enum rln__nsys_table)i))
            status = create(s, (enum rln__nsys_table)i, err);
    return status;
}

/* At the end: some are there only with a table. */
static rln_status create_enums(struct sqlite *s, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < rln__n_nsys_enums && !status; i++)
        if (rln__nsys_has_enum(&s->nsys, &rln__nsys_enums[i]))
            status = create_enum(s, &rln__nsys_enums[i], err);
    return status;
}

#define APPEND(columns)                                                                \
    "INSERT INTO NVTX_EVENTS(" columns ") SELECT " columns " FROM waiting"

static rln_status prepare_events(struct sqlite *s, rln_error *err)
{
    rln_status status = RLN_OK;
    int result;

    if (s->nsys.is_excluded[RLN__T_NVTX_EVENTS])
        return RLN_OK;
    result = rln__sqlite_rows_open(&s->rows, s->db);
    if (result) /* SQLite does not know of our own allocations */
        return result == SQLITE_NOMEM ? rln__fail_nomem(err) : refuse(s, err);
    status = prepare(s, APPEND(RLN__EVENT_COLUMNS), &s->append, err);
    if (!status)
        status = prepare(s, APPEND(RLN__PLAIN_COLUMNS), &s->append_plain, err);
    if (!status)
        status = prepare(s,
                         "INSERT INTO NVTX_EVENTS(rowid," RLN__EVENT_COLUMNS
                         ") SELECT ?1 + rowid, * FROM waiting",
                         &s->insert_at, err);
    return status;
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    static const char pragmas[] =
        "PRAGMA page_size = 4096;"   /* Nsight's */
        "PRAGMA journal_mode = OFF;" /* nothing is rolled back */
        "PRAGMA synchronous = OFF;"
        "PRAGMA locking_mode = EXCLUSIVE;"
        "PRAGMA cache_size = -16384;" /* KiB */
        "BEGIN";
    struct sqlite *s = state;
    const struct rln__nsys_sink sink = {s, 0, put_event, put_row};
    rln_status status = rln__nsys_init(&s->nsys, x, &sink, err);

    s->x = x;
    if (status)
        return status;
    if (sqlite3_open_v2(x->output.part, &s->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        return refuse(s, err);
    status = run(s, pragmas, err);
    if (!status)
        status = create_tables(s, err);
    if (!status)
        status = prepare_events(s, err);
    rln__worker_start(&s->worker);
    return status;
}

static rln_status on_row(void *state, const struct rln__row *row, rln_error *err)
{
    return rln__nsys_row(&((struct sqlite *)state)->nsys, row, err);
}

static rln_status on_sample(void *state, const rln_event *event, rln_error *err)
{
    return rln__nsys_sample(&((struct sqlite *)state)->nsys, event, err);
}

static rln_status on_gpu(void *state, const struct rln__row *row, rln_error *err)
{
    return rln__nsys_gpu(&((struct sqlite *)state)->nsys, row->range, err);
}

/* Counters as one reads them: a row a number, with its name and unit. */
static const char view[] =
    "CREATE VIEW RANGELINE_COUNTERS AS\n"
    "SELECT e.timestamp, f.pid, e.globalTid, f.domain, f.counter, f.field,\n"
    "       COALESCE(d.intVal, d.uintVal, d.floatVal, d.doubleVal) AS value,\n"
    "       f.unit, f.scale, f.valueType, f.interpolation, f.minimum, f.maximum,\n"
    "       f.scope, f.description\n"
    "FROM GENERIC_EVENTS e\n"
    "JOIN RANGELINE_COUNTER_FIELDS f ON f.typeId = e.typeId\n"
    "LEFT JOIN GENERIC_EVENT_DATA d\n"
    "     ON d.genericEventId = e.genericEventId AND d.fieldIdx = f.fieldIdx";

static const struct {
    enum rln__nsys_table table;
    const char *sql;
} indexes[] = {
    {RLN__T_NVTX_EVENTS, "CREATE INDEX RANGELINE_BY_START ON NVTX_EVENTS(start)"},
    {RLN__T_NVTX_EVENTS,
     "CREATE INDEX RANGELINE_BY_THREAD ON NVTX_EVENTS(globalTid, start)"},
    {RLN__T_NVTX_EVENTS, "CREATE INDEX RANGELINE_BY_TEXT ON NVTX_EVENTS(text)"},
    {RLN__T_NVTX_EVENTS, "CREATE INDEX RANGELINE_BY_TEXT_ID ON NVTX_EVENTS(textId)"},
    {RLN__T_GENERIC_EVENTS,
     "CREATE INDEX RANGELINE_BY_TYPE ON GENERIC_EVENTS(typeId, timestamp)"},
    {RLN__T_GENERIC_EVENT_DATA,
     "CREATE INDEX RANGELINE_BY_EVENT ON GENERIC_EVENT_DATA(genericEventId)"},
};

static rln_status end(void *state, rln_error *err)
{
    struct sqlite *s = state;
    rln_status status = rln__nsys_end(&s->nsys, err);

    if (!status && s->rows.filling)
        status = flush(s, err);
    if (!status)
        status = rln__worker_wait(&s->worker, err);
    if (!status)
        status = create_enums(s, err);
    if (!status && rln__nsys_has(&s->nsys, RLN__T_GENERIC_EVENTS) &&
        rln__nsys_has(&s->nsys, RLN__T_GENERIC_EVENT_DATA) &&
        rln__nsys_has(&s->nsys, RLN__T_COUNTER_FIELDS))
        status = run(s, view, err);
    for (size_t i = 0; i < RLN_COUNT(indexes) && !status; i++)
        if (rln__export_needs(s->x, RLN_EXPORT_INDEXES) &&
            rln__nsys_has(&s->nsys, indexes[i].table))
            status = run(s, indexes[i].sql, err);
    return status ? status : run(s, "COMMIT", err);
}

static void clear(void *state)
{
    struct sqlite *s = state;

    rln__worker_stop(&s->worker);
    for (size_t i = 0; i < RLN__N_TABLES; i++)
        (void)sqlite3_finalize(s->inserts[i]);
    (void)sqlite3_finalize(s->append);
    (void)sqlite3_finalize(s->append_plain);
    (void)sqlite3_finalize(s->insert_at);
    (void)sqlite3_close(s->db);
    rln__sqlite_rows_clear(&s->rows);
    rln__map_clear(&s->rows_aside);
    rln__nsys_clear(&s->nsys);
}

const struct rln__exporter rln__exporter_sqlite = {
    .format = {.name = "sqlite",
               .extension = ".sqlite",
               .help = "Nsight Systems' tables in a SQLite database",
               .has_rows = 1},
    .state_bytes = sizeof(struct sqlite),
    .begin = begin,
    .row = on_row,
    .aside = on_aside,
    .sample = on_sample,
    .gpu = on_gpu,
    .end = end,
    .clear = clear,
};
#else
const struct rln__exporter rln__exporter_sqlite = {
    .format = {.name = "sqlite",
               .extension = ".sqlite",
               .help = "Nsight Systems' tables in a SQLite database",
               .missing_library = "libsqlite3",
               .has_rows = 1},
};
#endif
