/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtPayload.h - NVTX payload extension: events that carry structured data.
 *
 * A schema describes the layout of a C struct once; events then pass the struct's bytes
 * and the schema's id, and the tool decodes them. Three ways to attach data:
 *
 *     event with attributes   nvtxPayloadRangePush(), nvtxPayloadMark(), or the macros
 *                             NVTX_PAYLOAD_EVTATTR_*, and any call of nvToolsExt.h
 *     event that is all data  nvtxMarkPayload(), nvtxRangePushPayload() and so on; an
 *                             entry of the schema is marked as the message
 *     event of the past       nvtxEventSubmit(), nvtxEventBatchSubmit(); entries of the
 *                             schema are its timestamps, in a time domain
 *
 * The rules for all calls in nvToolsExt.h apply here, too: the tool uses arguments only
 * until the call returns, any thread may call at any time, nothing reports an error,
 * and without a tool a call does nothing and returns the neutral value. Tools also copy
 * the schemas, names and semantics that a registration points to.
 *
 * Ids of schemas, enums, scopes, time domains and counters belong to their domain:
 *     1 to below 1 << 24     predefined
 *     1 << 24 to below 2^32  the program's choice ("static"): events may use such an id
 *                            before it is registered, and without a tool it is the same
 *     from 2^32              the tool's choice ("dynamic"); 0 without a tool
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExt.h"

/* Guards of every copy of this header and its parts: the first one included wins. */
#if !defined(NVTX_PAYLOAD_API_FUNCTIONS_V1)
#define NVTX_PAYLOAD_API_FUNCTIONS_V1
#define NVTX_PAYLOAD_API_FUNCTIONS_DEFERRED_V1
#define NVTX_PAYLOAD_ENTRY_FLAGS_V1
#define NVTX_PAYLOAD_ENTRY_TYPES_V1
#define NVTX_PAYLOAD_SCHEMA_TYPES_V1
#define NVTX_PAYLOAD_SCHEMA_FLAGS_V1
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELDS_V1
#define NVTX_PAYLOAD_ENUM_ATTR_FIELDS_V1
#define NVTX_PAYLOAD_TYPEDEFS_V1
#define NVTX_PAYLOAD_TYPEDEFS_DEFERRED_V1
#define NVTX_PAYLOAD_CALLBACK_ID_V1
#define NVTX_PAYLOAD_CALLBACK_ID_DEFERRED_V1
#define NVTX_SCOPES_V1
#define NVTX_TIME_V1
#define NVTX_BATCH_FLAGS_V1
#define NVTX_EXT_IMPL_PAYLOAD_V1

#if !defined(NVTX_LINK_NAME)
#error "Another copy of NVTX is included already; take all of its headers from there."
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How the module introduces itself to a tool. */
#define NVTX_EXT_PAYLOAD_MODULEID 2
#define NVTX_EXT_PAYLOAD_COMPATID 0x0104

/* nvtxEventAttributes_t.payloadType: `payload.ullValue` is the address of an array of
 * nvtxPayloadData_t, and `reserved0` is its length. */
#define NVTX_PAYLOAD_TYPE_EXT (NVTX_STATIC_CAST(int32_t, 0xDFBD0009))

/* ---- Schema entries -------------------------------------------------------------- */

/* nvtxPayloadSchemaEntry_t.flags. Where the data is, if not in the entry itself: */
#define NVTX_PAYLOAD_ENTRY_FLAG_UNUSED 0
/* at an address, in this or another payload of the event */
#define NVTX_PAYLOAD_ENTRY_FLAG_POINTER (1 << 1)
/* at this offset in bytes from the payload's beginning */
#define NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE (1 << 2)
/* at this offset in bytes from the end of this entry */
#define NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE (1 << 3)

/* The number of elements, if not one. An array lies in the payload unless one of the
 * flags above is set; an embedded array of variable length needs a dynamic schema. */
/* `arrayOrUnionDetail` is the length */
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE (1 << 4)
/* up to an element that is zero */
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED (2 << 4)
/* `arrayOrUnionDetail` is the index of the entry that holds the length. If that is an
 * array itself, it holds the dimensions, and the last one varies fastest. */
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX (3 << 4)
/* `arrayOrUnionDetail` is the index of the event's payload that holds the dimensions */
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX (4 << 4)

/* Asks the tool to copy what a pointer leads to; the schema must also have
 * NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY. */
#define NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY (1 << 8)
/* not for display */
#define NVTX_PAYLOAD_ENTRY_FLAG_HIDE (1 << 9)
/* the event's message, of any string type */
#define NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE (1 << 10)
/* a time; nvtxSemanticsTime_t says in which time domain */
#define NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP (2 << 10)

/* Which kind of event the entry is about. */
#define NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN (1 << 12)
#define NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END (2 << 12)
#define NVTX_PAYLOAD_ENTRY_FLAG_MARK (3 << 12)
#define NVTX_PAYLOAD_ENTRY_FLAG_COUNTER (4 << 12)

/* The entry flags that make it an array; 0 if it is none. NVIDIA's headers before CUDA
 * 13.5 had 48 here, which misses arrays whose length is in another payload. */
#define NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY                                               \
    (NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE |                                        \
     NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED |                                   \
     NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX |                                      \
     NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX)
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(F) ((F)&NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY)

/* nvtxPayloadSchemaEntry_t.type, also valid as nvtxPayloadData_t.schemaId and
 * nvtxCounterAttr_t.schemaId: predefined types, or the id of a schema or enum. */
#define NVTX_PAYLOAD_ENTRY_TYPE_INVALID 0

/* C types with the program's sizes: clients report the size and alignment of each
 * (nvtxPayloadEntryTypeInfo_t). */
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR 1
#define NVTX_PAYLOAD_ENTRY_TYPE_UCHAR 2
#define NVTX_PAYLOAD_ENTRY_TYPE_SHORT 3
#define NVTX_PAYLOAD_ENTRY_TYPE_USHORT 4
#define NVTX_PAYLOAD_ENTRY_TYPE_INT 5
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT 6
#define NVTX_PAYLOAD_ENTRY_TYPE_LONG 7
#define NVTX_PAYLOAD_ENTRY_TYPE_ULONG 8
#define NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG 9
#define NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG 10
#define NVTX_PAYLOAD_ENTRY_TYPE_INT8 11
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT8 12
#define NVTX_PAYLOAD_ENTRY_TYPE_INT16 13
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT16 14
#define NVTX_PAYLOAD_ENTRY_TYPE_INT32 15
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT32 16
#define NVTX_PAYLOAD_ENTRY_TYPE_INT64 17
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT64 18
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT 19
#define NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE 20
#define NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE 21
#define NVTX_PAYLOAD_ENTRY_TYPE_SIZE 22    /* size_t */
#define NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS 23 /* void *, shown as an address */
#define NVTX_PAYLOAD_ENTRY_TYPE_WCHAR 24
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR8 25
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR16 26
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR32 27
/* the length of the clients' array of sizes */
#define NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE (NVTX_PAYLOAD_ENTRY_TYPE_CHAR32 + 1)

/* Types of fixed size. */
#define NVTX_PAYLOAD_ENTRY_TYPE_BYTE 32 /* raw, for display in hexadecimal */
#define NVTX_PAYLOAD_ENTRY_TYPE_INT128 33
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT128 34
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16 42
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32 43
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64 44
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128 45
#define NVTX_PAYLOAD_ENTRY_TYPE_BF16 50
#define NVTX_PAYLOAD_ENTRY_TYPE_TF32 52

/* Values that describe the event itself. */
#define NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID 67   /* nvtxRangeId_t */
#define NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY 68   /* uint32_t */
#define NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB 69 /* uint32_t */
#define NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID 70   /* uint64_t, see nvtxScopeRegister() */
#define NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32 71 /* the process where it happened */
#define NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64 72
#define NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32 73 /* the thread that it happened in */
#define NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64 74

/* Strings: embedded with `arrayOrUnionDetail` characters if there are no flags, else
 * as the ARRAY flag says. Zero-terminated with `arrayOrUnionDetail` > 0 is an array of
 * strings of that length. */
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING 75 /* in the locale's encoding */
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8 76
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16 77
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32 78
/* nvtxStringHandle_t, of the same domain */
#define NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE 80

/* Which member of NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR is in use. */
#define NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR 100

/* Valid as nvtxPayloadData_t.schemaId only: bytes that other payloads of the event
 * point into, and bytes for a hex viewer. */
#define NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED 1022
#define NVTX_TYPE_PAYLOAD_SCHEMA_RAW 1023

/* The first ids of schemas and enums chosen by the program, and by the tool. */
#define NVTX_PAYLOAD_SCHEMA_ID_STATIC_START (1 << 24)
#define NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START (NVTX_STATIC_CAST(uint64_t, 1) << 32)

/* What a client reports about the types up to NVTX_PAYLOAD_ENTRY_TYPE_CHAR32: an array
 * indexed by type; its element 0 is {number of elements, bytes per element}. */
typedef struct nvtxPayloadEntryTypeInfo_v1 {
    uint16_t size;  /* bytes */
    uint16_t align; /* bytes */
} nvtxPayloadEntryTypeInfo_t;

/* The meaning of an entry, a schema or a counter. A list: each element begins with this
 * header, followed by its other fields. Tools skip elements that they do not know. */
typedef struct nvtxSemanticsHeader_v1 {
    uint32_t structSize; /* bytes, header included */
    uint16_t semanticId; /* NVTX_SEMANTIC_ID_* */
    uint16_t version;
    const struct nvtxSemanticsHeader_v1 *next; /* or NULL */
} nvtxSemanticsHeader_t;

/* One member of a struct. Only the type is required: zeros mean that the entry has no
 * name and lies where its alignment puts it. */
typedef struct nvtxPayloadSchemaEntry_v1 {
    uint64_t flags;              /* NVTX_PAYLOAD_ENTRY_FLAG_* */
    uint64_t type;               /* NVTX_PAYLOAD_ENTRY_TYPE_*, or a schema or enum id */
    const char *name;            /* or NULL */
    const char *description;     /* or NULL */
    uint64_t arrayOrUnionDetail; /* length of array or string, or index of an entry: of
                                    the length, or of a union's selector */
    uint64_t offset;             /* bytes from the payload's beginning */
    const nvtxSemanticsHeader_t *semantics; /* or NULL */
    const void *reserved;                   /* NULL */
} nvtxPayloadSchemaEntry_t;

/* ---- Schemas and enums ----------------------------------------------------------- */

/* nvtxPayloadSchemaAttr_t.type */
#define NVTX_PAYLOAD_SCHEMA_TYPE_INVALID 0
#define NVTX_PAYLOAD_SCHEMA_TYPE_STATIC 1  /* a struct of fixed size */
#define NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC 2 /* the size depends on its arrays */
#define NVTX_PAYLOAD_SCHEMA_TYPE_UNION 3   /* the entry that uses it has the selector */
#define NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR 4

/* nvtxPayloadSchemaAttr_t.flags */
#define NVTX_PAYLOAD_SCHEMA_FLAG_NONE 0
/* it has entries with NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY */
#define NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY (1 << 1)
/* other payloads of the event point into it */
#define NVTX_PAYLOAD_SCHEMA_FLAG_REFERENCED (1 << 2)
/* its entries are counters, sampled together */
#define NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP (1 << 3)
/* it is a whole event, with message and timestamps */
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP (2 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND (3 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_MARK (4 << 3)
/* it is half of a range; an NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID links an end to its start
 */
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH (5 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP (6 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_START (7 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_END (8 << 3)

/* nvtxPayloadSchemaAttr_t.fieldMask */
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME (1 << 1)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE (1 << 2)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS (1 << 3)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES (1 << 4)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES (1 << 5)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE (1 << 6)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT (1 << 7)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID (1 << 8)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_EXTENSION (1 << 9)

/* Type, entries and numEntries are required; unions also need payloadStaticSize. */
typedef struct nvtxPayloadSchemaAttr_v1 {
    uint64_t fieldMask; /* NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_*: the fields that are set */
    const char *name;
    uint64_t type;  /* NVTX_PAYLOAD_SCHEMA_TYPE_* */
    uint64_t flags; /* NVTX_PAYLOAD_SCHEMA_FLAG_* */
    const nvtxPayloadSchemaEntry_t *entries;
    size_t numEntries;
    size_t payloadStaticSize; /* bytes, padding included; not for dynamic schemas */
    size_t packAlign;         /* bytes, of a packed struct; 0 is C's own layout */
    uint64_t schemaId;        /* static id, or 0 */
    void *extension;          /* NULL */
} nvtxPayloadSchemaAttr_t;

/* nvtxPayloadEnumAttr_t.fieldMask */
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME (1 << 1)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES (1 << 2)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES (1 << 3)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE (1 << 4)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID (1 << 5)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_EXTENSION (1 << 6)

typedef struct nvtxPayloadEnum_v1 {
    const char *name;
    uint64_t value;
    int8_t isFlag; /* not 0: bits that may be combined */
} nvtxPayloadEnum_t;

/* Entries and numEntries are required. */
typedef struct nvtxPayloadEnumAttr_v1 {
    uint64_t fieldMask; /* NVTX_PAYLOAD_ENUM_ATTR_FIELD_*: the fields that are set */
    const char *name;
    const nvtxPayloadEnum_t *entries;
    size_t numEntries;
    size_t sizeOfEnum; /* bytes of a value */
    uint64_t schemaId; /* static id, or 0; enums and schemas share their ids */
    void *extension;   /* NULL */
} nvtxPayloadEnumAttr_t;

/**
 * Describes a payload layout to the tool, and returns its id in the domain.
 *
 * Returns the static id if `attr` has one. A schema may be registered before those that
 * its entries refer to, if their ids are static.
 *
 * Errors: returns 0 without a tool, for a static id too: keep that id in a constant.
 */
NVTX_DECLSPEC uint64_t NVTX_API nvtxPayloadSchemaRegister(
    nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t *attr)
    NVTX_LINK_NAME(PayloadSchemaRegister);

/**
 * Names the values of an enumeration, and returns its id, a type for schema entries.
 *
 * Errors: returns 0 without a tool.
 */
NVTX_DECLSPEC uint64_t NVTX_API
nvtxPayloadEnumRegister(nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t *attr)
    NVTX_LINK_NAME(PayloadEnumRegister);

/* ---- Scopes: where an event or a counter belongs --------------------------------- */

/* Predefined scopes. "Current" is resolved when the event or sample is taken. */
#define NVTX_SCOPE_NONE 0
#define NVTX_SCOPE_ROOT 1
#define NVTX_SCOPE_CURRENT_HW_MACHINE 2
#define NVTX_SCOPE_CURRENT_HW_SOCKET 3
#define NVTX_SCOPE_CURRENT_HW_CPU_PHYSICAL 4 /* a core */
#define NVTX_SCOPE_CURRENT_HW_CPU_LOGICAL 5  /* a hardware thread */
#define NVTX_SCOPE_CURRENT_HW_INNERMOST 15
#define NVTX_SCOPE_CURRENT_HYPERVISOR 16
#define NVTX_SCOPE_CURRENT_VM 17
#define NVTX_SCOPE_CURRENT_KERNEL 18
#define NVTX_SCOPE_CURRENT_CONTAINER 19
#define NVTX_SCOPE_CURRENT_OS 20
#define NVTX_SCOPE_CURRENT_SW_PROCESS 21
#define NVTX_SCOPE_CURRENT_SW_THREAD 22
#define NVTX_SCOPE_CURRENT_SW_INNERMOST 31

#define NVTX_SCOPE_ID_STATIC_START (1 << 24)
#define NVTX_SCOPE_ID_DYNAMIC_START (NVTX_STATIC_CAST(uint64_t, 1) << 32)

typedef struct nvtxScopeAttr_v1 {
    size_t structSize; /* bytes */
    /* Relative to the parent, in UTF-8: nodes separated by `/`, one of several of the
     * same name as name[key], and `\` before a `/`, `[` or `]` within a name. A GPU is
     * GPU[UUID:...], GPU[CUDAID:number] or GPU[NVSMI:number]. NULL is "". */
    const char *path;
    uint64_t parentScope;
    uint64_t scopeId; /* static id, or NVTX_SCOPE_NONE */
} nvtxScopeAttr_t;

/**
 * Describes a place in the system, for events and counters to refer to; returns its id.
 *
 * Errors: returns NVTX_SCOPE_NONE without a tool.
 */
NVTX_DECLSPEC uint64_t NVTX_API nvtxScopeRegister(nvtxDomainHandle_t domain,
                                                  const nvtxScopeAttr_t *attr)
    NVTX_LINK_NAME(ScopeRegister);

/* ---- Events that are payloads ---------------------------------------------------- */

/* One piece of data of an event. */
typedef struct nvtxPayloadData_v1 {
    uint64_t schemaId; /* of a schema or enum, or a predefined type */
    /* Bytes. With SIZE_MAX the tool finds the size of a zero-terminated string or a
     * static schema, and skips anything else. */
    size_t size;
    const void *payload;
} nvtxPayloadData_t;

/** Marks this moment with `count` payloads. One of them should contain the message. */
NVTX_DECLSPEC void NVTX_API nvtxMarkPayload(nvtxDomainHandle_t domain,
                                            const nvtxPayloadData_t *payloadData,
                                            size_t count) NVTX_LINK_NAME(MarkPayload);

/**
 * Opens a range with `count` payloads, on the stack of nvtxDomainRangePushEx().
 *
 * Any pop of the domain closes it. Returns what that push returns: the depth, or a
 * negative number.
 *
 * Errors: returns NVTX_NO_PUSH_POP_TRACKING if nothing records the range.
 */
NVTX_DECLSPEC int NVTX_API nvtxRangePushPayload(nvtxDomainHandle_t domain,
                                                const nvtxPayloadData_t *payloadData,
                                                size_t count)
    NVTX_LINK_NAME(RangePushPayload);

/**
 * Closes the innermost range of the thread and adds `count` payloads to it.
 *
 * A message or color among them replaces that of the push. Returns what
 * nvtxDomainRangePop() does.
 *
 * Errors: returns NVTX_NO_PUSH_POP_TRACKING if nothing records the range.
 */
NVTX_DECLSPEC int NVTX_API nvtxRangePopPayload(nvtxDomainHandle_t domain,
                                               const nvtxPayloadData_t *payloadData,
                                               size_t count)
    NVTX_LINK_NAME(RangePopPayload);

/**
 * Starts a range with `count` payloads; any call that ends ranges may end it.
 *
 * Errors: returns 0 if nothing records the range.
 */
NVTX_DECLSPEC nvtxRangeId_t NVTX_API nvtxRangeStartPayload(
    nvtxDomainHandle_t domain, const nvtxPayloadData_t *payloadData, size_t count)
    NVTX_LINK_NAME(RangeStartPayload);

/**
 * Ends a started range and adds `count` payloads to it.
 *
 * A message or color among them replaces that of the start.
 */
NVTX_DECLSPEC void NVTX_API nvtxRangeEndPayload(nvtxDomainHandle_t domain,
                                                nvtxRangeId_t id,
                                                const nvtxPayloadData_t *payloadData,
                                                size_t count)
    NVTX_LINK_NAME(RangeEndPayload);

/**
 * Returns whether a tool records the domain, so that costly payloads can be skipped.
 *
 * Do not let the program's behavior depend on it. The answer may change.
 *
 * Errors: returns 0 without a tool, 1 with one that does not answer.
 */
NVTX_DECLSPEC uint8_t NVTX_API nvtxDomainIsEnabled(nvtxDomainHandle_t domain)
    NVTX_LINK_NAME(DomainIsEnabled);

/* ---- Time ------------------------------------------------------------------------ */

/* Where a timestamp comes from. Types that determine clock and unit also serve as time
 * domain ids. */
#define NVTX_TIMESTAMP_TYPE_NONE 0          /* unknown: needs two sync points */
#define NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED 1 /* nvtxTimestampGet() */
/* The processor's counter: RDTSC on x86, CNTVCT on Arm, and CNTPCT there. */
#define NVTX_TIMESTAMP_TYPE_CPU_TSC 10
#define NVTX_TIMESTAMP_TYPE_CPU_TSC_NONVIRTUALIZED 11
/* clock_gettime(), in nanoseconds */
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME 12
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME_COARSE 13
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC 14
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_RAW 15
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_COARSE 16
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_BOOTTIME 17
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_PROCESS_CPUTIME_ID 18
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_THREAD_CPUTIME_ID 19
/* QueryPerformanceCounter(), GetSystemTimeAsFileTime(), and its Precise form */
#define NVTX_TIMESTAMP_TYPE_WIN_QPC 30
#define NVTX_TIMESTAMP_TYPE_WIN_GSTAFT 31
#define NVTX_TIMESTAMP_TYPE_WIN_GSTAFTP 32
/* time(), clock(), timespec_get() */
#define NVTX_TIMESTAMP_TYPE_C_TIME 40
#define NVTX_TIMESTAMP_TYPE_C_CLOCK 41
#define NVTX_TIMESTAMP_TYPE_C_TIMESPEC_GET 42
/* std::chrono */
#define NVTX_TIMESTAMP_TYPE_CPP_STEADY_CLOCK 50
#define NVTX_TIMESTAMP_TYPE_CPP_HIGH_RESOLUTION_CLOCK 51
#define NVTX_TIMESTAMP_TYPE_CPP_SYSTEM_CLOCK 52
#define NVTX_TIMESTAMP_TYPE_CPP_UTC_CLOCK 53
#define NVTX_TIMESTAMP_TYPE_CPP_TAI_CLOCK 54
#define NVTX_TIMESTAMP_TYPE_CPP_GPS_CLOCK 55
#define NVTX_TIMESTAMP_TYPE_CPP_FILE_CLOCK 56
#define NVTX_TIMESTAMP_TYPE_GPU_GLOBALTIMER 80

#define NVTX_TIME_DOMAIN_ID_NONE 0
#define NVTX_TIME_DOMAIN_ID_STATIC_START (1 << 24)
#define NVTX_TIME_DOMAIN_ID_DYNAMIC_START (NVTX_STATIC_CAST(uint64_t, 1) << 32)

/* nvtxTimeDomainAttr_t.timerFlags */
#define NVTX_TIMER_FLAG_NONE 0
#define NVTX_TIMER_FLAG_CLOCK_MONOTONIC (1 << 1) /* never goes back */
#define NVTX_TIMER_FLAG_CLOCK_STEADY (1 << 2)    /* ticks at an even rate */

/* nvtxTimeDomainAttr_t.timerStart: when the timer is or was 0 */
#define NVTX_TIMER_START_UNKNOWN 0
#define NVTX_TIMER_START_SYSTEM_BOOT 1
#define NVTX_TIMER_START_VM_BOOT 2
#define NVTX_TIMER_START_UNIX_EPOCH 3   /* 1970-01-01 */
#define NVTX_TIMER_START_WIN_FILETIME 4 /* 1601-01-01 */

typedef struct nvtxTimeDomainAttr_v1 {
    uint64_t scopeId;         /* the scope of its clock */
    uint64_t timestampTypeId; /* NVTX_TIMESTAMP_TYPE_* */
    uint64_t timeDomainId;    /* static id, or 0 */
    uint64_t timerFlags;      /* NVTX_TIMER_FLAG_* */
    int64_t timerResolution;  /* ticks per second, 0 if unknown */
    uint64_t timerStart;      /* NVTX_TIMER_START_* */
} nvtxTimeDomainAttr_t;

/**
 * Returns the tool's time now, for events that are submitted later.
 *
 * It is in the time domain NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED, and means nothing to the
 * program.
 *
 * Errors: returns 0 without a tool, or with one that does not answer.
 */
NVTX_DECLSPEC int64_t NVTX_API nvtxTimestampGet(void) NVTX_LINK_NAME(TimestampGet);

/**
 * Describes the clock of timestamps of events or counters; returns its id.
 *
 * Errors: returns NVTX_TIME_DOMAIN_ID_NONE without a tool.
 */
NVTX_DECLSPEC uint64_t NVTX_API
nvtxTimeDomainRegister(nvtxDomainHandle_t domain, const nvtxTimeDomainAttr_t *timeAttr)
    NVTX_LINK_NAME(TimeDomainRegister);

/* nvtxTimerSource(): whether the tool may call it while the process exits */
#define NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN 0
#define NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN 1

/**
 * Gives the tool a function that reads a time domain's clock, for sync points.
 *
 * `timeDomainId` is a registered id or a NVTX_TIMESTAMP_TYPE_*, here and below.
 *
 * Ownership: the function must stay callable to the end of the process, or with
 *            NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN until exit begins.
 * Threads:   the tool calls it at any time, from any thread.
 */
NVTX_DECLSPEC void NVTX_API nvtxTimerSource(nvtxDomainHandle_t domain,
                                            uint64_t timeDomainId, uint64_t flags,
                                            int64_t (*timestampProviderFn)(void))
    NVTX_LINK_NAME(TimerSource);

/**
 * nvtxTimerSource with an argument for the function.
 *
 * Ownership: `data` must live as long as the function.
 */
NVTX_DECLSPEC void NVTX_API
nvtxTimerSourceWithData(nvtxDomainHandle_t domain, uint64_t timeDomainId,
                        uint64_t flags, int64_t (*timestampProviderFn)(void *data),
                        void *data) NVTX_LINK_NAME(TimerSourceWithData);

/* The same moment in two time domains. */
typedef struct nvtxSyncPoint_v1 {
    int64_t src;
    int64_t dst;
} nvtxSyncPoint_t;

/**
 * States that two timestamps of two time domains are the same moment.
 *
 * Two such points, some time apart, let a tool convert one domain to the other.
 */
NVTX_DECLSPEC void NVTX_API nvtxTimeSyncPoint(nvtxDomainHandle_t domain,
                                              uint64_t timeDomainId1,
                                              uint64_t timeDomainId2,
                                              int64_t timestamp1, int64_t timestamp2)
    NVTX_LINK_NAME(TimeSyncPoint);

/** nvtxTimeSyncPoint for `count` points at once. */
NVTX_DECLSPEC void NVTX_API nvtxTimeSyncPointTable(
    nvtxDomainHandle_t domain, uint64_t timeDomainIdSrc, uint64_t timeDomainIdDst,
    const nvtxSyncPoint_t *syncPoints, size_t count) NVTX_LINK_NAME(TimeSyncPointTable);

/**
 * States how to convert one time domain to another by a sync point and a slope.
 *
 * dst = timestampDst + (src - timestampSrc) * slope
 */
NVTX_DECLSPEC void NVTX_API nvtxTimestampConversionFactor(
    nvtxDomainHandle_t domain, uint64_t timeDomainIdSrc, uint64_t timeDomainIdDst,
    double slope, int64_t timestampSrc, int64_t timestampDst)
    NVTX_LINK_NAME(TimestampConversionFactor);

/* ---- Deferred events ------------------------------------------------------------- */

/* How a batch is sorted by the events' (first) timestamps. Partially: sorted runs. */
#define NVTX_BATCH_FLAG_TIME_SORTED 0
#define NVTX_BATCH_FLAG_TIME_SORTED_PARTIALLY (1 << 1)
#define NVTX_BATCH_FLAG_TIME_SORTED_PER_SCOPE (2 << 1)
#define NVTX_BATCH_FLAG_UNSORTED (3 << 1)

/* An array of events of one static schema. The schema's flags give the kind of event,
 * and its entries' time semantics the time domain. */
typedef struct nvtxEventBatch_v1 {
    uint64_t eventSchemaId;
    size_t size;        /* bytes of `events`: a multiple of the schema's static size */
    const void *events; /* the array */
    uint64_t scope;     /* of all events */
    uint64_t flags;     /* NVTX_BATCH_FLAG_* */
    const void *flexData;  /* data that the events refer to, or NULL */
    size_t flexDataSize;   /* bytes */
    size_t flexDataOffset; /* bytes from `flexData` to where the data begins */
} nvtxEventBatch_t;

/** Records one event of the past, whose payloads include its times. */
NVTX_DECLSPEC void NVTX_API nvtxEventSubmit(nvtxDomainHandle_t domain,
                                            const nvtxPayloadData_t *payloadData,
                                            size_t numPayloads)
    NVTX_LINK_NAME(EventSubmit);

/** Records many events of the past. */
NVTX_DECLSPEC void NVTX_API nvtxEventBatchSubmit(nvtxDomainHandle_t domain,
                                                 const nvtxEventBatch_t *eventBatch)
    NVTX_LINK_NAME(EventBatchSubmit);

/* ---- Payloads of ordinary events ------------------------------------------------- */

/* An address as nvtxEventAttributes_t.payload.ullValue. Programs may define their own;
 * in C, other copies of this header require it. */
#if !defined(NVTX_POINTER_AS_PAYLOAD_ULLVALUE)
#define NVTX_POINTER_AS_PAYLOAD_ULLVALUE(p)                                            \
    NVTX_STATIC_CAST(uint64_t, NVTX_REINTERPRET_CAST(uintptr_t, p))
#endif

/* Several statements. Attaches one payload to `evtAttr` (not its address), through the
 * nvtxPayloadData_t at `pldata_addr`, which must live until the event's call. */
#define NVTX_PAYLOAD_EVTATTR_SET_DATA(evtAttr, pldata_addr, schema_id, pl_addr, sz)    \
    (pldata_addr)->schemaId = schema_id;                                               \
    (pldata_addr)->size = sz;                                                          \
    (pldata_addr)->payload = pl_addr;                                                  \
    (evtAttr).payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(pldata_addr);        \
    (evtAttr).payloadType = NVTX_PAYLOAD_TYPE_EXT;                                     \
    (evtAttr).reserved0 = 1;

/* Several statements. Attaches `count` payloads starting at `pldata`, which must live
 * until the event's call. Without a count, `pldata` must be an array, not a pointer. */
#define NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE_N(evtAttr, pldata, count)                    \
    (evtAttr).payloadType = NVTX_PAYLOAD_TYPE_EXT;                                     \
    (evtAttr).reserved0 = NVTX_STATIC_CAST(int32_t, count);                            \
    (evtAttr).payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(pldata);
#define NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE(evtAttr, pldata)                             \
    NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE_N(evtAttr, pldata,                               \
                                        sizeof(pldata) / sizeof(nvtxPayloadData_t))

/* A declaration and several statements, for a block of their own that also contains the
 * event's call. Attaches one payload to `*evtAttr`. */
#define NVTX_PAYLOAD_EVTATTR_SET(evtAttr, schema_id, pl_addr, sz)                      \
    nvtxPayloadData_t nvtxPayloadData_ofEvent[1];                                      \
    NVTX_PAYLOAD_EVTATTR_SET_DATA(*(evtAttr), &nvtxPayloadData_ofEvent[0], schema_id,  \
                                  pl_addr, sz)

/* nvtxDomainRangePushEx() and nvtxDomainMarkEx() with one payload of `size` bytes at
 * `plAddr`. Statements: the depth is not returned. `*evtAttr` is changed. */
#define nvtxPayloadRangePush(domain, evtAttr, schemaId, plAddr, size)                  \
    do {                                                                               \
        NVTX_PAYLOAD_EVTATTR_SET(evtAttr, schemaId, plAddr, size)                      \
        nvtxDomainRangePushEx(domain, evtAttr);                                        \
    } while (0)
#define nvtxPayloadMark(domain, evtAttr, schemaId, plAddr, size)                       \
    do {                                                                               \
        NVTX_PAYLOAD_EVTATTR_SET(evtAttr, schemaId, plAddr, size)                      \
        nvtxDomainMarkEx(domain, evtAttr);                                             \
    } while (0)

/* ---- For tools ------------------------------------------------------------------- */

/* Callback ids: indices of the module's slots (nvtxDetail/nvtxExtTypes.h). */
#define NVTX3EXT_CBID_nvtxPayloadSchemaRegister 0
#define NVTX3EXT_CBID_nvtxPayloadEnumRegister 1
#define NVTX3EXT_CBID_nvtxMarkPayload 2
#define NVTX3EXT_CBID_nvtxRangePushPayload 3
#define NVTX3EXT_CBID_nvtxRangePopPayload 4
#define NVTX3EXT_CBID_nvtxRangeStartPayload 5
#define NVTX3EXT_CBID_nvtxRangeEndPayload 6
#define NVTX3EXT_CBID_nvtxDomainIsEnabled 7
#define NVTX3EXT_CBID_nvtxTimestampGet 8
#define NVTX3EXT_CBID_nvtxTimeDomainRegister 9
#define NVTX3EXT_CBID_nvtxTimerSource 10
#define NVTX3EXT_CBID_nvtxTimerSourceWithData 11
#define NVTX3EXT_CBID_nvtxScopeRegister 12
#define NVTX3EXT_CBID_nvtxTimeSyncPoint 13
#define NVTX3EXT_CBID_nvtxTimeSyncPointTable 14
#define NVTX3EXT_CBID_nvtxTimestampConversionFactor 15
#define NVTX3EXT_CBID_nvtxEventSubmit 16
#define NVTX3EXT_CBID_nvtxEventBatchSubmit 17

/* One line per call; nvtxTypes.h explains V and R. */
#define NVTX_PAYLOAD_CALLS(V, R)                                                       \
    R(_PAYLOAD, PayloadSchemaRegister,                                                 \
      (nvtxDomainHandle_t d, const nvtxPayloadSchemaAttr_t *a), (d, a), uint64_t, 0)   \
    R(_PAYLOAD, PayloadEnumRegister,                                                   \
      (nvtxDomainHandle_t d, const nvtxPayloadEnumAttr_t *a), (d, a), uint64_t, 0)     \
    V(_PAYLOAD, MarkPayload,                                                           \
      (nvtxDomainHandle_t d, const nvtxPayloadData_t *data, size_t n), (d, data, n))   \
    R(_PAYLOAD, RangePushPayload,                                                      \
      (nvtxDomainHandle_t d, const nvtxPayloadData_t *data, size_t n), (d, data, n),   \
      int, NVTX_NO_PUSH_POP_TRACKING)                                                  \
    R(_PAYLOAD, RangePopPayload,                                                       \
      (nvtxDomainHandle_t d, const nvtxPayloadData_t *data, size_t n), (d, data, n),   \
      int, NVTX_NO_PUSH_POP_TRACKING)                                                  \
    R(_PAYLOAD, RangeStartPayload,                                                     \
      (nvtxDomainHandle_t d, const nvtxPayloadData_t *data, size_t n), (d, data, n),   \
      nvtxRangeId_t, 0)                                                                \
    V(_PAYLOAD, RangeEndPayload,                                                       \
      (nvtxDomainHandle_t d, nvtxRangeId_t id, const nvtxPayloadData_t *data,          \
       size_t n),                                                                      \
      (d, id, data, n))                                                                \
    R(_PAYLOAD, DomainIsEnabled, (nvtxDomainHandle_t d), (d), uint8_t, 0)              \
    R(_PAYLOAD, TimestampGet, (void), (), int64_t, 0)                                  \
    R(_PAYLOAD, TimeDomainRegister,                                                    \
      (nvtxDomainHandle_t d, const nvtxTimeDomainAttr_t *a), (d, a), uint64_t,         \
      NVTX_TIME_DOMAIN_ID_NONE)                                                        \
    V(_PAYLOAD, TimerSource,                                                           \
      (nvtxDomainHandle_t d, uint64_t time, uint64_t flags, int64_t(*now)(void)),      \
      (d, time, flags, now))                                                           \
    V(_PAYLOAD, TimerSourceWithData,                                                   \
      (nvtxDomainHandle_t d, uint64_t time, uint64_t flags, int64_t(*now)(void *data), \
       void *data),                                                                    \
      (d, time, flags, now, data))                                                     \
    R(_PAYLOAD, ScopeRegister, (nvtxDomainHandle_t d, const nvtxScopeAttr_t *a),       \
      (d, a), uint64_t, NVTX_SCOPE_NONE)                                               \
    V(_PAYLOAD, TimeSyncPoint,                                                         \
      (nvtxDomainHandle_t d, uint64_t time1, uint64_t time2, int64_t t1, int64_t t2),  \
      (d, time1, time2, t1, t2))                                                       \
    V(_PAYLOAD, TimeSyncPointTable,                                                    \
      (nvtxDomainHandle_t d, uint64_t src, uint64_t dst,                               \
       const nvtxSyncPoint_t *points, size_t n),                                       \
      (d, src, dst, points, n))                                                        \
    V(_PAYLOAD, TimestampConversionFactor,                                             \
      (nvtxDomainHandle_t d, uint64_t src, uint64_t dst, double slope, int64_t at_src, \
       int64_t at_dst),                                                                \
      (d, src, dst, slope, at_src, at_dst))                                            \
    V(_PAYLOAD, EventSubmit,                                                           \
      (nvtxDomainHandle_t d, const nvtxPayloadData_t *data, size_t n), (d, data, n))   \
    V(_PAYLOAD, EventBatchSubmit,                                                      \
      (nvtxDomainHandle_t d, const nvtxEventBatch_t *batch), (d, batch))

NVTX_PAYLOAD_CALLS(NVTX_TYPE_V, NVTX_TYPE_R)

#ifdef __cplusplus
} /* extern "C" */
#endif

#include "nvtxDetail/nvtxExtTypes.h"
#if !defined(NVTX_NO_IMPL)
#include "nvtxDetail/nvtx_payload_client.h"
#endif

#endif /* NVTX_PAYLOAD_API_FUNCTIONS_V1 */
