/* SPDX-License-Identifier: Apache-2.0 */
/* templates.h - schemas and counters whose clock is not known yet.
 *
 * In NVTXW, a stream has a clock, and schemas and counters belong to a domain. In NVTX,
 * an entry's or a counter's semantics give a timestamp its clock. So a registration is
 * kept as a template, and registered with NVTX when a stream first uses it, once for
 * each clock:
 *
 *     template -+- clock 14 -> NVTX's id
 *               +- clock 12 -> another
 *
 * Schemas and enums that need no stream's clock are registered at once, on clock 0.
 */
#ifndef RLN_WRITER_TEMPLATES_H
#define RLN_WRITER_TEMPLATES_H

#include "writer/copies.h"

struct variant {
    uint64_t clock, id;
};

struct template
{
    uint64_t id; /* the program's: its static one, or made from the template's index */
    int is_counter;
    int is_timed; /* has times whose clock is the stream's */
    int is_being_registered;
    int has_pointers; /* its payloads refer to other bytes */
    size_t n_bytes;   /* of a payload, or a sample; 0: unknown, or it varies */
    nvtxPayloadSchemaAttr_t schema; /* one of these two */
    nvtxCounterAttr_t counter;
    struct variant *variants; /* owned */
    size_t n_variants;
};

/* The templates of a domain. */
struct templates {
    nvtxDomainHandle_t domain; /* NVTX's */
    struct template **items;   /* owned */
    size_t n;
    struct copies copies;
};

void templates_free(struct templates *templates);

/* Each stores an id for the program in *id. Returns 0, or a result of NVTXW. */
int32_t templates_add_schema(struct templates *templates,
                             const nvtxPayloadSchemaAttr_t *schema, uint64_t *id);
int32_t templates_add_enum(struct templates *templates,
                           const nvtxPayloadEnumAttr_t *attributes, uint64_t *id);
int32_t templates_add_counter(struct templates *templates,
                              const nvtxCounterAttr_t *counter, uint64_t *id);

/* What the program's id stands for. */
struct registration {
    uint64_t id; /* NVTX's */
    size_t n_bytes;
    int has_pointers;
};

/* Finds the registration of a schema, enum or predefined type, or of a counter; registers
 * it with NVTX if the clock is new. Returns 0, NVTXW_RESULT_INVALID_ARGUMENT if the
 * program never registered the id, or NVTXW_RESULT_FAILED. */
int32_t templates_find_schema(struct templates *templates, uint64_t id, uint64_t clock,
                              struct registration *out);
int32_t templates_find_counter(struct templates *templates, uint64_t id, uint64_t clock,
                               struct registration *out);

#endif
