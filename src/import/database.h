/* SPDX-License-Identifier: Apache-2.0 */
/* database.h - an untrusted SQLite file.
 *
 * It is opened read-only, as of one moment, and no file is left beside it. Only its
 * ordinary tables are read: a foreign view or virtual table is a foreign program.
 * Columns that a release of Nsight Systems did not have yet read as NULL, and tables as
 * empty.
 */
#ifndef RLN_IMPORT_DATABASE_H
#define RLN_IMPORT_DATABASE_H

#include "rangeline/error.h"

#include <sqlite3.h>

struct rln__database {
    sqlite3 *handle;  /* owned */
    const char *path; /* borrowed */
    int is_ours;      /* `rangeline export` wrote it */
};

/* Fails, and says what is missing, if it is no export of Nsight's, or has an unknown
 * schema. On failure nothing is owned. */
rln_status rln__database_open(struct rln__database *db, const char *path,
                              rln_error *err);
void rln__database_close(struct rln__database *db);

/* Whether there is such a table. */
int rln__database_has(const struct rln__database *db, const char *table);
int rln__database_has_column(const struct rln__database *db, const char *table,
                             const char *column);
/* Whether rows are found by that column at once: it is the primary key. */
int rln__database_has_key(const struct rln__database *db, const char *table,
                          const char *column);

rln_status rln__database_prepare(const struct rln__database *db, const char *sql,
                                 sqlite3_stmt **out, rln_error *err);

/* `SELECT columns FROM table tail`; a missing table has no rows, and *out is NULL then.
 * A column whose name begins with ! must exist. The caller finalizes. */
rln_status rln__database_select(const struct rln__database *db, const char *table,
                                const char *const *columns, size_t n_columns,
                                const char *tail, sqlite3_stmt **out, rln_error *err);

/* RLN_OK: there is a row; RLN_END; RLN_ERR_FORMAT: the file is damaged. */
rln_status rln__database_step(const struct rln__database *db, sqlite3_stmt *rows,
                              rln_error *err);

/* Cells have any type that their writer chose. 0: it is no integer. */
static inline int rln__cell_get_int(sqlite3_stmt *rows, int column, int64_t *out)
{
    if (sqlite3_column_type(rows, column) != SQLITE_INTEGER)
        return 0;
    *out = sqlite3_column_int64(rows, column);
    return 1;
}

static inline int rln__cell_get_u32(sqlite3_stmt *rows, int column, uint32_t *out)
{
    int64_t value;

    if (!rln__cell_get_int(rows, column, &value) || value < 0 || value > UINT32_MAX)
        return 0;
    *out = (uint32_t)value;
    return 1;
}

/* Bytes that SQLite owns, until the next row; none if it is neither text nor a blob. */
rln_text rln__cell_get_text(sqlite3_stmt *rows, int column);

#endif
