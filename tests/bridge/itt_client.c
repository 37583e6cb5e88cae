/* SPDX-License-Identifier: Apache-2.0 */
/* itt_client.c - a program with ITT in it, twice, as in two libraries: makes the calls
 * that its arguments name. Without a collector, none of them does anything.
 *
 * Like ITT's own code it makes the first domain and the first string itself, before it
 * looks for a collector, and keeps using them.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/itt_layout.h"
#include "nvtx3/nvToolsExt.h"

typedef struct rln__itt_domain domain;
typedef struct rln__itt_string string;
typedef struct rln__itt_id id;
typedef struct rln__itt_counter counter;
typedef struct rln__itt_context context;

static struct client {
    domain *(*domain_create)(const char *);
    string *(*string_create)(const char *);
    void (*task_begin)(const domain *, id, id, string *);
    void (*task_begin_fn)(const domain *, id, id, void *);
    void (*task_end)(const domain *);
    void (*begin_overlapped)(const domain *, id, id, string *);
    void (*end_overlapped)(const domain *, id);
    void (*region_begin)(const domain *, id, id, string *);
    void (*region_end)(const domain *, id);
    int (*event_create)(const char *, int);
    int (*event_start)(int);
    int (*event_end)(int);
    void (*marker)(const domain *, id, string *, int);
    void (*frame_begin)(const domain *, id *);
    void (*frame_end)(const domain *, id *);
    void (*frame_submit)(const domain *, id *, uint64_t, uint64_t);
    uint64_t (*get_timestamp)(void);
    void (*thread_set_name)(const char *);
    void (*pause)(void);
    void (*resume)(void);
    void (*metadata_add)(const domain *, id, string *, int, size_t, const void *);
    void (*metadata_str_add)(const domain *, id, string *, const char *, size_t);
    void (*add_with_scope)(const domain *, int, string *, int, size_t, const void *);
    void (*str_add_with_scope)(const domain *, int, string *, const char *, size_t);
    void (*formatted_add)(const domain *, string *, ...);
    void (*formatted_overlapped)(const domain *, id, string *, ...);
    counter *(*counter_create)(const char *, const char *);
    counter *(*counter_create_typed)(const char *, const char *, int);
    counter *(*counter_create_v3)(const domain *, const char *, int);
    void (*counter_inc)(counter *);
    void (*counter_inc_delta)(counter *, unsigned long long);
    void (*counter_dec)(counter *);
    void (*counter_dec_delta)(counter *, unsigned long long);
    void (*counter_set_value)(counter *, const void *);
    void (*inc_v3)(const domain *, const string *);
    void (*inc_delta_v3)(const domain *, const string *, unsigned long long);
    void (*dec_v3)(const domain *, const string *);
    void (*dec_delta_v3)(const domain *, const string *, unsigned long long);
    void (*bind_to_counter)(counter *, size_t, const context *);
    void (*sync_create)(void *, const char *, const char *, int);
    void (*sync_rename)(void *, const char *);
    void (*sync_destroy)(void *);
    void (*sync_prepare)(void *);
    void (*sync_cancel)(void *);
    void (*sync_acquired)(void *);
    void (*sync_releasing)(void *);
    void *(*heap_create)(const char *, const char *);
    void (*allocate_end)(void *, void **, size_t, int);
    void (*free_begin)(void *, void *);
    void (*reallocate_begin)(void *, void *, size_t, int);
    void (*reallocate_end)(void *, void *, void **, size_t, int);
    void (*unheard_of)(void);
    struct rln__itt_function functions[64];
    struct rln__itt_global global;
    domain first_domain;
    string first_string;
    counter first_counter;
} clients[2];

static void nothing(void)
{
}

#define SLOT(name, member)                                                             \
    {                                                                                  \
        "__itt_" name, (void **)(void *)&c->member, NULL, NULL, 0                      \
    }

static void begin(struct client *c)
{
    const char *path = getenv("INTEL_LIBITTNOTIFY64");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    union {
        void *symbol;
        void (*call)(struct rln__itt_global *, int);
    } init = {library ? dlsym(library, "__itt_api_init") : NULL};
    const struct rln__itt_function functions[] = {
        SLOT("domain_create", domain_create),
        SLOT("string_handle_create", string_create),
        SLOT("task_begin", task_begin),
        SLOT("task_begin_fn", task_begin_fn),
        SLOT("task_end", task_end),
        SLOT("task_begin_overlapped", begin_overlapped),
        SLOT("task_end_overlapped", end_overlapped),
        SLOT("region_begin", region_begin),
        SLOT("region_end", region_end),
        SLOT("event_create", event_create),
        SLOT("event_start", event_start),
        SLOT("event_end", event_end),
        SLOT("marker", marker),
        SLOT("frame_begin_v3", frame_begin),
        SLOT("frame_end_v3", frame_end),
        SLOT("frame_submit_v3", frame_submit),
        SLOT("get_timestamp", get_timestamp),
        SLOT("thread_set_name", thread_set_name),
        SLOT("pause", pause),
        SLOT("resume", resume),
        SLOT("metadata_add", metadata_add),
        SLOT("metadata_str_add", metadata_str_add),
        SLOT("metadata_add_with_scope", add_with_scope),
        SLOT("metadata_str_add_with_scope", str_add_with_scope),
        SLOT("formatted_metadata_add", formatted_add),
        SLOT("formatted_metadata_add_overlapped", formatted_overlapped),
        SLOT("counter_create", counter_create),
        SLOT("counter_create_typed", counter_create_typed),
        SLOT("counter_create_v3", counter_create_v3),
        SLOT("counter_inc", counter_inc),
        SLOT("counter_inc_delta", counter_inc_delta),
        SLOT("counter_dec", counter_dec),
        SLOT("counter_dec_delta", counter_dec_delta),
        SLOT("counter_set_value", counter_set_value),
        SLOT("counter_inc_v3", inc_v3),
        SLOT("counter_inc_delta_v3", inc_delta_v3),
        SLOT("counter_dec_v3", dec_v3),
        SLOT("counter_dec_delta_v3", dec_delta_v3),
        SLOT("bind_context_metadata_to_counter", bind_to_counter),
        SLOT("sync_create", sync_create),
        SLOT("sync_rename", sync_rename),
        SLOT("sync_destroy", sync_destroy),
        SLOT("sync_prepare", sync_prepare),
        SLOT("sync_cancel", sync_cancel),
        SLOT("sync_acquired", sync_acquired),
        SLOT("sync_releasing", sync_releasing),
        SLOT("heap_function_create", heap_create),
        SLOT("heap_allocate_end", allocate_end),
        SLOT("heap_free_begin", free_begin),
        SLOT("heap_reallocate_begin", reallocate_begin),
        SLOT("heap_reallocate_end", reallocate_end),
        SLOT("unheard_of", unheard_of),
        {NULL, NULL, NULL, NULL, 0},
    };
    union {
        void (*function)(void);
        void *pointer;
    } none = {nothing};

    _Static_assert(sizeof(functions) <= sizeof(c->functions), "room for all");
    memcpy(c->functions, functions, sizeof(functions));
    c->functions[sizeof(functions) / sizeof(functions[0]) - 2].none = none.pointer;
    c->first_domain = (domain){.flags = 1, .name = "early"};
    c->first_string = (string){.text = "step"};
    c->first_counter = (counter){.name = "first",
                                 .domain = "early",
                                 .type = 2,
                                 .extra1 = 12345, /* as malloc() left it */
                                 .extra2 = c};
    c->global = (struct rln__itt_global){
        .magic = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30},
        .major = 3,
        .functions = c->functions,
        .domains = &c->first_domain,
        .strings = &c->first_string};
    if (init.symbol)
        init.call(&c->global, -1);
    else if (path)
        (void)fprintf(stderr, "%s\n", dlerror());
}

static const id no_id = {{0, 0, 0}};

static void tasks(struct client *c)
{
    domain *own = c->domain_create("own");

    if (own != c->domain_create("own") ||
        c->string_create("load") != c->string_create("load"))
        (void)puts("a name has two handles");
    c->task_begin(&c->first_domain, no_id, no_id, &c->first_string);
    c->task_begin(own, no_id, no_id, c->string_create("load"));
    c->task_end(own);
    c->marker(&c->first_domain, no_id, c->string_create("here"), 1);
    c->task_end(&c->first_domain);
    c->task_begin_fn(own, no_id, no_id, (void *)0x1234);
    c->task_end(own);
    c->task_begin(NULL, no_id, no_id, NULL);
    c->task_end(NULL);
}

static void *end_on_another_thread(void *client)
{
    struct client *c = client;

    c->end_overlapped(&c->first_domain, (id){{7, 0, 0}});
    return NULL;
}

static void overlapped(struct client *c)
{
    string *name = c->string_create("request");
    pthread_t thread;

    c->begin_overlapped(&c->first_domain, (id){{7, 0, 0}}, no_id, name);
    c->begin_overlapped(&c->first_domain, (id){{8, 0, 0}}, no_id, name);
    c->begin_overlapped(&c->first_domain, (id){{8, 0, 0}}, no_id, name); /* again */
    c->region_begin(&c->first_domain, (id){{7, 1, 0}}, no_id,
                    c->string_create("region"));
    if (!pthread_create(&thread, NULL, end_on_another_thread, c))
        (void)pthread_join(thread, NULL);
    c->end_overlapped(&c->first_domain, (id){{8, 0, 0}});
    c->end_overlapped(&c->first_domain, (id){{8, 0, 0}});
    c->region_end(&c->first_domain, (id){{7, 1, 0}});
}

/* More than there is room for: 200,000 are open at once. */
static void many(struct client *c)
{
    string *name = c->string_create("many");

    for (uint64_t i = 1; i <= 200000; i++)
        c->begin_overlapped(&c->first_domain, (id){{i, 1, 1}}, no_id, name);
    for (uint64_t i = 1; i <= 200000; i++)
        c->end_overlapped(&c->first_domain, (id){{i, 1, 1}});
}

static void events(struct client *c)
{
    const int outer = c->event_create("outer event", 5);
    const int inner = c->event_create("inner", 5);

    if (outer != c->event_create("outer", 5))
        (void)puts("a name has two events");
    (void)c->event_start(outer);
    (void)c->event_start(inner);
    (void)c->event_start(outer);
    (void)c->event_end(outer);
    (void)c->event_end(inner);
    (void)c->event_end(outer);
    (void)c->event_end(outer);
    (void)c->event_start(99);
    (void)c->event_end(0);
}

static void frames(struct client *c)
{
    const uint64_t before = c->get_timestamp();
    domain *region = c->domain_create("region 1");
    id one = {{1, 2, 3}};

    c->frame_begin(region, NULL);
    c->frame_begin(&c->first_domain, &one);
    c->frame_end(region, NULL);
    c->frame_end(&c->first_domain, &one);
    c->frame_end(&c->first_domain, &one);
    c->frame_submit(region, NULL, before, c->get_timestamp());
    c->frame_submit(region, NULL, before, UINT64_MAX);
}

enum { U64 = 1, S32 = 4, U16 = 5, FLOAT = 7, DOUBLE = 8 };

static void add(struct client *c, const domain *d, const char *key, uint64_t value)
{
    c->metadata_add(d, no_id, c->string_create(key), U64, 1, &value);
}

/* What is added to tasks, in several orders. */
static void metadata(struct client *c)
{
    static const double loss[] = {0.5, 0.25, 0.125};
    static const int32_t least = -3;
    static const uint16_t shape[] = {2, 3};
    domain *d = c->domain_create("own"), *other = c->domain_create("other");
    string *outer = c->string_create("outer"), *inner = c->string_create("inner");
    const id one = {{1, 2, 3}}, two = {{4, 5, 6}};

    c->task_begin(d, one, no_id, outer);
    c->metadata_add(d, no_id, c->string_create("least"), S32, 1, &least);
    c->metadata_add(d, one, c->string_create("loss"), DOUBLE, 3, loss);
    c->metadata_add(d, two, c->string_create("another's"), U16, 2, shape);
    c->task_begin(d, two, no_id, inner);
    c->metadata_str_add(d, no_id, c->string_create("name"), "conv2d", SIZE_MAX);
    c->metadata_str_add(d, two, c->string_create("part"), "conv2d", 4);
    c->task_end(d);
    c->task_begin(d, no_id, no_id, inner);
    c->task_end(d);
    c->add_with_scope(d, 4, c->string_create("of the task"), U16, 2, shape);
    c->str_add_with_scope(d, 2, c->string_create("of a track"), "all", SIZE_MAX);
    c->task_end(d);

    c->task_begin(d, no_id, no_id, outer);
    add(c, d, "outer", 1);
    c->task_begin(other, no_id, no_id, inner);
    add(c, other, "inner", 2);
    add(c, d, "outer", 3);
    c->task_end(d);
    c->task_end(other);

    add(c, d, "without a task", 4);
    c->formatted_add(d, c->string_create("%s: %d"), "batch", 5);
    c->formatted_overlapped(d, one, c->string_create("%.1f of %ls"), 1.5, L"two");
    c->task_begin(d, no_id, no_id, outer);
    c->formatted_add(d, c->string_create("%s: %d"), "batch", 6);
    c->metadata_add(d, no_id, c->string_create("nothing"), U64, 0, loss);
    c->metadata_add(d, no_id, c->string_create("nothing"), 9, 1, loss);
    c->metadata_add(d, no_id, NULL, U64, 1, loss);
    c->metadata_add(NULL, no_id, outer, U64, 1, loss);
    c->task_end(d);
    c->task_end(d);
    add(c, d, "after a task", 7);
}

static void *pending(void *client)
{
    struct client *c = client;
    domain *d = c->domain_create("own");

    c->task_begin(d, no_id, no_id, c->string_create("open at the end"));
    add(c, d, "lost", 1);
    return NULL;
}

/* More than there is room for: in a task, in a value, in all threads. */
static void much_metadata(struct client *c)
{
    enum { LENGTH = 10000 };
    static uint64_t numbers[LENGTH];
    static char text[LENGTH + 1];
    domain *d = c->domain_create("own");

    memset(text, 'x', LENGTH);
    c->task_begin(d, no_id, no_id, c->string_create("task"));
    for (uint64_t i = 0; i < 100; i++)
        add(c, d, "i", i);
    c->task_end(d);
    c->task_begin(d, no_id, no_id, c->string_create("task"));
    c->metadata_add(d, no_id, c->string_create("numbers"), U64, LENGTH, numbers);
    c->metadata_str_add(d, no_id, c->string_create("text"), text, SIZE_MAX);
    c->task_end(d);
    c->formatted_add(d, c->string_create("%s"), text);
    for (int i = 0; i < 600; i++) {
        pthread_t thread;

        if (!pthread_create(&thread, NULL, pending, c))
            (void)pthread_join(thread, NULL);
    }
    c->task_begin(d, no_id, no_id, c->string_create("task"));
    add(c, d, "at once", 1);
    c->task_end(d);
}

static void counters(struct client *c)
{
    static const double half = 0.5;
    static const float quarter = 0.25f;
    static const int64_t minus = -2;
    static const uint64_t most = UINT64_MAX, limit = 100;
    static const uint16_t u16 = 7;
    counter *queue = c->counter_create("queue", "own");
    counter *load = c->counter_create_typed("load", "own", DOUBLE);
    counter *heat = c->counter_create_v3(&c->first_domain, "heat", FLOAT);
    counter *small = c->counter_create_typed("small", NULL, U16);
    string *hits = c->string_create("hits");
    const context contexts[] = {{1, (void *)(uintptr_t) "waiting"},
                                {5, (void *)(uintptr_t) "requests"},
                                {10, (void *)(uintptr_t)&limit},
                                {99, NULL}};

    if (queue != c->counter_create_typed("queue", "own", U64) ||
        queue == c->counter_create_typed("queue", "own", S32))
        (void)puts("wrong counter");
    c->bind_to_counter(queue, 4, contexts);
    c->counter_inc(queue);
    c->counter_inc_delta(queue, 9);
    c->counter_dec(queue);
    c->counter_dec_delta(queue, 4);
    c->counter_set_value(queue, &most);
    c->counter_dec(queue);
    c->counter_set_value(load, &half);
    c->counter_inc(load); /* not defined */
    c->counter_set_value(heat, &quarter);
    c->counter_set_value(small, &u16);
    c->counter_inc(small);
    c->counter_set_value(&c->first_counter, &minus);
    c->counter_inc(&c->first_counter);
    c->inc_v3(&c->first_domain, hits);
    c->inc_delta_v3(&c->first_domain, hits, 10);
    c->dec_v3(&c->first_domain, hits);
    c->dec_delta_v3(&c->first_domain, hits, 5);
    c->counter_inc(NULL);
    c->counter_set_value(queue, NULL);
    if (c->counter_create(NULL, "own"))
        (void)puts("a counter without a name");
}

/* Of the client, an address of its own for each lock. */
static void locks(struct client *c)
{
    char *address = (char *)c;

    if (!c->sync_create) {
        (void)puts("no locks");
        return;
    }
    c->sync_create(address, "queue", "jobs", 2);
    c->sync_prepare(address);
    c->sync_acquired(address);
    c->sync_releasing(address);
    c->sync_prepare(address);
    c->sync_cancel(address);
    c->sync_create(address + 1, "barrier", NULL, 1);
    c->sync_acquired(address + 1); /* alone, as many clients call it */
    c->sync_acquired(address + 2); /* of no object */
    c->sync_releasing(address + 2);
    c->sync_rename(address + 2, "renamed");
    c->sync_destroy(address);
    c->sync_destroy(address);
    c->sync_create(address + 1, NULL, "another", 2);
    c->sync_acquired(address + 1);
}

static void allocations(struct client *c)
{
    void *heap = c->heap_create ? c->heap_create("pool_malloc", "own") : NULL;
    void *a = (void *)0x1000, *b = (void *)0x2000, *none = NULL;

    if (!heap) {
        (void)puts("no allocations");
        return;
    }
    c->allocate_end(heap, &a, 100, 0);
    c->allocate_end(heap, &none, 100, 0);
    c->reallocate_begin(heap, a, 200, 0);
    c->reallocate_end(heap, a, &b, 200, 0);
    c->free_begin(heap, b);
    c->free_begin(heap, NULL);
    c->free_begin(NULL, b);
}

static void long_names(struct client *c)
{
    enum { LENGTH = 100000 };
    char *name = calloc(1, LENGTH + 1);
    domain *own;

    if (!name)
        return;
    memset(name, 'x', LENGTH);
    own = c->domain_create(name);
    if (!own || own != c->domain_create(name))
        (void)puts("no domain");
    else
        c->task_begin(own, no_id, no_id, c->string_create(name));
    c->task_end(own);
    free(name);
}

static void control(struct client *c)
{
    c->thread_set_name("main of itt");
    c->pause();
    tasks(c);
    c->resume();
    c->marker(&c->first_domain, no_id, c->string_create("resumed"), 1);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < 2; i++)
        begin(&clients[i]);
    for (int i = 1; i < argc && clients[0].task_begin; i++) {
        struct client *c = &clients[i % 2];

        c->unheard_of();
        if (strcmp(argv[i], "tasks") == 0)
            tasks(c);
        else if (strcmp(argv[i], "overlapped") == 0)
            overlapped(c);
        else if (strcmp(argv[i], "many") == 0)
            many(c);
        else if (strcmp(argv[i], "events") == 0)
            events(c);
        else if (strcmp(argv[i], "frames") == 0)
            frames(c);
        else if (strcmp(argv[i], "long") == 0)
            long_names(c);
        else if (strcmp(argv[i], "metadata") == 0)
            metadata(c);
        else if (strcmp(argv[i], "much") == 0)
            much_metadata(c);
        else if (strcmp(argv[i], "counters") == 0)
            counters(c);
        else if (strcmp(argv[i], "locks") == 0)
            locks(c);
        else if (strcmp(argv[i], "allocations") == 0)
            allocations(c);
        else if (strcmp(argv[i], "control") == 0)
            control(c);
        else if (strcmp(argv[i], "nvtx") == 0)
            nvtxMarkA("of NVTX");
    }
    (void)puts(clients[0].task_begin ? "a collector" : "no collector");
    return 0;
}
