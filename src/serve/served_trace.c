/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/served_trace.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/monotonic.h"
#include "query/query.h"
#include "query/query_report.h"
#include "timeline/lod_build.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LEAST_CHANGE_NS 500000000 /* between two versions while an index is built */
#define MOST_PATIENCE_NS 50000000 /* of the maker, while questions keep coming */
#define REST 8                    /* times as long as reading a live trace took */
#define MOST_REST_NS INT64_C(10000000000)

struct rln__served_trace {
    rln_reader *reader; /* borrowed */
    char *title;        /* owned */
    char *filter;       /* owned */
    pthread_t maker;
    unsigned n_asking; /* atomic, as the next two; waiting for the lock */
    int must_stop;
    uint64_t version;
    pthread_mutex_t lock; /* of the reader and of all below */
    struct rln__lod *lod; /* owned; the newest */
    struct rln__asked_report report;
    uint64_t compared_version; /* of the other trace, when the report read it */
    int64_t from_ns, to_ns;    /* of chunks: the index covers at least these */
    int64_t changed_ns;        /* when the version changed last */
    uint64_t version_events;   /* of that version */
};

static void sleep_ns(int64_t ns)
{
    const struct timespec ts = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

    (void)nanosleep(&ts, NULL);
}

static void change(struct rln__served_trace *s)
{
    s->changed_ns = rln__monotonic_ns();
    __atomic_fetch_add(&s->version, 1, __ATOMIC_RELAXED);
}

/* --- The maker -------------------------------------------------------------------- */

/* Lets questions have their turn; returns whether to stop. */
static int pause_making(struct rln__served_trace *s)
{
    const int64_t began_ns = rln__monotonic_ns();

    if (!s->lod->is_complete && began_ns - s->changed_ns >= LEAST_CHANGE_NS)
        change(s);
    if (__atomic_load_n(&s->n_asking, __ATOMIC_RELAXED)) {
        pthread_mutex_unlock(&s->lock);
        /* A mutex is not fair, so leave time for others to take it. */
        while (__atomic_load_n(&s->n_asking, __ATOMIC_RELAXED) &&
               rln__monotonic_ns() - began_ns < MOST_PATIENCE_NS)
            sleep_ns(20000);
        pthread_mutex_lock(&s->lock);
    }
    return __atomic_load_n(&s->must_stop, __ATOMIC_RELAXED);
}

/* Reads the trace into `lod`. RLN_END: it was stopped. */
static rln_status make(struct rln__served_trace *s, struct rln__lod *lod)
{
    rln_status status = RLN_OK;

    while (!status) {
        status = rln__lod_build_step(lod, NULL);
        if (!status && pause_making(s))
            return RLN_END;
    }
    return status == RLN_END ? RLN_OK : status;
}

/* A growing trace has two indices at times: each gets half of the memory. */
static uint64_t budget_of(const rln_reader *reader, int is_live)
{
    return rln__lod_budget(reader) / (is_live ? 2 : 1);
}

/* Builds another index of the trace as it is now, and replaces the old one. */
static rln_status make_again(struct rln__served_trace *s)
{
    struct rln__lod *lod = rln__alloc(1, sizeof(*lod));
    rln_status status = lod ? RLN_OK : RLN_ERR_NOMEM;

    rln__asked_report_clear(&s->report);
    if (!status)
        status = rln__reader_refresh(s->reader, NULL);
    if (!status)
        status = rln__lod_init(lod, s->reader, s->lod, budget_of(s->reader, 1), NULL);
    if (!status)
        status = make(s, lod);
    if (!status) {
        struct rln__lod *old = s->lod;

        s->lod = lod;
        lod = old;
    }
    if (lod)
        rln__lod_clear(lod);
    rln__free(lod);
    return status;
}

static void rest(struct rln__served_trace *s, int64_t ns)
{
    const int64_t until_ns = rln__monotonic_ns() + ns;

    while (rln__monotonic_ns() < until_ns &&
           !__atomic_load_n(&s->must_stop, __ATOMIC_RELAXED))
        sleep_ns(20000000);
}

/* Reads a live trace again and again, less often the longer a reading takes. */
static void follow(struct rln__served_trace *s)
{
    int64_t rest_ns = LEAST_CHANGE_NS;
    rln_status status = RLN_OK;

    while (!status && !rln_reader_is_finished(s->reader)) {
        int64_t began_ns, took_ns;

        rest(s, rest_ns);
        began_ns = rln__monotonic_ns();
        pthread_mutex_lock(&s->lock);
        status =
            __atomic_load_n(&s->must_stop, __ATOMIC_RELAXED) ? RLN_END : make_again(s);
        took_ns = rln__monotonic_ns() - began_ns;
        if (!status && s->lod->n_events != s->version_events) {
            rest_ns = LEAST_CHANGE_NS;
            change(s);
        } else if (rest_ns < MOST_REST_NS) {
            rest_ns *= 2; /* perhaps its writer has gone */
        }
        s->version_events = s->lod->n_events;
        pthread_mutex_unlock(&s->lock);
        rest_ns = rest_ns > took_ns * REST ? rest_ns : took_ns * REST;
    }
    change(s); /* it is no longer live */
}

static void *run_maker(void *context)
{
    struct rln__served_trace *s = context;
    rln_status status;

    pthread_mutex_lock(&s->lock);
    rln__query_expected_span(s->reader, &s->from_ns, &s->to_ns);
    status = make(s, s->lod);
    s->version_events = s->lod->n_events;
    change(s);
    pthread_mutex_unlock(&s->lock);
    if (!status)
        follow(s);
    return NULL;
}

/* --- Questions -------------------------------------------------------------------- */

static rln_status init(struct rln__served_trace *s, const char *title,
                       const char *filter, rln_error *err)
{
    s->title = rln__alloc(strlen(title) + 1, 1);
    s->filter = rln__alloc(strlen(filter) + 1, 1);
    s->lod = rln__alloc(1, sizeof(*s->lod));
    if (!s->title || !s->lod || !s->filter)
        return rln__fail_nomem(err);
    strcpy(s->title, title);
    strcpy(s->filter, filter);
    return rln__lod_init(s->lod, s->reader, NULL,
                         budget_of(s->reader, !rln_reader_is_finished(s->reader)), err);
}

static void clear(struct rln__served_trace *s)
{
    rln__asked_report_clear(&s->report);
    if (s->lod)
        rln__lod_clear(s->lod);
    rln__free(s->lod);
    rln__free(s->title);
    rln__free(s->filter);
    pthread_mutex_destroy(&s->lock);
    rln__free(s);
}

rln_status rln__served_trace_open(rln_reader *reader, const char *title,
                                  const char *filter, struct rln__served_trace **out,
                                  rln_error *err)
{
    struct rln__served_trace *s = rln__alloc(1, sizeof(*s));
    rln_status status;

    *out = NULL;
    if (!s)
        return rln__fail_nomem(err);
    s->reader = reader;
    pthread_mutex_init(&s->lock, NULL);
    status = init(s, title, filter, err);
    if (!status && pthread_create(&s->maker, NULL, run_maker, s))
        status = rln__fail(err, RLN_ERR_NOMEM, 0, "cannot start thread");
    if (status)
        clear(s);
    else
        *out = s;
    return status;
}

void rln__served_trace_close(struct rln__served_trace *s)
{
    if (!s)
        return;
    __atomic_store_n(&s->must_stop, 1, __ATOMIC_RELAXED);
    pthread_join(s->maker, NULL);
    clear(s);
}

uint64_t rln__served_trace_version(struct rln__served_trace *s)
{
    return __atomic_load_n(&s->version, __ATOMIC_RELAXED);
}

/* The maker lets those that wait have their turn. */
static void lock(struct rln__served_trace *s)
{
    __atomic_fetch_add(&s->n_asking, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&s->lock);
    __atomic_fetch_sub(&s->n_asking, 1, __ATOMIC_RELAXED);
}

/* A report that is kept does not outlive what it says of the other trace. */
static void use_compared(struct rln__served_trace *s,
                         struct rln__served_trace *compared,
                         struct rln__query_context *asked)
{
    const uint64_t version = rln__served_trace_version(compared);

    if (s->compared_version != version)
        rln__asked_report_clear(&s->report);
    s->compared_version = version;
    if (compared->lod->is_complete)
        asked->compared = compared->reader;
}

int rln__served_trace_query(struct rln__served_trace *s,
                            struct rln__served_trace *compared,
                            const struct rln__question *question, struct rln__buf *out)
{
    struct rln__query_context asked = {
        .question = question, .title = s->title, .filter = s->filter};
    const bool is_diff = compared && rln__query_is_diff(question);
    int status;

    /* Always in this order: only the first trace is ever given another one. */
    lock(s);
    if (is_diff)
        lock(compared);
    asked.lod = s->lod;
    asked.kept = &s->report;
    asked.from_ns = s->from_ns;
    asked.to_ns = s->to_ns;
    asked.is_live = !rln_reader_is_finished(s->reader);
    asked.is_compared = question->n_traces > 1;
    asked.can_diff = compared != NULL;
    if (is_diff)
        use_compared(s, compared, &asked);
    status = rln__query(&asked, out);
    if (is_diff)
        pthread_mutex_unlock(&compared->lock);
    pthread_mutex_unlock(&s->lock);
    return out->has_failed ? 500 : status;
}
