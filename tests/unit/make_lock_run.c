/* SPDX-License-Identifier: Apache-2.0 */
/* make_lock_run.c FAULT SEED OUTPUT - writes a run of four workers that update a table
 * one at a time, under a lock: for 10 us in each step, or with `lock-serial` for 300.
 *
 *   step [prepare, 600 us][update: waits | holds the lock]
 */
#include "said_scenarios.h"

enum { N_WORKERS = 4, STEPS = 200, TABLE = 7 };

/* As Knuth's MMIX: 0.9 to 1.1. */
static double noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 0.9 + (double)(*state >> 33) / (double)(UINT64_C(1) << 31) * 0.2;
}

static void add_names(struct tb *tb)
{
    static const char *const names[] = {"step", "prepare", "update", "table"};
    struct tb_chunk c = tb_names(tb, 1);

    (void)tb_process(&c, 1, 0, 100);
    for (uint32_t i = 1; i <= 4; i++)
        tb_string(&c, i, names[i - 1]);
    for (uint32_t i = 1; i <= 3; i++)
        tb_attributes(&c, i, 0, i);
    sd_object(&c, TABLE, 0, 4, 5);
}

struct worker {
    struct tb_chunk events;
    uint64_t arrives; /* at the lock */
    unsigned n_steps;
};

static void prepare(struct worker *w, uint64_t *random, uint64_t t)
{
    (void)tb_event(&w->events, RLN__PUSH, 1, t);
    (void)tb_event(&w->events, RLN__PUSH, 2, t + 100);
    w->arrives = t + (uint64_t)(600000 * noise(random));
    (void)tb_event(&w->events, RLN__POP, 0, w->arrives - 200);
    (void)tb_event(&w->events, RLN__PUSH, 3, w->arrives - 100);
    sd_sync(&w->events, RLN__SYNC_WAITS, TABLE, w->arrives);
}

/* Returns when the lock is free again. */
static uint64_t update(struct worker *w, uint64_t *random, uint64_t free_at, double ns)
{
    const uint64_t from = (free_at > w->arrives ? free_at : w->arrives) + 50;
    const uint64_t to = from + (uint64_t)(ns * noise(random));

    sd_sync(&w->events, RLN__SYNC_HAS, TABLE, from);
    sd_sync(&w->events, RLN__SYNC_RELEASES, TABLE, to);
    (void)tb_event(&w->events, RLN__POP, 0, to + 100);
    (void)tb_event(&w->events, RLN__POP, 0, to + 200);
    return to;
}

int main(int argc, char **argv)
{
    struct tb tb = {0};
    struct worker workers[N_WORKERS] = {0};
    uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, free_at = 0;

    if (argc < 4)
        return 2;
    (void)tb_part(&tb, 77);
    add_names(&tb);
    for (uint32_t i = 0; i < N_WORKERS; i++) {
        workers[i].events = tb_events(&tb, 1, 1 + i, 100 + i);
        tb_thread(&workers[i].events, 1 + i, 100 + i, 0, "worker");
        prepare(&workers[i], &random, 1000);
    }
    for (unsigned n = 0; n < N_WORKERS * STEPS; n++) {
        struct worker *first = NULL;

        for (unsigned i = 0; i < N_WORKERS; i++)
            if (workers[i].n_steps < STEPS &&
                (!first || workers[i].arrives < first->arrives))
                first = &workers[i];
        free_at = update(first, &random, free_at,
                         strcmp(argv[1], "lock-serial") == 0 ? 300000 : 10000);
        if (++first->n_steps < STEPS)
            prepare(first, &random, free_at + 10000);
    }
    tb_write(&tb, argv[3]);
    tb_clear(&tb);
    return 0;
}
