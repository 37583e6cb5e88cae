/* SPDX-License-Identifier: Apache-2.0 */
#include "import/database.h"
#include "base/buf.h"
#include "base/fail.h"
#include "base/percent.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA_MAJOR 3
#define MAX_CELL_BYTES (64 << 20)

static rln_status refuse(const struct rln__database *db, rln_error *err)
{
    const int code = sqlite3_errcode(db->handle);

    if (code == SQLITE_NOMEM)
        return rln__fail_nomem(err);
    /* Only a writer can roll back an incomplete transaction. */
    if (code == SQLITE_READONLY)
        return rln__fail(
            err, RLN_ERR_FORMAT, 0,
            "cannot read SQLite export: path=\"%.200s\": incomplete, its writer was "
            "interrupted\nhint: `nsys export -t sqlite REPORT.nsys-rep` recreates it",
            db->path);
    return rln__fail(err, RLN_ERR_FORMAT, 0,
                     "cannot read SQLite export: path=\"%.200s\": %.200s", db->path,
                     sqlite3_errmsg(db->handle));
}

rln_status rln__database_step(const struct rln__database *db, sqlite3_stmt *rows,
                              rln_error *err)
{
    switch (rows ? sqlite3_step(rows) : SQLITE_DONE) {
    case SQLITE_ROW:
        return RLN_OK;
    case SQLITE_DONE:
        return RLN_END;
    default:
        return refuse(db, err);
    }
}

rln_text rln__cell_get_text(sqlite3_stmt *rows, int column)
{
    const int type = sqlite3_column_type(rows, column);
    rln_text text = {NULL, 0};

    if (type != SQLITE_TEXT && type != SQLITE_BLOB)
        return text;
    /* As UTF-8, whatever the encoding of the database is. */
    text.bytes = type == SQLITE_TEXT ? (const char *)sqlite3_column_text(rows, column)
                                     : sqlite3_column_blob(rows, column);
    text.length = (size_t)sqlite3_column_bytes(rows, column);
    if (!text.bytes) /* empty text */
        text = (rln_text){"", 0};
    return text;
}

/* The number in the first cell of the first row of `sql`, where ?1 is `name` and ?2 is
 * `other`. */
static int64_t query_number(const struct rln__database *db, const char *sql,
                            const char *name, const char *other)
{
    sqlite3_stmt *rows;
    int64_t found = 0;

    if (sqlite3_prepare_v2(db->handle, sql, -1, &rows, NULL) != SQLITE_OK)
        return 0;
    (void)sqlite3_bind_text(rows, 1, name, -1, SQLITE_STATIC);
    if (other)
        (void)sqlite3_bind_text(rows, 2, other, -1, SQLITE_STATIC);
    if (sqlite3_step(rows) == SQLITE_ROW)
        found = sqlite3_column_int64(rows, 0);
    (void)sqlite3_finalize(rows);
    return found;
}

int rln__database_has(const struct rln__database *db, const char *table)
{
    return query_number(
               db,
               "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?1 "
               "AND sql NOT LIKE 'CREATE VIRTUAL%'",
               table, NULL) > 0;
}

int rln__database_has_column(const struct rln__database *db, const char *table,
                             const char *column)
{
    return query_number(db,
                        "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2",
                        table, column) > 0;
}

int rln__database_has_key(const struct rln__database *db, const char *table,
                          const char *column)
{
    return query_number(
               db,
               "SELECT count(*) = 1 AND min(name) = ?2 FROM pragma_table_info(?1) "
               "WHERE pk > 0",
               table, column) > 0;
}

rln_status rln__database_prepare(const struct rln__database *db, const char *sql,
                                 sqlite3_stmt **out, rln_error *err)
{
    return sqlite3_prepare_v2(db->handle, sql, -1, out, NULL) == SQLITE_OK
               ? RLN_OK
               : refuse(db, err);
}

rln_status rln__database_select(const struct rln__database *db, const char *table,
                                const char *const *columns, size_t n_columns,
                                const char *tail, sqlite3_stmt **out, rln_error *err)
{
    struct rln__buf sql = {0};
    rln_status status;

    *out = NULL;
    if (!rln__database_has(db, table))
        return RLN_OK;
    for (size_t i = 0; i < n_columns; i++) {
        const int is_needed = columns[i][0] == '!';
        const char *name = columns[i] + is_needed;
        const int is_there =
            strcmp(name, "rowid") == 0 || rln__database_has_column(db, table, name);

        if (is_needed && !is_there) {
            rln__buf_clear(&sql);
            return rln__fail(
                err, RLN_ERR_FORMAT, 0,
                "cannot read SQLite export: path=\"%.200s\", table=%s: no column "
                "%s\nhint: `nsys export -t sqlite REPORT.nsys-rep` recreates it",
                db->path, table, name);
        }
        rln__buf_format(&sql, is_there ? "%s\"%s\"" : "%sNULL", i ? ", " : "SELECT ",
                        name);
    }
    rln__buf_format(&sql, " FROM \"%s\" %s", table, tail);
    rln__buf_char(&sql, '\0');
    status = sql.has_failed ? rln__fail_nomem(err)
                            : rln__database_prepare(db, sql.bytes, out, err);
    rln__buf_clear(&sql);
    return status;
}

/* --- The kind of export ----------------------------------------------------------- */

static rln_status check_version(struct rln__database *db, rln_error *err)
{
    static const char *const columns[] = {"name", "value"};
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(
        db, "META_DATA_EXPORT", columns, RLN_COUNT(columns), "LIMIT 1000", &rows, err);
    char version[32] = "3";

    while (!status && (status = rln__database_step(db, rows, err)) == RLN_OK) {
        const char *name = (const char *)sqlite3_column_text(rows, 0);
        const char *value = (const char *)sqlite3_column_text(rows, 1);

        if (!name || !value)
            continue;
        if (strcmp(name, "EXPORT_SCHEMA_VERSION") == 0)
            (void)sqlite3_snprintf((int)sizeof(version), version, "%s", value);
        if (strcmp(name, "EXPORT_PRODUCT_NAME") == 0)
            db->is_ours = strcmp(value, "Rangeline") == 0;
    }
    (void)sqlite3_finalize(rows);
    if (status && status != RLN_END)
        return status;
    if (atoi(version) == SCHEMA_MAJOR)
        return RLN_OK;
    return rln__fail(err, RLN_ERR_VERSION, 0,
                     "SQLite export needs another reader: path=\"%.200s\", "
                     "schema=%s, supported=%d.x",
                     db->path, version, SCHEMA_MAJOR);
}

/* An export of a run without NVTX has no NVTX_EVENTS, but it has strings. */
static rln_status check_tables(struct rln__database *db, rln_error *err)
{
    /* The first statement that reads the file. */
    if (sqlite3_exec(db->handle, "SELECT count(*) FROM sqlite_master", NULL, NULL,
                     NULL) != SQLITE_OK)
        return refuse(db, err);
    if (rln__database_has(db, "NVTX_EVENTS") || rln__database_has(db, "StringIds"))
        return check_version(db, err);
    return rln__fail(err, RLN_ERR_FORMAT, 0,
                     "not a trace: path=\"%.200s\": a SQLite database without tables "
                     "NVTX_EVENTS and StringIds\nhint: `nsys export -t sqlite "
                     "REPORT.nsys-rep` and `rangeline export` write these tables",
                     db->path);
}

/* --- Opening -------------------------------------------------------------------- */

/* A file with a write-ahead log has companion files, even for reading. A process that
 * has it open has made them; if there is none, the log never changes. */
enum journal { SHARED, UNUSED_LOG, NO_LOG };

static int has_companion(const char *path, const char *suffix, off_t *n_bytes)
{
    char *name = sqlite3_mprintf("%s%s", path, suffix);
    struct stat st;
    const int is_there = name && stat(name, &st) == 0;

    sqlite3_free(name);
    *n_bytes = is_there ? st.st_size : 0;
    return is_there;
}

/* Bytes 18 and 19 of the file are 2 if it has a write-ahead log. */
static enum journal find_journal(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    uint8_t versions[2] = {0, 0};
    const ssize_t n = fd < 0 ? 0 : pread(fd, versions, sizeof(versions), 18);
    off_t n_bytes;

    if (fd >= 0)
        (void)close(fd);
    if (n != (ssize_t)sizeof(versions) || (versions[0] != 2 && versions[1] != 2) ||
        has_companion(path, "-shm", &n_bytes))
        return SHARED;
    (void)has_companion(path, "-wal", &n_bytes);
    return n_bytes ? UNUSED_LOG : NO_LOG;
}

/* The path as a URI in which no character is special. */
static char *uri_of(const char *path, enum journal journal)
{
    struct rln__buf uri = {0};
    char *out = NULL;

    /* SQLite gives names such as ":memory:" a special meaning. */
    rln__buf_format(&uri, "file:%s", path[0] == '/' ? "" : "./");
    rln__buf_percent(&uri, path, strlen(path), "/");
    rln__buf_format(&uri, "%s", journal == NO_LOG ? "?immutable=1" : "");
    rln__buf_char(&uri, '\0');
    if (!uri.has_failed)
        out = sqlite3_mprintf("%s", uri.bytes);
    rln__buf_clear(&uri);
    return out;
}

static void settle(const struct rln__database *db, enum journal journal)
{
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    (void)sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, MAX_CELL_BYTES);
    (void)sqlite3_exec(db->handle, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
    if (journal == UNUSED_LOG) /* its index in memory, not in a file */
        (void)sqlite3_exec(db->handle, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL,
                           NULL);
    /* Reads a consistent state. */
    (void)sqlite3_exec(db->handle, "BEGIN", NULL, NULL, NULL);
}

rln_status rln__database_open(struct rln__database *db, const char *path,
                              rln_error *err)
{
    const enum journal journal = find_journal(path);
    char *uri = uri_of(path, journal);
    rln_status status;

    *db = (struct rln__database){.path = path};
    if (!uri)
        return rln__fail_nomem(err);
    /* No locks: a file open for reading cannot be locked exclusively. */
    if (sqlite3_open_v2(uri, &db->handle,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                        journal == UNUSED_LOG ? "unix-none" : NULL) != SQLITE_OK) {
        status = db->handle ? refuse(db, err) : rln__fail_nomem(err);
    } else {
        settle(db, journal);
        status = check_tables(db, err);
    }
    sqlite3_free(uri);
    if (status)
        rln__database_close(db);
    return status;
}

void rln__database_close(struct rln__database *db)
{
    (void)sqlite3_close(db->handle);
    db->handle = NULL;
}
