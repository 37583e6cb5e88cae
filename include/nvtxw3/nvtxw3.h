/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxw3.h - NVTX's writer interface, version 2: passes events that were collected
 * elsewhere, with times of their own, to a backend that writes them to a file.
 *
 *     backend  a shared library that exports nvtxwGetInterface()
 *        |
 *     session -> domain: strings, scopes, schemas, counters, time domains
 *             -> stream: of one domain; takes events and samples
 *
 * This header is all that a backend implements. A program loads one with
 * nvtxw3_loader.h, and nvtxw3_helpers.h writes common marks, ranges and counters.
 * Schemas, events and counters are described as in nvToolsExtPayload.h and
 * nvToolsExtCounters.h. Only their types are needed: a program that makes no other
 * calls of NVTX may define NVTX_NO_IMPL first.
 *
 * True of every call unless its comment says otherwise:
 *   Ownership: the backend copies what it keeps, so arguments need to live only until
 *              the call returns. A session owns its domains and streams; handles and ids
 *              are valid until it ends.
 *   Threads:   distinct streams may be written by several threads at once. All other
 *              calls are made one at a time, and not during a write.
 *   Errors:    returns NVTXW_RESULT_*; on failure an output is NULL or 0.
 *   Since:     1.0
 */
#if !defined(NVTXW_API)
#define NVTXW_API

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results --------------------------------------------------------------------- */

typedef int32_t nvtxwResultCode_t;

#define NVTXW_RESULT_SUCCESS 0
#define NVTXW_RESULT_FAILED 1
#define NVTXW_RESULT_INVALID_ARGUMENT 2
/* Of loaders: no backend was found; the named one cannot be loaded; it is no backend. */
#define NVTXW_RESULT_LIBRARY_NOT_FOUND 3
#define NVTXW_RESULT_LIBRARY_LOAD_FAILED 4
#define NVTXW_RESULT_LIBRARY_SYMBOL_MISSING 5
#define NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED 6
/* A correct call of something that this backend does not do. */
#define NVTXW_RESULT_NOT_SUPPORTED 7

/* ---- What a backend exports ------------------------------------------------------ */

#define NVTXW_INTERFACE_VERSION 2
#define NVTXW_GET_INTERFACE_SYMBOL_NAME "nvtxwGetInterface"
#define NVTXW_FINALIZE_SYMBOL_NAME "nvtxwFinalize"

typedef int32_t nvtxwInterfaceVersion_t;

/**
 * Sets `*ifaceOut` to the table of functions of a version, such as nvtxwInterface_v2_t.
 *
 * Ownership: the table is static, and valid until the backend is unloaded.
 * Errors:    NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED: the caller may try another.
 */
typedef nvtxwResultCode_t (*nvtxwGetInterface_t)(nvtxwInterfaceVersion_t version,
                                                 const void **ifaceOut);

/** Frees what a backend keeps. Optional; after all sessions, and possibly repeated. */
typedef void (*nvtxwFinalize_t)(void);

/* ---- Sessions, domains and streams ----------------------------------------------- */

typedef struct nvtxwSession_st *nvtxwSessionHandle_t;
typedef struct nvtxwStream_st *nvtxwStreamHandle_t;

/* The size of each of these structs grows if members are added. */

typedef struct nvtxwSessionAttributes_v1 {
    size_t structSize; /* bytes */
    const char *name;  /* may become the name of a file; or NULL */
    /* Options of the backend: KEY=VALUE, separated by line ends or |, of which the first
     * with a key counts and #... is a comment; or NULL. */
    const char *configString;
} nvtxwSessionAttributes_t;

typedef struct nvtxwDomainAttributes_v1 {
    size_t structSize; /* bytes */
    const char *name;  /* NULL or empty: the session's default domain */
} nvtxwDomainAttributes_t;

/* Promises about the order in which a stream's events are written, which save a backend
 * from sorting. They hold for the stream, or for the events of each scope. */
#define NVTXW_STREAM_ORDER_INTERLEAVING_NONE NVTX_STATIC_CAST(int16_t, 0)
#define NVTXW_STREAM_ORDER_INTERLEAVING_SCOPE NVTX_STATIC_CAST(int16_t, 1)

/* The order is unknown; that of times, without ranges; or that of times and the ranges'
 * begins, or ends. */
#define NVTXW_STREAM_ORDERING_TYPE_UNKNOWN NVTX_STATIC_CAST(int16_t, 0)
#define NVTXW_STREAM_ORDERING_TYPE_STRICT NVTX_STATIC_CAST(int16_t, 1)
#define NVTXW_STREAM_ORDERING_TYPE_PACKED_RANGE_START NVTX_STATIC_CAST(int16_t, 2)
#define NVTXW_STREAM_ORDERING_TYPE_PACKED_RANGE_END NVTX_STATIC_CAST(int16_t, 3)

/* How much earlier than an event's time that of a later one may be: not at all; by
 * orderingSkidAmount nanoseconds; by any time in the next orderingSkidAmount events. */
#define NVTXW_STREAM_ORDERING_SKID_NONE NVTX_STATIC_CAST(int32_t, 0)
#define NVTXW_STREAM_ORDERING_SKID_TIME_NS NVTX_STATIC_CAST(int32_t, 1)
#define NVTXW_STREAM_ORDERING_SKID_EVENT_COUNT NVTX_STATIC_CAST(int32_t, 2)

typedef struct nvtxwStreamAttributes_v1 {
    size_t structSize; /* bytes */
    const char *name;  /* unique in the session */
    /* Of its events, and of all that they refer to; NULL: the default domain. */
    nvtxDomainHandle_t domain;
    /* Where its events belong unless they have a scope: NVTX_SCOPE_NONE, NVTX_SCOPE_ROOT
     * or one registered in the domain. */
    uint64_t scopeId;
    /* The clock of their times unless these have one: NVTX_TIMESTAMP_TYPE_* or one
     * registered in the domain. NVTX_TIME_DOMAIN_ID_NONE: relative times. */
    uint64_t timeDomainId;
    int16_t orderInterleaving;  /* NVTXW_STREAM_ORDER_INTERLEAVING_* */
    int16_t orderingType;       /* NVTXW_STREAM_ORDERING_TYPE_* */
    int32_t orderingSkid;       /* NVTXW_STREAM_ORDERING_SKID_* */
    int64_t orderingSkidAmount; /* nanoseconds or events */
} nvtxwStreamAttributes_t;

/* ---- The interface --------------------------------------------------------------- */

/* The functions of version 2. A backend has all of them; those that a later minor
 * version adds take the place of `reserved` ones, which are NULL before. What an event
 * refers to is registered before it, in its domain. The output of a registration may be
 * NULL if the attributes have a static id. */
typedef struct nvtxwInterface_v2 {
    nvtxwResultCode_t (*SessionBegin)(const nvtxwSessionAttributes_t *attr,
                                      nvtxwSessionHandle_t *sessionOut);
    /* All has been written: a backend may complete its file only now. */
    nvtxwResultCode_t (*SessionEnd)(nvtxwSessionHandle_t session);

    /* Creates the domain, or finds that of this name in the session. `attr` may be NULL:
     * the default domain. */
    nvtxwResultCode_t (*DomainRegister)(nvtxwSessionHandle_t session,
                                        const nvtxwDomainAttributes_t *attr,
                                        nvtxDomainHandle_t *domainOut);
    /* Category 0 is none. */
    nvtxwResultCode_t (*CategoryRegister)(nvtxDomainHandle_t domain, uint32_t category,
                                          const char *name);
    nvtxwResultCode_t (*StringRegister)(nvtxDomainHandle_t domain, const char *string,
                                        nvtxStringHandle_t *stringHandleOut);
    nvtxwResultCode_t (*ResourceRegister)(nvtxDomainHandle_t domain,
                                          const nvtxResourceAttributes_t *attr);
    /* Of NVTX_SCOPE_CURRENT_*, only the machine and the virtual machine may be parents,
     * and none is an id. */
    nvtxwResultCode_t (*ScopeRegister)(nvtxDomainHandle_t domain,
                                       const nvtxScopeAttr_t *attr,
                                       uint64_t *scopeIdOut);
    nvtxwResultCode_t (*SchemaRegister)(nvtxDomainHandle_t domain,
                                        const nvtxPayloadSchemaAttr_t *attr,
                                        uint64_t *schemaIdOut);
    /* Its id is one of a schema. */
    nvtxwResultCode_t (*EnumRegister)(nvtxDomainHandle_t domain,
                                      const nvtxPayloadEnumAttr_t *attr,
                                      uint64_t *enumIdOut);
    nvtxwResultCode_t (*CounterRegister)(nvtxDomainHandle_t domain,
                                         const nvtxCounterAttr_t *attr,
                                         uint64_t *counterIdOut);
    nvtxwResultCode_t (*TimeDomainRegister)(nvtxDomainHandle_t domain,
                                            const nvtxTimeDomainAttr_t *attr,
                                            uint64_t *timeDomainIdOut);

    nvtxwResultCode_t (*StreamOpen)(nvtxwSessionHandle_t session,
                                    const nvtxwStreamAttributes_t *attr,
                                    nvtxwStreamHandle_t *streamOut);
    nvtxwResultCode_t (*StreamClose)(nvtxwStreamHandle_t stream);

    /* One event that consists of all these payloads. */
    nvtxwResultCode_t (*EventWrite)(nvtxwStreamHandle_t stream,
                                    const nvtxPayloadData_t *payloads,
                                    size_t payloadCount);
    nvtxwResultCode_t (*EventBatchWrite)(nvtxwStreamHandle_t stream,
                                         const nvtxEventBatch_t *eventBatch);
    /* One value, or one of each counter of a group: `size` bytes. */
    nvtxwResultCode_t (*CounterWrite)(nvtxwStreamHandle_t stream, int64_t timestamp,
                                      uint64_t counterId, const void *data,
                                      size_t size);
    /* `reason` is NVTX_COUNTER_SAMPLE_*. */
    nvtxwResultCode_t (*CounterNoValueWrite)(nvtxwStreamHandle_t stream,
                                             int64_t timestamp, uint64_t counterId,
                                             uint8_t reason);
    nvtxwResultCode_t (*CounterBatchWrite)(nvtxwStreamHandle_t stream,
                                           const nvtxCounterBatch_t *counterBatch);

    /* Two clocks had these times at one moment. Two such points relate them. */
    nvtxwResultCode_t (*TimeSyncPointWrite)(nvtxwStreamHandle_t stream,
                                            uint64_t timeDomainId1,
                                            uint64_t timeDomainId2, int64_t timestamp1,
                                            int64_t timestamp2);
    nvtxwResultCode_t (*TimeSyncPointTableWrite)(nvtxwStreamHandle_t stream,
                                                 uint64_t timeDomainIdSrc,
                                                 uint64_t timeDomainIdDst,
                                                 const nvtxSyncPoint_t *syncPoints,
                                                 size_t count);
    /* A tick of the source takes `slope` ticks of the destination. */
    nvtxwResultCode_t (*TimestampConversionFactorWrite)(
        nvtxwStreamHandle_t stream, uint64_t timeDomainIdSrc, uint64_t timeDomainIdDst,
        double slope, int64_t timestampSrc, int64_t timestampDst);

    void (*reserved[43])(void);
} nvtxwInterface_v2_t;

typedef nvtxwInterface_v2_t nvtxwInterface_t;

/* Whether a backend has a function. Evaluates `iface` twice. */
#define NVTXW_INTERFACE_HAS(iface, member)                                             \
    ((iface) != NVTX_NULLPTR && (iface)->member != NVTX_NULLPTR)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTXW_API */
