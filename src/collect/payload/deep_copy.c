/* SPDX-License-Identifier: Apache-2.0 */
/* deep_copy.c - follows the pointers of payloads.
 *
 *   segment of a payload            segments after the payloads
 *   +------------------------+      +-----------------+
 *   | n | pointer | ...      | ---> | copied memory   |  its pointers are followed, too
 *   +------------------------+      +-----------------+
 *
 * Readers find a segment by its address. Limits: the event's bytes; the depth; each
 * region of memory only once, so that cycles end; and the work, because nested structs
 * may contain too many paths.
 */
#include "collect/payload/deep_copy.h"

#include "collect/event/safe_read.h"
#include "collect/payload/schema.h"
#include "format/schema_entry.h"

enum {
    MAX_DEPTH = 6,
    MAX_OFFSETS = 64, /* entries of a schema: this may be a signal stack */
    WORK_ENTRY = 16,  /* per entry */
    WORK_POINTER = 256,
};

#define NOWHERE UINT16_MAX /* entries that are followed have lower offsets */

struct entries {
    const struct rln__schema_entry *entry; /* in the mapped file */
    uint32_t n;
    uint32_t pack; /* 0: C's own alignment */
    uint32_t is_deep;
};

static int find_entries(uint32_t domain, uint64_t schema, struct entries *out)
{
    const uint64_t *record = schema >= RLN__FIRST_SCHEMA_ID
                                 ? rln__registered(RLN__SUB_SCHEMA, domain, schema)
                                 : NULL;

    if (!record || rln__sub_of(record[0]) != RLN__SUB_SCHEMA)
        return 0;
    out->entry = (const void *)&record[RLN__SCHEMA_WORDS];
    out->pack = (uint32_t)record[5];
    out->n = (uint32_t)(record[5] >> 32);
    out->is_deep = (uint32_t)(record[3] >> 32) & RLN__SCHEMA_DEEP_COPY;
    return 1;
}

/* Whether the event may do that much more work; if not, it is truncated. */
static int may_take(struct rln__payload_gather *s, uint32_t work)
{
    if (s->work_left < work) {
        s->work_left = 0;
        s->n_cut++;
        return 0;
    }
    s->work_left -= work;
    return 1;
}

static size_t product(size_t a, size_t b)
{
    size_t both;

    return __builtin_mul_overflow(a, b, &both) ? SIZE_MAX / 2 : both;
}

/* An unsigned number of up to 8 bytes. */
static uint64_t load(const char *bytes, size_t n_bytes)
{
    uint64_t value = 0;

    while (n_bytes-- > 0)
        value = value << 8 | (unsigned char)bytes[n_bytes];
    return value;
}

/* A copied struct with pointers that are being followed. */
struct view {
    struct rln__payload_gather *to;
    size_t at;      /* its first byte, in to->words */
    size_t n_bytes; /* copied bytes */
    struct entries entries;
    uint16_t offset[MAX_OFFSETS]; /* of its entries, in bytes; or NOWHERE */
};

static uint64_t load_at(const struct view *v, size_t offset, size_t n_bytes)
{
    if (n_bytes > 8 || offset > v->n_bytes || v->n_bytes - offset < n_bytes)
        return 0;
    return load((const char *)v->to->words + v->at + offset, n_bytes);
}

/* --- lengths of arrays ------------------------------------------------------------ */

/* A length; a negative one counts as zero. */
static size_t as_length(uint64_t type, uint64_t value, size_t n_bytes)
{
    const uint64_t sign = n_bytes ? UINT64_C(1) << (n_bytes * 8 - 1) : 0;

    return rln__type_is_signed(type) && (value & sign) ? 0 : (size_t)value;
}

/* The length in an entry, or the product of the dimensions in it. For an array inside
 * the struct, the entry must precede it. */
static size_t length_in_entry(const struct view *v, uint64_t index)
{
    const struct rln__schema_entry *e;
    size_t n = 1, n_bytes, total = 1;

    if (index >= v->entries.n || index >= MAX_OFFSETS || v->offset[index] == NOWHERE)
        return 0;
    e = &v->entries.entry[index];
    n_bytes = rln__type_of(e->type).size;
    if (RLN__ENTRY_ARRAY(e->flags) == RLN__ARRAY_FIXED)
        n = e->detail < 8 ? (size_t)e->detail : 8;
    for (size_t i = 0; i < n; i++)
        total = product(total,
                        as_length(e->type,
                                  load_at(v, v->offset[index] + i * n_bytes, n_bytes),
                                  n_bytes));
    return total;
}

/* The same from another payload of the event: numbers, or a struct of one entry. */
static size_t length_in_payload(const struct view *v, uint64_t index)
{
    const struct rln__segment *segment;
    struct entries entries;
    size_t at = 0, n_bytes, total = 1;
    uint64_t type;

    if (index >= v->to->n_payloads)
        return 0;
    for (; index; index--)
        at += RLN__SEGMENT_WORDS + (rln__segment_at(v->to, at)->n_kept + 7) / 8;
    segment = rln__segment_at(v->to, at);
    type = find_entries(v->to->domain, segment->schema, &entries) && entries.n
               ? entries.entry[0].type
               : segment->schema;
    n_bytes = rln__type_of(type).size;
    if (n_bytes == 0 || n_bytes > 8 || segment->n_kept < n_bytes)
        return 0;
    for (size_t i = 0; i < 8 && (i + 1) * n_bytes <= segment->n_kept; i++)
        total = product(
            total,
            as_length(type, load((const char *)(segment + 1) + i * n_bytes, n_bytes),
                      n_bytes));
    return total;
}

/* The number of elements of an array elsewhere, or of characters of a text. */
static size_t count_at(const struct view *v, const struct rln__schema_entry *e,
                       const void *pointer, size_t n_bytes)
{
    const size_t most = n_bytes ? v->to->bytes_left / n_bytes + 1 : 0;
    size_t n;

    switch (RLN__ENTRY_ARRAY(e->flags)) {
    case RLN__ARRAY_LENGTH_INDEX:
        return length_in_entry(v, e->detail);
    case RLN__ARRAY_LENGTH_PAYLOAD:
        return length_in_payload(v, e->detail);
    case RLN__ARRAY_TERMINATED:
        break;
    case RLN__ARRAY_FIXED:
        if (!rln__type_is_string(e->type) || e->detail)
            return e->detail;
        break;
    default:
        if (!rln__type_is_string(e->type))
            return 1;
        if (e->detail)
            return e->detail;
    }
    n = n_bytes && n_bytes <= 8 ? rln__safe_read_length(pointer, n_bytes, most) : 0;
    return n < most ? n + 1 : n; /* with its zero */
}

/* --- offsets of entries ----------------------------------------------------------- */

/* Size and alignment of one value of a type; 0 if they are unknown. */
static struct rln__type one_of(struct rln__payload_gather *s, uint64_t type,
                               unsigned depth)
{
    struct rln__type t = rln__type_of(type);
    struct entries entries;
    size_t n_bytes;

    if (type < RLN__FIRST_SCHEMA_ID)
        return t;
    n_bytes = rln__schema_bytes(s->domain, type);
    t.size = n_bytes < UINT16_MAX ? (uint16_t)n_bytes : 0;
    t.alignment = n_bytes <= 8 ? (uint16_t)n_bytes : 1; /* for an enum */
    if (!find_entries(s->domain, type, &entries) || depth == 0)
        return t;
    t.alignment = 1;
    for (uint32_t i = 0; i < entries.n && i < MAX_OFFSETS && may_take(s, WORK_ENTRY);
         i++) {
        const struct rln__schema_entry *e = &entries.entry[i];
        const uint16_t a =
            rln__entry_indirect(e) ? 8 : one_of(s, e->type, depth - 1).alignment;

        if (a > t.alignment)
            t.alignment = a;
    }
    if (entries.pack && entries.pack < t.alignment)
        t.alignment = (uint16_t)entries.pack;
    return t;
}

/* The bytes of an entry in the struct; SIZE_MAX if they depend on missing content. */
static size_t bytes_of(const struct view *v, const struct rln__schema_entry *e,
                       struct rln__type one, size_t offset)
{
    size_t n = 1;

    if (rln__entry_indirect(e))
        return 8;
    switch (RLN__ENTRY_ARRAY(e->flags)) {
    case RLN__ARRAY_FIXED:
        n = e->detail;
        break;
    case RLN__ARRAY_LENGTH_INDEX:
        n = length_in_entry(v, e->detail);
        break;
    case RLN__ARRAY_TERMINATED:
        for (n = 1; one.size && one.size <= 8 && offset + n * one.size <= v->n_bytes;
             n++) {
            if (load_at(v, offset + (n - 1) * one.size, one.size) == 0)
                break;
        }
        break;
    default:
        if (rln__type_is_string(e->type))
            n = e->detail;
    }
    return one.size ? product(n, one.size) : SIZE_MAX;
}

/* The offset of entry `e`, if the previous one ends at `end`. */
static size_t offset_of(const struct view *v, const struct rln__schema_entry *e,
                        struct rln__type one, size_t end)
{
    size_t alignment = rln__entry_indirect(e) ? 8 : one.alignment;

    if (e->offset || e == v->entries.entry)
        return e->offset;
    if (v->entries.pack && v->entries.pack < alignment)
        alignment = v->entries.pack;
    if (end == SIZE_MAX || alignment == 0)
        return NOWHERE;
    return (end + alignment - 1) / alignment * alignment;
}

/* --- following -------------------------------------------------------------------- */

static void follow_all(struct rln__payload_gather *s, size_t at, size_t n_bytes,
                       uint64_t schema, unsigned depth);

static int is_there(struct rln__payload_gather *s, const void *address, size_t n_bytes)
{
    size_t at = 0;

    while (at < s->n_words && may_take(s, 1)) {
        const struct rln__segment *segment = rln__segment_at(s, at);

        if (segment->address == (uint64_t)(uintptr_t)address &&
            segment->n_given >= n_bytes)
            return 1;
        at += RLN__SEGMENT_WORDS + (segment->n_kept + 7) / 8;
    }
    return 0;
}

/* Follows the pointers of an array of structs of one schema. */
static void follow_array(struct rln__payload_gather *s, size_t at, size_t n_bytes,
                         uint64_t schema, size_t one_bytes, unsigned depth)
{
    while (one_bytes && n_bytes >= one_bytes && s->work_left) {
        follow_all(s, at, one_bytes, schema, depth);
        at += one_bytes;
        n_bytes -= one_bytes;
    }
}

static void follow(struct view *v, const struct rln__schema_entry *e, size_t offset,
                   unsigned depth)
{
    const void *pointer = (const void *)(uintptr_t)load_at(v, offset, sizeof pointer);
    const size_t one = rln__type_of(e->type).size
                           ? rln__type_of(e->type).size
                           : rln__schema_bytes(v->to->domain, e->type);
    size_t n_bytes, n_kept, at;

    if (!pointer || !may_take(v->to, WORK_POINTER))
        return;
    n_bytes = product(count_at(v, e, pointer, one), one);
    if (n_bytes == 0 || is_there(v->to, pointer, n_bytes))
        return;
    at = (v->to->n_words + RLN__SEGMENT_WORDS) * 8;
    if (rln__payload_gather_add(v->to, 0, pointer, n_bytes,
                                n_bytes < RLN__GIVEN_UNKNOWN ? (uint32_t)n_bytes
                                                             : RLN__GIVEN_UNKNOWN - 1,
                                &n_kept))
        follow_array(v->to, at, n_kept, e->type, one, depth);
}

/* Sets the offset of entry `i`, which may be the length of another entry. Returns its
 * end, SIZE_MAX if that is unknown. */
static size_t set_offset(struct view *v, uint32_t i, size_t end, unsigned depth)
{
    const struct rln__schema_entry *e = &v->entries.entry[i];
    const struct rln__type one = one_of(v->to, e->type, depth);
    const size_t offset = offset_of(v, e, one, end);
    size_t n_bytes;

    v->offset[i] = offset < NOWHERE ? (uint16_t)offset : NOWHERE;
    if (offset >= NOWHERE)
        return SIZE_MAX;
    n_bytes = bytes_of(v, e, one, offset);
    return n_bytes < SIZE_MAX / 2 ? offset + n_bytes : SIZE_MAX;
}

static void follow_entry(struct view *v, uint32_t i, unsigned depth)
{
    const struct rln__schema_entry *e = &v->entries.entry[i];
    const uint32_t offset = v->offset[i];
    struct rln__type one;
    size_t n_bytes;

    if (offset == NOWHERE || offset >= v->n_bytes)
        return;
    if ((rln__entry_indirect(e) & RLN__ENTRY_POINTER) &&
        (e->flags & RLN__ENTRY_DEEP_COPY)) {
        follow(v, e, offset, depth);
    } else if (e->type >= RLN__FIRST_SCHEMA_ID && !rln__entry_indirect(e)) {
        one = one_of(v->to, e->type, depth);
        n_bytes = bytes_of(v, e, one, offset);
        if (n_bytes > v->n_bytes - offset)
            n_bytes = v->n_bytes - offset;
        follow_array(v->to, v->at + offset, n_bytes, e->type, one.size, depth);
    }
}

static void follow_all(struct rln__payload_gather *s, size_t at, size_t n_bytes,
                       uint64_t schema, unsigned depth)
{
    struct view v;
    uint32_t n;
    size_t end = 0;

    if (depth == 0 || !find_entries(s->domain, schema, &v.entries) ||
        !v.entries.is_deep)
        return;
    v.to = s;
    v.at = at;
    v.n_bytes = n_bytes;
    n = v.entries.n < MAX_OFFSETS ? v.entries.n : MAX_OFFSETS;
    for (uint32_t i = 0; i < n; i++) {
        if (!may_take(s, WORK_ENTRY))
            return;
        end = set_offset(&v, i, end, depth - 1);
    }
    for (uint32_t i = 0; i < n && s->bytes_left && s->work_left; i++)
        follow_entry(&v, i, depth - 1);
}

/* Follows the pointers of the segment at `word`. */
static void follow_segment(struct rln__payload_gather *s, size_t word, uint64_t schema)
{
    const struct rln__segment *segment = rln__segment_at(s, word);

    if (!__atomic_load_n(&rln__small_payload_bytes, __ATOMIC_RELAXED))
        follow_all(s, (word + RLN__SEGMENT_WORDS) * 8, segment->n_kept, schema,
                   MAX_DEPTH);
}

void rln__deep_copy(struct rln__payload_gather *s, uint32_t domain,
                    const struct rln__payload_data *data, size_t n_data)
{
    size_t at = 0;

    rln__payload_gather_all(s, domain, data, n_data);
    for (uint32_t i = 0; i < s->n_payloads; i++) {
        const struct rln__segment *segment = rln__segment_at(s, at);
        const size_t next = at + RLN__SEGMENT_WORDS + (segment->n_kept + 7) / 8;

        follow_segment(s, at, segment->schema);
        at = next;
    }
    if (s->n_cut)
        rln__count(n_payloads_cut, 1);
    if (s->n_unread)
        rln__count(n_payloads_unread, 1);
}
