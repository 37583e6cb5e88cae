/* SPDX-License-Identifier: Apache-2.0 */
/* filtered.c - makes every kind of event in four domains; filtered.sh excludes some of
 * them. Prints the results of its calls: only those of nvtxDomainIsEnabled() and ids
 * may differ. */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSync.h>

#include <stdio.h>

static nvtxEventAttributes_t named(nvtxDomainHandle_t domain, const char *name)
{
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    a.message.registered = nvtxDomainRegisterStringA(domain, name);
    return a;
}

static void say_all(const char *name, nvtxDomainHandle_t domain)
{
    const int64_t value = 1;
    const nvtxPayloadData_t data = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, sizeof value,
                                    &value};
    const nvtxCounterAttr_t counter = {.structSize = sizeof counter,
                                       .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                       .name = "counter"};
    const nvtxEventAttributes_t event = named(domain, "event");
    nvtxEventAttributes_t plain = event, extended = event;
    nvtxSyncUser_t lock = nvtxDomainSyncUserCreate(domain, NULL);
    int depths[6];

    plain.messageType = NVTX_MESSAGE_TYPE_ASCII;
    plain.message.ascii = "event";
    extended.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    extended.reserved0 = 1;
    extended.payload.ullValue = (uint64_t)(uintptr_t)&data;
    nvtxDomainMarkEx(domain, &event);
    nvtxDomainMarkEx(domain, &plain);
    depths[0] = nvtxDomainRangePushEx(domain, &event);
    depths[1] = nvtxDomainRangePushEx(domain, &extended);
    depths[2] = nvtxRangePushPayload(domain, &data, 1);
    depths[3] = nvtxRangePopPayload(domain, &data, 1);
    depths[4] = nvtxDomainRangePop(domain) + nvtxDomainRangePop(domain);
    depths[5] = nvtxDomainRangePop(domain);
    nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &event));
    nvtxRangeEndPayload(domain, nvtxRangeStartPayload(domain, &data, 1), &data, 1);
    nvtxMarkPayload(domain, &data, 1);
    nvtxCounterSampleInt64(domain, nvtxCounterRegister(domain, &counter), 1);
    nvtxCounterSampleInt64(domain, NVTX_COUNTER_ID_STATIC_START, 1);
    nvtxDomainSyncUserAcquireStart(lock);
    nvtxDomainSyncUserDestroy(lock);
    nvtxMemPermissionsUnbind(domain, 1);
    printf("%-8s %s, depths %d %d %d %d %d %d\n", name,
           nvtxDomainIsEnabled(domain) ? "enabled" : "excluded", depths[0], depths[1],
           depths[2], depths[3], depths[4], depths[5]);
}

int main(void)
{
    say_all("none", NULL);
    say_all("io", nvtxDomainCreateA("io"));
    say_all("default", nvtxDomainCreateA("default"));
    say_all("a,b", nvtxDomainCreateA("a,b"));
    printf("plain    depths %d", nvtxRangePushA("plain"));
    printf(" %d", nvtxRangePop());
    printf(" %d\n", nvtxRangePop());
    return 0;
}
