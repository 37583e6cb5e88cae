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
 * Schemas without timestamps are registered at once, and their ids are NVTX's own.
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
    int is_being_registered;
    nvtxPayloadSchemaAttr_t schema; /* one of these two */
    nvtxCounterAttr_t counter;
    size_t sample_size;       /* of a counter, if known */
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

/* Stores an id for the program in *id. Returns 0, or a result of NVTXW. */
int32_t templates_add_schema(struct templates *templates,
                             const nvtxPayloadSchemaAttr_t *schema, uint64_t *id);
int32_t templates_add_counter(struct templates *templates,
                              const nvtxCounterAttr_t *counter, uint64_t *id);

/* Returns NVTX's id for the program's `id` of a schema, or counter, on a clock, and
 * registers the template if this clock is new; `id` itself if it is no template; 0 if
 * registering fails. */
uint64_t templates_schema_id(struct templates *templates, uint64_t id, uint64_t clock);
uint64_t templates_counter_id(struct templates *templates, uint64_t id, uint64_t clock);

/* The counter with the program's `id`, or NULL. */
const struct template *templates_counter(const struct templates *templates,
                                         uint64_t id);

#endif
