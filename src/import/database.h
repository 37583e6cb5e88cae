/* SPDX-License-Identifier: Apache-2.0 */
/* database.h - reads an untrusted SQLite file.
 *
 * It is opened read-only, in a consistent state, and leaves no companion files. Only
 * its ordinary tables are read, because a foreign view or virtual table runs foreign
 * code. Columns that older releases of Nsight Systems lack are read as NULL, and tables
 * as empty.
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

/* Fails, with the reason in the message, if it is not an export of Nsight Systems, or
 * has an unknown schema. On failure nothing is owned. */
rln_status rln__database_open(struct rln__database *db, const char *path,
                              rln_error *err);
void rln__database_close(struct rln__database *db);

/* Whether there is such a table. */
int rln__database_has(const struct rln__database *db, const char *table);
int rln__database_has_column(const struct rln__database *db, const char *table,
                             const char *column);
/* Whether that column is the primary key, so that rows are found by it quickly. */
int rln__database_has_key(const struct rln__database *db, const char *table,
                          const char *column);

rln_status rln__database_prepare(const struct rln__database *db, const char *sql,
                                 sqlite3_stmt **out, rln_error *err);

/* `SELECT columns FROM table tail`; `*out` is NULL if the table is missing. A column
 * with a ! before its name must exist. The caller finalizes. */
rln_status rln__database_select(const struct rln__database *db, const char *table,
                                const char *const *columns, size_t n_columns,
                                const char *tail, sqlite3_stmt **out, rln_error *err);

/* RLN_OK: there is a row; RLN_END; RLN_ERR_FORMAT: the file is damaged. */
rln_status rln__database_step(const struct rln__database *db, sqlite3_stmt *rows,
                              rln_error *err);

/* Cells may have any type. 0: it is not an integer. */
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

/* Borrowed until the next row; no text if the cell is neither text nor a blob. */
rln_text rln__cell_get_text(sqlite3_stmt *rows, int column);

#endif
