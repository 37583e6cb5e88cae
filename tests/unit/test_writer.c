/* SPDX-License-Identifier: Apache-2.0 */
/* test_writer.c - the NVTXW backend reports what NVTX refuses, and survives a lack of
 * memory. It is compiled with only declarations of NVTX; this file has the functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NVTX_NO_IMPL /* declares NVTX's functions only */
#include "writer/templates.h"

#include <nvtx3/nvToolsExt.h>

int32_t nvtxwGetInterface(int32_t version, const void **out);
void *test_writer_calloc(size_t n, size_t size);
int rln_collector_control(unsigned what);

static struct {
    int refuses_domains, refuses_ids;
    size_t allocations_left; /* of calloc() in src/writer */
    uint64_t n_ids;
    uint64_t counter_schema; /* of the last registered counter */
    uint64_t field_mask;     /* of the last registered schema */
    uint64_t entry_type;     /* of the last registered schema's last entry */
    char output[64];         /* RANGELINE_OUTPUT at the last nvtxInitialize() */
    int n_dropped;
    int64_t sync_times[2]; /* of the last synchronization point */
} nvtx;

void *test_writer_calloc(size_t n, size_t size)
{
    return nvtx.allocations_left && nvtx.allocations_left-- ? calloc(n, size) : NULL;
}

static uint64_t next_id(void)
{
    return nvtx.refuses_ids ? 0 : 100 + nvtx.n_ids++;
}

int rln_collector_control(unsigned what)
{
    (void)what;
    return nvtx.n_dropped;
}

/* ---- NVTX ------------------------------------------------------------------------ */

void nvtxInitialize(const void *reserved)
{
    const char *const output = getenv("RANGELINE_OUTPUT");

    (void)reserved;
    if (output && strlen(output) < sizeof(nvtx.output))
        (void)strcpy(nvtx.output, output);
}

uint8_t nvtxDomainIsEnabled(nvtxDomainHandle_t domain)
{
    (void)domain;
    return 1;
}

int64_t nvtxTimestampGet(void)
{
    return 1000;
}

nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    static char domain;

    (void)name;
    return nvtx.refuses_domains ? NULL : (nvtxDomainHandle_t)&domain;
}

void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category,
                             const char *name)
{
    (void)domain, (void)category, (void)name;
}

nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                             const char *string)
{
    (void)domain, (void)string;
    return NULL;
}

nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t domain,
                                              nvtxResourceAttributes_t *attributes)
{
    (void)domain, (void)attributes;
    return NULL;
}

uint64_t nvtxScopeRegister(nvtxDomainHandle_t domain, const nvtxScopeAttr_t *attributes)
{
    (void)domain, (void)attributes;
    return next_id();
}

uint64_t nvtxPayloadSchemaRegister(nvtxDomainHandle_t domain,
                                   const nvtxPayloadSchemaAttr_t *attributes)
{
    (void)domain;
    nvtx.field_mask = attributes->fieldMask;
    nvtx.entry_type = attributes->entries[attributes->numEntries - 1].type;
    return next_id();
}

uint64_t nvtxPayloadEnumRegister(nvtxDomainHandle_t domain,
                                 const nvtxPayloadEnumAttr_t *attributes)
{
    (void)domain, (void)attributes;
    return next_id();
}

uint64_t nvtxCounterRegister(nvtxDomainHandle_t domain,
                             const nvtxCounterAttr_t *attributes)
{
    (void)domain;
    nvtx.counter_schema = attributes->schemaId;
    return next_id();
}

uint64_t nvtxTimeDomainRegister(nvtxDomainHandle_t domain,
                                const nvtxTimeDomainAttr_t *attributes)
{
    (void)domain, (void)attributes;
    return next_id();
}

void nvtxEventSubmit(nvtxDomainHandle_t domain, const nvtxPayloadData_t *payloads,
                     size_t n)
{
    (void)domain, (void)payloads, (void)n;
}

void nvtxEventBatchSubmit(nvtxDomainHandle_t domain, const nvtxEventBatch_t *events)
{
    (void)domain, (void)events;
}

void nvtxCounterBatchSubmit(nvtxDomainHandle_t domain,
                            const nvtxCounterBatch_t *samples)
{
    (void)domain;
    (void)samples;
}

void nvtxTimeSyncPoint(nvtxDomainHandle_t domain, uint64_t clock1, uint64_t clock2,
                       int64_t time1, int64_t time2)
{
    (void)domain, (void)clock1, (void)clock2;
    nvtx.sync_times[0] = time1;
    nvtx.sync_times[1] = time2;
}

void nvtxTimeSyncPointTable(nvtxDomainHandle_t domain, uint64_t source,
                            uint64_t destination, const nvtxSyncPoint_t *points,
                            size_t n)
{
    (void)domain, (void)source, (void)destination, (void)points, (void)n;
}

void nvtxTimestampConversionFactor(nvtxDomainHandle_t domain, uint64_t source,
                                   uint64_t destination, double slope,
                                   int64_t time_source, int64_t time_destination)
{
    (void)domain, (void)source, (void)destination, (void)slope;
    (void)time_source, (void)time_destination;
}

/* ---- Tests ----------------------------------------------------------------------- */

static const nvtxPayloadSchemaEntry_t entries[] = {
    {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP,
     .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
     .name = "time"},
    {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "size", .offset = 8},
};
static const nvtxPayloadSchemaAttr_t schema = {
    .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                 NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                 NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES,
    .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
    .entries = entries,
    .numEntries = 2,
};
static const nvtxCounterAttr_t counter = {
    .structSize = sizeof(counter),
    .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
    .name = "queued",
    .description = "requests",
};

static int setup(void **state)
{
    (void)state;
    memset(&nvtx, 0, sizeof(nvtx));
    nvtx.allocations_left = SIZE_MAX;
    (void)unsetenv("RANGELINE_OUTPUT");
    return 0;
}

/* NVTX's ids; 0: none. */
static uint64_t schema_id(struct templates *templates, uint64_t id, uint64_t clock)
{
    struct registration found;

    return templates_find_schema(templates, id, clock, &found) ? 0 : found.id;
}

static uint64_t counter_id(struct templates *templates, uint64_t id, uint64_t clock)
{
    struct registration found;

    return templates_find_counter(templates, id, clock, &found) ? 0 : found.id;
}

static void a_refused_registration_is_tried_again(void **state)
{
    struct templates templates = {0};
    nvtxCounterAttr_t group = counter;
    uint64_t layout, counted;

    (void)state;
    assert_int_equal(templates_add_schema(&templates, &schema, &layout), 0);
    group.schemaId = layout;
    assert_int_equal(templates_add_counter(&templates, &group, &counted), 0);
    nvtx.refuses_ids = 1;
    assert_int_equal(schema_id(&templates, layout, 14), 0);
    assert_int_equal(counter_id(&templates, counted, 14), 0);
    nvtx.refuses_ids = 0;
    assert_int_equal(schema_id(&templates, layout, 14), 100);
    assert_int_equal(counter_id(&templates, counted, 14), 101);
    assert_int_equal(nvtx.counter_schema, 100);
    assert_int_equal(schema_id(&templates, layout, 14), 100);
    assert_int_equal(counter_id(&templates, counted, 14), 101);
    assert_int_equal(nvtx.n_ids, 2);
    templates_free(&templates);
}

/* Adding takes 1 to 6 allocations: entries, three texts, a template. */
static void without_memory_no_template_is_added(void **state)
{
    (void)state;
    for (size_t n = 0; n < 6; n++) {
        struct templates templates = {0};
        uint64_t id = 0;
        int32_t result;

        nvtx.allocations_left = n;
        result = templates_add_schema(&templates, &schema, &id);
        assert_int_equal(result, id ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED);
        assert_int_equal(templates.n, id ? 1 : 0);
        id = 0;
        nvtx.allocations_left = n;
        templates_free(&templates);
        result = templates_add_counter(&templates, &counter, &id);
        assert_int_equal(result, id ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED);
        assert_int_equal(templates.n, id ? 1 : 0);
        templates_free(&templates);
    }
    nvtx.allocations_left = SIZE_MAX;
}

static void a_refused_domain_is_not_the_default_one(void **state)
{
    const nvtxwSessionAttributes_t attributes = {.structSize = sizeof(attributes)};
    const nvtxwDomainAttributes_t named = {sizeof(named), "db"};
    const nvtxwDomainAttributes_t unnamed = {sizeof(unnamed), NULL};
    const nvtxwInterface_t *writer;
    const void *found;
    nvtxwSessionHandle_t session;
    nvtxDomainHandle_t domain;

    (void)state;
    assert_int_equal(nvtxwGetInterface(NVTXW_INTERFACE_VERSION, &found),
                     NVTXW_RESULT_SUCCESS);
    writer = found;
    assert_int_equal(writer->SessionBegin(&attributes, &session), NVTXW_RESULT_SUCCESS);
    nvtx.refuses_domains = 1;
    assert_int_equal(writer->DomainRegister(session, &named, &domain),
                     NVTXW_RESULT_FAILED);
    assert_null(domain);
    assert_int_equal(writer->DomainRegister(session, &unnamed, &domain),
                     NVTXW_RESULT_SUCCESS);
    assert_non_null(domain);
    nvtx.refuses_domains = 0;
    assert_int_equal(writer->DomainRegister(session, &named, &domain),
                     NVTXW_RESULT_SUCCESS);
    assert_non_null(domain);
    assert_int_equal(writer->SessionEnd(session), NVTXW_RESULT_SUCCESS);
}

/* ---- The interface's contract ---------------------------------------------------- */

static const nvtxwInterface_t *interface(void)
{
    const void *found;

    assert_int_equal(nvtxwGetInterface(NVTXW_INTERFACE_VERSION, &found),
                     NVTXW_RESULT_SUCCESS);
    return found;
}

static nvtxwSessionHandle_t begin(const nvtxwInterface_t *writer, const char *config)
{
    const nvtxwSessionAttributes_t attributes = {sizeof(attributes), "run", config};
    nvtxwSessionHandle_t session;

    assert_int_equal(writer->SessionBegin(&attributes, &session), NVTXW_RESULT_SUCCESS);
    return session;
}

static void a_domain_is_found_again_by_its_name(void **state)
{
    const nvtxwDomainAttributes_t named = {sizeof(named), "db"};
    const nvtxwDomainAttributes_t empty = {sizeof(empty), ""};
    const nvtxwInterface_t *const writer = interface();
    const nvtxwSessionHandle_t session = begin(writer, NULL);
    nvtxDomainHandle_t first, again, unnamed, nameless;

    (void)state;
    assert_int_equal(writer->DomainRegister(session, &named, &first), 0);
    assert_int_equal(writer->DomainRegister(session, NULL, &unnamed), 0);
    assert_int_equal(writer->DomainRegister(session, &named, &again), 0);
    assert_int_equal(writer->DomainRegister(session, &empty, &nameless), 0);
    assert_ptr_equal(first, again);
    assert_ptr_equal(unnamed, nameless);
    assert_ptr_not_equal(first, unnamed);
    assert_int_equal(writer->SessionEnd(session), 0);
}

static void without_a_scope_or_a_clock_no_stream_is_opened(void **state)
{
    nvtxwStreamAttributes_t attributes = {.structSize = sizeof(attributes),
                                          .name = "stream"};
    const nvtxwInterface_t *const writer = interface();
    const nvtxwSessionHandle_t session = begin(writer, NULL);
    nvtxwStreamHandle_t stream;

    (void)state;
    nvtx.refuses_ids = 1;
    assert_int_equal(writer->StreamOpen(session, &attributes, &stream),
                     NVTXW_RESULT_FAILED);
    assert_null(stream);
    attributes.timeDomainId = 14;
    assert_int_equal(writer->StreamOpen(session, &attributes, &stream),
                     NVTXW_RESULT_FAILED);
    nvtx.refuses_ids = 0;
    assert_int_equal(writer->StreamOpen(session, &attributes, &stream), 0);
    assert_int_equal(writer->SessionEnd(session), 0);
}

/* Leaks are the sanitizer's to find. */
static void a_session_ends_its_open_streams(void **state)
{
    const nvtxwStreamAttributes_t attributes = {.structSize = sizeof(attributes),
                                                .name = "in the default domain"};
    const nvtxwInterface_t *const writer = interface();
    const nvtxwSessionHandle_t session = begin(writer, NULL);
    nvtxwStreamHandle_t streams[3];

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(writer->StreamOpen(session, &attributes, &streams[i]), 0);
    assert_int_equal(writer->StreamClose(streams[1]), 0);
    assert_int_equal(writer->SessionEnd(session), 0);
}

static void options_are_read_as_the_interface_says(void **state)
{
    static const struct {
        const char *config, *output;
    } cases[] = {
        {"output=a", "a"},
        {"other=1|output=b|output=c", "b"},
        {"#output=a\r\n \toutput = d e \r\n", "d e"},
        {"outputs=a\noutput=\nOUTPUT=b|output", "run"},
        {"output=a=b", "a=b"},
        {NULL, "run"},
    };
    const nvtxwInterface_t *const writer = interface();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(writer->SessionEnd(begin(writer, cases[i].config)), 0);
        assert_string_equal(nvtx.output, cases[i].output);
        assert_null(getenv("RANGELINE_OUTPUT"));
    }
}

static void the_environment_names_the_file_unless_the_options_do(void **state)
{
    static const struct {
        const char *set, *config, *output;
    } cases[] = {
        {"set", NULL, "set"},
        {"set", "output=a", "a"},
        {"", NULL, "run"},
        {"", "output=a", "a"},
    };
    const nvtxwInterface_t *const writer = interface();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        (void)setenv("RANGELINE_OUTPUT", cases[i].set, 1);
        assert_int_equal(writer->SessionEnd(begin(writer, cases[i].config)), 0);
        assert_string_equal(nvtx.output, cases[i].output);
        assert_string_equal(getenv("RANGELINE_OUTPUT"), cases[i].set);
    }
}

static void a_session_ends_well_unless_it_dropped_events(void **state)
{
    const nvtxwInterface_t *const writer = interface();
    nvtxwSessionHandle_t session;

    (void)state;
    nvtx.n_dropped = 3;
    session = begin(writer, NULL);
    assert_int_equal(writer->SessionEnd(session), NVTXW_RESULT_SUCCESS);
    session = begin(writer, NULL);
    nvtx.n_dropped = 4;
    assert_int_equal(writer->SessionEnd(session), NVTXW_RESULT_FAILED);
    assert_int_equal(writer->SessionEnd(begin(writer, NULL)), NVTXW_RESULT_SUCCESS);
}

static void relative_times_begin_with_the_session(void **state)
{
    const nvtxwStreamAttributes_t attributes = {.structSize = sizeof(attributes),
                                                .name = "relative"};
    const nvtxwInterface_t *const writer = interface();
    const nvtxwSessionHandle_t session = begin(writer, NULL);
    nvtxwStreamHandle_t stream;

    (void)state;
    assert_int_equal(writer->StreamOpen(session, &attributes, &stream), 0);
    assert_int_equal(nvtx.sync_times[0], 0);
    assert_int_equal(nvtx.sync_times[1], nvtxTimestampGet());
    assert_int_equal(writer->SessionEnd(session), 0);
}

static void a_static_id_is_that_of_its_template(void **state)
{
    const uint64_t id = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 5;
    const nvtxPayloadSchemaEntry_t holder[] = {{.type = id, .name = "part"}};
    const nvtxPayloadSchemaEntry_t own[] = {{.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP,
                                             .type = NVTX_PAYLOAD_ENTRY_TYPE_INT64},
                                            {.type = id + 1, .name = "itself"}};
    nvtxPayloadSchemaAttr_t fixed = schema, outer = schema, endless = schema;
    nvtxCounterAttr_t queued = counter;
    struct templates templates = {0};
    struct registration found;
    uint64_t got = 0, of_outer = 0;

    (void)state;
    fixed.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
    fixed.schemaId = id;
    queued.counterId = id;
    outer.entries = holder;
    outer.numEntries = 1;
    endless.fieldMask = fixed.fieldMask;
    endless.schemaId = id + 1;
    endless.entries = own;
    assert_int_equal(templates_add_schema(&templates, &fixed, &got), 0);
    assert_int_equal(got, id);
    assert_int_equal(templates_add_counter(&templates, &queued, &got), 0);
    assert_int_equal(got, id);
    assert_int_equal(templates_add_schema(&templates, &outer, &of_outer), 0);
    assert_int_equal(templates_add_schema(&templates, &endless, &got), 0);

    assert_int_equal(schema_id(&templates, id, 14), 100);
    /* Several clocks cannot share it. */
    assert_false(nvtx.field_mask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID);
    assert_int_equal(counter_id(&templates, id, 14), 101);
    assert_int_equal(templates_find_schema(&templates, id + 9, 14, &found),
                     NVTXW_RESULT_INVALID_ARGUMENT);
    assert_int_equal(schema_id(&templates, of_outer, 14), 102);
    assert_int_equal(nvtx.entry_type, 100);
    assert_int_equal(templates_find_schema(&templates, got, 14, &found),
                     NVTXW_RESULT_FAILED);
    templates_free(&templates);
}

static void null_is_an_invalid_argument(void **state)
{
    const nvtxwSessionAttributes_t run = {sizeof(run), "run", NULL};
    const nvtxwStreamAttributes_t attributes = {.structSize = sizeof(attributes)};
    const nvtxPayloadData_t payload = {1, 1, ""};
    const nvtxwInterface_t *const writer = interface();
    const nvtxwSessionHandle_t session = begin(writer, NULL);
    const int bad = NVTXW_RESULT_INVALID_ARGUMENT;
    nvtxwStreamHandle_t stream, no_stream;
    nvtxDomainHandle_t domain, no_domain;
    nvtxStringHandle_t string;
    uint64_t id;

    (void)state;
    assert_int_equal(writer->DomainRegister(session, NULL, &domain), 0);
    assert_int_equal(writer->StreamOpen(session, &attributes, &stream), 0);
    assert_int_equal(nvtxwGetInterface(NVTXW_INTERFACE_VERSION, NULL), bad);
    assert_int_equal(writer->SessionBegin(&run, NULL), bad);
    assert_int_equal(writer->SessionEnd(NULL), bad);
    assert_int_equal(writer->DomainRegister(NULL, NULL, &no_domain), bad);
    assert_int_equal(writer->DomainRegister(session, NULL, NULL), bad);
    assert_int_equal(writer->CategoryRegister(NULL, 1, "c"), bad);
    assert_int_equal(writer->CategoryRegister(domain, 0, "c"), bad);
    assert_int_equal(writer->CategoryRegister(domain, 1, NULL), bad);
    assert_int_equal(writer->StringRegister(domain, NULL, &string), bad);
    assert_int_equal(writer->StringRegister(domain, "s", NULL), bad);
    assert_int_equal(writer->ResourceRegister(domain, NULL), bad);
    assert_int_equal(writer->ScopeRegister(domain, NULL, &id), bad);
    assert_int_equal(writer->SchemaRegister(domain, NULL, &id), bad);
    assert_int_equal(writer->SchemaRegister(NULL, &schema, &id), bad);
    assert_int_equal(writer->EnumRegister(domain, NULL, &id), bad);
    assert_int_equal(writer->CounterRegister(NULL, &counter, &id), bad);
    assert_int_equal(writer->TimeDomainRegister(domain, NULL, &id), bad);
    assert_int_equal(writer->StreamOpen(NULL, &attributes, &no_stream), bad);
    assert_int_equal(writer->StreamOpen(session, NULL, &no_stream), bad);
    assert_int_equal(writer->StreamClose(NULL), bad);
    assert_int_equal(writer->EventWrite(NULL, &payload, 1), bad);
    assert_int_equal(writer->EventWrite(stream, NULL, 1), bad);
    assert_int_equal(writer->EventWrite(stream, &payload, 0), bad);
    assert_int_equal(writer->EventBatchWrite(stream, NULL), bad);
    assert_int_equal(writer->CounterWrite(stream, 1, 1, NULL, 8), bad);
    assert_int_equal(writer->CounterWrite(NULL, 1, 1, "", 1), bad);
    assert_int_equal(writer->CounterNoValueWrite(NULL, 1, 1, 0), bad);
    assert_int_equal(writer->CounterBatchWrite(stream, NULL), bad);
    assert_int_equal(writer->TimeSyncPointWrite(NULL, 1, 2, 3, 4), bad);
    assert_int_equal(writer->TimeSyncPointTableWrite(stream, 1, 2, NULL, 1), bad);
    assert_int_equal(writer->TimestampConversionFactorWrite(NULL, 1, 2, 1, 3, 4), bad);
    /* A static id needs no output. */
    assert_int_equal(writer->SchemaRegister(domain, &schema, NULL), 0);
    assert_int_equal(writer->CounterRegister(domain, &counter, NULL), 0);
    assert_int_equal(writer->SessionEnd(session), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_domain_is_found_again_by_its_name, setup),
        cmocka_unit_test_setup(a_session_ends_its_open_streams, setup),
        cmocka_unit_test_setup(without_a_scope_or_a_clock_no_stream_is_opened, setup),
        cmocka_unit_test_setup(options_are_read_as_the_interface_says, setup),
        cmocka_unit_test_setup(the_environment_names_the_file_unless_the_options_do,
                               setup),
        cmocka_unit_test_setup(a_session_ends_well_unless_it_dropped_events, setup),
        cmocka_unit_test_setup(relative_times_begin_with_the_session, setup),
        cmocka_unit_test_setup(a_static_id_is_that_of_its_template, setup),
        cmocka_unit_test_setup(null_is_an_invalid_argument, setup),
        cmocka_unit_test_setup(a_refused_registration_is_tried_again, setup),
        cmocka_unit_test_setup(without_memory_no_template_is_added, setup),
        cmocka_unit_test_setup(a_refused_domain_is_not_the_default_one, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
