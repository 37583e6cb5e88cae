/* SPDX-License-Identifier: Apache-2.0 */
#include "import/nvtx_events.h"
#include "base/fail.h"
#include "format/global_id.h"

#include <string.h>

/* ENUM_NSYS_EVENT_TYPE; types from 64 on are for imported text files. */
enum {
    CATEGORY = 33,
    MARK = 34,
    THREAD = 39,
    PUSH_POP = 59,
    START_END = 60,
    TEXT_CATEGORY = 64,
    TEXT_MARK = 65,
    TEXT_PUSH_POP = 70,
    TEXT_START_END = 71,
    DOMAIN_CREATE = 75,
    DOMAIN_DESTROY = 76,
};

enum {
    C_ROW,
    C_START,
    C_END,
    C_TYPE,
    C_CATEGORY,
    C_COLOR,
    C_TEXT,
    C_GLOBAL_TID,
    C_END_GLOBAL_TID,
    C_TEXT_ID,
    C_DOMAIN_ID,
    C_UINT64, /* the six payloads, in the order of rln_payload_type */
    C_INT64,
    C_DOUBLE,
    C_UINT32,
    C_INT32,
    C_FLOAT,
    C_BLOB,
};

static const char *const columns[] = {
    [C_ROW] = "!rowid",
    [C_START] = "!start",
    [C_END] = "!end",
    [C_TYPE] = "!eventType",
    [C_CATEGORY] = "category",
    [C_COLOR] = "color",
    [C_TEXT] = "!text",
    [C_GLOBAL_TID] = "!globalTid",
    [C_END_GLOBAL_TID] = "endGlobalTid",
    [C_TEXT_ID] = "textId",
    [C_DOMAIN_ID] = "domainId",
    [C_UINT64] = "uint64Value",
    [C_INT64] = "int64Value",
    [C_DOUBLE] = "doubleValue",
    [C_UINT32] = "uint32Value",
    [C_INT32] = "int32Value",
    [C_FLOAT] = "floatValue",
    [C_BLOB] = "binaryData",
};

/* --- Rows in order ---------------------------------------------------------------- */

/* Most exports are already in the order of starts and need no sorting. If ranges begin
 * at the same time, the outer one must come first: Nsight does not guarantee that;
 * `rangeline export` does, and its order is kept, because ranges may have a duration of
 * 0. */
static rln_status check_order(struct rln__nvtx_events *events,
                              const struct rln__import *m, const char **tail,
                              rln_error *err)
{
    static const char *const needed[] = {"!start", "!end"};
    int64_t start = INT64_MIN, end = INT64_MAX, last_start, last_end;
    int is_sorted = 1, has_any = 0;
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(&m->db, "NVTX_EVENTS", needed,
                                             RLN_COUNT(needed), "", &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        last_start = start;
        last_end = end;
        if (!rln__cell_get_int(rows, 0, &start) ||
            !rln__scratch_trace_has_time(start)) {
            start = last_start;
            continue;
        }
        if (!rln__cell_get_int(rows, 1, &end))
            end = INT64_MAX;
        is_sorted &= start >= last_start &&
                     (m->db.is_ours || start != last_start || end <= last_end);
        if (!has_any || start < events->first_ns)
            events->first_ns = start;
        has_any = 1;
    }
    (void)sqlite3_finalize(rows);
    *tail = is_sorted ? ""
            : m->db.is_ours
                ? "ORDER BY start, rowid"
                : "ORDER BY start, \"end\" IS NULL DESC, \"end\" DESC, rowid";
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__nvtx_events_open(struct rln__nvtx_events *events,
                                 const struct rln__import *m, rln_error *err)
{
    const char *tail = "";
    rln_status status;

    *events = (struct rln__nvtx_events){0};
    status = check_order(events, m, &tail, err);
    if (!status)
        status = rln__database_select(&m->db, "NVTX_EVENTS", columns,
                                      RLN_COUNT(columns), tail, &events->rows, err);
    return status;
}

void rln__nvtx_events_close(struct rln__nvtx_events *events)
{
    (void)sqlite3_finalize(events->rows);
    events->rows = NULL;
    rln__imported_segments_clear(&events->segments);
}

rln_status rln__nvtx_events_next(struct rln__nvtx_events *events,
                                 const struct rln__import *m, rln_error *err)
{
    rln_status status;

    while ((status = rln__database_step(&m->db, events->rows, err)) == RLN_OK) {
        events->is_ready = rln__cell_get_int(events->rows, C_START, &events->next_ns) &&
                           rln__scratch_trace_has_time(events->next_ns);
        if (events->is_ready)
            return RLN_OK;
        rln__import_damage(m, sqlite3_column_int64(events->rows, C_ROW),
                           "a row of NVTX_EVENTS has an invalid start");
    }
    events->is_ready = 0;
    return status;
}

/* --- One row ---------------------------------------------------------------------- */

/* The message, plain or registered. */
static rln_status read_message(struct rln__import *m, sqlite3_stmt *rows,
                               struct rln__import_attribute_set *set, rln_error *err)
{
    int64_t text_id;
    rln_status status =
        rln__import_text(m, rln__cell_get_text(rows, C_TEXT), &set->text, err);

    set->message_type = set->text ? RLN__MESSAGE_PLAIN : RLN__MESSAGE_NONE;
    if (status || set->text || !rln__cell_get_int(rows, C_TEXT_ID, &text_id))
        return status;
    status = rln__import_text_of_id(m, text_id, &set->text, err);
    set->message_type = RLN__MESSAGE_REGISTERED;
    if (!status && !set->text)
        rln__import_damage(
            m, sqlite3_column_int64(rows, C_ROW),
            "a row of NVTX_EVENTS has a textId that is not in StringIds");
    return status;
}

/* The first of the six columns that is not NULL. */
static void read_value(sqlite3_stmt *rows, struct rln__import_attribute_set *set,
                       struct rln__folded *row)
{
    for (int i = C_UINT64; i <= C_FLOAT && !row->has_value; i++) {
        const int is_real = i == C_DOUBLE || i == C_FLOAT;
        const double real = is_real ? sqlite3_column_double(rows, i) : 0;
        const float narrow = (float)real;
        uint32_t narrow_bits;

        if (sqlite3_column_type(rows, i) == SQLITE_NULL)
            continue;
        row->has_value = 1;
        set->payload_type = (uint8_t)(1 + i - C_UINT64);
        row->value = (uint64_t)sqlite3_column_int64(rows, i);
        if (i == C_DOUBLE)
            memcpy(&row->value, &real, sizeof(real));
        if (i == C_UINT32 || i == C_INT32)
            row->value = (uint32_t)row->value;
        if (i != C_FLOAT)
            continue;
        memcpy(&narrow_bits, &narrow, sizeof(narrow));
        row->value = narrow_bits;
    }
}

/* Reads the end, and the thread that ended a start/end range. */
static rln_status read_end(struct rln__import *m, sqlite3_stmt *rows,
                           struct rln__folded *row, rln_error *err)
{
    int64_t global_tid;
    uint32_t process;

    row->end_lane = row->lane;
    row->end_ns = RLN__OPEN_END;
    if (row->kind == RLN__MARK || sqlite3_column_type(rows, C_END) == SQLITE_NULL)
        return RLN_OK;
    if (!rln__cell_get_int(rows, C_END, &row->end_ns) ||
        !rln__scratch_trace_has_time(row->end_ns)) {
        row->end_ns = RLN__OPEN_END;
        rln__import_damage(m, sqlite3_column_int64(rows, C_ROW),
                           "a row of NVTX_EVENTS has an invalid end");
    } else if (row->end_ns < row->start_ns) {
        row->end_ns = row->start_ns;
        rln__import_damage(m, sqlite3_column_int64(rows, C_ROW),
                           "a row of NVTX_EVENTS ends before it starts");
    }
    if (row->kind == RLN__START &&
        rln__cell_get_int(rows, C_END_GLOBAL_TID, &global_tid)) {
        const rln_status status =
            rln__import_thread(m, global_tid, &process, &row->end_lane, err);

        if (status)
            return status;
        if (process == RLN__NO_PROCESS)
            row->end_lane = row->lane;
    }
    return RLN_OK;
}

static rln_status read_payloads(struct rln__nvtx_events *events, struct rln__import *m,
                                struct rln__folded *row, rln_error *err)
{
    int is_damaged;
    const rln_status status = rln__imported_segments_read(
        &events->segments, rln__cell_get_text(events->rows, C_BLOB), row, &is_damaged,
        err);

    if (!status && is_damaged)
        rln__import_damage(m, sqlite3_column_int64(events->rows, C_ROW),
                           "a row of NVTX_EVENTS has an invalid binaryData");
    return status;
}

static rln_status add_event(struct rln__nvtx_events *events, struct rln__import *m,
                            uint32_t process, struct rln__folded *row, rln_error *err)
{
    sqlite3_stmt *rows = events->rows;
    struct rln__import_attribute_set set = {.domain = row->domain};
    int is_lost;
    rln_status status = read_message(m, rows, &set, err);

    (void)rln__cell_get_u32(rows, C_CATEGORY, &set.category);
    if (sqlite3_column_type(rows, C_COLOR) == SQLITE_INTEGER) {
        set.has_color = 1;
        set.color = (uint32_t)sqlite3_column_int64(rows, C_COLOR);
    }
    read_value(rows, &set, row);
    if (!status)
        status = rln__import_attributes(m, process, &set, &row->attributes, err);
    if (!status)
        status = read_end(m, rows, row, err);
    if (!status)
        status = read_payloads(events, m, row, err);
    if (!status)
        status = rln__row_expansion_add(&m->expansion, row, &is_lost, err);
    if (!status && is_lost)
        rln__import_damage(m, sqlite3_column_int64(rows, C_ROW),
                           "a row of NVTX_EVENTS crosses too many others");
    return status;
}

/* The name of a domain, a category or a thread; or the end of a domain. */
static rln_status add_name(struct rln__import *m, sqlite3_stmt *rows, uint32_t process,
                           uint32_t domain, int64_t t_ns, rln_error *err)
{
    const int64_t type = sqlite3_column_int64(rows, C_TYPE);
    struct rln__import_attribute_set set = {0};
    uint32_t category = 0;
    uint64_t *w;
    rln_status status = read_message(m, rows, &set, err);

    /* A domain's row without a text names it no more than a missing row does. */
    if (!status && type == DOMAIN_CREATE && !set.text)
        return RLN_OK;
    if (!status)
        status = rln__import_string(m, process, set.text, err);
    if (status)
        return status;
    switch (type) {
    case DOMAIN_CREATE:
        w = rln__import_name(m, process, RLN__SUB_DOMAIN, 2, err);
        if (w)
            w[1] = rln__pair32(domain, set.text);
        break;
    case DOMAIN_DESTROY:
        w = rln__import_name(m, process, RLN__SUB_DOMAIN_DESTROY, 3, err);
        if (w) {
            w[1] = domain;
            w[2] = rln__scratch_trace_ticks(t_ns);
        }
        break;
    case THREAD:
        w = rln__import_name(m, process, RLN__SUB_THREAD_NAME, 3, err);
        if (w) {
            w[1] = rln__pair32(
                rln__tid_of_global(sqlite3_column_int64(rows, C_GLOBAL_TID)), set.text);
            w[2] = rln__scratch_trace_ticks(t_ns);
        }
        break;
    default:
        (void)rln__cell_get_u32(rows, C_CATEGORY, &category);
        w = rln__import_name(m, process, RLN__SUB_CATEGORY, 3, err);
        if (w) {
            w[1] = rln__pair32(domain, category);
            w[2] = set.text;
        }
    }
    return w ? RLN_OK : m->trace.failed;
}

static int is_event(int64_t type, enum rln__kind *kind)
{
    switch (type) {
    case MARK:
    case TEXT_MARK:
        *kind = RLN__MARK;
        return 1;
    case PUSH_POP:
    case TEXT_PUSH_POP:
        *kind = RLN__PUSH;
        return 1;
    case START_END:
    case TEXT_START_END:
        *kind = RLN__START;
        return 1;
    default:
        return 0;
    }
}

static int is_name(int64_t type)
{
    return type == CATEGORY || type == TEXT_CATEGORY || type == THREAD ||
           type == DOMAIN_CREATE || type == DOMAIN_DESTROY;
}

rln_status rln__nvtx_events_add(struct rln__nvtx_events *events, struct rln__import *m,
                                rln_error *err)
{
    sqlite3_stmt *rows = events->rows;
    const int64_t type = sqlite3_column_int64(rows, C_TYPE);
    struct rln__folded row = {.start_ns = events->next_ns};
    const int is_of_time = is_event(type, &row.kind);
    int64_t global_tid = 0, domain_id = 0;
    uint32_t process;
    rln_status status;

    if (!is_of_time && !is_name(type))
        return RLN_OK;
    (void)rln__cell_get_int(rows, C_GLOBAL_TID, &global_tid);
    (void)rln__cell_get_int(rows, C_DOMAIN_ID, &domain_id);
    if (is_of_time)
        status = rln__import_thread(m, global_tid, &process, &row.lane, err);
    else
        status = rln__import_process(m, global_tid, &process, err);
    if (status)
        return status;
    if (process == RLN__NO_PROCESS) {
        rln__import_damage(m, sqlite3_column_int64(rows, C_ROW),
                           "a row of NVTX_EVENTS exceeds the number of processes");
        return RLN_OK;
    }
    status = rln__import_domain(m, process, domain_id, &row.domain, err);
    if (status)
        return status;
    return is_of_time ? add_event(events, m, process, &row, err)
                      : add_name(m, rows, process, row.domain, events->next_ns, err);
}
