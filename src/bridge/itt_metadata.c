/* SPDX-License-Identifier: Apache-2.0 */
/* itt_metadata.c - a payload's schema follows from key and type:
 *
 *     one number    {key: number}
 *     several       {count (hidden), key: [numbers]}
 *     text          {key: "text"}
 *
 * Formatted text has no key: it is a payload with the key "text", or a mark's message.
 */
#include "bridge/itt_metadata.h"
#include "bridge/arena.h"
#include "bridge/itt_names.h"
#include "bridge/open_tasks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { N_TYPES = 9, TEXT = 2 * N_TYPES, N_KINDS }; /* kinds: type, several, TEXT */

static const struct {
    uint64_t type;
    size_t n_bytes;
} types[N_TYPES] = {
    [1] = {NVTX_PAYLOAD_ENTRY_TYPE_UINT64, 8},
    [2] = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8},
    [3] = {NVTX_PAYLOAD_ENTRY_TYPE_UINT32, 4},
    [4] = {NVTX_PAYLOAD_ENTRY_TYPE_INT32, 4},
    [5] = {NVTX_PAYLOAD_ENTRY_TYPE_UINT16, 2},
    [6] = {NVTX_PAYLOAD_ENTRY_TYPE_INT16, 2},
    [7] = {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32, 4},
    [8] = {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64, 8},
};

size_t rln__itt_type_size(int type)
{
    return type > 0 && type < N_TYPES ? types[type].n_bytes : 0;
}

uint64_t rln__itt_nvtx_type(int type)
{
    return type > 0 && type < N_TYPES ? types[type].type : 0;
}

/* --- Schemas ---------------------------------------------------------------------- */

static uint64_t register_schema(nvtxDomainHandle_t domain, const char *key, int kind)
{
    const nvtxPayloadSchemaEntry_t value = {
        .flags = kind == TEXT     ? NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED
                 : kind < N_TYPES ? 0
                                  : NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX,
        .type =
            kind == TEXT ? NVTX_PAYLOAD_ENTRY_TYPE_CSTRING : types[kind % N_TYPES].type,
        .name = key};
    const nvtxPayloadSchemaEntry_t several[] = {{.flags = NVTX_PAYLOAD_ENTRY_FLAG_HIDE,
                                                 .type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64,
                                                 .name = "count"},
                                                value};
    const int is_array = kind >= N_TYPES && kind != TEXT;
    const nvtxPayloadSchemaAttr_t attributes = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     (kind < N_TYPES ? NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE : 0),
        .name = "ITT metadata",
        .type = kind < N_TYPES ? NVTX_PAYLOAD_SCHEMA_TYPE_STATIC
                               : NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC,
        .entries = is_array ? several : &value,
        .numEntries = is_array ? 2 : 1,
        .payloadStaticSize = kind < N_TYPES ? types[kind].n_bytes : 0};

    return nvtxPayloadSchemaRegister(domain, &attributes);
}

/* The schemas of a key, by kind, beside what the key is registered as. */
static uint64_t *schemas_of(nvtxDomainHandle_t domain, struct rln__itt_string *key)
{
    struct rln__itt_registered *r =
        rln__itt_registered(domain, key)
            ? __atomic_load_n((struct rln__itt_registered **)&key->extra2,
                              __ATOMIC_ACQUIRE)
            : NULL;
    uint64_t *schemas, *new;

    while (r && r->domain != domain)
        r = r->next;
    schemas = r ? __atomic_load_n(&r->schemas, __ATOMIC_ACQUIRE) : NULL;
    if (schemas || !r)
        return schemas;
    new = rln__arena_keep(N_KINDS * sizeof(*new));
    return !new || __atomic_compare_exchange_n(&r->schemas, &schemas, new, 0,
                                               __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
               ? new
               : schemas;
}

/* 0: no tool records payloads. Threads that come first at once may each register one.
 */
static uint64_t schema_of(nvtxDomainHandle_t domain, struct rln__itt_string *key,
                          int kind)
{
    uint64_t *schemas = schemas_of(domain, key);
    uint64_t id = schemas ? __atomic_load_n(&schemas[kind], __ATOMIC_RELAXED) : 0;

    if (schemas && !id) {
        id = register_schema(domain, key->text, kind);
        __atomic_store_n(&schemas[kind], id, __ATOMIC_RELAXED);
    }
    return id;
}

/* --- Payloads --------------------------------------------------------------------- */

/* What is added, to what. */
struct metadata {
    nvtxDomainHandle_t domain;
    struct rln__itt_string *key;
    uint64_t schema;
    int is_of_task; /* the current one */
};

/* The payload is `head`, then `bytes`, then `n_zeros` zeros. */
static void add(const struct metadata *m, const void *head, size_t n_head,
                const void *bytes, size_t n_bytes, size_t n_zeros)
{
    const size_t n = n_head + n_bytes + n_zeros;
    nvtxStringHandle_t name = rln__itt_registered(m->domain, m->key);
    void *waits = m->is_of_task && m->schema
                      ? rln__task_payload(m->domain, name, m->schema, n)
                      : NULL;
    char *room = waits || !m->schema ? waits : rln__payload_room();

    if (room) {
        memcpy(room, head, n_head);
        memcpy(room + n_head, bytes, n_bytes);
        memset(room + n_head + n_bytes, 0, n_zeros);
    }
    if (!waits)
        rln__mark_payload(m->domain, name, m->schema, room, n);
}

static void add_text(const struct metadata *m, const char *text, size_t length)
{
    const size_t most = RLN__MOST_PAYLOAD - 1;

    add(m, "", 0, text, strnlen(text, length < most ? length : most), 1);
}

static void add_numbers(const struct metadata *m, size_t count, size_t n_bytes,
                        const void *data)
{
    const size_t most = (RLN__MOST_PAYLOAD - sizeof(uint64_t)) / n_bytes;
    const uint64_t n = count < most ? count : most;

    add(m, &n, count == 1 ? 0 : sizeof(n), data, n * n_bytes, 0);
}

/* --- ITT's functions -------------------------------------------------------------- */

static int is_current(const struct rln__itt_id *id)
{
    static const struct rln__itt_id none;

    return !memcmp(id, &none, sizeof(none)) ||
           !memcmp(id, &rln__open_tasks.newest, sizeof(none));
}

/* Scopes of ITT: a value of none of them is for the task, too. */
enum { NO_SCOPE = 0, TASK_SCOPE = 4 };

static int is_of_task(int scope)
{
    return scope == NO_SCOPE || scope == TASK_SCOPE;
}

static void add_typed(rln__itt_any_domain domain, int of_task,
                      struct rln__itt_string *key, int type, size_t count,
                      const void *data)
{
    struct metadata m = {
        .domain = rln__itt_handle(domain), .key = key, .is_of_task = of_task};
    const size_t n_bytes = rln__itt_type_size(type);

    if (!m.domain || !key || !n_bytes || !count || !data)
        return;
    m.schema = schema_of(m.domain, key, count == 1 ? type : type + N_TYPES);
    add_numbers(&m, count, n_bytes, data);
}

static void add_string(rln__itt_any_domain domain, int of_task,
                       struct rln__itt_string *key, const char *text, size_t length)
{
    struct metadata m = {
        .domain = rln__itt_handle(domain), .key = key, .is_of_task = of_task};

    if (!m.domain || !key || !text)
        return;
    m.schema = schema_of(m.domain, key, TEXT);
    add_text(&m, text, length);
}

void rln__itt_metadata_add(rln__itt_any_domain domain, struct rln__itt_id id,
                           struct rln__itt_string *key, int type, size_t count,
                           const void *data)
{
    add_typed(domain, is_current(&id), key, type, count, data);
}

void rln__itt_metadata_str_add(rln__itt_any_domain domain, struct rln__itt_id id,
                               struct rln__itt_string *key, const char *text,
                               size_t length)
{
    add_string(domain, is_current(&id), key, text, length);
}

void rln__itt_metadata_add_with_scope(rln__itt_any_domain domain, int scope,
                                      struct rln__itt_string *key, int type,
                                      size_t count, const void *data)
{
    add_typed(domain, is_of_task(scope), key, type, count, data);
}

void rln__itt_metadata_str_add_with_scope(rln__itt_any_domain domain, int scope,
                                          struct rln__itt_string *key, const char *text,
                                          size_t length)
{
    add_string(domain, is_of_task(scope), key, text, length);
}

static void add_formatted(rln__itt_any_domain domain, int of_task,
                          struct rln__itt_string *format, va_list values)
{
    nvtxDomainHandle_t handle = rln__itt_handle(domain);
    struct rln__itt_string *key = rln__itt_string("text");
    const uint64_t schema = handle && key ? schema_of(handle, key, TEXT) : 0;
    char text[1024], *waits = NULL;
    int n;

    if (!handle || !format || !format->text)
        return;
    n = vsnprintf(text, sizeof(text), format->text, values);
    if (n < 0)
        return;
    if (of_task && schema)
        waits = rln__task_payload(handle, rln__itt_registered(handle, key), schema,
                                  strlen(text) + 1);
    if (waits) {
        memcpy(waits, text, strlen(text) + 1);
    } else {
        const nvtxEventAttributes_t event = {.version = NVTX_VERSION,
                                             .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                             .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                             .message.ascii = text};

        nvtxDomainMarkEx(handle, &event);
    }
}

void rln__itt_formatted_metadata_add(rln__itt_any_domain domain,
                                     struct rln__itt_string *format, ...)
{
    va_list values;

    va_start(values, format);
    add_formatted(domain, 1, format, values);
    va_end(values);
}

void rln__itt_formatted_metadata_add_overlapped(rln__itt_any_domain domain,
                                                struct rln__itt_id id,
                                                struct rln__itt_string *format, ...)
{
    va_list values;

    (void)id;
    va_start(values, format);
    add_formatted(domain, 0, format, values);
    va_end(values);
}
