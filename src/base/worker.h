/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - runs a second thread that does one task after the other.
 *
 *   caller   fill a | give a | fill b     | wait, give b | fill a ...
 *   worker            do a .............. |   do b
 *
 * After rln__worker_wait(), the caller may use the worker's data again. If no thread
 * can be created, the caller does the work itself.
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
    rln__work *work; /* the current or next work; NULL: none */
    void *context;
    rln_status status; /* of the first failed work */
    rln_error err;
    int has_thread;
    int is_over;
};

void rln__worker_start(struct rln__worker *worker);
/* Waits until the last work is done. Returns its status, or that of an earlier failure.
 */
rln_status rln__worker_wait(struct rln__worker *worker, rln_error *err);
/* Call after rln__worker_wait(). */
void rln__worker_give(struct rln__worker *worker, rln__work *work, void *context);
/* Accepts a zeroed worker that was never started, too. */
void rln__worker_stop(struct rln__worker *worker);

#endif
