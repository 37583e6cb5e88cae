/* SPDX-License-Identifier: Apache-2.0 */
/* payload.h - decodes the payloads of events and ranges by their schemas.
 *
 *     rln_payload.fields    struct  "size" 3   array  0  1  2   "op" enum
 *                           |        `-----------'    '--'--'       |
 *                           n_children=3      n_children=3          n_children=0
 *
 * A value is a list of fields in the order of the schema: a struct or an array is
 * followed by its members. Schemas are checked against the bytes present; a field that
 * does not fit them is RLN_FIELD_UNREAD or RLN_FIELD_UNKNOWN, and the others stay
 * readable.
 */
#ifndef RANGELINE_PAYLOAD_H
#define RANGELINE_PAYLOAD_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a field is. Values are never renumbered; skip unknown ones. */
typedef enum rln_field_kind {
    RLN_FIELD_STRUCT = 1,    /**< `n_children` members follow, each before its own. */
    RLN_FIELD_UNION = 2,     /**< Like a struct of the one active member. */
    RLN_FIELD_ARRAY = 3,     /**< `n_children` elements follow. */
    RLN_FIELD_INT = 4,       /**< `bits` is an int64_t. */
    RLN_FIELD_UINT = 5,      /**< `bits`; also numbers of ranges, processes, threads. */
    RLN_FIELD_INT128 = 6,    /**< `high_bits` and `bits`, two's complement. */
    RLN_FIELD_UINT128 = 7,   /**< `high_bits` and `bits`. */
    RLN_FIELD_FLOAT = 8,     /**< `number`, of at most a float's precision. */
    RLN_FIELD_DOUBLE = 9,    /**< `number`; wider ones are rounded to it. */
    RLN_FIELD_TEXT = 10,     /**< `text`, UTF-8 if the program passed UTF-8. */
    RLN_FIELD_BYTES = 11,    /**< `text`, raw. */
    RLN_FIELD_ADDRESS = 12,  /**< `bits`. */
    RLN_FIELD_ENUM = 13,     /**< `bits`; `text` is its name, `A|B` of a set. */
    RLN_FIELD_CATEGORY = 14, /**< `bits`; `text` is its name, or none. */
    RLN_FIELD_COLOR = 15,    /**< `bits`: 0xAARRGGBB. */
    RLN_FIELD_SCOPE = 16,    /**< `bits`; `text` is its path, or none. */
    RLN_FIELD_NULL = 17,     /**< A null pointer, or a handle of 0. */
    RLN_FIELD_UNREAD = 18,   /**< Not in the trace; `bits` is its address, or 0. */
    RLN_FIELD_UNKNOWN = 19,  /**< `type` is the id of a schema that the trace lacks, or
                                that is invalid here. */
} rln_field_kind;

/** Bits of rln_field.flags. */
enum {
    RLN_FIELD_IS_HIDDEN = 1,    /**< The program asks not to display it. */
    RLN_FIELD_IS_MESSAGE = 2,   /**< The event's message. */
    RLN_FIELD_IS_TIMESTAMP = 4, /**< In a time domain of the program. */
    RLN_FIELD_IS_CUT = 8,       /**< Text, array or struct: the rest is missing. */
};

/** A value, or the head of a struct or array. Library-owned; grows at its end. */
typedef struct rln_field {
    rln_text name;       /**< Of the entry; none in arrays or if it has none. */
    rln_text text;       /**< Borrowed like the field. */
    uint64_t type;       /**< NVTX_PAYLOAD_ENTRY_TYPE_*, or the id of a schema. */
    uint64_t bits;       /**< The value, extended to 64 bits. */
    uint64_t high_bits;  /**< Of 128 bits. */
    double number;       /**< The value of any number, rounded; else 0. */
    uint32_t kind;       /**< rln_field_kind. */
    uint32_t flags;      /**< RLN_FIELD_IS_... */
    uint32_t n_children; /**< Direct children only. */
    uint32_t index; /**< Of the entry in its schema, of the element in its array. */
} rln_field;

/** One payload of an event. Library-owned; grows at its end. */
typedef struct rln_payload {
    uint64_t schema;         /**< Id of a schema or of a predefined type. */
    rln_text schema_name;    /**< None if it has none. */
    const rln_field *fields; /**< [0] is the whole; NULL if it could not be decoded. */
    size_t n_fields;
    const char *why;   /**< Why it could not be decoded; static. */
    rln_text bytes;    /**< As the collector copied them. */
    uint64_t n_given;  /**< Size according to the call; UINT64_MAX: none given. */
    uint8_t is_cut;    /**< Part of what the call passed is missing. */
    uint8_t is_hidden; /**< Not a value of its own; other payloads point into it. */
} rln_payload;

/**
 * Decodes the payloads of the last event that rln_events_next() returned.
 *
 * They are in the order of the call, including those that only others point into. The
 * payload of a sample is its counter's values, if there are several or if the event
 * itself has none.
 *
 * Ownership: `*out` is borrowed until the next call of this or of rln_events_next().
 *            NULL, and 0 in `*n`, if the event has none.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_events_payloads(rln_events *events,
                                                     const rln_payload **out, size_t *n,
                                                     rln_error *err);

/**
 * Decodes the payloads of the last range that rln_ranges_next() returned.
 *
 * The payloads of its begin come first, then those of its end. Message, category and
 * color from the end's payloads have already replaced those from the begin's.
 *
 * Ownership: `*out` is borrowed until the next call of this or of rln_ranges_next().
 *            NULL, and 0 in `*n`, if the range has none.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_ranges_payloads(rln_ranges *ranges,
                                                     const rln_payload **out, size_t *n,
                                                     rln_error *err);

#ifdef __cplusplus
}
#endif

#endif
