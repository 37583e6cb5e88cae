/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/payload/payload_extent.h"

#include "format/registry_lookup.h"
#include "format/schema_entry.h"
#include "trace/payload/payload_parts.h"
#include "trace/payload/payload_scalar.h"

#define MOST_DEPTH 16

int rln__decode_step(struct rln__decoder *d, uint64_t n)
{
    if (n >= d->steps_left) {
        d->steps_left = 0;
        d->is_cut = 1;
        return 0;
    }
    d->steps_left -= n;
    return 1;
}

const struct rln__schema *rln__decode_schema(const struct rln__decoder *d, uint64_t id)
{
    return rln__registry_schema(d->context.names, d->context.process,
                                d->context.domain_id, id, d->context.ticks);
}

uint32_t rln__enum_size(const struct rln__schema *schema)
{
    /* C's, if the program did not say. */
    return schema->size_bytes >= 1 && schema->size_bytes <= 8
               ? (uint32_t)schema->size_bytes
               : 4;
}

uint32_t rln__pointer_size(const struct rln__decoder *d)
{
    const uint32_t size = d->context.types->of[RLN__TYPE_ADDRESS].size;

    return size >= 1 && size <= 8 ? size : 8;
}

static struct rln__extent
struct_extent(struct rln__decoder *d, const struct rln__schema *schema, unsigned depth)
{
    const struct rln__schema_entry *entries =
        rln__schema_entries(&d->context.names->registry, schema);
    const int is_union = rln__entry_is_union(schema);
    struct rln__extent whole = {0, 1};
    uint64_t at = 0;

    for (uint32_t i = 0; i < schema->n_entries && rln__decode_step(d, 1); i++) {
        const struct rln__extent e =
            rln__entry_extent(d, schema, &entries[i], depth + 1);

        if (e.alignment > whole.alignment)
            whole.alignment = e.alignment;
        if (entries[i].offset || i == 0 || is_union)
            at = entries[i].offset < RLN__FAR ? entries[i].offset : RLN__FAR;
        else
            at = rln__far_align(at, e.alignment);
        at = rln__far_add(at, e.size);
        if (at > whole.size)
            whole.size = at;
    }
    if (schema->type == RLN__SCHEMA_DYNAMIC)
        whole.size = RLN__FAR;
    else if (schema->size_bytes)
        whole.size = schema->size_bytes < RLN__FAR ? schema->size_bytes : RLN__FAR;
    else
        whole.size = rln__far_align(whole.size, whole.alignment);
    /* A size that is no multiple of the alignment means a packed struct (NumPy's, say),
     * whether the schema says so or not. */
    while (whole.size < RLN__FAR && whole.size % whole.alignment)
        whole.alignment /= 2;
    return whole;
}

struct rln__extent rln__type_extent(struct rln__decoder *d, uint64_t type,
                                    unsigned depth)
{
    const uint64_t size = rln__type_size(d->context.types, type);
    struct rln__extent extent = {size, rln__type_alignment(d->context.types, type)};
    const struct rln__schema *schema;

    if (size)
        return extent;
    extent = (struct rln__extent){RLN__FAR, 1};
    schema = depth < MOST_DEPTH ? rln__decode_schema(d, type) : NULL;
    if (!schema)
        return extent;
    if (schema->is_enum) {
        extent.size = extent.alignment = rln__enum_size(schema);
        return extent;
    }
    return struct_extent(d, schema, depth);
}

struct rln__extent rln__entry_extent(struct rln__decoder *d,
                                     const struct rln__schema *schema,
                                     const struct rln__schema_entry *entry,
                                     unsigned depth)
{
    const unsigned array = RLN__ENTRY_ARRAY(entry->flags);
    struct rln__extent extent;

    if (rln__entry_indirect(entry)) {
        extent.size = extent.alignment = rln__pointer_size(d);
    } else {
        extent = rln__type_extent(d, entry->type, depth);
        if (array == RLN__ARRAY_FIXED ||
            (array == RLN__ARRAY_NONE && rln__type_is_string(entry->type)))
            extent.size = rln__far_times(extent.size, entry->detail);
        else if (array != RLN__ARRAY_NONE)
            extent.size = RLN__FAR;
    }
    if (schema->pack_align && extent.alignment > schema->pack_align)
        extent.alignment = schema->pack_align;
    return extent;
}
