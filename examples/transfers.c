/* SPDX-License-Identifier: Apache-2.0 */
/* transfers.c - how much did each range transfer, how many were queued, and who waited?
 * Ranges have structs as payloads, a counter has a unit, and a lock that the program
 * implements is annotated.
 *
 *   cc -O2 -Iinclude examples/transfers.c -o build/examples/transfers -ldl
 *   build/bin/rangeline profile -o transfers build/examples/transfers
 *   build/bin/rangeline stats -r payload_sum,counter_sum,sync_sum transfers.rln
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayloadHelper.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSync.h>

#include <stdatomic.h>
#include <stdio.h>

enum { N_TRANSFERS = 4 };

/* Defines the struct together with its schema, so that they always agree. */
NVTX_DEFINE_STRUCT_WITH_SCHEMA(
    transfer, "transfer", static,
    NVTX_PAYLOAD_ENTRIES((uint32_t, number, TYPE_UINT32, "number"),
                         (uint64_t, bytes, TYPE_UINT64, "bytes")))

static nvtxDomainHandle_t domain;
static uint64_t schema, queued;
static nvtxSyncUser_t lock_handle;
static atomic_flag lock;
static volatile uint64_t sum; /* keeps the compiler from removing the work */

static void describe(void)
{
    const nvtxSemanticsCounter_t unit = {
        .header = {sizeof unit, NVTX_SEMANTIC_ID_COUNTERS_V1,
                   NVTX_COUNTER_SEMANTIC_VERSION, NULL},
        .flags = NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT,
        .unit = "transfers",
        .unitScaleNumerator = 1,
        .unitScaleDenominator = 1};
    const nvtxCounterAttr_t counter = {.structSize = sizeof counter,
                                       .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                       .name = "queued",
                                       .semantics = &unit.header};
    const nvtxSyncUserAttributes_t spin = {NVTX_VERSION,
                                           NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE,
                                           NVTX_MESSAGE_TYPE_ASCII,
                                           {.ascii = "table"}};

    domain = nvtxDomainCreateA("transfers");
    schema = nvtxPayloadSchemaRegister(domain, &transferAttr);
    queued = nvtxCounterRegister(domain, &counter);
    lock_handle = nvtxDomainSyncUserCreate(domain, &spin);
}

static void run(const transfer *t)
{
    nvtxEventAttributes_t range = {.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                   .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                   .message.ascii = "transfer"};

    nvtxPayloadRangePush(domain, &range, schema, t, sizeof *t);
    nvtxDomainSyncUserAcquireStart(lock_handle);
    while (atomic_flag_test_and_set(&lock))
        ;
    nvtxDomainSyncUserAcquireSuccess(lock_handle);
    for (uint64_t i = 0; i < t->bytes; i++)
        sum += i;
    nvtxDomainSyncUserReleasing(lock_handle);
    atomic_flag_clear(&lock);
    nvtxDomainRangePop(domain);
}

int main(void)
{
    uint64_t bytes = 0;

    describe();
    for (uint32_t i = 0; i < N_TRANSFERS; i++) {
        const transfer t = {i, 1000000u << i};

        nvtxCounterSampleInt64(domain, queued, N_TRANSFERS - i);
        run(&t);
        bytes += t.bytes;
    }
    nvtxCounterSampleNoValue(domain, queued, NVTX_COUNTER_SAMPLE_ZERO);
    printf("%llu bytes\n", (unsigned long long)bytes);
    return 0;
}
