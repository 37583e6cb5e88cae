/* SPDX-License-Identifier: Apache-2.0 */
/* fake_cupti.c - stands in for CUPTI's activities. The program under test records them
 * with fake_cupti.h.
 *
 * FAKE_CUPTI_FAIL      "cuptiSubscribe=39": this function returns this error.
 *                      "cuptiFinalize=39": cuptiSubscribe does, afterwards
 * FAKE_CUPTI_HANG      a forced flush never returns
 *
 * Like the real one, it holds a lock while it asks for a buffer, and hands over full
 * ones on a thread of its own. Built with FAKE_OLD, it lacks what came with CUDA 12.5.
 */
#include "fake_cupti.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

typedef void on_event(void *, int, uint32_t, const void *);
typedef void request_buffer(uint8_t **, size_t *, size_t *);
typedef void complete_buffer(void *, uint32_t, uint8_t *, size_t, size_t);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static request_buffer *request;
static complete_buffer *complete;
static int enabled[64];
static uint8_t calls[3][1201]; /* by domain: enabled one by one */
static int has_whole_graphs;   /* kind 51 was enabled: nodes are never recorded again */
static int n_subscribers;
static int refusal;        /* of all further ones; 0: none */
static on_event *callback; /* the subscriber's */
static void *callback_user;
static uint32_t events[32]; /* of resources, that it asked for */
static uint8_t *buffer;     /* being filled */
static size_t n_valid, n_room, n_dropped;
static int is_busy;
static uint64_t (*their_clock)(void);

/* Full buffers, for the thread that hands them over. */
enum { MOST_FULL = 256 };
static struct full {
    uint8_t *buffer;
    size_t size, n_valid;
} full[MOST_FULL];
static size_t n_full, n_handed_over;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pid_t owner; /* the process that has the thread; 0: none */

/* The sizes of the records in each buffer of late, so that they can be stepped through.
 */
enum { MOST_SIZES = 1 << 20, MOST_SIZED = 256 };
static uint16_t sizes[MOST_SIZES];
static struct {
    const uint8_t *buffer;
    size_t first; /* in `sizes`, before the wrap */
} sized[MOST_SIZED];
static size_t n_sizes, n_sized;

static int fails(const char *function)
{
    const char *text = getenv("FAKE_CUPTI_FAIL");
    const size_t n = strlen(function);

    return text && strncmp(text, function, n) == 0 && text[n] == '='
               ? atoi(text + n + 1)
               : 0;
}

/* --- What the real library has ---------------------------------------------------- */

EXPORTED int cuptiSubscribe(void **subscriber, on_event *call, void *user)
{
    const int result = n_subscribers ? 39 : refusal ? refusal : fails("cuptiSubscribe");

    *subscriber = &n_subscribers;
    if (result)
        return result;
    callback = call;
    callback_user = user;
    n_subscribers++;
    return 0;
}

EXPORTED int cuptiUnsubscribe(void *subscriber)
{
    n_subscribers -= subscriber == &n_subscribers;
    memset(events, 0, sizeof(events));
    return fails("cuptiUnsubscribe");
}

EXPORTED int cuptiEnableCallback(uint32_t is_on, void *subscriber, int domain,
                                 uint32_t cbid)
{
    const int result = fails("cuptiEnableCallback");

    if (!result && n_subscribers && subscriber == &n_subscribers && domain == 3)
        events[cbid % 32] = is_on;
    return result;
}

/* Nodes are where their ids are. */
EXPORTED int cuptiGetGraphNodeId(void *node, uint64_t *id)
{
    errno = EAGAIN;
    *id = *(const uint64_t *)node;
    return fails("cuptiGetGraphNodeId");
}

EXPORTED int cuptiActivityRegisterCallbacks(request_buffer *r, complete_buffer *c)
{
    request = r;
    complete = c;
    return fails("cuptiActivityRegisterCallbacks");
}

EXPORTED int cuptiActivityRegisterTimestampCallback(uint64_t (*now)(void))
{
    their_clock = now;
    return fails("cuptiActivityRegisterTimestampCallback");
}

EXPORTED int cuptiActivityEnable(int kind)
{
    const int result = fails("cuptiActivityEnable");

    enabled[kind] = !result;
    has_whole_graphs |= enabled[51];
    return result;
}

EXPORTED int cuptiActivityDisable(int kind)
{
    enabled[kind] = 0;
    return fails("cuptiActivityDisable");
}

EXPORTED int cuptiActivityFlushAll(uint32_t is_forced)
{
    if (is_forced && getenv("FAKE_CUPTI_HANG"))
        (void)pause();
    if (is_forced || !is_busy)
        fake_cupti_complete();
    return fails("cuptiActivityFlushAll");
}

EXPORTED int cuptiActivityGetNextRecord(uint8_t *from, size_t n, void **record)
{
    static _Thread_local size_t at; /* in `sizes`: of the last record */
    uint8_t *next = *record;

    if (next) {
        next += sizes[at++ % MOST_SIZES];
    } else {
        next = from;
        at = 0;
        for (size_t i = 0; i < n_sized && i < MOST_SIZED; i++) {
            if (sized[i].buffer == from && sized[i].first >= at)
                at = sized[i].first;
        }
    }
    if (next >= from + n)
        return 12;
    *record = next;
    return 0;
}

EXPORTED int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream,
                                               size_t *n)
{
    (void)context;
    (void)stream;
    *n = n_dropped;
    n_dropped = 0;
    return fails("cuptiActivityGetNumDroppedRecords");
}

EXPORTED int cuptiGetResultString(int result, const char **text)
{
    static char name[64];

    (void)snprintf(name, sizeof(name), "CUPTI_ERROR_%d", result);
    *text = name;
    return fails("cuptiGetResultString");
}

EXPORTED int cuptiGetCallbackName(int domain, uint32_t cbid, const char **name)
{
    static const char *const names[3][8] = {
        [1] = {[1] = "cuInit",
               [3] = "cuLaunchKernel",
               [5] = "cuMemcpyHtoD_v2",
               [6] = "cuMemcpyDtoH_v2",
               [7] = "cuGraphLaunch"},
        [2] = {[1] = "cudaMalloc_v3020",
               [2] = "cudaLaunchKernel_v7000",
               [3] = "cudaMemcpyAsync_v3020",
               [4] = "cudaMemsetAsync_v3020",
               [5] = "cudaGraphLaunch_v10000"},
    };

    *name = domain < 3 && cbid < 8 ? names[domain][cbid] : NULL;
    return *name ? fails("cuptiGetCallbackName") : 1;
}

#ifndef FAKE_OLD
EXPORTED int cuptiActivityEnableRuntimeApi(uint32_t cbid, uint8_t is_on)
{
    calls[2][cbid] = is_on;
    return fails("cuptiActivityEnableRuntimeApi");
}

EXPORTED int cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t is_on)
{
    calls[1][cbid] = is_on;
    return fails("cuptiActivityEnableDriverApi");
}
#endif

EXPORTED int cuptiFinalize(void)
{
    request = NULL;
    complete = NULL;
    memset(enabled, 0, sizeof(enabled));
    memset(calls, 0, sizeof(calls));
    memset(events, 0, sizeof(events));
    n_subscribers = 0;
    callback = NULL;
    refusal = fails("cuptiFinalize");
    return 0;
}

/* --- What only this one has ------------------------------------------------------- */

static int is_enabled(const uint8_t *record)
{
    uint32_t kind, cbid;
    uint64_t node = 0;

    memcpy(&kind, record, 4);
    memcpy(&cbid, record + 4, 4);
    if (kind == 10)
        memcpy(&node, record + 144, 8);
    if (node && has_whole_graphs)
        return 0;
    if ((kind == 4 || kind == 5) && cbid <= 1200 && calls[kind - 3][cbid])
        return 1;
    return kind >= 64 || enabled[kind];
}

static void *hand_over(void *argument)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (n_handed_over < n_full) {
            const struct full f = full[n_handed_over % MOST_FULL];

            pthread_mutex_unlock(&lock);
            complete(NULL, 0, f.buffer, f.size, f.n_valid);
            pthread_mutex_lock(&lock);
            n_handed_over++;
            pthread_cond_broadcast(&changed);
        }
        pthread_cond_wait(&changed, &lock);
    }
    return argument;
}

static void start_thread(void)
{
    sigset_t all, before;
    pthread_t thread;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, hand_over, NULL) == 0)
        owner = getpid();
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Waits for room in the list only. A child has no thread: it hands over by itself. */
static void complete_locked(void)
{
    const struct full f = {buffer, n_room, n_valid};

    buffer = NULL;
    n_valid = n_room = 0;
    if (!f.buffer)
        return;
    if (!owner)
        start_thread();
    if (owner != getpid()) {
        complete(NULL, 0, f.buffer, f.size, f.n_valid);
        return;
    }
    while (n_full - n_handed_over == MOST_FULL)
        pthread_cond_wait(&changed, &lock);
    full[n_full++ % MOST_FULL] = f;
    pthread_cond_broadcast(&changed);
}

static int has_room(size_t n_bytes)
{
    size_t most = 0;

    if (buffer && n_valid + n_bytes <= n_room)
        return 1;
    complete_locked();
    request(&buffer, &n_room, &most);
    if (!buffer || n_room < n_bytes) {
        n_dropped++;
        return 0;
    }
    sized[n_sized % MOST_SIZED].buffer = buffer;
    sized[n_sized++ % MOST_SIZED].first = n_sizes;
    return 1;
}

EXPORTED uint64_t fake_cupti_now(void)
{
    struct timespec t;

    if (their_clock)
        return their_clock();
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

EXPORTED void fake_cupti_put(const void *record, size_t n_bytes)
{
    pthread_mutex_lock(&lock);
    if (request && is_enabled(record) && has_room(n_bytes)) {
        memcpy(buffer + n_valid, record, n_bytes);
        sizes[n_sizes++ % MOST_SIZES] = (uint16_t)n_bytes;
        n_valid += n_bytes;
    }
    pthread_mutex_unlock(&lock);
}

EXPORTED void fake_cupti_drop(size_t n)
{
    n_dropped += n;
}

EXPORTED void fake_cupti_keep(void)
{
    is_busy = 1;
}

EXPORTED void fake_cupti_complete(void)
{
    pthread_mutex_lock(&lock);
    complete_locked();
    while (owner == getpid() && n_handed_over < n_full)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

EXPORTED void fake_cupti_node(uint32_t event, uint64_t id, uint64_t original)
{
    const struct {
        const void *graph, *original, *node, *original_node;
        uint64_t type;
        const void *dependency, *executable;
    } graph = {.node = &id, .original_node = &original};
    const struct {
        const void *context, *resource, *graph;
    } data = {.graph = &graph};

    if (events[event % 32])
        callback(callback_user, 3, event, &data);
}

EXPORTED int fake_cupti_is_off(void)
{
    for (size_t i = 0; i < sizeof(enabled) / sizeof(enabled[0]); i++) {
        if (enabled[i])
            return 0;
    }
    return n_subscribers == 0;
}
