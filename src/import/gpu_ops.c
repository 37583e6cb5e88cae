/* SPDX-License-Identifier: Apache-2.0 */
#include "import/gpu_ops.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/fail.h"

#if RLN_HAVE_SQLITE

#include "format/global_id.h"
#include "import/database.h"
#include "import/scratch_trace.h"

struct rln__gpu_ops {
    struct rln__database db;
    sqlite3_stmt *rows; /* owned */
    struct rln__gpu_op op;
};

enum {
    C_THREAD,
    C_CALL_START,
    C_CALL_END,
    C_START,
    C_END,
    C_CORRELATION,
    C_NAME,
};

/* "SELECT ... FROM table": one kind of GPU operation. */
static rln_status add_kind(struct rln__buf *sql, const struct rln__database *db,
                           const char *table, const char *name, rln_error *err)
{
    static const char *const needed[] = {"!start", "!end", "!correlationId",
                                         "!globalPid"};
    sqlite3_stmt *rows;
    rln_status status;

    if (!rln__database_has(db, table))
        return RLN_OK;
    status = rln__database_select(db, table, needed, RLN_COUNT(needed), "LIMIT 0",
                                  &rows, err); /* the message names a missing column */
    (void)sqlite3_finalize(rows);
    if (status)
        return status;
    rln__buf_format(sql,
                    "%sSELECT start, \"end\", correlationId, globalPid, %s AS name "
                    "FROM \"%s\"",
                    sql->length ? " UNION ALL " : "", name, table);
    return RLN_OK;
}

static const char *name_of(const struct rln__database *db, enum rln__kernel_name name)
{
    static const char *const columns[] = {"demangledName", "shortName", "mangledName"};
    const char *chosen = columns[name];

    /* Older releases lack some of them. */
    for (size_t i = 0; i < RLN_COUNT(columns); i++) {
        if (rln__database_has_column(db, "CUPTI_ACTIVITY_KIND_KERNEL", chosen))
            return chosen;
        chosen = columns[i];
    }
    return "NULL";
}

/* CROSS JOIN keeps the order: one index look-up per operation. Selects the first call
 * of each correlation: SQLite takes the other columns from the row with the min(). */
#define CALLS                                                                          \
    "(SELECT globalTid, globalTid >> 24 AS pid, correlationId, min(start) AS start, "  \
    "\"end\" "                                                                         \
    "FROM CUPTI_ACTIVITY_KIND_RUNTIME GROUP BY correlationId, globalTid >> 24)"

static rln_status select_ops(struct rln__gpu_ops *ops, const char *kinds,
                             rln_error *err)
{
    const int has_names = rln__database_has(&ops->db, "StringIds");
    struct rln__buf sql = {0};
    rln_status status;

    rln__buf_format(&sql,
                    "SELECT r.globalTid, r.start, r.\"end\", o.start, o.\"end\", "
                    "o.correlationId, %s FROM (%s) o CROSS JOIN " CALLS " r "
                    "ON r.correlationId = o.correlationId "
                    "AND r.pid = o.globalPid >> 24 %s "
                    "ORDER BY r.globalTid, r.start, r.\"end\", o.start",
                    has_names ? "s.value" : "NULL", kinds,
                    has_names ? "LEFT JOIN StringIds s ON s.id = o.name" : "");
    rln__buf_char(&sql, '\0');
    status = sql.has_failed
                 ? rln__fail_nomem(err)
                 : rln__database_prepare(&ops->db, sql.bytes, &ops->rows, err);
    rln__buf_clear(&sql);
    return status;
}

static rln_status prepare(struct rln__gpu_ops *ops, int has_kernels_only,
                          enum rln__kernel_name name, rln_error *err)
{
    static const char *const needed[] = {"!start", "!end", "!correlationId",
                                         "!globalTid"};
    struct rln__buf kinds = {0};
    sqlite3_stmt *rows;
    rln_status status =
        rln__database_select(&ops->db, "CUPTI_ACTIVITY_KIND_RUNTIME", needed,
                             RLN_COUNT(needed), "LIMIT 0", &rows, err);
    const int has_calls = rows != NULL;

    (void)sqlite3_finalize(rows);
    if (status || !has_calls)
        return status;
    status = add_kind(&kinds, &ops->db, "CUPTI_ACTIVITY_KIND_KERNEL",
                      name_of(&ops->db, name), err);
    if (!status && !has_kernels_only)
        status = add_kind(&kinds, &ops->db, "CUPTI_ACTIVITY_KIND_MEMCPY", "NULL", err);
    if (!status && !has_kernels_only)
        status = add_kind(&kinds, &ops->db, "CUPTI_ACTIVITY_KIND_MEMSET", "NULL", err);
    if (!status && !has_kernels_only)
        status =
            add_kind(&kinds, &ops->db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "NULL", err);
    rln__buf_char(&kinds, '\0');
    if (!status && kinds.has_failed)
        status = rln__fail_nomem(err);
    if (!status && kinds.length > 1)
        status = select_ops(ops, kinds.bytes, err);
    rln__buf_clear(&kinds);
    return status;
}

rln_status rln__gpu_ops_open(const char *path, int has_kernels_only,
                             enum rln__kernel_name name, struct rln__gpu_ops **out,
                             rln_error *err)
{
    struct rln__gpu_ops *ops = rln__alloc(1, sizeof(*ops));
    rln_status status = ops ? RLN_OK : rln__fail_nomem(err);

    *out = NULL;
    if (!status)
        status = rln__database_open(&ops->db, path, err);
    if (!status)
        status = prepare(ops, has_kernels_only, name, err);
    if (status) {
        rln__gpu_ops_close(ops);
        return status;
    }
    *out = ops;
    return RLN_OK;
}

/* Whether all needed cells are integers, and all times are valid. */
static int read_op(sqlite3_stmt *rows, struct rln__gpu_op *op)
{
    int64_t *const times[] = {&op->call_start_ns, &op->call_end_ns, &op->start_ns,
                              &op->end_ns};
    int64_t thread;

    if (!rln__cell_get_int(rows, C_THREAD, &thread) ||
        !rln__cell_get_int(rows, C_CORRELATION, &op->correlation))
        return 0;
    for (int i = 0; i < 4; i++) {
        if (!rln__cell_get_int(rows, C_CALL_START + i, times[i]) ||
            !rln__scratch_trace_has_time(*times[i]))
            return 0;
    }
    op->pid = rln__pid_of_global(thread);
    op->tid = rln__tid_of_global(thread);
    op->kernel = rln__cell_get_text(rows, C_NAME);
    return op->end_ns >= op->start_ns && op->call_end_ns >= op->call_start_ns;
}

rln_status rln__gpu_ops_next(struct rln__gpu_ops *ops, const struct rln__gpu_op **out,
                             rln_error *err)
{
    rln_status status;

    *out = NULL;
    do {
        status = rln__database_step(&ops->db, ops->rows, err);
    } while (!status && !read_op(ops->rows, &ops->op));
    if (!status)
        *out = &ops->op;
    return status;
}

void rln__gpu_ops_close(struct rln__gpu_ops *ops)
{
    if (!ops)
        return;
    (void)sqlite3_finalize(ops->rows);
    rln__database_close(&ops->db);
    rln__free(ops);
}

#else

/* Never called with an export: import.c of this build opens none. */
rln_status rln__gpu_ops_open(const char *path, int has_kernels_only,
                             enum rln__kernel_name name, struct rln__gpu_ops **out,
                             rln_error *err)
{
    (void)has_kernels_only;
    (void)name;
    *out = NULL;
    return rln__fail(err, RLN_ERR_FORMAT, 0,
                     "cannot read SQLite export: path=\"%.200s\": built without SQLite",
                     path);
}

rln_status rln__gpu_ops_next(struct rln__gpu_ops *ops, const struct rln__gpu_op **out,
                             rln_error *err)
{
    (void)ops;
    (void)err;
    *out = NULL;
    return RLN_END;
}

void rln__gpu_ops_close(struct rln__gpu_ops *ops)
{
    (void)ops;
}

#endif
