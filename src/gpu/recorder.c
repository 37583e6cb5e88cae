/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c - records what GPUs do while the program runs.
 *
 *     cuInit() --> InitializeInjection()     loads CUPTI, enables activities
 *     CUPTI --> request()                    a buffer to fill
 *           --> complete()                   a full one: its records become events
 *     every second --> flush                 buffers whose records are complete
 *     exit() --> flush, by force             what is left, for two seconds at most
 *
 * CUPTI's rules shape this file. It holds a lock of its own when it asks for a buffer,
 * so nothing here holds one that request() needs while it calls CUPTI. No subscription
 * is held, or profilers within the program would have none. A forced flush before the
 * end would give running kernels a wrong end. cuptiFinalize() is never called: it races
 * with all other calls. A child after fork() has no GPU, and records nothing.
 */
#include "gpu/activity.h"
#include "gpu/buffer_pool.h"
#include "gpu/cupti.h"
#include "gpu/thread_ids.h"
#include "gpu/work_writer.h"

#include "base/count.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum { FLUSH_SECONDS = 1, EXIT_SECONDS = 2, MOST_CALLS = 1200 };

/* Memory that a child does not inherit: there, all of it is 0. */
struct own {
    int is_on;
    int has_buffers;    /* one was ever requested */
    uint64_t n_refused; /* requests without memory */
};

static struct own *own; /* NULL: off */
static struct rln__cupti cupti;
static struct rln__work_writer *writer;
static struct rln__thread_ids threads;
/* Around the two above. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static int is_on(void)
{
    const struct own *now = __atomic_load_n(&own, __ATOMIC_ACQUIRE);

    return now && __atomic_load_n(&now->is_on, __ATOMIC_RELAXED);
}

/* --- Buffers ---------------------------------------------------------------------- */

/* Older releases crash without a buffer, so they get one, whose records are counted and
 * dropped. */
static void request(uint8_t **buffer, size_t *size, size_t *most_records)
{
    enum { SMALL = 64 << 10 };

    *most_records = 0;
    *size = 0;
    *buffer = is_on() ? rln__buffer_take() : NULL;
    if (*buffer) {
        *size = RLN__BUFFER_BYTES;
        __atomic_store_n(&own->has_buffers, 1, __ATOMIC_RELAXED);
        return;
    }
    if (is_on())
        __atomic_fetch_add(&own->n_refused, 1, __ATOMIC_RELAXED);
    if (cupti.version < RLN__CUPTI_TAKES_NO_BUFFER) {
        *buffer = aligned_alloc(8, SMALL);
        *size = *buffer ? SMALL : 0;
    }
}

/* The next record, with the bytes up to the one after it. */
struct reading {
    uint8_t *buffer;
    size_t n_valid;
    void *record, *next; /* NULL: none */
};

static int read_next(struct reading *r)
{
    r->record = r->next;
    if (r->record && cupti.next_record(r->buffer, r->n_valid, &r->next))
        r->next = NULL;
    return r->record != NULL;
}

static size_t bytes_of(const struct reading *r)
{
    const uint8_t *end = r->next ? r->next : r->buffer + r->n_valid;

    return (size_t)(end - (const uint8_t *)r->record);
}

/* Looks for new threads once per buffer. */
static void add(const struct rln__activity *activity, int *has_looked)
{
    const uint32_t thread = activity->thread;
    uint32_t tid = thread ? rln__thread_id_of(&threads, thread) : 0;

    if (thread && !tid && !*has_looked) {
        rln__thread_ids_refresh(&threads);
        *has_looked = 1;
        tid = rln__thread_id_of(&threads, thread);
    }
    rln__work_writer_add(writer, activity, tid);
}

static void record_all(struct reading *r)
{
    uint64_t n_lost = 0;
    int has_looked = 0;

    while (read_next(r)) {
        struct rln__activity activity;
        const enum rln__activity_answer answer =
            rln__activity_read(r->record, bytes_of(r), &activity);

        if (answer == RLN__ACTIVITY_READ)
            add(&activity, &has_looked);
        n_lost += answer == RLN__ACTIVITY_UNTIMED || answer == RLN__ACTIVITY_SHORT;
    }
    rln__work_writer_flush(writer);
    if (n_lost)
        rln__work_writer_add_loss(writer, "GPU work without times", n_lost);
}

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                     size_t n_valid)
{
    struct reading r = {.buffer = buffer, .n_valid = n_valid};
    int is_ours;

    (void)context;
    (void)stream;
    (void)size;
    if (!buffer || !is_on()) /* a child may not take a lock */
        return;
    is_ours = rln__buffer_is_ours(buffer);
    if (!is_ours) {
        free(buffer);
        return;
    }
    if (n_valid && !cupti.next_record(buffer, n_valid, &r.next)) {
        pthread_mutex_lock(&writing);
        record_all(&r);
        pthread_mutex_unlock(&writing);
    }
    rln__buffer_give_back(buffer);
}

/* --- Flushing --------------------------------------------------------------------- */

static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER; /* the thread, or exit() */
static int is_ending, has_ended;

static struct timespec after(int seconds)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += seconds;
    return t;
}

/* Counts what CUPTI itself had to drop since the last time. */
static void count_losses(void)
{
    const uint64_t n_refused =
        __atomic_exchange_n(&own->n_refused, 0, __ATOMIC_RELAXED);
    size_t n_dropped = 0;

    if (cupti.count_dropped(NULL, 0, &n_dropped))
        n_dropped = 0;
    if (!n_dropped && !n_refused)
        return;
    pthread_mutex_lock(&writing);
    if (n_dropped)
        rln__work_writer_add_loss(writer, "GPU work that CUPTI dropped", n_dropped);
    if (n_refused)
        rln__work_writer_add_loss(writer, "GPU work for which there was no buffer",
                                  n_refused);
    pthread_mutex_unlock(&writing);
}

static void flush(int is_forced)
{
    if (!__atomic_load_n(&own->has_buffers, __ATOMIC_RELAXED))
        return; /* without GPU work, a flush may wait forever */
    pthread_mutex_lock(&writing);
    rln__thread_ids_refresh(&threads);
    pthread_mutex_unlock(&writing);
    (void)cupti.flush((uint32_t)is_forced);
    count_losses();
}

static void *flush_regularly(void *argument)
{
    int must_end = 0;

    (void)prctl(PR_SET_NAME, "rangeline-gpu");
    while (!must_end) {
        const struct timespec next = after(FLUSH_SECONDS);

        pthread_mutex_lock(&flushing);
        while (!is_ending && !pthread_cond_timedwait(&wake, &flushing, &next))
            ;
        must_end = is_ending;
        pthread_mutex_unlock(&flushing);
        flush(must_end);
    }
    pthread_mutex_lock(&flushing);
    has_ended = 1;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&flushing);
    return argument;
}

/* If CUPTI hangs, the program still ends. */
static void end(void)
{
    const struct timespec latest = after(EXIT_SECONDS);

    if (!is_on())
        return;
    pthread_mutex_lock(&flushing);
    is_ending = 1;
    pthread_cond_broadcast(&wake);
    while (!has_ended && !pthread_cond_timedwait(&wake, &flushing, &latest))
        ;
    pthread_mutex_unlock(&flushing);
    __atomic_store_n(&own->is_on, 0, __ATOMIC_RELAXED);
}

/* Without any of the program's signals. */
static int start_flushing(void)
{
    sigset_t all, before;
    pthread_t thread;
    int failed;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&thread, NULL, flush_regularly, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        (void)pthread_detach(thread);
    return failed;
}

/* --- Starting --------------------------------------------------------------------- */

static const char *text_of(int result)
{
    const char *text = NULL;

    if (result == RLN__CUPTI_OTHER_SUBSCRIBER)
        return "another tool records GPU work";
    if (result == RLN__CUPTI_NOT_INITIALIZED || result == RLN__CUPTI_UNKNOWN)
        return "CUPTI finds no GPU that the driver serves";
    return cupti.result_text(result, &text) || !text ? "CUPTI fails" : text;
}

static void on_nothing(void *user, int domain, uint32_t cbid, const void *data)
{
    (void)user;
    (void)domain;
    (void)cbid;
    (void)data;
}

static int is_launching(const char *name)
{
    static const char *const prefixes[] = {"Launch", "GraphLaunch", "Memcpy", "Memset"};

    name += strncmp(name, "cuda", 4) == 0 ? 4 : strncmp(name, "cu", 2) == 0 ? 2 : 0;
    for (size_t i = 0; i < RLN_COUNT(prefixes); i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return 1;
    }
    return 0;
}

/* The calls that request GPU work; in older releases, all calls. */
static int enable_calls(void)
{
    int n_enabled = 0;

    if (!cupti.enable_runtime_call || !cupti.enable_driver_call) {
        const int result = cupti.enable(RLN__ACTIVITY_RUNTIME);

        return result ? result : cupti.enable(RLN__ACTIVITY_DRIVER);
    }
    for (uint32_t cbid = 1; cbid <= MOST_CALLS; cbid++) {
        const char *name = NULL;

        if (!cupti.call_name(RLN__CUPTI_RUNTIME_API, cbid, &name) && name &&
            is_launching(name))
            n_enabled += !cupti.enable_runtime_call(cbid, 1);
        name = NULL;
        if (!cupti.call_name(RLN__CUPTI_DRIVER_API, cbid, &name) && name &&
            is_launching(name))
            n_enabled += !cupti.enable_driver_call(cbid, 1);
    }
    return n_enabled ? 0 : RLN__CUPTI_NOT_INITIALIZED;
}

static int enable(void)
{
    static const int kinds[] = {RLN__ACTIVITY_KERNEL, RLN__ACTIVITY_COPY,
                                RLN__ACTIVITY_SET,    RLN__ACTIVITY_PEER_COPY,
                                RLN__ACTIVITY_SYNC,   RLN__ACTIVITY_OVERHEAD};
    int result = 0;
    size_t n = 0;

    while (n < RLN_COUNT(kinds) && !result)
        result = cupti.enable(kinds[n++]);
    if (!result)
        result = enable_calls();
    while (result && n)
        (void)cupti.disable(kinds[--n]);
    return result;
}

/* Whether some other tool is subscribed. */
static int probe(void)
{
    void *subscriber = NULL;
    const int result = cupti.subscribe(&subscriber, on_nothing, NULL);

    if (!result)
        (void)cupti.unsubscribe(subscriber);
    return result;
}

static struct own *map_own(void)
{
    void *page = mmap(NULL, sizeof(struct own), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return NULL;
    if (madvise(page, sizeof(struct own), MADV_WIPEONFORK)) {
        (void)munmap(page, sizeof(struct own));
        return NULL;
    }
    return page;
}

/* Returns why nothing is recorded, or NULL. */
static const char *start(void)
{
    int result = probe();

    if (result)
        return text_of(result);
    own = map_own();
    if (!own)
        return "there is no memory";
    own->is_on = 1;
    if (start_flushing() || atexit(end)) {
        own->is_on = 0;
        return "no thread can be started";
    }
    result = cupti.register_buffers(request, complete);
    if (!result)
        result = enable();
    if (result)
        own->is_on = 0;
    return result ? text_of(result) : NULL;
}

/* The driver calls it within the program's first call of cuInit(), because
 * CUDA_INJECTION64_PATH names this library. Without success, cuInit() would fail. */
EXPORTED int InitializeInjection(void);
EXPORTED int InitializeInjection(void)
{
    static int is_called;
    const char *why;
    int was_called = __atomic_exchange_n(&is_called, 1, __ATOMIC_ACQ_REL);

    if (was_called)
        return 1;
    writer = rln__work_writer_new(&cupti);
    if (!writer)
        return 1;
    why = rln__cupti_load(&cupti, getenv("RANGELINE_CUPTI"));
    if (!why)
        why = start();
    if (why)
        rln__work_writer_add_loss(writer, why, 0);
    return 1;
}
