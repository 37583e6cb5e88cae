/* SPDX-License-Identifier: Apache-2.0 */
#include "base/relay.h"
#include "base/alloc.h"
#include "base/allowance.h"

#include <string.h>

void rln__relay_init(struct rln__relay *r, size_t batch, rln__take *take, void *context)
{
    memset(r, 0, sizeof(*r));
    r->n_cores = rln__processors() > 1 ? 2 : 1;
    r->batch = batch;
    r->take = take;
    r->context = context;
    r->batches[0].relay = r->batches[1].relay = r;
}

void rln__relay_clear(struct rln__relay *r)
{
    rln__worker_stop(&r->worker);
    rln__free(r->batches[0].entries);
    rln__free(r->batches[1].entries);
    memset(r, 0, sizeof(*r));
}

static rln_status take_batch(void *context, rln_error *err)
{
    struct rln__relay_batch *b = context;
    const size_t n = b->n;

    b->n = 0;
    return b->relay->take(b->relay->context, b->entries, n, err);
}

rln_status rln__relay_wait(struct rln__relay *r, rln_error *err)
{
    return rln__worker_wait(&r->worker, err);
}

rln_status rln__relay_give(struct rln__relay *r, rln_error *err)
{
    rln_status status;

    if (!r->is_started && r->n_cores > 1)
        rln__worker_start(&r->worker);
    r->is_started = 1;
    status = rln__worker_wait(&r->worker, err);
    if (status)
        return status;
    rln__worker_give(&r->worker, take_batch, &r->batches[r->filling]);
    r->filling ^= 1;
    return RLN_OK;
}

rln_status rln__relay_catch_up(struct rln__relay *r, rln_error *err)
{
    struct rln__relay_batch *b = &r->batches[r->filling];
    rln_status status = rln__worker_wait(&r->worker, err);

    if (!status && b->n)
        status = r->worker.status = take_batch(b, err);
    return status;
}
