/* SPDX-License-Identifier: Apache-2.0 */
/* writer_contract.c - what NVTXW's header promises, one case per promise. Writes CASE.rln
 * and exits with 1 if a result is not the expected one.
 *
 *   writer_contract CASE
 *
 * SESSION in the environment is the session's name, instead of the case's; FAILING is
 * the configuration of a session that is begun before, and fails.
 */
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtxw3/nvtxw3_helpers.h>

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(expected, call)                                                         \
    do {                                                                               \
        const int result = (int)(call);                                                \
                                                                                       \
        if (result != (int)(expected)) {                                               \
            (void)fprintf(stderr, "%s: %s: %d\n", __func__, #call, result);            \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)
#define DO(call) EXPECT(NVTXW_RESULT_SUCCESS, call)
#define REFUSE(call) EXPECT(NVTXW_RESULT_INVALID_ARGUMENT, call)
#define N(array) (sizeof(array) / sizeof((array)[0]))

static const nvtxwInterface_t *writer;
static nvtxwSessionHandle_t session;
static nvtxDomainHandle_t domain;
static nvtxwStreamHandle_t stream;

static nvtxwSessionAttributes_t session_of(const char *name)
{
    nvtxwSessionAttributes_t attributes;

    DO(nvtxwSessionAttributesInit(&attributes));
    attributes.name = name;
    return attributes;
}

static nvtxwEventAttributesUtf8_t text(const char *message)
{
    nvtxwEventAttributesUtf8_t attributes = {0};

    attributes.message = message;
    return attributes;
}

/* Of which everything is set. */
static nvtxPayloadSchemaAttr_t schema_of(const nvtxPayloadSchemaEntry_t *entries,
                                         size_t n, size_t size, uint64_t flags)
{
    nvtxPayloadSchemaAttr_t schema = {0};

    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.flags = flags;
    schema.entries = entries;
    schema.numEntries = n;
    schema.payloadStaticSize = size;
    return schema;
}

static uint64_t registered(const nvtxPayloadSchemaEntry_t *entries, size_t n,
                           size_t size, uint64_t flags)
{
    const nvtxPayloadSchemaAttr_t schema = schema_of(entries, n, size, flags);
    uint64_t id = 0;

    DO(writer->SchemaRegister(domain, &schema, &id));
    return id;
}

static int32_t write_one(uint64_t schema, size_t size, const void *payload)
{
    const nvtxPayloadData_t data = {schema, size, payload};

    return writer->EventWrite(stream, &data, 1);
}

/* ---- Clocks and scopes ----------------------------------------------------------- */

static const nvtxPayloadSchemaEntry_t timed = {
    .flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP | NVTX_PAYLOAD_ENTRY_FLAG_MARK,
    .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
    .name = "time",
};

/* The stream's times are relative, those of the mark and the sample are not. */
static void own_clock(void)
{
    const nvtxSemanticsTime_t realtime = {
        .header = {sizeof(realtime), NVTX_SEMANTIC_ID_TIME_V1,
                   NVTX_TIME_SEMANTIC_VERSION, NULL},
        .timeDomainId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME,
    };
    nvtxPayloadSchemaEntry_t entry = timed;
    struct timespec ts;
    uint64_t counter;
    int64_t now;

    (void)clock_gettime(CLOCK_REALTIME, &ts);
    now = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
    entry.semantics = &realtime.header;
    DO(write_one(registered(&entry, 1, 8, NVTX_PAYLOAD_SCHEMA_FLAG_MARK), 8, &now));
    DO(nvtxwCounterInt64Register(writer, domain, "n", &realtime.header, &counter));
    DO(nvtxwCounterInt64Write(writer, stream, now + 1000, counter, 5));
}

/* The second mark has a scope of its own. */
static void own_scope(void)
{
    nvtxPayloadSchemaEntry_t entries[2] = {timed};
    struct {
        int64_t time;
        uint64_t scope;
    } mark = {1000, 0};
    uint64_t schema;

    entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID;
    entries[1].name = "scope";
    entries[1].offset = 8;
    schema = registered(entries, 2, 16, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
    DO(write_one(schema, 16, &mark));
    DO(nvtxwScopeRegister(writer, domain, "mine", &mark.scope));
    DO(write_one(schema, 16, &mark));
}

/* The first payload ends before the members that its schema has. */
static void unread(void)
{
    struct {
        int64_t time;
        uint64_t range;
        uint32_t color, category;
        uint64_t scope;
    } mark = {1000, 7, 0xff112233, 3, 0};
    nvtxPayloadSchemaEntry_t entries[5] = {timed};

    entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID;
    entries[1].offset = 8;
    entries[2].type = NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB;
    entries[2].offset = 16;
    entries[3].type = NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY;
    entries[3].offset = 20;
    entries[4].type = NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID;
    entries[4].offset = 24;
    for (size_t size = 8; size <= 32; size += 24)
        DO(write_one(registered(entries, N(entries), 32, NVTX_PAYLOAD_SCHEMA_FLAG_MARK),
                     size, &mark));
}

/* ---- Forks ----------------------------------------------------------------------- */

static volatile int is_over;

static void *write_until_over(void *other)
{
    for (int64_t i = 0; !is_over; i++)
        DO(nvtxwMarkWriteUtf8(other, i, text("parent")));
    return NULL;
}

/* Children write while another thread of their parent does. */
static void forks(void)
{
    nvtxwEventWriter_t events, others;
    pthread_t thread;
    int status;

    DO(nvtxwEventWriterOpen(writer, session, "events", domain, NULL, 0, &events));
    DO(nvtxwEventWriterOpen(writer, session, "others", domain, NULL, 0, &others));
    DO(pthread_create(&thread, NULL, write_until_over, &others));
    for (int i = 0; i < 100; i++) {
        const pid_t child = fork();

        if (!child) {
            (void)alarm(30);
            _exit(nvtxwMarkWriteUtf8(&events, i, text("child")));
        }
        EXPECT(child, waitpid(child, &status, 0));
        EXPECT(0, status);
    }
    is_over = 1;
    DO(pthread_join(thread, NULL));
}

/* ---- Batches --------------------------------------------------------------------- */

/* More than the collector keeps of a batch. The last piece of a batch has two of them. */
enum { N_LARGE = 498 };
struct large {
    int64_t begin, end;
    char unused[65520];
};

static const nvtxPayloadSchemaEntry_t large_entries[] = {
    {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP | NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN,
     .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
     .name = "begin"},
    {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP | NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END,
     .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
     .name = "end",
     .offset = 8},
    {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE,
     .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
     .offset = 16},
};

static uint64_t register_large(size_t n_entries)
{
    return registered(large_entries, n_entries, sizeof(struct large),
                      NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP);
}

static void large_events(void)
{
    struct large *const events = calloc(N_LARGE, sizeof(*events));
    const uint64_t pointers = register_large(3);
    nvtxEventBatch_t batch = {0};

    for (int64_t i = 0; i < N_LARGE; i++) {
        events[i].begin = i * 100;
        events[i].end = i * 100 + 10;
    }
    batch.eventSchemaId = register_large(2);
    batch.events = events;
    batch.size = N_LARGE * sizeof(*events);
    DO(writer->EventBatchWrite(stream, &batch));
    /* What refers to the whole array cannot be split. */
    batch.flexData = events;
    batch.flexDataSize = 8;
    EXPECT(NVTXW_RESULT_FAILED, writer->EventBatchWrite(stream, &batch));
    batch.flexData = NULL;
    batch.eventSchemaId = pointers;
    EXPECT(NVTXW_RESULT_FAILED, writer->EventBatchWrite(stream, &batch));
    batch.size = 2 * sizeof(*events);
    DO(writer->EventBatchWrite(stream, &batch));
    batch.size--;
    REFUSE(writer->EventBatchWrite(stream, &batch));
    batch.size = 0;
    DO(writer->EventBatchWrite(stream, &batch));
    free(events);
}

/* A group whose samples are as large as those events; the member is the first 8 bytes. */
static uint64_t register_group(const char *name)
{
    const nvtxPayloadSchemaEntry_t entry = {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                            .name = "value"};
    uint64_t id;

    DO(nvtxwCounterRegister(writer, domain, name,
                            registered(&entry, 1, sizeof(struct large),
                                       NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP),
                            NULL, &id));
    return id;
}

static void large_samples(void)
{
    struct large *const samples = calloc(N_LARGE, sizeof(*samples));
    static int64_t times[N_LARGE];
    int64_t pair[2] = {1000000, 10};
    nvtxCounterBatch_t batch = {0};

    for (int64_t i = 0; i < N_LARGE; i++) {
        samples[i].begin = i;
        times[i] = 1000000 + 10 * i;
    }
    batch.counterId = register_group("times");
    batch.counters = samples;
    batch.countersSize = N_LARGE * sizeof(*samples);
    batch.timestamps = times;
    batch.timestampsSize = sizeof(times);
    DO(writer->CounterBatchWrite(stream, &batch));
    batch.timestampsSize -= 8;
    REFUSE(writer->CounterBatchWrite(stream, &batch));
    batch.timestamps = pair;
    batch.timestampsSize = sizeof(pair);
    batch.counterId = register_group("lost pair");
    DO(writer->CounterBatchWrite(stream, &batch));
    batch.counterId = register_group("begin pair");
    batch.flags = NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR;
    DO(writer->CounterBatchWrite(stream, &batch));
    batch.counterId = register_group("end pair");
    batch.flags = NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR;
    pair[0] += 10 * (N_LARGE - 1);
    DO(writer->CounterBatchWrite(stream, &batch));
    batch.timestampsSize = 8;
    REFUSE(writer->CounterBatchWrite(stream, &batch));
    batch.countersSize--;
    REFUSE(writer->CounterBatchWrite(stream, &batch));
    free(samples);
}

/* ---- Arguments ------------------------------------------------------------------- */

static void zero(uint64_t type, const char *name)
{
    uint64_t counter;

    DO(nvtxwCounterRegister(writer, domain, name, type, NULL, &counter));
    DO(writer->CounterNoValueWrite(stream, 1000, counter, NVTX_COUNTER_SAMPLE_ZERO));
    EXPECT(NVTXW_RESULT_NOT_SUPPORTED,
           writer->CounterNoValueWrite(stream, 1000, counter,
                                       NVTX_COUNTER_SAMPLE_UNAVAILABLE));
}

static void zeros(void)
{
    const nvtxPayloadSchemaEntry_t entries[] = {
        {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "a"},
        {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "b", .offset = 8},
    };

    zero(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "int64");
    zero(NVTX_PAYLOAD_ENTRY_TYPE_INT, "int");
    zero(NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, "double");
    zero(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16, "float16");
    zero(registered(entries, 2, 16, NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP), "group");
}

/* Nothing of this is in the trace. */
static void refused_writes(void)
{
    static const uint64_t unknown[] = {0, 777, 1 << 24, UINT64_MAX,
                                       UINT64_C(1) << 63 | 1000};
    const int64_t value[2] = {1, 2};
    nvtxEventBatch_t events = {0};
    uint64_t counter, schema = registered(&timed, 1, 8, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
    nvtxPayloadData_t two[2] = {{schema, 8, value}, {0, 8, value}};

    DO(nvtxwCounterInt64Register(writer, domain, "n", NULL, &counter));
    for (size_t i = 0; i < N(unknown); i++) {
        events.eventSchemaId = two[1].schemaId = unknown[i];
        events.events = value;
        events.size = 8;
        REFUSE(write_one(unknown[i], 8, value));
        REFUSE(writer->EventWrite(stream, two, 2));
        REFUSE(writer->EventBatchWrite(stream, &events));
        REFUSE(writer->CounterWrite(stream, 1, unknown[i], value, 8));
        REFUSE(writer->CounterNoValueWrite(stream, 1, unknown[i],
                                           NVTX_COUNTER_SAMPLE_ZERO));
    }
    REFUSE(writer->CounterWrite(stream, 1, schema, value, 8)); /* of another kind */
    REFUSE(write_one(counter, 8, value));
    REFUSE(writer->CounterWrite(stream, 1, counter, value, 4));
    REFUSE(writer->CounterWrite(stream, 1, counter, value, 16));
    events.eventSchemaId = schema;
    events.events = NULL;
    REFUSE(writer->EventBatchWrite(stream, &events));
}

static void refused_registrations(void)
{
    nvtxPayloadSchemaAttr_t schema = schema_of(&timed, 1, 8, 0);
    nvtxPayloadSchemaEntry_t entry = {0};
    const uint64_t mask = schema.fieldMask;
    nvtxwSessionAttributes_t of_session = session_of("x");
    nvtxwDomainAttributes_t of_domain;
    nvtxwStreamAttributes_t of_stream;
    nvtxCounterAttr_t counter = {.structSize = sizeof(counter), .name = "n"};
    nvtxScopeAttr_t scope = {.structSize = sizeof(scope) - 1, .path = "s"};
    nvtxwSessionHandle_t other = session;
    nvtxDomainHandle_t d = domain;
    nvtxwStreamHandle_t s = stream;
    nvtxStringHandle_t string = (nvtxStringHandle_t)domain;
    uint64_t id = 1;

    REFUSE(writer->CounterRegister(domain, &counter, &id)); /* of no type */
    EXPECT(0, id);
    counter.schemaId = UINT64_C(1) << 63 | 1000;
    REFUSE(writer->CounterRegister(domain, &counter, &id));
    counter.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
    counter.counterId = 5; /* too small for a static id */
    REFUSE(writer->CounterRegister(domain, &counter, &id));
    counter.counterId = NVTX_COUNTER_ID_NONE;
    counter.structSize--;
    REFUSE(writer->CounterRegister(domain, &counter, &id));
    schema.fieldMask = mask & ~(uint64_t)NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES;
    REFUSE(writer->SchemaRegister(domain, &schema, &id));
    schema.fieldMask = mask & ~(uint64_t)NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
    REFUSE(writer->SchemaRegister(domain, &schema, &id));
    schema.fieldMask = mask;
    entry.type = UINT64_C(1) << 63 | 1000;
    schema.entries = &entry;
    EXPECT(NVTXW_RESULT_FAILED, writer->SchemaRegister(domain, &schema, &id));
    id = 1;
    REFUSE(writer->ScopeRegister(domain, &scope, &id));
    EXPECT(0, id);
    DO(nvtxwDomainAttributesInit(&of_domain));
    DO(nvtxwStreamAttributesInit(&of_stream));
    of_session.structSize--;
    of_domain.structSize--;
    of_stream.structSize--;
    REFUSE(writer->SessionBegin(&of_session, &other));
    REFUSE(writer->DomainRegister(session, &of_domain, &d));
    REFUSE(writer->StreamOpen(session, &of_stream, &s));
    EXPECT(1, !other && !d && !s);
    REFUSE(writer->StringRegister(domain, NULL, &string));
    EXPECT(1, !string);
}

/* ---- Registrations --------------------------------------------------------------- */

/* A static id on two clocks, of which the first is far from the trace. */
static void static_ids(void)
{
    nvtxPayloadSchemaAttr_t schema =
        schema_of(&timed, 1, 8, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
    nvtxwStreamHandle_t const first = stream;
    const int64_t now = 1000;

    schema.schemaId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 5;
    schema.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
    DO(writer->SchemaRegister(domain, &schema, NULL));
    DO(nvtxwStreamOpen(writer, session, "other", domain, NULL,
                       NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME, &stream));
    DO(write_one(schema.schemaId, 8, &now));
    stream = first;
    DO(write_one(schema.schemaId, 8, &now));
}

/* What the program passed is gone when the counter is first used. */
static void units(void)
{
    char unit[] = "MB", name[] = "size";
    nvtxSemanticsCounter_t semantics = {0};
    uint64_t counter;

    semantics.header.structSize = sizeof(semantics);
    semantics.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
    semantics.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
    semantics.unit = unit;
    DO(nvtxwCounterInt64Register(writer, domain, name, &semantics.header, &counter));
    memset(unit, '-', 2);
    memset(name, '-', 4);
    DO(nvtxwCounterInt64Write(writer, stream, 1000, counter, 7));
}

/* As many payloads as an event may have, the last one of which is the message. */
static void many_payloads(void)
{
    const nvtxPayloadSchemaEntry_t entry = {
        .flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE,
        .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
        .arrayOrUnionDetail = 8,
    };
    nvtxPayloadData_t payloads[17];
    const int64_t time = 1000;

    for (size_t i = 0; i < 17; i++)
        payloads[i] =
            (nvtxPayloadData_t){NVTX_PAYLOAD_ENTRY_TYPE_INT64, sizeof(time), &time};
    payloads[0].schemaId = registered(&timed, 1, 8, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
    payloads[15] = (nvtxPayloadData_t){registered(&entry, 1, 8, 0), 8, "the last"};
    DO(writer->EventWrite(stream, payloads, 16));
    REFUSE(writer->EventWrite(stream, payloads, 17));
}

/* A batch in no scope, in that of the stream, and in another one. */
static void batch_scopes(void)
{
    const int64_t time = 1000;
    nvtxEventBatch_t batch = {0};
    nvtxwStreamAttributes_t attributes;
    uint64_t other;

    DO(nvtxwStreamAttributesInit(&attributes));
    DO(nvtxwScopeRegister(writer, domain, "given", &attributes.scopeId));
    DO(nvtxwScopeRegister(writer, domain, "other", &other));
    attributes.name = "scoped";
    attributes.domain = domain;
    DO(writer->StreamOpen(session, &attributes, &stream));
    batch.eventSchemaId = registered(&timed, 1, 8, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
    batch.events = &time;
    batch.size = sizeof(time);
    DO(writer->EventBatchWrite(stream, &batch));
    batch.scope = attributes.scopeId;
    DO(writer->EventBatchWrite(stream, &batch));
    batch.scope = other;
    DO(writer->EventBatchWrite(stream, &batch));
}

/* ---- Sessions and streams -------------------------------------------------------- */

/* A process has one session at a time; a child begins one of its own. */
static void sessions(void)
{
    const nvtxwSessionAttributes_t attributes = session_of("other");
    nvtxwSessionHandle_t other = session;
    int status;
    const pid_t child = fork();

    if (!child)
        _exit(writer->SessionBegin(&attributes, &other) ||
              nvtxwDomainRegister(writer, other, "child", &domain) ||
              nvtxwStreamOpen(writer, other, "stream", domain, NULL, 0, &stream) ||
              writer->SessionEnd(other));
    EXPECT(child, waitpid(child, &status, 0));
    EXPECT(0, status);
    EXPECT(NVTXW_RESULT_NOT_SUPPORTED, writer->SessionBegin(&attributes, &other));
    EXPECT(1, other == NULL);
    DO(writer->SessionEnd(session));
    DO(writer->SessionBegin(&attributes, &session));
}

/* Ranges of each begin before those of the one before end. */
static void unnamed_streams(void)
{
    static const char *const names[] = {NULL, "", NULL};
    nvtxwEventWriter_t events[N(names)];

    for (size_t i = 0; i < N(names); i++) {
        DO(nvtxwEventWriterOpen(writer, session, names[i], domain, NULL, 0,
                                &events[i]));
        DO(nvtxwRangePushWriteUtf8(&events[i], (int64_t)i, text("range")));
    }
    for (size_t i = 0; i < N(names); i++)
        DO(nvtxwRangePopWrite(&events[i], 10 + (int64_t)i));
}

/* ---- The cases ------------------------------------------------------------------- */

static void nothing(void)
{
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"own_clock", own_clock},
    {"own_scope", own_scope},
    {"unread", unread},
    {"forks", forks},
    {"large_events", large_events},
    {"large_samples", large_samples},
    {"zeros", zeros},
    {"refused_writes", refused_writes},
    {"refused_registrations", refused_registrations},
    {"static_ids", static_ids},
    {"units", units},
    {"many_payloads", many_payloads},
    {"batch_scopes", batch_scopes},
    {"sessions", sessions},
    {"unnamed_streams", unnamed_streams},
    {"nothing", nothing},
};

int main(int argc, char **argv)
{
    const char *const name = getenv("SESSION"), *const failing = getenv("FAILING");
    nvtxwSessionAttributes_t attributes;
    size_t i = 0;

    while (i < N(cases) && (argc != 2 || strcmp(cases[i].name, argv[1]) != 0))
        i++;
    if (i == N(cases))
        return 2;
    attributes = session_of(name ? name : argv[1]);
    DO(nvtxwLoadInterfaceDefault(&writer, NULL));
    if (failing) {
        attributes.configString = failing;
        EXPECT(NVTXW_RESULT_FAILED, writer->SessionBegin(&attributes, &session));
        attributes.configString = NULL;
    }
    DO(writer->SessionBegin(&attributes, &session));
    DO(nvtxwDomainRegister(writer, session, "d", &domain));
    DO(nvtxwStreamOpen(writer, session, "stream", domain, NULL, 0, &stream));
    cases[i].run();
    DO(writer->SessionEnd(session));
    return 0;
}
