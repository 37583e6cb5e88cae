/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtSemanticsCounters.h - NVTX semantics: what a counter's values mean. */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExtPayload.h"

/* The semantics' id is also the guard: the first copy of this header wins. */
#if !defined(NVTX_SEMANTIC_ID_COUNTERS_V1)
#define NVTX_SEMANTIC_ID_COUNTERS_V1 5

#define NVTX_COUNTER_SEMANTIC_VERSION 2 /* header.version */

/* nvtxSemanticsCounter_t.flags */
#define NVTX_COUNTER_FLAGS_NONE 0
/* Integers are normalized: they stand for 0 to 1, or -1 to 1 if signed. */
#define NVTX_COUNTER_FLAG_NORMALIZE (1 << 1)
/* `min`, `max` are set: for the axis of a graph, not for cutting values. */
#define NVTX_COUNTER_FLAG_LIMIT_MIN (1 << 2)
#define NVTX_COUNTER_FLAG_LIMIT_MAX (1 << 3)
#define NVTX_COUNTER_FLAG_LIMITS                                                       \
    (NVTX_COUNTER_FLAG_LIMIT_MIN | NVTX_COUNTER_FLAG_LIMIT_MAX)

/* A value is absolute, the change since the last sample, or the change since the first.
 */
#define NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE (1 << 4)
#define NVTX_COUNTER_FLAG_VALUETYPE_DELTA (2 << 4)
#define NVTX_COUNTER_FLAG_VALUETYPE_DELTA_SINCE_START (3 << 4)
#define NVTX_COUNTER_FLAG_VALUETYPES (3 << 4) /* the bits of these */

/* A value applies to its moment only, back to the last sample, or up to the next one,
 * or values between samples are interpolated linearly. */
#define NVTX_COUNTER_FLAG_INTERPOLATION_POINT (1 << 8)
#define NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST (2 << 8)
#define NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT (3 << 8)
#define NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR (4 << 8)
#define NVTX_COUNTER_FLAG_INTERPOLATIONS (7 << 8) /* the bits of these */

/* nvtxSemanticsCounter_t.limitType: the member of nvtxCounterLimit_t in use */
#define NVTX_COUNTER_LIMIT_UNDEFINED 0
#define NVTX_COUNTER_LIMIT_I64 1
#define NVTX_COUNTER_LIMIT_U64 2
#define NVTX_COUNTER_LIMIT_F64 3

typedef union {
    int64_t i64;
    uint64_t u64;
    double f64;
} nvtxCounterLimit_t;

/* For a counter, all counters of a group, or one entry of a group's schema. */
typedef struct nvtxSemanticsCounter_v1 {
    struct nvtxSemanticsHeader_v1 header;
    uint64_t flags;   /* NVTX_COUNTER_FLAG_* */
    const char *unit; /* "bytes", "%"; case does not matter; or NULL */
    /* A value is this many times the unit; 1 and 1 if there is no scale. */
    uint64_t unitScaleNumerator;
    uint64_t unitScaleDenominator;
    int64_t limitType; /* NVTX_COUNTER_LIMIT_* */
    nvtxCounterLimit_t min;
    nvtxCounterLimit_t max;
} nvtxSemanticsCounter_t;

#endif /* NVTX_SEMANTIC_ID_COUNTERS_V1 */
