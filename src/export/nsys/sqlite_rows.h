/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_rows.h - rows of NVTX_EVENTS that wait, as a virtual table of SQLite's.
 *
 *   [row][row][row]... --INSERT INTO NVTX_EVENTS SELECT * FROM waiting--> the table
 *
 * One statement inserts a thousand rows: SQLite asks for each column where a plain
 * insert would have bound it, and what starting and ending a statement costs is paid
 * once. bench/export measures it against the best loop of plain inserts.
 */
#ifndef RLN_EXPORT_NSYS_SQLITE_ROWS_H
#define RLN_EXPORT_NSYS_SQLITE_ROWS_H

#include "export/nsys/nsys.h"

#include <sqlite3.h>

/* In the order of enum rln__nsys_event_column. */
#define RLN__EVENT_COLUMNS                                                             \
    "start,end,eventType,rangeId,category,color,text,globalTid,endGlobalTid,textId,"   \
    "domainId,uint64Value,int64Value,doubleValue,uint32Value,int32Value,floatValue,"   \
    "jsonTextId,jsonText,binaryData"
/* The columns that any row may have: SQLite is faster if it does not query others. */
#define RLN__PLAIN_COLUMNS                                                             \
    "start,end,eventType,category,color,text,globalTid,textId,domainId"

#define RLN__WAITING_ROWS 1024u
#define RLN__WAITING_BYTES ((size_t)4 << 20) /* of payloads */

struct rln__sqlite_batch {
    struct rln__nsys_event *rows; /* owned */
    size_t n;
    int is_plain;             /* all of them: rln__nsys_is_plain() */
    struct rln__buf payloads; /* of these rows; texts are offsets while they wait */
};

/* One batch is filled while SQLite is given the other. */
struct rln__sqlite_rows {
    struct rln__sqlite_batch batches[2];
    struct rln__sqlite_batch *filling, *waiting; /* the table `waiting` is the second */
};

/* Makes `waiting` known to a connection, which is closed before `rows` is cleared. */
int rln__sqlite_rows_open(struct rln__sqlite_rows *rows, sqlite3 *db);
/* Copies a row and its payloads. 1 if the rows should be inserted now; -1 when there is
 * no memory. */
int rln__sqlite_rows_add(struct rln__sqlite_rows *rows,
                         const struct rln__nsys_event *event);
/* The filled rows now wait, and those that waited have been inserted. */
void rln__sqlite_rows_turn(struct rln__sqlite_rows *rows);
void rln__sqlite_rows_clear(struct rln__sqlite_rows *rows);

#endif
