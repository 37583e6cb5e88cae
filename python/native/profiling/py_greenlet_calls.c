/* SPDX-License-Identifier: Apache-2.0 */
#include "profiling/py_greenlet_calls.h"

#include <string.h>

struct level {
    const void *greenlet;
    size_t base;
};

struct rln_py_greenlet_calls {
    struct level *levels; /* owned; n_levels used of room */
    size_t n_levels, room;
    struct rln_py_waiting **buckets; /* owned; their number is a power of two, or 0 */
    size_t n_buckets, n_waiting;
};

/* ---- Levels ---------------------------------------------------------------------- */

size_t rln_py_greenlet_n_levels(const struct rln_py_calls *calls)
{
    return calls->greenlets ? calls->greenlets->n_levels : 0;
}

const void *rln_py_greenlet_running(const struct rln_py_calls *calls)
{
    const size_t n = rln_py_greenlet_n_levels(calls);

    return n ? calls->greenlets->levels[n - 1].greenlet : NULL;
}

/* From the last one: it is mostly there, or one below. */
size_t rln_py_greenlet_level(const struct rln_py_calls *calls, const void *greenlet)
{
    size_t n = rln_py_greenlet_n_levels(calls);

    while (n && calls->greenlets->levels[n - 1].greenlet != greenlet)
        n--;
    return n;
}

bool rln_py_greenlet_add_level(struct rln_py_calls *calls, const void *greenlet)
{
    struct rln_py_greenlet_calls *g = calls->greenlets;

    if (!g)
        g = calls->greenlets = calloc(1, sizeof(*g));
    if (!g)
        return false;
    if (g->n_levels == g->room) {
        const size_t room = g->room ? 2 * g->room : 8;
        struct level *const grown = realloc(g->levels, room * sizeof(*grown));

        if (!grown)
            return false;
        g->levels = grown;
        g->room = room;
    }
    calls->base = g->n_levels ? calls->n : 0; /* the first has what is there */
    g->levels[g->n_levels++] = (struct level){greenlet, calls->base};
    return true;
}

void rln_py_greenlet_remove_level(struct rln_py_calls *calls)
{
    struct rln_py_greenlet_calls *const g = calls->greenlets;

    g->n_levels--;
    calls->base = g->n_levels ? g->levels[g->n_levels - 1].base : 0;
}

/* ---- Greenlets that wait --------------------------------------------------------- */

static struct rln_py_waiting **bucket_of(struct rln_py_greenlet_calls *g,
                                         const void *greenlet)
{
    const uint64_t hash = ((uintptr_t)greenlet >> 4) * 0x9e3779b97f4a7c15u >> 32;

    return &g->buckets[hash & (g->n_buckets - 1)];
}

static void insert(struct rln_py_greenlet_calls *g, struct rln_py_waiting *waiting)
{
    struct rln_py_waiting **const bucket = bucket_of(g, waiting->greenlet);

    waiting->next = *bucket;
    *bucket = waiting;
}

static bool grow(struct rln_py_greenlet_calls *g)
{
    struct rln_py_waiting **const old = g->buckets;
    const size_t n_old = g->n_buckets;
    const size_t n = n_old ? 2 * n_old : 16;
    struct rln_py_waiting **const buckets = calloc(n, sizeof(*buckets));

    if (!buckets)
        return n_old > 0;
    g->buckets = buckets;
    g->n_buckets = n;
    for (size_t i = 0; i < n_old; i++) {
        for (struct rln_py_waiting *w = old[i], *next; w; w = next) {
            next = w->next;
            insert(g, w);
        }
    }
    free(old);
    return true;
}

void rln_py_greenlet_keep(struct rln_py_calls *calls)
{
    struct rln_py_greenlet_calls *const g = calls->greenlets;
    const size_t n = calls->n - calls->base;
    struct rln_py_waiting *waiting;

    if (!n || (g->n_waiting >= g->n_buckets && !grow(g)))
        return;
    waiting = malloc(sizeof(*waiting) + n * sizeof(waiting->calls[0]));
    if (!waiting)
        return;
    waiting->greenlet = rln_py_greenlet_running(calls);
    waiting->n = n;
    memcpy(waiting->calls, calls->items + calls->base, n * sizeof(waiting->calls[0]));
    insert(g, waiting);
    g->n_waiting++;
}

struct rln_py_waiting *rln_py_greenlet_take(struct rln_py_calls *calls,
                                            const void *greenlet)
{
    struct rln_py_greenlet_calls *const g = calls->greenlets;
    struct rln_py_waiting **link, *waiting;

    if (!g || !g->n_waiting)
        return NULL;
    link = bucket_of(g, greenlet);
    while (*link && (*link)->greenlet != greenlet)
        link = &(*link)->next;
    waiting = *link;
    if (waiting) {
        *link = waiting->next;
        g->n_waiting--;
    }
    return waiting;
}

void rln_py_greenlet_calls_forget(struct rln_py_calls *calls)
{
    struct rln_py_greenlet_calls *const g = calls->greenlets;

    calls->base = 0;
    if (!g)
        return;
    for (size_t i = 0; i < g->n_buckets; i++) {
        for (struct rln_py_waiting *w = g->buckets[i], *next; w; w = next) {
            next = w->next;
            free(w);
        }
    }
    free(g->buckets);
    free(g->levels);
    free(g);
    calls->greenlets = NULL;
}
