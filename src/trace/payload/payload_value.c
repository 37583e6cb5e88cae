/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/payload/payload_value.h"

#include "base/alloc.h"
#include "trace/payload/payload_extent.h"
#include "trace/payload/payload_names.h"
#include "trace/payload/payload_parts.h"
#include "trace/payload/payload_scalar.h"

#define MOST_FIELDS (1u << 18) /* 64 KiB of bytes, with a struct around each */

/* --- Fields ----------------------------------------------------------------------- */

size_t rln__field_add(struct rln__decoder *d, rln_field_kind kind, uint64_t type)
{
    rln_field *field;

    if (d->n_fields >= MOST_FIELDS) {
        d->steps_left = 0;
        d->is_cut = 1;
    }
    if (!rln__decode_step(d, 1))
        return d->n_fields;
    field = rln__append(&d->fields, &d->n_fields, &d->fields_capacity, sizeof(*field));
    if (!field) {
        d->has_failed = 1;
        d->steps_left = 0;
        return d->n_fields;
    }
    *field = (rln_field){.kind = kind, .type = type};
    return d->n_fields - 1;
}

void rln__field_adopt(struct rln__decoder *d, size_t parent, size_t before,
                      uint32_t index)
{
    if (d->n_fields == before) {
        rln__field_at(d, parent)->flags |= RLN_FIELD_IS_CUT;
        return;
    }
    d->fields[before].index = index;
    d->fields[parent].n_children++;
}

void rln__add_unread(struct rln__decoder *d, uint64_t type, uint64_t address)
{
    const size_t f = rln__field_add(d, RLN_FIELD_UNREAD, type);

    rln__field_at(d, f)->bits = address;
}

/* How many of `n` items of `n_bytes` each are there; marks the field as cut if some are
 * missing. */
static uint64_t take(struct rln__decoder *d, struct rln__payload_position position,
                     uint64_t n, uint32_t n_bytes, rln_field *out)
{
    if (rln__far_times(n, n_bytes) > position.segment->n_kept - position.at) {
        out->flags |= RLN_FIELD_IS_CUT;
        n = (position.segment->n_kept - position.at) / n_bytes;
    }
    if (!rln__decode_step(d, n * n_bytes / RLN__TEXT_STEP)) {
        out->flags |= RLN_FIELD_IS_CUT;
        n = 0;
    }
    return n;
}

/* --- Texts and bytes -------------------------------------------------------------- */

uint64_t rln__decode_bytes(struct rln__decoder *d,
                           struct rln__payload_position position, uint64_t n)
{
    const uint64_t end = rln__far_add(position.at, n);
    rln_field *out;

    if (!rln__payload_position_has(position, n != 0)) {
        rln__add_unread(d, RLN__TYPE_BYTE, rln__payload_position_address(position));
        return end;
    }
    out = rln__field_at(d, rln__field_add(d, RLN_FIELD_BYTES, RLN__TYPE_BYTE));
    n = take(d, position, n, 1, out);
    out->text = (rln_text){n ? (const char *)rln__payload_position_bytes(position) : "",
                           (size_t)n};
    return end;
}

/* Fills in at most `n_units` units, up to the first that is zero. */
static void fill_text(struct rln__decoder *d, rln_field *out, const uint8_t *bytes,
                      uint64_t n_units, uint32_t unit)
{
    const size_t begin = d->text.length;
    uint64_t n = 0;

    while (n < n_units && rln__load(bytes + n * unit, unit) != 0)
        n++;
    if (unit == 1) {
        out->text = (rln_text){n ? (const char *)bytes : "", (size_t)n};
        return;
    }
    if (unit == 2)
        rln__buf_utf16(&d->text, bytes, (size_t)n);
    else if (unit == 4)
        rln__buf_utf32(&d->text, bytes, (size_t)n);
    else
        out->kind = RLN_FIELD_UNKNOWN;
    rln__field_text(out, begin, d->text.length);
}

uint64_t rln__decode_text(struct rln__decoder *d, struct rln__payload_position position,
                          uint64_t type, uint64_t n_units)
{
    const uint32_t unit = rln__type_size(d->context.types, type);
    const uint64_t end = rln__far_add(position.at, rln__far_times(n_units, unit));
    rln_field *out;

    if (!unit || !rln__payload_position_has(position, n_units ? unit : 0)) {
        rln__add_unread(d, type, rln__payload_position_address(position));
        return unit ? end : RLN__FAR;
    }
    out = rln__field_at(d, rln__field_add(d, RLN_FIELD_TEXT, type));
    n_units = take(d, position, n_units, unit, out);
    fill_text(d, out, n_units ? rln__payload_position_bytes(position) : NULL, n_units,
              unit);
    return end;
}

uint64_t rln__decode_terminated_text(struct rln__decoder *d,
                                     struct rln__payload_position position,
                                     uint64_t type)
{
    const uint32_t unit = rln__type_size(d->context.types, type);
    const size_t before = d->n_fields;
    struct rln__payload_position end = position;

    if (!unit || !rln__payload_position_has(position, unit)) {
        rln__add_unread(d, type, rln__payload_position_address(position));
        return RLN__FAR;
    }
    while (rln__payload_position_has(end, unit) &&
           rln__load(rln__payload_position_bytes(end), unit) != 0)
        end.at += unit;
    (void)rln__decode_text(d, position, type, (end.at - position.at) / unit);
    /* The payload's end also ends a text, unless the collector cut it there. */
    if (!rln__payload_position_has(end, unit) &&
        position.segment->n_kept < position.segment->n_given)
        rln__field_at(d, before)->flags |= RLN_FIELD_IS_CUT;
    return end.at + unit;
}

/* --- Numbers and names ------------------------------------------------------------ */

uint64_t rln__decode_scalar(struct rln__decoder *d,
                            struct rln__payload_position position, uint64_t type)
{
    const uint32_t size = rln__type_size(d->context.types, type);
    rln_field *out;

    if (rln__type_is_string(type))
        return rln__decode_terminated_text(d, position, type);
    if (rln__type_is_character(type))
        return rln__decode_text(d, position, type, 1);
    if (type == RLN__TYPE_BYTE)
        return rln__decode_bytes(d, position, 1);
    if (!rln__payload_position_has(position, size)) {
        rln__add_unread(d, type, rln__payload_position_address(position));
        return rln__far_add(position.at, size);
    }
    out = rln__field_at(d, rln__field_add(d, RLN_FIELD_UNKNOWN, type));
    out->bits = rln__load(rln__payload_position_bytes(position), size);
    if (type == RLN__TYPE_CATEGORY)
        rln__name_category(d, out);
    else if (type == RLN__TYPE_SCOPE)
        rln__name_scope(d, out);
    else if (type == RLN__TYPE_STRING_HANDLE)
        rln__name_string(d, out);
    else
        (void)rln__scalar_read(d->context.types, type,
                               rln__payload_position_bytes(position), out);
    return position.at + size;
}

uint64_t rln__decode_enum(struct rln__decoder *d, struct rln__payload_position position,
                          uint64_t type, const struct rln__schema *schema)
{
    const uint32_t size = rln__enum_size(schema);
    rln_field *out;

    if (!rln__payload_position_has(position, size)) {
        rln__add_unread(d, type, rln__payload_position_address(position));
        return rln__far_add(position.at, size);
    }
    out = rln__field_at(d, rln__field_add(d, RLN_FIELD_ENUM, type));
    out->bits = rln__load(rln__payload_position_bytes(position), size);
    rln__name_enum(d, schema, out);
    return position.at + size;
}
