/* SPDX-License-Identifier: Apache-2.0 */
/* says_deferred.c - submits deferred events, and relates their clocks. Times are in
 * whole microseconds, so that the distances in the trace can be compared. */
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <string.h>
#include <time.h>

#define TYPE(name) NVTX_PAYLOAD_ENTRY_TYPE_##name
#define FLAG(name) NVTX_PAYLOAD_ENTRY_FLAG_##name
#define SCHEMA(name) NVTX_PAYLOAD_SCHEMA_FLAG_##name
#if !defined(NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH) /* before 13.5 */
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH (5 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP (6 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_START (7 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_END (8 << 3)
#endif
#define MONOTONIC NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC

enum { OWN_CLOCK = NVTX_TIME_DOMAIN_ID_STATIC_START, SLOPED, UNTIED };

static nvtxDomainHandle_t domain;
static int64_t now_ns; /* of CLOCK_MONOTONIC; all events are before it */

struct range {
    int64_t begin, end;
    char name[8];
    int32_t n;
};

struct half {
    int64_t when;
    uint64_t range;
    char name[8];
};

static nvtxSemanticsTime_t of_clock(uint64_t clock)
{
    nvtxSemanticsTime_t s;

    memset(&s, 0, sizeof s);
    s.header.structSize = sizeof s;
    s.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
    s.header.version = NVTX_TIME_SEMANTIC_VERSION;
    s.timeDomainId = clock;
    return s;
}

static uint64_t schema(const char *name, uint64_t flags,
                       const nvtxPayloadSchemaEntry_t *entries, size_t n, size_t size)
{
    nvtxPayloadSchemaAttr_t a;

    memset(&a, 0, sizeof a);
    a.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    a.name = name;
    a.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    a.flags = flags;
    a.entries = entries;
    a.numEntries = n;
    a.payloadStaticSize = size;
    return nvtxPayloadSchemaRegister(domain, &a);
}

/* A range with both its times, of a clock. */
static uint64_t range_schema(uint64_t flags, uint64_t clock)
{
    const nvtxSemanticsTime_t time = of_clock(clock);
    const nvtxPayloadSchemaEntry_t entries[] = {
        {FLAG(TIMESTAMP) | FLAG(RANGE_BEGIN), TYPE(INT64), "begin", 0, 0, 0,
         &time.header, 0},
        {FLAG(TIMESTAMP) | FLAG(RANGE_END), TYPE(INT64), "end", 0, 0, 0, &time.header,
         0},
        {FLAG(EVENT_MESSAGE), TYPE(CSTRING), "name", 0, 8, 0, 0, 0},
        {0, TYPE(INT32), "n", 0, 0, 0, 0, 0},
    };

    return schema("range", flags, entries, 4, sizeof(struct range));
}

static uint64_t half_schema(uint64_t flags)
{
    const nvtxSemanticsTime_t time = of_clock(MONOTONIC);
    const nvtxPayloadSchemaEntry_t entries[] = {
        {FLAG(TIMESTAMP), TYPE(INT64), "when", 0, 0, 0, &time.header, 0},
        {0, 67 /* range id */, "range", 0, 0, 0, 0, 0},
        {FLAG(EVENT_MESSAGE), TYPE(CSTRING), "name", 0, 8, 0, 0, 0},
    };

    return schema("half", flags, entries, 3, sizeof(struct half));
}

static void submit(uint64_t id, const void *payload, size_t size)
{
    nvtxPayloadData_t data;

    data.schemaId = id;
    data.size = size;
    data.payload = payload;
    nvtxEventSubmit(domain, &data, 1);
}

static void say_range(uint64_t id, const char *name, int64_t begin, int64_t end)
{
    struct range r;

    memset(&r, 0, sizeof r);
    strncpy(r.name, name, sizeof r.name);
    r.begin = begin;
    r.end = end;
    r.n = 1;
    submit(id, &r, sizeof r);
}

static void say_half(uint64_t id, const char *name, int64_t when, uint64_t range)
{
    struct half h;

    memset(&h, 0, sizeof h);
    strncpy(h.name, name, sizeof h.name);
    h.when = when;
    h.range = range;
    submit(id, &h, sizeof h);
}

/* --- single events ---------------------------------------------------------------- */

static void say_events(void)
{
    const uint64_t push = half_schema(SCHEMA(RANGE_PUSH));
    const uint64_t pop = half_schema(SCHEMA(RANGE_POP));
    const uint64_t start = half_schema(SCHEMA(RANGE_START));
    const uint64_t end = half_schema(SCHEMA(RANGE_END));

    say_range(range_schema(SCHEMA(RANGE_PUSHPOP), MONOTONIC), "pushpop",
              now_ns - 900000, now_ns - 800000);
    say_range(range_schema(SCHEMA(RANGE_STARTEND), MONOTONIC), "startend",
              now_ns - 850000, now_ns - 750000);
    say_half(half_schema(SCHEMA(MARK)), "mark", now_ns - 790000, 0);
    say_half(push, "push", now_ns - 700000, 0);
    say_half(pop, "", now_ns - 600000, 0);
    say_half(end, "", now_ns - 650000, 7); /* its start comes later */
    say_half(start, "start", now_ns - 690000, 7);
}

/* --- clocks ----------------------------------------------------------------------- */

static int64_t own_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (t.tv_sec * INT64_C(1000000000) + t.tv_nsec) / 1000 + 5; /* microseconds */
}

static int64_t own_clock_with(void *data)
{
    return own_clock() + *(int64_t *)data;
}

static void say_clocks(void)
{
    static int64_t shift = 1000;
    nvtxTimeDomainAttr_t a;
    const nvtxSyncPoint_t points[] = {{0, now_ns - 500000}, {1000, now_ns - 400000}};

    memset(&a, 0, sizeof a);
    a.timeDomainId = OWN_CLOCK;
    a.timerResolution = 1000000;
    nvtxTimeDomainRegister(domain, &a);
    nvtxTimerSource(domain, OWN_CLOCK, 0, own_clock);
    a.timeDomainId = OWN_CLOCK + 10;
    nvtxTimeDomainRegister(domain, &a);
    nvtxTimerSourceWithData(domain, OWN_CLOCK + 10, 0, own_clock_with, &shift);
    a.timeDomainId = SLOPED;
    a.timerResolution = 0;
    nvtxTimeDomainRegister(domain, &a);
    /* 1,000 of its ticks are 100 us */
    nvtxTimeSyncPointTable(domain, SLOPED, MONOTONIC, points, 2);
    say_range(range_schema(SCHEMA(RANGE_PUSHPOP), SLOPED), "points", 100, 200);
    nvtxTimestampConversionFactor(domain, SLOPED + 20, MONOTONIC, 1000.0, 0,
                                  now_ns - 300000);
    say_range(range_schema(SCHEMA(RANGE_PUSHPOP), SLOPED + 20), "factor", 10, 30);
    a.timeDomainId = UNTIED;
    nvtxTimeDomainRegister(domain, &a);
    say_range(range_schema(SCHEMA(RANGE_PUSHPOP), UNTIED), "untied", 100, 200);
}

/* --- batches ---------------------------------------------------------------------- */

static void say_batches(void)
{
    struct range ranges[3];
    nvtxEventBatch_t b;

    memset(ranges, 0, sizeof ranges);
    for (int i = 0; i < 3; i++) {
        ranges[i].begin = now_ns - 200000 + 30000 * ((i + 1) % 3); /* unsorted */
        ranges[i].end = ranges[i].begin + 10000;
        ranges[i].name[0] = (char)('a' + i);
        ranges[i].n = i;
    }
    memset(&b, 0, sizeof b);
    b.eventSchemaId = range_schema(SCHEMA(RANGE_PUSHPOP), MONOTONIC);
    b.size = sizeof ranges;
    b.events = ranges;
    b.scope = NVTX_SCOPE_CURRENT_SW_PROCESS;
    b.flags = NVTX_BATCH_FLAG_UNSORTED;
    nvtxEventBatchSubmit(domain, &b);
}

int main(void)
{
    struct timespec t;

    domain = nvtxDomainCreateA("deferred");
    clock_gettime(CLOCK_MONOTONIC, &t);
    now_ns = t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
    say_events();
    say_clocks();
    say_batches();
    return 0;
}
