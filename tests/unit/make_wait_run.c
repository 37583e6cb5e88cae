/* SPDX-License-Identifier: Apache-2.0 */
/* make_wait_run.c FAULT SEED OUTPUT - writes a run that receives batches from worker
 * processes. With `blocked` it waits for 14 ms of a step of 20, until 0.3 ms after the one
 * worker has decoded the next batch; with `short-wait` for 0.1 ms. With `busy-workers` it
 * waits as long for something else, while eight workers decode, each at a rate of its own.
 *
 *   step   [receive: blocked      ][compute]
 *   worker [decode           ] pickles
 */
#include "switch_scenario.h"

enum { STEPS = 200, MOST_WORKERS = 8, MAIN = 100, US = 1000, STEP_US = 20000 };
enum { STEP = 1, RECEIVE, COMPUTE, DECODE, N_NAMES };

/* As Knuth's MMIX: 0.9 to 1.1. */
static double noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 0.9 + (double)(*state >> 33) / (double)(UINT64_C(1) << 31) * 0.2;
}

static uint64_t noisy(uint64_t *state, unsigned us)
{
    return (uint64_t)(us * US * noise(state));
}

static void add_process(struct tb *tb, uint32_t number, uint32_t pid)
{
    static const char *const names[N_NAMES] = {NULL, "step", "receive", "compute",
                                               "decode"};
    struct tb_chunk c = tb_names(tb, number);

    (void)tb_process(&c, number, 0, pid);
    for (uint32_t i = STEP; i < N_NAMES; i++) {
        tb_string(&c, i, names[i]);
        tb_attributes(&c, i, 0, i);
    }
}

static struct tb_chunk add_thread(struct tb *tb, uint32_t number, uint32_t pid)
{
    struct tb_chunk c;

    add_process(tb, number, pid);
    c = tb_events(tb, number, 1, pid);
    tb_thread(&c, 1, pid, 0, "main");
    return c;
}

static void add_range(struct tb_chunk *c, uint32_t name, uint64_t from, uint64_t to)
{
    (void)tb_event(c, RLN__PUSH, name, from);
    (void)tb_event(c, RLN__POP, 0, to);
}

/* The time at which the last batch is there. */
static uint64_t add_steps(struct tb *tb, uint64_t *random, unsigned wait_us,
                          struct tb_chunk *worker)
{
    struct tb_chunk c = add_thread(tb, 1, MAIN), switches;
    uint64_t t = 0;

    add_process(tb, 2, 99);
    switches = tb_switches(tb);
    tb_switch(&switches, RLN__SWITCH_EXECED, MAIN, 0);
    for (unsigned i = 0; i < STEPS; i++) {
        const uint64_t waits = t + 5 * US, wakes = waits + noisy(random, wait_us);
        const uint64_t ends = wakes + noisy(random, STEP_US - wait_us);

        if (worker)
            add_range(worker, DECODE, t + 100, wakes - noisy(random, wait_us / 50));
        (void)tb_event(&c, RLN__PUSH, STEP, t);
        (void)tb_event(&c, RLN__PUSH, RECEIVE, waits - 2 * US);
        tb_switch(&switches, RLN__SWITCH_BLOCKED, MAIN, waits);
        tb_switch(&switches, RLN__SWITCH_ON, MAIN, wakes);
        (void)tb_event(&c, RLN__POP, 0, wakes + 2 * US);
        add_range(&c, COMPUTE, wakes + 3 * US, ends - 2 * US);
        (void)tb_event(&c, RLN__POP, 0, ends);
        t = ends + US;
    }
    tb_until(&switches, t);
    return t;
}

int main(int argc, char **argv)
{
    struct tb tb = {0};
    struct tb_chunk worker;
    uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, end;
    const int is_busy = argc > 1 && strcmp(argv[1], "busy-workers") == 0;
    const int is_short = argc > 1 && strcmp(argv[1], "short-wait") == 0;

    if (argc < 4)
        return 2;
    (void)tb_part(&tb, 77);
    worker = add_thread(&tb, 3, 200);
    end = add_steps(&tb, &random, is_short ? 100 : 14000, is_busy ? NULL : &worker);
    for (uint32_t i = 0; i < MOST_WORKERS && is_busy; i++) {
        worker = add_thread(&tb, 4 + i, 201 + i);
        for (uint64_t t = noisy(&random, 5000 * i), to; t < end; t = to + 100 * US) {
            to = t + noisy(&random, 15000 + 1000 * i);
            add_range(&worker, DECODE, t, to);
        }
    }
    tb_write(&tb, argv[3]);
    tb_clear(&tb);
    return 0;
}
