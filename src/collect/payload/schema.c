/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c - registers schemas and enums, and computes the sizes of their payloads.
 * Data of the program is read with safe_read.h: an array of entries may be shorter than
 * its length, and a name may be a bad pointer. deep_copy.c follows the pointers.
 */
#include "collect/payload/schema.h"

#include "collect/event/safe_read.h"
#include "format/nvtx_payload.h"

/* nvtxPayloadSchemaEntry_t, nvtxPayloadSchemaAttr_t, nvtxPayloadEnum_t and
 * nvtxPayloadEnumAttr_t, with their ABI layout. */
struct schema_entry {
    uint64_t flags;
    uint64_t type;
    const char *name;
    const char *description;
    uint64_t detail;
    uint64_t offset;
    const void *semantics;
    const void *reserved;
};

struct schema_attributes {
    uint64_t fields; /* a bit for each field that is set */
    const char *name;
    uint64_t type;
    uint64_t flags;
    const struct schema_entry *entries;
    size_t n_entries;
    size_t static_size;
    size_t pack_align;
    uint64_t schema;
    const void *extension;
};

struct enum_entry {
    const char *name;
    uint64_t value;
    int8_t is_flag;
};

struct enum_attributes {
    uint64_t fields;
    const char *name;
    const struct enum_entry *entries;
    size_t n_entries;
    size_t n_bytes; /* of a value */
    uint64_t schema;
    const void *extension;
};

enum schema_field {
    SCHEMA_NAME = 1 << 1,
    SCHEMA_TYPE = 1 << 2,
    SCHEMA_FLAGS = 1 << 3,
    SCHEMA_ENTRIES = 1 << 4,
    SCHEMA_N_ENTRIES = 1 << 5,
    SCHEMA_STATIC_SIZE = 1 << 6,
    SCHEMA_PACK_ALIGN = 1 << 7,
    SCHEMA_ID = 1 << 8,
    ENUM_NAME = 1 << 1,
    ENUM_ENTRIES = 1 << 2,
    ENUM_N_ENTRIES = 1 << 3,
    ENUM_N_BYTES = 1 << 4,
    ENUM_ID = 1 << 5,
};

enum {
    MAX_ENTRIES = 4096,
    NEAR_WORDS = 64,
};

size_t rln__small_payload_bytes;

/* --- drafting a record ------------------------------------------------------------ */

struct draft {
    uint64_t *words;
    size_t mapping_bytes; /* 0: in `near` */
    uint64_t near[NEAR_WORDS];
};

static int draft_init(struct draft *d, size_t n_words)
{
    d->mapping_bytes = n_words > NEAR_WORDS ? n_words * 8 : 0;
    d->words = d->mapping_bytes ? rln__sys_zeros(d->mapping_bytes) : d->near;
    if (!d->words)
        rln__count(n_strings_refused, 1);
    return d->words != NULL;
}

static void draft_clear(struct draft *d)
{
    if (d->mapping_bytes)
        rln__sys_munmap(d->words, d->mapping_bytes);
}

/* The id for a registration: the program's, if it is in the range for programs. Other
 * numbers would collide with NVTX's own types or our ids; then 0: the collector chooses
 * the id. */
static uint64_t id_for(uint64_t requested)
{
    if (requested >= RLN__FIRST_STATIC_ID && requested < RLN__FIRST_DYNAMIC_ID)
        return requested;
    if (requested)
        rln__count(n_invalid, 1);
    return 0;
}

static uint64_t refuse(void)
{
    rln__count(n_invalid, 1);
    return 0;
}

/* --- schemas ---------------------------------------------------------------------- */

/* Clears fields that the program has not set, and limits the number of entries. */
static int read_schema(struct schema_attributes *a, const void *from)
{
    const uint64_t needed = SCHEMA_TYPE | SCHEMA_ENTRIES | SCHEMA_N_ENTRIES;

    if (!rln__safe_read_all(a, (const struct schema_attributes *)from) ||
        (a->fields & needed) != needed)
        return 0;
    if (!(a->fields & SCHEMA_NAME))
        a->name = NULL;
    if (!(a->fields & SCHEMA_FLAGS))
        a->flags = 0;
    if (!(a->fields & SCHEMA_STATIC_SIZE))
        a->static_size = 0;
    if (!(a->fields & SCHEMA_PACK_ALIGN))
        a->pack_align = 0;
    if (!(a->fields & SCHEMA_ID))
        a->schema = 0;
    if (a->n_entries > MAX_ENTRIES) {
        rln__count(n_payloads_cut, 1);
        a->n_entries = MAX_ENTRIES;
    }
    return 1;
}

static int put_entry(struct rln__schema_entry *to, const struct schema_entry *from)
{
    struct schema_entry e;

    if (!rln__safe_read_all(&e, from))
        return 0;
    *to = (struct rln__schema_entry){
        .flags = e.flags,
        .type = e.type,
        .name = rln__safe_read_string_id(e.name),
        .description = rln__safe_read_string_id(e.description),
        .detail = e.detail,
        .offset = e.offset,
        .semantics = rln__semantics(e.semantics),
    };
    return 1;
}

uint64_t rln__on_schema_register(uint64_t domain_handle, const void *from)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    const size_t at_entries = RLN__SCHEMA_WORDS - 1; /* without the first word */
    struct schema_attributes a;
    struct draft draft;
    uint32_t n = 0;
    uint64_t id;

    if (!read_schema(&a, from))
        return refuse();
    if (!draft_init(&draft, at_entries + a.n_entries * RLN__ENTRY_WORDS))
        return 0;
    while (n < a.n_entries && put_entry((struct rln__schema_entry *)(void *)&draft
                                            .words[at_entries + n * RLN__ENTRY_WORDS],
                                        &a.entries[n]))
        n++;
    if (n < a.n_entries)
        rln__count(n_payloads_unread, 1);
    draft.words[0] = rln__pair32(domain, rln__safe_read_string_id(a.name));
    draft.words[2] = rln__pair32(a.type, a.flags);
    draft.words[3] = a.static_size;
    draft.words[4] = rln__pair32(a.pack_align, n);
    draft.words[5] = rln__now();
    if (a.flags & RLN__SCHEMA_DEEP_COPY)
        __atomic_store_n(&rln__small_payload_bytes, 0, __ATOMIC_RELAXED);
    id = rln__register(&(struct rln__registration){
        .sub = RLN__SUB_SCHEMA,
        .domain = domain,
        .id = id_for(a.schema),
        .words = draft.words,
        .n_words = at_entries + n * RLN__ENTRY_WORDS,
        .ticks_at = 5,
        .is_by_content = 1,
    });
    draft_clear(&draft);
    return id;
}

/* --- enums ------------------------------------------------------------------------ */

static int read_enum(struct enum_attributes *a, const void *from)
{
    const uint64_t needed = ENUM_ENTRIES | ENUM_N_ENTRIES;

    if (!rln__safe_read_all(a, (const struct enum_attributes *)from) ||
        (a->fields & needed) != needed)
        return 0;
    if (!(a->fields & ENUM_NAME))
        a->name = NULL;
    if (!(a->fields & ENUM_N_BYTES))
        a->n_bytes = 0;
    if (!(a->fields & ENUM_ID))
        a->schema = 0;
    if (a->n_entries > MAX_ENTRIES) {
        rln__count(n_payloads_cut, 1);
        a->n_entries = MAX_ENTRIES;
    }
    return 1;
}

uint64_t rln__on_enum_register(uint64_t domain_handle, const void *from)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    const size_t at_entries = RLN__ENUM_WORDS - 1;
    struct enum_attributes a;
    struct enum_entry e;
    struct draft draft;
    uint32_t n = 0;
    uint64_t id;

    if (!read_enum(&a, from))
        return refuse();
    if (!draft_init(&draft, at_entries + a.n_entries * 2))
        return 0;
    while (n < a.n_entries && rln__safe_read_all(&e, &a.entries[n])) {
        draft.words[at_entries + n * 2] = e.value;
        draft.words[at_entries + n * 2 + 1] =
            rln__pair32(rln__safe_read_string_id(e.name), e.is_flag != 0);
        n++;
    }
    if (n < a.n_entries)
        rln__count(n_payloads_unread, 1);
    draft.words[0] = rln__pair32(domain, rln__safe_read_string_id(a.name));
    draft.words[2] = rln__pair32(a.n_bytes, n);
    draft.words[3] = rln__now();
    id = rln__register(&(struct rln__registration){
        .sub = RLN__SUB_ENUM,
        .domain = domain,
        .id = id_for(a.schema),
        .words = draft.words,
        .n_words = at_entries + n * 2,
        .ticks_at = 3,
        .is_by_content = 1,
    });
    draft_clear(&draft);
    return id;
}

/* --- sizes ------------------------------------------------------------------------ */

size_t rln__schema_bytes(uint32_t domain, uint64_t schema)
{
    const uint64_t *record;

    if (schema < RLN__FIRST_STATIC_ID)
        return rln__type_is_string(schema) ? 0 : rln__type_of(schema).size;
    record = rln__registered(RLN__SUB_SCHEMA, domain, schema);
    if (!record)
        return 0;
    /* A schema's static size, or the bytes of an enum's values. */
    return rln__sub_of(record[0]) == RLN__SUB_ENUM ? (uint32_t)record[3] : record[4];
}
