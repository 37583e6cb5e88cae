/* SPDX-License-Identifier: Apache-2.0 */
#include "import/generic_events.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

#define UNAVAILABLE 2u
#define MOST_COUNTERS (1u << 22) /* of a sample without a value */

enum { C_ID, C_TIME, C_TYPE, C_GLOBAL_TID, C_FIELD, C_INT, C_UINT, C_FLOAT, C_DOUBLE };

/* A sample without numbers still has one row. */
#define SAMPLES                                                                        \
    "SELECT e.genericEventId, e.timestamp, e.typeId, e.globalTid, d.fieldIdx, "        \
    "d.intVal, d.uintVal, d.floatVal, d.doubleVal FROM GENERIC_EVENTS e "              \
    "LEFT JOIN GENERIC_EVENT_DATA d ON d.genericEventId = e.genericEventId "           \
    "ORDER BY e.timestamp, e.genericEventId, d.fieldIdx"

/* Fails if a column is missing, and names it. */
static rln_status check_table(const struct rln__import *m, const char *table,
                              const char *const *columns, size_t n_columns,
                              int *is_there, rln_error *err)
{
    sqlite3_stmt *rows;
    const rln_status status =
        rln__database_select(&m->db, table, columns, n_columns, "LIMIT 0", &rows, err);

    *is_there &= rows != NULL;
    (void)sqlite3_finalize(rows);
    return status;
}

rln_status rln__generic_events_open(struct rln__generic_events *g,
                                    struct rln__import *m, rln_error *err)
{
    static const char *const events[] = {"!genericEventId", "!timestamp", "!typeId",
                                         "!globalTid"};
    static const char *const data[] = {"!genericEventId", "!fieldIdx", "!intVal",
                                       "!uintVal",        "!floatVal", "!doubleVal"};
    int is_there = 1;
    rln_status status;

    memset(g, 0, sizeof(*g));
    status = rln__counter_types_read(&g->types, m, err);
    if (status || !g->types.n) /* no counters: older tables do not matter */
        return status;
    status =
        check_table(m, "GENERIC_EVENTS", events, RLN_COUNT(events), &is_there, err);
    if (!status)
        status =
            check_table(m, "GENERIC_EVENT_DATA", data, RLN_COUNT(data), &is_there, err);
    return status || !is_there ? status
                               : rln__database_prepare(&m->db, SAMPLES, &g->rows, err);
}

void rln__generic_events_close(struct rln__generic_events *g)
{
    (void)sqlite3_finalize(g->rows);
    g->rows = NULL;
    rln__counter_types_clear(&g->types);
    rln__imported_segments_clear(&g->segments);
    rln__buf_clear(&g->bytes);
}

rln_status rln__generic_events_next(struct rln__generic_events *g,
                                    const struct rln__import *m, rln_error *err)
{
    rln_status status;

    while ((status = rln__database_step(&m->db, g->rows, err)) == RLN_OK) {
        g->is_ready =
            rln__cell_get_int(g->rows, C_TIME, &g->next_ns) &&
            rln__scratch_trace_has_time(g->next_ns) &&
            rln__counter_types_find(&g->types, sqlite3_column_int64(g->rows, C_TYPE));
        if (g->is_ready)
            return RLN_OK;
    }
    g->is_ready = 0;
    return status;
}

/* --- Numbers ---------------------------------------------------------------------- */

/* SQLite has no NaN: a floating-point number that is NULL is one. */
static uint64_t read_bits(sqlite3_stmt *rows, enum rln__field_type type)
{
    const int column = C_INT + (int)type;
    const int is_null = sqlite3_column_type(rows, column) == SQLITE_NULL;
    const double real = is_null ? NAN : sqlite3_column_double(rows, column);
    const float narrow = (float)real;
    uint64_t bits = 0;

    switch (type) {
    case RLN__FIELD_TYPE_DOUBLE:
        memcpy(&bits, &real, sizeof(real));
        return bits;
    case RLN__FIELD_TYPE_FLOAT:
        memcpy(&bits, &narrow, sizeof(narrow));
        return bits;
    default:
        return (uint64_t)sqlite3_column_int64(rows, column);
    }
}

/* Reads all rows of the sample to `bytes`, eight bytes per field, and counts those with
 * a number. Then the next sample is current. */
static rln_status read_sample(struct rln__generic_events *g,
                              const struct rln__import *m,
                              const struct rln__counter_type *type, size_t *n_values,
                              rln_error *err)
{
    const int64_t id = sqlite3_column_int64(g->rows, C_ID);
    rln_status status = RLN_OK;

    *n_values = 0;
    g->bytes.length = 0;
    rln__buf_fill(&g->bytes, '\0', type->n_fields * 8);
    if (g->bytes.has_failed)
        return rln__fail_nomem(err);
    while (!status && g->is_ready && sqlite3_column_int64(g->rows, C_ID) == id) {
        int64_t field;

        if (rln__cell_get_int(g->rows, C_FIELD, &field) && field >= 0 &&
            field < (int64_t)type->n_fields) {
            const uint64_t bits = read_bits(g->rows, type->fields[field].type);

            memcpy(g->bytes.bytes + 8 * field, &bits, sizeof(bits));
            ++*n_values;
        }
        status = rln__generic_events_next(g, m, err);
    }
    return status == RLN_END ? RLN_OK : status;
}

/* The numbers of a group, and floats, go into a payload; others into the record itself.
 */
static rln_status fill_sample(struct rln__generic_events *g,
                              const struct rln__counter_type *type, size_t n_values,
                              uint32_t number, struct rln__folded *row, rln_error *err)
{
    const enum rln__field_type first = type->fields[0].type;

    if (n_values < type->n_fields) {
        row->kind = RLN__NO_VALUE;
        row->attributes = UNAVAILABLE | number << 2;
        return RLN_OK;
    }
    row->kind = RLN__SAMPLE;
    row->attributes = number << 1 | (first == RLN__FIELD_TYPE_DOUBLE);
    if (type->is_group || first == RLN__FIELD_TYPE_FLOAT) {
        const size_t length = type->is_group ? type->n_fields * 8 : sizeof(float);

        row->attributes = number << 1;
        return rln__imported_segments_one(&g->segments, 0,
                                          (rln_text){g->bytes.bytes, length}, row, err);
    }
    row->has_value = 1;
    memcpy(&row->value, g->bytes.bytes, sizeof(row->value));
    return RLN_OK;
}

rln_status rln__generic_events_add(struct rln__generic_events *g, struct rln__import *m,
                                   rln_error *err)
{
    const struct rln__counter_type *type =
        rln__counter_types_find(&g->types, sqlite3_column_int64(g->rows, C_TYPE));
    struct rln__folded row = {.start_ns = g->next_ns};
    int64_t global_tid = 0;
    uint32_t process, number;
    size_t n_values;
    int is_lost;
    rln_status status;

    (void)rln__cell_get_int(g->rows, C_GLOBAL_TID, &global_tid);
    status = rln__import_thread(m, global_tid, &process, &row.lane, err);
    if (!status)
        status = read_sample(g, m, type, &n_values, err);
    if (status || process == RLN__NO_PROCESS)
        return status;
    status = rln__counter_types_number(&g->types, m, process, type, &number, err);
    if (status || number >= MOST_COUNTERS)
        return status;
    status = fill_sample(g, type, n_values, number, &row, err);
    return status ? status : rln__row_expansion_add(&m->expansion, &row, &is_lost, err);
}
