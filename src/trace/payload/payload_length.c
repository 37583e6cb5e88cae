/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/payload/payload_length.h"

#include "format/schema_entry.h"
#include "trace/payload/payload_extent.h"
#include "trace/payload/payload_parts.h"
#include "trace/payload/payload_scalar.h"

int rln__follow_pointer(const struct rln__decoder *d,
                        struct rln__payload_position position,
                        const struct rln__schema_entry *entry,
                        struct rln__payload_position *out, uint64_t *address)
{
    const uint64_t flags = rln__entry_indirect(entry);
    const uint32_t size = rln__pointer_size(d);
    const uint64_t value = rln__load(rln__payload_position_bytes(position), size);
    const struct rln__payload_segments *segments = d->segments;

    *out = position;
    if (!(flags & RLN__ENTRY_POINTER)) {
        /* Offsets may be negative; a position out of bounds has no bytes. */
        out->at =
            (flags & RLN__ENTRY_FROM_BASE ? position.base : position.at + size) + value;
        *address = position.segment->address + out->at;
        return out->at < position.segment->n_kept;
    }
    *address = value;
    for (size_t i = 0; value && i < segments->n; i++) {
        const struct rln__payload_segment *p = &segments->items[i];

        if (!p->address || value - p->address >= p->n_kept)
            continue;
        out->segment = p;
        out->at = value - p->address;
        out->base = i < segments->n_payloads ? 0 : out->at;
        return 1;
    }
    return 0;
}

int rln__read_count(struct rln__decoder *d, struct rln__payload_position position,
                    uint64_t type, uint64_t *out)
{
    const struct rln__types *types = d->context.types;
    const uint32_t size = rln__type_size(types, type);
    const struct rln__schema *schema;

    if (size)
        return rln__payload_position_has(position, size)
                   ? rln__scalar_count(types, type,
                                       rln__payload_position_bytes(position), out)
                   : 0;
    schema = rln__decode_schema(d, type);
    if (!schema || !schema->is_enum ||
        !rln__payload_position_has(position, rln__enum_size(schema)))
        return 0;
    *out = rln__load(rln__payload_position_bytes(position), rln__enum_size(schema));
    return 1;
}

/* Where entry `i` is. A later entry is found if the sizes of those before it do not
 * depend on their bytes. */
static struct rln__payload_position
position_of(struct rln__decoder *d, const struct rln__decode_frame *f, uint32_t i)
{
    const uint64_t start = f->start.at;
    uint32_t k = f->n_offsets ? f->n_offsets - 1 : 0;
    uint64_t at = f->n_offsets ? d->offsets[f->first_offset + k] : start;

    if (i < f->n_offsets)
        return rln__payload_position_at(f->start, d->offsets[f->first_offset + i]);
    if (f->entries[i].offset || rln__entry_is_union(f->schema))
        return rln__payload_position_at(f->start,
                                        rln__far_add(start, f->entries[i].offset));
    for (; rln__decode_step(d, 1); k++) {
        const uint64_t offset = f->entries[k].offset;
        const struct rln__extent e =
            rln__entry_extent(d, f->schema, &f->entries[k], f->depth);

        if (k >= f->n_offsets)
            at = rln__far_add(start, offset ? offset
                                            : rln__far_align(at - start, e.alignment));
        if (k == i)
            return rln__payload_position_at(f->start, at);
        at = rln__far_add(at, e.size);
    }
    return rln__payload_position_at(f->start, RLN__FAR);
}

/* How many numbers an entry has, or may have at most if a zero ends them. 0 if it does
 * not say, or too many. */
static uint64_t count_of(struct rln__decoder *d, const struct rln__decode_frame *f,
                         const struct rln__schema_entry *e)
{
    uint64_t n = 1;

    switch (RLN__ENTRY_ARRAY(e->flags)) {
    case RLN__ARRAY_NONE:
        break;
    case RLN__ARRAY_FIXED:
        n = e->detail;
        break;
    case RLN__ARRAY_TERMINATED:
        n = RLN__MOST_DIMENSIONS;
        break;
    case RLN__ARRAY_LENGTH_INDEX:
        /* That entry may only be a single number. */
        if (e->detail >= f->schema->n_entries || f->entries[e->detail].flags ||
            !rln__read_count(d, position_of(d, f, (uint32_t)e->detail),
                             f->entries[e->detail].type, &n))
            return 0;
        break;
    default:
        return 0;
    }
    return n <= RLN__MOST_DIMENSIONS ? n : 0;
}

/* Entry `i`, whose data is at `*position`; NULL if there is none. */
static const struct rln__schema_entry *entry_at(struct rln__decoder *d,
                                                const struct rln__decode_frame *f,
                                                uint64_t i,
                                                struct rln__payload_position *position)
{
    const struct rln__schema_entry *e;
    uint64_t address;

    if (i >= f->schema->n_entries)
        return NULL;
    e = &f->entries[i];
    *position = position_of(d, f, (uint32_t)i);
    if (rln__entry_indirect(e) &&
        (!rln__payload_position_has(*position, rln__pointer_size(d)) ||
         !rln__follow_pointer(d, *position, e, position, &address)))
        return NULL;
    return e;
}

int rln__read_selector(struct rln__decoder *d, const struct rln__decode_frame *f,
                       uint64_t i, uint64_t *out)
{
    struct rln__payload_position position;
    const struct rln__schema_entry *e = entry_at(d, f, i, &position);

    return e && rln__read_count(d, position, e->type, out) > 0;
}

int rln__read_dimensions(struct rln__decoder *d, const struct rln__decode_frame *f,
                         uint64_t i, struct rln__dimensions *out)
{
    struct rln__payload_position position;
    const struct rln__schema_entry *e = entry_at(d, f, i, &position);
    uint64_t n, step;
    int ends_with_zero;

    out->n = 0;
    if (!e)
        return 0;
    n = count_of(d, f, e);
    step = rln__type_size(d->context.types, e->type);
    ends_with_zero = RLN__ENTRY_ARRAY(e->flags) == RLN__ARRAY_TERMINATED;
    for (; out->n < n; out->n++, position.at = rln__far_add(position.at, step)) {
        uint64_t *count = &out->of[out->n];

        if (!rln__read_count(d, position, e->type, count))
            return ends_with_zero && out->n;
        if (ends_with_zero && *count == 0)
            break;
    }
    return out->n > 0;
}

int rln__read_payload_lengths(struct rln__decoder *d, uint64_t index,
                              struct rln__dimensions *out)
{
    const struct rln__registry *r = &d->context.names->registry;
    struct rln__decode_frame f = {.depth = 0};
    const struct rln__payload_segment *segment;
    uint32_t size;

    out->n = 0;
    if (index >= d->segments->n_payloads)
        return 0;
    segment = &d->segments->items[index];
    f.start.segment = segment;
    size = rln__type_size(d->context.types, segment->schema);
    if (size) {
        const uint64_t n = segment->n_kept / size;

        while (out->n < n && out->n < RLN__MOST_DIMENSIONS &&
               rln__read_count(
                   d, rln__payload_position_at(f.start, (uint64_t)out->n * size),
                   segment->schema, &out->of[out->n]))
            out->n++;
        return out->n == n && n;
    }
    f.schema = rln__decode_schema(d, segment->schema);
    if (!f.schema || f.schema->is_enum || !f.schema->n_entries)
        return 0;
    f.entries = rln__schema_entries(r, f.schema);
    return rln__read_dimensions(d, &f, 0, out);
}
