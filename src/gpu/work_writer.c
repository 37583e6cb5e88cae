/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/work_writer.h"
#include "gpu/kernel_name.h"

#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    N_BATCHES = 128, /* open at once */
    BATCH_BYTES = 8 << 10,
    N_BUCKETS = 1024,
    N_CACHED = 256,
    MOST_CALLS = 1200, /* CUPTI numbers fewer */
};

struct batch;

/* A stream, or none for what happens on threads. */
struct scope {
    struct rln__gpu_stream_id at;
    uint64_t id;
    struct batch *open[RLN__N_GPU_KINDS]; /* borrowed; NULL: none */
    struct scope *next;                   /* in its bucket */
};

struct batch {
    struct scope *scope; /* borrowed; NULL: the batch is not open */
    enum rln__gpu_kind kind;
    size_t n_bytes;
    uint8_t bytes[BATCH_BYTES];
};

/* The handles of a name's forms, for the text that CUPTI has. */
struct name {
    char *text; /* owned */
    int is_kernel;
    uint64_t demangled, mangled, short_form;
};

/* A call of CUDA, whose name CUPTI knows. */
struct call {
    const char *text; /* static; NULL: there is no such call */
    uint64_t handle;  /* 0: not yet registered */
};

struct context {
    uint32_t id, device;
    struct context *next; /* in its bucket */
};

struct rln__work_writer {
    const struct rln__cupti *cupti; /* borrowed */
    nvtxDomainHandle_t domain;
    struct batch *batches; /* owned: N_BATCHES */
    size_t n_open;
    struct scope on_threads;
    struct scope *scopes[N_BUCKETS]; /* owned, as the contexts */
    struct context *contexts[N_BUCKETS];
    struct name **names; /* owned, as is each; a hash table by text, half empty */
    size_t n_names, n_slots;
    struct {
        const char *from; /* address of CUPTI's text, which may change its contents */
        const struct name *name;
    } cached[N_CACHED];
    uint64_t node_name; /* atomic: its handle; 0: not yet registered */
    uint64_t described; /* GPUs, a bit each, of which the first 64 are */
    struct call calls[2][MOST_CALLS + 1]; /* of the driver, the runtime */
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
    register_schema(w->domain, RLN__GPU_DEVICE_SCHEMA, NVTX_PAYLOAD_SCHEMA_FLAG_MARK,
                    &rln__gpu_device_schema);
    return w;
}

static uint64_t handle_of(const struct rln__work_writer *w, const char *text)
{
    return (uint64_t)(uintptr_t)nvtxDomainRegisterStringA(w->domain, text);
}

static int64_t now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void submit_one(const struct rln__work_writer *w, uint64_t schema,
                       const void *element, size_t n_bytes)
{
    const nvtxEventBatch_t event = {
        .eventSchemaId = schema, .size = n_bytes, .events = element};

    nvtxEventBatchSubmit(w->domain, &event);
}

void rln__work_writer_add_loss(const struct rln__work_writer *w, const char *what,
                               uint64_t n)
{
    const struct rln__gpu_loss loss = {
        .time = now(), .what = handle_of(w, what), .n = n};

    submit_one(w, RLN__GPU_LOSS_SCHEMA, &loss, sizeof(loss));
}

/* Two threads that both register it get the same handle. */
static uint64_t node_name(struct rln__work_writer *w)
{
    uint64_t handle = __atomic_load_n(&w->node_name, __ATOMIC_RELAXED);

    if (handle)
        return handle;
    handle = handle_of(w, "Graph Node Creation");
    __atomic_store_n(&w->node_name, handle, __ATOMIC_RELAXED);
    return handle;
}

void rln__work_writer_add_node(struct rln__work_writer *w, uint64_t node,
                               uint64_t original)
{
    enum { NODE_CREATION = 77 }; /* Nsight's class of such events */
    const int64_t t_ns = now();
    const struct rln__gpu_node element = {
        .head = {.start = t_ns,
                 .end = t_ns,
                 .name = node_name(w),
                 .tid = (uint32_t)syscall(SYS_gettid)},
        .graph_node = node,
        .original_graph_node = original,
        .event_class = NODE_CREATION};

    submit_one(w, RLN__GPU_SCHEMA(RLN__GPU_NODE), &element, sizeof(element));
}

/* As nvidia-smi writes it. */
static void format_uuid(const uint8_t *uuid, char *out)
{
    out += sprintf(out, "GPU-");
    for (int i = 0; i < 16; i++)
        out += sprintf(out, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                       uuid[i]);
}

void rln__work_writer_see_gpu(struct rln__work_writer *w,
                              const struct rln__activity *activity)
{
    struct rln__gpu_device gpu = activity->gpu;
    char uuid[sizeof("GPU-") + 32 + 4];

    /* CUPTI describes each GPU again whenever recording resumes. */
    if (gpu.device >= 64 || w->described >> gpu.device & 1)
        return;
    w->described |= UINT64_C(1) << gpu.device;
    format_uuid(activity->uuid, uuid);
    gpu.time = now();
    gpu.name = handle_of(w, activity->name ? activity->name : "(unknown GPU)");
    gpu.uuid = handle_of(w, uuid);
    submit_one(w, RLN__GPU_DEVICE_SCHEMA, &gpu, sizeof(gpu));
}

/* --- Names ------------------------------------------------------------------------ */

void rln__work_writer_name_calls(struct rln__work_writer *w)
{
    for (int domain = RLN__CUPTI_DRIVER_API; domain <= RLN__CUPTI_RUNTIME_API;
         domain++) {
        for (uint32_t cbid = 1; cbid <= MOST_CALLS; cbid++) {
            const char *text = NULL;

            if (!w->cupti->call_name(domain, cbid, &text))
                w->calls[domain - RLN__CUPTI_DRIVER_API][cbid].text = text;
        }
    }
}

static uint64_t call_handle(struct rln__work_writer *w, uint32_t domain, uint32_t cbid)
{
    struct call *call =
        &w->calls[domain - RLN__CUPTI_DRIVER_API][cbid <= MOST_CALLS ? cbid : 0];

    if (!call->handle)
        call->handle = handle_of(w, call->text ? call->text : "(unknown call)");
    return call->handle;
}

static size_t hash_of(const char *text)
{
    size_t hash = (size_t)14695981039346656037u; /* FNV-1a */

    while (*text)
        hash = (hash ^ (unsigned char)*text++) * (size_t)1099511628211u;
    return hash;
}

/* The slot of a text, or the empty one where it belongs. */
static struct name **slot_of(struct name **names, size_t n_slots, const char *text,
                             int is_kernel)
{
    size_t at = hash_of(text) & (n_slots - 1);

    while (names[at] &&
           (names[at]->is_kernel != is_kernel || strcmp(names[at]->text, text) != 0))
        at = (at + 1) & (n_slots - 1);
    return &names[at];
}

static int grow_names(struct rln__work_writer *w)
{
    const size_t n_slots = w->n_slots ? 2 * w->n_slots : 256;
    struct name **names = calloc(n_slots, sizeof(struct name *));

    if (!names)
        return -1;
    for (size_t i = 0; i < w->n_slots; i++) {
        struct name *name = w->names[i];

        if (name)
            *slot_of(names, n_slots, name->text, name->is_kernel) = name;
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

static struct name *new_name(const struct rln__work_writer *w, const char *text,
                             int is_kernel)
{
    struct name *name = calloc(1, sizeof(*name));

    if (!name)
        return NULL;
    name->text = strdup(text);
    name->is_kernel = is_kernel;
    if (!name->text) {
        free(name);
        return NULL;
    }
    if (is_kernel)
        register_kernel(w, name);
    else
        name->demangled = handle_of(w, text);
    return name;
}

/* The forms of a kernel's name, or only that of another text. NULL without memory. */
static const struct name *name_of(struct rln__work_writer *w, const char *text,
                                  int is_kernel)
{
    struct name **slot;

    if (2 * w->n_names >= w->n_slots && grow_names(w))
        return NULL;
    slot = slot_of(w->names, w->n_slots, text, is_kernel);
    if (!*slot) {
        *slot = new_name(w, text, is_kernel);
        w->n_names += *slot != NULL;
    }
    return *slot;
}

/* CUPTI has one text per kernel, so its address finds most names. */
static const struct name *kernel_name_of(struct rln__work_writer *w, const char *text)
{
    const size_t at = (uintptr_t)text / 16 % N_CACHED;
    const struct name *name = w->cached[at].name;

    if (w->cached[at].from == text && strcmp(name->text, text) == 0)
        return name;
    name = name_of(w, text, 1);
    if (name) {
        w->cached[at].from = text;
        w->cached[at].name = name;
    }
    return name;
}

static void set_name(struct rln__work_writer *w, const struct rln__activity *activity,
                     union rln__gpu_element *e)
{
    char usual[RLN__MOST_GPU_NAME];
    const struct name *name;

    if (activity->kind == RLN__GPU_CALL) {
        e->head.name = call_handle(w, activity->domain, activity->cbid);
        return;
    }
    if (activity->kind == RLN__GPU_KERNEL) {
        name = kernel_name_of(w, activity->name ? activity->name : "(unknown kernel)");
    } else {
        (void)rln__gpu_usual_name(activity->kind, e, usual);
        name = name_of(w, usual, 0);
    }
    if (!name)
        return;
    e->head.name = name->demangled;
    if (activity->kind == RLN__GPU_KERNEL) {
        e->kernel.mangled_name = name->mangled;
        e->kernel.short_name = name->short_form;
    }
}

/* --- Streams ---------------------------------------------------------------------- */

void rln__work_writer_see_context(struct rln__work_writer *w, uint32_t id,
                                  uint32_t device)
{
    struct context **bucket = &w->contexts[id % N_BUCKETS];
    struct context *c = *bucket;

    while (c && c->id != id)
        c = c->next;
    if (!c) {
        c = calloc(1, sizeof(*c));
        if (!c)
            return;
        c->id = id;
        c->next = *bucket;
        *bucket = c;
    }
    c->device = device;
}

/* The GPU of a context, which waits do not tell. */
static uint32_t device_of(const struct rln__work_writer *w, uint32_t context)
{
    const struct context *c = w->contexts[context % N_BUCKETS];

    while (c && c->id != context)
        c = c->next;
    return c ? c->device : 0;
}

static int is_same_stream(const struct rln__gpu_stream_id *a,
                          const struct rln__gpu_stream_id *b)
{
    return a->device == b->device && a->context == b->context && a->stream == b->stream;
}

static uint64_t register_scope(const struct rln__work_writer *w,
                               const struct rln__gpu_stream_id *at)
{
    char path[RLN__MOST_GPU_NAME];
    const nvtxScopeAttr_t attributes = {
        .structSize = sizeof(attributes), .path = path, .parentScope = NVTX_SCOPE_ROOT};

    rln__gpu_stream_path(at, path);
    return nvtxScopeRegister(w->domain, &attributes);
}

/* NULL without memory. */
static struct scope *scope_of(struct rln__work_writer *w,
                              const struct rln__gpu_stream_id *at)
{
    const uint32_t hash = (at->device * 31 + at->context) * 31 + at->stream;
    struct scope **bucket = &w->scopes[hash % N_BUCKETS];
    struct scope *scope = *bucket;

    while (scope && !is_same_stream(&scope->at, at))
        scope = scope->next;
    if (scope)
        return scope;
    scope = calloc(1, sizeof(*scope));
    if (!scope)
        return NULL;
    scope->at = *at;
    scope->id = register_scope(w, at);
    scope->next = *bucket;
    *bucket = scope;
    return scope;
}

/* --- Batches ---------------------------------------------------------------------- */

/* Hands over a batch, which is open no more. */
static void submit(struct rln__work_writer *w, struct batch *batch)
{
    const nvtxEventBatch_t events = {
        .eventSchemaId = RLN__GPU_SCHEMA(batch->kind),
        .size = batch->n_bytes,
        .events = batch->bytes,
        .scope = batch->scope->id,
        .flags = NVTX_BATCH_FLAG_UNSORTED,
    };

    nvtxEventBatchSubmit(w->domain, &events);
    batch->scope->open[batch->kind] = NULL;
    batch->scope = NULL;
    batch->n_bytes = 0;
    w->n_open--;
}

/* One that is not open. If all are, the fullest goes. */
static struct batch *unused_batch(struct rln__work_writer *w)
{
    struct batch *fullest = w->batches;

    for (size_t i = 0; i < N_BATCHES; i++) {
        if (!w->batches[i].scope)
            return &w->batches[i];
        if (w->batches[i].n_bytes > fullest->n_bytes)
            fullest = &w->batches[i];
    }
    submit(w, fullest);
    return fullest;
}

/* The open batch with room for one more element. */
static struct batch *batch_for(struct rln__work_writer *w, enum rln__gpu_kind kind,
                               struct scope *scope)
{
    struct batch *batch = scope->open[kind];

    if (batch && batch->n_bytes + rln__gpu_schemas[kind].n_bytes > BATCH_BYTES) {
        submit(w, batch);
        batch = NULL;
    }
    if (batch)
        return batch;
    batch = unused_batch(w);
    batch->kind = kind;
    batch->scope = scope;
    scope->open[kind] = batch;
    w->n_open++;
    return batch;
}

int rln__work_writer_add(struct rln__work_writer *w,
                         const struct rln__activity *activity, uint32_t tid)
{
    const enum rln__gpu_kind kind = activity->kind;
    union rln__gpu_element e = activity->element;
    struct scope *scope = &w->on_threads;
    struct batch *batch;

    set_name(w, activity, &e);
    if (rln__gpu_is_on_stream(kind)) {
        if (kind == RLN__GPU_SYNC)
            e.sync.at.device = device_of(w, e.sync.at.context);
        scope = scope_of(w, &e.kernel.at);
        if (!scope)
            return -1;
    } else {
        e.head.tid = tid;
    }
    batch = batch_for(w, kind, scope);
    memcpy(batch->bytes + batch->n_bytes, &e, rln__gpu_schemas[kind].n_bytes);
    batch->n_bytes += rln__gpu_schemas[kind].n_bytes;
    return 0;
}

void rln__work_writer_flush(struct rln__work_writer *w)
{
    for (size_t i = 0; i < N_BATCHES && w->n_open; i++) {
        if (w->batches[i].scope)
            submit(w, &w->batches[i]);
    }
}
