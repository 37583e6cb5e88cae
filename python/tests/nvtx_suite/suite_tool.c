/* SPDX-License-Identifier: Apache-2.0 */
/* suite_tool.c - the NVTX tool under which NVIDIA's tests of its package `nvtx` run:
 * keeps each call of NVTX as a line of JSON until fixtures.py takes it.
 *
 * The tests are single-threaded, and their texts need no escapes. A handle is the
 * address of a copy of its text; all copies are kept.
 */
#define _GNU_SOURCE
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtx3/nvtxDetail/nvtxTypes.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    struct line *next;
    char *text;
};

static struct line *oldest, **newest = &oldest;
static uint64_t last_id = 1 << 24; /* above the numbers of predefined types */

/* ---- Lines ----------------------------------------------------------------------- */

static FILE *out;
static char *text_out;
static size_t size_out;

/* Texts in JSON: quoted, or null. */
static void put_text(const char *name, const char *text)
{
    fprintf(out, text ? ", \"%s\": \"%s\"" : ", \"%s\": null", name, text);
}

static void put_hex(const char *name, const void *bytes, size_t size)
{
    const unsigned char *const byte = bytes;

    fprintf(out, ", \"%s\": \"", name);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%02x", byte[i]);
    fputc('"', out);
}

static void put_id(const char *name, uint64_t id)
{
    fprintf(out, ", \"%s\": %" PRIu64, name, id);
}

static void begin(const char *call, nvtxDomainHandle_t domain)
{
    out = open_memstream(&text_out, &size_out);
    fprintf(out, "{\"call\": \"%s\"", call);
    put_text("domain", (const char *)domain);
}

static void end(void)
{
    struct line *const line = calloc(1, sizeof(*line));

    fputc('}', out);
    fclose(out);
    line->text = text_out;
    *newest = line;
    newest = &line->next;
}

/* The oldest line that was not taken yet, until the next call; NULL if there is none.
 */
const char *take_line(void);

const char *take_line(void)
{
    static char *taken;
    struct line *const line = oldest;

    free(taken);
    taken = NULL;
    if (!line)
        return NULL;
    taken = line->text;
    oldest = line->next;
    if (!oldest)
        newest = &oldest;
    free(line);
    return taken;
}

/* ---- Ranges and marks ------------------------------------------------------------ */

static void put_payload(const nvtxEventAttributes_t *event)
{
    const nvtxPayloadData_t *const data =
        (const nvtxPayloadData_t *)(uintptr_t)event->payload.ullValue;

    switch (event->payloadType) {
    case NVTX_PAYLOAD_UNKNOWN:
        break;
    case NVTX_PAYLOAD_TYPE_INT64:
        fprintf(out, ", \"int64\": %" PRId64, event->payload.llValue);
        break;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
        fprintf(out, ", \"double\": %.17g", event->payload.dValue);
        break;
    case NVTX_PAYLOAD_TYPE_EXT:
        put_id("schema", data->schemaId);
        put_hex("data", data->payload, data->size);
        break;
    default:
        fprintf(out, ", \"payload type\": %d", event->payloadType);
    }
}

static void event(const char *call, nvtxDomainHandle_t domain,
                  const nvtxEventAttributes_t *event)
{
    begin(call, domain);
    if (event->version != NVTX_VERSION || event->size != NVTX_EVENT_ATTRIB_STRUCT_SIZE)
        fprintf(out, ", \"version\": %d, \"size\": %d", event->version, event->size);
    if (event->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
        put_text("message", (const char *)event->message.registered);
    else if (event->messageType != NVTX_MESSAGE_UNKNOWN)
        fprintf(out, ", \"message type\": %d", event->messageType);
    if (event->colorType == NVTX_COLOR_ARGB)
        put_id("color", event->color);
    put_id("category", event->category);
    put_payload(event);
    end();
}

static void mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    event("mark", domain, attributes);
}

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    event("push", domain, attributes);
    return 0;
}

static int pop(nvtxDomainHandle_t domain)
{
    begin("pop", domain);
    end();
    return 0;
}

static nvtxRangeId_t start(nvtxDomainHandle_t domain,
                           const nvtxEventAttributes_t *attributes)
{
    event("start", domain, attributes);
    return ++last_id;
}

static void end_range(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    begin("end", domain);
    put_id("id", id);
    end();
}

/* ---- Registrations --------------------------------------------------------------- */

static nvtxDomainHandle_t create(const char *name)
{
    nvtxDomainHandle_t const domain = (nvtxDomainHandle_t)strdup(name);

    begin("create", domain);
    end();
    return domain;
}

static nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, const char *text)
{
    begin("string", domain);
    put_text("text", text);
    end();
    return (nvtxStringHandle_t)strdup(text);
}

static void name_category(nvtxDomainHandle_t domain, uint32_t category,
                          const char *name)
{
    begin("category", domain);
    put_id("id", category);
    put_text("text", name);
    end();
}

static uint64_t register_schema(nvtxDomainHandle_t domain,
                                const nvtxPayloadSchemaAttr_t *schema)
{
    begin("schema", domain);
    put_id("id", ++last_id);
    put_id("flags", schema->flags);
    put_id("size", schema->payloadStaticSize);
    fputs(", \"entries\": [", out);
    for (size_t i = 0; i < schema->numEntries; i++)
        fprintf(out, "%s%" PRIu64, i ? ", " : "", schema->entries[i].type);
    fputc(']', out);
    end();
    return last_id;
}

static uint64_t register_scope(nvtxDomainHandle_t domain, const nvtxScopeAttr_t *scope)
{
    begin("scope", domain);
    put_id("id", ++last_id);
    put_text("path", scope->path);
    end();
    return last_id;
}

static uint8_t is_enabled(nvtxDomainHandle_t domain)
{
    (void)domain;
    return 1;
}

static int64_t timestamp(void)
{
    begin("timestamp", NULL);
    put_id("time", ++last_id);
    end();
    return (int64_t)last_id;
}

/* ---- Counters -------------------------------------------------------------------- */

static void put_limit(const char *name, int64_t type, nvtxCounterLimit_t limit)
{
    if (type == NVTX_COUNTER_LIMIT_I64)
        fprintf(out, ", \"%s\": %" PRId64, name, limit.i64);
    else if (type == NVTX_COUNTER_LIMIT_U64)
        fprintf(out, ", \"%s\": %" PRIu64, name, limit.u64);
    else
        fprintf(out, ", \"%s\": %.17g", name, limit.f64);
}

static void put_semantics(const nvtxSemanticsCounter_t *s)
{
    put_id("semantics", s->flags);
    put_text("unit", s->unit);
    put_id("numerator", s->unitScaleNumerator);
    put_id("denominator", s->unitScaleDenominator);
    if (s->flags & NVTX_COUNTER_FLAG_LIMIT_MIN)
        put_limit("min", s->limitType, s->min);
    if (s->flags & NVTX_COUNTER_FLAG_LIMIT_MAX)
        put_limit("max", s->limitType, s->max);
}

static uint64_t register_counter(nvtxDomainHandle_t domain,
                                 const nvtxCounterAttr_t *counter)
{
    begin("counter", domain);
    put_id("id", ++last_id);
    put_id("schema", counter->schemaId);
    put_id("scope", counter->scopeId);
    put_text("name", counter->name);
    put_text("description", counter->description);
    for (const nvtxSemanticsHeader_t *s = counter->semantics; s; s = s->next) {
        if (s->semanticId == NVTX_SEMANTIC_ID_TIME_V1)
            put_id("clock", ((const nvtxSemanticsTime_t *)s)->timeDomainId);
        if (s->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1)
            put_semantics((const nvtxSemanticsCounter_t *)s);
    }
    end();
    return last_id;
}

static void begin_sample(const char *call, nvtxDomainHandle_t domain, uint64_t counter)
{
    begin(call, domain);
    put_id("counter", counter);
}

static void sample_int64(nvtxDomainHandle_t domain, uint64_t counter, int64_t value)
{
    begin_sample("sample int64", domain, counter);
    fprintf(out, ", \"value\": %" PRId64, value);
    end();
}

static void sample_float64(nvtxDomainHandle_t domain, uint64_t counter, double value)
{
    begin_sample("sample float64", domain, counter);
    fprintf(out, ", \"value\": %.17g", value);
    end();
}

static void sample(nvtxDomainHandle_t domain, uint64_t counter, const void *data,
                   size_t size)
{
    begin_sample("sample", domain, counter);
    put_hex("value", data, size);
    end();
}

static void sample_no_value(nvtxDomainHandle_t domain, uint64_t counter, uint8_t reason)
{
    begin_sample("no value", domain, counter);
    put_id("value", reason);
    end();
}

static void submit(nvtxDomainHandle_t domain, const nvtxCounterBatch_t *batch)
{
    begin_sample("batch", domain, batch->counterId);
    put_hex("value", batch->counters, batch->countersSize);
    fputs(", \"times\": [", out);
    for (size_t i = 0; i < batch->timestampsSize / sizeof(*batch->timestamps); i++)
        fprintf(out, "%s%" PRId64, i ? ", " : "", batch->timestamps[i]);
    fputc(']', out);
    end();
}

/* ---- Attaching ------------------------------------------------------------------- */

#define CALLBACK(function) ((NvtxFunctionPointer)(void (*)(void))(function))
#define SLOT(function) ((intptr_t)(function))

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);
int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module);

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
    const NvtxExportTableCallbacks *const callbacks = get_table(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable table;
    unsigned size;

    if (!callbacks ||
        !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size))
        return 0;
    *table[NVTX_CBID_CORE2_DomainMarkEx] = CALLBACK(mark);
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = CALLBACK(push);
    *table[NVTX_CBID_CORE2_DomainRangePop] = CALLBACK(pop);
    *table[NVTX_CBID_CORE2_DomainRangeStartEx] = CALLBACK(start);
    *table[NVTX_CBID_CORE2_DomainRangeEnd] = CALLBACK(end_range);
    *table[NVTX_CBID_CORE2_DomainCreateA] = CALLBACK(create);
    *table[NVTX_CBID_CORE2_DomainRegisterStringA] = CALLBACK(register_string);
    *table[NVTX_CBID_CORE2_DomainNameCategoryA] = CALLBACK(name_category);
    return 1;
}

int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module)
{
    intptr_t *const slot = module->segments[0].functionSlots;

    if (module->moduleId == NVTX_EXT_PAYLOAD_MODULEID) {
        slot[NVTX3EXT_CBID_nvtxPayloadSchemaRegister] = SLOT(register_schema);
        slot[NVTX3EXT_CBID_nvtxDomainIsEnabled] = SLOT(is_enabled);
        slot[NVTX3EXT_CBID_nvtxTimestampGet] = SLOT(timestamp);
        slot[NVTX3EXT_CBID_nvtxScopeRegister] = SLOT(register_scope);
    }
    if (module->moduleId == NVTX_EXT_COUNTERS_MODULEID) {
        slot[NVTX3EXT_CBID_nvtxCounterRegister] = SLOT(register_counter);
        slot[NVTX3EXT_CBID_nvtxCounterSampleInt64] = SLOT(sample_int64);
        slot[NVTX3EXT_CBID_nvtxCounterSampleFloat64] = SLOT(sample_float64);
        slot[NVTX3EXT_CBID_nvtxCounterSample] = SLOT(sample);
        slot[NVTX3EXT_CBID_nvtxCounterSampleNoValue] = SLOT(sample_no_value);
        slot[NVTX3EXT_CBID_nvtxCounterBatchSubmit] = SLOT(submit);
    }
    return 1;
}
