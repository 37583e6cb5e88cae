/* SPDX-License-Identifier: Apache-2.0 */
/* walk.h - makes traces by random walks: two threads alternate, a chunk each, and the
 * test defines the steps. The same seed makes the same trace. */
#ifndef RLN_TESTS_WALK_H
#define RLN_TESTS_WALK_H

#include "scenarios.h"

#define WALK_CHUNKS 40

struct walk {
    /* Writes one event or none, in at most `step_bytes`. */
    void (*step)(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base);
    size_t step_bytes;
    uint64_t seed;
    uint64_t t[2];        /* the current time of each thread */
    unsigned depth[2][2]; /* thread, domain; step() updates it and the next */
    unsigned rises;       /* steps in which the thread prefers to push */
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
