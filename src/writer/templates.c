/* SPDX-License-Identifier: Apache-2.0 */
/* templates.c - implements templates.h: registers a template once per clock. */
#include "writer/templates.h"

#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <stdlib.h>
#include <string.h>

/* Set in the ids of templates; NVTX's own ids do not have it. */
#define TEMPLATE_BIT (UINT64_C(1) << 63)

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
static struct template *add(struct templates *t)
{
    struct template **const items = realloc(t->items, (t->n + 1) * sizeof(*items));
    struct template *made;

    if (!items)
        return NULL;
    t->items = items;
    made = calloc(1, sizeof(*made));
    if (!made)
        return NULL;
    made->id = TEMPLATE_BIT | t->n;
    items[t->n++] = made;
    return made;
}

static struct template *find(const struct templates *t, uint64_t id)
{
    const uint64_t n = id & ~TEMPLATE_BIT;

    return (id & TEMPLATE_BIT) && n < t->n ? t->items[n] : NULL;
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
    nvtxPayloadSchemaAttr_t copy;
    struct template *made;
    size_t n_times = 0;

    if (!schema->entries)
        return NVTXW_INVALID_ARGUMENT;
    for (size_t i = 0; i < schema->numEntries; i++)
        n_times += (size_t)is_time(&schema->entries[i]);
    if (!n_times) {
        *id = nvtxPayloadSchemaRegister(t->domain, schema);
        return *id ? NVTXW_SUCCESS : NVTXW_FAILED;
    }
    if (copy_schema(&t->copies, schema, &copy))
        return NVTXW_FAILED;
    made = add(t);
    if (!made)
        return NVTXW_FAILED;
    made->schema = copy;
    *id = made->id;
    return NVTXW_SUCCESS;
}

int32_t templates_add_counter(struct templates *t, const nvtxCounterAttr_t *counter,
                              uint64_t *id)
{
    const struct template *const group = find(t, counter->schemaId);
    nvtxCounterAttr_t copy = *counter;
    struct template *made;
    int failed = 0;

    copy.name = copies_text(&t->copies, counter->name, &failed);
    copy.description = copies_text(&t->copies, counter->description, &failed);
    copy.semantics = copies_semantics(&t->copies, counter->semantics, &failed);
    made = failed ? NULL : add(t);
    if (!made)
        return NVTXW_FAILED;
    made->is_counter = 1;
    made->counter = copy;
    if (group)
        made->sample_size = group->schema.payloadStaticSize;
    else if (counter->schemaId == NVTX_PAYLOAD_ENTRY_TYPE_INT64 ||
             counter->schemaId == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64)
        made->sample_size = 8;
    *id = made->id;
    return NVTXW_SUCCESS;
}

/* ---- Using ----------------------------------------------------------------------- */

static nvtxSemanticsTime_t time_of(uint64_t clock, const nvtxSemanticsHeader_t *next)
{
    const nvtxSemanticsTime_t time = {
        .header = {sizeof(time), NVTX_SEMANTIC_ID_TIME_V1, NVTX_TIME_SEMANTIC_VERSION,
                   next},
        .timeDomainId = clock,
    };

    return time;
}

/* Registers the schema with `clock` in the semantics of each timestamp. */
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
            if (is_time(&entries[i]))
                entries[i].semantics = &times[i].header;
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

    counter.semantics = &time.header;
    counter.schemaId = templates_resolve(t, counter.schemaId, clock);
    counter.counterId = NVTX_COUNTER_ID_NONE;
    return counter.schemaId ? nvtxCounterRegister(t->domain, &counter) : 0;
}

uint64_t templates_resolve(struct templates *t, uint64_t id, uint64_t clock)
{
    struct template *const found = find(t, id);
    struct variant *variants;

    if (!found)
        return id;
    for (size_t i = 0; i < found->n_variants; i++) {
        if (found->variants[i].clock == clock)
            return found->variants[i].id;
    }
    id = found->is_counter ? register_counter(t, found, clock)
                           : register_schema(t, found, clock);
    if (!id)
        return 0; /* the next use tries again */
    variants = realloc(found->variants, (found->n_variants + 1) * sizeof(*variants));
    if (variants) {
        variants[found->n_variants++] = (struct variant){clock, id};
        found->variants = variants;
    }
    return id;
}

const struct template *templates_counter(const struct templates *t, uint64_t id)
{
    const struct template *const found = find(t, id);

    return found && found->is_counter ? found : NULL;
}
