/* SPDX-License-Identifier: Apache-2.0 */
/* windows_calls.c - calls of each kind, in C and C++, for windows_tool.c to print.
 * A second file, with -DSECOND_FILE, shares the client of the first. */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <stdio.h>
#include <windows.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    second_file(void);

#if defined(SECOND_FILE)

void second_file(void)
{
    nvtxMarkA("from the second file");
}

#else

typedef struct {
    int a;
    double b;
} pair;

int main(void)
{
    nvtxPayloadSchemaEntry_t entries[2];
    nvtxPayloadSchemaAttr_t schema;
    nvtxEventAttributes_t event;
    nvtxPayloadData_t data[1];
    nvtxDomainHandle_t domain;
    nvtxRangeId_t id;
    pair values = {42, 0.5};
    int pushed, popped;

    SetLastError(1234);
    errno = 7;
    nvtxMarkA("first");
    printf("errors %d %lu\n", errno, (unsigned long)GetLastError());
    second_file();
    nvtxMarkW(L"wide \x00e9\x20ac");
    pushed = nvtxRangePushA("outer");
    popped = nvtxRangePop();
    printf("depths %d %d\n", pushed, popped);
    nvtxNameOsThreadA(GetCurrentThreadId(), "main");

    domain = nvtxDomainCreateA("library");
    memset(&event, 0, sizeof(event));
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.category = 5;
    event.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    event.message.unicode = L"in a domain";
    id = nvtxDomainRangeStartEx(domain, &event);
    nvtxDomainRangeEnd(domain, id);
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringW(domain, L"kept");
    nvtxDomainMarkEx(domain, &event);

    memset(entries, 0, sizeof(entries));
    entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_INT;
    entries[0].name = "a";
    entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE;
    entries[1].name = "b";
    entries[1].offset = offsetof(pair, b);
    memset(&schema, 0, sizeof(schema));
    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.name = "pair";
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.entries = entries;
    schema.numEntries = 2;
    schema.payloadStaticSize = sizeof(pair);
    data[0].schemaId = nvtxPayloadSchemaRegister(domain, &schema);
    data[0].size = sizeof(values);
    data[0].payload = &values;
    nvtxMarkPayload(domain, data, 1);
    NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE(event, data)
    nvtxDomainMarkEx(domain, &event);
    printf("enabled %d\n", nvtxDomainIsEnabled(domain));
    return 0;
}

#endif
