/* SPDX-License-Identifier: Apache-2.0 */
#include "format/attributes.h"

#include "base/alloc.h"
#include "format/names_table.h"

#include <string.h>

static uint64_t find(const struct rln__names *names, enum rln__name_table table,
                     uint32_t owner, uint32_t id)
{
    return rln__map_get(&names->map, rln__name_key(table, owner, id));
}

/* Ids below the limit are inherited from the parent. */
static uint32_t limit_of(const struct rln__process_record *r,
                         enum rln__name_table table)
{
    switch (table) {
    case RLN__TABLE_STRING:
        return r->inherited_strings;
    case RLN__TABLE_ATTR:
        return r->inherited_attributes;
    default:
        return r->inherited_domains;
    }
}

uint32_t rln__names_parent(const struct rln__names *names, uint32_t process)
{
    const struct rln__trace_process *p = &names->processes[process];
    const uint64_t parent = find(names, RLN__TABLE_PROCESS, p->part, p->record.parent);

    return parent ? (uint32_t)parent - 1 : RLN__NONE;
}

uint32_t rln__names_owner(const struct rln__names *names, uint32_t process,
                          enum rln__name_table table, uint32_t id)
{
    for (int i = 0; i < RLN__MAX_ANCESTORS; i++) {
        const struct rln__process_record *r = &names->processes[process].record;
        uint32_t parent;

        if (!(r->flags & RLN__PROCESS_FORKED) || id >= limit_of(r, table))
            break;
        parent = rln__names_parent(names, process);
        if (parent == RLN__NONE)
            break;
        process = parent;
    }
    return process;
}

uint32_t rln__names_string(const struct rln__names *names, uint32_t process,
                           uint32_t id)
{
    const uint32_t owner = rln__names_owner(names, process, RLN__TABLE_STRING, id);

    return id ? (uint32_t)find(names, RLN__TABLE_STRING, owner, id) : 0;
}

uint32_t rln__names_thread(const struct rln__names *names, uint32_t process,
                           uint32_t tid)
{
    return (uint32_t)find(names, RLN__TABLE_THREAD, process, tid);
}

uint32_t rln__names_domain_text(struct rln__names *names, uint32_t process,
                                uint32_t string)
{
    const uint32_t name = rln__names_string(names, process, string);

    return rln__strings_get(&names->strings, name).length
               ? name
               : rln__strings_add(&names->strings, "\"\"", 2);
}

uint32_t rln__names_domain(struct rln__names *names, uint32_t process, uint32_t id,
                           int *is_unknown)
{
    const uint32_t owner = rln__names_owner(names, process, RLN__TABLE_DOMAIN, id);
    const uint64_t string_id = find(names, RLN__TABLE_DOMAIN, owner, id);
    uint32_t name;
    uint64_t found;
    struct rln__domain *domains;

    if (id == 0)
        return 0;
    if (!string_id)
        *is_unknown = 1;
    /* Domains without a record share one entry, which has no name. */
    name =
        string_id ? rln__names_domain_text(names, owner, (uint32_t)(string_id - 1)) : 0;
    found = find(names, RLN__TABLE_BY_NAME, 0, name);
    if (found || names->is_fixed)
        return found ? (uint32_t)found - 1 : RLN__NONE;
    domains = rln__grow(names->domains, &names->domains_capacity, names->n_domains + 1,
                        sizeof(*domains));
    if (!domains)
        return RLN__NONE;
    names->domains = domains;
    if (rln__map_put(&names->map, rln__name_key(RLN__TABLE_BY_NAME, 0, name),
                     names->n_domains + 1))
        return RLN__NONE;
    domains[names->n_domains] = (struct rln__domain){name, 0};
    return (uint32_t)names->n_domains++;
}

/* A forked child has its parent's category names, unless it named the category itself.
 */
uint32_t rln__names_category(const struct rln__names *names, uint32_t process,
                             uint32_t domain_id, uint32_t category)
{
    const uint32_t owner =
        rln__names_owner(names, process, RLN__TABLE_DOMAIN, domain_id);

    for (int i = 0; category && i < RLN__MAX_ANCESTORS; i++) {
        const uint64_t pair = find(names, RLN__TABLE_PAIR, process, domain_id);
        const uint64_t found =
            pair ? find(names, RLN__TABLE_CATEGORY, (uint32_t)pair, category) : 0;

        if (found)
            return rln__names_string(names, process, names->categories[found - 1].name);
        if (process == owner)
            break;
        process = rln__names_parent(names, process);
        if (process == RLN__NONE)
            break;
    }
    return 0;
}

/* Applies the renaming rules to a message. Caches the result per message. */
static int rename_message(struct rln__names *names, uint32_t *message)
{
    rln_text name;
    uint64_t known;
    uint32_t number;

    if (!names->renaming.n || !*message)
        return 0;
    known = find(names, RLN__TABLE_RENAMED, 0, *message);
    if (known) {
        *message = (uint32_t)known;
        return 0;
    }
    if (names->is_fixed)
        return -1;
    name = rln__rename(&names->renaming, rln__strings_get(&names->strings, *message));
    number =
        name.bytes ? rln__strings_add(&names->strings, name.bytes, name.length) : 0;
    if (!number || rln__map_put(&names->map,
                                rln__name_key(RLN__TABLE_RENAMED, 0, *message), number))
        return -1;
    *message = number;
    return 0;
}

int rln__names_rename(struct rln__names *names)
{
    for (size_t i = 0; i < names->n_attrs; i++) {
        if (rename_message(names, &names->attrs[i].message))
            return -1;
    }
    return 0;
}

uint32_t rln__names_message(const struct rln__names *names, uint32_t process,
                            uint32_t id)
{
    const uint32_t owner = rln__names_owner(names, process, RLN__TABLE_ATTR, id);
    const uint64_t found = find(names, RLN__TABLE_ATTR, owner, id);

    return found ? rln__names_string(names, owner, names->raw[found - 1].string) : 0;
}

/* Stores equal attribute sets once. Sets with colliding hashes have the next keys. */
static uint32_t add_attr(struct rln__names *names, const struct rln__attr *attr)
{
    uint64_t key = rln__hash_bytes(attr, sizeof(*attr));
    struct rln__attr *attrs;

    for (;; key++) {
        const uint64_t found = rln__map_get(&names->by_content, key);

        if (!found)
            break;
        if (!memcmp(&names->attrs[found - 1], attr, sizeof(*attr)))
            return (uint32_t)found - 1;
    }
    if (names->is_fixed)
        return RLN__NONE;
    attrs = rln__grow(names->attrs, &names->attrs_capacity, names->n_attrs + 1,
                      sizeof(*attrs));
    if (!attrs)
        return RLN__NONE;
    names->attrs = attrs;
    if (rln__map_put(&names->by_content, key, names->n_attrs + 1))
        return RLN__NONE;
    attrs[names->n_attrs] = *attr;
    return (uint32_t)names->n_attrs++;
}

uint32_t rln__names_attr_with_payload(struct rln__names *names, uint32_t process,
                                      uint32_t attr,
                                      const struct rln__payload_attributes *payload)
{
    struct rln__attr with;

    memcpy(&with, &names->attrs[attr], sizeof(with)); /* padding is compared, too */
    if (payload->has_message) {
        with.message = payload->message;
        with.message_type =
            payload->is_registered ? RLN__MESSAGE_REGISTERED : RLN__MESSAGE_PLAIN;
        if (rename_message(names, &with.message))
            return RLN__NONE;
    }
    if (payload->has_category) {
        with.category = payload->category;
        with.category_name =
            rln__names_category(names, process, with.domain_id, payload->category);
    }
    if (payload->has_color) {
        with.color = payload->color;
        with.color_type = 1; /* NVTX_COLOR_ARGB */
    }
    return add_attr(names, &with);
}

/* Resolves the ids of `raw`, which belong to `process`. */
static uint32_t resolve(struct rln__names *names, uint32_t process,
                        const struct rln__raw_attr *raw, uint32_t message,
                        int is_unknown)
{
    struct rln__attr attr;

    memset(&attr, 0, sizeof(attr)); /* padding is compared, too */
    attr.domain_id = raw->domain;
    attr.domain = rln__names_domain(names, process, raw->domain, &is_unknown);
    if (attr.domain == RLN__NONE)
        return RLN__NONE;
    attr.category = raw->category;
    attr.category_name =
        rln__names_category(names, process, raw->domain, raw->category);
    attr.message = message;
    if (rename_message(names, &attr.message))
        return RLN__NONE;
    attr.color = raw->color;
    attr.color_type = raw->color_type;
    attr.payload_type = raw->payload_type;
    attr.message_type = raw->message_type;
    attr.is_unknown = is_unknown != 0;
    return add_attr(names, &attr);
}

/* Caches the resolved attributes of an id, in an array if that has room. */
static int remember(struct rln__names *names, uint32_t process, uint32_t id,
                    uint32_t index)
{
    struct rln__trace_process *p = &names->processes[process];

    if (names->is_fixed)
        return -1;
    if (id >= p->n_attrs) {
        const uint64_t n = id < 512 ? 1024 : (uint64_t)id * 2;
        const uint64_t n_bytes = (n - p->n_attrs) * sizeof(*p->attrs);
        uint32_t *attrs;

        if (n_bytes > names->cache_bytes_left && names->attrs[index].is_unknown)
            return 0; /* the id may become known later; map entries stay */
        if (n_bytes > names->cache_bytes_left)
            return rln__map_put(&names->map,
                                rln__name_key(RLN__TABLE_RESOLVED, process, id),
                                (uint64_t)index + 1);
        attrs = rln__resize(p->attrs, (size_t)n, sizeof(*attrs)); /* within the cache */
        if (!attrs)
            return -1;
        memset(attrs + p->n_attrs, 0, (size_t)n_bytes);
        p->attrs = attrs;
        p->n_attrs = (size_t)n;
        names->cache_bytes_left -= n_bytes;
    }
    p->attrs[id] = index + 1;
    return 0;
}

uint32_t rln__names_attr_slow(struct rln__names *names, uint32_t process, uint32_t id)
{
    static const struct rln__raw_attr nothing;
    const uint64_t known = find(names, RLN__TABLE_RESOLVED, process, id);
    const uint32_t owner = rln__names_owner(names, process, RLN__TABLE_ATTR, id);
    const uint64_t found = find(names, RLN__TABLE_ATTR, owner, id);
    const struct rln__raw_attr *raw = found ? &names->raw[found - 1] : &nothing;
    uint32_t index, message;

    if (known)
        return (uint32_t)known - 1;
    message = rln__names_string(names, owner, raw->string);
    index = resolve(names, owner, raw, message,
                    (id && !found) || (raw->string && !message));
    if (index == RLN__NONE || remember(names, process, id, index))
        return RLN__NONE;
    return index;
}

uint32_t rln__names_attr_in_line(struct rln__names *names, uint32_t process,
                                 const uint64_t words[3], uint32_t message)
{
    struct rln__raw_attr raw = {
        .domain = (uint32_t)words[0],
        .category = (uint32_t)(words[0] >> 32),
        .color = (uint32_t)words[1],
    };

    rln__split_types(&raw, (uint32_t)(words[1] >> 32));
    return resolve(names, process, &raw, message, 0);
}

void rln__names_forget_unknown(struct rln__names *names)
{
    for (size_t i = 0; i < names->n_processes; i++) {
        struct rln__trace_process *p = &names->processes[i];

        for (size_t id = 0; id < p->n_attrs; id++) {
            if (p->attrs[id] && names->attrs[p->attrs[id] - 1].is_unknown)
                p->attrs[id] = 0;
        }
    }
}
