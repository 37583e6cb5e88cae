/* SPDX-License-Identifier: Apache-2.0 */
/* itt_calls.c - ITT's functions, as calls of NVTX.
 *
 *     task                       push, pop
 *     overlapped task, region    start, end: paired by domain and id
 *     event                      start, end: paired by event and thread
 *     marker                     mark
 *     frame                      itt_frames.c
 *     metadata                   itt_metadata.c
 *     counter                    itt_counters.c
 *     lock, allocation           itt_sync.c, itt_heap.c: on request
 *     pause, resume              rln_stop(), rln_start(): of the whole run, as in VTune
 *
 * Signatures are ITT's.
 */
#include "bridge/itt_calls.h"
#include "bridge/itt_counters.h"
#include "bridge/itt_frames.h"
#include "bridge/itt_heap.h"
#include "bridge/itt_metadata.h"
#include "bridge/itt_names.h"
#include "bridge/itt_sync.h"
#include "bridge/open_ranges.h"
#include "bridge/open_tasks.h"
#include "rangeline/control.h"

#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef const struct rln__itt_domain domain_t;
typedef struct rln__itt_string string_t;
typedef struct rln__itt_id id_t_;

static nvtxEventAttributes_t plain(void)
{
    return (nvtxEventAttributes_t){.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};
}

static nvtxEventAttributes_t named(nvtxDomainHandle_t handle, string_t *name)
{
    nvtxEventAttributes_t event = plain();

    if (name) {
        event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        event.message.registered = rln__itt_registered(handle, name);
    }
    return event;
}

static nvtxEventAttributes_t with_text(const char *text)
{
    nvtxEventAttributes_t event = plain();

    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = text;
    return event;
}

/* --- Tasks of a thread ------------------------------------------------------------ */

static void task_begin(domain_t *domain, id_t_ id, id_t_ parent, string_t *name)
{
    nvtxDomainHandle_t handle = rln__itt_handle(domain);
    nvtxEventAttributes_t event;

    (void)parent;
    if (!handle)
        return;
    event = named(handle, name);
    rln__task_begins(handle, &id);
    (void)nvtxDomainRangePushEx(handle, &event);
}

static void task_begin_fn(domain_t *domain, id_t_ id, id_t_ parent, void *function)
{
    nvtxDomainHandle_t handle = rln__itt_handle(domain);
    nvtxEventAttributes_t event;
    char text[32];

    (void)parent;
    if (!handle)
        return;
    (void)snprintf(text, sizeof(text), "%p", function);
    event = with_text(text);
    rln__task_begins(handle, &id);
    (void)nvtxDomainRangePushEx(handle, &event);
}

static void task_end(domain_t *domain)
{
    nvtxDomainHandle_t handle = rln__itt_handle(domain);

    if (handle)
        rln__task_ends(handle);
}

/* --- Tasks and regions that overlap ----------------------------------------------- */

static uint64_t key_of(nvtxDomainHandle_t handle, const id_t_ *id)
{
    uint64_t key = (uint64_t)(uintptr_t)handle;

    for (int i = 0; i < 3; i++)
        key = (key ^ key >> 31) * 0xff51afd7ed558ccdu + id->words[i];
    return key;
}

/* A range for which there is no room ends at once. */
static void start_range(nvtxDomainHandle_t handle, uint64_t key,
                        const nvtxEventAttributes_t *event)
{
    const nvtxRangeId_t range = nvtxDomainRangeStartEx(handle, event);

    if (!range || !rln__open_range_keep(key, range))
        return;
    nvtxDomainRangeEnd(handle, range);
}

static void end_range(nvtxDomainHandle_t handle, uint64_t key)
{
    const nvtxRangeId_t range = rln__open_range_take(key);

    if (range)
        nvtxDomainRangeEnd(handle, range);
}

/* An id that is begun again, before it has ended, is not recorded. */
static void begin_overlapped(domain_t *domain, id_t_ id, id_t_ parent, string_t *name)
{
    nvtxDomainHandle_t handle = rln__itt_handle(domain);
    const uint64_t key = key_of(handle, &id);
    nvtxEventAttributes_t event;

    (void)parent;
    if (!handle || rln__open_range_has(key))
        return;
    event = named(handle, name);
    start_range(handle, key, &event);
}

static void end_overlapped(domain_t *domain, id_t_ id)
{
    nvtxDomainHandle_t handle = rln__itt_handle(domain);

    if (handle)
        end_range(handle, key_of(handle, &id));
}

/* --- Events ----------------------------------------------------------------------- */

enum { MOST_EVENTS = 4096 };

static string_t *event_names[MOST_EVENTS]; /* atomic, as the next; by number - 1 */
static unsigned n_events;

static nvtxDomainHandle_t events_handle(void)
{
    static struct rln__itt_domain events = {.flags = 1, .name = "ITT events"};

    return rln__itt_handle(&events);
}

/* The number of an event is kept in the string of its name. */
static int number_of(string_t *name)
{
    int number = __atomic_load_n(&name->extra1, __ATOMIC_ACQUIRE);
    unsigned at;

    if (number)
        return number;
    at = __atomic_fetch_add(&n_events, 1, __ATOMIC_RELAXED);
    if (at >= MOST_EVENTS)
        return 0;
    __atomic_store_n(&event_names[at], name, __ATOMIC_RELEASE);
    return __atomic_compare_exchange_n(&name->extra1, &number, (int)at + 1, 0,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
               ? (int)at + 1
               : number;
}

/* `length` may count no final 0. */
static int event_create(const char *name, int length)
{
    char text[256];
    const size_t n = length < 0 || (size_t)length >= sizeof(text) ? sizeof(text) - 1
                                                                  : (size_t)length;
    string_t *string;

    if (!name)
        return 0;
    (void)snprintf(text, sizeof(text), "%.*s", (int)n, name);
    string = rln__itt_string(text);
    return string ? number_of(string) : 0;
}

static string_t *name_of_event(int event)
{
    return event > 0 && event <= MOST_EVENTS
               ? __atomic_load_n(&event_names[event - 1], __ATOMIC_ACQUIRE)
               : NULL;
}

static uint64_t key_of_event(int event)
{
    return (uint64_t)(uintptr_t)pthread_self() * 0xff51afd7ed558ccdu + (uint64_t)event;
}

static int event_start(int event)
{
    string_t *name = name_of_event(event);
    nvtxDomainHandle_t handle = name ? events_handle() : NULL;

    if (handle) {
        const nvtxEventAttributes_t attributes = named(handle, name);

        start_range(handle, key_of_event(event), &attributes);
    }
    return 0;
}

static int event_end(int event)
{
    nvtxDomainHandle_t handle = name_of_event(event) ? events_handle() : NULL;

    if (handle)
        end_range(handle, key_of_event(event));
    return 0;
}

/* --- The rest --------------------------------------------------------------------- */

static void marker(domain_t *domain, id_t_ id, string_t *name, int scope)
{
    nvtxDomainHandle_t handle = rln__itt_handle(domain);
    nvtxEventAttributes_t event;

    (void)id;
    (void)scope;
    if (!handle)
        return;
    event = named(handle, name);
    nvtxDomainMarkEx(handle, &event);
}

static void thread_set_name(const char *name)
{
    if (name)
        nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), name);
}

static int thr_name_set(const char *name, int length)
{
    char text[256];

    if (!name)
        return 0;
    (void)snprintf(text, sizeof(text), "%.*s", length < 0 ? 255 : length, name);
    thread_set_name(text);
    return 0;
}

static void pause_(void)
{
    (void)rln_stop();
}

static void resume_(void)
{
    (void)rln_start();
}

enum { HOST_SCOPE = 1 }; /* the other one is offloaded work */

static void pause_scoped(int scope)
{
    if (scope == HOST_SCOPE)
        pause_();
}

static void resume_scoped(int scope)
{
    if (scope == HOST_SCOPE)
        resume_();
}

/* --- The table -------------------------------------------------------------------- */

typedef void any_function(void);

#define CALL(name, function)                                                           \
    {                                                                                  \
        "__itt_" name, (any_function *)(function)                                      \
    }

struct call {
    const char *name;
    any_function *function;
};

static const struct call calls[] = {
    CALL("domain_create", rln__itt_domain),
    CALL("string_handle_create", rln__itt_string),
    CALL("task_begin", task_begin),
    CALL("task_begin_fn", task_begin_fn),
    CALL("task_end", task_end),
    CALL("task_begin_overlapped", begin_overlapped),
    CALL("task_end_overlapped", end_overlapped),
    CALL("region_begin", begin_overlapped),
    CALL("region_end", end_overlapped),
    CALL("event_create", event_create),
    CALL("event_start", event_start),
    CALL("event_end", event_end),
    CALL("marker", marker),
    CALL("frame_begin_v3", rln__itt_frame_begin),
    CALL("frame_end_v3", rln__itt_frame_end),
    CALL("frame_submit_v3", rln__itt_frame_submit),
    CALL("get_timestamp", rln__itt_timestamp),
    CALL("metadata_add", rln__itt_metadata_add),
    CALL("metadata_add_with_scope", rln__itt_metadata_add_with_scope),
    CALL("metadata_str_add", rln__itt_metadata_str_add),
    CALL("metadata_str_add_with_scope", rln__itt_metadata_str_add_with_scope),
    CALL("formatted_metadata_add", rln__itt_formatted_metadata_add),
    CALL("formatted_metadata_add_overlapped",
         rln__itt_formatted_metadata_add_overlapped),
    CALL("counter_create", rln__itt_counter_create),
    CALL("counter_create_typed", rln__itt_counter_create_typed),
    CALL("counter_create_v3", rln__itt_counter_create_v3),
    CALL("counter_inc", rln__itt_counter_inc),
    CALL("counter_inc_delta", rln__itt_counter_inc_delta),
    CALL("counter_dec", rln__itt_counter_dec),
    CALL("counter_dec_delta", rln__itt_counter_dec_delta),
    CALL("counter_set_value", rln__itt_counter_set_value),
    CALL("counter_set_value_v3", rln__itt_counter_set_value),
    CALL("counter_inc_v3", rln__itt_counter_inc_v3),
    CALL("counter_inc_delta_v3", rln__itt_counter_inc_delta_v3),
    CALL("counter_dec_v3", rln__itt_counter_dec_v3),
    CALL("counter_dec_delta_v3", rln__itt_counter_dec_delta_v3),
    CALL("bind_context_metadata_to_counter", rln__itt_bind_to_counter),
    CALL("thread_set_name", thread_set_name),
    CALL("thr_name_set", thr_name_set),
    CALL("pause", pause_),
    CALL("resume", resume_),
    CALL("pause_scoped", pause_scoped),
    CALL("resume_scoped", resume_scoped),
    CALL("detach", pause_),
};

/* The client's name of a call has one function, whichever group it is in: fsync_prepare
 * is sync_prepare. */
static const struct call sync_calls[] = {
    CALL("sync_create", rln__itt_sync_create),
    CALL("sync_set_name", rln__itt_sync_create),
    CALL("sync_rename", rln__itt_sync_rename),
    CALL("sync_destroy", rln__itt_sync_destroy),
    CALL("sync_prepare", rln__itt_sync_prepare),
    CALL("sync_cancel", rln__itt_sync_cancel),
    CALL("sync_acquired", rln__itt_sync_acquired),
    CALL("sync_releasing", rln__itt_sync_releasing),
};

static const struct call heap_calls[] = {
    CALL("heap_function_create", rln__itt_heap_create),
    CALL("heap_allocate_end", rln__itt_heap_allocate_end),
    CALL("heap_free_begin", rln__itt_heap_free_begin),
    CALL("heap_reallocate_begin", rln__itt_heap_reallocate_begin),
    CALL("heap_reallocate_end", rln__itt_heap_reallocate_end),
};

static any_function *find(const struct call *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].function;
    return NULL;
}

#define FIND(table, name) find(table, sizeof(table) / sizeof((table)[0]), name)

void *rln__itt_call(const char *name, int requested)
{
    union {
        any_function *function;
        void *pointer;
    } call = {FIND(calls, name)};

    if (!call.function && requested & RLN__ITT_SYNC)
        call.function = FIND(sync_calls, name);
    if (!call.function && requested & RLN__ITT_HEAP)
        call.function = FIND(heap_calls, name);
    return call.pointer;
}
