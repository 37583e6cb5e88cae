/* SPDX-License-Identifier: Apache-2.0 */
#include "format/registry_lookup.h"

#include "format/attributes.h"
#include "format/names.h"
#include "format/names_table.h"
#include "format/registry_ids.h"

uint32_t rln__find_id(const struct rln__registry *r, enum rln__id_table table,
                      const struct rln__registered *key)
{
    const struct rln__registered_id target = {*key, (uint32_t)table, RLN__NO_ROW};
    size_t low = 0, high = r->n_ids;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (rln__compare_ids(&r->ids[middle], &target) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && rln__compare_owners(&r->ids[low - 1], &target) == 0)
        return r->ids[low - 1].row;
    if (low < r->n_ids && rln__compare_owners(&r->ids[low], &target) == 0)
        return r->ids[low].row;
    return RLN__NO_ROW;
}

/* A forked child inherits ids that it did not register, unless it created the domain.
 */
static uint32_t find_inherited(const struct rln__names *names, enum rln__id_table table,
                               struct rln__registered key, enum rln__name_table limit,
                               uint32_t limited_id)
{
    const uint32_t owner = rln__names_owner(names, key.process, limit, limited_id);

    for (int i = 0; i < RLN__MAX_ANCESTORS; i++) {
        const uint32_t row = rln__find_id(&names->registry, table, &key);

        if (row != RLN__NO_ROW || key.process == owner)
            return row;
        key.process = rln__names_parent(names, key.process);
        if (key.process == RLN__NONE)
            break;
    }
    return RLN__NO_ROW;
}

static uint32_t find_in_domain(const struct rln__names *names, enum rln__id_table table,
                               uint32_t process, uint32_t domain_id, uint64_t id,
                               uint64_t ticks)
{
    const struct rln__registered key = {id, ticks, process, domain_id};

    return find_inherited(names, table, key, RLN__TABLE_DOMAIN, domain_id);
}

const struct rln__schema *rln__registry_schema(const struct rln__names *names,
                                               uint32_t process, uint32_t domain_id,
                                               uint64_t id, uint64_t ticks)
{
    const uint32_t row =
        find_in_domain(names, RLN__ID_SCHEMA, process, domain_id, id, ticks);

    return row == RLN__NO_ROW ? NULL : &names->registry.schemas[row];
}

const struct rln__scope *rln__registry_scope(const struct rln__names *names,
                                             uint32_t process, uint32_t domain_id,
                                             uint64_t id)
{
    const uint32_t row =
        find_in_domain(names, RLN__ID_SCOPE, process, domain_id, id, UINT64_MAX);

    return row == RLN__NO_ROW ? NULL : &names->registry.scopes[row];
}

const struct rln__counter *rln__registry_counter(const struct rln__names *names,
                                                 uint32_t process, uint32_t domain_id,
                                                 uint64_t id)
{
    const uint32_t row =
        find_in_domain(names, RLN__ID_COUNTER, process, domain_id, id, UINT64_MAX);

    return row == RLN__NO_ROW ? NULL : &names->registry.counters[row];
}

const struct rln__time_domain *rln__registry_time_domain(const struct rln__names *names,
                                                         uint32_t process,
                                                         uint32_t domain_id,
                                                         uint64_t id)
{
    const uint32_t row =
        find_in_domain(names, RLN__ID_TIME_DOMAIN, process, domain_id, id, UINT64_MAX);

    return row == RLN__NO_ROW ? NULL : &names->registry.time_domains[row];
}

const struct rln__counter_number *
rln__registry_number(const struct rln__names *names, uint32_t process, uint32_t number)
{
    const struct rln__registered key = {number, UINT64_MAX, process, 0};
    const uint32_t row =
        find_inherited(names, RLN__ID_NUMBER, key, RLN__TABLE_ATTR, number);

    return row == RLN__NO_ROW ? NULL : &names->registry.numbers[row];
}

const struct rln__sync_object *rln__registry_object(const struct rln__names *names,
                                                    uint32_t process, uint32_t object,
                                                    uint64_t ticks)
{
    const struct rln__registered key = {object, ticks, process, 0};
    const uint32_t row =
        find_inherited(names, RLN__ID_OBJECT, key, RLN__TABLE_DOMAIN, 0);

    return row == RLN__NO_ROW ? NULL : &names->registry.objects[row];
}

const struct rln__semantics *rln__registry_semantics(const struct rln__names *names,
                                                     uint32_t process, uint32_t id)
{
    const struct rln__registered key = {id, UINT64_MAX, process, 0};
    const uint32_t row =
        id ? find_inherited(names, RLN__ID_SEMANTICS, key, RLN__TABLE_STRING, id)
           : RLN__NO_ROW;

    return row == RLN__NO_ROW ? NULL : &names->registry.semantics[row];
}

/* Both platforms are LP64; they differ in `char`, `wchar_t` and `long double`. */
#define LP64                                                                           \
    {                                                                                  \
        {0, 0}, {1, 1}, {1, 1}, {2, 2}, {2, 2}, {4, 4}, {4, 4}, {8, 8}, {8, 8},        \
            {8, 8}, {8, 8}, {1, 1}, {1, 1}, {2, 2}, {2, 2}, {4, 4}, {4, 4}, {8, 8},    \
            {8, 8}, {4, 4}, {8, 8}, {16, 16}, {8, 8}, {8, 8}, {4, 4}, {1, 1}, {2, 2},  \
            {4, 4},                                                                    \
    }

const struct rln__types *rln__registry_types(const struct rln__names *names,
                                             uint32_t process, uint32_t clock_kind)
{
    static const struct rln__types x86_64 = {.flags = RLN__TYPES_SIGNED_CHAR |
                                                      RLN__TYPES_SIGNED_WCHAR |
                                                      RLN__TYPES_LONG_DOUBLE_X87,
                                             .of = LP64};
    static const struct rln__types aarch64 = {.flags = RLN__TYPES_LONG_DOUBLE_IEEE,
                                              .of = LP64};
    const struct rln__registered key = {0, UINT64_MAX, process, 0};
    const uint32_t row =
        find_inherited(names, RLN__ID_TYPES, key, RLN__TABLE_DOMAIN, 0);

    if (row != RLN__NO_ROW)
        return &names->registry.types[row];
    return clock_kind == RLN__CLOCK_CNTVCT ? &aarch64 : &x86_64;
}
