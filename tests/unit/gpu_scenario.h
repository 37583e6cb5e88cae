/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_scenario.h - a trace with GPU work, for tests of reading.
 *
 *   ns        100 200 400       1000     1500      2000     2500  2600     3000
 *   main       |-- step ---------------------------|
 *                 [] [] calls
 *   stream 7                     [-- k ---------------------][copy]
 *   stream 8                               [-- k -------------------------]
 */
#ifndef RLN_TESTS_GPU_SCENARIO_H
#define RLN_TESTS_GPU_SCENARIO_H

#include "base/count.h"
#include "format/gpu_schemas.h"
#include "said_scenarios.h"

#define GS_DOMAIN 9u
#define GS_FIRST_STRING 50u /* names of fields */

/* The first fields of a schema: an older one has fewer than the element. */
static inline void gs_schema(struct tb_chunk *c, uint64_t id, unsigned event,
                             const struct rln__gpu_schema *schema)
{
    enum { MOST = 8 };
    const uint32_t n = schema->n_fields < MOST ? schema->n_fields : MOST;
    uint64_t words[6 + MOST * RLN__ENTRY_WORDS] = {
        rln__pair32(GS_DOMAIN, 0), id, rln__pair32(1, event << 3), schema->n_bytes,
        rln__pair32(0, n),         0};

    for (uint32_t i = 0; i < n; i++) {
        const struct rln__gpu_field *field = &schema->fields[i];
        uint64_t *to = words + 6 + (size_t)i * RLN__ENTRY_WORDS;
        /* ids differ in their lowest byte, or in the one above */
        const uint32_t name = GS_FIRST_STRING + ((uint32_t)id & 15) * 10 +
                              ((uint32_t)id >> 8 & 1) * 100 + i;

        tb_string(c, name, field->name);
        to[0] = field->flags;
        to[1] = field->type;
        to[2] = rln__pair32(name, 0);
        to[4] = field->offset;
    }
    tb_long(c, RLN__SUB_SCHEMA, words, 6 + n * RLN__ENTRY_WORDS);
}

static inline void gs_scope(struct tb_chunk *c, uint64_t id, uint32_t string,
                            const char *path)
{
    const uint64_t words[3] = {rln__pair32(GS_DOMAIN, string), id, 0};

    tb_string(c, string, path);
    tb_long(c, RLN__SUB_SCOPE, words, 3);
}

static inline uint64_t gs_handle(uint32_t attributes)
{
    return (uint64_t)RLN__TAG_STRING << RLN__STRING_TAG_SHIFT |
           (uint64_t)GS_DOMAIN << RLN__STRING_DOMAIN_SHIFT | (uint64_t)attributes << 4;
}

static inline void gs_batch(struct tb_chunk *c, uint64_t t, uint64_t schema,
                            uint64_t scope, const void *elements, size_t n_bytes)
{
    uint64_t words[256] = {TB_START + t, rln__pair32(GS_DOMAIN, 1), schema, scope};

    tb_long(c, RLN__SUB_EVENT_BATCH, words,
            6 + sd_segment(words + 6, 0, elements, n_bytes));
}

static inline struct rln__gpu_head gs_head(uint64_t start, uint64_t end,
                                           uint32_t attributes, uint32_t correlation)
{
    return (struct rln__gpu_head){.start = (int64_t)(TB_START + start),
                                  .end = (int64_t)(TB_START + end),
                                  .name = gs_handle(attributes),
                                  .correlation = correlation};
}

static inline void gs_names(struct tb_chunk *n)
{
    static const char *const names[] = {"k", "copy", "cudaLaunchKernel", "H100",
                                        "GPU work that CUPTI dropped"};

    tb_string(n, 40, RLN__GPU_DOMAIN);
    tb_domain(n, GS_DOMAIN, 40);
    for (uint32_t i = 0; i < RLN_COUNT(names); i++) {
        tb_string(n, 41 + i, names[i]);
        tb_attributes_full(n, 11 + i, GS_DOMAIN, 0, 0, 41 + i,
                           rln__types(0, 0, RLN__MESSAGE_REGISTERED));
    }
    for (unsigned kind = 0; kind < RLN__N_GPU_KINDS; kind++)
        gs_schema(n, RLN__GPU_SCHEMA(kind), 3, &rln__gpu_schemas[kind]);
    gs_schema(n, RLN__GPU_LOSS_SCHEMA, 4, &rln__gpu_loss_schema);
    gs_schema(n, RLN__GPU_DEVICE_SCHEMA, 4, &rln__gpu_device_schema);
    gs_scope(n, SD_SCHEMA + 1, 48, "GPU 0/context 1/stream 7");
    gs_scope(n, SD_SCHEMA + 2, 49, "GPU 0/context 1/stream 8");
}

static inline void gs_gpu(struct tb *tb, void (*names)(struct tb *, uint32_t, uint32_t))
{
    struct rln__gpu_call calls[2] = {{.head = gs_head(200, 300, 13, 1)},
                                     {.head = gs_head(400, 450, 13, 2)}};
    const struct rln__gpu_kernel kernel = {
        .head = gs_head(1000, 2500, 11, 1), .at = {0, 1, 0, 7}, .grid = {4, 1, 1}};
    const struct rln__gpu_kernel other = {.head = gs_head(1500, 3000, 11, 2),
                                          .at = {0, 1, 0, 8}};
    const struct rln__gpu_copy copy = {
        .head = gs_head(2500, 2600, 12, 1), .at = {0, 1, 0, 7}, .bytes = 4096};
    const struct rln__gpu_device device = {.time = (int64_t)TB_START,
                                           .name = gs_handle(14),
                                           .memory_bytes = UINT64_C(80) << 30};
    const struct rln__gpu_loss loss = {
        .time = (int64_t)TB_START + 3500, .what = gs_handle(15), .n = 5};
    struct tb_chunk n, c, d;

    calls[0].head.tid = calls[1].head.tid = 100;
    (void)tb_part(tb, 27);
    names(tb, 1, 100);
    n = tb_names(tb, 1);
    gs_names(&n);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 100);
    (void)tb_event(&c, RLN__POP, 0, 2000);
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    gs_batch(&d, 3600, RLN__GPU_DEVICE_SCHEMA, 0, &device, sizeof(device));
    gs_batch(&d, 3600, RLN__GPU_SCHEMA(RLN__GPU_CALL), 0, calls, sizeof(calls));
    gs_batch(&d, 3600, RLN__GPU_SCHEMA(RLN__GPU_KERNEL), SD_SCHEMA + 1, &kernel,
             sizeof(kernel));
    gs_batch(&d, 3600, RLN__GPU_SCHEMA(RLN__GPU_KERNEL), SD_SCHEMA + 2, &other,
             sizeof(other));
    gs_batch(&d, 3600, RLN__GPU_SCHEMA(RLN__GPU_COPY), SD_SCHEMA + 1, &copy,
             sizeof(copy));
    gs_batch(&d, 3600, RLN__GPU_LOSS_SCHEMA, 0, &loss, sizeof(loss));
}

#endif
