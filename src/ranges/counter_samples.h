/* SPDX-License-Identifier: Apache-2.0 */
/* counter_samples.h - which counter a sample belongs to, and its values.
 *
 *   {process, number} --+
 *                       +--> counter --> name, type, semantics; fields with their own
 *   {process, domain, id}
 *
 *   number of a short record   --> one value, of the counter's type
 *   bytes of a long record     --> a value, or a group's fields, through its schema
 */
#ifndef RLN_RANGES_COUNTER_SAMPLES_H
#define RLN_RANGES_COUNTER_SAMPLES_H

#include "base/key_index.h"
#include "rangeline/values.h"
#include "trace/open/load.h"
#include "trace/payload/payload_decode.h"

struct rln__counters {
    rln_reader *reader;          /* borrowed */
    struct rln__map by_number;   /* process, number -> index + 1 */
    struct rln__key_index by_id; /* process, domain, id -> index */
    rln_counter **items;         /* owned, as is each item: their addresses are kept */
    size_t n, capacity;
    struct rln__key_index
        by_semantics;          /* process and domain, semantics, type -> index */
    rln_semantics **semantics; /* owned, as is each item */
    size_t n_semantics, semantics_capacity;
    rln_sample_value *values; /* owned: of the last sample */
    size_t n_values, values_capacity;
    struct rln__buf text; /* the name being built */
};

void rln__counters_init(struct rln__counters *counters, rln_reader *reader);
void rln__counters_clear(struct rln__counters *counters);

/* The counter of a sample's id, or the one with an id in a process's domain. NULL when
 * there is no memory. */
rln_counter *rln__counter_of_number(struct rln__counters *counters, uint32_t process,
                                    uint32_t number);
rln_counter *rln__counter_of_id(struct rln__counters *counters, uint32_t process,
                                uint32_t domain_id, uint64_t id);

/* The id of a counter with this schema, or the schema's if there is none. */
uint64_t rln__counter_of_schema(const rln_reader *reader, uint32_t process,
                                uint32_t domain_id, uint64_t schema);

/* Sets `counters->values`, valid until the next call. */
rln_status rln__counter_value(struct rln__counters *counters,
                              const rln_counter *counter, int is_double, uint64_t bits,
                              rln_error *err);
/* Sets them to the numbers among the fields of a sample's payload. */
rln_status rln__counter_values(struct rln__counters *counters,
                               const rln_counter *counter, uint32_t domain_id,
                               const rln_payload *payload, uint64_t ticks,
                               rln_error *err);

/* Tells whether rln_sample_in_unit() differs from the number that the program gave,
 * because the counter is normalized or has a scale. */
int rln__sample_is_scaled(const rln_sample_value *value);

#endif
