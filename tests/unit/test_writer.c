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

static struct {
    int refuses_domains, refuses_ids;
    size_t allocations_left; /* of calloc() in src/writer */
    uint64_t n_ids;
    uint64_t counter_schema; /* of the last registered counter */
} nvtx;

void *test_writer_calloc(size_t n, size_t size)
{
    return nvtx.allocations_left && nvtx.allocations_left-- ? calloc(n, size) : NULL;
}

static uint64_t next_id(void)
{
    return nvtx.refuses_ids ? 0 : 100 + nvtx.n_ids++;
}

/* ---- NVTX ------------------------------------------------------------------------ */

void nvtxInitialize(const void *reserved)
{
    (void)reserved;
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
    (void)domain, (void)attributes;
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
    (void)domain, (void)clock1, (void)clock2, (void)time1, (void)time2;
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
    .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                 NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES,
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
    return 0;
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
    assert_int_equal(templates_resolve(&templates, layout, 14), 0);
    assert_int_equal(templates_resolve(&templates, counted, 14), 0);
    nvtx.refuses_ids = 0;
    assert_int_equal(templates_resolve(&templates, layout, 14), 100);
    assert_int_equal(templates_resolve(&templates, counted, 14), 101);
    assert_int_equal(nvtx.counter_schema, 100);
    assert_int_equal(templates_resolve(&templates, layout, 14), 100);
    assert_int_equal(templates_resolve(&templates, counted, 14), 101);
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
        assert_int_equal(result, id ? NVTXW_SUCCESS : NVTXW_FAILED);
        assert_int_equal(templates.n, id ? 1 : 0);
        id = 0;
        nvtx.allocations_left = n;
        templates_free(&templates);
        result = templates_add_counter(&templates, &counter, &id);
        assert_int_equal(result, id ? NVTXW_SUCCESS : NVTXW_FAILED);
        assert_int_equal(templates.n, id ? 1 : 0);
        templates_free(&templates);
    }
    nvtx.allocations_left = SIZE_MAX;
}

static void a_refused_domain_is_not_the_default_one(void **state)
{
    const struct nvtxw_session_attributes attributes = {.struct_size =
                                                            sizeof(attributes)};
    const struct nvtxw_domain_attributes named = {sizeof(named), "db"};
    const struct nvtxw_domain_attributes unnamed = {sizeof(unnamed), NULL};
    const struct nvtxw_interface *writer;
    const void *found;
    nvtxw_session session;
    nvtxDomainHandle_t domain;

    (void)state;
    assert_int_equal(nvtxwGetInterface(NVTXW_INTERFACE_VERSION, &found), NVTXW_SUCCESS);
    writer = found;
    assert_int_equal(writer->session_begin(&attributes, &session), NVTXW_SUCCESS);
    nvtx.refuses_domains = 1;
    assert_int_equal(writer->domain_register(session, &named, &domain), NVTXW_FAILED);
    assert_null(domain);
    assert_int_equal(writer->domain_register(session, &unnamed, &domain),
                     NVTXW_SUCCESS);
    assert_non_null(domain);
    nvtx.refuses_domains = 0;
    assert_int_equal(writer->domain_register(session, &named, &domain), NVTXW_SUCCESS);
    assert_non_null(domain);
    assert_int_equal(writer->session_end(session), NVTXW_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_refused_registration_is_tried_again, setup),
        cmocka_unit_test_setup(without_memory_no_template_is_added, setup),
        cmocka_unit_test_setup(a_refused_domain_is_not_the_default_one, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
