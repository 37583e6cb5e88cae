/* SPDX-License-Identifier: Apache-2.0 */
/* writer_helpers.c - writes with each of the helpers of NVTXW, into helpers.rln. Exits
 * with 1 if a result is not the expected one.
 */
#include <nvtxw3/nvtxw3_helpers.h>

#include <stdio.h>

#define EXPECT(expected, call)                                                         \
    do {                                                                               \
        const nvtxwResultCode_t result = call;                                         \
        char why[256];                                                                 \
                                                                                       \
        if (result != (expected)) {                                                    \
            (void)nvtxwGetError(result, why, sizeof(why));                             \
            (void)fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, why);          \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)
#define DO(call) EXPECT(NVTXW_RESULT_SUCCESS, call)
#define REFUSE(call) EXPECT(NVTXW_RESULT_INVALID_ARGUMENT, call)

static const nvtxwInterface_t *writer;
static nvtxwSessionHandle_t session;
static nvtxDomainHandle_t domain;

static nvtxwEventAttributesUtf8_t text(const char *message)
{
    nvtxwEventAttributesUtf8_t attributes = {0};

    attributes.message = message;
    return attributes;
}

static nvtxwEventAttributes_t registered(const char *message)
{
    nvtxwEventAttributes_t attributes = {0};

    DO(writer->StringRegister(domain, message, &attributes.message));
    return attributes;
}

static void write_events(const nvtxwEventWriter_t *events)
{
    nvtxwEventAttributesUtf8_t colored = text("colored, of category io, and cut off");
    nvtxwEventAttributes_t unnamed = {0};

    colored.color = 0xff112233;
    colored.category = 7;
    colored.messageLength = 23;
    DO(nvtxwMarkWriteUtf8(events, 1000, colored));
    DO(nvtxwMarkWriteUtf8(events, 1010, text(NULL)));
    DO(nvtxwMarkWrite(events, 1020, registered("mark")));
    DO(nvtxwMarkWrite(events, 1030, unnamed));
    DO(nvtxwRangePushPopWriteUtf8(events, 2000, 2900, text("whole push/pop")));
    DO(nvtxwRangePushPopWrite(events, 2100, 2300, registered("inner push/pop")));
    DO(nvtxwRangeStartEndWriteUtf8(events, 3000, 3400, text("whole start/end")));
    DO(nvtxwRangeStartEndWrite(events, 3200, 3600, registered("crossing start/end")));
    DO(nvtxwRangePushWriteUtf8(events, 4000, text("push")));
    DO(nvtxwRangePushWrite(events, 4100, registered("inner push")));
    DO(nvtxwRangePopWrite(events, 4200));
    DO(nvtxwRangePopWrite(events, 4300));
    DO(nvtxwRangeStartWriteUtf8(events, 5000, 71, text("start")));
    DO(nvtxwRangeStartWrite(events, 5100, 72, registered("crossing start")));
    DO(nvtxwRangeEndWrite(events, 5200, 71));
    DO(nvtxwRangeEndWrite(events, 5300, 72));
}

static void write_counters(nvtxwStreamHandle_t stream)
{
    uint64_t queued, load;

    DO(nvtxwCounterInt64Register(writer, domain, "queued", NULL, &queued));
    DO(nvtxwCounterFloat64Register(writer, domain, "load", NULL, &load));
    DO(nvtxwCounterInt64Write(writer, stream, 6000, queued, -3));
    DO(nvtxwCounterFloat64Write(writer, stream, 6100, load, 0.25));
}

/* What the helpers refuse never reaches the backend. */
static void misuse(nvtxwEventWriter_t *events)
{
    const nvtxwInterface_t nothing = {0};
    nvtxwEventHelperSchemaIds_t ids;
    nvtxwEventWriter_t some;
    uint64_t id = 1;

    REFUSE(nvtxwMarkWriteUtf8(NULL, 1, text("no writer")));
    REFUSE(nvtxwRangePopWrite(NULL, 1));
    REFUSE(nvtxwEventWriterInit(NULL, writer, NULL, NULL));
    DO(nvtxwEventWriterInit(&some, writer, events->stream, NULL));
    REFUSE(nvtxwMarkWrite(&some, 1, registered("no schema")));
    DO(nvtxwEventSchemasRegister(writer, domain,
                                 NVTXW_EVENT_HELPER_SCHEMA_RANGE_POP |
                                     NVTXW_EVENT_HELPER_SCHEMA_RANGE_PUSH_REG_STRING,
                                 &some.schemaIds));
    if (!some.schemaIds.rangePop || !some.schemaIds.rangePushRegString ||
        some.schemaIds.rangePushUtf8 || some.schemaIds.eventMessageUtf8)
        exit(1);
    REFUSE(nvtxwRangePushWriteUtf8(&some, 1, text("no schema")));
    REFUSE(nvtxwEventSchemasRegister(writer, domain, 0, &ids));
    REFUSE(nvtxwEventSchemasRegister(writer, domain, 1 << 12, &ids));
    REFUSE(nvtxwEventSchemasRegister(writer, NULL, 1, &ids));
    REFUSE(nvtxwEventSchemasRegister(&nothing, domain, 1, &ids));
    REFUSE(nvtxwCounterInt64Register(writer, domain, "no output", NULL, NULL));
    REFUSE(nvtxwCounterRegister(writer, domain, "no type", 0, NULL, &id));
    if (id)
        exit(1);
    REFUSE(nvtxwCounterInt64Write(writer, NULL, 1, 1, 1));
    REFUSE(nvtxwCategoryRegister(writer, domain, 0, "none"));
    REFUSE(nvtxwScopeRegister(writer, NULL, "no domain", &id));
    REFUSE(nvtxwTimeDomainRegister(writer, domain, 14, NULL));
    REFUSE(nvtxwDomainRegister(writer, NULL, "no session", &domain));
    if (domain)
        exit(1);
}

int main(int argc, char **argv)
{
    nvtxwSessionAttributes_t run;
    nvtxwModuleHandle_t module;
    nvtxwStreamHandle_t stream;
    nvtxwEventWriter_t events;
    uint64_t root, clock;

    DO(nvtxwLoadInterface(argc > 1 ? argv[1] : NULL, &writer, &module));
    DO(nvtxwSessionAttributesInit(&run));
    run.name = "helpers";
    DO(writer->SessionBegin(&run, &session));
    DO(nvtxwDomainRegister(writer, session, "import", &domain));
    DO(nvtxwCategoryRegister(writer, domain, 7, "io"));
    DO(nvtxwScopeRegister(writer, domain, "", &root));
    DO(nvtxwTimeDomainRegister(
        writer, domain, NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC, &clock));
    DO(nvtxwEventWriterOpen(writer, session, "worker 1", domain, "host/gpu", clock,
                            &events));
    write_events(&events);
    DO(nvtxwStreamOpen(writer, session, "default", NULL, "somewhere",
                       NVTX_TIME_DOMAIN_ID_NONE, &stream));
    DO(writer->StreamClose(stream));
    write_counters(events.stream);
    misuse(&events);
    DO(writer->SessionEnd(session));
    nvtxwUnload(module);
    return 0;
}
