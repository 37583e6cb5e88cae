/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxw3_event_helpers.h - NVTXW: marks and ranges.
 *
 * Whole ranges are written with both times, or their two ends separately. Messages are
 * text (...Utf8) or registered strings. Times are those of the stream's clock.
 */
#if !defined(NVTXW_EVENT_HELPERS_API)
#define NVTXW_EVENT_HELPERS_API

#include <nvtxw3/nvtxw3.h>

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is written ------------------------------------------------------------- */

typedef struct nvtxwEventAttributes_v1 {
    uint32_t color;             /* 0xAARRGGBB; 0: none */
    uint32_t category;          /* 0: none */
    nvtxStringHandle_t message; /* registered in the stream's domain; NULL: none */
} nvtxwEventAttributes_t;

typedef struct nvtxwEventAttributesUtf8_v1 {
    uint32_t color;         /* 0xAARRGGBB; 0: none */
    uint32_t category;      /* 0: none */
    uint32_t messageLength; /* bytes; 0: up to the terminating 0 */
    const char *message;    /* NULL: empty */
} nvtxwEventAttributesUtf8_t;

/* The ids of the schemas that the functions below write with, in the order of their
 * flags. The last one is that of the texts. */
typedef struct nvtxwEventHelperSchemaIds_v1 {
    uint64_t markUtf8;
    uint64_t markRegString;
    uint64_t rangePushPopUtf8;
    uint64_t rangePushPopRegString;
    uint64_t rangeStartEndUtf8;
    uint64_t rangeStartEndRegString;
    uint64_t rangePushUtf8;
    uint64_t rangePushRegString;
    uint64_t rangePop;
    uint64_t rangeStartUtf8;
    uint64_t rangeStartRegString;
    uint64_t rangeEnd;
    uint64_t eventMessageUtf8;
} nvtxwEventHelperSchemaIds_t;

typedef enum nvtxwEventHelperSchemaFlag_v1 {
    NVTXW_EVENT_HELPER_SCHEMA_MARK_UTF8 = 1u << 0,
    NVTXW_EVENT_HELPER_SCHEMA_MARK_REG_STRING = 1u << 1,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_PUSHPOP_UTF8 = 1u << 2,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_PUSHPOP_REG_STRING = 1u << 3,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_STARTEND_UTF8 = 1u << 4,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_STARTEND_REG_STRING = 1u << 5,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_PUSH_UTF8 = 1u << 6,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_PUSH_REG_STRING = 1u << 7,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_POP = 1u << 8,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_START_UTF8 = 1u << 9,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_START_REG_STRING = 1u << 10,
    NVTXW_EVENT_HELPER_SCHEMA_RANGE_END = 1u << 11,
    NVTXW_EVENT_HELPER_SCHEMA_ALL = 0xfff
} nvtxwEventHelperSchemaFlag_t;

/* What the functions below write to. May be copied; `iface` must outlive it. */
typedef struct nvtxwEventWriter_v1 {
    const nvtxwInterface_t *iface;
    nvtxwStreamHandle_t stream;
    nvtxwEventHelperSchemaIds_t schemaIds; /* registered in the stream's domain */
} nvtxwEventWriter_t;

/** Makes a writer of its parts. `schemaIds` may be NULL: no schemas yet. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwEventWriterInit(
    nvtxwEventWriter_t *writer, const nvtxwInterface_t *iface,
    nvtxwStreamHandle_t stream, const nvtxwEventHelperSchemaIds_t *schemaIds)
{
    if (!writer)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    memset(writer, 0, sizeof(*writer));
    writer->iface = iface;
    writer->stream = stream;
    if (schemaIds)
        writer->schemaIds = *schemaIds;
    return NVTXW_RESULT_SUCCESS;
}

/* ---- Schemas --------------------------------------------------------------------- */

/* Every payload is a part of this one: it begins at one of the first two members, and
 * ends before `color`, before `message` or at the end. The text of a message is a
 * payload of its own. */
struct rln__nvtxw_event {
    uint64_t before; /* the end of a whole range, or the id of a range's end */
    int64_t time;    /* of a whole range: its begin */
    uint32_t color;
    uint32_t category;
    nvtxStringHandle_t message;
};
#define RLN__NVTXW_AT(member) offsetof(struct rln__nvtxw_event, member)

/* A schema: its flags, and the part of the struct that it describes. */
struct rln__nvtxw_kind {
    uint64_t flags;
    uint64_t time_flags;
    size_t from;
    size_t to;
};

/* Adds an entry; offsets are those in the part. */
NVTX_INLINE_STATIC void rln__nvtxw_add_entry(nvtxPayloadSchemaAttr_t *schema,
                                             nvtxPayloadSchemaEntry_t *entries,
                                             uint64_t flags, uint64_t type,
                                             const char *name, size_t offset)
{
    nvtxPayloadSchemaEntry_t *const entry = &entries[schema->numEntries++];

    memset(entry, 0, sizeof(*entry));
    entry->flags = flags;
    entry->type = type;
    entry->name = name;
    entry->offset = offset;
    schema->entries = entries;
}

NVTX_INLINE_STATIC nvtxwResultCode_t
rln__nvtxw_register_event(const nvtxwInterface_t *iface, nvtxDomainHandle_t domain,
                          const struct rln__nvtxw_kind *kind, uint64_t *id)
{
    const uint64_t time = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
    const int has_id = kind->flags == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_START ||
                       kind->flags == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_END;
    const size_t from = kind->from;
    nvtxPayloadSchemaEntry_t entries[5];
    nvtxPayloadSchemaAttr_t schema;

    memset(&schema, 0, sizeof(schema));
    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.flags = kind->flags;
    schema.payloadStaticSize = kind->to - from;
    if (has_id)
        rln__nvtxw_add_entry(&schema, entries, 0, NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID,
                             "id", 0);
    else if (from == RLN__NVTXW_AT(before))
        rln__nvtxw_add_entry(&schema, entries, time | NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END,
                             NVTX_PAYLOAD_ENTRY_TYPE_INT64, "end", 0);
    rln__nvtxw_add_entry(&schema, entries, time | kind->time_flags,
                         NVTX_PAYLOAD_ENTRY_TYPE_INT64, "time",
                         RLN__NVTXW_AT(time) - from);
    if (kind->to > RLN__NVTXW_AT(color)) {
        rln__nvtxw_add_entry(&schema, entries, 0, NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB,
                             "color", RLN__NVTXW_AT(color) - from);
        rln__nvtxw_add_entry(&schema, entries, 0, NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY,
                             "category", RLN__NVTXW_AT(category) - from);
    }
    if (kind->to > RLN__NVTXW_AT(message))
        rln__nvtxw_add_entry(&schema, entries, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE,
                             NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE,
                             "message", RLN__NVTXW_AT(message) - from);
    return iface->SchemaRegister(domain, &schema, id);
}

NVTX_INLINE_STATIC nvtxwResultCode_t rln__nvtxw_register_text(
    const nvtxwInterface_t *iface, nvtxDomainHandle_t domain, uint64_t *id)
{
    nvtxPayloadSchemaEntry_t entry;
    nvtxPayloadSchemaAttr_t schema;

    memset(&schema, 0, sizeof(schema));
    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
    rln__nvtxw_add_entry(&schema, &entry,
                         NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE |
                             NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED,
                         NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, "message", 0);
    return iface->SchemaRegister(domain, &schema, id);
}

/** Registers the schemas of `schemaMask`: NVTXW_EVENT_HELPER_SCHEMA_*. The ids of all
 * others become 0. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwEventSchemasRegister(
    const nvtxwInterface_t *iface, nvtxDomainHandle_t domain, uint32_t schemaMask,
    nvtxwEventHelperSchemaIds_t *schemaIdsOut)
{
#define RLN__NVTXW_KIND(name, time_flag, from, to)                                     \
    {                                                                                  \
        NVTX_PAYLOAD_SCHEMA_FLAG_##name, NVTX_PAYLOAD_ENTRY_FLAG_##time_flag,          \
            RLN__NVTXW_AT(from), to                                                    \
    }
#define RLN__NVTXW_KINDS(name, time_flag, from)                                        \
    RLN__NVTXW_KIND(name, time_flag, from, RLN__NVTXW_AT(message)),                    \
        RLN__NVTXW_KIND(name, time_flag, from, sizeof(struct rln__nvtxw_event))
    static const struct rln__nvtxw_kind kinds[] = {
        RLN__NVTXW_KINDS(MARK, MARK, time),
        RLN__NVTXW_KINDS(RANGE_PUSHPOP, RANGE_BEGIN, before),
        RLN__NVTXW_KINDS(RANGE_STARTEND, RANGE_BEGIN, before),
        RLN__NVTXW_KINDS(RANGE_PUSH, RANGE_BEGIN, time),
        RLN__NVTXW_KIND(RANGE_POP, RANGE_END, time, RLN__NVTXW_AT(color)),
        RLN__NVTXW_KINDS(RANGE_START, RANGE_BEGIN, before),
        RLN__NVTXW_KIND(RANGE_END, RANGE_END, before, RLN__NVTXW_AT(color)),
    };
#undef RLN__NVTXW_KINDS
#undef RLN__NVTXW_KIND
    const size_t n_kinds = sizeof(kinds) / sizeof(kinds[0]);
    uint64_t ids[sizeof(kinds) / sizeof(kinds[0]) + 1];
    nvtxwResultCode_t result = NVTXW_RESULT_SUCCESS;
    int has_text = 0;
    size_t i;

    if (schemaIdsOut)
        memset(schemaIdsOut, 0, sizeof(*schemaIdsOut));
    if (!NVTXW_INTERFACE_HAS(iface, SchemaRegister) || !domain || !schemaIdsOut ||
        !schemaMask || schemaMask >> n_kinds)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    memset(ids, 0, sizeof(ids));
    for (i = 0; i < n_kinds && result == NVTXW_RESULT_SUCCESS; i++) {
        if (!(schemaMask >> i & 1))
            continue;
        has_text |= kinds[i].to == RLN__NVTXW_AT(message);
        result = rln__nvtxw_register_event(iface, domain, &kinds[i], &ids[i]);
    }
    if (has_text && result == NVTXW_RESULT_SUCCESS)
        result = rln__nvtxw_register_text(iface, domain, &ids[n_kinds]);
    if (result == NVTXW_RESULT_SUCCESS)
        memcpy(schemaIdsOut, ids, sizeof(ids));
    return result;
}

/* ---- Writing --------------------------------------------------------------------- */

#define RLN__NVTXW_ID(writer, member) ((writer) ? (writer)->schemaIds.member : 0)

/* Writes the part of `event` from `from` to `to`, and a text unless that is NULL. */
NVTX_INLINE_STATIC nvtxwResultCode_t
rln__nvtxw_write(const nvtxwEventWriter_t *writer, uint64_t schema,
                 const struct rln__nvtxw_event *event, size_t from, size_t to,
                 const char *text, size_t n_text)
{
    nvtxPayloadData_t payloads[2];

    if (!writer || !NVTXW_INTERFACE_HAS(writer->iface, EventWrite) || !writer->stream ||
        !schema || (text && !writer->schemaIds.eventMessageUtf8))
        return NVTXW_RESULT_INVALID_ARGUMENT;
    payloads[0].schemaId = schema;
    payloads[0].size = to - from;
    payloads[0].payload = NVTX_REINTERPRET_CAST(const char *, event) + from;
    payloads[1].schemaId = writer->schemaIds.eventMessageUtf8;
    payloads[1].size = n_text;
    payloads[1].payload = text;
    return writer->iface->EventWrite(writer->stream, payloads, text ? 2 : 1);
}

NVTX_INLINE_STATIC nvtxwResultCode_t rln__nvtxw_write_utf8(
    const nvtxwEventWriter_t *writer, uint64_t schema, size_t from, uint64_t before,
    int64_t time, const nvtxwEventAttributesUtf8_t *attr)
{
    const char *text = attr->message ? attr->message : "";
    size_t n = attr->messageLength;
    struct rln__nvtxw_event event;

    event.before = before;
    event.time = time;
    event.color = attr->color;
    event.category = attr->category;
    event.message = NVTX_NULLPTR;
    if (!attr->message || !n)
        n = strlen(text);
    /* An empty payload would be no payload. */
    return rln__nvtxw_write(writer, schema, &event, from, RLN__NVTXW_AT(message), text,
                            n ? n : 1);
}

NVTX_INLINE_STATIC nvtxwResultCode_t rln__nvtxw_write_registered(
    const nvtxwEventWriter_t *writer, uint64_t schema, size_t from, uint64_t before,
    int64_t time, const nvtxwEventAttributes_t *attr)
{
    struct rln__nvtxw_event event;

    memset(&event, 0, sizeof(event));
    event.before = before;
    event.time = time;
    event.color = attr->color;
    event.category = attr->category;
    event.message = attr->message;
    return rln__nvtxw_write(writer, schema, &event, from, sizeof(event), NVTX_NULLPTR,
                            0);
}

NVTX_INLINE_STATIC nvtxwResultCode_t
rln__nvtxw_write_end(const nvtxwEventWriter_t *writer, uint64_t schema, size_t from,
                     uint64_t before, int64_t time)
{
    struct rln__nvtxw_event event;

    memset(&event, 0, sizeof(event));
    event.before = before;
    event.time = time;
    return rln__nvtxw_write(writer, schema, &event, from, RLN__NVTXW_AT(color),
                            NVTX_NULLPTR, 0);
}

/** Writes a mark. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwMarkWriteUtf8(const nvtxwEventWriter_t *writer, int64_t timestamp,
                   nvtxwEventAttributesUtf8_t attr)
{
    return rln__nvtxw_write_utf8(writer, RLN__NVTXW_ID(writer, markUtf8),
                                 RLN__NVTXW_AT(time), 0, timestamp, &attr);
}

NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwMarkWrite(const nvtxwEventWriter_t *writer,
                                                    int64_t timestamp,
                                                    nvtxwEventAttributes_t attr)
{
    return rln__nvtxw_write_registered(writer, RLN__NVTXW_ID(writer, markRegString),
                                       RLN__NVTXW_AT(time), 0, timestamp, &attr);
}

/** Writes a whole push/pop range. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangePushPopWriteUtf8(const nvtxwEventWriter_t *writer, int64_t timestampBegin,
                           int64_t timestampEnd, nvtxwEventAttributesUtf8_t attr)
{
    return rln__nvtxw_write_utf8(
        writer, RLN__NVTXW_ID(writer, rangePushPopUtf8), RLN__NVTXW_AT(before),
        NVTX_STATIC_CAST(uint64_t, timestampEnd), timestampBegin, &attr);
}

NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangePushPopWrite(const nvtxwEventWriter_t *writer, int64_t timestampBegin,
                       int64_t timestampEnd, nvtxwEventAttributes_t attr)
{
    return rln__nvtxw_write_registered(
        writer, RLN__NVTXW_ID(writer, rangePushPopRegString), RLN__NVTXW_AT(before),
        NVTX_STATIC_CAST(uint64_t, timestampEnd), timestampBegin, &attr);
}

/** Writes a whole start/end range. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangeStartEndWriteUtf8(const nvtxwEventWriter_t *writer, int64_t timestampBegin,
                            int64_t timestampEnd, nvtxwEventAttributesUtf8_t attr)
{
    return rln__nvtxw_write_utf8(
        writer, RLN__NVTXW_ID(writer, rangeStartEndUtf8), RLN__NVTXW_AT(before),
        NVTX_STATIC_CAST(uint64_t, timestampEnd), timestampBegin, &attr);
}

NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangeStartEndWrite(const nvtxwEventWriter_t *writer, int64_t timestampBegin,
                        int64_t timestampEnd, nvtxwEventAttributes_t attr)
{
    return rln__nvtxw_write_registered(
        writer, RLN__NVTXW_ID(writer, rangeStartEndRegString), RLN__NVTXW_AT(before),
        NVTX_STATIC_CAST(uint64_t, timestampEnd), timestampBegin, &attr);
}

/** Writes the begin of a push/pop range. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangePushWriteUtf8(const nvtxwEventWriter_t *writer, int64_t timestamp,
                        nvtxwEventAttributesUtf8_t attr)
{
    return rln__nvtxw_write_utf8(writer, RLN__NVTXW_ID(writer, rangePushUtf8),
                                 RLN__NVTXW_AT(time), 0, timestamp, &attr);
}

NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwRangePushWrite(
    const nvtxwEventWriter_t *writer, int64_t timestamp, nvtxwEventAttributes_t attr)
{
    return rln__nvtxw_write_registered(writer,
                                       RLN__NVTXW_ID(writer, rangePushRegString),
                                       RLN__NVTXW_AT(time), 0, timestamp, &attr);
}

/** Writes the end of the stream's innermost push/pop range. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangePopWrite(const nvtxwEventWriter_t *writer, int64_t timestamp)
{
    return rln__nvtxw_write_end(writer, RLN__NVTXW_ID(writer, rangePop),
                                RLN__NVTXW_AT(time), 0, timestamp);
}

/** Writes the begin of a start/end range. The program chooses its id. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangeStartWriteUtf8(const nvtxwEventWriter_t *writer, int64_t timestamp,
                         nvtxRangeId_t rangeId, nvtxwEventAttributesUtf8_t attr)
{
    return rln__nvtxw_write_utf8(writer, RLN__NVTXW_ID(writer, rangeStartUtf8),
                                 RLN__NVTXW_AT(before), rangeId, timestamp, &attr);
}

NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwRangeStartWrite(const nvtxwEventWriter_t *writer, int64_t timestamp,
                     nvtxRangeId_t rangeId, nvtxwEventAttributes_t attr)
{
    return rln__nvtxw_write_registered(
        writer, RLN__NVTXW_ID(writer, rangeStartRegString), RLN__NVTXW_AT(before),
        rangeId, timestamp, &attr);
}

/** Writes the end of the start/end range with this id. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwRangeEndWrite(
    const nvtxwEventWriter_t *writer, int64_t timestamp, nvtxRangeId_t rangeId)
{
    return rln__nvtxw_write_end(writer, RLN__NVTXW_ID(writer, rangeEnd),
                                RLN__NVTXW_AT(before), rangeId, timestamp);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTXW_EVENT_HELPERS_API */
