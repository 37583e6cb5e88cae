/* SPDX-License-Identifier: Apache-2.0 */
/* counter.h - describes counters and the semantics of their samples. */
#ifndef RANGELINE_COUNTER_H
#define RANGELINE_COUNTER_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    uint64_t
        n_samples; /**< With and without values; only rln_info_counter() sets it. */
} rln_counter;

/** One number of a sample. Library-owned; grows at its end. */
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

/**
 * Tells whether rln_sample_in_unit() differs from the number that the program gave,
 * because the counter is normalized or has a scale.
 *
 * Ownership: none.
 * Threads:   any.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API int rln_sample_is_scaled(const rln_sample_value *value);

#ifdef __cplusplus
}
#endif

#endif
