/* SPDX-License-Identifier: Apache-2.0 */
/* payload_decode.c - payloads, structs, unions and arrays. */
#include "trace/payload/payload_decode.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/schema_entry.h"
#include "trace/payload/payload_extent.h"
#include "trace/payload/payload_json.h"
#include "trace/payload/payload_length.h"
#include "trace/payload/payload_names.h"
#include "trace/payload/payload_parts.h"
#include "trace/payload/payload_scalar.h"
#include "trace/payload/payload_value.h"

#include <string.h>

enum {
    FIRST_STEPS = 1 << 14, /* of an event: about 2 ms if its schemas are malicious */
    BYTE_STEPS = 32,       /* more for each byte that came with it */
    MOST_STEPS = 1 << 21,
    MOST_DEPTH = 48,
};

#define NO_SELECTOR UINT64_MAX

/* The type of a value, or of an array's elements. */
struct what {
    uint64_t type;
    uint64_t selector;         /* of a union, if something else selects its member */
    struct rln__extent extent; /* of an element */
    unsigned depth;
};

static uint64_t decode_value(struct rln__decoder *d,
                             struct rln__payload_position position,
                             const struct what *what);

/* --- Arrays ----------------------------------------------------------------------- */

/* For these types, the last dimension is the length of a text, or of bytes. */
static int is_text(const struct what *what)
{
    return rln__type_is_string(what->type) || rln__type_is_character(what->type) ||
           what->type == RLN__TYPE_BYTE;
}

/* Where an array ends, if its elements are of one size. */
static uint64_t end_of(uint64_t begin, const struct what *what,
                       const struct rln__dimensions *dims, unsigned k)
{
    uint64_t size = what->extent.size;

    for (; k < dims->n; k++)
        size = rln__far_times(size, dims->of[k]);
    return rln__far_add(begin, size);
}

/* Decodes the dimensions from `k` on. */
static uint64_t decode_array(struct rln__decoder *d,
                             struct rln__payload_position position,
                             const struct what *what,
                             const struct rln__dimensions *dims, unsigned k)
{
    const uint64_t begin = position.at;
    size_t array;

    if (k == dims->n)
        return decode_value(d, position, what);
    if (is_text(what) && k + 1 == dims->n)
        return what->type == RLN__TYPE_BYTE
                   ? rln__decode_bytes(d, position, dims->of[k])
                   : rln__decode_text(d, position, what->type, dims->of[k]);
    array = rln__field_add(d, RLN_FIELD_ARRAY, what->type);
    for (uint64_t i = 0; i < dims->of[k]; i++) {
        const size_t before = d->n_fields;

        position.at = rln__far_add(
            begin, rln__far_align(position.at - begin, what->extent.alignment));
        if (!d->steps_left ||
            (what->extent.size && !rln__payload_position_has(position, 1))) {
            rln__field_at(d, array)->flags |= RLN_FIELD_IS_CUT;
            return end_of(begin, what, dims, k);
        }
        position.at = decode_array(d, position, what, dims, k + 1);
        rln__field_adopt(d, array, before, (uint32_t)i);
    }
    return position.at;
}

/* Counts the elements before one that is all zero. */
static uint64_t count_to_zero(struct rln__decoder *d,
                              struct rln__payload_position position, uint64_t size)
{
    uint64_t n = 0;

    for (; rln__payload_position_has(position, size) &&
           rln__decode_step(d, 1 + size / RLN__TEXT_STEP);
         position.at += size, n++) {
        const uint8_t *bytes = rln__payload_position_bytes(position);
        uint64_t i = 0;

        while (i < size && bytes[i] == 0)
            i++;
        if (i == size)
            break;
    }
    return n;
}

/* Decodes up to a zero: elements, a text, or texts of `length` units each. */
static uint64_t decode_terminated(struct rln__decoder *d,
                                  struct rln__payload_position position,
                                  const struct what *what, uint64_t length)
{
    const int is_texts = rln__type_is_string(what->type) && length;
    const uint64_t size =
        is_texts ? rln__far_times(what->extent.size, length) : what->extent.size;
    struct rln__dimensions dims = {{0, length}, is_texts ? 2 : 1};

    if (is_text(what) && !is_texts && what->type != RLN__TYPE_BYTE)
        return rln__decode_terminated_text(d, position, what->type);
    if (size == 0 || size >= RLN__FAR || !rln__payload_position_has(position, size)) {
        rln__add_unread(d, what->type, rln__payload_position_address(position));
        return RLN__FAR;
    }
    dims.of[0] = count_to_zero(d, position, size);
    return rln__far_add(decode_array(d, position, what, &dims, 0), size);
}

/* --- Entries ---------------------------------------------------------------------- */

/* An entry that is no array; it may still be a text, or a union whose member another
 * entry selects. */
static uint64_t decode_one(struct rln__decoder *d, const struct rln__decode_frame *f,
                           const struct rln__schema_entry *entry,
                           struct rln__payload_position position, struct what *what)
{
    if (rln__type_is_string(what->type))
        return entry->detail ? rln__decode_text(d, position, what->type, entry->detail)
                             : rln__decode_terminated_text(d, position, what->type);
    if (what->type >= RLN__FIRST_SCHEMA_ID &&
        !rln__read_selector(d, f, entry->detail, &what->selector))
        what->selector = NO_SELECTOR;
    return decode_value(d, position, what);
}

/* The length of an array that no zero ends. 0 if it is unknown. */
static int read_length(struct rln__decoder *d, const struct rln__decode_frame *f,
                       const struct rln__schema_entry *entry,
                       struct rln__dimensions *out)
{
    switch (RLN__ENTRY_ARRAY(entry->flags)) {
    case RLN__ARRAY_FIXED:
        *out = (struct rln__dimensions){{entry->detail}, 1};
        return 1;
    case RLN__ARRAY_LENGTH_INDEX:
        return rln__read_dimensions(d, f, entry->detail, out);
    case RLN__ARRAY_LENGTH_PAYLOAD:
        return rln__read_payload_lengths(d, entry->detail, out);
    default:
        return 0; /* of a newer NVTX, if it is an array */
    }
}

/* The data of an entry, wherever it is: one value, or an array. */
static uint64_t decode_data(struct rln__decoder *d, const struct rln__decode_frame *f,
                            const struct rln__schema_entry *entry,
                            struct rln__payload_position position)
{
    const uint32_t pack = f->schema->pack_align;
    struct what what = {entry->type, NO_SELECTOR,
                        rln__type_extent(d, entry->type, f->depth), f->depth + 1};
    const unsigned array = RLN__ENTRY_ARRAY(entry->flags);
    struct rln__dimensions dims;

    if (pack && what.extent.alignment > pack)
        what.extent.alignment = pack;
    if (array == RLN__ARRAY_NONE ||
        (array == RLN__ARRAY_FIXED && rln__type_is_string(entry->type)))
        return decode_one(d, f, entry, position, &what);
    if (array == RLN__ARRAY_TERMINATED)
        return decode_terminated(d, position, &what, entry->detail);
    if (!read_length(d, f, entry, &dims)) {
        rln__add_unread(d, what.type, rln__payload_position_address(position));
        return RLN__FAR;
    }
    return decode_array(d, position, &what, &dims, 0);
}

/* The data that an entry points to. The entry ends where the pointer or offset does. */
static uint64_t decode_elsewhere(struct rln__decoder *d,
                                 const struct rln__decode_frame *f,
                                 const struct rln__schema_entry *entry,
                                 struct rln__payload_position position)
{
    const uint32_t size = rln__pointer_size(d);
    struct rln__payload_position target;
    struct rln__dimensions dims;
    uint64_t address = 0;

    if (!rln__payload_position_has(position, size))
        rln__add_unread(d, entry->type, rln__payload_position_address(position));
    else if (rln__follow_pointer(d, position, entry, &target, &address))
        (void)decode_data(d, f, entry, target);
    else if (read_length(d, f, entry, &dims) && dims.of[0] == 0)
        /* Nothing to read, wherever it is. */
        (void)decode_data(d, f, entry,
                          rln__payload_position_at(position, position.segment->n_kept));
    else if (!address)
        (void)rln__field_add(d, RLN_FIELD_NULL, entry->type);
    else
        rln__add_unread(d, entry->type, address);
    return rln__far_add(position.at, size);
}

static uint64_t decode_entry(struct rln__decoder *d, const struct rln__decode_frame *f,
                             uint32_t i, uint64_t at)
{
    const struct rln__schema_entry *entry = &f->entries[i];
    const struct rln__names *names = d->context.names;
    const unsigned purpose = RLN__ENTRY_PURPOSE(entry->flags);
    const struct rln__payload_position position =
        rln__payload_position_at(f->start, at);
    const size_t head = d->n_fields;
    const uint64_t end = rln__entry_indirect(entry)
                             ? decode_elsewhere(d, f, entry, position)
                             : decode_data(d, f, entry, position);
    rln_field *out = rln__field_at(d, head);

    out->name = rln__strings_get(
        &names->strings,
        rln__names_string(names, f->schema->from.process, entry->name));
    if (entry->flags & RLN__ENTRY_HIDE)
        out->flags |= RLN_FIELD_IS_HIDDEN;
    if (purpose == RLN__PURPOSE_MESSAGE)
        out->flags |= RLN_FIELD_IS_MESSAGE;
    else if (purpose == RLN__PURPOSE_TIMESTAMP)
        out->flags |= RLN_FIELD_IS_TIMESTAMP;
    return end;
}

/* --- Structs and unions ----------------------------------------------------------- */

static struct rln__decode_frame frame_of(const struct rln__decoder *d,
                                         const struct rln__schema *schema,
                                         struct rln__payload_position start,
                                         unsigned depth)
{
    return (struct rln__decode_frame){
        .schema = schema,
        .entries = rln__schema_entries(&d->context.names->registry, schema),
        .start = start,
        .first_offset = d->n_offsets,
        .depth = depth,
    };
}

/* Makes room for the offsets of the struct's entries. */
static int open_frame(struct rln__decoder *d, const struct rln__decode_frame *f)
{
    const uint32_t n = f->schema->n_entries;
    uint64_t *offsets;

    if (!rln__decode_step(d, n))
        return 0;
    offsets =
        rln__grow(d->offsets, &d->offsets_capacity, d->n_offsets + n, sizeof(*offsets));
    if (!offsets) {
        d->has_failed = 1;
        return 0;
    }
    d->offsets = offsets;
    d->n_offsets += n;
    return 1;
}

static uint64_t decode_struct(struct rln__decoder *d,
                              struct rln__payload_position position,
                              const struct what *what, const struct rln__schema *schema)
{
    const uint64_t start = position.at;
    const struct rln__extent whole = rln__type_extent(d, what->type, what->depth);
    const size_t head = rln__field_add(d, RLN_FIELD_STRUCT, what->type);
    struct rln__decode_frame f = frame_of(d, schema, position, what->depth);
    uint64_t at = start;

    if (!open_frame(d, &f)) {
        rln__field_at(d, head)->flags |= RLN_FIELD_IS_CUT;
        return RLN__FAR;
    }
    for (uint32_t i = 0; i < schema->n_entries && d->steps_left; i++) {
        const uint64_t offset = f.entries[i].offset;
        const size_t before = d->n_fields;
        const struct rln__extent e =
            rln__entry_extent(d, schema, &f.entries[i], what->depth);

        at = offset || i == 0
                 ? rln__far_add(start, offset)
                 : rln__far_add(start, rln__far_align(at - start, e.alignment));
        d->offsets[f.first_offset + f.n_offsets++] = at;
        at = decode_entry(d, &f, i, at);
        rln__field_adopt(d, head, before, i);
    }
    if (f.n_offsets < schema->n_entries)
        rln__field_at(d, head)->flags |= RLN_FIELD_IS_CUT;
    d->n_offsets = f.first_offset;
    return whole.size < RLN__FAR ? rln__far_add(start, whole.size) : at;
}

static const struct rln__schema_entry *find_selector(struct rln__decoder *d,
                                                     const struct rln__schema *schema)
{
    const struct rln__schema_entry *entries =
        rln__schema_entries(&d->context.names->registry, schema);

    for (uint32_t i = 0; i < schema->n_entries && rln__decode_step(d, 1); i++) {
        if (entries[i].type == RLN__TYPE_SELECTOR)
            return &entries[i];
    }
    return NULL;
}

/* The selector is in the union itself, or in the structs that are its members. */
static uint64_t internal_selector(struct rln__decoder *d,
                                  const struct rln__decode_frame *f)
{
    const struct rln__schema_entry *e = find_selector(d, f->schema);
    uint64_t at = f->start.at, selector;

    for (uint32_t i = 0; !e && i < f->schema->n_entries && d->steps_left; i++) {
        const struct rln__schema *member = rln__decode_schema(d, f->entries[i].type);

        if (!rln__decode_step(d, 1) || !member || member->is_enum)
            continue;
        e = find_selector(d, member);
        at = rln__far_add(f->start.at, f->entries[i].offset);
    }
    if (!e)
        return NO_SELECTOR;
    at = rln__far_add(at, e->offset);
    return rln__read_count(d, rln__payload_position_at(f->start, at), e->type,
                           &selector) > 0
               ? selector
               : NO_SELECTOR;
}

static uint64_t decode_union(struct rln__decoder *d,
                             struct rln__payload_position position,
                             const struct what *what, const struct rln__schema *schema)
{
    const struct rln__decode_frame f = frame_of(d, schema, position, what->depth);
    const struct rln__extent whole = rln__type_extent(d, what->type, what->depth);
    const uint64_t selector = schema->type == RLN__SCHEMA_UNION_INTERNAL
                                  ? internal_selector(d, &f)
                                  : what->selector;
    size_t head, before;

    if (selector >= schema->n_entries) {
        /* Nothing selects a member, so only the bytes can be shown. */
        if (whole.size < RLN__FAR)
            return rln__decode_bytes(d, position, whole.size);
        (void)rln__field_add(d, RLN_FIELD_UNKNOWN, what->type);
        return RLN__FAR;
    }
    head = rln__field_add(d, RLN_FIELD_UNION, what->type);
    before = d->n_fields;
    (void)decode_entry(d, &f, (uint32_t)selector,
                       rln__far_add(position.at, f.entries[selector].offset));
    rln__field_adopt(d, head, before, (uint32_t)selector);
    return rln__far_add(position.at, whole.size);
}

/* NVIDIA's Python package describes an array's element as a nameless struct around one
 * number, whose entry is named after its type. Returns that type, or 0. */
static uint64_t wrapped_type(const struct rln__decoder *d,
                             const struct rln__schema *schema)
{
    const struct rln__names *names = d->context.names;
    const struct rln__schema_entry *e = rln__schema_entries(&names->registry, schema);
    const char *type;
    rln_text name;

    if (schema->n_entries != 1 || schema->name || e->flags || e->offset)
        return 0;
    type = rln__type_name(e->type);
    name = rln__strings_get(&names->strings,
                            rln__names_string(names, schema->from.process, e->name));
    return type && strlen(type) == name.length &&
                   memcmp(type, name.bytes, name.length) == 0
               ? e->type
               : 0;
}

static uint64_t decode_value(struct rln__decoder *d,
                             struct rln__payload_position position,
                             const struct what *what)
{
    const struct rln__schema *schema;
    uint64_t wrapped;

    if (rln__type_size(d->context.types, what->type))
        return rln__decode_scalar(d, position, what->type);
    schema = what->depth < MOST_DEPTH ? rln__decode_schema(d, what->type) : NULL;
    if (!schema) {
        (void)rln__field_add(d, RLN_FIELD_UNKNOWN, what->type);
        return RLN__FAR;
    }
    if (schema->is_enum)
        return rln__decode_enum(d, position, what->type, schema);
    if (rln__entry_is_union(schema))
        return decode_union(d, position, what, schema);
    wrapped = wrapped_type(d, schema);
    if (wrapped && rln__type_size(d->context.types, wrapped))
        return rln__decode_scalar(d, position, wrapped);
    return decode_struct(d, position, what, schema);
}

/* --- Payloads --------------------------------------------------------------------- */

/* Several values of one type are an array: nothing else states their number. NVTX ignores
 * bytes behind the last one, if the type is its own; behind a struct, they may be its. */
static void decode_whole(struct rln__decoder *d,
                         const struct rln__payload_segment *segment, uint64_t type)
{
    const struct rln__payload_position position = {segment, 0, 0};
    const int is_given = segment->n_given != RLN__GIVEN_UNKNOWN;
    const uint64_t n_given = is_given ? segment->n_given : segment->n_kept;
    struct what what = {type, NO_SELECTOR, rln__type_extent(d, type, 0), 0};
    struct rln__dimensions dims = {{0}, 1};
    uint64_t n;

    if (type == RLN__TYPE_RAW || type == RLN__TYPE_REFERENCED) {
        (void)rln__decode_bytes(d, position, n_given);
        return;
    }
    n = what.extent.size && what.extent.size < RLN__FAR ? n_given / what.extent.size
                                                        : 1;
    if (n > 1 && (is_given || is_text(&what)) &&
        (type < RLN__FIRST_SCHEMA_ID || n_given % what.extent.size == 0))
        dims.of[0] = n;
    else if (n_given)
        dims.n = 0;
    what.extent.alignment = 1;
    (void)decode_array(d, position, &what, &dims, 0);
}

/* Leaves `out->fields` to finish(), as the fields may still move. */
static void decode_payload(struct rln__decoder *d,
                           const struct rln__payload_segment *segment, uint64_t type,
                           rln_payload *out)
{
    const struct rln__names *names = d->context.names;
    const size_t first = d->n_fields;
    const int is_missing = type == 0 && segment->n_given == RLN__GIVEN_UNKNOWN;
    const struct rln__schema *schema =
        type >= RLN__FIRST_SCHEMA_ID ? rln__decode_schema(d, type) : NULL;

    memset(out, 0, sizeof(*out));
    out->schema = type;
    out->bytes = (rln_text){(const char *)segment->bytes, segment->n_kept};
    out->n_given =
        segment->n_given == RLN__GIVEN_UNKNOWN ? UINT64_MAX : segment->n_given;
    out->is_cut =
        segment->n_given != RLN__GIVEN_UNKNOWN && segment->n_kept < segment->n_given;
    /* NVTX ignores payloads without bytes; an empty text has its terminator. */
    out->is_hidden = type == RLN__TYPE_REFERENCED || segment->n_given == 0;
    if (schema)
        out->schema_name = rln__strings_get(
            &names->strings,
            rln__names_string(names, schema->from.process, schema->name));
    if (!schema && !rln__type_size(d->context.types, type) && type != RLN__TYPE_RAW &&
        type != RLN__TYPE_REFERENCED) {
        out->why = is_missing
                       ? "the call names more payloads than there are, or are kept"
                   : type < RLN__FIRST_SCHEMA_ID ? "NVTX has no type of this number"
                                                 : "the trace has no schema of this id";
        out->is_cut = is_missing || out->is_cut;
        return;
    }
    d->is_cut = 0;
    decode_whole(d, segment, type);
    out->is_cut |= d->is_cut;
    for (size_t i = first; i < d->n_fields; i++)
        out->is_cut |= (d->fields[i].flags & RLN_FIELD_IS_CUT) != 0;
    out->n_fields = d->n_fields - first;
    if (!out->n_fields)
        out->why = "the event has too many fields";
}

static rln_status finish(struct rln__decoder *d, rln_error *err)
{
    size_t first = 0;

    if (d->has_failed || d->text.has_failed) {
        d->n_payloads = 0;
        return rln__fail_nomem(err);
    }
    rln__fields_settle(d);
    for (size_t i = 0; i < d->n_payloads; i++) {
        rln_payload *p = &d->payloads[i];

        p->fields = p->n_fields ? &d->fields[first] : NULL;
        first += p->n_fields;
    }
    return RLN_OK;
}

/* Limits the steps, so that time and output grow no faster than the trace. */
static uint64_t steps_for(const struct rln__payload_segments *segments)
{
    uint64_t n_steps = FIRST_STEPS;

    for (size_t i = 0; i < segments->n && n_steps < MOST_STEPS; i++)
        n_steps += (uint64_t)segments->items[i].n_kept * BYTE_STEPS;
    return n_steps < MOST_STEPS ? n_steps : MOST_STEPS;
}

static rln_status begin(struct rln__decoder *d,
                        const struct rln__payload_context *context,
                        const struct rln__payload_segments *segments, size_t n,
                        rln_error *err)
{
    rln_payload *payloads =
        rln__grow(d->payloads, &d->payloads_capacity, n, sizeof(*payloads));

    d->n_payloads = d->n_fields = d->n_offsets = 0;
    if (!payloads)
        return rln__fail_nomem(err);
    d->payloads = payloads;
    d->text.length = 0;
    d->text.has_failed = 0;
    d->context = *context;
    d->segments = segments;
    d->steps_left = steps_for(segments);
    d->has_failed = 0;
    return RLN_OK;
}

rln_status rln__decode(struct rln__decoder *d,
                       const struct rln__payload_context *context,
                       const struct rln__payload_segments *segments, rln_error *err)
{
    rln_status status = begin(d, context, segments, segments->n_payloads, err);

    if (status)
        return status;
    for (size_t i = 0; i < segments->n_payloads; i++)
        decode_payload(d, &segments->items[i], segments->items[i].schema,
                       &d->payloads[d->n_payloads++]);
    return finish(d, err);
}

rln_status rln__decode_as(struct rln__decoder *d,
                          const struct rln__payload_context *context,
                          const struct rln__payload_segments *segments, size_t index,
                          uint64_t schema, rln_error *err)
{
    rln_status status = begin(d, context, segments, 1, err);

    if (status || index >= segments->n)
        return status;
    decode_payload(d, &segments->items[index], schema, &d->payloads[d->n_payloads++]);
    return finish(d, err);
}

void rln__decoder_clear(struct rln__decoder *d)
{
    rln__free(d->payloads);
    rln__free(d->fields);
    rln__free(d->offsets);
    rln__buf_clear(&d->text);
    memset(d, 0, sizeof(*d));
}
