/* SPDX-License-Identifier: Apache-2.0 */
/* fake_libtorch_cpu.c - a stand-in for PyTorch's C++ library, as far as observers see
 * it: they are called as it calls them, for what a program begins and ends by name.
 *
 * With -DWITHOUT_NAME it lacks the function that returns names.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define N_SCOPES 10
#define MAX_OBSERVERS 16

struct observer {
    void **(*start)(void **context, const void *function);
    void (*end)(const void *function, void *context);
    double probability;
    bool scopes[N_SCOPES], needs_inputs, needs_outputs, needs_ids;
};

struct list {
    struct observer observers[MAX_OBSERVERS];
    uint64_t handles[MAX_OBSERVERS];
    int n;
};

/* The observers of a function are those that there were when it began. */
struct function {
    const char *name;
    struct list called;
};

static struct list all;
static _Thread_local struct list own;
static uint64_t last_handle;

uint64_t _ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE(struct observer);
uint64_t _ZN2at22addThreadLocalCallbackENS_22RecordFunctionCallbackE(struct observer);
void _ZN2at14removeCallbackEm(uint64_t handle);
const char *_ZNK2at14RecordFunction4nameEv(const struct function *function);
int fake_n_observers(void);
struct function *fake_begin(const char *name, int scope);
void fake_end(struct function *function);
void fake_run_on_a_thread(const char *name);
int fake_run_at_exit(void);

static uint64_t add(struct list *list, const struct observer *observer)
{
    if (observer->probability != 1 || observer->needs_inputs ||
        observer->needs_outputs || observer->needs_ids || list->n == MAX_OBSERVERS)
        abort();
    list->observers[list->n] = *observer;
    return list->handles[list->n++] = ++last_handle;
}

static bool drop(struct list *list, uint64_t handle)
{
    for (int i = 0; i < list->n; i++) {
        if (list->handles[i] == handle) {
            list->n--;
            list->handles[i] = list->handles[list->n];
            list->observers[i] = list->observers[list->n];
            return true;
        }
    }
    return false;
}

uint64_t
_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE(struct observer observer)
{
    return add(&all, &observer);
}

uint64_t
_ZN2at22addThreadLocalCallbackENS_22RecordFunctionCallbackE(struct observer observer)
{
    return add(&own, &observer);
}

void _ZN2at14removeCallbackEm(uint64_t handle)
{
    if (!drop(&own, handle) && !drop(&all, handle))
        abort(); /* PyTorch prints a warning */
}

#ifndef WITHOUT_NAME
const char *_ZNK2at14RecordFunction4nameEv(const struct function *function)
{
    return function->name;
}
#endif

int fake_n_observers(void)
{
    return own.n + all.n;
}

static void call_starts(struct function *function, const struct list *list, int scope)
{
    for (int i = 0; i < list->n; i++) {
        void *context = &context;

        if (!list->observers[i].scopes[scope])
            continue;
        if (list->observers[i].start(&context, function) != &context || context)
            abort();
        function->called.observers[function->called.n++] = list->observers[i];
    }
}

struct function *fake_begin(const char *name, int scope)
{
    struct function *const function = calloc(1, sizeof(*function));

    if (!function)
        abort();
    function->name = strdup(name);
    call_starts(function, &all, scope);
    call_starts(function, &own, scope);
    return function;
}

void fake_end(struct function *function)
{
    for (int i = 0; i < function->called.n; i++)
        function->called.observers[i].end(function, NULL);
    free((void *)function->name);
    free(function);
}

struct work {
    const char *name;
    struct list observers; /* of the thread that it works for, as in a backward pass */
};

static void *run(void *argument)
{
    const struct work *const work = argument;

    own = work->observers;
    fake_end(fake_begin(work->name, 0));
    return NULL;
}

void fake_run_on_a_thread(const char *name)
{
    struct work work = {name, own};
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, &work) || pthread_join(thread, NULL))
        abort();
}

static void run_late(void)
{
    fake_run_on_a_thread("late");
}

/* Runs `late` on a thread after the interpreter has ended. */
int fake_run_at_exit(void)
{
    return atexit(run_late);
}
