/* SPDX-License-Identifier: Apache-2.0 */
/* toy_writer.c - an NVTXW backend that logs its calls as text in the file that
 * TOY_WRITER names. Written only from the interface. */
#include <nvtxw3/nvtxw3.h>

#include <stdio.h>
#include <stdlib.h>

static FILE *out;
static uint64_t last_id;

static FILE *text(void)
{
    if (!out)
        out = fopen(getenv("TOY_WRITER"), "w");
    return out;
}

#define SAY(...) (fprintf(text(), __VA_ARGS__), fflush(out))
#define NAME(s) ((s) ? (s) : "-")

static void say_bytes(const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        SAY("%02x", ((const unsigned char *)bytes)[i]);
}

static uint64_t next_id(void)
{
    return ++last_id | (uint64_t)1 << 32;
}

static unsigned id_of(const void *handle)
{
    return (unsigned)(uintptr_t)handle & 0xffff;
}

static int32_t session_begin(const nvtxwSessionAttributes_t *a, nvtxwSessionHandle_t *s)
{
    SAY("session %s config %s size %zu\n", NAME(a->name), NAME(a->configString),
        a->structSize);
    *s = (nvtxwSessionHandle_t)(uintptr_t)next_id();
    return 0;
}

static int32_t session_end(nvtxwSessionHandle_t s)
{
    SAY("session end %u\n", id_of(s));
    return 0;
}

static int32_t domain_register(nvtxwSessionHandle_t s, const nvtxwDomainAttributes_t *a,
                               nvtxDomainHandle_t *d)
{
    *d = (nvtxDomainHandle_t)(uintptr_t)next_id();
    SAY("domain %s of %u: %u\n", NAME(a->name), id_of(s), id_of(*d));
    return 0;
}

static int32_t category_register(nvtxDomainHandle_t d, uint32_t id, const char *name)
{
    SAY("category %u of %u: %s\n", id, id_of(d), name);
    return 0;
}

static int32_t string_register(nvtxDomainHandle_t d, const char *s,
                               nvtxStringHandle_t *handle)
{
    *handle = (nvtxStringHandle_t)(uintptr_t)next_id();
    SAY("string %s of %u: %u\n", s, id_of(d), id_of(*handle));
    return 0;
}

static int32_t scope_register(nvtxDomainHandle_t d, const nvtxScopeAttr_t *a,
                              uint64_t *id)
{
    *id = next_id();
    SAY("scope %s of %u below %llu: %u\n", NAME(a->path), id_of(d),
        (unsigned long long)a->parentScope & 0xffff, (unsigned)*id);
    return 0;
}

static int32_t schema_register(nvtxDomainHandle_t d, const nvtxPayloadSchemaAttr_t *a,
                               uint64_t *id)
{
    *id = next_id();
    SAY("schema %u of %u: type %llu flags %llx size %zu\n", (unsigned)*id, id_of(d),
        (unsigned long long)a->type,
        (unsigned long long)(a->fieldMask & 8 ? a->flags : 0),
        a->fieldMask & 64 ? a->payloadStaticSize : 0);
    for (size_t i = 0; i < a->numEntries; i++)
        SAY("  %s type %llu flags %llx detail %llu offset %llu%s\n",
            NAME(a->entries[i].name), (unsigned long long)a->entries[i].type & 0xffff,
            (unsigned long long)a->entries[i].flags,
            (unsigned long long)a->entries[i].arrayOrUnionDetail,
            (unsigned long long)a->entries[i].offset,
            a->entries[i].semantics ? " semantics" : "");
    return 0;
}

static int32_t counter_register(nvtxDomainHandle_t d, const nvtxCounterAttr_t *a,
                                uint64_t *id)
{
    *id = next_id();
    SAY("counter %s (%s) of %u type %llu scope %llu%s: %u\n", a->name,
        NAME(a->description), id_of(d), (unsigned long long)a->schemaId & 0xffff,
        (unsigned long long)a->scopeId & 0xffff, a->semantics ? " semantics" : "",
        (unsigned)*id);
    return 0;
}

static int32_t stream_open(nvtxwSessionHandle_t s, const nvtxwStreamAttributes_t *a,
                           nvtxwStreamHandle_t *stream)
{
    *stream = (nvtxwStreamHandle_t)(uintptr_t)next_id();
    SAY("stream %s of %u domain %u scope %llu time %llu order %d %d %d %lld: %u\n",
        NAME(a->name), id_of(s), id_of(a->domain),
        (unsigned long long)a->scopeId & 0xffff, (unsigned long long)a->timeDomainId,
        a->orderInterleaving, a->orderingType, a->orderingSkid,
        (long long)a->orderingSkidAmount, id_of(*stream));
    return 0;
}

static int32_t stream_close(nvtxwStreamHandle_t s)
{
    SAY("stream close %u\n", id_of(s));
    return 0;
}

static int32_t event_write(nvtxwStreamHandle_t s, const nvtxPayloadData_t *p, size_t n)
{
    SAY("event %u", id_of(s));
    for (size_t i = 0; i < n; i++) {
        SAY(" %llu:", (unsigned long long)p[i].schemaId & 0xffff);
        say_bytes(p[i].payload, p[i].size);
    }
    SAY("\n");
    return 0;
}

static int32_t event_batch_write(nvtxwStreamHandle_t s, const nvtxEventBatch_t *b)
{
    SAY("events %u schema %llu scope %llu flags %llx ", id_of(s),
        (unsigned long long)b->eventSchemaId & 0xffff,
        (unsigned long long)b->scope & 0xffff, (unsigned long long)b->flags);
    say_bytes(b->events, b->size);
    SAY("\n");
    return 0;
}

static int32_t counter_write(nvtxwStreamHandle_t s, int64_t t, uint64_t id,
                             const void *data, size_t size)
{
    SAY("sample %u at %lld of %u ", id_of(s), (long long)t, (unsigned)id);
    say_bytes(data, size);
    SAY("\n");
    return 0;
}

static int32_t counter_no_value_write(nvtxwStreamHandle_t s, int64_t t, uint64_t id,
                                      uint8_t why)
{
    SAY("no value %u at %lld of %u: %u\n", id_of(s), (long long)t, (unsigned)id, why);
    return 0;
}

static int32_t counter_batch_write(nvtxwStreamHandle_t s, const nvtxCounterBatch_t *b)
{
    SAY("samples %u of %u flags %llx ", id_of(s), (unsigned)b->counterId,
        (unsigned long long)b->flags);
    say_bytes(b->counters, b->countersSize);
    SAY(" at ");
    say_bytes(b->timestamps, b->timestamps ? b->timestampsSize : 0);
    SAY("\n");
    return 0;
}

int32_t nvtxwGetInterface(int32_t version, const void **interface)
{
    static const nvtxwInterface_t ours = {
        .SessionBegin = session_begin,
        .SessionEnd = session_end,
        .DomainRegister = domain_register,
        .CategoryRegister = category_register,
        .StringRegister = string_register,
        .ScopeRegister = scope_register,
        .SchemaRegister = schema_register,
        .CounterRegister = counter_register,
        .StreamOpen = stream_open,
        .StreamClose = stream_close,
        .EventWrite = event_write,
        .EventBatchWrite = event_batch_write,
        .CounterWrite = counter_write,
        .CounterNoValueWrite = counter_no_value_write,
        .CounterBatchWrite = counter_batch_write,
    };

    SAY("interface %d\n", version);
    *interface = &ours;
    return version == NVTXW_INTERFACE_VERSION
               ? 0
               : NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
}

void nvtxwFinalize(void)
{
    SAY("finalize\n");
}
