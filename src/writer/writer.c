/* SPDX-License-Identifier: Apache-2.0 */
/* writer.c - the NVTXW backend: nvtxwGetInterface(), sessions, domains and streams.
 *
 *     session -> domain: NVTX's domain, and templates of schemas and counters
 *             -> stream: a domain, a scope of its own, a clock
 *
 * A process writes one trace: that of the collector linked into this library or, if the
 * process is being recorded anyway, that of the recording. The end of a session only
 * frees its memory: all events are in the file already.
 *
 * One lock protects all sessions. Programs that import logs do not contend for it.
 */
#include "writer/templates.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_PAYLOADS 16 /* of one event */

struct domain {
    struct templates templates;
    uint64_t scope_schema; /* of a payload that holds the scope; 0: not registered */
    uint64_t relative;     /* clock of streams that name none; 0: not registered */
    struct nvtxw_session *session;
    struct domain *next;
};

struct nvtxw_session {
    struct domain *domains; /* owned */
    int64_t begin;          /* from nvtxTimestampGet() */
};

struct nvtxw_stream {
    struct domain *domain;
    uint64_t given_scope; /* the id that the program passed */
    uint64_t scope;       /* of only this stream */
    uint64_t clock;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int32_t unlocked(int32_t result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- Sessions -------------------------------------------------------------------- */

/* The value of `key` among lines `key=value`: a copy that the caller frees, or NULL. */
static char *option(const char *config, const char *key)
{
    const size_t n = strlen(key);

    while (config && *config) {
        const size_t length = strcspn(config, "\n");

        if (length > n && !strncmp(config, key, n) && config[n] == '=')
            return strndup(config + n + 1, length - n - 1);
        config += length;
        config += *config == '\n';
    }
    return NULL;
}

/* The session's name as a file name in the working directory; or NULL. */
static char *file_of(const char *name)
{
    char *const path = name ? malloc(2 * strlen(name) + 1) : NULL;
    char *to = path;

    for (; path && *name; name++) {
        *to++ = *name == '/' ? '_' : *name;
        if (*name == '%') /* which the collector would expand, as in %p */
            *to++ = '%';
    }
    if (path)
        *to = '\0';
    return path;
}

/* Makes the collector in this library open its file, once per process. The path is
 * passed in the environment, which is then restored. */
static void attach(const struct nvtxw_session_attributes *attributes)
{
    const char *const set = getenv("RANGELINE_OUTPUT");
    char *const before = set ? strdup(set) : NULL;
    char *path = option(attributes->config, "output");

    if (!path && !before)
        path = file_of(attributes->name);
    if (path && *path)
        setenv("RANGELINE_OUTPUT", path, 1);
    nvtxInitialize(NULL);
    if (path && before)
        setenv("RANGELINE_OUTPUT", before, 1);
    else if (path)
        unsetenv("RANGELINE_OUTPUT");
    free(path);
    free(before);
}

static int32_t session_begin(const struct nvtxw_session_attributes *attributes,
                             nvtxw_session *out)
{
    struct nvtxw_session *session;

    *out = NULL;
    pthread_mutex_lock(&lock);
    attach(attributes);
    if (!nvtxDomainIsEnabled(NULL))
        return unlocked(NVTXW_FAILED); /* the collector could not open a file */
    session = calloc(1, sizeof(*session));
    if (!session)
        return unlocked(NVTXW_FAILED);
    session->begin = nvtxTimestampGet();
    *out = session;
    return unlocked(NVTXW_SUCCESS);
}

static int32_t session_end(nvtxw_session session)
{
    pthread_mutex_lock(&lock);
    while (session->domains) {
        struct domain *const domain = session->domains;

        session->domains = domain->next;
        templates_free(&domain->templates);
        free(domain);
    }
    free(session);
    return unlocked(NVTXW_SUCCESS);
}

/* ---- Domains, and registrations that NVTX takes unchanged ------------------------ */

static int32_t domain_register(nvtxw_session session,
                               const struct nvtxw_domain_attributes *attributes,
                               nvtxDomainHandle_t *out)
{
    struct domain *const domain = calloc(1, sizeof(*domain));
    const int is_named = attributes->name && *attributes->name;

    *out = NULL;
    if (!domain)
        return NVTXW_FAILED;
    pthread_mutex_lock(&lock);
    if (is_named)
        domain->templates.domain = nvtxDomainCreateA(attributes->name);
    if (is_named && !domain->templates.domain) { /* NULL would be the default domain */
        free(domain);
        return unlocked(NVTXW_FAILED);
    }
    domain->session = session;
    domain->next = session->domains;
    session->domains = domain;
    *out = (nvtxDomainHandle_t)domain;
    return unlocked(NVTXW_SUCCESS);
}

/* Programs hold a struct domain in place of NVTX's handle; returns NVTX's. */
static nvtxDomainHandle_t nvtx_of(nvtxDomainHandle_t domain)
{
    return ((const struct domain *)domain)->templates.domain;
}

static int32_t category_register(nvtxDomainHandle_t domain, uint32_t category,
                                 const char *name)
{
    nvtxDomainNameCategoryA(nvtx_of(domain), category, name);
    return NVTXW_SUCCESS;
}

static int32_t string_register(nvtxDomainHandle_t domain, const char *string,
                               nvtxStringHandle_t *out)
{
    *out = nvtxDomainRegisterStringA(nvtx_of(domain), string);
    return *out ? NVTXW_SUCCESS : NVTXW_FAILED;
}

static int32_t resource_register(nvtxDomainHandle_t domain,
                                 const nvtxResourceAttributes_t *attributes)
{
    nvtxResourceAttributes_t given = *attributes;

    return nvtxDomainResourceCreate(nvtx_of(domain), &given) ? NVTXW_SUCCESS
                                                             : NVTXW_FAILED;
}

static int32_t scope_register(nvtxDomainHandle_t domain,
                              const nvtxScopeAttr_t *attributes, uint64_t *out)
{
    *out = nvtxScopeRegister(nvtx_of(domain), attributes);
    return *out ? NVTXW_SUCCESS : NVTXW_FAILED;
}

static int32_t schema_register(nvtxDomainHandle_t domain,
                               const nvtxPayloadSchemaAttr_t *attributes, uint64_t *out)
{
    *out = 0;
    pthread_mutex_lock(&lock);
    return unlocked(
        templates_add_schema(&((struct domain *)domain)->templates, attributes, out));
}

static int32_t enum_register(nvtxDomainHandle_t domain,
                             const nvtxPayloadEnumAttr_t *attributes, uint64_t *out)
{
    *out = nvtxPayloadEnumRegister(nvtx_of(domain), attributes);
    return *out ? NVTXW_SUCCESS : NVTXW_FAILED;
}

static int32_t counter_register(nvtxDomainHandle_t domain,
                                const nvtxCounterAttr_t *attributes, uint64_t *out)
{
    *out = 0;
    pthread_mutex_lock(&lock);
    return unlocked(
        templates_add_counter(&((struct domain *)domain)->templates, attributes, out));
}

static int32_t time_domain_register(nvtxDomainHandle_t domain,
                                    const nvtxTimeDomainAttr_t *attributes,
                                    uint64_t *out)
{
    *out = nvtxTimeDomainRegister(nvtx_of(domain), attributes);
    return *out ? NVTXW_SUCCESS : NVTXW_FAILED;
}

/* ---- Streams --------------------------------------------------------------------- */

/* Only ranges of the same stream nest. So each stream has a scope of its own, a node
 * with the stream's name below the given scope. */
static uint64_t scope_of(nvtxDomainHandle_t domain,
                         const struct nvtxw_stream_attributes *attributes)
{
    char *const path =
        attributes->name ? malloc(2 * strlen(attributes->name) + 1) : NULL;
    nvtxScopeAttr_t scope = {
        .structSize = sizeof(scope),
        .path = path,
        .parentScope = attributes->scope ? attributes->scope : NVTX_SCOPE_ROOT,
    };
    char *to = path;
    uint64_t id;

    if (!path)
        return attributes->scope;
    for (const char *from = attributes->name; *from; from++) {
        if (strchr("/[]\\", *from))
            *to++ = '\\';
        *to++ = *from;
    }
    *to = '\0';
    id = nvtxScopeRegister(domain, &scope);
    free(path);
    return id ? id : attributes->scope;
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

static int32_t stream_open(nvtxw_session session,
                           const struct nvtxw_stream_attributes *attributes,
                           nvtxw_stream *out)
{
    struct domain *const domain = (struct domain *)attributes->domain;
    struct nvtxw_stream *const stream = calloc(1, sizeof(*stream));

    (void)session;
    *out = NULL;
    if (!stream || !domain) {
        free(stream);
        return domain ? NVTXW_FAILED : NVTXW_INVALID_ARGUMENT;
    }
    pthread_mutex_lock(&lock);
    stream->domain = domain;
    stream->given_scope = attributes->scope;
    stream->scope = scope_of(domain->templates.domain, attributes);
    stream->clock =
        attributes->time_domain ? attributes->time_domain : relative_clock(domain);
    *out = stream;
    return unlocked(NVTXW_SUCCESS);
}

static int32_t stream_close(nvtxw_stream stream)
{
    free(stream);
    return NVTXW_SUCCESS;
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

static int32_t event_write(nvtxw_stream stream, const nvtxPayloadData_t *payloads,
                           size_t n)
{
    struct domain *const domain = stream->domain;
    nvtxPayloadData_t all[MAX_PAYLOADS + 1];

    if (n > MAX_PAYLOADS)
        return NVTXW_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < n; i++) {
        all[i] = payloads[i];
        all[i].schemaId =
            templates_resolve(&domain->templates, payloads[i].schemaId, stream->clock);
    }
    if (stream->scope)
        all[n++] = (nvtxPayloadData_t){scope_schema(domain), sizeof(stream->scope),
                                       &stream->scope};
    nvtxEventSubmit(domain->templates.domain, all, n);
    return unlocked(NVTXW_SUCCESS);
}

static int32_t event_batch_write(nvtxw_stream stream, const nvtxEventBatch_t *events)
{
    nvtxEventBatch_t batch = *events;

    pthread_mutex_lock(&lock);
    batch.eventSchemaId = templates_resolve(&stream->domain->templates,
                                            batch.eventSchemaId, stream->clock);
    if (!batch.scope || batch.scope == stream->given_scope)
        batch.scope = stream->scope;
    nvtxEventBatchSubmit(stream->domain->templates.domain, &batch);
    return unlocked(NVTXW_SUCCESS);
}

/* ---- Counters -------------------------------------------------------------------- */

static int32_t counter_batch_write(nvtxw_stream stream,
                                   const nvtxCounterBatch_t *samples)
{
    nvtxCounterBatch_t batch = *samples;

    pthread_mutex_lock(&lock);
    batch.counterId =
        templates_resolve(&stream->domain->templates, batch.counterId, stream->clock);
    nvtxCounterBatchSubmit(stream->domain->templates.domain, &batch);
    return unlocked(NVTXW_SUCCESS);
}

static int32_t counter_write(nvtxw_stream stream, int64_t timestamp, uint64_t counter,
                             const void *data, size_t size)
{
    const nvtxCounterBatch_t one = {
        .counterId = counter,
        .counters = data,
        .countersSize = size,
        .timestamps = &timestamp,
        .timestampsSize = sizeof(timestamp),
    };

    return counter_batch_write(stream, &one);
}

/* Batches hold only values. So a zero can be written, but no reason why a value is
 * missing. */
static int32_t counter_no_value_write(nvtxw_stream stream, int64_t timestamp,
                                      uint64_t counter, uint8_t reason)
{
    const struct template *found;
    size_t size;
    void *zeros;
    int32_t result;

    pthread_mutex_lock(&lock);
    found = templates_counter(&stream->domain->templates, counter);
    size = found ? found->sample_size : 0;
    pthread_mutex_unlock(&lock);
    if (reason != NVTX_COUNTER_SAMPLE_ZERO || !size)
        return NVTXW_NOT_SUPPORTED;
    zeros = calloc(1, size);
    if (!zeros)
        return NVTXW_FAILED;
    result = counter_write(stream, timestamp, counter, zeros, size);
    free(zeros);
    return result;
}

/* ---- Clocks ---------------------------------------------------------------------- */

static int32_t sync_point_write(nvtxw_stream stream, uint64_t clock1, uint64_t clock2,
                                int64_t time1, int64_t time2)
{
    nvtxTimeSyncPoint(stream->domain->templates.domain, clock1, clock2, time1, time2);
    return NVTXW_SUCCESS;
}

static int32_t sync_point_table_write(nvtxw_stream stream, uint64_t source,
                                      uint64_t destination,
                                      const nvtxSyncPoint_t *points, size_t n)
{
    nvtxTimeSyncPointTable(stream->domain->templates.domain, source, destination,
                           points, n);
    return NVTXW_SUCCESS;
}

static int32_t conversion_factor_write(nvtxw_stream stream, uint64_t source,
                                       uint64_t destination, double slope,
                                       int64_t time_source, int64_t time_destination)
{
    nvtxTimestampConversionFactor(stream->domain->templates.domain, source, destination,
                                  slope, time_source, time_destination);
    return NVTXW_SUCCESS;
}

/* ---- The interface --------------------------------------------------------------- */

static const struct nvtxw_interface ours = {
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
    *out = version == NVTXW_INTERFACE_VERSION ? &ours : NULL;
    return *out ? NVTXW_SUCCESS : NVTXW_VERSION_NOT_SUPPORTED;
}

/* Does nothing: all events are in the file already. */
void nvtxwFinalize(void)
{
}
