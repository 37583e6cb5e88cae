/* SPDX-License-Identifier: Apache-2.0 */
/* writer_calls.c - the calls of an NVTXW writer that Python's package does not make:
 * enums, resources, clocks of its own, and how these relate to another clock.
 *
 * Each clock has a stream with one range from 1,000 to 2,000 of its ticks. Exits with 1
 * if a call's result is not the expected one.
 */
#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <nvtxw3/nvtxw3.h>

int32_t nvtxwGetInterface(int32_t version, const void **out);
void nvtxwFinalize(void);

#define MONOTONIC NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC
#define EXPECT(condition)                                                              \
    do {                                                                               \
        if (!(condition)) {                                                            \
            (void)fprintf(stderr, "line %d: not %s\n", __LINE__, #condition);          \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

struct step {
    int64_t begin, end;
    int32_t color;
    char name[12];
};

static const nvtxwInterface_t *writer;
static nvtxwSessionHandle_t session;
static nvtxDomainHandle_t domain;

static uint64_t register_color(void)
{
    static const nvtxPayloadEnum_t values[] = {{.name = "red", .value = 1},
                                               {.name = "blue", .value = 2}};
    const nvtxPayloadEnumAttr_t attributes = {
        .fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME |
                     NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE,
        .name = "color",
        .entries = values,
        .numEntries = 2,
        .sizeOfEnum = sizeof(int32_t),
    };
    uint64_t id = 0;

    EXPECT(writer->EnumRegister(domain, &attributes, &id) == NVTXW_RESULT_SUCCESS &&
           id);
    return id;
}

static uint64_t register_step(uint64_t color)
{
    const nvtxPayloadSchemaEntry_t entries[] = {
        {.flags =
             NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP | NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
         .name = "begin"},
        {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP | NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
         .name = "end"},
        {.type = color, .name = "color"},
        {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
         .name = "name",
         .arrayOrUnionDetail = 12},
    };
    const nvtxPayloadSchemaAttr_t attributes = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .flags = NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP,
        .entries = entries,
        .numEntries = 4,
        .payloadStaticSize = sizeof(struct step),
    };
    uint64_t id = 0;

    EXPECT(writer->SchemaRegister(domain, &attributes, &id) == NVTXW_RESULT_SUCCESS &&
           id);
    return id;
}

static uint64_t register_clock(void)
{
    const nvtxTimeDomainAttr_t attributes = {
        .scopeId = NVTX_SCOPE_NONE,
        .timestampTypeId = NVTX_TIMESTAMP_TYPE_NONE,
        .timerResolution = 1000000000,
    };
    uint64_t id = 0;

    EXPECT(writer->TimeDomainRegister(domain, &attributes, &id) ==
               NVTXW_RESULT_SUCCESS &&
           id);
    return id;
}

/* A stream whose name is part of a path. */
static nvtxwStreamHandle_t open_stream(const char *name, uint64_t clock)
{
    const nvtxwStreamAttributes_t attributes = {
        .structSize = sizeof(attributes),
        .name = name,
        .domain = domain,
        .timeDomainId = clock,
    };
    nvtxwStreamHandle_t stream = NULL;

    EXPECT(writer->StreamOpen(session, &attributes, &stream) == NVTXW_RESULT_SUCCESS &&
           stream);
    return stream;
}

static void write_step(nvtxwStreamHandle_t stream, uint64_t schema, int32_t color,
                       const char *name)
{
    struct step step = {.begin = 1000, .end = 2000, .color = color};
    const nvtxPayloadData_t payload = {schema, sizeof(step), &step};
    nvtxPayloadData_t many[17];

    (void)strcpy(step.name, name);
    EXPECT(writer->EventWrite(stream, &payload, 1) == NVTXW_RESULT_SUCCESS);
    for (size_t i = 0; i < 17; i++)
        many[i] = payload;
    EXPECT(writer->EventWrite(stream, many, 17) == NVTXW_RESULT_INVALID_ARGUMENT);
}

static void begin(void)
{
    const nvtxwSessionAttributes_t attributes = {.structSize = sizeof(attributes),
                                                 .name = "calls/100%",
                                                 .configString = "other=x\n"};
    const nvtxwDomainAttributes_t named = {.structSize = sizeof(named),
                                           .name = "imported"};
    const void *found = "";

    EXPECT(nvtxwGetInterface(1, &found) ==
               NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED &&
           !found);
    EXPECT(nvtxwGetInterface(NVTXW_INTERFACE_VERSION, &found) == NVTXW_RESULT_SUCCESS);
    writer = found;
    EXPECT(writer->SessionBegin(&attributes, &session) == NVTXW_RESULT_SUCCESS);
    EXPECT(writer->DomainRegister(session, &named, &domain) == NVTXW_RESULT_SUCCESS);
}

static void name_resource(void)
{
    const nvtxResourceAttributes_t attributes = {
        .version = NVTX_VERSION,
        .size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE,
        .identifierType = NVTX_RESOURCE_TYPE_GENERIC_HANDLE,
        .identifier.ullValue = 7,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = "queue",
    };

    EXPECT(writer->ResourceRegister(domain, &attributes) == NVTXW_RESULT_SUCCESS);
}

/* Ticks of the second clock take two nanoseconds, those of the third one three. */
static void write_clocks(uint64_t schema)
{
    struct timespec ts;
    int64_t now_ns;
    nvtxwStreamHandle_t streams[3];
    uint64_t clocks[3];

    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    now_ns = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
    for (size_t i = 0; i < 3; i++)
        clocks[i] = register_clock();
    streams[0] = open_stream("point", clocks[0]);
    streams[1] = open_stream("ta/ble", clocks[1]);
    streams[2] = open_stream("slope", clocks[2]);
    {
        const nvtxSyncPoint_t points[] = {{0, now_ns},
                                          {1000000000, now_ns + 2000000000}};

        EXPECT(
            !writer->TimeSyncPointWrite(streams[0], clocks[0], MONOTONIC, 0, now_ns));
        EXPECT(!writer->TimeSyncPointTableWrite(streams[1], clocks[1], MONOTONIC,
                                                points, 2));
        EXPECT(!writer->TimestampConversionFactorWrite(streams[2], clocks[2], MONOTONIC,
                                                       3, 0, now_ns));
    }
    write_step(streams[0], schema, 1, "by point");
    write_step(streams[1], schema, 2, "by table");
    write_step(streams[2], schema, 3, "by slope");
    for (size_t i = 0; i < 3; i++)
        EXPECT(writer->StreamClose(streams[i]) == NVTXW_RESULT_SUCCESS);
}

int main(void)
{
    begin();
    name_resource();
    write_clocks(register_step(register_color()));
    EXPECT(writer->SessionEnd(session) == NVTXW_RESULT_SUCCESS);
    nvtxwFinalize();
    return 0;
}
