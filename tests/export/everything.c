/* SPDX-License-Identifier: Apache-2.0 */
/* everything.c - makes one of each kind of event that an export must keep; traces.py
 * expects them. With a number N, it also makes N pairs of ranges, inside the first one
 * and one with a payload, and N / 20 with payloads, and a mark whose payload is no
 * number.
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayloadHelper.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

NVTX_DEFINE_STRUCT_WITH_SCHEMA(
    message, "message", static,
    NVTX_PAYLOAD_ENTRIES((uint64_t, size, TYPE_UINT64, "size"),
                         (int32_t, peer, TYPE_INT32, "peer")))

static nvtxDomainHandle_t io;

static nvtxEventAttributes_t attributes(const char *text)
{
    return (nvtxEventAttributes_t){.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                   .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                   .message.ascii = text};
}

static void say_payloads(void)
{
    static const struct {
        const char *name;
        nvtxPayloadType_t type;
    } kinds[] = {{"u64", NVTX_PAYLOAD_TYPE_UNSIGNED_INT64},
                 {"i64", NVTX_PAYLOAD_TYPE_INT64},
                 {"double", NVTX_PAYLOAD_TYPE_DOUBLE},
                 {"u32", NVTX_PAYLOAD_TYPE_UNSIGNED_INT32},
                 {"i32", NVTX_PAYLOAD_TYPE_INT32},
                 {"float", NVTX_PAYLOAD_TYPE_FLOAT}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        nvtxEventAttributes_t a = attributes(kinds[i].name);

        a.payloadType = (int32_t)kinds[i].type;
        if (a.payloadType == NVTX_PAYLOAD_TYPE_DOUBLE)
            a.payload.dValue = 2.5;
        else if (a.payloadType == NVTX_PAYLOAD_TYPE_FLOAT)
            a.payload.fValue = 0.5f;
        else if (a.payloadType == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64)
            a.payload.ullValue = 1ull << 60;
        else
            a.payload.llValue = -1;
        nvtxMarkEx(&a);
    }
}

static void say_no_number(void)
{
    nvtxEventAttributes_t a = attributes("no number");

    a.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    a.payload.dValue = NAN;
    nvtxMarkEx(&a);
}

static void say_names(void)
{
    char *large = malloc((1 << 20) + 1);

    nvtxMarkA("with \"quotes\", 'these' and \\");
    nvtxMarkA("two\nlines\tand a tab");
    nvtxMarkA("caf\xc3\xa9 \xe2\x82\xac");
    nvtxMarkA("not UTF-8: \xff\xfe");
    nvtxMarkA("<b>&amp;;</b> a;b");
    if (large) {
        memset(large, 'x', 1 << 20);
        large[1 << 20] = 0;
        nvtxMarkA(large);
    }
    free(large);
}

static void say_domain(void)
{
    nvtxEventAttributes_t a = attributes("read");

    nvtxDomainNameCategoryA(io, 7, "disk");
    nvtxDomainNameCategoryA(io, 8, "tape, never used");
    a.category = 7;
    a.colorType = NVTX_COLOR_ARGB;
    a.color = 0xff00ff00;
    nvtxDomainRangePushEx(io, &a);
    a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    a.message.registered = nvtxDomainRegisterStringA(io, "block");
    nvtxDomainRangePushEx(io, &a);
    nvtxDomainRangePop(io);
    nvtxDomainRangePop(io);
}

static void say_payload_and_samples(void)
{
    const uint64_t schema = nvtxPayloadSchemaRegister(io, &messageAttr);
    const nvtxSemanticsCounter_t unit = {
        .header = {sizeof unit, NVTX_SEMANTIC_ID_COUNTERS_V1,
                   NVTX_COUNTER_SEMANTIC_VERSION, NULL},
        .flags = NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT,
        .unit = "bytes",
        .unitScaleNumerator = 1,
        .unitScaleDenominator = 1};
    const nvtxCounterAttr_t queued = {.structSize = sizeof queued,
                                      .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                      .name = "queued",
                                      .semantics = &unit.header};
    const nvtxCounterAttr_t load = {.structSize = sizeof load,
                                    .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
                                    .name = "load"};
    const uint64_t queued_id = nvtxCounterRegister(io, &queued);
    const uint64_t load_id = nvtxCounterRegister(io, &load);
    nvtxEventAttributes_t a = attributes("send");
    const message m = {4096, -3};

    nvtxPayloadRangePush(io, &a, schema, &m, sizeof m);
    nvtxCounterSampleInt64(io, queued_id, 5);
    nvtxCounterSampleInt64(io, queued_id, -2);
    nvtxCounterSampleNoValue(io, queued_id, NVTX_COUNTER_SAMPLE_ZERO);
    nvtxCounterSampleNoValue(io, queued_id, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
    nvtxCounterSampleFloat64(io, load_id, 0.25);
    nvtxDomainRangePop(io);
}

static void *end_elsewhere(void *id)
{
    nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), "ender");
    nvtxRangeEnd(*(nvtxRangeId_t *)id);
    return NULL;
}

static void say_start_end(void)
{
    nvtxRangeId_t crossing = nvtxRangeStartA("crossing");
    const nvtxRangeId_t here = nvtxRangeStartA("here");
    pthread_t thread;

    nvtxRangeEnd(here);
    if (pthread_create(&thread, NULL, end_elsewhere, &crossing) == 0)
        pthread_join(thread, NULL);
    (void)nvtxRangeStartA("never ended");
}

static void say_in_child(void)
{
    const pid_t child = fork();

    if (child == 0) {
        nvtxRangePushA("in the child");
        nvtxRangePop();
        nvtxDomainMarkEx(
            io, &(nvtxEventAttributes_t){.version = NVTX_VERSION,
                                         .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                         .category = 7,
                                         .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                         .message.ascii = "child's mark"});
        _exit(0);
    }
    if (child > 0)
        (void)waitpid(child, NULL, 0);
}

static void push_payload(uint64_t schema, const char *text, long size)
{
    nvtxEventAttributes_t a = attributes(text);
    const message m = {(uint64_t)size, -1};

    nvtxPayloadRangePush(io, &a, schema, &m, sizeof m);
}

static void say_many(long n)
{
    const uint64_t schema = nvtxPayloadSchemaRegister(io, &messageAttr);

    push_payload(schema, "long", n);
    for (long i = 0; i < n; i++) {
        nvtxRangePushA(i & 1 ? "odd" : "even");
        nvtxRangePop();
        if (i % 20 == 0) {
            push_payload(schema, "sent", i);
            nvtxDomainRangePop(io);
        }
    }
    nvtxDomainRangePop(io);
    say_no_number();
}

int main(int argc, char **argv)
{
    const long n = argc > 1 ? atol(argv[1]) : 0;

    io = nvtxDomainCreateA("io");
    (void)nvtxDomainCreateA("never used");
    nvtxRangePushA("outer");
    nvtxRangePushA("inner");
    nvtxRangePop();
    if (n)
        say_many(n);
    say_payloads();
    say_names();
    say_domain();
    say_payload_and_samples();
    say_start_end();
    say_in_child();
    nvtxRangePop();
    nvtxRangePushA("never popped");
    return 0;
}
