/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_event.h - a row of NVTX_EVENTS, and its columns one by one.
 *
 * SQLite asks for each of them, so that is inline: bench/export counts it.
 */
#ifndef RLN_EXPORT_NSYS_NSYS_EVENT_H
#define RLN_EXPORT_NSYS_NSYS_EVENT_H

#include "export/nsys/nsys_tables.h"
#include "rangeline/reader.h"

/* ENUM_NSYS_EVENT_TYPE. */
enum rln__nsys_type {
    RLN__NSYS_CATEGORY = 33,
    RLN__NSYS_MARK = 34,
    RLN__NSYS_THREAD = 39,
    RLN__NSYS_PUSH_POP = 59,
    RLN__NSYS_START_END = 60,
    RLN__NSYS_DOMAIN_CREATE = 75,
    RLN__NSYS_DOMAIN_DESTROY = 76,
};

struct rln__nsys_event {
    int64_t start_ns, end_ns;
    int64_t global_tid, end_global_tid;
    uint64_t range_id;
    uint64_t payload_bits;
    rln_text text;       /* borrowed while the trace is open */
    rln_text json, blob; /* borrowed until the sink's next call */
    uint64_t aside;      /* struct rln__row's */
    uint32_t text_id, domain_id, category, color;
    uint8_t type; /* enum rln__nsys_type */
    uint8_t payload_type;
    uint8_t has_end, has_end_global_tid, has_range_id, has_category, has_color;
    uint8_t has_text_id;
};

/* The columns, by their indices in the table. */
enum rln__nsys_event_column {
    RLN__C_START,
    RLN__C_END,
    RLN__C_EVENT_TYPE,
    RLN__C_RANGE_ID,
    RLN__C_CATEGORY,
    RLN__C_COLOR,
    RLN__C_TEXT,
    RLN__C_GLOBAL_TID,
    RLN__C_END_GLOBAL_TID,
    RLN__C_TEXT_ID,
    RLN__C_DOMAIN_ID,
    RLN__C_UINT64,
    RLN__C_INT64,
    RLN__C_DOUBLE,
    RLN__C_UINT32,
    RLN__C_INT32,
    RLN__C_FLOAT,
    RLN__C_JSON_TEXT_ID,
    RLN__C_JSON_TEXT,
    RLN__C_BINARY_DATA,
    RLN__N_EVENT_COLUMNS,
};

/* Whether none of the columns is needed that few rows have. */
static inline int rln__nsys_is_plain(const struct rln__nsys_event *e)
{
    return !e->has_range_id && !e->payload_type && !e->json.bytes && !e->blob.bytes;
}

static inline struct rln__cell rln__cell_int(int64_t value)
{
    return (struct rln__cell){.kind = RLN__CELL_INT, .integer = value};
}

static inline struct rln__cell rln__cell_real(double value)
{
    return (struct rln__cell){.kind = RLN__CELL_REAL, .real = value};
}

static inline struct rln__cell rln__cell_null(void)
{
    return (struct rln__cell){.kind = RLN__CELL_NULL};
}

static inline struct rln__cell rln__cell_int_if(int is_there, int64_t value)
{
    return is_there ? rln__cell_int(value) : rln__cell_null();
}

/* NULL for no text. */
static inline struct rln__cell rln__nsys_cell_text(rln_text text)
{
    return (struct rln__cell){.kind = text.bytes ? RLN__CELL_TEXT : RLN__CELL_NULL,
                              .text = text};
}

static inline struct rln__cell rln__cell_words(const char *words)
{
    return rln__nsys_cell_text((rln_text){words, strlen(words)});
}

static inline struct rln__cell rln__cell_double(uint64_t bits)
{
    double real;

    memcpy(&real, &bits, sizeof(real));
    return rln__cell_real(real);
}

static inline struct rln__cell rln__cell_float(uint64_t bits)
{
    float narrow;

    memcpy(&narrow, &bits, sizeof(narrow)); /* little-endian: the low bytes */
    return rln__cell_real((double)narrow);
}

/* The payload is in the column of its type. */
static inline struct rln__cell rln__nsys_payload(const struct rln__nsys_event *e,
                                                 int column)
{
    const uint64_t bits = e->payload_bits;

    switch (column) {
    case RLN__C_UINT64:
        return rln__cell_int_if(e->payload_type == RLN_PAYLOAD_U64, (int64_t)bits);
    case RLN__C_INT64:
        return rln__cell_int_if(e->payload_type == RLN_PAYLOAD_I64, (int64_t)bits);
    case RLN__C_UINT32:
        return rln__cell_int_if(e->payload_type == RLN_PAYLOAD_U32, (uint32_t)bits);
    case RLN__C_INT32:
        return rln__cell_int_if(e->payload_type == RLN_PAYLOAD_I32,
                                (int32_t)(uint32_t)bits);
    case RLN__C_DOUBLE:
        return e->payload_type == RLN_PAYLOAD_DOUBLE ? rln__cell_double(bits)
                                                     : rln__cell_null();
    case RLN__C_FLOAT:
        return e->payload_type == RLN_PAYLOAD_FLOAT ? rln__cell_float(bits)
                                                    : rln__cell_null();
    default:
        return rln__cell_null();
    }
}

static inline struct rln__cell rln__nsys_cell(const struct rln__nsys_event *e,
                                              int column)
{
    struct rln__cell blob;

    switch (column) {
    case RLN__C_START:
        return rln__cell_int(e->start_ns);
    case RLN__C_END:
        return rln__cell_int_if(e->has_end, e->end_ns);
    case RLN__C_EVENT_TYPE:
        return rln__cell_int(e->type);
    case RLN__C_RANGE_ID:
        return rln__cell_int_if(e->has_range_id, (int64_t)e->range_id);
    case RLN__C_CATEGORY:
        return rln__cell_int_if(e->has_category, e->category);
    case RLN__C_COLOR:
        return rln__cell_int_if(e->has_color, e->color);
    case RLN__C_TEXT:
        return rln__nsys_cell_text(e->text);
    case RLN__C_GLOBAL_TID:
        return rln__cell_int(e->global_tid);
    case RLN__C_END_GLOBAL_TID:
        return rln__cell_int_if(e->has_end_global_tid, e->end_global_tid);
    case RLN__C_TEXT_ID:
        return rln__cell_int_if(e->has_text_id, e->text_id);
    case RLN__C_DOMAIN_ID:
        return rln__cell_int(e->domain_id);
    case RLN__C_JSON_TEXT:
        return rln__nsys_cell_text(e->json);
    case RLN__C_BINARY_DATA:
        blob = rln__nsys_cell_text(e->blob);
        blob.kind = e->blob.bytes ? RLN__CELL_BLOB : RLN__CELL_NULL;
        return blob;
    default:
        return rln__nsys_payload(e, column);
    }
}

#endif
