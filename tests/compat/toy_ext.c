/* SPDX-License-Identifier: Apache-2.0 */
/* toy_ext.c - the toy tool's callbacks for the extension modules: payload and counters
 * here, memory in toy_memory.c.
 *
 *   TOY_EXT_DECLINE=1     fill the slots, then return 0
 *   TOY_NO_IS_ENABLED=1   leave the slot of nvtxDomainIsEnabled alone
 */
#define NVTX_NO_IMPL
#include "toy_tool.h"

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;
typedef long long i64;

static unsigned long n_ids, n_depth, n_ranges;

/* ---- Values ---------------------------------------------------------------------- */

static struct text bytes(const void *data, size_t size)
{
    struct text t;
    size_t i, n = 0;

    if (!data) {
        strcpy(t.s, "NULL");
        return t;
    }
    if (size == (size_t)-1) {
        strcpy(t.s, "to the end: ");
        strncat(t.s, toy_narrow((const char *)data).s, sizeof(t.s) - 16);
        return t;
    }
    t.s[0] = '\0';
    for (i = 0; i < size && n < sizeof(t.s) - 4; i++)
        n += (size_t)sprintf(t.s + n, "%02x", ((const unsigned char *)data)[i]);
    return t;
}

static u64 limit(int64_t type, const nvtxCounterLimit_t *l)
{
    return type == NVTX_COUNTER_LIMIT_UNDEFINED ? 0 : (u64)l->u64;
}

static void say_semantics(const nvtxSemanticsHeader_t *s)
{
    for (; s; s = s->next) {
        toy_say("  semantics %u v%u size=%u", s->semanticId, s->version,
                (unsigned)s->structSize);
        if (s->semanticId == NVTX_SEMANTIC_ID_SCOPE_V1)
            toy_say("    scope %llx", (u64)((const nvtxSemanticsScope_t *)s)->scopeId);
        if (s->semanticId == NVTX_SEMANTIC_ID_TIME_V1)
            toy_say("    time domain %llx",
                    (u64)((const nvtxSemanticsTime_t *)s)->timeDomainId);
        if (s->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1) {
            const nvtxSemanticsCounter_t *const c = (const nvtxSemanticsCounter_t *)s;

            toy_say("    flags=%llx unit=%s scale=%llu/%llu limits %lld %llx %llx",
                    (u64)c->flags, toy_narrow(c->unit).s, (u64)c->unitScaleNumerator,
                    (u64)c->unitScaleDenominator, (i64)c->limitType,
                    limit(c->limitType, &c->min), limit(c->limitType, &c->max));
        }
    }
}

static void say_payloads(const nvtxPayloadData_t *data, size_t n)
{
    size_t i;

    for (i = 0; data && i < n; i++)
        toy_say("  payload schema=%llx size=%lld %s", (u64)data[i].schemaId,
                (i64)data[i].size, bytes(data[i].payload, data[i].size).s);
}

/* The program's static id, or one of ours. */
static uint64_t new_id(uint64_t static_id)
{
    return static_id ? static_id : ((uint64_t)1 << 32) + ++n_ids;
}

/* ---- Payload --------------------------------------------------------------------- */

static uint64_t on_PayloadSchemaRegister(nvtxDomainHandle_t d,
                                         const nvtxPayloadSchemaAttr_t *a)
{
    const uint64_t id = new_id(a ? a->schemaId : 0);
    size_t i;

    toy_say("PayloadSchemaRegister domain=%lu -> %llx", toy_index(d), (u64)id);
    if (!a)
        return id;
    toy_say("  %s mask=%llx type=%llu flags=%llx entries=%llu size=%llu pack=%llu %d",
            toy_narrow(a->name).s, (u64)a->fieldMask, (u64)a->type, (u64)a->flags,
            (u64)a->numEntries, (u64)a->payloadStaticSize, (u64)a->packAlign,
            a->extension != NULL);
    for (i = 0; i < a->numEntries; i++) {
        const nvtxPayloadSchemaEntry_t *const e = &a->entries[i];

        toy_say("  entry %s (%s) flags=%llx type=%llx detail=%llu offset=%llu %d",
                toy_narrow(e->name).s, toy_narrow(e->description).s, (u64)e->flags,
                (u64)e->type, (u64)e->arrayOrUnionDetail, (u64)e->offset,
                e->reserved != NULL);
        say_semantics(e->semantics);
    }
    return id;
}

static uint64_t on_PayloadEnumRegister(nvtxDomainHandle_t d,
                                       const nvtxPayloadEnumAttr_t *a)
{
    const uint64_t id = new_id(a ? a->schemaId : 0);
    size_t i;

    toy_say("PayloadEnumRegister domain=%lu -> %llx", toy_index(d), (u64)id);
    if (!a)
        return id;
    toy_say("  %s mask=%llx entries=%llu size=%llu %d", toy_narrow(a->name).s,
            (u64)a->fieldMask, (u64)a->numEntries, (u64)a->sizeOfEnum,
            a->extension != NULL);
    for (i = 0; i < a->numEntries; i++)
        toy_say("  value %s = %llu, flag %d", toy_narrow(a->entries[i].name).s,
                (u64)a->entries[i].value, a->entries[i].isFlag);
    return id;
}

static uint64_t on_ScopeRegister(nvtxDomainHandle_t d, const nvtxScopeAttr_t *a)
{
    const uint64_t id = new_id(a ? a->scopeId : 0);

    if (a)
        toy_say("ScopeRegister domain=%lu size=%llu %s in %llx -> %llx", toy_index(d),
                (u64)a->structSize, toy_narrow(a->path).s, (u64)a->parentScope,
                (u64)id);
    else
        toy_say("ScopeRegister domain=%lu NULL -> %llx", toy_index(d), (u64)id);
    return id;
}

static void on_MarkPayload(nvtxDomainHandle_t d, const nvtxPayloadData_t *p, size_t n)
{
    toy_say("MarkPayload domain=%lu n=%llu", toy_index(d), (u64)n);
    say_payloads(p, n);
}

static int on_RangePushPayload(nvtxDomainHandle_t d, const nvtxPayloadData_t *p,
                               size_t n)
{
    toy_say("RangePushPayload domain=%lu n=%llu -> %lu", toy_index(d), (u64)n, n_depth);
    say_payloads(p, n);
    return (int)n_depth++;
}

static int on_RangePopPayload(nvtxDomainHandle_t d, const nvtxPayloadData_t *p,
                              size_t n)
{
    toy_say("RangePopPayload domain=%lu n=%llu -> %ld", toy_index(d), (u64)n,
            (long)n_depth - 1);
    say_payloads(p, n);
    return (int)--n_depth;
}

static nvtxRangeId_t on_RangeStartPayload(nvtxDomainHandle_t d,
                                          const nvtxPayloadData_t *p, size_t n)
{
    toy_say("RangeStartPayload domain=%lu n=%llu -> %lu", toy_index(d), (u64)n,
            n_ranges + 1);
    say_payloads(p, n);
    return ++n_ranges;
}

static void on_RangeEndPayload(nvtxDomainHandle_t d, nvtxRangeId_t id,
                               const nvtxPayloadData_t *p, size_t n)
{
    toy_say("RangeEndPayload domain=%lu %llu n=%llu", toy_index(d), (u64)id, (u64)n);
    say_payloads(p, n);
}

static uint8_t on_DomainIsEnabled(nvtxDomainHandle_t d)
{
    toy_say("DomainIsEnabled domain=%lu -> 7", toy_index(d));
    return 7;
}

static int64_t on_TimestampGet(void)
{
    toy_say("TimestampGet -> -1234567890123");
    return -((int64_t)1234567890123);
}

static uint64_t on_TimeDomainRegister(nvtxDomainHandle_t d,
                                      const nvtxTimeDomainAttr_t *a)
{
    const uint64_t id = new_id(a ? a->timeDomainId : 0);

    toy_say("TimeDomainRegister domain=%lu -> %llx", toy_index(d), (u64)id);
    if (a)
        toy_say("  scope=%llx type=%llu flags=%llx ticks=%lld start=%llu",
                (u64)a->scopeId, (u64)a->timestampTypeId, (u64)a->timerFlags,
                (i64)a->timerResolution, (u64)a->timerStart);
    return id;
}

static void on_TimerSource(nvtxDomainHandle_t d, uint64_t time, uint64_t flags,
                           int64_t (*now)(void))
{
    toy_say("TimerSource domain=%lu time=%llx flags=%llu now=%lld", toy_index(d),
            (u64)time, (u64)flags, now ? (i64)now() : -1);
}

static void on_TimerSourceWithData(nvtxDomainHandle_t d, uint64_t time, uint64_t flags,
                                   int64_t (*now)(void *data), void *data)
{
    toy_say("TimerSourceWithData domain=%lu time=%llx flags=%llu now=%lld",
            toy_index(d), (u64)time, (u64)flags, now ? (i64)now(data) : -1);
}

static void on_TimeSyncPoint(nvtxDomainHandle_t d, uint64_t time1, uint64_t time2,
                             int64_t t1, int64_t t2)
{
    toy_say("TimeSyncPoint domain=%lu %llx:%lld = %llx:%lld", toy_index(d), (u64)time1,
            (i64)t1, (u64)time2, (i64)t2);
}

static void on_TimeSyncPointTable(nvtxDomainHandle_t d, uint64_t src, uint64_t dst,
                                  const nvtxSyncPoint_t *points, size_t n)
{
    size_t i;

    toy_say("TimeSyncPointTable domain=%lu %llx %llx n=%llu", toy_index(d), (u64)src,
            (u64)dst, (u64)n);
    for (i = 0; points && i < n; i++)
        toy_say("  %lld = %lld", (i64)points[i].src, (i64)points[i].dst);
}

static void on_TimestampConversionFactor(nvtxDomainHandle_t d, uint64_t src,
                                         uint64_t dst, double slope, int64_t at_src,
                                         int64_t at_dst)
{
    toy_say("TimestampConversionFactor domain=%lu %llx %llx %.17g %lld %lld",
            toy_index(d), (u64)src, (u64)dst, slope, (i64)at_src, (i64)at_dst);
}

static void on_EventSubmit(nvtxDomainHandle_t d, const nvtxPayloadData_t *p, size_t n)
{
    toy_say("EventSubmit domain=%lu n=%llu", toy_index(d), (u64)n);
    say_payloads(p, n);
}

static void on_EventBatchSubmit(nvtxDomainHandle_t d, const nvtxEventBatch_t *b)
{
    toy_say("EventBatchSubmit domain=%lu%s", toy_index(d), b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  schema=%llx scope=%llx flags=%llx %s", (u64)b->eventSchemaId,
            (u64)b->scope, (u64)b->flags, bytes(b->events, b->size).s);
    toy_say("  flexible %s from %llu", bytes(b->flexData, b->flexDataSize).s,
            (u64)b->flexDataOffset);
}

/* ---- Counters -------------------------------------------------------------------- */

static uint64_t on_CounterRegister(nvtxDomainHandle_t d, const nvtxCounterAttr_t *a)
{
    const uint64_t id = new_id(a ? a->counterId : 0);

    toy_say("CounterRegister domain=%lu -> %llx", toy_index(d), (u64)id);
    if (!a)
        return id;
    toy_say("  size=%llu schema=%llx %s (%s) scope=%llx", (u64)a->structSize,
            (u64)a->schemaId, toy_narrow(a->name).s, toy_narrow(a->description).s,
            (u64)a->scopeId);
    say_semantics(a->semantics);
    return id;
}

static void on_CounterSampleInt64(nvtxDomainHandle_t d, uint64_t counter, int64_t value)
{
    toy_say("CounterSampleInt64 domain=%lu %llx %lld", toy_index(d), (u64)counter,
            (i64)value);
}

static void on_CounterSampleFloat64(nvtxDomainHandle_t d, uint64_t counter,
                                    double value)
{
    toy_say("CounterSampleFloat64 domain=%lu %llx %.17g", toy_index(d), (u64)counter,
            value);
}

static void on_CounterSample(nvtxDomainHandle_t d, uint64_t counter, const void *value,
                             size_t size)
{
    toy_say("CounterSample domain=%lu %llx %s", toy_index(d), (u64)counter,
            bytes(value, size).s);
}

static void on_CounterSampleNoValue(nvtxDomainHandle_t d, uint64_t counter,
                                    uint8_t reason)
{
    toy_say("CounterSampleNoValue domain=%lu %llx %u", toy_index(d), (u64)counter,
            reason);
}

static void on_CounterBatchSubmit(nvtxDomainHandle_t d, const nvtxCounterBatch_t *b)
{
    toy_say("CounterBatchSubmit domain=%lu%s", toy_index(d), b ? "" : " NULL");
    if (!b)
        return;
    toy_say("  %llx flags=%llx %s", (u64)b->counterId, (u64)b->flags,
            bytes(b->counters, b->countersSize).s);
    toy_say("  times %s", bytes(b->timestamps, b->timestampsSize).s);
}

/* ---- Attaching ------------------------------------------------------------------- */

/* A client's sizes of C's types; 0 is allowed for types that its language lacks. */
static void say_types(const nvtxPayloadEntryTypeInfo_t *types)
{
    static const uint16_t late[] = {1, 2, 4}; /* char8_t, char16_t, char32_t */
    char line[400];
    size_t n = 0;
    int i;

    for (i = 0; i <= NVTX_PAYLOAD_ENTRY_TYPE_CHAR32; i++) {
        const int j = i - NVTX_PAYLOAD_ENTRY_TYPE_CHAR8;

        if (j < 0)
            n += (size_t)sprintf(line + n, " %u/%u", types[i].size, types[i].align);
        else if (types[i].size && types[i].size != late[j])
            n += (size_t)sprintf(line + n, " bad %u", types[i].size);
    }
    toy_say("  types%s", line);
}

#define STORE_V(module, name, params, args)                                            \
    __atomic_store_n(&slot[NVTX3EXT_CBID_nvtx##name],                                  \
                     (intptr_t)(nvtx##name##_impl_fntype)on_##name, __ATOMIC_RELEASE);
#define STORE_R(module, name, params, args, type, neutral)                             \
    STORE_V(module, name, params, args)

static int attach(nvtxExtModuleInfo_t *m)
{
    intptr_t *const slot = m->segments[0].functionSlots;
    size_t i, n_fresh = 0;

    toy_call_program();
    toy_sleep();
    for (i = 0; i < m->segments[0].slotCount; i++)
        n_fresh += __atomic_load_n(&slot[i], __ATOMIC_RELAXED) == 0;
    toy_say("extension %u: NVTX %u size=%u compatible=%04x segments=%llu", m->moduleId,
            m->nvtxVer, m->structSize, m->compatId, (u64)m->segmentsCount);
    toy_say("  segment %llu: %llu slots, %llu fresh, export %d, info %d",
            (u64)m->segments[0].segmentId, (u64)m->segments[0].slotCount, (u64)n_fresh,
            m->getExportFunction != NULL, m->extInfo != NULL);
    if (m->moduleId == NVTX_EXT_PAYLOAD_MODULEID) {
        say_types((const nvtxPayloadEntryTypeInfo_t *)m->extInfo);
        NVTX_PAYLOAD_CALLS(STORE_V, STORE_R)
        if (getenv("TOY_NO_IS_ENABLED"))
            __atomic_store_n(&slot[NVTX3EXT_CBID_nvtxDomainIsEnabled], 0,
                             __ATOMIC_RELEASE);
    }
    if (m->moduleId == NVTX_EXT_COUNTERS_MODULEID) {
        NVTX_COUNTERS_CALLS(STORE_V, STORE_R)
    }
    if (m->moduleId == NVTX_EXT_MODULEID_MEM)
        toy_fill_memory(slot);
    errno = EDOM; /* as a careless tool would leave it */
    return getenv("TOY_EXT_DECLINE") == NULL;
}

#ifdef TOY_STATIC
extern NvtxExtInitializeInjectionFunc_t InitializeInjectionNvtxExtension_fnptr;
NvtxExtInitializeInjectionFunc_t InitializeInjectionNvtxExtension_fnptr = attach;
#else
NVTX_DYNAMIC_EXPORT int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module);
int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module)
{
    return attach(module);
}
#endif
