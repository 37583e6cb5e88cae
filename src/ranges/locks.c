/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/locks.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MAX_STEPS 4096 /* a file may claim any number of holders */

static uint64_t key_of(const struct rln__sync_event *m)
{
    return ((uint64_t)m->process << 32) | m->object;
}

static int begin(struct rln__syncs *s, const struct rln__sync_event *m, int is_hold)
{
    const uint64_t newest = rln__map_get(&s->by_object, key_of(m));
    uint32_t index = s->free;

    if (index) {
        s->free = s->pool[index - 1].older + 1;
    } else {
        if (s->n_pool >= NONE - 1 ||
            !rln__append(&s->pool, &s->n_pool, &s->capacity, sizeof(*s->pool)))
            return -1;
        index = (uint32_t)s->n_pool;
    }
    s->pool[index - 1] = (struct rln__sync_open){m->t_ns,
                                                 m->process,
                                                 m->object,
                                                 m->thread,
                                                 newest ? (uint32_t)newest - 1 : NONE,
                                                 is_hold != 0,
                                                 0};
    return rln__map_put(&s->by_object, key_of(m), index);
}

/* Searches from the newest to the oldest. `*before` is the one before the result. */
static uint32_t find(const struct rln__syncs *s, const struct rln__sync_event *m,
                     int is_hold, int any_thread, uint32_t *before)
{
    const uint64_t newest = rln__map_get(&s->by_object, key_of(m));
    uint32_t at = newest ? (uint32_t)newest - 1 : NONE;

    *before = NONE;
    for (unsigned n = 0; at != NONE && n < MAX_STEPS; n++) {
        const struct rln__sync_open *o = &s->pool[at];

        if (o->is_hold == is_hold && (any_thread || o->thread == m->thread))
            return at;
        *before = at;
        at = o->older;
    }
    return NONE;
}

static int end(struct rln__syncs *s, const struct rln__sync_event *m, int is_hold,
               struct rln__sync_open *closed)
{
    uint32_t before;
    uint32_t at = find(s, m, is_hold, 0, &before);

    if (at == NONE && is_hold)
        at = find(s, m, is_hold, 1, &before);
    if (at == NONE)
        return 0;
    *closed = s->pool[at];
    if (before != NONE)
        s->pool[before].older = closed->older;
    else if (closed->older == NONE)
        (void)rln__map_remove(&s->by_object, key_of(m));
    else if (rln__map_put(&s->by_object, key_of(m), (uint64_t)closed->older + 1))
        return -1;
    s->pool[at].is_free = 1;
    s->pool[at].older = s->free - 1;
    s->free = at + 1;
    return 1;
}

int rln__sync_step(struct rln__syncs *s, const struct rln__sync_event *m,
                   struct rln__sync_open *closed)
{
    int what;

    switch (m->step) {
    case RLN__SYNC_WAITS:
        return begin(s, m, 0);
    case RLN__SYNC_GAVE_UP:
        return end(s, m, 0, closed);
    case RLN__SYNC_HAS:
        what = end(s, m, 0, closed);
        return what < 0 || begin(s, m, 1) ? -1 : what;
    default:
        return end(s, m, 1, closed);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct rln__sync_open *x = a, *y = b;

    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->object < y->object ? -1 : x->object > y->object;
}

size_t rln__syncs_drain(struct rln__syncs *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_pool; i++) {
        if (!s->pool[i].is_free)
            s->pool[n++] = s->pool[i];
    }
    if (n)
        qsort(s->pool, n, sizeof(*s->pool), by_time);
    s->n_pool = n;
    return n;
}

void rln__syncs_clear(struct rln__syncs *s)
{
    rln__free(s->pool);
    rln__map_clear(&s->by_object);
    memset(s, 0, sizeof(*s));
}
