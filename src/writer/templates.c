/* SPDX-License-Identifier: Apache-2.0 */
/* templates.c - implements templates.h: registers a template once per clock. */
#include "writer/templates.h"
#include "format/nvtx_payload.h"

#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <stdlib.h>
#include <string.h>

/* Set in the ids of templates; NVTX's own ids do not have it. */
#define TEMPLATE_BIT (UINT64_C(1) << 63)

/* Programs choose these ids themselves; each kind of object has its own. */
#define IS_STATIC(id)                                                                  \
    ((id) >= NVTX_PAYLOAD_SCHEMA_ID_STATIC_START &&                                    \
     (id) < NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START)

/* The flags that give an entry its purpose. Others, such as those of counters, do not
 * tell whether it is a timestamp. */
#define PURPOSE_MASK                                                                   \
    (NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP)

/* Whether the program has given the timestamps a clock itself. */
static int has_clock(const nvtxSemanticsHeader_t *semantics)
{
    for (; semantics; semantics = semantics->next) {
        if (semantics->semanticId == NVTX_SEMANTIC_ID_TIME_V1 &&
            semantics->structSize >= sizeof(nvtxSemanticsTime_t) &&
            ((const nvtxSemanticsTime_t *)semantics)->timeDomainId !=
                NVTX_TIME_DOMAIN_ID_NONE)
            return 1;
    }
    return 0;
}

static int is_time(const nvtxPayloadSchemaEntry_t *entry)
{
    return (entry->flags & PURPOSE_MASK) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP &&
           !has_clock(entry->semantics);
}

/* The size of a predefined type; 0 if there is no such type. */
static size_t predefined_bytes(uint64_t type)
{
#define OF(name, type) [NVTX_PAYLOAD_ENTRY_TYPE_##name] = sizeof(type)
    static const uint8_t c_types[] = {
        OF(CHAR, char),
        OF(UCHAR, char),
        OF(SHORT, short),
        OF(USHORT, short),
        OF(INT, int),
        OF(UINT, int),
        OF(LONG, long),
        OF(ULONG, long),
        OF(LONGLONG, long long),
        OF(ULONGLONG, long long),
        OF(INT8, int8_t),
        OF(UINT8, int8_t),
        OF(INT16, int16_t),
        OF(UINT16, int16_t),
        OF(INT32, int32_t),
        OF(UINT32, int32_t),
        OF(INT64, int64_t),
        OF(UINT64, int64_t),
        OF(FLOAT, float),
        OF(DOUBLE, double),
        OF(LONGDOUBLE, long double),
        OF(SIZE, size_t),
        OF(ADDRESS, void *),
        OF(WCHAR, wchar_t),
        OF(CHAR8, char),
        OF(CHAR16, int16_t),
        OF(CHAR32, int32_t),
        OF(NVTX_REGISTERED_STRING_HANDLE, nvtxStringHandle_t),
    };
#undef OF

    return type < sizeof(c_types) && c_types[type] ? c_types[type]
                                                   : rln__fixed_type_bytes(type);
}

void templates_free(struct templates *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->items[i]->variants);
        free(t->items[i]);
    }
    free(t->items);
    copies_free(&t->copies);
    memset(t, 0, sizeof(*t));
}

/* Appends an empty template; NULL without memory. */
static struct template *add(struct templates *t, int is_counter, uint64_t static_id)
{
    struct template **const items = realloc(t->items, (t->n + 1) * sizeof(*items));
    struct template *made;

    if (!items)
        return NULL;
    t->items = items;
    made = calloc(1, sizeof(*made));
    if (!made)
        return NULL;
    made->id = static_id ? static_id : TEMPLATE_BIT | t->n;
    made->is_counter = is_counter;
    items[t->n++] = made;
    return made;
}

/* Frees the last template. */
static void undo_add(struct templates *t)
{
    t->n--;
    free(t->items[t->n]->variants);
    free(t->items[t->n]);
}

/* NULL if `id` is no template's. */
static struct template *find(const struct templates *t, int is_counter, uint64_t id)
{
    const uint64_t n = id & ~TEMPLATE_BIT;

    if (id & TEMPLATE_BIT)
        return n < t->n && t->items[n]->is_counter == is_counter ? t->items[n] : NULL;
    for (size_t i = 0; i < t->n && IS_STATIC(id); i++) {
        if (t->items[i]->id == id && t->items[i]->is_counter == is_counter)
            return t->items[i];
    }
    return NULL;
}

/* ---- Registering with NVTX ------------------------------------------------------- */

static uint64_t id_on(struct templates *t, struct template *of, uint64_t clock);

static nvtxSemanticsTime_t time_of(uint64_t clock, const nvtxSemanticsHeader_t *next)
{
    const nvtxSemanticsTime_t time = {
        .header = {sizeof(time), NVTX_SEMANTIC_ID_TIME_V1, NVTX_TIME_SEMANTIC_VERSION,
                   next},
        .timeDomainId = clock,
    };

    return time;
}

/* NVTX's id of an entry's or a counter's type; 0 if there is none. Static ids may be
 * registered later. */
static uint64_t type_on(struct templates *t, uint64_t type, uint64_t clock)
{
    struct template *const found = find(t, 0, type);

    if (found)
        return id_on(t, found, clock);
    return type & TEMPLATE_BIT ? 0 : type;
}

/* Registers the schema with `clock` in the semantics of each timestamp without one. A
 * static id cannot be that of several clocks. */
static uint64_t register_schema(struct templates *t, const struct template *from,
                                uint64_t clock)
{
    const size_t n = from->schema.numEntries;
    nvtxPayloadSchemaEntry_t *const entries = malloc((n + 1) * sizeof(*entries));
    nvtxSemanticsTime_t *const times = malloc((n + 1) * sizeof(*times));
    nvtxPayloadSchemaAttr_t schema = from->schema;
    int failed = !entries || !times;
    uint64_t id = 0;

    for (size_t i = 0; i < n && !failed; i++) {
        entries[i] = from->schema.entries[i];
        times[i] = time_of(clock, entries[i].semantics);
        if (is_time(&entries[i]))
            entries[i].semantics = &times[i].header;
        entries[i].type = type_on(t, entries[i].type, clock);
        failed = !entries[i].type;
    }
    schema.entries = entries;
    if (from->is_timed)
        schema.fieldMask &= ~(uint64_t)NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
    if (!failed)
        id = nvtxPayloadSchemaRegister(t->domain, &schema);
    free(entries);
    free(times);
    return id;
}

static uint64_t register_counter(struct templates *t, const struct template *from,
                                 uint64_t clock)
{
    nvtxCounterAttr_t counter = from->counter;
    const nvtxSemanticsTime_t time = time_of(clock, counter.semantics);

    if (!has_clock(counter.semantics))
        counter.semantics = &time.header;
    counter.schemaId = type_on(t, counter.schemaId, clock);
    counter.counterId = NVTX_COUNTER_ID_NONE;
    return counter.schemaId ? nvtxCounterRegister(t->domain, &counter) : 0;
}

/* Returns 0 without memory. */
static int add_variant(struct template *of, uint64_t clock, uint64_t id)
{
    struct variant *const variants =
        realloc(of->variants, (of->n_variants + 1) * sizeof(*variants));

    if (!variants)
        return 0;
    variants[of->n_variants++] = (struct variant){clock, id};
    of->variants = variants;
    return 1;
}

/* NVTX's id of the template on a clock, which is registered if it is new. */
static uint64_t id_on(struct templates *t, struct template *of, uint64_t clock)
{
    uint64_t id;

    if (!of->is_timed)
        clock = 0;
    for (size_t i = 0; i < of->n_variants; i++) {
        if (of->variants[i].clock == clock)
            return of->variants[i].id;
    }
    if (of->is_being_registered)
        return 0; /* it contains itself */
    of->is_being_registered = 1;
    id =
        of->is_counter ? register_counter(t, of, clock) : register_schema(t, of, clock);
    of->is_being_registered = 0;
    if (id)
        (void)add_variant(of, clock, id); /* otherwise the next use tries again */
    return id;
}

/* ---- Adding ---------------------------------------------------------------------- */

/* Returns whether memory ran out. */
static int copy_schema(struct copies *c, const nvtxPayloadSchemaAttr_t *from,
                       nvtxPayloadSchemaAttr_t *to)
{
    nvtxPayloadSchemaEntry_t *const entries =
        copies_new(c, from->numEntries * sizeof(*entries));
    int failed = !entries;

    *to = *from;
    to->entries = entries;
    to->name = from->fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME
                   ? copies_text(c, from->name, &failed)
                   : NULL;
    for (size_t i = 0; entries && i < from->numEntries; i++) {
        entries[i] = from->entries[i];
        entries[i].name = copies_text(c, from->entries[i].name, &failed);
        entries[i].description = copies_text(c, from->entries[i].description, &failed);
        entries[i].semantics = copies_semantics(c, from->entries[i].semantics, &failed);
    }
    return failed;
}

/* Sets what follows from the entries. */
static void inspect_entries(const struct templates *t, struct template *of)
{
    const uint64_t pointers = NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                              NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                              NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE;

    for (size_t i = 0; i < of->schema.numEntries; i++) {
        const nvtxPayloadSchemaEntry_t *const entry = &of->schema.entries[i];
        const struct template *const inner = find(t, 0, entry->type);

        of->is_timed |= is_time(entry) || (inner && inner->is_timed);
        of->has_pointers |= (entry->flags & pointers) || (inner && inner->has_pointers);
    }
    if (of->schema.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC &&
        of->schema.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE)
        of->n_bytes = of->schema.payloadStaticSize;
}

int32_t templates_add_schema(struct templates *t, const nvtxPayloadSchemaAttr_t *schema,
                             uint64_t *id)
{
    const uint64_t required = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                              NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                              NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
    const uint64_t static_id =
        schema->fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID ? schema->schemaId
                                                                     : 0;
    nvtxPayloadSchemaAttr_t copy;
    struct template *made;

    if ((schema->fieldMask & required) != required || !schema->entries ||
        (static_id && !IS_STATIC(static_id)))
        return NVTXW_RESULT_INVALID_ARGUMENT;
    made = copy_schema(&t->copies, schema, &copy) ? NULL : add(t, 0, static_id);
    if (!made)
        return NVTXW_RESULT_FAILED;
    made->schema = copy;
    inspect_entries(t, made);
    if (!made->is_timed && !id_on(t, made, 0)) {
        undo_add(t);
        return NVTXW_RESULT_FAILED;
    }
    *id = made->id;
    return NVTXW_RESULT_SUCCESS;
}

int32_t templates_add_enum(struct templates *t, const nvtxPayloadEnumAttr_t *attributes,
                           uint64_t *id)
{
    const uint64_t registered = nvtxPayloadEnumRegister(t->domain, attributes);
    struct template *made;

    made = registered ? add(t, 0, IS_STATIC(registered) ? registered : 0) : NULL;
    if (!made)
        return NVTXW_RESULT_FAILED;
    if (attributes->fieldMask & NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE)
        made->n_bytes = attributes->sizeOfEnum;
    if (!add_variant(made, 0, registered)) {
        undo_add(t);
        return NVTXW_RESULT_FAILED;
    }
    *id = made->id;
    return NVTXW_RESULT_SUCCESS;
}

int32_t templates_add_counter(struct templates *t, const nvtxCounterAttr_t *counter,
                              uint64_t *id)
{
    const struct template *const group = find(t, 0, counter->schemaId);
    const size_t n_bytes = group ? group->n_bytes : predefined_bytes(counter->schemaId);
    nvtxCounterAttr_t copy = *counter;
    struct template *made;
    int failed = 0;

    if ((!group && !n_bytes) || (counter->counterId && !IS_STATIC(counter->counterId)))
        return NVTXW_RESULT_INVALID_ARGUMENT;
    copy.name = copies_text(&t->copies, counter->name, &failed);
    copy.description = copies_text(&t->copies, counter->description, &failed);
    copy.semantics = copies_semantics(&t->copies, counter->semantics, &failed);
    made = failed ? NULL : add(t, 1, counter->counterId);
    if (!made)
        return NVTXW_RESULT_FAILED;
    made->counter = copy;
    made->is_timed = !has_clock(copy.semantics) || (group && group->is_timed);
    made->n_bytes = n_bytes;
    made->has_pointers = group && group->has_pointers;
    *id = made->id;
    return NVTXW_RESULT_SUCCESS;
}

/* ---- Finding --------------------------------------------------------------------- */

static int32_t registration_of(struct templates *t, struct template *found,
                               uint64_t clock, struct registration *out)
{
    *out = (struct registration){id_on(t, found, clock), found->n_bytes,
                                 found->has_pointers};
    return out->id ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED;
}

int32_t templates_find_schema(struct templates *t, uint64_t id, uint64_t clock,
                              struct registration *out)
{
    struct template *const found = find(t, 0, id);

    if (found)
        return registration_of(t, found, clock, out);
    *out = (struct registration){id, predefined_bytes(id), 0};
    return out->n_bytes || id == NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED ||
                   id == NVTX_TYPE_PAYLOAD_SCHEMA_RAW
               ? NVTXW_RESULT_SUCCESS
               : NVTXW_RESULT_INVALID_ARGUMENT;
}

int32_t templates_find_counter(struct templates *t, uint64_t id, uint64_t clock,
                               struct registration *out)
{
    struct template *const found = find(t, 1, id);

    return found ? registration_of(t, found, clock, out)
                 : NVTXW_RESULT_INVALID_ARGUMENT;
}
