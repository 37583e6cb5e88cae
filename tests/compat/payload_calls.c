/* SPDX-License-Identifier: Apache-2.0 */
/* payload_calls.c - every call of the payload and counter extensions, in a fixed order.
 *
 * C90 and C++98, for any copy of these headers. Prints what each call returned.
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <stdio.h>
#include <string.h>

struct sample {
    int32_t i;
    float f;
    uint64_t u;
};

static const struct sample samples[2] = {{1, 0.5f, 7}, {-2, -4.0f, 8}};

static void say(const char *call, uint64_t value)
{
    printf("%s = 0x%08lx%08lx\n", call, (unsigned long)(value >> 32),
           (unsigned long)(value & 0xffffffffu));
}

static uint64_t schemas(nvtxDomainHandle_t domain)
{
    static const nvtxSemanticsScope_t scope = {
        {sizeof(nvtxSemanticsScope_t), NVTX_SEMANTIC_ID_SCOPE_V1, 1, NULL},
        NVTX_SCOPE_CURRENT_SW_THREAD};
    static const nvtxSemanticsTime_t time = {
        {sizeof(nvtxSemanticsTime_t), NVTX_SEMANTIC_ID_TIME_V1,
         NVTX_TIME_SEMANTIC_VERSION, &scope.header},
        NVTX_TIMESTAMP_TYPE_CPU_TSC};
    static const nvtxPayloadEnum_t colors[] = {{"red", 1, 0}, {"any", 255, 1}};
    nvtxPayloadSchemaEntry_t entries[3];
    nvtxPayloadSchemaAttr_t schema;
    nvtxPayloadEnumAttr_t names;
    nvtxScopeAttr_t place;
    uint64_t id;

    printf("# schemas\n");
    memset(entries, 0, sizeof(entries));
    entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
    entries[0].name = "i";
    entries[0].description = "an integer";
    entries[1].flags =
        NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE | NVTX_PAYLOAD_ENTRY_FLAG_HIDE;
    entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_FLOAT;
    entries[1].name = "f";
    entries[1].arrayOrUnionDetail = 1;
    entries[1].offset = 4;
    entries[2].flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
    entries[2].type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64;
    entries[2].name = "u";
    entries[2].offset = 8;
    entries[2].semantics = &time.header;

    memset(&schema, 0, sizeof(schema));
    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.name = "sample";
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
    schema.entries = entries;
    schema.numEntries = 3;
    schema.payloadStaticSize = sizeof(struct sample);
    id = nvtxPayloadSchemaRegister(domain, &schema);
    say("nvtxPayloadSchemaRegister", id);
    schema.schemaId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
    say("nvtxPayloadSchemaRegister (static)",
        nvtxPayloadSchemaRegister(domain, &schema));
    say("nvtxPayloadSchemaRegister (NULL)", nvtxPayloadSchemaRegister(NULL, NULL));

    memset(&names, 0, sizeof(names));
    names.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES;
    names.name = "colors";
    names.entries = colors;
    names.numEntries = 2;
    names.sizeOfEnum = sizeof(int);
    say("nvtxPayloadEnumRegister", nvtxPayloadEnumRegister(domain, &names));
    say("nvtxPayloadEnumRegister (NULL)", nvtxPayloadEnumRegister(NULL, NULL));

    memset(&place, 0, sizeof(place));
    place.structSize = sizeof(place);
    place.path = "GPU[CUDAID:0]/copy";
    place.parentScope = NVTX_SCOPE_CURRENT_HW_MACHINE;
    say("nvtxScopeRegister", nvtxScopeRegister(domain, &place));
    say("nvtxScopeRegister (NULL)", nvtxScopeRegister(NULL, NULL));
    return id;
}

static void events(nvtxDomainHandle_t domain, uint64_t schema)
{
    nvtxPayloadData_t data[2];
    nvtxEventAttributes_t a;
    nvtxRangeId_t id;

    printf("# events\n");
    data[0].schemaId = schema;
    data[0].size = sizeof(samples[0]);
    data[0].payload = &samples[0];
    data[1].schemaId = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING;
    data[1].size = (size_t)-1;
    data[1].payload = "text";
    nvtxMarkPayload(domain, data, 2);
    nvtxMarkPayload(NULL, NULL, 0);
    say("nvtxRangePushPayload", (uint64_t)nvtxRangePushPayload(domain, data, 1));
    say("nvtxRangePushPayload (2)", (uint64_t)nvtxRangePushPayload(domain, data, 2));
    say("nvtxRangePopPayload", (uint64_t)nvtxRangePopPayload(domain, data + 1, 1));
    say("nvtxRangePopPayload (NULL)", (uint64_t)nvtxRangePopPayload(domain, NULL, 0));
    id = nvtxRangeStartPayload(domain, data, 2);
    say("nvtxRangeStartPayload", id);
    nvtxRangeEndPayload(domain, id, data, 1);
    nvtxRangeEndPayload(NULL, 0, NULL, 0);
    say("nvtxDomainIsEnabled", nvtxDomainIsEnabled(domain));
    say("nvtxDomainIsEnabled (NULL)", nvtxDomainIsEnabled(NULL));

    memset(&a, 0, sizeof(a));
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    NVTX_PAYLOAD_EVTATTR_SET_DATA(a, &data[0], schema, &samples[1], sizeof(samples[1]))
    say("reserved0", (uint64_t)a.reserved0);
    say("payloadType", (uint64_t)(uint32_t)a.payloadType);
    say("payload is set", a.payload.ullValue == (uint64_t)(uintptr_t)&data[0]);
    NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE(a, data)
    say("reserved0", (uint64_t)a.reserved0);
    nvtxPayloadRangePush(domain, &a, schema, &samples[0], sizeof(samples[0]));
    nvtxDomainRangePop(domain);
    nvtxPayloadMark(domain, &a, schema, &samples[0], sizeof(samples[0]));
    say("reserved0", (uint64_t)a.reserved0);
}

static int64_t now(void)
{
    return 77;
}

static int64_t now_at(void *data)
{
    return *(const int64_t *)data;
}

static void times(nvtxDomainHandle_t domain, uint64_t schema)
{
    static const nvtxSyncPoint_t points[2] = {{1, -1}, {20, 200}};
    static const char flexible[] = "flexible";
    int64_t data = 78;
    nvtxTimeDomainAttr_t time;
    nvtxPayloadData_t payload;
    nvtxEventBatch_t batch;
    uint64_t id;

    printf("# time\n");
    say("nvtxTimestampGet", (uint64_t)nvtxTimestampGet());
    memset(&time, 0, sizeof(time));
    time.scopeId = NVTX_SCOPE_CURRENT_HW_SOCKET;
    time.timestampTypeId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_BOOTTIME;
    time.timerFlags = NVTX_TIMER_FLAG_CLOCK_MONOTONIC | NVTX_TIMER_FLAG_CLOCK_STEADY;
    time.timerResolution = 1000000000;
    time.timerStart = NVTX_TIMER_START_SYSTEM_BOOT;
    id = nvtxTimeDomainRegister(domain, &time);
    say("nvtxTimeDomainRegister", id);
    say("nvtxTimeDomainRegister (NULL)", nvtxTimeDomainRegister(NULL, NULL));
    nvtxTimerSource(domain, id, NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN,
                    now);
    nvtxTimerSource(NULL, 0, 0, NULL);
    nvtxTimerSourceWithData(domain, id,
                            NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN,
                            now_at, &data);
    nvtxTimeSyncPoint(domain, id, NVTX_TIMESTAMP_TYPE_CPU_TSC, -5, 6);
    nvtxTimeSyncPointTable(domain, id, NVTX_TIMESTAMP_TYPE_CPU_TSC, points, 2);
    nvtxTimeSyncPointTable(NULL, 1, 2, NULL, 0);
    nvtxTimestampConversionFactor(domain, id, NVTX_TIMESTAMP_TYPE_CPU_TSC, 2.5, 3, 4);

    payload.schemaId = schema;
    payload.size = sizeof(samples[1]);
    payload.payload = &samples[1];
    nvtxEventSubmit(domain, &payload, 1);
    nvtxEventSubmit(NULL, NULL, 0);
    memset(&batch, 0, sizeof(batch));
    batch.eventSchemaId = schema;
    batch.size = sizeof(samples);
    batch.events = samples;
    batch.scope = NVTX_SCOPE_CURRENT_SW_PROCESS;
    batch.flags = NVTX_BATCH_FLAG_UNSORTED;
    batch.flexData = flexible;
    batch.flexDataSize = sizeof(flexible);
    batch.flexDataOffset = 4;
    nvtxEventBatchSubmit(domain, &batch);
    nvtxEventBatchSubmit(NULL, NULL);
}

static void counters(nvtxDomainHandle_t domain, uint64_t schema)
{
    static const int64_t when[2] = {100, 200};
    nvtxSemanticsCounter_t semantics;
    nvtxCounterAttr_t a;
    nvtxCounterBatch_t batch;
    uint64_t id;

    printf("# counters\n");
    memset(&semantics, 0, sizeof(semantics));
    semantics.header.structSize = sizeof(semantics);
    semantics.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
    semantics.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
    semantics.flags = NVTX_COUNTER_FLAG_LIMITS | NVTX_COUNTER_FLAG_VALUETYPE_DELTA |
                      NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR;
    semantics.unit = "bytes";
    semantics.unitScaleNumerator = 1024;
    semantics.unitScaleDenominator = 1;
    semantics.limitType = NVTX_COUNTER_LIMIT_F64;
    semantics.min.f64 = -1.5;
    semantics.max.f64 = 1e9;

    memset(&a, 0, sizeof(a));
    a.structSize = sizeof(a);
    a.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
    a.name = "counter";
    a.description = "what it counts";
    a.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
    a.semantics = &semantics.header;
    id = nvtxCounterRegister(domain, &a);
    say("nvtxCounterRegister", id);
    a.schemaId = schema;
    a.counterId = NVTX_COUNTER_ID_STATIC_START + 5;
    say("nvtxCounterRegister (static)", nvtxCounterRegister(domain, &a));
    say("nvtxCounterRegister (NULL)", nvtxCounterRegister(NULL, NULL));

    nvtxCounterSampleInt64(domain, id, -(((int64_t)5) << 40));
    nvtxCounterSampleFloat64(domain, id, 0.1);
    nvtxCounterSample(domain, id, &samples[0], sizeof(samples[0]));
    nvtxCounterSample(NULL, NVTX_COUNTER_ID_NONE, NULL, 0);
    nvtxCounterSampleNoValue(domain, id, NVTX_COUNTER_SAMPLE_ZERO);
    nvtxCounterSampleNoValue(domain, id, NVTX_COUNTER_SAMPLE_UNAVAILABLE);

    memset(&batch, 0, sizeof(batch));
    batch.counterId = id;
    batch.counters = samples;
    batch.countersSize = sizeof(samples);
    batch.flags = NVTX_BATCH_FLAG_TIME_SORTED_PARTIALLY;
    batch.timestamps = when;
    batch.timestampsSize = sizeof(when);
    nvtxCounterBatchSubmit(domain, &batch);
    nvtxCounterBatchSubmit(NULL, NULL);
}

int main(void)
{
    nvtxDomainHandle_t domain;
    uint64_t schema;

    /* The very first call is one of an extension. */
    say("nvtxDomainIsEnabled (first)", nvtxDomainIsEnabled(NULL));
    domain = nvtxDomainCreateA("domain");
    schema = schemas(domain);
    events(domain, schema);
    times(domain, schema);
    counters(domain, schema);
    printf("# done\n");
    return 0;
}
