/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtCounters.h - NVTX counter extension: values over time.
 *
 *     nvtxCounterAttr_t a = {0};
 *     uint64_t queued;
 *     a.structSize = sizeof(a);
 *     a.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
 *     a.name = "queued";
 *     queued = nvtxCounterRegister(domain, &a);
 *     ...
 *     nvtxCounterSampleInt64(domain, queued, n);
 *
 * A schema instead of the predefined type makes a group, whose values are sampled
 * together as one struct. The rules for calls and ids in nvToolsExtPayload.h apply
 * here, too.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExtPayload.h"

/* Guards of every copy of this header and its parts: the first one included wins. */
#if !defined(NVTX_COUNTER_API_FUNCTIONS_V1)
#define NVTX_COUNTER_API_FUNCTIONS_V1
#define NVTX_COUNTER_TYPEDEFS_V1
#define NVTX_COUNTER_IDS_V1
#define NVTX_COUNTER_SAMPLES_V1
#define NVTX_COUNTER_BATCH_FLAGS_V1
#define NVTX_COUNTER_CALLBACK_ID_V1
#define NVTX_EXT_IMPL_COUNTERS_V1

#if !defined(NVTX_LINK_NAME)
#error "Another copy of NVTX is included already; take all of its headers from there."
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How the module introduces itself to a tool. */
#define NVTX_EXT_COUNTERS_MODULEID 4
#define NVTX_EXT_COUNTERS_COMPATID 0x0102

/* ---- Registering ----------------------------------------------------------------- */

#define NVTX_COUNTER_ID_NONE 0
#define NVTX_COUNTER_ID_STATIC_START (1 << 24)
#define NVTX_COUNTER_ID_DYNAMIC_START (NVTX_STATIC_CAST(uint64_t, 1) << 32)

typedef struct nvtxCounterAttr_v1 {
    size_t structSize;       /* bytes */
    uint64_t schemaId;       /* a predefined number type, or the group's schema */
    const char *name;        /* of the counter or group */
    const char *description; /* or NULL */
    uint64_t scopeId;        /* what it measures; NVTX_SCOPE_NONE if unknown */
    const nvtxSemanticsHeader_t *semantics; /* of counter and time, or NULL */
    uint64_t counterId;                     /* static id, or NVTX_COUNTER_ID_NONE */
} nvtxCounterAttr_t;

/**
 * Describes a counter, or a group of them, and returns its id in the domain.
 *
 * Returns the static id if `attr` has one.
 *
 * Errors: returns NVTX_COUNTER_ID_NONE without a tool; samples of it are harmless.
 */
NVTX_DECLSPEC uint64_t NVTX_API nvtxCounterRegister(nvtxDomainHandle_t hDomain,
                                                    const nvtxCounterAttr_t *attr)
    NVTX_LINK_NAME(CounterRegister);

/* ---- Samples of now -------------------------------------------------------------- */

/** Records the value of a counter now, if its type is an integer. */
NVTX_DECLSPEC void NVTX_API nvtxCounterSampleInt64(nvtxDomainHandle_t hDomain,
                                                   uint64_t counterId, int64_t value)
    NVTX_LINK_NAME(CounterSampleInt64);

/** Records the value of a counter now, if its type is a floating-point number. */
NVTX_DECLSPEC void NVTX_API nvtxCounterSampleFloat64(nvtxDomainHandle_t hDomain,
                                                     uint64_t counterId, double value)
    NVTX_LINK_NAME(CounterSampleFloat64);

/** Records the values of a group now, or of a counter of any type: `size` bytes. */
NVTX_DECLSPEC void NVTX_API nvtxCounterSample(nvtxDomainHandle_t hDomain,
                                              uint64_t counterId, const void *value,
                                              size_t size)
    NVTX_LINK_NAME(CounterSample);

/* Why there is no value: it is 0, it is unchanged, it is unavailable. */
#define NVTX_COUNTER_SAMPLE_ZERO 0
#define NVTX_COUNTER_SAMPLE_UNCHANGED 1
#define NVTX_COUNTER_SAMPLE_UNAVAILABLE 2

/** Records that a counter was sampled now, and why there is no value. */
NVTX_DECLSPEC void NVTX_API nvtxCounterSampleNoValue(nvtxDomainHandle_t hDomain,
                                                     uint64_t counterId, uint8_t reason)
    NVTX_LINK_NAME(CounterSampleNoValue);

/* ---- Samples of the past --------------------------------------------------------- */

/* nvtxCounterBatch_t.flags, besides NVTX_BATCH_FLAG_*: `timestamps` is the time of the
 * first sample, or of the last, and the interval between samples. */
#define NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR                                \
    (NVTX_STATIC_CAST(uint64_t, 1) << 32)
#define NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR                                  \
    (NVTX_STATIC_CAST(uint64_t, 2) << 32)

/* Samples of one counter or group, as an array. */
typedef struct nvtxCounterBatch_v1 {
    uint64_t counterId;
    const void *counters; /* the samples, each as large as the schema or type says */
    size_t countersSize;  /* bytes */
    uint64_t flags;       /* NVTX_BATCH_FLAG_*, NVTX_COUNTER_BATCH_FLAG_* */
    /* One per sample, unless `flags` say otherwise, in the time domain of the counter's
     * time semantics. NULL if the samples contain their times. */
    const int64_t *timestamps;
    size_t timestampsSize; /* bytes */
} nvtxCounterBatch_t;

/** Records many samples of the past. */
NVTX_DECLSPEC void NVTX_API nvtxCounterBatchSubmit(
    nvtxDomainHandle_t hDomain, const nvtxCounterBatch_t *counterData)
    NVTX_LINK_NAME(CounterBatchSubmit);

/* ---- For tools ------------------------------------------------------------------- */

/* Callback ids: indices of the module's slots (nvtxDetail/nvtxExtTypes.h). */
#define NVTX3EXT_CBID_nvtxCounterRegister 0
#define NVTX3EXT_CBID_nvtxCounterSampleInt64 1
#define NVTX3EXT_CBID_nvtxCounterSampleFloat64 2
#define NVTX3EXT_CBID_nvtxCounterSample 3
#define NVTX3EXT_CBID_nvtxCounterSampleNoValue 4
#define NVTX3EXT_CBID_nvtxCounterBatchSubmit 5

/* One line per call; nvtxTypes.h explains V and R. */
#define NVTX_COUNTERS_CALLS(V, R)                                                      \
    R(_COUNTERS, CounterRegister, (nvtxDomainHandle_t d, const nvtxCounterAttr_t *a),  \
      (d, a), uint64_t, NVTX_COUNTER_ID_NONE)                                          \
    V(_COUNTERS, CounterSampleInt64,                                                   \
      (nvtxDomainHandle_t d, uint64_t counter, int64_t value), (d, counter, value))    \
    V(_COUNTERS, CounterSampleFloat64,                                                 \
      (nvtxDomainHandle_t d, uint64_t counter, double value), (d, counter, value))     \
    V(_COUNTERS, CounterSample,                                                        \
      (nvtxDomainHandle_t d, uint64_t counter, const void *value, size_t size),        \
      (d, counter, value, size))                                                       \
    V(_COUNTERS, CounterSampleNoValue,                                                 \
      (nvtxDomainHandle_t d, uint64_t counter, uint8_t reason), (d, counter, reason))  \
    V(_COUNTERS, CounterBatchSubmit,                                                   \
      (nvtxDomainHandle_t d, const nvtxCounterBatch_t *batch), (d, batch))

NVTX_COUNTERS_CALLS(NVTX_TYPE_V, NVTX_TYPE_R)

#if !defined(NVTX_NO_IMPL)
NVTX_EXT_SIMPLE_MODULE(_COUNTERS, NVTX_EXT_COUNTERS_MODULEID,
                       NVTX_EXT_COUNTERS_COMPATID, 0)
NVTX_COUNTERS_CALLS(NVTX_EXT_BODY_V, NVTX_EXT_BODY_R)
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTX_COUNTER_API_FUNCTIONS_V1 */
