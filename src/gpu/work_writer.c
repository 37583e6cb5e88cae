/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/work_writer.h"
#include "gpu/kernel_name.h"

#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    N_BATCHES = 32, /* open at once */
    BATCH_BYTES = 32 << 10,
};

/* A stream, or no place for what happens on threads. */
struct scope {
    struct rln__gpu_place at;
    uint64_t id;
};

struct batch {
    const struct scope *scope;
    enum rln__gpu_kind kind;
    size_t n_bytes;
    uint8_t bytes[BATCH_BYTES];
};

/* The handles of a name's forms, for the text that CUPTI has. */
struct name {
    char *text; /* owned; NULL: unused */
    uint64_t demangled, mangled, short_form;
};

struct rln__work_writer {
    const struct rln__cupti *cupti; /* borrowed */
    nvtxDomainHandle_t domain;
    struct batch *batches; /* owned: N_BATCHES */
    size_t next_evicted;
    struct scope **scopes; /* owned, as is each */
    size_t n_scopes;
    struct name *names; /* owned; a hash table by text, half empty */
    size_t n_names, n_slots;
    uint32_t *contexts; /* owned: pairs of a context and its GPU */
    size_t n_contexts;
};

/* --- The domain ------------------------------------------------------------------- */

static void register_schema(nvtxDomainHandle_t domain, uint64_t id, uint64_t flags,
                            const struct rln__gpu_schema *schema)
{
    /* CUPTI's clock, unless the program replaces it. */
    const nvtxSemanticsTime_t clock = {
        .header = {.structSize = sizeof(clock),
                   .semanticId = NVTX_SEMANTIC_ID_TIME_V1,
                   .version = NVTX_TIME_SEMANTIC_VERSION},
        .timeDomainId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME,
    };
    nvtxPayloadSchemaEntry_t entries[RLN__MOST_GPU_FIELDS] = {{.name = NULL}};
    const nvtxPayloadSchemaAttr_t attributes = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID,
        .name = schema->name,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .flags = flags,
        .entries = entries,
        .numEntries = schema->n_fields,
        .payloadStaticSize = schema->n_bytes,
        .schemaId = id,
    };

    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct rln__gpu_field *field = &schema->fields[i];

        entries[i].flags = field->flags;
        entries[i].type = field->type;
        entries[i].name = field->name;
        entries[i].offset = field->offset;
        if (field->flags & NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP)
            entries[i].semantics = &clock.header;
    }
    (void)nvtxPayloadSchemaRegister(domain, &attributes);
}

struct rln__work_writer *rln__work_writer_new(const struct rln__cupti *cupti)
{
    struct rln__work_writer *w = calloc(1, sizeof(*w));

    if (!w)
        return NULL;
    w->cupti = cupti;
    w->batches = calloc(N_BATCHES, sizeof(*w->batches));
    w->domain = nvtxDomainCreateA(RLN__GPU_DOMAIN);
    if (!w->batches || !w->domain) {
        free(w->batches);
        free(w);
        return NULL;
    }
    for (unsigned kind = 0; kind < RLN__N_GPU_KINDS; kind++)
        register_schema(w->domain, RLN__GPU_SCHEMA(kind),
                        NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND,
                        &rln__gpu_schemas[kind]);
    register_schema(w->domain, RLN__GPU_LOSS_SCHEMA, NVTX_PAYLOAD_SCHEMA_FLAG_MARK,
                    &rln__gpu_loss_schema);
    return w;
}

static uint64_t handle_of(const struct rln__work_writer *w, const char *text)
{
    return (uint64_t)(uintptr_t)nvtxDomainRegisterStringA(w->domain, text);
}

void rln__work_writer_add_loss(const struct rln__work_writer *w, const char *what,
                               uint64_t n)
{
    struct rln__gpu_loss loss = {.what = handle_of(w, what), .n = n};
    const nvtxEventBatch_t event = {
        .eventSchemaId = RLN__GPU_LOSS_SCHEMA, .size = sizeof(loss), .events = &loss};
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    loss.time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    nvtxEventBatchSubmit(w->domain, &event);
}

/* --- Names ------------------------------------------------------------------------ */

static size_t hash_of(const char *text)
{
    size_t hash = (size_t)14695981039346656037u; /* FNV-1a */

    while (*text)
        hash = (hash ^ (unsigned char)*text++) * (size_t)1099511628211u;
    return hash;
}

/* The slot of a text, or the empty one where it belongs. */
static struct name *slot_of(struct name *names, size_t n_slots, const char *text)
{
    size_t at = hash_of(text) & (n_slots - 1);

    while (names[at].text && strcmp(names[at].text, text) != 0)
        at = (at + 1) & (n_slots - 1);
    return &names[at];
}

static int grow_names(struct rln__work_writer *w)
{
    const size_t n_slots = w->n_slots ? 2 * w->n_slots : 256;
    struct name *names = calloc(n_slots, sizeof(*names));

    if (!names)
        return -1;
    for (size_t i = 0; i < w->n_slots; i++) {
        if (w->names[i].text)
            *slot_of(names, n_slots, w->names[i].text) = w->names[i];
    }
    free(w->names);
    w->names = names;
    w->n_slots = n_slots;
    return 0;
}

static void register_kernel(const struct rln__work_writer *w, struct name *name)
{
    char *demangled = rln__kernel_demangle(name->text);
    size_t length;
    const char *at = rln__kernel_short(demangled ? demangled : name->text, &length);
    char *copy = strndup(at, length);

    name->mangled = handle_of(w, name->text);
    name->demangled = demangled ? handle_of(w, demangled) : name->mangled;
    name->short_form = copy && demangled ? handle_of(w, copy) : name->mangled;
    free(copy);
    free(demangled);
}

/* The forms of a kernel's name, or only that of another text. NULL without memory. */
static const struct name *name_of(struct rln__work_writer *w, const char *text,
                                  int is_kernel)
{
    struct name *name;

    if (2 * w->n_names >= w->n_slots && grow_names(w))
        return NULL;
    name = slot_of(w->names, w->n_slots, text);
    if (name->text)
        return name;
    name->text = strdup(text);
    if (!name->text)
        return NULL;
    w->n_names++;
    if (is_kernel)
        register_kernel(w, name);
    else
        name->demangled = handle_of(w, text);
    return name;
}

static void set_name(struct rln__work_writer *w, const struct rln__activity *activity,
                     union rln__gpu_element *e)
{
    char usual[RLN__MOST_GPU_NAME];
    const char *text = usual;
    const struct name *name;
    const int is_kernel = activity->kind == RLN__GPU_KERNEL;

    if (is_kernel)
        text = activity->kernel_name ? activity->kernel_name : "(unknown kernel)";
    else if (activity->kind == RLN__GPU_CALL &&
             (w->cupti->call_name((int)activity->domain, activity->cbid, &text) ||
              !text))
        text = "(unknown call)";
    else if (activity->kind != RLN__GPU_CALL)
        (void)rln__gpu_usual_name(activity->kind, e, usual);
    name = name_of(w, text, is_kernel);
    if (!name)
        return;
    e->head.name = name->demangled;
    if (is_kernel) {
        e->kernel.mangled_name = name->mangled;
        e->kernel.short_name = name->short_form;
    }
}

/* --- Places ----------------------------------------------------------------------- */

/* The GPU of a context, which waits do not tell: that of the last operation in it. */
static void settle_device(struct rln__work_writer *w, enum rln__gpu_kind kind,
                          struct rln__gpu_place *at)
{
    uint32_t *contexts;
    size_t i = 0;

    while (i < w->n_contexts && w->contexts[2 * i] != at->context)
        i++;
    if (kind == RLN__GPU_SYNC) {
        at->device = i < w->n_contexts ? w->contexts[2 * i + 1] : 0;
        return;
    }
    if (i == w->n_contexts) {
        contexts = realloc(w->contexts, (i + 1) * 2 * sizeof(*contexts));
        if (!contexts)
            return;
        w->contexts = contexts;
        w->n_contexts++;
    }
    w->contexts[2 * i] = at->context;
    w->contexts[2 * i + 1] = at->device;
}

static int is_same_place(const struct rln__gpu_place *a, const struct rln__gpu_place *b)
{
    return a->device == b->device && a->context == b->context && a->stream == b->stream;
}

/* NULL without memory. */
static const struct scope *scope_of(struct rln__work_writer *w,
                                    const struct rln__gpu_place *at)
{
    char path[64];
    const nvtxScopeAttr_t attributes = {
        .structSize = sizeof(attributes), .path = path, .parentScope = NVTX_SCOPE_ROOT};
    struct scope **scopes, *scope;

    for (size_t i = 0; i < w->n_scopes; i++) {
        if (is_same_place(&w->scopes[i]->at, at))
            return w->scopes[i];
    }
    scopes = realloc(w->scopes, (w->n_scopes + 1) * sizeof(struct scope *));
    if (!scopes)
        return NULL;
    w->scopes = scopes;
    scope = malloc(sizeof(*scope));
    if (!scope)
        return NULL;
    if (at->stream == RLN__GPU_NO_STREAM)
        (void)snprintf(path, sizeof(path), "GPU %u/context %u", (unsigned)at->device,
                       (unsigned)at->context);
    else
        (void)snprintf(path, sizeof(path), "GPU %u/context %u/stream %u",
                       (unsigned)at->device, (unsigned)at->context,
                       (unsigned)at->stream);
    *scope = (struct scope){*at, nvtxScopeRegister(w->domain, &attributes)};
    scopes[w->n_scopes++] = scope;
    return scope;
}

/* --- Batches ---------------------------------------------------------------------- */

static void submit(const struct rln__work_writer *w, struct batch *batch)
{
    const nvtxEventBatch_t events = {
        .eventSchemaId = RLN__GPU_SCHEMA(batch->kind),
        .size = batch->n_bytes,
        .events = batch->bytes,
        .scope = batch->scope ? batch->scope->id : NVTX_SCOPE_NONE,
        .flags = NVTX_BATCH_FLAG_UNSORTED,
    };

    if (batch->n_bytes)
        nvtxEventBatchSubmit(w->domain, &events);
    batch->n_bytes = 0;
}

/* The open batch with room for one more element. */
static struct batch *batch_for(struct rln__work_writer *w, enum rln__gpu_kind kind,
                               const struct scope *scope)
{
    struct batch *unused = NULL;

    for (size_t i = 0; i < N_BATCHES; i++) {
        struct batch *batch = &w->batches[i];

        if (!batch->n_bytes) {
            unused = unused ? unused : batch;
        } else if (batch->kind == kind && batch->scope == scope) {
            if (batch->n_bytes + rln__gpu_schemas[kind].n_bytes > BATCH_BYTES)
                submit(w, batch);
            return batch;
        }
    }
    if (!unused) {
        unused = &w->batches[w->next_evicted++ % N_BATCHES];
        submit(w, unused);
    }
    unused->kind = kind;
    unused->scope = scope;
    return unused;
}

void rln__work_writer_add(struct rln__work_writer *w,
                          const struct rln__activity *activity, uint32_t tid)
{
    const enum rln__gpu_kind kind = activity->kind;
    union rln__gpu_element e = activity->element;
    const struct scope *scope = NULL;
    struct batch *batch;

    set_name(w, activity, &e);
    if (rln__gpu_is_on_stream(kind)) {
        settle_device(w, kind, &e.kernel.at);
        scope = scope_of(w, &e.kernel.at);
    } else {
        e.head.tid = tid;
    }
    batch = batch_for(w, kind, scope);
    memcpy(batch->bytes + batch->n_bytes, &e, rln__gpu_schemas[kind].n_bytes);
    batch->n_bytes += rln__gpu_schemas[kind].n_bytes;
}

void rln__work_writer_flush(struct rln__work_writer *w)
{
    for (size_t i = 0; i < N_BATCHES; i++)
        submit(w, &w->batches[i]);
}
