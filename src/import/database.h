/* SPDX-License-Identifier: Apache-2.0 */
/* database.h - a SQLite file that nobody promised anything about.
 *
 * It is opened for reading only, at one moment, and nothing is left beside it. Only its
 * ordinary tables are asked: a view or a virtual table of a stranger is a program of
 * his. What a release of Nsight Systems did not have yet, a table or a column, reads as
 * if all its cells were NULL.
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

/* Says what is missing, if it is none of Nsight's exports, or of a schema that we do
 * not know. On failure nothing is owned. */
rln_status rln__database_open(struct rln__database *db, const char *path,
                              rln_error *err);
void rln__database_close(struct rln__database *db);

/* Whether there is such a table. */
int rln__database_has(const struct rln__database *db, const char *table);
int rln__database_has_column(const struct rln__database *db, const char *table,
                             const char *column);
/* Whether a row is found by that column at once: it is the primary key. */
int rln__database_has_key(const struct rln__database *db, const char *table,
                          const char *column);

rln_status rln__database_prepare(const struct rln__database *db, const char *sql,
                                 sqlite3_stmt **out, rln_error *err);

/* `SELECT columns FROM table tail`; a table that is not there has no rows, and *out is
 * NULL then. A column whose name begins with ! must be there. The caller finalizes. */
rln_status rln__database_select(const struct rln__database *db, const char *table,
                                const char *const *columns, size_t n_columns,
                                const char *tail, sqlite3_stmt **out, rln_error *err);

/* RLN_OK: there is a row; RLN_END; RLN_ERR_FORMAT: the file is damaged. */
rln_status rln__database_step(const struct rln__database *db, sqlite3_stmt *rows,
                              rln_error *err);

/* Cells have the types that their writer liked. 0: it is no integer. */
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

/* Bytes of SQLite's until the next row; none if it is neither text nor a blob. */
rln_text rln__cell_get_text(sqlite3_stmt *rows, int column);

#endif
