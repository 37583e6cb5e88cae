/* SPDX-License-Identifier: Apache-2.0 */
/* relay.h - entries that one thread makes and a second one takes, in batches.
 *
 *   caller   fill a | give a, fill b     | give b, fill a ...
 *   worker          | take all of a      | take all of b
 *
 * The taker gets each entry once and in order, with a second thread or without: what
 * it makes of them is the same. The thread begins with the first full batch, and only
 * where this process has a second processor.
 */
#ifndef RLN_BASE_RELAY_H
#define RLN_BASE_RELAY_H

#include "base/worker.h"

#include <stddef.h>
#include <stdint.h>

/* Of `n` entries that lie one behind the other. */
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
    unsigned filling; /* which of them */
    unsigned n_cores; /* that may work, 1 or 2 */
    size_t batch;     /* entries that are given at once */
    size_t entry_bytes;
    rln__take *take;
    void *context; /* borrowed, for the taker */
    int is_started;
};

void rln__relay_init(struct rln__relay *relay, size_t batch, size_t entry_bytes,
                     rln__take *take, void *context);
/* Frees what was not taken, too. Of one that is zeroed, nothing. */
void rln__relay_clear(struct rln__relay *relay);

/* Waits until the taker has all that was given: until the next time, what it uses is
 * the caller's. */
rln_status rln__relay_wait(struct rln__relay *relay, rln_error *err);
/* Waits, and gives what has been filled. */
rln_status rln__relay_give(struct rln__relay *relay, rln_error *err);
/* Waits, and takes the rest. */
rln_status rln__relay_catch_up(struct rln__relay *relay, rln_error *err);

/* Room for a few more; 0, or -1: no memory. */
int rln__relay_grow(struct rln__relay *relay);

static inline int rln__relay_is_full(const struct rln__relay *r)
{
    return r->batches[r->filling].n >= r->batch;
}

/* Where the next entry is to be written, of a batch that is not full; NULL: there is no
 * memory. */
static inline void *rln__relay_next(struct rln__relay *r, size_t entry_bytes)
{
    struct rln__relay_batch *b = &r->batches[r->filling];

    if (b->n == b->capacity && rln__relay_grow(r))
        return NULL;
    return b->entries + b->n++ * entry_bytes;
}

#endif
