/* SPDX-License-Identifier: Apache-2.0 */
/* says_counters.c - uses every construct of NVTX's counter extension once. */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <stddef.h>
#include <string.h>

#define FIRST NVTX_COUNTER_ID_STATIC_START
/* NVTX_COUNTER_BATCH_FLAG_..._INTERVAL_PAIR; NVIDIA's shift an int too far. */
#define BEGIN_INTERVAL (UINT64_C(1) << 32)
#define END_INTERVAL (UINT64_C(2) << 32)

static nvtxDomainHandle_t domain;

static nvtxCounterAttr_t attributes(const char *name, uint64_t type)
{
    nvtxCounterAttr_t a;

    memset(&a, 0, sizeof a);
    a.structSize = sizeof a;
    a.schemaId = type;
    a.name = name;
    return a;
}

static nvtxSemanticsCounter_t semantics(uint64_t flags, const char *unit)
{
    nvtxSemanticsCounter_t s;

    memset(&s, 0, sizeof s);
    s.header.structSize = sizeof s;
    s.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
    s.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
    s.flags = flags;
    s.unit = unit;
    s.unitScaleNumerator = s.unitScaleDenominator = 1;
    return s;
}

/* --- one value -------------------------------------------------------------------- */

static void say_scalars(void)
{
    nvtxCounterAttr_t a = attributes("queued", NVTX_PAYLOAD_ENTRY_TYPE_INT64);
    nvtxSemanticsCounter_t s = semantics(
        NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE |
            NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT | NVTX_COUNTER_FLAG_LIMITS,
        "requests");
    const uint16_t small = 65535;
    uint64_t queued, load, big;

    a.description = "requests that wait";
    a.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
    s.limitType = NVTX_COUNTER_LIMIT_I64;
    s.max.i64 = 100;
    a.semantics = &s.header;
    queued = nvtxCounterRegister(domain, &a);
    nvtxCounterSampleInt64(domain, queued, 3);
    nvtxCounterSampleInt64(domain, queued, -4);
    nvtxCounterSampleNoValue(domain, queued, NVTX_COUNTER_SAMPLE_ZERO);
    nvtxCounterSampleNoValue(domain, queued, NVTX_COUNTER_SAMPLE_UNCHANGED);
    nvtxCounterSampleNoValue(domain, queued, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
    nvtxCounterSampleNoValue(domain, queued, 77);

    a = attributes("load", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE);
    load = nvtxCounterRegister(domain, &a);
    nvtxCounterSampleFloat64(domain, load, 0.5);
    nvtxCounterSampleFloat64(domain, load, -1e300);

    a = attributes("big", NVTX_PAYLOAD_ENTRY_TYPE_UINT64);
    s = semantics(NVTX_COUNTER_FLAG_VALUETYPE_DELTA |
                      NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST,
                  "bytes");
    s.unitScaleNumerator = 1024;
    a.semantics = &s.header;
    big = nvtxCounterRegister(domain, &a);
    nvtxCounterSampleInt64(domain, big, -1); /* of its type: 2^64 - 1 */

    /* An id chosen by the program, used before it is registered, and by reference. */
    nvtxCounterSampleInt64(domain, FIRST + 1, 1);
    a = attributes("small", NVTX_PAYLOAD_ENTRY_TYPE_UINT16);
    a.counterId = FIRST + 1;
    s = semantics(NVTX_COUNTER_FLAG_NORMALIZE, NULL);
    a.semantics = &s.header;
    nvtxCounterRegister(domain, &a);
    nvtxCounterSample(domain, FIRST + 1, &small, sizeof small);
    nvtxCounterSampleInt64(domain, FIRST + 2, 5); /* never registered */
    nvtxCounterSampleInt64(NULL, FIRST + 1, 6);   /* of another domain */
}

/* --- groups ----------------------------------------------------------------------- */

struct disk {
    uint64_t read;
    uint32_t queue;
    float busy;
};

static uint64_t group(void)
{
    static nvtxSemanticsCounter_t bytes, percent;
    nvtxPayloadSchemaEntry_t entries[3];
    nvtxPayloadSchemaAttr_t schema;
    nvtxCounterAttr_t a;

    bytes = semantics(NVTX_COUNTER_FLAG_VALUETYPE_DELTA_SINCE_START, "bytes");
    percent = semantics(NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR, "%");
    memset(entries, 0, sizeof entries);
    entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64;
    entries[0].name = "read";
    entries[0].semantics = &bytes.header;
    entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_UINT32;
    entries[1].name = "queue";
    entries[1].offset = offsetof(struct disk, queue);
    entries[2].type = NVTX_PAYLOAD_ENTRY_TYPE_FLOAT;
    entries[2].name = "busy";
    entries[2].offset = offsetof(struct disk, busy);
    entries[2].semantics = &percent.header;
    memset(&schema, 0, sizeof schema);
    schema.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.name = "disk";
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
    schema.entries = entries;
    schema.numEntries = 3;
    schema.payloadStaticSize = sizeof(struct disk);
    a = attributes("disk", nvtxPayloadSchemaRegister(domain, &schema));
    return nvtxCounterRegister(domain, &a);
}

/* A group whose samples contain their time, which is no counter. */
static void say_group_with_time(void)
{
    struct row {
        int64_t when;
        int32_t n;
        int32_t unused;
    } row = {1, 5, 0};
    nvtxPayloadSchemaEntry_t entries[2];
    nvtxPayloadSchemaAttr_t schema;
    nvtxCounterAttr_t a;

    memset(entries, 0, sizeof entries);
    entries[0].flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
    entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
    entries[0].name = "when";
    entries[1].flags = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER;
    entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
    entries[1].name = "n";
    entries[1].offset = sizeof row.when;
    memset(&schema, 0, sizeof schema);
    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
    schema.entries = entries;
    schema.numEntries = 2;
    schema.payloadStaticSize = sizeof row;
    memset(&a, 0, sizeof a);
    a.structSize = sizeof a;
    a.name = "timed";
    a.schemaId = nvtxPayloadSchemaRegister(domain, &schema);
    nvtxCounterSample(domain, nvtxCounterRegister(domain, &a), &row, sizeof row);
}

static void say_groups(void)
{
    const uint64_t disk = group();
    struct disk d = {4096, 3, 12.5f};

    nvtxCounterSample(domain, disk, &d, sizeof d);
    d.read = 8192, d.queue = 0, d.busy = 0;
    nvtxCounterSample(domain, disk, &d, sizeof d);
    nvtxCounterSample(domain, disk, &d, 4); /* too short */
    nvtxCounterSampleNoValue(domain, disk, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
}

/* --- batches ---------------------------------------------------------------------- */

static void say_batches(void)
{
    nvtxCounterAttr_t a = attributes("temperature", NVTX_PAYLOAD_ENTRY_TYPE_INT32);
    const int64_t now = nvtxTimestampGet();
    const int64_t times[] = {now - 9000000000, now - 8000000000, now - 7000000000};
    const int64_t begin[] = {now - 6000000000, 1000000000};
    const int64_t end[] = {now - 1000000000, 1000000000};
    const int32_t values[] = {20, 21, 22};
    nvtxCounterBatch_t b;

    memset(&b, 0, sizeof b);
    b.counterId = nvtxCounterRegister(domain, &a);
    b.counters = values;
    b.countersSize = sizeof values;
    b.timestamps = times;
    b.timestampsSize = sizeof times;
    nvtxCounterBatchSubmit(domain, &b);
    b.timestamps = begin;
    b.timestampsSize = sizeof begin;
    b.flags = BEGIN_INTERVAL;
    nvtxCounterBatchSubmit(domain, &b);
    b.timestamps = end;
    b.flags = END_INTERVAL;
    nvtxCounterBatchSubmit(domain, &b);
}

int main(void)
{
    domain = nvtxDomainCreateA("counters");
    nvtxDomainMarkEx(domain, NULL);
    say_scalars();
    say_groups();
    say_group_with_time();
    say_batches();
    return 0;
}
