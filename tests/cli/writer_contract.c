/* SPDX-License-Identifier: Apache-2.0 */
/* writer_contract.c - what NVTXW's header promises, one case per promise. Writes CASE.rln
 * and exits with 1 if a result is not the expected one.
 *
 *   writer_contract CASE
 */
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
            (void)fprintf(stderr, "line %d: %s: %d\n", __LINE__, #call, result);       \
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

/* ---- The cases ------------------------------------------------------------------- */

static void nothing(void)
{
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"own_clock", own_clock}, {"own_scope", own_scope}, {"unread", unread},
    {"forks", forks},         {"nothing", nothing},
};

int main(int argc, char **argv)
{
    const nvtxwSessionAttributes_t attributes = session_of(argc > 1 ? argv[1] : "");
    size_t i = 0;

    while (i < N(cases) && strcmp(cases[i].name, attributes.name) != 0)
        i++;
    if (i == N(cases))
        return 2;
    DO(nvtxwLoadInterfaceDefault(&writer, NULL));
    DO(writer->SessionBegin(&attributes, &session));
    DO(nvtxwDomainRegister(writer, session, "d", &domain));
    DO(nvtxwStreamOpen(writer, session, "stream", domain, NULL, 0, &stream));
    cases[i].run();
    DO(writer->SessionEnd(session));
    return 0;
}
