/* SPDX-License-Identifier: Apache-2.0 */
/* events.c - what does reading a trace cost, where it is plain and where it is mixed?
 *
 * bench_events KIND EVENTS THREADS records about EVENTS events; bench/run runs it under
 * `rangeline profile` and measures commands that read the trace.
 *
 *   plain   an outer range with four inner ones, and again
 *   mixed   500 names that call each other in any order, up to 300 deep, in two domains
 *           that cross; values, payloads, marks, starts and ends; some are never closed
 */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 16, N_NAMES = 500, DEEP_FOR = 300 };

struct request {
    uint64_t bytes;
    double share;
};

static long n_each; /* events of a thread */
static nvtxDomainHandle_t main_domain, other_domain;
static uint64_t schema;

static void record_plain(unsigned unused)
{
    (void)unused;
    for (long i = 0; i < n_each / 10; i++) {
        nvtxRangePushA("outer");
        for (int k = 0; k < 4; k++) {
            nvtxRangePushA("inner");
            nvtxRangePop();
        }
        nvtxRangePop();
    }
}

static unsigned draw(unsigned *state, unsigned n)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % n;
}

static void push(unsigned *state, nvtxDomainHandle_t domain)
{
    const unsigned name = draw(state, N_NAMES);
    const struct request request = {name, 0.5};
    nvtxPayloadData_t payloads[] = {{schema, sizeof(request), &request}};
    nvtxEventAttributes_t attributes = {0};
    char text[32];

    (void)snprintf(text, sizeof(text), "name %u", name);
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = text;
    if (name % 17 == 0) {
        attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
        attributes.payload.llValue = name;
    } else if (name % 17 == 1 && domain == main_domain) {
        NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE(attributes, payloads);
    }
    nvtxDomainRangePushEx(domain, &attributes);
}

static void record_mixed(unsigned state)
{
    long depth = 0, other_depth = 0;

    for (long i = 0; i < n_each; i++) {
        const unsigned what = draw(&state, 100);

        if (i % 500000 > 1000 && i % 500000 < 1000 + DEEP_FOR) {
            push(&state, main_domain);
            depth++;
        } else if (what < 92) {
            if (what < 46 || !depth)
                push(&state, main_domain);
            else
                nvtxDomainRangePop(main_domain);
            depth += what < 46 || !depth ? 1 : -1;
        } else if (what < 94) {
            nvtxMarkA("mark");
        } else if (what < 96) {
            const nvtxRangeId_t id = nvtxRangeStartA("started");

            if (what == 94)
                nvtxRangeEnd(id);
        } else if (what < 98) {
            push(&state, other_domain);
            other_depth++;
        } else if (other_depth) {
            nvtxDomainRangePop(other_domain);
            other_depth--;
        }
    }
}

static void (*record_kind)(unsigned state);

static void *record(void *number)
{
    record_kind(*(const unsigned *)number * 2654435761u + 1);
    return NULL;
}

int main(int argc, char **argv)
{
    static const nvtxPayloadSchemaEntry_t entries[] = {
        {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "bytes", NULL, 0, 0, NULL, NULL},
        {0, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, "share", NULL, 0, 8, NULL, NULL},
    };
    const char *kind = argc > 1 ? argv[1] : "plain";
    const long n_threads = argc > 3 ? atol(argv[3]) : 1;
    unsigned numbers[MOST_THREADS];
    pthread_t threads[MOST_THREADS];
    nvtxPayloadSchemaAttr_t attributes = {0};

    if (n_threads < 1 || n_threads > MOST_THREADS)
        return 2;
    n_each = (argc > 2 ? atol(argv[2]) : 1000) / n_threads;
    record_kind = strcmp(kind, "mixed") ? record_plain : record_mixed;
    main_domain = nvtxDomainCreateA("main");
    other_domain = nvtxDomainCreateA("other");
    attributes.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    attributes.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    attributes.entries = entries;
    attributes.numEntries = sizeof(entries) / sizeof(entries[0]);
    attributes.payloadStaticSize = sizeof(struct request);
    schema = nvtxPayloadSchemaRegister(main_domain, &attributes);
    for (long i = 0; i < n_threads; i++) {
        numbers[i] = (unsigned)i;
        if (pthread_create(&threads[i], NULL, record, &numbers[i]) != 0)
            return 1;
    }
    for (long i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
