/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/inputs/lock_waits.h"

#include <stdlib.h>

#include "analysis/by_time.h"
#include "base/alloc.h"
#include "base/fail.h"

/* --- Reading ---------------------------------------------------------------------- */

static int add_wait(struct rln__lock *lock, const rln_range *r)
{
    struct rln__lock_wait *wait =
        rln__append(&lock->waits, &lock->n_waits, &lock->wait_capacity, sizeof(*wait));

    if (!wait)
        return -1;
    *wait = (struct rln__lock_wait){r->start_ns, r->end_ns, r->thread};
    return 0;
}

static int add_hold(struct rln__lock *lock, const rln_range *r)
{
    struct rln__lock_hold *hold =
        rln__append(&lock->holds, &lock->n_holds, &lock->hold_capacity, sizeof(*hold));

    if (!hold)
        return -1;
    *hold = (struct rln__lock_hold){
        .start_ns = r->start_ns, .end_ns = r->end_ns, .thread = r->thread};
    return 0;
}

static int add(struct rln__locks *locks, const rln_range *r)
{
    const rln_attributes *a = &r->attributes;
    /* The name distinguishes objects that had the same number in turn. */
    const struct rln__key key = {
        {r->process, r->id, a->domain, rln__key_of_text(a->message)}};
    struct rln__lock *lock;

    if ((r->style != RLN_RANGE_WAIT && r->style != RLN_RANGE_HOLD) ||
        r->flags & (RLN_FLAG_UNMATCHED | RLN_FLAG_UNPLACED))
        return 0;
    lock =
        rln__key_index_item(&locks->locks, &locks->n, &locks->capacity,
                            rln__key_index_number(&locks->keys, &key), sizeof(*lock));
    if (!lock)
        return -1;
    lock->domain_name = a->domain_name;
    lock->name = a->message;
    lock->is_default_domain = a->domain == 0;
    lock->process = r->process;
    return r->style == RLN_RANGE_WAIT ? add_wait(lock, r) : add_hold(lock, r);
}

/* --- Putting in order ------------------------------------------------------------- */

static int wait_by_start(const void *a, const void *b)
{
    const struct rln__lock_wait *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static int hold_by_start(const void *a, const void *b)
{
    const struct rln__lock_hold *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static void put_in_order(struct rln__lock *lock)
{
    double held_ns = 0;

    if (lock->n_waits)
        qsort(lock->waits, lock->n_waits, sizeof(*lock->waits), wait_by_start);
    if (lock->n_holds)
        qsort(lock->holds, lock->n_holds, sizeof(*lock->holds), hold_by_start);
    for (size_t i = 0; i < lock->n_holds; i++) {
        struct rln__lock_hold *hold = &lock->holds[i];
        const int64_t before = i ? hold[-1].held_until_ns : hold->start_ns;
        const int64_t from = before > hold->start_ns ? before : hold->start_ns;

        /* Of readers that overlap, only what is new counts. */
        hold->held_before_ns = held_ns;
        hold->held_until_ns = before > hold->end_ns ? before : hold->end_ns;
        held_ns += (double)(hold->held_until_ns - from);
    }
}

rln_status rln__locks_read(rln_reader *reader, struct rln__locks *out, rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status;

    *out = (struct rln__locks){0};
    status = rln_ranges_open(reader, &ranges, err);
    while (!status && !(status = rln_ranges_next(ranges, &range, err)))
        if (add(out, range))
            status = rln__fail_nomem(err);
    rln_ranges_close(ranges);
    for (size_t i = 0; i < out->n; i++)
        put_in_order(&out->locks[i]);
    return status == RLN_END ? RLN_OK : status;
}

void rln__locks_clear(struct rln__locks *locks)
{
    for (size_t i = 0; i < locks->n; i++) {
        rln__free(locks->locks[i].waits);
        rln__free(locks->locks[i].holds);
    }
    rln__free(locks->locks);
    rln__key_index_clear(&locks->keys);
    *locks = (struct rln__locks){0};
}

/* --- Asking ----------------------------------------------------------------------- */

/* The last hold that began before `t`, or NULL. */
static const struct rln__lock_hold *last_before(const struct rln__lock *lock, int64_t t)
{
    const size_t n = lock->n_holds
                         ? rln__count_before(&lock->holds->start_ns, lock->n_holds,
                                             sizeof(*lock->holds), t)
                         : 0;

    return n ? &lock->holds[n - 1] : NULL;
}

static double held_before(const struct rln__lock *lock, int64_t t)
{
    const struct rln__lock_hold *last = last_before(lock, t);
    int64_t from, to;

    if (!last)
        return 0;
    from = last > lock->holds && last[-1].held_until_ns > last->start_ns
               ? last[-1].held_until_ns
               : last->start_ns;
    to = last->held_until_ns < t ? last->held_until_ns : t;
    return last->held_before_ns + (to > from ? (double)(to - from) : 0) -
           (from > t ? (double)(from - t) : 0);
}

double rln__lock_held_ns(const struct rln__lock *lock, int64_t from, int64_t to)
{
    return held_before(lock, to) - held_before(lock, from);
}

uint32_t rln__lock_holder(const struct rln__lock *lock, int64_t t)
{
    const struct rln__lock_hold *last = last_before(lock, t);

    return last ? last->thread : UINT32_MAX;
}
