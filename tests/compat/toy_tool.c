/* SPDX-License-Identifier: Apache-2.0 */
/* toy_tool.c - an injection library that logs each call: CORE and CORE2 here, the other
 * modules in toy_names.c and toy_ext.c.
 *
 * One line per callback, arguments decoded, appended to the file that TOY_LOG names.
 * Handles are small numbers in order of creation, so the log is the same in every run.
 *
 *   TOY_DECLINE=1    fill the slots, then return 0
 *   TOY_ONLY_CORE=1  leave the slots of CORE2 alone
 *   TOY_DELAY_MS=n   sleep in each init; in this one after half of the slots are filled
 *   -DTOY_STATIC     for linking into the program: found by its variable, not by path
 *
 * If the program exports `void toy_during_init(void)`, each init calls it.
 */
#define _GNU_SOURCE
#define NVTX_NO_IMPL
#include "toy_tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_DOMAINS 16

static _Thread_local int depth[MAX_DOMAINS];
static unsigned long n_domains, n_strings, n_resources, n_ranges;
static char domain_names[MAX_DOMAINS][64];

static struct text payload(const nvtxEventAttributes_t *a)
{
    struct text t;

    switch (a->payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
        sprintf(t.s, "u64 %llu", (unsigned long long)a->payload.ullValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT64:
        sprintf(t.s, "i64 %lld", (long long)a->payload.llValue);
        break;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
        sprintf(t.s, "f64 %.17g", a->payload.dValue);
        break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
        sprintf(t.s, "u32 %u", (unsigned)a->payload.uiValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT32:
        sprintf(t.s, "i32 %d", (int)a->payload.iValue);
        break;
    case NVTX_PAYLOAD_TYPE_FLOAT:
        sprintf(t.s, "f32 %.9g", (double)a->payload.fValue);
        break;
    default:
        sprintf(t.s, "type %d", (int)a->payloadType);
    }
    return t;
}

static struct text attributes(const nvtxEventAttributes_t *a)
{
    struct text t;

    if (!a) {
        strcpy(t.s, "NULL");
        return t;
    }
    snprintf(t.s, sizeof(t.s),
             "v%u size=%u category=%u color=%d:%08x payload=%.60s "
             "reserved=%d message=%.300s",
             a->version, a->size, (unsigned)a->category, (int)a->colorType,
             (unsigned)a->color, payload(a).s, (int)a->reserved0,
             toy_message(a->messageType, a->message).s);
    return t;
}

/* ---- Callbacks ------------------------------------------------------------------- */

unsigned long toy_index(const void *handle)
{
    return (unsigned long)(uintptr_t)handle;
}

static nvtxRangeId_t start(nvtxDomainHandle_t d, const char *call, struct text t)
{
    const unsigned long id = __atomic_add_fetch(&n_ranges, 1, __ATOMIC_RELAXED);

    toy_say("%s domain=%lu %s -> %lu", call, toy_index(d), t.s, id);
    return id;
}

static int push(nvtxDomainHandle_t d, const char *call, struct text t)
{
    toy_say("%s domain=%lu %s -> %d", call, toy_index(d), t.s, depth[toy_index(d)]);
    return depth[toy_index(d)]++;
}

static int pop(nvtxDomainHandle_t d, const char *call)
{
    const int at = depth[toy_index(d)] > 0 ? --depth[toy_index(d)] : -1;

    toy_say("%s domain=%lu -> %d", call, toy_index(d), at);
    return at;
}

static nvtxDomainHandle_t create(const char *call, struct text name)
{
    unsigned long i;

    for (i = 1; i <= n_domains && strcmp(domain_names[i], name.s) != 0; i++)
        ;
    if (i > n_domains && i < MAX_DOMAINS) {
        n_domains = i;
        snprintf(domain_names[i], sizeof(domain_names[i]), "%.63s", name.s);
    }
    toy_say("%s %s -> %lu", call, name.s, i);
    return (nvtxDomainHandle_t)(uintptr_t)i;
}

static nvtxStringHandle_t register_string(nvtxDomainHandle_t d, const char *call,
                                          struct text t)
{
    toy_say("%s domain=%lu %s -> %lu", call, toy_index(d), t.s, ++n_strings);
    return (nvtxStringHandle_t)(uintptr_t)n_strings;
}

static void on_MarkEx(const nvtxEventAttributes_t *a)
{
    toy_say("MarkEx %s", attributes(a).s);
}

static void on_MarkA(const char *m)
{
    toy_say("MarkA %s", toy_narrow(m).s);
}

static void on_MarkW(const wchar_t *m)
{
    toy_say("MarkW %s", toy_wide(m).s);
}

static nvtxRangeId_t on_RangeStartEx(const nvtxEventAttributes_t *a)
{
    return start(NULL, "RangeStartEx", attributes(a));
}

static nvtxRangeId_t on_RangeStartA(const char *m)
{
    return start(NULL, "RangeStartA", toy_narrow(m));
}

static nvtxRangeId_t on_RangeStartW(const wchar_t *m)
{
    return start(NULL, "RangeStartW", toy_wide(m));
}

static void on_RangeEnd(nvtxRangeId_t id)
{
    toy_say("RangeEnd %lu", (unsigned long)id);
}

static int on_RangePushEx(const nvtxEventAttributes_t *a)
{
    return push(NULL, "RangePushEx", attributes(a));
}

static int on_RangePushA(const char *m)
{
    return push(NULL, "RangePushA", toy_narrow(m));
}

static int on_RangePushW(const wchar_t *m)
{
    return push(NULL, "RangePushW", toy_wide(m));
}

static int on_RangePop(void)
{
    return pop(NULL, "RangePop");
}

static void on_NameCategoryA(uint32_t category, const char *name)
{
    toy_say("NameCategoryA %u %s", (unsigned)category, toy_narrow(name).s);
}

static void on_NameCategoryW(uint32_t category, const wchar_t *name)
{
    toy_say("NameCategoryW %u %s", (unsigned)category, toy_wide(name).s);
}

static void on_NameOsThreadA(uint32_t thread, const char *name)
{
    toy_say("NameOsThreadA %u %s", (unsigned)thread, toy_narrow(name).s);
}

static void on_NameOsThreadW(uint32_t thread, const wchar_t *name)
{
    toy_say("NameOsThreadW %u %s", (unsigned)thread, toy_wide(name).s);
}

static void on_DomainMarkEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
    toy_say("DomainMarkEx domain=%lu %s", toy_index(d), attributes(a).s);
}

static nvtxRangeId_t on_DomainRangeStartEx(nvtxDomainHandle_t d,
                                           const nvtxEventAttributes_t *a)
{
    return start(d, "DomainRangeStartEx", attributes(a));
}

static void on_DomainRangeEnd(nvtxDomainHandle_t d, nvtxRangeId_t id)
{
    toy_say("DomainRangeEnd domain=%lu %lu", toy_index(d), (unsigned long)id);
}

static int on_DomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
    return push(d, "DomainRangePushEx", attributes(a));
}

static int on_DomainRangePop(nvtxDomainHandle_t d)
{
    return pop(d, "DomainRangePop");
}

static nvtxResourceHandle_t on_DomainResourceCreate(nvtxDomainHandle_t d,
                                                    nvtxResourceAttributes_t *r)
{
    if (r)
        toy_say("DomainResourceCreate domain=%lu v%u size=%u type=%x id=%llx %s -> %lu",
                toy_index(d), r->version, r->size, (unsigned)r->identifierType,
                (unsigned long long)r->identifier.ullValue,
                toy_message(r->messageType, r->message).s, ++n_resources);
    else
        toy_say("DomainResourceCreate domain=%lu NULL -> %lu", toy_index(d),
                ++n_resources);
    return (nvtxResourceHandle_t)(uintptr_t)n_resources;
}

static void on_DomainResourceDestroy(nvtxResourceHandle_t r)
{
    toy_say("DomainResourceDestroy %lu", (unsigned long)(uintptr_t)r);
}

static void on_DomainNameCategoryA(nvtxDomainHandle_t d, uint32_t c, const char *name)
{
    toy_say("DomainNameCategoryA domain=%lu %u %s", toy_index(d), (unsigned)c,
            toy_narrow(name).s);
}

static void on_DomainNameCategoryW(nvtxDomainHandle_t d, uint32_t c,
                                   const wchar_t *name)
{
    toy_say("DomainNameCategoryW domain=%lu %u %s", toy_index(d), (unsigned)c,
            toy_wide(name).s);
}

static nvtxStringHandle_t on_DomainRegisterStringA(nvtxDomainHandle_t d, const char *s)
{
    return register_string(d, "DomainRegisterStringA", toy_narrow(s));
}

static nvtxStringHandle_t on_DomainRegisterStringW(nvtxDomainHandle_t d,
                                                   const wchar_t *s)
{
    return register_string(d, "DomainRegisterStringW", toy_wide(s));
}

static nvtxDomainHandle_t on_DomainCreateA(const char *name)
{
    return create("DomainCreateA", toy_narrow(name));
}

static nvtxDomainHandle_t on_DomainCreateW(const wchar_t *name)
{
    return create("DomainCreateW", toy_wide(name));
}

static void on_DomainDestroy(nvtxDomainHandle_t d)
{
    toy_say("DomainDestroy %lu", toy_index(d));
}

static void on_Initialize(const void *reserved)
{
    toy_say("Initialize %s", reserved ? "set" : "NULL");
}

/* ---- Attaching ------------------------------------------------------------------- */

#define CALLBACK(module, name)                                                         \
    {NVTX_CB_MODULE##module, NVTX_CBID##module##_##name,                               \
     (NvtxFunctionPointer)(nvtx##name##_impl_fntype)on_##name},
#define CALLBACK_V(module, name, params, args) CALLBACK(module, name)
#define CALLBACK_R(module, name, params, args, type, neutral) CALLBACK(module, name)

static const struct {
    NvtxCallbackModule module;
    unsigned id;
    NvtxFunctionPointer callback;
} callbacks[] = {NVTX_CORE_CALLS(CALLBACK_V, CALLBACK_R)
                     NVTX_CORE2_CALLS(CALLBACK_V, CALLBACK_R)};

/* A well-formed table: NULL, `size` - 1 slots that hold something, NULL. */
static void describe(const NvtxExportTableCallbacks *export_table)
{
    int module;

    for (module = 0; module <= NVTX_CB_MODULE_SIZE; module++) {
        NvtxFunctionTable table = NULL;
        unsigned size = 0, n_live = 0, i;
        const int ok = export_table->GetModuleFunctionTable((NvtxCallbackModule)module,
                                                            &table, &size);

        for (i = 1; ok && i < size; i++)
            n_live += table[i] && *table[i];
        toy_say("module %d: %s, size %u, slots in use %u%s", module, ok ? "yes" : "no",
                size, n_live, !ok || (!table[0] && !table[size]) ? "" : ", bad ends");
    }
}

void toy_call_program(void)
{
    void (*during_init)(void);

    *(void **)&during_init = dlsym(RTLD_DEFAULT, "toy_during_init");
    if (during_init)
        during_init();
}

void toy_sleep(void)
{
    const char *const delay = getenv("TOY_DELAY_MS");

    if (delay)
        usleep((useconds_t)atoi(delay) * 1000);
}

static int attach(NvtxGetExportTableFunc_t get)
{
    const NvtxExportTableCallbacks *const c =
        (const NvtxExportTableCallbacks *)get(NVTX_ETID_CALLBACKS);
    const NvtxExportTableVersionInfo *const v =
        (const NvtxExportTableVersionInfo *)get(NVTX_ETID_VERSIONINFO);
    size_t i;

    toy_call_program();
    toy_say("attach: NVTX %u, callbacks %d, version info %d, others %d %d", v->version,
            c->struct_size == sizeof(*c), v->struct_size == sizeof(*v),
            get(NVTX_ETID_INVALID) != NULL, get(NVTX_ETID_RESERVED0) != NULL);
    v->SetInjectionNvtxVersion(NVTX_VERSION);
    describe(c);
    for (i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++) {
        NvtxFunctionTable table = NULL;

        if (callbacks[i].module == NVTX_CB_MODULE_CORE2 && callbacks[i].id == 1)
            toy_sleep();
        if (getenv("TOY_ONLY_CORE") && callbacks[i].module != NVTX_CB_MODULE_CORE)
            continue;
        c->GetModuleFunctionTable(callbacks[i].module, &table, NULL);
        __atomic_store_n(table[callbacks[i].id], callbacks[i].callback,
                         __ATOMIC_RELEASE);
    }
    if (!getenv("TOY_ONLY_CORE"))
        toy_fill_names(c);
    errno = EDOM; /* as a careless tool would leave it */
    return getenv("TOY_DECLINE") == NULL;
}

#ifdef TOY_STATIC
extern NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr;
NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = attach;
#else
NVTX_DYNAMIC_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
{
    return attach(get);
}
#endif
