/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_fields.h - the fields of GPU work and calls, by Nsight's columns.
 *
 *   range --> payload --> kernel | deviceId contextId ... gridX gridY ...
 *                         kind     in the order of its schema, format/gpu_schemas.h
 */
#ifndef RLN_EXPORT_GPU_FIELDS_H
#define RLN_EXPORT_GPU_FIELDS_H

#include "format/gpu_schemas.h"
#include "rangeline/values.h"

struct rln__gpu_fields {
    enum rln__gpu_kind kind; /* RLN__N_GPU_KINDS: unknown, and there are no fields */
    const rln_field *items;  /* borrowed; NULL if they are damaged */
    size_t n;                /* an older schema has fewer than ours */
};

/* Reads those of the last range, which is GPU work or a call. */
rln_status rln__gpu_fields_read(rln_ranges *ranges, struct rln__gpu_fields *out,
                                rln_error *err);

/* The index of the field that fills a column, or -1. */
int8_t rln__gpu_field_index(enum rln__gpu_kind kind, const char *column);

/* NULL for no index, and for a field that is missing or stands for NULL. */
const rln_field *rln__gpu_field_at(const struct rln__gpu_fields *fields, int8_t index);

#endif
