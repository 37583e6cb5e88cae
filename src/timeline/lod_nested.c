/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_nested.h"

#include "base/alloc.h"

#include <string.h>

/* It is a thread's turn. */
void rln__lod_count_open(struct rln__lod *lod, uint32_t thread)
{
    const struct rln__lod_thread *t = &lod->threads[thread];

    lod->nested.thread = thread;
    lod->nested.turn++;
    for (uint32_t i = 0; i < t->n_levels; i++) {
        if (t->levels[i] != RLN__NONE)
            (void)rln__lod_count_one(&lod->nested, t->levels[i] >> 1);
    }
}

/* Attributes of one name count as the first of them. 0, or -1: no memory. */
int rln__lod_learn_like(struct rln__lod *lod, uint32_t attr)
{
    struct rln__lod_nested *nested = &lod->nested;
    const struct rln__attr *a = &lod->reader->names.attrs[attr];
    const uint64_t name = (uint64_t)a->domain << 32 | a->message;
    uint64_t like;

    if (attr >= nested->n) {
        const size_t n = ((size_t)attr | 255) + 1;
        struct rln__lod_open_count *counts =
            rln__resize(nested->counts, n, sizeof(*counts));

        if (!counts)
            return -1;
        memset(counts + nested->n, 0, (n - nested->n) * sizeof(*counts));
        nested->counts = counts;
        nested->n = n;
    }
    like = rln__map_get(&nested->likes, name);
    if (!like) {
        like = (uint64_t)attr + 1;
        if (rln__map_put(&nested->likes, name, like))
            return -1;
    }
    nested->counts[attr].like = (uint32_t)like;
    return 0;
}
