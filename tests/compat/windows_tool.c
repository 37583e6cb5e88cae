/* SPDX-License-Identifier: Apache-2.0 */
/* windows_tool.c - a tool as a DLL: prints each call that windows_calls.c makes. */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <stdio.h>

static unsigned long n_handles;
static int depth;

#define HANDLE_OF(type) ((type)(uintptr_t)++n_handles)
#define NUMBER_OF(handle) ((unsigned)(uintptr_t)(handle))

static void print_wide(const wchar_t *s)
{
    for (; *s; s++)
        printf(*s < 128 ? "%c" : "\\u%04x", (unsigned)*s);
}

static void print_event(const char *call, const void *domain,
                        const nvtxEventAttributes_t *a)
{
    printf("%s domain=%u category=%u ", call, NUMBER_OF(domain), (unsigned)a->category);
    if (a->messageType == NVTX_MESSAGE_TYPE_ASCII)
        printf("%s", a->message.ascii);
    else if (a->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        print_wide(a->message.unicode);
    else if (a->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
        printf("string %u", NUMBER_OF(a->message.registered));
    if (a->payloadType == (int32_t)NVTX_PAYLOAD_TYPE_EXT) {
        const nvtxPayloadData_t *p =
            (const nvtxPayloadData_t *)(uintptr_t)a->payload.ullValue;

        printf(" payload schema=%u size=%u first=%d", (unsigned)p->schemaId,
               (unsigned)p->size, *(const int *)p->payload);
    }
    printf("\n");
}

static void NVTX_API on_mark_a(const char *message)
{
    printf("mark %s\n", message);
}

static void NVTX_API on_mark_w(const wchar_t *message)
{
    printf("mark ");
    print_wide(message);
    printf("\n");
}

static int NVTX_API on_push_a(const char *message)
{
    printf("push %s\n", message);
    return depth++;
}

static int NVTX_API on_pop(void)
{
    printf("pop\n");
    return --depth;
}

static void NVTX_API on_name_thread_a(uint32_t thread, const char *name)
{
    printf("thread %s %s\n", thread ? "has a number," : "0,", name);
}

static nvtxDomainHandle_t NVTX_API on_create_a(const char *name)
{
    printf("domain %s\n", name);
    return HANDLE_OF(nvtxDomainHandle_t);
}

static nvtxStringHandle_t NVTX_API on_register_w(nvtxDomainHandle_t d, const wchar_t *s)
{
    printf("register domain=%u ", NUMBER_OF(d));
    print_wide(s);
    printf("\n");
    return HANDLE_OF(nvtxStringHandle_t);
}

static void NVTX_API on_domain_mark(nvtxDomainHandle_t d,
                                    const nvtxEventAttributes_t *a)
{
    print_event("mark", d, a);
}

static nvtxRangeId_t NVTX_API on_domain_start(nvtxDomainHandle_t d,
                                              const nvtxEventAttributes_t *a)
{
    print_event("start", d, a);
    return 0x123456789u;
}

static void NVTX_API on_domain_end(nvtxDomainHandle_t d, nvtxRangeId_t id)
{
    printf("end domain=%u %s\n", NUMBER_OF(d),
           id == 0x123456789u ? "same id" : "another id");
}

static uint64_t NVTX_API on_schema(nvtxDomainHandle_t d,
                                   const nvtxPayloadSchemaAttr_t *attr)
{
    printf("schema domain=%u %s, %u entries\n", NUMBER_OF(d), attr->name,
           (unsigned)attr->numEntries);
    return 77;
}

static void NVTX_API on_mark_payload(nvtxDomainHandle_t d, const nvtxPayloadData_t *p,
                                     size_t count)
{
    printf("payload domain=%u schema=%u size=%u of %u\n", NUMBER_OF(d),
           (unsigned)p->schemaId, (unsigned)p->size, (unsigned)count);
}

NVTX_DYNAMIC_EXPORT int NVTX_API
InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module);
NVTX_DYNAMIC_EXPORT int NVTX_API
InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module)
{
    const nvtxPayloadEntryTypeInfo_t *types = module->extInfo;
    intptr_t *slot = module->segments[0].functionSlots;

    if (module->moduleId != NVTX_EXT_PAYLOAD_MODULEID)
        return 0;
    printf("attach payload: wchar_t has %u bytes, long %u\n",
           types[NVTX_PAYLOAD_ENTRY_TYPE_WCHAR].size,
           types[NVTX_PAYLOAD_ENTRY_TYPE_LONG].size);
    slot[NVTX3EXT_CBID_nvtxPayloadSchemaRegister] = (intptr_t)on_schema;
    slot[NVTX3EXT_CBID_nvtxMarkPayload] = (intptr_t)on_mark_payload;
    return 1;
}

NVTX_DYNAMIC_EXPORT int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
NVTX_DYNAMIC_EXPORT int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
{
    const NvtxExportTableCallbacks *c =
        (const NvtxExportTableCallbacks *)get(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable core, core2;
    unsigned n_core, n_core2;

    if (!c->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &n_core) ||
        !c->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &core2, &n_core2))
        return 0;
    printf("attach: %u and %u entries\n", n_core, n_core2);
#define STORE(table, id, callback) *(table)[id] = (NvtxFunctionPointer)(callback)
    STORE(core, NVTX_CBID_CORE_MarkA, on_mark_a);
    STORE(core, NVTX_CBID_CORE_MarkW, on_mark_w);
    STORE(core, NVTX_CBID_CORE_RangePushA, on_push_a);
    STORE(core, NVTX_CBID_CORE_RangePop, on_pop);
    STORE(core, NVTX_CBID_CORE_NameOsThreadA, on_name_thread_a);
    STORE(core2, NVTX_CBID_CORE2_DomainCreateA, on_create_a);
    STORE(core2, NVTX_CBID_CORE2_DomainRegisterStringW, on_register_w);
    STORE(core2, NVTX_CBID_CORE2_DomainMarkEx, on_domain_mark);
    STORE(core2, NVTX_CBID_CORE2_DomainRangeStartEx, on_domain_start);
    STORE(core2, NVTX_CBID_CORE2_DomainRangeEnd, on_domain_end);
    return 1;
}
