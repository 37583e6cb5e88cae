/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge/itt_frames.h"
#include "bridge/itt_names.h"
#include "bridge/open_ranges.h"

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>

/* A frame that is submitted, as its schema says. */
struct frame {
    int64_t begin, end;
    uint64_t name; /* handle of a registered string */
};

/* NULL: no tool records. */
static nvtxDomainHandle_t frames(void)
{
    static struct rln__itt_domain all = {.flags = 1, .name = "ITT frames"};

    return rln__itt_handle(&all);
}

static nvtxStringHandle_t name_of(nvtxDomainHandle_t handle,
                                  const struct rln__itt_domain *domain)
{
    struct rln__itt_string *name = domain ? rln__itt_string(domain->name) : NULL;

    return name ? rln__itt_registered(handle, name) : NULL;
}

/* --- Begin and end ---------------------------------------------------------------- */

static uint64_t key_of(const struct rln__itt_domain *domain,
                       const struct rln__itt_id *id)
{
    uint64_t key = (uint64_t)(uintptr_t)domain;

    for (int i = 0; i < 3 && id; i++)
        key = (key ^ key >> 31) * 0xff51afd7ed558ccdu + id->words[i] + 1;
    return key;
}

void rln__itt_frame_begin(const struct rln__itt_domain *domain,
                          const struct rln__itt_id *id)
{
    nvtxDomainHandle_t handle = frames();
    nvtxEventAttributes_t event = {.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                   .messageType = NVTX_MESSAGE_TYPE_REGISTERED};
    nvtxRangeId_t range;

    if (!handle || !domain)
        return;
    event.message.registered = name_of(handle, domain);
    range = nvtxDomainRangeStartEx(handle, &event);
    if (range && rln__open_range_keep(key_of(domain, id), range))
        nvtxDomainRangeEnd(handle, range);
}

void rln__itt_frame_end(const struct rln__itt_domain *domain,
                        const struct rln__itt_id *id)
{
    nvtxDomainHandle_t handle = frames();
    const nvtxRangeId_t range =
        handle && domain ? rln__open_range_take(key_of(domain, id)) : 0;

    if (range)
        nvtxDomainRangeEnd(handle, range);
}

/* --- Submitted afterwards --------------------------------------------------------- */

static uint64_t register_schema(nvtxDomainHandle_t handle)
{
    static const nvtxSemanticsTime_t clock = {
        .header = {.structSize = sizeof(clock),
                   .semanticId = NVTX_SEMANTIC_ID_TIME_V1,
                   .version = NVTX_TIME_SEMANTIC_VERSION},
        .timeDomainId = NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED};
    static const nvtxPayloadSchemaEntry_t entries[] = {
        {.flags =
             NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP | NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
         .name = "begin",
         .semantics = &clock.header},
        {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP | NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
         .name = "end",
         .semantics = &clock.header},
        {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE,
         .name = "name"},
    };
    const nvtxPayloadSchemaAttr_t attributes = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
        .name = "ITT frame",
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .flags = NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND,
        .entries = entries,
        .numEntries = 3,
        .payloadStaticSize = sizeof(struct frame)};

    return nvtxPayloadSchemaRegister(handle, &attributes);
}

/* 0: no tool records. Threads that come first at once may each register one. */
static uint64_t schema_of(nvtxDomainHandle_t handle)
{
    static uint64_t known; /* atomic */
    uint64_t id = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!id) {
        id = register_schema(handle);
        __atomic_store_n(&known, id, __ATOMIC_RELAXED);
    }
    return id;
}

void rln__itt_frame_submit(const struct rln__itt_domain *domain,
                           const struct rln__itt_id *id, uint64_t begin, uint64_t end)
{
    nvtxDomainHandle_t handle = frames();
    const struct frame frame = {
        (int64_t)begin, end == UINT64_MAX ? nvtxTimestampGet() : (int64_t)end,
        handle ? (uint64_t)(uintptr_t)name_of(handle, domain) : 0};
    const nvtxPayloadData_t payload = {.schemaId = handle ? schema_of(handle) : 0,
                                       .size = sizeof(frame),
                                       .payload = &frame};

    (void)id;
    if (payload.schemaId)
        nvtxEventSubmit(handle, &payload, 1);
}

uint64_t rln__itt_timestamp(void)
{
    return (uint64_t)nvtxTimestampGet();
}
