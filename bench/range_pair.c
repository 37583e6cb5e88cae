/* SPDX-License-Identifier: Apache-2.0 */
/* range_pair.c - what does an event cost, compared with a read of the clock?
 *
 * Run it with the collector attached. A recorder of times reads the clock at least once
 * per event, so the floor of a pair is two reads.
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSync.h>
#include <rangeline/control.h>

#include "bench.h"

enum { MOST_NAMES = 100000, NAME_BYTES = 24 };

static nvtxDomainHandle_t domain, excluded; /* bench/run excludes the second */
static nvtxEventAttributes_t registered, full, full_registered, extended;
static nvtxEventAttributes_t excluded_registered, excluded_plain;
static struct {
    int64_t bytes;
    double rate;
    int32_t kind;
} structure;
static nvtxPayloadData_t payload;
static uint64_t counter;
static nvtxSyncUser_t lock;
static char (*names)[NAME_BYTES];

static void one_clock_read(size_t n)
{
    for (size_t i = 0; i < n; i++)
        BENCH_USE(bench_ticks());
}

static void two_clock_reads(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        BENCH_USE(bench_ticks());
        BENCH_USE(bench_ticks());
    }
}

static void two_clock_reads_and_stores(size_t n)
{
    static uint64_t buffer[1 << 14];

    for (size_t i = 0; i < n; i++) {
        uint64_t *at = &buffer[2 * i % (1 << 14)];

        __atomic_store_n(&at[0], bench_ticks(), __ATOMIC_RELEASE);
        __atomic_store_n(&at[1], bench_ticks(), __ATOMIC_RELEASE);
    }
}

/* The least cost of any recorder called through NVTX's function pointers. */
static __attribute__((noinline)) uint64_t read_clock(void)
{
    return bench_ticks();
}

static void two_calls_that_read_the_clock(size_t n)
{
    uint64_t (*volatile callback)(void) = read_clock;

    for (size_t i = 0; i < n; i++) {
        BENCH_USE(callback());
        BENCH_USE(callback());
    }
}

static void push_pop_registered(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        nvtxDomainRangePushEx(domain, &registered);
        nvtxDomainRangePop(domain);
    }
}

static void push_pop_plain(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        nvtxRangePushA("forward");
        nvtxRangePop();
    }
}

static void push_pop_names(size_t n, size_t n_names)
{
    for (size_t i = 0, name = 0; i < n; i++) {
        nvtxRangePushA(names[name]);
        nvtxRangePop();
        name = name + 1 == n_names ? 0 : name + 1;
    }
}

static void push_pop_256(size_t n)
{
    push_pop_names(n, 256);
}

static void push_pop_1000(size_t n)
{
    push_pop_names(n, 1000);
}

static void push_pop_100000(size_t n)
{
    push_pop_names(n, MOST_NAMES);
}

/* A new text in the same buffer each time, as in programs that format messages. */
static void push_pop_formatted(size_t n)
{
    static unsigned long serial;
    char text[32];

    memcpy(text, "step ........", 14);
    for (size_t i = 0; i < n; i++) {
        unsigned long rest = serial++;

        for (int digit = 12; digit > 4; digit--, rest /= 10)
            text[digit] = (char)('0' + rest % 10);
        nvtxRangePushA(text);
        nvtxRangePop();
    }
}

static void push_pop_full(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        full.payload.llValue = (int64_t)i;
        nvtxDomainRangePushEx(domain, &full);
        nvtxDomainRangePop(domain);
    }
}

static void push_pop_full_registered(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        full_registered.payload.llValue = (int64_t)i;
        nvtxDomainRangePushEx(domain, &full_registered);
        nvtxDomainRangePop(domain);
    }
}

/* A struct of 24 bytes on a range with a registered name. */
static void push_pop_payload(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        structure.bytes = (int64_t)i;
        nvtxDomainRangePushEx(domain, &extended);
        nvtxDomainRangePop(domain);
    }
}

static void push_pop_excluded(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        nvtxDomainRangePushEx(excluded, &excluded_registered);
        nvtxDomainRangePop(excluded);
    }
}

static void push_pop_excluded_plain(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        nvtxDomainRangePushEx(excluded, &excluded_plain);
        nvtxDomainRangePop(excluded);
    }
}

/* While no window is open. */
static void push_pop_closed(size_t n)
{
    rln_stop();
    push_pop_registered(n);
    rln_start();
}

static void push_pop_closed_plain(size_t n)
{
    rln_stop();
    push_pop_plain(n);
    rln_start();
}

static void start_end_registered(size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &registered));
}

static void start_end_plain(size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvtxRangeEnd(nvtxRangeStartA("request"));
}

static void mark_registered(size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvtxDomainMarkEx(domain, &registered);
}

static void mark_plain(size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvtxMarkA("tick");
}

static void sample_int64(size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvtxCounterSampleInt64(domain, counter, (int64_t)i);
}

static void sample_static(size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvtxCounterSampleInt64(domain, NVTX_COUNTER_ID_STATIC_START, (int64_t)i);
}

/* A group: a struct of 24 bytes by reference. */
static void sample_group(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        structure.bytes = (int64_t)i;
        nvtxCounterSample(domain, counter, &structure, sizeof structure);
    }
}

static void sync_step(size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvtxDomainSyncUserAcquireStart(lock);
}

#define PAIR_FLOOR "floor: two clock reads"
#define MARK_FLOOR "floor: one clock read"

static const struct bench_case cases[] = {
    {PAIR_FLOOR, two_clock_reads, 0, NULL, 1},
    {"two clock reads, two stores", two_clock_reads_and_stores, 0, PAIR_FLOOR, 1},
    {"two calls that read the clock", two_calls_that_read_the_clock, 0, PAIR_FLOOR, 1},
    {"push/pop, registered", push_pop_registered, 1.35, PAIR_FLOOR, 1},
    {"push/pop, plain", push_pop_plain, 1.6, PAIR_FLOOR, 1},
    {"push/pop, plain, 256 names", push_pop_256, 1.6, PAIR_FLOOR, 1},
    {"push/pop, plain, 1,000 names", push_pop_1000, 0, PAIR_FLOOR, 4},
    {"push/pop, plain, 100,000 names", push_pop_100000, 0, PAIR_FLOOR, 4},
    {"push/pop, plain, always a new name", push_pop_formatted, 0, PAIR_FLOOR, 20},
    {"push/pop, plain, color, category, payload", push_pop_full, 1.8, PAIR_FLOOR, 1},
    {"push/pop, registered, color, category, payload", push_pop_full_registered, 1.8,
     PAIR_FLOOR, 1},
    {"push/pop, registered, payload of 24 bytes", push_pop_payload, 1.6, PAIR_FLOOR, 8},
    {"push/pop, registered, domain excluded", push_pop_excluded, 4, NULL, 1},
    {"push/pop, plain, domain excluded", push_pop_excluded_plain, 6, NULL, 1},
    {"push/pop, registered, window closed", push_pop_closed, 4, NULL, 1},
    {"push/pop, plain, window closed", push_pop_closed_plain, 6, NULL, 1},
    {"start/end, registered", start_end_registered, 1.8, PAIR_FLOOR, 1},
    {"start/end, plain", start_end_plain, 0, PAIR_FLOOR, 1},
    {MARK_FLOOR, one_clock_read, 0, NULL, 1},
    {"mark, registered", mark_registered, 2.0, MARK_FLOOR, 1},
    {"mark, plain", mark_plain, 2.0, MARK_FLOOR, 1},
    {"counter sample, int64", sample_int64, 2.0, MARK_FLOOR, 1},
    {"counter sample, the program's id", sample_static, 2.0, MARK_FLOOR, 1},
    {"counter sample, group of 24 bytes", sample_group, 0, MARK_FLOOR, 8},
    {"sync object, a step", sync_step, 0, MARK_FLOOR, 1},
};

static nvtxEventAttributes_t attributes_of(const char *plain, nvtxStringHandle_t string)
{
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = plain ? NVTX_MESSAGE_TYPE_ASCII : NVTX_MESSAGE_TYPE_REGISTERED;
    if (plain)
        a.message.ascii = plain;
    else
        a.message.registered = string;
    return a;
}

static void add_color_category_payload(nvtxEventAttributes_t *a)
{
    a->colorType = NVTX_COLOR_ARGB;
    a->color = 0xff76b900;
    a->category = 7;
    a->payloadType = NVTX_PAYLOAD_TYPE_INT64;
}

static void prepare_extensions(void)
{
    const nvtxCounterAttr_t counted = {.structSize = sizeof counted,
                                       .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                       .name = "queued"};

    counter = nvtxCounterRegister(domain, &counted);
    lock = nvtxDomainSyncUserCreate(domain, NULL);
    payload.schemaId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
    payload.size = sizeof structure;
    payload.payload = &structure;
    extended = registered;
    NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE_N(extended, &payload, 1)
    excluded = nvtxDomainCreateA("bench.excluded");
    excluded_registered =
        attributes_of(NULL, nvtxDomainRegisterStringA(excluded, "forward"));
    excluded_plain = attributes_of("forward", NULL);
}

int main(void)
{
    nvtxStringHandle_t string;

    names = malloc(sizeof *names * MOST_NAMES);
    for (size_t i = 0; names && i < MOST_NAMES; i++)
        snprintf(names[i], NAME_BYTES, "operator %zu", i);
    domain = nvtxDomainCreateA("bench");
    string = nvtxDomainRegisterStringA(domain, "forward");
    registered = attributes_of(NULL, string);
    full = attributes_of("forward", NULL);
    full_registered = attributes_of(NULL, string);
    add_color_category_payload(&full);
    add_color_category_payload(&full_registered);
    prepare_extensions();
    bench_rounds(cases, sizeof cases / sizeof *cases, 500000, 2);
    return 0;
}
