/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - what events carry besides their attributes: payloads, decoded by their
 * schemas, samples of counters, and calls about memory.
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
#ifndef RANGELINE_VALUES_H
#define RANGELINE_VALUES_H

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

/** A value, or the head of a struct or array. Library-owned, in arrays. */
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

/** One payload of an event. Library-owned, in arrays. */
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

/** What a value of a counter means. */
typedef enum rln_value_type {
    RLN_VALUE_ABSOLUTE = 0,    /**< The level; also if the program did not say. */
    RLN_VALUE_DELTA = 1,       /**< The change since the last sample. */
    RLN_VALUE_SINCE_START = 2, /**< The change since the first sample. */
} rln_value_type;

/** Interpolation: the time for which a value holds. */
typedef enum rln_interpolation {
    RLN_INTERPOLATION_UNKNOWN = 0,    /**< The program did not say. */
    RLN_INTERPOLATION_POINT = 1,      /**< At its own time only. */
    RLN_INTERPOLATION_SINCE_LAST = 2, /**< Back to the last sample. */
    RLN_INTERPOLATION_UNTIL_NEXT = 3, /**< Up to the next sample. */
    RLN_INTERPOLATION_LINEAR = 4,     /**< On a straight line to the next sample. */
} rln_interpolation;

/** Semantics of a counter, or of one field of a group. Library-owned; grows at its
 * end. */
typedef struct rln_semantics {
    rln_text unit;     /**< "bytes", or none. */
    double scale;      /**< A value is this many units; 1 if there is no scale. */
    double full_scale; /**< The normalized integer that means 1; 0 if not normalized. */
    uint8_t value_type;    /**< rln_value_type. */
    uint8_t interpolation; /**< rln_interpolation. */
    uint8_t has_min;       /**< `min_bits` is the lower end of a graph's axis. */
    uint8_t has_max;       /**< `max_bits` is the upper end of a graph's axis. */
    uint8_t limit_type;    /**< rln_payload_type of both. */
    uint64_t min_bits;
    uint64_t max_bits;
    rln_text scope; /**< Path of this field's own scope, if any. */
} rln_semantics;

/** A counter of a process, or a group of them that are sampled together. Library-owned;
 * grows at its end. */
typedef struct rln_counter {
    uint32_t process; /**< Index for rln_info_process(). */
    uint32_t pid;
    uint32_t domain; /**< Index for rln_info_domain(). */
    uint8_t
        is_registered; /**< 0: the program sampled an id that it never registered. */
    uint8_t is_group;
    uint64_t id;     /**< NVTX's id, unique in its domain and process. */
    uint64_t schema; /**< Of a group; else NVTX_PAYLOAD_ENTRY_TYPE_*; 0 if unknown. */
    rln_text domain_name;
    rln_text name;
    rln_text description;
    rln_text scope;     /**< Path of its scope, or none. */
    rln_text type_name; /**< "int64", or the name of the group's schema, or none. */
    rln_semantics semantics; /**< Of a group: default for its fields. */
    uint64_t n_samples;      /**< 0 in events. */
} rln_counter;

/** One number of a sample. Library-owned, in arrays. */
typedef struct rln_sample_value {
    rln_text name; /**< Of a group's field, "a.b" if nested; else none. */
    uint8_t type;  /**< RLN_PAYLOAD_I64, _U64, _DOUBLE or _FLOAT. */
    uint64_t bits;
    const rln_semantics *semantics; /**< Never NULL. */
} rln_sample_value;

/**
 * Converts a sample's number to the unit of its semantics.
 *
 * Ownership: none.
 * Threads:   any.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API double rln_sample_in_unit(const rln_sample_value *value);

/** The function called: the numbers of NVTX's callbacks. Values are never renumbered;
 * skip unknown ones. */
typedef enum rln_memory_operation {
    RLN_MEMORY_HEAP_REGISTER = 0,
    RLN_MEMORY_HEAP_UNREGISTER = 1,
    RLN_MEMORY_HEAP_RESET = 2, /**< Its regions end; the heap stays. */
    RLN_MEMORY_REGIONS_REGISTER = 3,
    RLN_MEMORY_REGIONS_RESIZE = 4,
    RLN_MEMORY_REGIONS_UNREGISTER = 5,
    RLN_MEMORY_REGIONS_NAME = 6,
    RLN_MEMORY_PERMISSIONS_ASSIGN = 7,
    RLN_MEMORY_PERMISSIONS_CREATE = 8,
    RLN_MEMORY_PERMISSIONS_DESTROY = 9,
    RLN_MEMORY_PERMISSIONS_RESET = 10,
    RLN_MEMORY_PERMISSIONS_BIND = 11,
    RLN_MEMORY_PERMISSIONS_UNBIND = 12,
    RLN_MEMORY_CUDA_PROCESS_WIDE = 13,
    RLN_MEMORY_CUDA_DEVICE_WIDE = 14,
    RLN_MEMORY_CUDA_PEER_ACCESS = 15,
    RLN_MEMORY_CUDA_MARK_INITIALIZED = 16,
} rln_memory_operation;

/** A region that a call names. Library-owned, in arrays. */
typedef struct rln_memory_region {
    uint64_t region;     /**< The collector's number, unique in its process; or 0. */
    uint64_t address;    /**< If has_address. */
    uint64_t size_bytes; /**< If has_size. */
    uint32_t category;   /**< Of a name. */
    uint32_t flags;      /**< Of an assignment: NVTX_MEM_PERMISSIONS_REGION_FLAGS_*. */
    rln_text name;
    uint8_t has_address;
    uint8_t has_size;
} rln_memory_region;

/** A call. Members that do not apply to its operation are 0. Library-owned; grows at
 * its end. */
typedef struct rln_memory_call {
    uint32_t operation;   /**< rln_memory_operation. */
    uint32_t usage;       /**< Of a new heap: NVTX_MEM_HEAP_USAGE_*. */
    uint64_t heap;        /**< In its process, from 1; 0 is the process-wide one. */
    uint64_t permissions; /**< A set, in its process; 0 is the process-wide one. */
    uint64_t address;     /**< Of a new heap, if it consists of virtual addresses. */
    uint64_t size_bytes;
    uint64_t scope; /**< Of a binding: NVTX_MEM_PERMISSIONS_BIND_SCOPE_*. */
    uint64_t flags; /**< Of permissions and bindings; of peer access: its flags. */
    uint64_t device;
    uint64_t stream; /**< A CUDA stream's address; flags are 1 for a per-thread one. */
    uint32_t category; /**< Of a new heap. */
    uint32_t has_address;
    rln_text name; /**< Of a new heap. */
    const rln_memory_region *regions;
    size_t n_regions;
} rln_memory_call;

#ifdef __cplusplus
}
#endif

#endif
