/* SPDX-License-Identifier: Apache-2.0 */
/* walk.h - traces that are walks by chance: two threads take turns, a chunk each, and
 * what a step says is the test's. The same seed makes the same trace. */
#ifndef RLN_TESTS_WALK_H
#define RLN_TESTS_WALK_H

#include "scenarios.h"

#define WALK_CHUNKS 40

struct walk {
    /* Says one thing or nothing, in `step_bytes` at the most. */
    void (*step)(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base);
    size_t step_bytes;
    uint64_t seed;
    uint64_t t[2];        /* what time it is on each thread */
    unsigned depth[2][2]; /* thread, domain; step() keeps it, as the next */
    unsigned rises;       /* steps for which the thread rather pushes */
};

static inline unsigned draw(struct walk *w, unsigned n)
{
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->seed >> 33) % n;
}

static inline void walk(struct tb *tb, struct walk w)
{
    (void)tb_part(tb, 31);
    sc_names(tb, 1, 100);
    for (unsigned i = 0; i < WALK_CHUNKS; i++) {
        const unsigned thread = i & 1;
        const uint64_t base = w.t[thread];
        struct tb_chunk c =
            tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, thread + 1, 100 + thread, base);

        if (i < 2)
            tb_thread(&c, thread + 1, 100 + thread, 0, "walker");
        while (c.at + w.step_bytes < c.end)
            w.step(&w, &c, thread, base);
    }
}

#endif
