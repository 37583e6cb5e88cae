/* SPDX-License-Identifier: Apache-2.0 */
#include "import/gpu_records.h"
#include "format/nvtx_payload.h"
#include "format/nvtx_time.h"

#include <string.h>

#define TIME_SEMANTIC 2u
#define TIMES_ID 0xC0DA0000u /* of the semantics: far from those of counters */

rln_status rln__gpu_records_find(struct rln__import *m, uint32_t process,
                                 uint32_t *domain, rln_error *err)
{
    static const char name[] = RLN__GPU_DOMAIN;
    uint32_t text;
    const rln_status status =
        rln__import_text(m, (rln_text){name, sizeof(name) - 1}, &text, err);

    return status ? status : rln__import_domain_of_name(m, process, text, domain, err);
}

/* Times are ticks of the scratch trace. */
rln_status rln__gpu_records_begin(struct rln__import *m, uint32_t process,
                                  rln_error *err)
{
    uint64_t *w = rln__import_name(m, process, RLN__SUB_SEMANTICS, 4, err);

    if (!w)
        return m->trace.failed;
    w[1] = TIMES_ID;
    w[2] = TIME_SEMANTIC | 1u << 16 | (uint64_t)2 << 32;
    w[3] = RLN__TIME_TOOL;
    return RLN_OK;
}

rln_status rln__gpu_records_string(struct rln__import *m, uint32_t process,
                                   const char *text, uint32_t *out, rln_error *err)
{
    const rln_status status =
        rln__import_text(m, (rln_text){text, strlen(text)}, out, err);

    return status ? status : rln__import_string(m, process, *out, err);
}

rln_status rln__gpu_records_add(struct rln__import *m, uint32_t process,
                                uint32_t domain, const struct rln__gpu_type *type,
                                rln_error *err)
{
    const struct rln__gpu_schema *schema = type->schema;
    struct rln__schema_entry entries[RLN__MOST_GPU_FIELDS];
    struct rln__import_schema about = {
        .domain = domain,
        .id = type->id,
        .type = RLN__SCHEMA_STATIC,
        .flags = type->event << 3,
        .n_bytes = schema->n_bytes,
        .entries = entries,
        .n_entries = schema->n_fields,
    };
    rln_status status =
        rln__gpu_records_string(m, process, schema->name, &about.name, err);

    memset(entries, 0, sizeof(entries));
    for (uint32_t i = 0; i < schema->n_fields && !status; i++) {
        const struct rln__gpu_field *field = &schema->fields[i];

        entries[i].flags = field->flags;
        entries[i].type = field->type;
        entries[i].offset = field->offset;
        if (RLN__ENTRY_PURPOSE(field->flags) == RLN__PURPOSE_TIMESTAMP)
            entries[i].semantics = TIMES_ID;
        status =
            rln__gpu_records_string(m, process, field->name, &entries[i].name, err);
    }
    return status ? status : rln__import_schema(m, process, &about, err);
}

rln_status rln__gpu_records_handle(struct rln__import *m, uint32_t process,
                                   uint32_t domain, uint32_t text, uint64_t *out,
                                   rln_error *err)
{
    const struct rln__import_attribute_set set = {
        .domain = domain, .text = text, .message_type = RLN__MESSAGE_REGISTERED};
    uint32_t attributes = 0;
    const rln_status status =
        text ? rln__import_attributes(m, process, &set, &attributes, err) : RLN_OK;

    *out = attributes ? (uint64_t)RLN__TAG_STRING << RLN__STRING_TAG_SHIFT |
                            (uint64_t)domain << RLN__STRING_DOMAIN_SHIFT |
                            (uint64_t)attributes << 4
                      : 0;
    return status;
}

rln_status rln__gpu_records_write(struct rln__import *m,
                                  const struct rln__gpu_elements *elements,
                                  rln_error *err)
{
    const size_t n_head = RLN__EVENT_BATCH_WORDS + RLN__SEGMENT_WORDS;
    const size_t n_words = n_head + elements->n_bytes / 8;
    const struct rln__segment segment = {.n_kept = (uint32_t)elements->n_bytes,
                                         .n_given = (uint32_t)elements->n_bytes};
    const uint64_t ticks = rln__scratch_trace_ticks(elements->t_ns);
    uint64_t *w =
        rln__scratch_trace_take(&m->trace, &m->processes[elements->process].deferred,
                                ticks, n_words, NULL, err);

    if (!w)
        return m->trace.failed;
    w[0] = rln__long_word(RLN__LONG, RLN__SUB_EVENT_BATCH, n_words);
    w[1] = ticks;
    w[2] = elements->domain;
    w[3] = elements->type;
    w[4] = elements->scope;
    memcpy(w + RLN__EVENT_BATCH_WORDS, &segment, sizeof(segment));
    memcpy(w + n_head, elements->bytes, elements->n_bytes);
    return RLN_OK;
}
