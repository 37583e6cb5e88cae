/* SPDX-License-Identifier: Apache-2.0 */
/* templates.c - implements templates.h: registers a template once per clock. */
#include "writer/templates.h"

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

static int is_time(const nvtxPayloadSchemaEntry_t *entry)
{
    return (entry->flags & PURPOSE_MASK) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
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

int32_t templates_add_schema(struct templates *t, const nvtxPayloadSchemaAttr_t *schema,
                             uint64_t *id)
{
    const uint64_t static_id =
        schema->fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID ? schema->schemaId
                                                                     : 0;
    nvtxPayloadSchemaAttr_t copy;
    struct template *made;
    size_t n_times = 0;

    if (!schema->entries)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    for (size_t i = 0; i < schema->numEntries; i++)
        n_times += is_time(&schema->entries[i]) || find(t, 0, schema->entries[i].type);
    if (!n_times) {
        *id = nvtxPayloadSchemaRegister(t->domain, schema);
        return *id ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED;
    }
    if (copy_schema(&t->copies, schema, &copy))
        return NVTXW_RESULT_FAILED;
    made = add(t, 0, static_id);
    if (!made)
        return NVTXW_RESULT_FAILED;
    made->schema = copy;
    *id = made->id;
    return NVTXW_RESULT_SUCCESS;
}

int32_t templates_add_counter(struct templates *t, const nvtxCounterAttr_t *counter,
                              uint64_t *id)
{
    const struct template *const group = find(t, 0, counter->schemaId);
    nvtxCounterAttr_t copy = *counter;
    struct template *made;
    int failed = 0;

    copy.name = copies_text(&t->copies, counter->name, &failed);
    copy.description = copies_text(&t->copies, counter->description, &failed);
    copy.semantics = copies_semantics(&t->copies, counter->semantics, &failed);
    made = failed ? NULL : add(t, 1, counter->counterId);
    if (!made)
        return NVTXW_RESULT_FAILED;
    made->counter = copy;
    if (group)
        made->sample_size = group->schema.payloadStaticSize;
    else if (counter->schemaId == NVTX_PAYLOAD_ENTRY_TYPE_INT64 ||
             counter->schemaId == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64)
        made->sample_size = 8;
    *id = made->id;
    return NVTXW_RESULT_SUCCESS;
}

/* ---- Using ----------------------------------------------------------------------- */

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

static nvtxSemanticsTime_t time_of(uint64_t clock, const nvtxSemanticsHeader_t *next)
{
    const nvtxSemanticsTime_t time = {
        .header = {sizeof(time), NVTX_SEMANTIC_ID_TIME_V1, NVTX_TIME_SEMANTIC_VERSION,
                   next},
        .timeDomainId = clock,
    };

    return time;
}

/* Registers the schema with `clock` in the semantics of each timestamp without one. */
static uint64_t register_schema(struct templates *t, const struct template *from,
                                uint64_t clock)
{
    const size_t n = from->schema.numEntries;
    nvtxPayloadSchemaEntry_t *const entries = malloc(n * sizeof(*entries));
    nvtxSemanticsTime_t *const times = malloc(n * sizeof(*times));
    nvtxPayloadSchemaAttr_t schema = from->schema;
    uint64_t id = 0;

    if (entries && times) {
        memcpy(entries, from->schema.entries, n * sizeof(*entries));
        for (size_t i = 0; i < n; i++) {
            times[i] = time_of(clock, entries[i].semantics);
            if (is_time(&entries[i]) && !has_clock(entries[i].semantics))
                entries[i].semantics = &times[i].header;
            entries[i].type = templates_schema_id(t, entries[i].type, clock);
        }
        schema.entries = entries;
        schema.fieldMask &= ~(uint64_t)NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
        id = nvtxPayloadSchemaRegister(t->domain, &schema);
    }
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
    counter.schemaId = templates_schema_id(t, counter.schemaId, clock);
    counter.counterId = NVTX_COUNTER_ID_NONE;
    return counter.schemaId ? nvtxCounterRegister(t->domain, &counter) : 0;
}

static uint64_t id_on(struct templates *t, struct template *of, uint64_t clock)
{
    struct variant *variants;
    uint64_t id;

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
    if (!id)
        return 0; /* the next use tries again */
    variants = realloc(of->variants, (of->n_variants + 1) * sizeof(*variants));
    if (variants) {
        variants[of->n_variants++] = (struct variant){clock, id};
        of->variants = variants;
    }
    return id;
}

uint64_t templates_schema_id(struct templates *t, uint64_t id, uint64_t clock)
{
    struct template *const found = find(t, 0, id);

    return found ? id_on(t, found, clock) : id;
}

uint64_t templates_counter_id(struct templates *t, uint64_t id, uint64_t clock)
{
    struct template *const found = find(t, 1, id);

    return found ? id_on(t, found, clock) : id;
}

const struct template *templates_counter(const struct templates *t, uint64_t id)
{
    return find(t, 1, id);
}
