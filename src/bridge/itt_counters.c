/* SPDX-License-Identifier: Apache-2.0 */
/* itt_counters.c - counters are in lists by hash, as names are (itt_names.c). One that
 * a client has made itself leads to ours of the same name:
 *
 *     client's --index--> ours --id--> NVTX's, from the first value on
 */
#include "bridge/itt_counters.h"
#include "bridge/arena.h"
#include "bridge/itt_metadata.h"
#include "bridge/itt_names.h"

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>

#include <string.h>

enum { U64 = 1, FLOAT = 7, DOUBLE = 8 }; /* types of ITT */
enum { N_LISTS = 256 };

struct counter {
    struct rln__itt_counter itt; /* `index` is the address of this */
    struct rln__itt_domain *domain;
    uint64_t id;   /* atomic, as the next; NVTX's, 0 before the first value */
    int64_t value; /* of integers, for the next change */
    const char *unit, *description;
    uint64_t most; /* 0: unknown */
};

static struct counter *lists[N_LISTS]; /* atomic; linked by `itt.next` */

/* --- Creating --------------------------------------------------------------------- */

static struct counter *find(struct counter *c, const struct rln__itt_string *name,
                            const struct rln__itt_domain *domain, int type)
{
    while (c &&
           (c->itt.name != name->text || c->domain != domain || c->itt.type != type))
        c = (struct counter *)(void *)c->itt.next;
    return c;
}

static struct counter *counter_of(const char *name, const char *domain_name, int type)
{
    const struct rln__itt_string *kept = rln__itt_string(name);
    struct rln__itt_domain *domain =
        rln__itt_domain(domain_name ? domain_name : "ITT counters");
    struct counter **list, *first, *found, *new = NULL;

    if (!kept || !domain)
        return NULL;
    list = &lists[((uintptr_t)kept >> 3) % N_LISTS];
    first = __atomic_load_n(list, __ATOMIC_ACQUIRE);
    while (!(found = find(first, kept, domain, type))) {
        if (!new && !(new = rln__arena_keep(sizeof(*new))))
            return NULL;
        new->itt = (struct rln__itt_counter){.name = kept->text,
                                             .domain = domain->name,
                                             .type = type,
                                             .index = (long)(uintptr_t) new,
                                             .next = first ? &first->itt : NULL};
        new->domain = domain;
        if (__atomic_compare_exchange_n(list, &first, new, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return new;
    }
    return found;
}

struct rln__itt_counter *rln__itt_counter_create_typed(const char *name,
                                                       const char *domain, int type)
{
    struct counter *c =
        name ? counter_of(name, domain, rln__itt_type_size(type) ? type : U64) : NULL;

    return c ? &c->itt : NULL;
}

struct rln__itt_counter *rln__itt_counter_create(const char *name, const char *domain)
{
    return rln__itt_counter_create_typed(name, domain, U64);
}

struct rln__itt_counter *
rln__itt_counter_create_v3(const struct rln__itt_domain *domain, const char *name,
                           int type)
{
    return rln__itt_counter_create_typed(name, domain ? domain->name : NULL, type);
}

/* Ours of any client's. */
static struct counter *ours(struct rln__itt_counter *counter)
{
    const long known = counter ? __atomic_load_n(&counter->index, __ATOMIC_ACQUIRE) : 0;
    struct rln__itt_counter *found;

    if (known || !counter)
        return (struct counter *)(uintptr_t)known;
    found =
        rln__itt_counter_create_typed(counter->name, counter->domain, counter->type);
    if (found)
        __atomic_store_n(&counter->index, found->index, __ATOMIC_RELEASE);
    return (struct counter *)(void *)found;
}

/* --- Values ----------------------------------------------------------------------- */

static uint64_t register_counter(nvtxDomainHandle_t handle, const struct counter *c)
{
    const nvtxSemanticsCounter_t semantics = {
        .header = {.structSize = sizeof(semantics),
                   .semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1,
                   .version = NVTX_COUNTER_SEMANTIC_VERSION},
        .flags = NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE |
                 NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT |
                 (c->most ? NVTX_COUNTER_FLAG_LIMIT_MAX : 0u),
        .unit = c->unit,
        .unitScaleNumerator = 1,
        .unitScaleDenominator = 1,
        .limitType = c->most ? NVTX_COUNTER_LIMIT_U64 : NVTX_COUNTER_LIMIT_UNDEFINED,
        .max = {.u64 = c->most}};
    const nvtxCounterAttr_t attributes = {.structSize = sizeof(attributes),
                                          .schemaId = rln__itt_nvtx_type(c->itt.type),
                                          .name = c->itt.name,
                                          .description = c->description,
                                          .semantics = &semantics.header};

    return nvtxCounterRegister(handle, &attributes);
}

/* Threads that come first at once may each register one. 0: no tool records. */
static uint64_t id_of(nvtxDomainHandle_t handle, struct counter *c)
{
    uint64_t id = __atomic_load_n(&c->id, __ATOMIC_ACQUIRE), expected = 0;

    if (id)
        return id;
    id = register_counter(handle, c);
    return __atomic_compare_exchange_n(&c->id, &expected, id, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE)
               ? id
               : expected;
}

static void sample(struct counter *c, const void *value, size_t n_bytes)
{
    nvtxDomainHandle_t handle = rln__itt_handle(c->domain);
    const uint64_t id = handle ? id_of(handle, c) : 0;

    if (id)
        nvtxCounterSample(handle, id, value, n_bytes);
}

static int64_t integer(int type, const void *value)
{
    int64_t wide = 0;

    /* Little-endian; the sign does not matter, as what is too wide is cut again. */
    memcpy(&wide, value, rln__itt_type_size(type));
    return wide;
}

void rln__itt_counter_set_value(struct rln__itt_counter *counter, const void *value)
{
    struct counter *c = value ? ours(counter) : NULL;

    if (!c)
        return;
    if (c->itt.type != FLOAT && c->itt.type != DOUBLE)
        __atomic_store_n(&c->value, integer(c->itt.type, value), __ATOMIC_RELAXED);
    sample(c, value, rln__itt_type_size(c->itt.type));
}

/* Of floating-point numbers, ITT defines no changes. */
static void change(struct counter *c, uint64_t by)
{
    uint64_t value;

    if (!c || c->itt.type == FLOAT || c->itt.type == DOUBLE)
        return;
    value = (uint64_t)__atomic_add_fetch(&c->value, (int64_t)by, __ATOMIC_RELAXED);
    sample(c, &value, rln__itt_type_size(c->itt.type));
}

void rln__itt_counter_inc(struct rln__itt_counter *counter)
{
    change(ours(counter), 1);
}

void rln__itt_counter_inc_delta(struct rln__itt_counter *counter, unsigned long long by)
{
    change(ours(counter), by);
}

void rln__itt_counter_dec(struct rln__itt_counter *counter)
{
    change(ours(counter), 0 - (uint64_t)1);
}

void rln__itt_counter_dec_delta(struct rln__itt_counter *counter, unsigned long long by)
{
    change(ours(counter), 0 - by);
}

static struct counter *named(const struct rln__itt_domain *domain,
                             const struct rln__itt_string *name)
{
    return domain && name && name->text ? counter_of(name->text, domain->name, U64)
                                        : NULL;
}

void rln__itt_counter_inc_v3(const struct rln__itt_domain *domain,
                             const struct rln__itt_string *name)
{
    change(named(domain, name), 1);
}

void rln__itt_counter_inc_delta_v3(const struct rln__itt_domain *domain,
                                   const struct rln__itt_string *name,
                                   unsigned long long by)
{
    change(named(domain, name), by);
}

void rln__itt_counter_dec_v3(const struct rln__itt_domain *domain,
                             const struct rln__itt_string *name)
{
    change(named(domain, name), 0 - (uint64_t)1);
}

void rln__itt_counter_dec_delta_v3(const struct rln__itt_domain *domain,
                                   const struct rln__itt_string *name,
                                   unsigned long long by)
{
    change(named(domain, name), 0 - by);
}

/* --- What is known of a counter --------------------------------------------------- */

enum { CONTEXT_NAME = 1, CONTEXT_UNIT = 5, CONTEXT_MOST = 10 }; /* types of ITT */

static const char *text_of(const struct rln__itt_context *context)
{
    const struct rln__itt_string *s = rln__itt_string(context->value);

    return s ? s->text : NULL;
}

void rln__itt_bind_to_counter(struct rln__itt_counter *counter, size_t n,
                              const struct rln__itt_context *contexts)
{
    struct counter *c = contexts ? ours(counter) : NULL;

    for (size_t i = 0; c && i < n; i++) {
        const struct rln__itt_context *context = &contexts[i];

        if (!context->value)
            continue;
        if (context->type == CONTEXT_NAME)
            c->description = text_of(context);
        else if (context->type == CONTEXT_UNIT)
            c->unit = text_of(context);
        else if (context->type == CONTEXT_MOST)
            memcpy(&c->most, context->value, sizeof(c->most));
    }
}
