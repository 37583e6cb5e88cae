/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_records.h - registers the domain of GPU work in the processes of a scratch trace,
 * and writes its batches. */
#ifndef RLN_IMPORT_GPU_RECORDS_H
#define RLN_IMPORT_GPU_RECORDS_H

#include "import/id_map.h"

/* A type of batch. */
struct rln__gpu_type {
    uint64_t id;
    unsigned event; /* enum rln__schema_event */
    const struct rln__gpu_schema *schema;
};

/* The process's domain. Before its first batch, begin() writes what all types need, and
 * add() each type. */
rln_status rln__gpu_records_find(struct rln__import *import, uint32_t process,
                                 uint32_t *domain, rln_error *err);
rln_status rln__gpu_records_begin(struct rln__import *import, uint32_t process,
                                  rln_error *err);
rln_status rln__gpu_records_add(struct rln__import *import, uint32_t process,
                                uint32_t domain, const struct rln__gpu_type *type,
                                rln_error *err);

/* Writes a string to the process's names. */
rln_status rln__gpu_records_string(struct rln__import *import, uint32_t process,
                                   const char *text, uint32_t *out, rln_error *err);

/* The handle of a registered string, for a text's number; 0 for text 0. */
rln_status rln__gpu_records_handle(struct rln__import *import, uint32_t process,
                                   uint32_t domain, uint32_t text, uint64_t *out,
                                   rln_error *err);

/* Elements of one type and scope. */
struct rln__gpu_elements {
    uint32_t process, domain;
    uint64_t type, scope;
    int64_t t_ns; /* when they were handed over */
    const void *bytes;
    size_t n_bytes;
};

rln_status rln__gpu_records_write(struct rln__import *import,
                                  const struct rln__gpu_elements *elements,
                                  rln_error *err);

#endif
