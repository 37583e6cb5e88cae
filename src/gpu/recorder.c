/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c - records what GPUs do while the program runs.
 *
 *     cuInit() --> InitializeInjection()     loads CUPTI, enables activities
 *     CUPTI --> recording.h                  a buffer to fill; a full one; a node
 *     regularly --> refresh                  the list of the program's threads
 *     less often --> flush                   buffers whose records are complete
 *     exit() --> flush, by force             what is left, for two seconds at most
 *
 * No subscription is held, or profilers within the program would have none: only
 * --cuda-own does, for the nodes of graphs. A forced flush before the end would
 * give running kernels a wrong end. cuptiFinalize() is never called: it races with all
 * other calls. A child after fork() has no GPU, and records nothing.
 */
#include "gpu/activities.h"
#include "gpu/program_cupti.h"
#include "gpu/recording.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

/* To refresh the list of threads takes about 1 us per thread; with thousands, 1 % of
 * the time. */
enum { FLUSH_MS = 1000, EXIT_MS = 2000, REFRESH_MS = 100, REFRESH_SHARE = 100 };

static struct rln__cupti cupti;
static void *subscriber; /* NULL: no subscription is held */

/* --- Flushing --------------------------------------------------------------------- */

static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake; /* the thread, or exit() */
static int is_ending, has_ended;
static long interval_ms = FLUSH_MS;

static void choose_interval(const char *ms)
{
    const long chosen = ms ? strtol(ms, NULL, 10) : 0;

    if (chosen > 0)
        interval_ms = chosen;
}

static int64_t now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct timespec time_of(int64_t ms)
{
    return (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
}

/* While the program records itself, it flushes. */
static void flush(int is_forced)
{
    rln__recording_count_nodes();
    if (!rln__recording_has_buffers() || rln__program_is_recording())
        return; /* without GPU work, a flush may wait forever */
    (void)cupti.flush((uint32_t)is_forced);
    rln__recording_count_losses();
}

/* Returns when to do it again. */
static int64_t refresh_threads(void)
{
    const int64_t begin = now_ms();
    int64_t pause_ms;

    if (rln__recording_has_buffers())
        rln__recording_see_threads();
    pause_ms = (now_ms() - begin) * REFRESH_SHARE;
    return now_ms() + (pause_ms > REFRESH_MS ? pause_ms : REFRESH_MS);
}

/* Returns whether the program ends. */
static int wait_until(int64_t ms)
{
    const struct timespec next = time_of(ms);
    int must_end;

    pthread_mutex_lock(&flushing);
    while (!is_ending && !pthread_cond_timedwait(&wake, &flushing, &next))
        ;
    must_end = is_ending;
    pthread_mutex_unlock(&flushing);
    return must_end;
}

static void *flush_regularly(void *argument)
{
    int64_t refresh = now_ms() + REFRESH_MS, due = now_ms() + interval_ms;
    int must_end = 0;

    (void)prctl(PR_SET_NAME, "rangeline-gpu");
    while (!must_end) {
        must_end = wait_until(refresh < due ? refresh : due);
        if (must_end || now_ms() >= refresh)
            refresh = refresh_threads();
        if (!must_end && now_ms() < due)
            continue;
        flush(must_end);
        due = now_ms() + interval_ms;
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
    const struct timespec latest = time_of(now_ms() + EXIT_MS);

    if (!rln__is_recording())
        return;
    pthread_mutex_lock(&flushing);
    is_ending = 1;
    pthread_cond_broadcast(&wake);
    while (!has_ended && !pthread_cond_timedwait(&wake, &flushing, &latest))
        ;
    if (!has_ended)
        rln__recording_note_hang();
    pthread_mutex_unlock(&flushing);
    rln__recording_end();
}

/* Without any of the program's signals. */
static int start_flushing(void)
{
    pthread_condattr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int failed;

    failed = pthread_condattr_init(&attributes) ||
             pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) ||
             pthread_cond_init(&wake, &attributes);
    if (failed)
        return failed;

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

/* Fails if some other tool is subscribed. */
static int subscribe(void)
{
    const char *own = secure_getenv("RANGELINE_CUDA_OWN");
    void *given = NULL;
    const int result = cupti.subscribe(&given, rln__on_graph_node, NULL);

    if (!result && own && strcmp(own, "true") == 0)
        subscriber = given;
    else if (!result)
        (void)cupti.unsubscribe(given);
    return result;
}

static int enable_node_callbacks(void)
{
    const int result = cupti.enable_callback(1, subscriber, RLN__CUPTI_RESOURCE,
                                             RLN__CUPTI_NODE_CREATED);

    return result ? result
                  : cupti.enable_callback(1, subscriber, RLN__CUPTI_RESOURCE,
                                          RLN__CUPTI_NODE_CLONED);
}

static void unsubscribe(void)
{
    if (subscriber)
        (void)cupti.unsubscribe(subscriber);
    subscriber = NULL;
}

/* The subscription is gone. */
static int subscribe_again(void)
{
    int result;

    if (!subscriber)
        return 0;
    subscriber = NULL;
    result = subscribe();
    if (!result)
        result = enable_node_callbacks();
    if (result)
        unsubscribe();
    return result;
}

/* Returns why nothing is recorded, or NULL. */
static const char *start(struct rln__work_writer *writer)
{
    int result = subscribe();

    if (result)
        return text_of(result);
    if (rln__program_was_first())
        return "the program records GPU work itself";
    if (rln__recording_begin(&cupti, writer))
        return "there is no memory that forked processes do not inherit (Linux 4.14)";
    rln__work_writer_name_calls(writer);
    if (start_flushing() || atexit(end)) {
        rln__recording_end();
        return "no thread can be started";
    }
    result = cupti.register_buffers(rln__on_request, rln__on_complete);
    if (!result && subscriber)
        result = enable_node_callbacks();
    if (!result)
        result = rln__activities_enable(&cupti);
    if (result)
        rln__recording_end();
    else
        rln__program_begin(&cupti, subscribe_again);
    return result ? text_of(result) : NULL;
}

/* The driver calls it within the program's first call of cuInit(), because
 * CUDA_INJECTION64_PATH names this library. Without success, cuInit() would fail. */
EXPORTED int InitializeInjection(void);
EXPORTED int InitializeInjection(void)
{
    static int is_called;
    struct rln__work_writer *writer; /* lives to the end of the process */
    const char *why;

    if (__atomic_exchange_n(&is_called, 1, __ATOMIC_ACQ_REL))
        return 1;
    writer = rln__work_writer_new(&cupti);
    if (!writer)
        return 1;
    choose_interval(secure_getenv("RANGELINE_CUDA_FLUSH_INTERVAL"));
    rln__activities_choose(secure_getenv("RANGELINE_CUDA_API"),
                           secure_getenv("RANGELINE_CUDA_GRAPH_TRACE"));
    why = rln__cupti_load(&cupti, secure_getenv("RANGELINE_CUPTI"));
    if (!why)
        why = start(writer);
    if (why) {
        unsubscribe();
        rln__work_writer_add_loss(writer, why, 0);
    }
    return 1;
}
