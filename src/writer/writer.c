/* SPDX-License-Identifier: Apache-2.0 */
/* writer.c - the NVTXW backend: nvtxwGetInterface(), sessions, domains and streams.
 *
 *     session -> domain: NVTX's domain, and templates of schemas and counters
 *             -> stream: a domain, a scope of its own, a clock
 *
 * A process writes one trace: that of the collector linked into this library or, if the
 * process is being recorded anyway, that of the recording. The end of a session frees its
 * memory, and fails if events were dropped, as on a full disk: all others are in the file
 * already.
 *
 * One lock protects all sessions. Programs that import logs do not contend for it.
 */
#include "writer/batches.h"
#include "writer/session_file.h"
#include "writer/templates.h"

#include <rangeline/control.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_PAYLOADS 16 /* of one event */

/* Whether the attributes have all members of the first version. */
#define IS_WHOLE(attributes)                                                           \
    ((attributes) && (attributes)->structSize >= sizeof(*(attributes)))

struct domain {
    char *name; /* owned; empty: the default domain */
    struct templates templates;
    uint64_t scope_schema; /* of a payload that holds the scope; 0: not registered */
    uint64_t relative;     /* clock of streams that name none; 0: not registered */
    struct nvtxwSession_st *session;
    struct domain *next;
};

struct nvtxwSession_st {
    struct domain *domains;      /* owned */
    nvtxwStreamHandle_t streams; /* owned */
    int64_t begin;               /* from nvtxTimestampGet() */
    pid_t process;
    size_t n_unnamed; /* streams */
    int n_dropped;    /* events of the process, before the session */
};

struct nvtxwStream_st {
    struct domain *domain;
    uint64_t given_scope; /* the id that the program passed */
    uint64_t scope;       /* of only this stream */
    uint64_t clock;
    nvtxwStreamHandle_t next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Domains, streams and ranges of two sessions would mix in the trace if their names or
 * ids were the same. So a process has one session at a time; a child may begin another
 * one. */
static nvtxwSessionHandle_t current;
static pthread_once_t at_fork = PTHREAD_ONCE_INIT;

static int32_t unlocked(int32_t result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

static void hold(void)
{
    pthread_mutex_lock(&lock);
}

static void release(void)
{
    pthread_mutex_unlock(&lock);
}

/* A child of a fork may write, too: it must not inherit a lock that another thread
 * holds, since that thread does not exist there. */
static void handle_forks(void)
{
    (void)pthread_atfork(hold, release, release);
}

/* What a registration returns. `out` may be NULL: a static id needs none. */
static int32_t give(uint64_t id, uint64_t *out)
{
    if (out)
        *out = id;
    return id ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED;
}

static int32_t refuse(uint64_t *out)
{
    (void)give(0, out);
    return NVTXW_RESULT_INVALID_ARGUMENT;
}

/* ---- Sessions -------------------------------------------------------------------- */

static int32_t session_begin(const nvtxwSessionAttributes_t *attributes,
                             nvtxwSessionHandle_t *out)
{
    struct nvtxwSession_st *session;
    int64_t now;

    if (out)
        *out = NULL;
    if (!IS_WHOLE(attributes) || !out)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    (void)pthread_once(&at_fork, handle_forks);
    pthread_mutex_lock(&lock);
    if (current && current->process == getpid())
        return unlocked(NVTXW_RESULT_NOT_SUPPORTED);
    if (!session_file_open(attributes, &now))
        return unlocked(NVTXW_RESULT_FAILED);
    session = calloc(1, sizeof(*session));
    if (!session)
        return unlocked(NVTXW_RESULT_FAILED);
    session->begin = now;
    session->process = getpid();
    session->n_dropped = rln_control_(RLN_CONTROL_DROPPED_);
    current = session;
    *out = session;
    return unlocked(NVTXW_RESULT_SUCCESS);
}

static int32_t session_end(nvtxwSessionHandle_t session)
{
    int is_whole;

    if (!session)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    while (session->streams) {
        struct nvtxwStream_st *const stream = session->streams;

        session->streams = stream->next;
        free(stream);
    }
    while (session->domains) {
        struct domain *const domain = session->domains;

        session->domains = domain->next;
        templates_free(&domain->templates);
        free(domain->name);
        free(domain);
    }
    if (current == session)
        current = NULL;
    is_whole = rln_control_(RLN_CONTROL_DROPPED_) <= session->n_dropped;
    free(session);
    return unlocked(is_whole ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED);
}

/* ---- Domains, and registrations that NVTX takes unchanged ------------------------ */

/* The session's domain of this name, created if it is new; NULL without memory. The
 * caller holds the lock. */
static struct domain *domain_of(nvtxwSessionHandle_t session, const char *name)
{
    struct domain *domain = session->domains;

    while (domain && strcmp(domain->name, name) != 0)
        domain = domain->next;
    if (domain)
        return domain;
    domain = calloc(1, sizeof(*domain));
    if (!domain)
        return NULL;
    domain->name = strdup(name);
    if (domain->name && *name)
        domain->templates.domain = nvtxDomainCreateA(name);
    /* NULL would be the default domain */
    if (!domain->name || (*name && !domain->templates.domain)) {
        free(domain->name);
        free(domain);
        return NULL;
    }
    domain->session = session;
    domain->next = session->domains;
    session->domains = domain;
    return domain;
}

static int32_t domain_register(nvtxwSessionHandle_t session,
                               const nvtxwDomainAttributes_t *attributes,
                               nvtxDomainHandle_t *out)
{
    if (out)
        *out = NULL;
    if (!session || !out || (attributes && !IS_WHOLE(attributes)))
        return NVTXW_RESULT_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    *out = (nvtxDomainHandle_t)domain_of(
        session, attributes && attributes->name ? attributes->name : "");
    return unlocked(*out ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED);
}

/* Programs hold a struct domain in place of NVTX's handle; returns NVTX's. */
static nvtxDomainHandle_t nvtx_of(nvtxDomainHandle_t domain)
{
    return ((const struct domain *)domain)->templates.domain;
}

static int32_t category_register(nvtxDomainHandle_t domain, uint32_t category,
                                 const char *name)
{
    if (!domain || !category || !name)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    nvtxDomainNameCategoryA(nvtx_of(domain), category, name);
    return NVTXW_RESULT_SUCCESS;
}

static int32_t string_register(nvtxDomainHandle_t domain, const char *string,
                               nvtxStringHandle_t *out)
{
    if (out)
        *out = NULL;
    if (!domain || !string || !out)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    *out = nvtxDomainRegisterStringA(nvtx_of(domain), string);
    return *out ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED;
}

static int32_t resource_register(nvtxDomainHandle_t domain,
                                 const nvtxResourceAttributes_t *attributes)
{
    nvtxResourceAttributes_t given;

    if (!domain || !attributes)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    given = *attributes;
    return nvtxDomainResourceCreate(nvtx_of(domain), &given) ? NVTXW_RESULT_SUCCESS
                                                             : NVTXW_RESULT_FAILED;
}

static int32_t scope_register(nvtxDomainHandle_t domain,
                              const nvtxScopeAttr_t *attributes, uint64_t *out)
{
    if (!domain || !IS_WHOLE(attributes))
        return refuse(out);
    return give(nvtxScopeRegister(nvtx_of(domain), attributes), out);
}

static int32_t schema_register(nvtxDomainHandle_t domain,
                               const nvtxPayloadSchemaAttr_t *attributes, uint64_t *out)
{
    uint64_t id = 0;
    int32_t result;

    if (!domain || !attributes)
        return refuse(out);
    pthread_mutex_lock(&lock);
    result =
        templates_add_schema(&((struct domain *)domain)->templates, attributes, &id);
    (void)give(id, out);
    return unlocked(result);
}

static int32_t enum_register(nvtxDomainHandle_t domain,
                             const nvtxPayloadEnumAttr_t *attributes, uint64_t *out)
{
    uint64_t id = 0;
    int32_t result;

    if (!domain || !attributes)
        return refuse(out);
    pthread_mutex_lock(&lock);
    result = templates_add_enum(&((struct domain *)domain)->templates, attributes, &id);
    (void)give(id, out);
    return unlocked(result);
}

static int32_t counter_register(nvtxDomainHandle_t domain,
                                const nvtxCounterAttr_t *attributes, uint64_t *out)
{
    uint64_t id = 0;
    int32_t result;

    if (!domain || !IS_WHOLE(attributes))
        return refuse(out);
    pthread_mutex_lock(&lock);
    result =
        templates_add_counter(&((struct domain *)domain)->templates, attributes, &id);
    (void)give(id, out);
    return unlocked(result);
}

static int32_t time_domain_register(nvtxDomainHandle_t domain,
                                    const nvtxTimeDomainAttr_t *attributes,
                                    uint64_t *out)
{
    if (!domain || !attributes)
        return refuse(out);
    return give(nvtxTimeDomainRegister(nvtx_of(domain), attributes), out);
}

/* ---- Streams --------------------------------------------------------------------- */

/* Only ranges of the same stream nest. So each stream has a scope of its own, a node
 * below the given scope with the stream's name, or with a number if it has none. 0:
 * there is no memory, or NVTX refuses the scope. */
static uint64_t scope_of(struct domain *domain,
                         const nvtxwStreamAttributes_t *attributes)
{
    const int is_named = attributes->name && *attributes->name;
    char number[40];
    const char *from = is_named ? attributes->name : number;
    char *path, *to;
    uint64_t id = 0;

    if (!is_named)
        (void)snprintf(number, sizeof(number), "stream %zu",
                       ++domain->session->n_unnamed);
    path = to = malloc(2 * strlen(from) + 1);
    if (!path)
        return 0;
    for (; *from; from++) {
        if (strchr("/[]\\", *from))
            *to++ = '\\';
        *to++ = *from;
    }
    *to = '\0';
    id = nvtxScopeRegister(domain->templates.domain,
                           &(nvtxScopeAttr_t){.structSize = sizeof(nvtxScopeAttr_t),
                                              .path = path,
                                              .parentScope = attributes->scopeId
                                                                 ? attributes->scopeId
                                                                 : NVTX_SCOPE_ROOT});
    free(path);
    return id;
}

/* If a stream names no clock, its times are nanoseconds since the session began. */
static uint64_t relative_clock(struct domain *domain)
{
    const nvtxTimeDomainAttr_t attributes = {
        .scopeId = NVTX_SCOPE_NONE,
        .timestampTypeId = NVTX_TIMESTAMP_TYPE_NONE,
        .timerResolution = 1000000000,
    };

    if (!domain->relative) {
        domain->relative =
            nvtxTimeDomainRegister(domain->templates.domain, &attributes);
        nvtxTimeSyncPoint(domain->templates.domain, domain->relative,
                          NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED, 0, domain->session->begin);
    }
    return domain->relative;
}

static int32_t stream_open(nvtxwSessionHandle_t session,
                           const nvtxwStreamAttributes_t *attributes,
                           nvtxwStreamHandle_t *out)
{
    struct domain *domain;
    nvtxwStreamHandle_t stream;

    if (out)
        *out = NULL;
    if (!session || !IS_WHOLE(attributes) || !out)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    domain = (struct domain *)attributes->domain;
    if (!domain)
        domain = domain_of(session, "");
    stream = domain ? calloc(1, sizeof(*stream)) : NULL;
    if (stream) {
        stream->domain = domain;
        stream->given_scope = attributes->scopeId;
        stream->scope = scope_of(domain, attributes);
        stream->clock = attributes->timeDomainId ? attributes->timeDomainId
                                                 : relative_clock(domain);
    }
    if (!stream || !stream->scope || !stream->clock) {
        free(stream);
        return unlocked(NVTXW_RESULT_FAILED);
    }
    stream->next = session->streams;
    session->streams = stream;
    *out = stream;
    return unlocked(NVTXW_RESULT_SUCCESS);
}

static int32_t stream_close(nvtxwStreamHandle_t stream)
{
    nvtxwStreamHandle_t *at;

    if (!stream)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    for (at = &stream->domain->session->streams; *at && *at != stream;)
        at = &(*at)->next;
    if (!*at)
        return unlocked(NVTXW_RESULT_INVALID_ARGUMENT);
    *at = stream->next;
    free(stream);
    return unlocked(NVTXW_RESULT_SUCCESS);
}

/* ---- Events ---------------------------------------------------------------------- */

/* The schema of a payload that holds the event's scope. */
static uint64_t scope_schema(struct domain *domain)
{
    const nvtxPayloadSchemaEntry_t entry = {.type = NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID,
                                            .name = "stream"};
    const nvtxPayloadSchemaAttr_t schema = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .entries = &entry,
        .numEntries = 1,
        .payloadStaticSize = sizeof(uint64_t),
    };

    if (!domain->scope_schema)
        domain->scope_schema =
            nvtxPayloadSchemaRegister(domain->templates.domain, &schema);
    return domain->scope_schema;
}

static int32_t event_write(nvtxwStreamHandle_t stream,
                           const nvtxPayloadData_t *payloads, size_t n)
{
    nvtxPayloadData_t all[MAX_PAYLOADS + 1];
    struct registration schema = {0};
    struct domain *domain;
    int32_t result;
    size_t n_all = 0;

    if (!stream || !payloads || !n || n > MAX_PAYLOADS)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    domain = stream->domain;
    pthread_mutex_lock(&lock);
    /* First, because of several scopes the last counts: that of the event, if any. */
    all[n_all++] = (nvtxPayloadData_t){scope_schema(domain), sizeof(stream->scope),
                                       &stream->scope};
    result = all[0].schemaId ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED;
    for (size_t i = 0; i < n && !result; i++) {
        result = templates_find_schema(&domain->templates, payloads[i].schemaId,
                                       stream->clock, &schema);
        all[n_all] = payloads[i];
        all[n_all++].schemaId = schema.id;
    }
    if (!result)
        nvtxEventSubmit(domain->templates.domain, all, n_all);
    return unlocked(result);
}

static int32_t event_batch_write(nvtxwStreamHandle_t stream,
                                 const nvtxEventBatch_t *events)
{
    struct registration schema;
    nvtxEventBatch_t batch;
    int32_t result;

    if (!stream || !events)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    batch = *events;
    pthread_mutex_lock(&lock);
    result = templates_find_schema(&stream->domain->templates, batch.eventSchemaId,
                                   stream->clock, &schema);
    if (result)
        return unlocked(result);
    batch.eventSchemaId = schema.id;
    if (!batch.scope || batch.scope == stream->given_scope)
        batch.scope = stream->scope;
    return unlocked(batches_submit_events(stream->domain->templates.domain, &batch,
                                          schema.n_bytes, schema.has_pointers));
}

/* ---- Counters -------------------------------------------------------------------- */

static int32_t counter_batch_write(nvtxwStreamHandle_t stream,
                                   const nvtxCounterBatch_t *samples)
{
    struct registration counter;
    nvtxCounterBatch_t batch;
    int32_t result;

    if (!stream || !samples)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    batch = *samples;
    pthread_mutex_lock(&lock);
    result = templates_find_counter(&stream->domain->templates, batch.counterId,
                                    stream->clock, &counter);
    if (result)
        return unlocked(result);
    batch.counterId = counter.id;
    return unlocked(batches_submit_samples(stream->domain->templates.domain, &batch,
                                           counter.n_bytes, counter.has_pointers));
}

static int32_t counter_write(nvtxwStreamHandle_t stream, int64_t timestamp,
                             uint64_t counter, const void *data, size_t size)
{
    const nvtxCounterBatch_t one = {
        .counterId = counter,
        .counters = data,
        .countersSize = size,
        .timestamps = &timestamp,
        .timestampsSize = sizeof(timestamp),
    };

    return data ? counter_batch_write(stream, &one) : NVTXW_RESULT_INVALID_ARGUMENT;
}

/* Batches hold only values. So a zero can be written, but no reason why a value is
 * missing. */
static int32_t counter_no_value_write(nvtxwStreamHandle_t stream, int64_t timestamp,
                                      uint64_t counter, uint8_t reason)
{
    struct registration found;
    void *zeros;
    int32_t result;

    if (!stream)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    result = templates_find_counter(&stream->domain->templates, counter, stream->clock,
                                    &found);
    pthread_mutex_unlock(&lock);
    if (result)
        return result;
    if (reason != NVTX_COUNTER_SAMPLE_ZERO || !found.n_bytes)
        return NVTXW_RESULT_NOT_SUPPORTED;
    zeros = calloc(1, found.n_bytes);
    if (!zeros)
        return NVTXW_RESULT_FAILED;
    result = counter_write(stream, timestamp, counter, zeros, found.n_bytes);
    free(zeros);
    return result;
}

/* ---- Clocks ---------------------------------------------------------------------- */

static int32_t sync_point_write(nvtxwStreamHandle_t stream, uint64_t clock1,
                                uint64_t clock2, int64_t time1, int64_t time2)
{
    if (!stream)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    nvtxTimeSyncPoint(stream->domain->templates.domain, clock1, clock2, time1, time2);
    return NVTXW_RESULT_SUCCESS;
}

static int32_t sync_point_table_write(nvtxwStreamHandle_t stream, uint64_t source,
                                      uint64_t destination,
                                      const nvtxSyncPoint_t *points, size_t n)
{
    if (!stream || !points)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    nvtxTimeSyncPointTable(stream->domain->templates.domain, source, destination,
                           points, n);
    return NVTXW_RESULT_SUCCESS;
}

static int32_t conversion_factor_write(nvtxwStreamHandle_t stream, uint64_t source,
                                       uint64_t destination, double slope,
                                       int64_t time_source, int64_t time_destination)
{
    if (!stream)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    nvtxTimestampConversionFactor(stream->domain->templates.domain, source, destination,
                                  slope, time_source, time_destination);
    return NVTXW_RESULT_SUCCESS;
}

/* ---- The interface --------------------------------------------------------------- */

static const nvtxwInterface_t ours = {
    session_begin,
    session_end,
    domain_register,
    category_register,
    string_register,
    resource_register,
    scope_register,
    schema_register,
    enum_register,
    counter_register,
    time_domain_register,
    stream_open,
    stream_close,
    event_write,
    event_batch_write,
    counter_write,
    counter_no_value_write,
    counter_batch_write,
    sync_point_write,
    sync_point_table_write,
    conversion_factor_write,
    {NULL},
};

EXPORT int32_t nvtxwGetInterface(int32_t version, const void **out);
EXPORT void nvtxwFinalize(void);

int32_t nvtxwGetInterface(int32_t version, const void **out)
{
    if (!out)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    *out = version == NVTXW_INTERFACE_VERSION ? &ours : NULL;
    return *out ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
}

/* Does nothing: all events are in the file already. */
void nvtxwFinalize(void)
{
}
