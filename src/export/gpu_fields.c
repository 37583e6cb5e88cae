/* SPDX-License-Identifier: Apache-2.0 */
#include "export/gpu_fields.h"

#include <string.h>

rln_status rln__gpu_fields_read(rln_ranges *ranges, struct rln__gpu_fields *out,
                                rln_error *err)
{
    const rln_payload *payloads;
    size_t n_payloads;
    const rln_status status = rln_ranges_payloads(ranges, &payloads, &n_payloads, err);

    *out = (struct rln__gpu_fields){.kind = RLN__N_GPU_KINDS};
    if (status || !n_payloads || payloads->schema < RLN__GPU_SCHEMA(0) ||
        payloads->schema >= RLN__GPU_SCHEMA(RLN__N_GPU_KINDS))
        return status;
    out->kind = (enum rln__gpu_kind)(payloads->schema - RLN__GPU_SCHEMA(0));
    if (payloads->n_fields) {
        out->items = payloads->fields + 1;
        out->n = payloads->n_fields - 1;
    }
    return RLN_OK;
}

int8_t rln__gpu_field_index(enum rln__gpu_kind kind, const char *column)
{
    const struct rln__gpu_schema *schema = &rln__gpu_schemas[kind];

    for (uint32_t i = 0; i < schema->n_fields; i++) {
        if (schema->fields[i].column && strcmp(column, schema->fields[i].column) == 0)
            return (int8_t)i;
    }
    return -1;
}

/* NULL if it is missing, also in a payload that was cut. */
static const rln_field *field_of(const struct rln__gpu_fields *fields, size_t index)
{
    return index < fields->n && fields->items[index].kind != RLN_FIELD_UNREAD
               ? &fields->items[index]
               : NULL;
}

const rln_field *rln__gpu_field_at(const struct rln__gpu_fields *fields, int8_t index)
{
    const rln_field *found, *decides;
    size_t is_optional;

    if (index < 0)
        return NULL;
    found = field_of(fields, (size_t)index);
    is_optional = rln__gpu_schemas[fields->kind].fields[index].is_optional;
    if (!found || !is_optional)
        return found;
    decides = field_of(fields, (size_t)index + is_optional - 1);
    return decides && decides->bits ? found : NULL;
}
