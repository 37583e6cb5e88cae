/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - a second thread that does one thing after the other.
 *
 *   caller   fill a | give a | fill b     | wait, give b | fill a ...
 *   worker            do a .............. |   do b
 *
 * What the worker uses is the caller's again after rln__worker_wait(). Where no thread
 * can be had, the caller does the work itself.
 */
#ifndef RLN_BASE_WORKER_H
#define RLN_BASE_WORKER_H

#include "rangeline/error.h"

#include <pthread.h>

typedef rln_status rln__work(void *context, rln_error *err);

struct rln__worker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    rln__work *work; /* what is to be done or is being done; NULL: nothing */
    void *context;
    rln_status status; /* of the first work that failed */
    rln_error err;
    int has_thread;
    int is_over;
};

void rln__worker_start(struct rln__worker *worker);
/* Waits until the last work is done; its status, or that of one before. */
rln_status rln__worker_wait(struct rln__worker *worker, rln_error *err);
/* To be called after rln__worker_wait(). */
void rln__worker_give(struct rln__worker *worker, rln__work *work, void *context);
/* Of one that was never started, too, if it is zeroed. */
void rln__worker_stop(struct rln__worker *worker);

#endif
