/* SPDX-License-Identifier: Apache-2.0 */
/* jsonl.c - Nsight's tables as lines of JSON: {"table":"NVTX_EVENTS","start":1,...}.
 *
 * Columns without a value are left out.
 */
#include "base/digits.h"
#include "base/json.h"
#include "export/exporters.h"
#include "export/nsys/nsys.h"
#include "export/nsys/nsys_about.h"
#include "export/nsys/nsys_gpu.h"
#include "export/nsys/nsys_samples.h"
#include "export/row_text_cache.h"
#include "trace/payload/payload_json.h"

#include <stdio.h>

#define KEY_BYTES 24  /* ,"endGlobalTid": is the longest of the events' */
#define LINE_BYTES 48 /* {"table":"NVTX_EVENTS","start": */

/* Padded, so that the compiler knows the size of its copy. */
struct key {
    char text[KEY_BYTES];
    size_t length;
};

struct jsonl {
    struct rln__export *x; /* borrowed */
    struct rln__nsys nsys;
    struct key event_keys[RLN__N_EVENT_COLUMNS];
    char event_begin[LINE_BYTES]; /* of the line, up to its first value */
    size_t event_begin_length;
    struct rln__row_text_cache
        text_cache; /* the text between an event's times and its payload */
};

static void add_hex(struct rln__buf *out, rln_text bytes)
{
    rln__buf_char(out, '"');
    for (size_t i = 0; i < bytes.length; i++)
        rln__buf_hex(out, (uint8_t)bytes.bytes[i], 2);
    rln__buf_char(out, '"');
}

static inline void add_value(struct rln__buf *out, const struct rln__cell *cell)
{
    switch (cell->kind) {
    case RLN__CELL_INT:
        rln__buf_i64(out, cell->integer);
        break;
    case RLN__CELL_REAL:
        rln__json_real(out, cell->real, 0);
        break;
    case RLN__CELL_BLOB:
        add_hex(out, cell->text);
        break;
    default:
        rln__buf_json(out, cell->text.bytes, cell->text.length);
        break;
    }
}

static void add_cell(struct rln__buf *out, const char *name,
                     const struct rln__cell *cell)
{
    if (cell->kind == RLN__CELL_NULL)
        return;
    rln__buf_text(out, ",\"");
    rln__buf_text(out, name);
    rln__buf_text(out, "\":");
    add_value(out, cell);
}

static void begin_line(struct rln__buf *out, enum rln__nsys_table table)
{
    rln__buf_text(out, "{\"table\":\"");
    rln__buf_text(out, rln__nsys_schemas[table].name);
    rln__buf_char(out, '"');
}

static rln_status put_row(void *context, enum rln__nsys_table table,
                          const struct rln__cell *cells, rln_error *err)
{
    struct jsonl *j = context;
    struct rln__buf *out = &j->x->output.buf;

    begin_line(out, table);
    for (size_t i = 0; i < rln__nsys_schemas[table].n_columns; i++)
        add_cell(out, rln__nsys_schemas[table].columns[i].name, &cells[i]);
    rln__buf_text(out, "}\n");
    return rln__output_flush_full(&j->x->output, err);
}

/* --- Events, of which there are many ---------------------------------------------- */

/* Inlined with the column's number, all that is left of the cell is its value. */
static inline __attribute__((always_inline)) void
add_column(const struct jsonl *j, const struct rln__nsys_event *event,
           enum rln__nsys_event_column column)
{
    struct rln__buf *out = &j->x->output.buf;
    const struct rln__cell cell = rln__nsys_cell(event, (int)column);
    char *at;

    if (cell.kind == RLN__CELL_NULL)
        return;
    at = rln__buf_room(out, KEY_BYTES);
    if (!at)
        return;
    memcpy(at, j->event_keys[column].text, KEY_BYTES);
    out->length += j->event_keys[column].length;
    add_value(out, &cell);
}

static void add_rare_columns(const struct jsonl *j, const struct rln__nsys_event *event)
{
    for (int i = RLN__C_UINT64; i < RLN__N_EVENT_COLUMNS; i++)
        add_column(j, event, (enum rln__nsys_event_column)i);
}

static void add_usual_columns(const struct jsonl *j,
                              const struct rln__nsys_event *event)
{
    add_column(j, event, RLN__C_EVENT_TYPE);
    add_column(j, event, RLN__C_RANGE_ID);
    add_column(j, event, RLN__C_CATEGORY);
    add_column(j, event, RLN__C_COLOR);
    add_column(j, event, RLN__C_TEXT);
    add_column(j, event, RLN__C_GLOBAL_TID);
    add_column(j, event, RLN__C_END_GLOBAL_TID);
    add_column(j, event, RLN__C_TEXT_ID);
    add_column(j, event, RLN__C_DOMAIN_ID);
}

/* Texts of events are kept once while the trace is open: their addresses will do. */
static void spell_usual_columns(struct jsonl *j, const struct rln__nsys_event *event)
{
    struct rln__buf *out = &j->x->output.buf;
    const size_t begin = out->length;
    const struct rln__row_text_cache_key key = {
        {(uint64_t)(uintptr_t)event->text.bytes, (uint64_t)event->global_tid,
         (uint64_t)event->domain_id << 32 | event->category,
         (uint64_t)event->color << 32 | event->text_id,
         (uint64_t)(event->has_category | event->has_color << 1 |
                    event->has_text_id << 2) |
             (uint64_t)event->type << 32}};

    if (event->has_range_id || event->has_end_global_tid) {
        add_usual_columns(j, event);
    } else if (!rln__row_text_cache_add(&j->text_cache, &key, out)) {
        add_usual_columns(j, event);
        rln__row_text_cache_keep(&j->text_cache, &key, out, begin);
    }
}

/* {"table":"NVTX_EVENTS","start":1200,"end":1800 */
static void begin_event(const struct jsonl *j, const struct rln__nsys_event *event)
{
    const struct key *end = &j->event_keys[RLN__C_END];
    struct rln__buf *out = &j->x->output.buf;
    char *at = rln__buf_room(out, LINE_BYTES + KEY_BYTES + 2 * RLN__DIGITS_I64);

    if (!at)
        return;
    memcpy(at, j->event_begin, LINE_BYTES);
    at = rln__digits_i64(at + j->event_begin_length, event->start_ns);
    if (event->has_end) {
        memcpy(at, end->text, KEY_BYTES);
        at = rln__digits_i64(at + end->length, event->end_ns);
    }
    out->length = (size_t)(at - out->bytes);
}

static rln_status put_event(void *context, const struct rln__nsys_event *event,
                            rln_error *err)
{
    struct jsonl *j = context;

    begin_event(j, event);
    spell_usual_columns(j, event);
    if (!rln__nsys_is_plain(event))
        add_rare_columns(j, event);
    rln__buf_text(&j->x->output.buf, "}\n");
    return rln__output_flush_full(&j->x->output, err);
}

static void make_event_keys(struct jsonl *j)
{
    for (size_t i = 0; i < RLN__N_EVENT_COLUMNS; i++) {
        struct key *key = &j->event_keys[i];

        key->length = (size_t)snprintf(
            key->text, sizeof(key->text),
            ",\"%s\":", rln__nsys_schemas[RLN__T_NVTX_EVENTS].columns[i].name);
    }
    j->event_begin_length = (size_t)snprintf(
        j->event_begin, sizeof(j->event_begin), "{\"table\":\"%s\"%s",
        rln__nsys_schemas[RLN__T_NVTX_EVENTS].name, j->event_keys[RLN__C_START].text);
}

static rln_status put_enum(struct jsonl *j, const struct rln__nsys_enum *e,
                           rln_error *err)
{
    struct rln__buf *out = &j->x->output.buf;

    for (size_t i = 0; i < e->n_rows; i++)
        rln__buf_format(out,
                        "{\"table\":\"%s\",\"id\":%d,\"name\":\"%s\","
                        "\"label\":\"%s\"}\n",
                        e->name, e->rows[i].id, e->rows[i].name, e->rows[i].label);
    return rln__output_flush_full(&j->x->output, err);
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    struct jsonl *j = state;
    const struct rln__nsys_sink sink = {j, 0, put_event, put_row};

    j->x = x;
    make_event_keys(j);
    return rln__nsys_init(&j->nsys, x, &sink, err);
}

static rln_status on_row(void *state, const struct rln__row *row, rln_error *err)
{
    return rln__nsys_row(&((struct jsonl *)state)->nsys, row, err);
}

static rln_status on_sample(void *state, const rln_event *event, rln_error *err)
{
    return rln__nsys_sample(&((struct jsonl *)state)->nsys, event, err);
}

static rln_status on_gpu(void *state, const struct rln__row *row, rln_error *err)
{
    return rln__nsys_gpu(&((struct jsonl *)state)->nsys, row->range, err);
}

static rln_status end(void *state, rln_error *err)
{
    struct jsonl *j = state;
    rln_status status = rln__nsys_end(&j->nsys, err);

    for (size_t i = 0; i < rln__n_nsys_enums && !status &&
                       rln__export_needs(j->x, RLN_EXPORT_EMPTY_TABLES);
         i++)
        if (rln__nsys_has_enum(&j->nsys, &rln__nsys_enums[i]))
            status = put_enum(j, &rln__nsys_enums[i], err);
    return status;
}

static void clear(void *state)
{
    struct jsonl *j = state;

    rln__nsys_clear(&j->nsys);
    rln__row_text_cache_clear(&j->text_cache);
}

const struct rln__exporter rln__exporter_jsonl = {
    .format = {.name = "jsonl",
               .extension = ".jsonl",
               .help = "the same tables, one JSON object per row",
               .is_stream = 1,
               .has_rows = 1},
    .state_bytes = sizeof(struct jsonl),
    .begin = begin,
    .row = on_row,
    .sample = on_sample,
    .gpu = on_gpu,
    .end = end,
    .clear = clear,
};
