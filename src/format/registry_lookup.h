/* SPDX-License-Identifier: Apache-2.0 */
/* registry_lookup.h - looks up ids of NVTX's extensions, also in the processes that a
 * forked child inherited them from. */
#ifndef RLN_FORMAT_REGISTRY_LOOKUP_H
#define RLN_FORMAT_REGISTRY_LOOKUP_H

#include "format/registry_ids.h"

/* The schema or enum with that id at that time; `ticks` is UINT64_MAX for the latest.
 */
const struct rln__schema *rln__registry_schema(const struct rln__names *names,
                                               uint32_t process, uint32_t domain_id,
                                               uint64_t id, uint64_t ticks);
const struct rln__scope *rln__registry_scope(const struct rln__names *names,
                                             uint32_t process, uint32_t domain_id,
                                             uint64_t id);
const struct rln__counter *rln__registry_counter(const struct rln__names *names,
                                                 uint32_t process, uint32_t domain_id,
                                                 uint64_t id);
const struct rln__time_domain *rln__registry_time_domain(const struct rln__names *names,
                                                         uint32_t process,
                                                         uint32_t domain_id,
                                                         uint64_t id);

/* The counter id of a sample's number, for rln__registry_counter(). A program may
 * sample a counter that it never registers. */
const struct rln__counter_number *
rln__registry_number(const struct rln__names *names, uint32_t process, uint32_t number);
const struct rln__sync_object *rln__registry_object(const struct rln__names *names,
                                                    uint32_t process, uint32_t object,
                                                    uint64_t ticks);
const struct rln__semantics *rln__registry_semantics(const struct rln__names *names,
                                                     uint32_t process, uint32_t id);

/* The types of a process; without a record, those of Linux on a machine with this kind
 * of clock (enum rln__clock_kind). Never NULL. */
const struct rln__types *rln__registry_types(const struct rln__names *names,
                                             uint32_t process, uint32_t clock_kind);

/* The row of the latest registration of `key->id` up to `key->ticks`; if there is none,
 * of the first one. */
uint32_t rln__find_id(const struct rln__registry *registry, enum rln__id_table table,
                      const struct rln__registered *key);

#endif
