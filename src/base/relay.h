/* SPDX-License-Identifier: Apache-2.0 */
/* relay.h - passes entries from one thread to a second one, in batches.
 *
 *   caller   fill a | give a, fill b     | give b, fill a ...
 *   worker          | take all of a      | take all of b
 *
 * The taker gets each entry once and in order, with or without a second thread, so the
 * result is the same. The thread starts with the first full batch, and only if this
 * process may use a second processor.
 */
#ifndef RLN_BASE_RELAY_H
#define RLN_BASE_RELAY_H

#include "base/alloc.h"
#include "base/worker.h"

#include <stddef.h>
#include <stdint.h>

/* Takes `n` consecutive entries. */
typedef rln_status rln__take(void *context, const void *entries, size_t n,
                             rln_error *err);

struct rln__relay_batch {
    struct rln__relay *relay; /* borrowed */
    unsigned char *entries;   /* owned */
    size_t n, capacity;
};

struct rln__relay {
    struct rln__worker worker;
    struct rln__relay_batch batches[2];
    unsigned filling; /* index of the batch being filled */
    unsigned n_cores; /* that may be used, 1 or 2 */
    size_t batch;     /* entries given at once */
    rln__take *take;
    void *context; /* borrowed, passed to the taker */
    int is_started;
};

void rln__relay_init(struct rln__relay *relay, size_t batch, rln__take *take,
                     void *context);
/* Frees entries that were not taken, too. A zeroed relay is accepted. */
void rln__relay_clear(struct rln__relay *relay);

/* Waits until the taker has everything that was given: until the next give, the caller
 * may use the taker's data. */
rln_status rln__relay_wait(struct rln__relay *relay, rln_error *err);
/* Waits, then gives the filled batch. */
rln_status rln__relay_give(struct rln__relay *relay, rln_error *err);
/* Waits, then takes the rest in the calling thread. */
rln_status rln__relay_catch_up(struct rln__relay *relay, rln_error *err);

static inline int rln__relay_is_full(const struct rln__relay *r)
{
    return r->batches[r->filling].n >= r->batch;
}

/* Memory for the next entry, in a batch that is not full; NULL: no memory. */
static inline void *rln__relay_next(struct rln__relay *r, size_t entry_bytes)
{
    struct rln__relay_batch *b = &r->batches[r->filling];

    return rln__append(&b->entries, &b->n, &b->capacity, entry_bytes);
}

#endif
