/* SPDX-License-Identifier: Apache-2.0 */
#include "base/worker.h"

#include <signal.h>
#include <string.h>

static void do_work(struct rln__worker *w, rln__work *work, void *context)
{
    rln_error err = {0};
    const rln_status status = w->status ? RLN_OK : work(context, &err);

    if (!status)
        return;
    w->status = status;
    w->err = err;
}

static void *run(void *worker)
{
    struct rln__worker *w = worker;

    (void)pthread_mutex_lock(&w->mutex);
    while (!w->is_over) {
        if (!w->work) {
            (void)pthread_cond_wait(&w->changed, &w->mutex);
            continue;
        }
        (void)pthread_mutex_unlock(&w->mutex);
        do_work(w, w->work, w->context); /* no other thread changes them meanwhile */
        (void)pthread_mutex_lock(&w->mutex);
        w->work = NULL;
        (void)pthread_cond_signal(&w->changed);
    }
    (void)pthread_mutex_unlock(&w->mutex);
    return NULL;
}

void rln__worker_start(struct rln__worker *w)
{
    sigset_t all, before;

    memset(w, 0, sizeof(*w));
    (void)pthread_mutex_init(&w->mutex, NULL);
    (void)pthread_cond_init(&w->changed, NULL);
    (void)sigfillset(&all); /* signals go to the caller */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    w->has_thread = pthread_create(&w->thread, NULL, run, w) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

rln_status rln__worker_wait(struct rln__worker *w, rln_error *err)
{
    if (w->has_thread) {
        (void)pthread_mutex_lock(&w->mutex);
        while (w->work)
            (void)pthread_cond_wait(&w->changed, &w->mutex);
        (void)pthread_mutex_unlock(&w->mutex);
    }
    if (w->status && err)
        *err = w->err;
    return w->status;
}

void rln__worker_give(struct rln__worker *w, rln__work *work, void *context)
{
    if (!w->has_thread) {
        do_work(w, work, context);
        return;
    }
    (void)pthread_mutex_lock(&w->mutex);
    w->work = work;
    w->context = context;
    (void)pthread_cond_signal(&w->changed);
    (void)pthread_mutex_unlock(&w->mutex);
}

void rln__worker_stop(struct rln__worker *w)
{
    if (!w->has_thread)
        return;
    (void)rln__worker_wait(w, NULL);
    (void)pthread_mutex_lock(&w->mutex);
    w->is_over = 1;
    (void)pthread_cond_signal(&w->changed);
    (void)pthread_mutex_unlock(&w->mutex);
    (void)pthread_join(w->thread, NULL);
    (void)pthread_mutex_destroy(&w->mutex);
    (void)pthread_cond_destroy(&w->changed);
    w->has_thread = 0;
}
