/* SPDX-License-Identifier: Apache-2.0 */
/* registry_ids.h - defines the sorted list of ids that registry.c makes and
 * registry_lookup.c searches. */
#ifndef RLN_FORMAT_REGISTRY_IDS_H
#define RLN_FORMAT_REGISTRY_IDS_H

#include "format/registry.h"

enum rln__id_table {
    RLN__ID_SCHEMA,
    RLN__ID_SCOPE,
    RLN__ID_COUNTER,
    RLN__ID_TIME_DOMAIN,
    RLN__ID_NUMBER,
    RLN__ID_OBJECT,
    RLN__ID_SEMANTICS,
    RLN__ID_TYPES,
};

/* Numbers, objects, semantics and types belong to no domain: `from.domain_id` is 0. */
struct rln__registered_id {
    struct rln__registered from;
    uint32_t table; /* enum rln__id_table */
    uint32_t row;
};

#define RLN__NO_ROW UINT32_MAX

#define RLN__COMPARE(a, b, member)                                                     \
    if ((a)->member != (b)->member)                                                    \
    return (a)->member < (b)->member ? -1 : 1

/* Compares table, process, domain and id; rln__compare_ids() also time and row. */
static inline int rln__compare_owners(const struct rln__registered_id *a,
                                      const struct rln__registered_id *b)
{
    RLN__COMPARE(a, b, table);
    RLN__COMPARE(a, b, from.process);
    RLN__COMPARE(a, b, from.domain_id);
    RLN__COMPARE(a, b, from.id);
    return 0;
}

static inline int rln__compare_ids(const struct rln__registered_id *a,
                                   const struct rln__registered_id *b)
{
    const int order = rln__compare_owners(a, b);

    if (order)
        return order;
    RLN__COMPARE(a, b, from.ticks);
    RLN__COMPARE(a, b, row);
    return 0;
}

#endif
