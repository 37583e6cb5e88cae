/* SPDX-License-Identifier: Apache-2.0 */
/* scopes.c - submits ranges afterwards that overlap because they are of different
 * queues, named in each of three ways; and one that is of no queue.
 *
 *     queue A   [of the batch]
 *     queue B        [of an entry]
 *     queue C             [of a time]
 *     --                       [of none]
 */
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>

#define ENTRY(name) NVTX_PAYLOAD_ENTRY_TYPE_##name
#define FLAG(name) NVTX_PAYLOAD_ENTRY_FLAG_##name

struct event {
    int64_t begin, end;
    uint64_t scope;
    nvtxStringHandle_t message;
};

static nvtxDomainHandle_t domain;

static uint64_t queue(const char *path)
{
    const nvtxScopeAttr_t of = {.structSize = sizeof of, .path = path};

    return nvtxScopeRegister(domain, &of);
}

static uint64_t schema_of(uint64_t scope_type, const nvtxSemanticsScope_t *of_begin)
{
    const nvtxPayloadSchemaEntry_t entries[] = {
        {.flags = FLAG(RANGE_BEGIN) | FLAG(TIMESTAMP),
         .type = ENTRY(INT64),
         .name = "begin",
         .semantics = of_begin ? &of_begin->header : NULL},
        {.flags = FLAG(RANGE_END) | FLAG(TIMESTAMP),
         .type = ENTRY(INT64),
         .name = "end"},
        {.type = scope_type, .name = "scope"},
        {.flags = FLAG(EVENT_MESSAGE),
         .type = ENTRY(NVTX_REGISTERED_STRING_HANDLE),
         .name = "message"}};
    const nvtxPayloadSchemaAttr_t schema = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .flags = NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP,
        .entries = entries,
        .numEntries = 4,
        .payloadStaticSize = sizeof(struct event)};

    return nvtxPayloadSchemaRegister(domain, &schema);
}

static void submit(uint64_t schema, uint64_t scope, const struct event *event)
{
    const nvtxEventBatch_t batch = {.eventSchemaId = schema,
                                    .events = event,
                                    .size = sizeof *event,
                                    .scope = scope};

    nvtxEventBatchSubmit(domain, &batch);
}

int main(void)
{
    const int64_t t = nvtxTimestampGet();
    nvtxSemanticsScope_t of_begin = {.header = {sizeof of_begin,
                                                NVTX_SEMANTIC_ID_SCOPE_V1,
                                                NVTX_SCOPE_SEMANTIC_VERSION, NULL}};
    struct event event = {t, t + 1500000, 0, NULL};
    uint64_t plain;

    domain = nvtxDomainCreateA("device");
    event.message = nvtxDomainRegisterStringA(domain, "of the batch");
    plain = schema_of(ENTRY(UINT64), NULL);
    submit(plain, queue("device/queue A"), &event);
    event = (struct event){t + 500000, t + 2000000, queue("device/queue B"),
                           nvtxDomainRegisterStringA(domain, "of an entry")};
    submit(schema_of(ENTRY(SCOPE_ID), NULL), queue("device/other"), &event);
    of_begin.scopeId = queue("device/queue C");
    event = (struct event){t + 1000000, t + 2500000, 0,
                           nvtxDomainRegisterStringA(domain, "of a time")};
    submit(schema_of(ENTRY(UINT64), &of_begin), 0, &event);
    event = (struct event){t + 1250000, t + 3000000, 0,
                           nvtxDomainRegisterStringA(domain, "of none")};
    submit(plain, 0, &event);
    return 0;
}
