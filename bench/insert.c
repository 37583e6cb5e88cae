/* SPDX-License-Identifier: Apache-2.0 */
/* insert.c - how long does a plain loop take to insert a row into NVTX_EVENTS?
 *
 * bench_insert FILE N ROWS: inserts N rows of 20 columns in one SQLite transaction
 * without a journal, ROWS per statement, and prints nanoseconds per row. bench/run
 * compares the export with the fastest ROWS.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 20, MOST_ROWS = 64 };

static const char schema[] =
    "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384; BEGIN;"
    "CREATE TABLE NVTX_EVENTS(start INTEGER NOT NULL, end INTEGER, eventType INTEGER "
    "NOT NULL, rangeId INTEGER, category INTEGER, color INTEGER, text TEXT, globalTid "
    "INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value "
    "INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value "
    "INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT)";

static double now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Columns that are never bound are NULL. */
static void bind_row(sqlite3_stmt *statement, int first, long i)
{
    sqlite3_bind_int64(statement, first + 1, 1000000000 + i * 100);
    sqlite3_bind_int64(statement, first + 2, 1000000050 + i * 100);
    sqlite3_bind_int(statement, first + 3, 59);
    sqlite3_bind_text(statement, first + 7, "step", 4, SQLITE_STATIC);
    sqlite3_bind_int64(statement, first + 8, 281477409407121);
    sqlite3_bind_int(statement, first + 11, 0);
}

static sqlite3_stmt *prepare(sqlite3 *db, int n_rows)
{
    char sql[64 + MOST_ROWS * (COLUMNS * 2 + 2)] = "INSERT INTO NVTX_EVENTS VALUES";
    sqlite3_stmt *statement = NULL;
    char *at = sql + strlen(sql);

    for (int row = 0; row < n_rows; row++) {
        *at++ = row ? ',' : ' ';
        for (int column = 0; column < COLUMNS; column++) {
            *at++ = column ? ',' : '(';
            *at++ = '?';
        }
        *at++ = ')';
    }
    *at = 0;
    (void)sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    return statement;
}

int main(int argc, char **argv)
{
    const long n = argc > 2 ? atol(argv[2]) : 100000;
    const int n_rows = argc > 3 ? atoi(argv[3]) : 1;
    sqlite3_stmt *statement;
    sqlite3 *db;
    double begin;

    if (argc < 2 || n_rows < 1 || n_rows > MOST_ROWS)
        return 2;
    (void)remove(argv[1]);
    if (sqlite3_open(argv[1], &db) || sqlite3_exec(db, schema, NULL, NULL, NULL))
        return 1;
    begin = now_ns();
    statement = prepare(db, n_rows);
    for (long i = 0; i < n; i += n_rows) {
        for (int row = 0; row < n_rows; row++)
            bind_row(statement, row * COLUMNS, i + row);
        if (sqlite3_step(statement) != SQLITE_DONE)
            return 1;
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL))
        return 1;
    printf("%.1f\n", (now_ns() - begin) / (double)n);
    return sqlite3_close(db);
}
