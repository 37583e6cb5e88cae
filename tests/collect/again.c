/* SPDX-License-Identifier: Apache-2.0 */
/* again.c - registers the same objects at each call, as libraries do: they keep their
 * ids and are recorded once. Each time domain or counter, however, is a new one. */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <stdio.h>

static nvtxDomainHandle_t domain;

static uint64_t schema(uint64_t id, const char *member)
{
    const nvtxPayloadSchemaEntry_t entry = {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT32,
                                            .name = member};
    const nvtxPayloadSchemaAttr_t a = {.fieldMask =
                                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID,
                                       .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                                       .entries = &entry,
                                       .numEntries = 1,
                                       .payloadStaticSize = 4,
                                       .schemaId = id};

    return nvtxPayloadSchemaRegister(domain, &a);
}

static uint64_t values(const char *name)
{
    const nvtxPayloadEnum_t value = {name, 1, 0};
    const nvtxPayloadEnumAttr_t a = {.fieldMask =
                                         NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                                         NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES,
                                     .entries = &value,
                                     .numEntries = 1};

    return nvtxPayloadEnumRegister(domain, &a);
}

static uint64_t scope(const char *path)
{
    const nvtxScopeAttr_t a = {
        .structSize = sizeof a, .path = path, .parentScope = NVTX_SCOPE_ROOT};

    return nvtxScopeRegister(domain, &a);
}

int main(void)
{
    const nvtxTimeDomainAttr_t clock = {.timerResolution = 1000};
    const nvtxCounterAttr_t counter = {.structSize = sizeof counter,
                                       .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                       .name = "counter"};
    uint64_t first[4] = {0}, again[4];

    domain = nvtxDomainCreateA("again");
    nvtxDomainMarkEx(domain, NULL);
    for (int i = 0; i < 1000; i++) {
        again[0] = schema(0, "member");
        again[1] = schema(NVTX_PAYLOAD_SCHEMA_ID_STATIC_START, "member");
        again[2] = values("value");
        again[3] = scope("rack");
        for (int k = 0; k < 4; k++) {
            first[k] = i ? first[k] : again[k];
            if (first[k] != again[k] || !first[k])
                return 1;
        }
    }
    if (schema(0, "another") == first[0] || values("another") == first[2] ||
        scope("another") == first[3])
        return 2;
    if (nvtxTimeDomainRegister(domain, &clock) ==
            nvtxTimeDomainRegister(domain, &clock) ||
        nvtxCounterRegister(domain, &counter) == nvtxCounterRegister(domain, &counter))
        return 3;
    puts("the same");
    return 0;
}
