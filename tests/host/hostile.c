/* SPDX-License-Identifier: Apache-2.0 */
/* hostile.c - programs that pass invalid data to extensions: schemas that contradict
 * each other, are cyclic, truncated or unterminated; wrong sizes and pointers. The
 * process must survive all of it. */
#include "host.h"

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtx3/nvToolsExtSync.h>

#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum {
    STATIC_ID = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START,
    ALL_FIELDS = 0x3fe,
    DEEP = NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
};

static char *edge;       /* memory from here on is not readable */
static const char *wild; /* not readable at all */
static nvtxDomainHandle_t domain;

static void begin(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = mmap(NULL, 34 * page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(at != MAP_FAILED && mprotect(at + 32 * page, 2 * page, PROT_NONE) == 0);
    edge = at + 32 * page;
    wild = edge + page / 2;
    domain = nvtxDomainCreateA("hostile");
    mark();
}

static uint64_t register_schema(uint64_t id, uint64_t type, uint64_t flags,
                                const nvtxPayloadSchemaEntry_t *entries, size_t n,
                                size_t size)
{
    const nvtxPayloadSchemaAttr_t schema = {
        .fieldMask = ALL_FIELDS,
        .name = "schema",
        .type = type,
        .flags = flags,
        .entries = entries,
        .numEntries = n,
        .payloadStaticSize = size,
        .schemaId = id,
    };

    return nvtxPayloadSchemaRegister(domain, &schema);
}

/* Every kind of event with this payload. */
static void pass(uint64_t schema, const void *payload, size_t size)
{
    const nvtxPayloadData_t data = {schema, size, payload};
    nvtxEventAttributes_t event = {0};
    nvtxRangeId_t range;

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "event";
    event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    event.reserved0 = 1;
    event.payload.ullValue = (uintptr_t)&data;
    nvtxDomainMarkEx(domain, &event);
    CHECK(nvtxDomainRangePushEx(domain, &event) == 0);
    CHECK(nvtxRangePushPayload(domain, &data, 1) == 1);
    nvtxMarkPayload(domain, &data, 1);
    CHECK(nvtxRangePopPayload(domain, &data, 1) == 1);
    CHECK(nvtxDomainRangePop(domain) == 0);
    range = nvtxRangeStartPayload(domain, &data, 1);
    nvtxRangeEndPayload(domain, range, &data, 1);
    nvtxEventSubmit(domain, &data, 1);
    nvtxCounterSample(domain, STATIC_ID + 7, payload, size);
    mark();
}

/* --- sizes ------------------------------------------------------------------------ */

static int wrong_sizes(void)
{
    static const size_t wrong[] = {
        0,          1,
        7,          8,
        17,         255,
        256,        257,
        4096,       65535,
        65536,      65537,
        1 << 20,    SIZE_MAX / 2,
        SIZE_MAX,   SIZE_MAX - 1,
        UINT32_MAX, 1ull << 32,
        INT64_MAX,
    };

    begin();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (size_t room = 1; room <= 25; room += 8) {
            pass(NVTX_PAYLOAD_ENTRY_TYPE_INT64, edge - room, wrong[i]);
            pass(NVTX_TYPE_PAYLOAD_SCHEMA_RAW, edge - 8192 - room, wrong[i]);
            pass(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, edge - 1 - room, wrong[i]);
            pass(STATIC_ID + 1234, edge - 8 - room, wrong[i]); /* never registered */
            pass(UINT64_MAX, edge - 8 - room, wrong[i]);
        }
        pass(NVTX_PAYLOAD_ENTRY_TYPE_INT64, NULL, wrong[i]);
    }
    return 0;
}

/* A number of payloads that is not the length of the array. */
static int wrong_counts(void)
{
    static const size_t wrong[] = {0, 2, 5, 300, 65536, SIZE_MAX};
    nvtxPayloadData_t *data = (nvtxPayloadData_t *)(void *)edge;
    nvtxEventAttributes_t event = {0};

    begin();
    data = (nvtxPayloadData_t *)(void *)edge - 5;
    for (int i = 0; i < 5; i++)
        data[i] = (nvtxPayloadData_t){NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8, edge - 8};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        nvtxMarkPayload(domain, data, wrong[i]);
        nvtxMarkPayload(domain, NULL, wrong[i]);
        CHECK(nvtxRangePushPayload(domain, data, wrong[i]) == 0);
        CHECK(nvtxRangePopPayload(domain, NULL, wrong[i]) == 0);
        nvtxEventSubmit(domain, data, wrong[i]);
        event.payload.ullValue = (uintptr_t)data;
        event.reserved0 = (int32_t)wrong[i];
        nvtxDomainMarkEx(domain, &event);
        event.payload.ullValue = 0;
        nvtxDomainMarkEx(domain, &event);
        mark();
    }
    event.reserved0 = INT_MIN;
    event.payload.ullValue = (uintptr_t)data;
    nvtxDomainMarkEx(domain, &event);
    mark();
    return 0;
}

/* --- addresses -------------------------------------------------------------------- */

/* Every kind of event with `n` payloads of this array. */
static void pass_array(const nvtxPayloadData_t *data, size_t n)
{
    nvtxEventAttributes_t event = {0};
    nvtxRangeId_t range;

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, "event");
    event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    event.reserved0 = (int32_t)n;
    event.payload.ullValue = (uintptr_t)data;
    nvtxDomainMarkEx(domain, &event);
    CHECK(nvtxDomainRangePushEx(domain, &event) == 0);
    CHECK(nvtxDomainRangePop(domain) == 0);
    nvtxMarkPayload(domain, data, n);
    CHECK(nvtxRangePushPayload(domain, data, n) == 0);
    CHECK(nvtxRangePopPayload(domain, data, n) == 0);
    range = nvtxRangeStartPayload(domain, data, n);
    nvtxRangeEndPayload(domain, range, data, n);
    nvtxEventSubmit(domain, data, n);
    mark();
}

/* Invalid addresses follow valid ones, so that a first successful call proves nothing:
 * arrays of payloads that end with the memory, or are not readable, and payloads that
 * are not readable. */
static int wild_addresses(void)
{
    nvtxPayloadData_t *last;

    begin();
    last = (nvtxPayloadData_t *)(void *)edge - 1;
    *last = (nvtxPayloadData_t){NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8, edge - 8};
    for (size_t i = 0; i < 4; i++) {
        for (size_t n = 1; n <= 8; n++) {
            const nvtxPayloadData_t lost = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8 * n, wild};

            pass_array(last, n);
            pass_array((const nvtxPayloadData_t *)(const void *)wild, n);
            pass_array((const nvtxPayloadData_t *)(uintptr_t)(16 * n), n);
            pass_array(&lost, 1);
            pass(NVTX_PAYLOAD_ENTRY_TYPE_INT64, edge - 8 * n, 8 * n);
            pass(NVTX_PAYLOAD_ENTRY_TYPE_INT64, wild, 8 * n);
            pass(NVTX_PAYLOAD_ENTRY_TYPE_INT64, edge - 4, 8 * n);
            pass(NVTX_PAYLOAD_ENTRY_TYPE_INT64, (const void *)(8 * n), 8 * n);
            pass(NVTX_PAYLOAD_ENTRY_TYPE_INT64, (const void *)(n << 60), 8 * n);
        }
    }
    return 0;
}

/* --- schemas ---------------------------------------------------------------------- */

/* Entries that end where memory does, and invalid names. */
static int truncated_schemas(void)
{
    nvtxPayloadSchemaEntry_t *entries;
    nvtxPayloadEnum_t *values;
    nvtxPayloadSchemaAttr_t *schema;
    nvtxPayloadEnumAttr_t values_of = {.fieldMask = ALL_FIELDS, .sizeOfEnum = 4};

    begin();
    entries = (nvtxPayloadSchemaEntry_t *)(void *)edge - 3;
    values = (nvtxPayloadEnum_t *)(void *)edge - 3;
    schema = (nvtxPayloadSchemaAttr_t *)(void *)(edge - 16);
    for (int i = 0; i < 3; i++)
        entries[i] = (nvtxPayloadSchemaEntry_t){
            .type = NVTX_PAYLOAD_ENTRY_TYPE_INT32,
            .name = i == 1 ? wild : "field",
            .description = i == 2 ? edge - 1 : NULL,
            .semantics = (const void *)(i ? wild : NULL),
        };
    edge[-1] = 'x'; /* a text that never ends */
    for (size_t n = 2; n < SIZE_MAX / 3; n *= 3) {
        CHECK(register_schema(0, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 0, entries, n, 12));
        CHECK(register_schema(STATIC_ID, 1, 2, entries, n, 12) == STATIC_ID);
        values_of.entries = values;
        values_of.numEntries = n;
        values_of.name = wild;
        CHECK(nvtxPayloadEnumRegister(domain, &values_of) != 0);
        pass(STATIC_ID, edge - 24, 12);
        mark();
    }
    CHECK(register_schema(0, 1, 0, (const void *)wild, 5, 12) != 0);
    CHECK(nvtxPayloadSchemaRegister(domain, NULL) == 0);
    CHECK(nvtxPayloadSchemaRegister(domain, schema) == 0);
    CHECK(nvtxPayloadSchemaRegister(domain, (const void *)wild) == 0);
    CHECK(nvtxPayloadEnumRegister(domain, NULL) == 0);
    CHECK(nvtxPayloadEnumRegister(domain, (const void *)wild) == 0);
    CHECK(nvtxCounterRegister(domain, (const void *)wild) == 0);
    CHECK(nvtxCounterRegister(domain, NULL) == 0);
    CHECK(nvtxScopeRegister(domain, (const void *)wild) == 0);
    CHECK(nvtxTimeDomainRegister(domain, (const void *)wild) == 0);
    nvtxTimeSyncPointTable(domain, 1, 2, (const void *)(edge - 24), 1 << 20);
    nvtxTimeSyncPointTable(domain, 1, 2, (const void *)wild, SIZE_MAX);
    nvtxEventBatchSubmit(domain, (const void *)wild);
    nvtxEventBatchSubmit(domain, NULL);
    nvtxCounterBatchSubmit(domain, NULL);
    nvtxCounterBatchSubmit(domain, (const void *)wild);
    nvtxTimerSource(domain, 1, 0, NULL);
    mark();
    return 0;
}

/* The same id has a different meaning each time. */
static int contradictory_schemas(void)
{
    nvtxPayloadSchemaEntry_t entries[3] = {{0}};
    nvtxPayloadEnum_t value = {"value", 1, 0};
    nvtxPayloadEnumAttr_t values_of = {.fieldMask = ALL_FIELDS,
                                       .entries = &value,
                                       .numEntries = 1,
                                       .schemaId = STATIC_ID};

    begin();
    for (unsigned i = 0; i < 4000; i++) {
        for (int k = 0; k < 3; k++) {
            entries[k].flags = (uint64_t)rand() & 0xffff;
            entries[k].type =
                i % 3 ? (uint64_t)rand() % 130 : STATIC_ID + (uint64_t)rand() % 3;
            entries[k].arrayOrUnionDetail =
                i % 5 ? (uint64_t)rand() % 70000 : UINT64_MAX - (uint64_t)rand() % 9;
            entries[k].offset = i % 7 ? (uint64_t)rand() % 40 : UINT64_MAX / 2;
        }
        (void)register_schema(STATIC_ID + i % 3, (uint64_t)rand() % 6,
                              (uint64_t)rand() & 0xff, entries, 1 + i % 3,
                              i % 11 ? i % 64 : SIZE_MAX);
        values_of.sizeOfEnum = i % 13 ? i % 9 : SIZE_MAX;
        if (i % 17 == 0)
            nvtxPayloadEnumRegister(domain, &values_of);
        if (i % 4 == 0) {
            for (int k = 0; k < 64; k++)
                edge[k - 64] = (char)rand();
            pass(STATIC_ID + i % 3, edge - 48, i % 48);
            pass(STATIC_ID + i % 3, edge - 48, SIZE_MAX);
        }
    }
    return 0;
}

/* Schemas that contain themselves, and cyclic pointers. */
static int rings_of_pointers(void)
{
    struct node {
        struct node *next;
        struct node *wild;
        const char *text;
        uint64_t n;
        int64_t *numbers;
    };
    const nvtxPayloadSchemaEntry_t node[] = {
        {.flags = DEEP, .type = STATIC_ID, .name = "next"},
        {.flags = DEEP, .type = STATIC_ID, .name = "wild"},
        {.flags = DEEP | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
         .name = "text"},
        {.type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64, .name = "n"},
        {.flags = DEEP | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
         .arrayOrUnionDetail = 3,
         .name = "numbers"},
    };
    const nvtxPayloadSchemaEntry_t self[] = {
        {.type = STATIC_ID + 1, .name = "itself"},
        {.type = STATIC_ID + 2, .name = "another"},
    };
    struct node nodes[8] = {0}; /* no leftovers of the stack */
    int64_t numbers[4] = {1, 2, 3, 4};

    begin();
    register_schema(STATIC_ID, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                    NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, node, 5, sizeof(struct node));
    register_schema(STATIC_ID + 1, 1, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, self, 2, 8);
    register_schema(STATIC_ID + 2, 1, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, self, 1, 8);
    edge[-1] = 'x';
    for (unsigned i = 0; i < 8; i++) {
        nodes[i] = (struct node){
            .next = &nodes[(i + 1) % 8],
            .wild = (struct node *)(void *)(i % 2 ? edge - 16 : edge + 64),
            .text = i % 3 ? "a text" : edge - 1,
            .n = i % 4 ? 4 : UINT64_MAX / 8 + 1,
            .numbers = numbers,
        };
        pass(STATIC_ID, &nodes[i], sizeof nodes[i]);
    }
    for (unsigned i = 0; i < 8; i++) {
        pass(STATIC_ID, &nodes[i], sizeof nodes[i]);
        pass(STATIC_ID, &nodes[i], SIZE_MAX);
        pass(STATIC_ID, &nodes[i], 9);
    }
    pass(STATIC_ID + 1, nodes, sizeof nodes);
    pass(STATIC_ID + 2, nodes, SIZE_MAX);
    return 0;
}

/* A cyclic list of semantics, and others without an end or a size. */
static int semantics(void)
{
    static nvtxSemanticsCounter_t ring[2];
    nvtxSemanticsHeader_t *last;
    nvtxCounterAttr_t counter = {.structSize = sizeof counter,
                                 .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                 .name = "counter"};

    begin();
    last = (nvtxSemanticsHeader_t *)(void *)edge - 1;
    for (int i = 0; i < 2; i++) {
        ring[i].header = (nvtxSemanticsHeader_t){
            sizeof ring[i], NVTX_SEMANTIC_ID_COUNTERS_V1, 2, &ring[1 - i].header};
        ring[i].unit = i ? wild : "bytes";
    }
    counter.semantics = &ring[0].header;
    nvtxCounterSampleInt64(domain, nvtxCounterRegister(domain, &counter), 1);
    for (uint32_t size = 0; size < 400; size += 3) {
        *last = (nvtxSemanticsHeader_t){size % 7 ? size : UINT32_MAX - size,
                                        (uint16_t)(size % 9), 1,
                                        (const void *)(size % 2 ? wild : NULL)};
        counter.semantics = last;
        counter.structSize = size % 5 ? sizeof counter : size;
        nvtxCounterSampleInt64(domain, nvtxCounterRegister(domain, &counter), 1);
        mark();
    }
    return 0;
}

/* Structs of structs of structs, 64 in each: there are too many paths to follow them
 * all. */
static int schemas_without_end(void)
{
    enum { WIDE = 64 };
    nvtxPayloadSchemaEntry_t inside[WIDE], pointers[WIDE];
    const char **page;

    begin();
    page = (const char **)(void *)(edge - 16384);
    for (int i = 0; i < WIDE; i++) {
        inside[i] = (nvtxPayloadSchemaEntry_t){.type = STATIC_ID};
        pointers[i] = (nvtxPayloadSchemaEntry_t){
            .flags = DEEP | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE,
            .type = NVTX_PAYLOAD_ENTRY_TYPE_BYTE,
            .arrayOrUnionDetail = (uint64_t)i + 1,
        };
    }
    register_schema(STATIC_ID, 1, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, inside, WIDE, 8);
    pass(STATIC_ID, page, 64);
    for (int i = 0; i < 2048; i++)
        page[i] = wild + i;
    register_schema(STATIC_ID + 1, 1, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, pointers,
                    WIDE, 8);
    inside[0] = (nvtxPayloadSchemaEntry_t){
        .flags = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE,
        .type = STATIC_ID + 1,
        .arrayOrUnionDetail = 2048,
    };
    register_schema(STATIC_ID + 2, 1, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, inside, 1,
                    16384);
    pass(STATIC_ID + 2, page, 16384);
    return 0;
}

/* --- handles and ids -------------------------------------------------------------- */

static int forged_handles(void)
{
    static const uint64_t wrong[] = {
        1,
        12345,
        UINT64_MAX,
        1ull << 32,
        (1ull << 32) + 5,
        1ull << 40,
        1 << 24,
        STATIC_ID,
        0xd1a1000000000fff,
        0xd4d4000000000000,
        UINT32_MAX,
        0xd4d40000ffffffff,
        0xd5e5010000000007,
        0xd5e5ff0000000001,
        0xd2b2ffffffffffff,
    };

    begin();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const nvtxDomainHandle_t d = (nvtxDomainHandle_t)(uintptr_t)wrong[i];
        const nvtxSyncUser_t lock = (nvtxSyncUser_t)(uintptr_t)wrong[i];
        const nvtxMemHeapHandle_t heap = (nvtxMemHeapHandle_t)(uintptr_t)wrong[i];
        const nvtxMemPermissionsHandle_t p =
            (nvtxMemPermissionsHandle_t)(uintptr_t)wrong[i];

        nvtxCounterSampleInt64(domain, wrong[i], 1);
        nvtxCounterSampleFloat64(d, wrong[i], 1);
        nvtxCounterSampleNoValue(d, wrong[i], (uint8_t)i);
        nvtxCounterSample(d, wrong[i], &wrong[i], 8);
        nvtxDomainSyncUserAcquireStart(lock);
        nvtxDomainSyncUserAcquireFailed(lock);
        nvtxDomainSyncUserAcquireSuccess(lock);
        nvtxDomainSyncUserReleasing(lock);
        nvtxDomainSyncUserDestroy(lock);
        nvtxMemHeapUnregister(d, heap);
        nvtxMemHeapReset(d, heap);
        nvtxMemPermissionsReset(d, p);
        nvtxMemPermissionsBind(d, p, (uint32_t)i, 7);
        nvtxMemPermissionsUnbind(d, (uint32_t)i);
        nvtxMemPermissionsDestroy(d, p);
        nvtxTimeSyncPoint(d, wrong[i], wrong[i], INT64_MIN, INT64_MAX);
        nvtxTimestampConversionFactor(d, wrong[i], wrong[i], 0.0, 1, 2);
        CHECK(nvtxDomainIsEnabled(d));
        mark();
    }
    return 0;
}

static int memory_without_end(void)
{
    nvtxMemHeapDesc_t heap = {.structSize = sizeof heap, .usage = 1, .type = 1};
    nvtxMemRegionHandle_t out[4];
    nvtxMemRegionsRegisterBatch_t regions = {.structSize = sizeof regions,
                                             .regionType = 1};
    nvtxMemRegionsUnregisterBatch_t gone = {.structSize = sizeof gone, .refType = 2};
    nvtxMemRegionsNameBatch_t names = {.structSize = sizeof names};
    nvtxMemPermissionsAssignBatch_t assigned = {.structSize = sizeof assigned};

    begin();
    CHECK(!nvtxMemHeapRegister(domain, NULL));
    CHECK(!nvtxMemHeapRegister(domain, (const void *)wild));
    heap.typeSpecificDesc = wild;
    heap.typeSpecificDescSize = SIZE_MAX;
    CHECK(nvtxMemHeapRegister(domain, &heap));
    for (size_t n = 1; n && n < SIZE_MAX / 8; n *= 9) {
        regions.regionCount = gone.refCount = names.regionCount = n;
        assigned.regionCount = n;
        regions.regionDescElementSize = n % 5 ? 16 : n;
        gone.refElementSize = n % 4 ? 8 : n;
        names.regionElementSize = sizeof(nvtxMemRegionNameDesc_t);
        assigned.regionElementSize = sizeof(nvtxMemPermissionsAssignRegionDesc_t);
        regions.regionDescElements = edge - 64;
        gone.refElements = (const void *)(edge - 64);
        names.regionElements = (const void *)(edge - 80);
        assigned.regionElements = (const void *)(edge - 64);
        regions.regionHandleElementsOut = n == 1 ? out : (void *)edge;
        nvtxMemRegionsRegister(domain, &regions);
        nvtxMemRegionsUnregister(domain, &gone);
        nvtxMemRegionsName(domain, &names);
        nvtxMemPermissionsAssign(domain, &assigned);
        mark();
    }
    /* Of regions that are no addresses, only their presence is recorded. */
    regions.regionType = 7;
    regions.regionCount = SIZE_MAX;
    regions.regionHandleElementsOut = NULL;
    for (size_t size = 0; size < 32; size += 16) {
        regions.regionDescElementSize = size;
        nvtxMemRegionsRegister(domain, &regions);
    }
    mark();
    nvtxMemRegionsResize(domain, NULL);
    nvtxMemRegionsResize(domain, (const void *)wild);
    mark();
    return 0;
}

/* --- batches ---------------------------------------------------------------------- */

static int batches_without_end(void)
{
    nvtxEventBatch_t events = {.eventSchemaId = STATIC_ID};
    nvtxCounterBatch_t samples = {.counterId = STATIC_ID};

    begin();
    for (size_t size = 0; size < SIZE_MAX / 1000; size = size * 300 + 1) {
        events.events = events.flexData = edge - 32;
        events.size = events.flexDataSize = size;
        events.flexDataOffset = SIZE_MAX - size;
        nvtxEventBatchSubmit(domain, &events);
        samples.counters = edge - 48;
        samples.timestamps = (const int64_t *)(const void *)(edge - 8);
        samples.countersSize = samples.timestampsSize = size;
        samples.flags = size * 0x1234567;
        nvtxCounterBatchSubmit(domain, &samples);
        events.events = NULL;
        samples.counters = NULL;
        nvtxEventBatchSubmit(domain, &events);
        nvtxCounterBatchSubmit(domain, &samples);
        mark();
    }
    return 0;
}

/* --- without the kernel's help ---------------------------------------------------- */

/* Some containers forbid the system call that safely copies possibly unmapped memory.
 */
static int forbid_copying(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int without_copying(void)
{
    if (!forbid_copying())
        return host_skip("there are no filters of system calls");
    return wrong_sizes() || wrong_counts() || wild_addresses() || truncated_schemas() ||
           rings_of_pointers() || semantics() || memory_without_end() ||
           batches_without_end();
}

const struct host_case host_cases[] = {
    {"wrong_sizes", wrong_sizes},
    {"wrong_counts", wrong_counts},
    {"wild_addresses", wild_addresses},
    {"truncated_schemas", truncated_schemas},
    {"contradictory_schemas", contradictory_schemas},
    {"rings_of_pointers", rings_of_pointers},
    {"schemas_without_end", schemas_without_end},
    {"semantics", semantics},
    {"forged_handles", forged_handles},
    {"memory_without_end", memory_without_end},
    {"batches_without_end", batches_without_end},
    {"without_copying", without_copying},
    {0},
};
