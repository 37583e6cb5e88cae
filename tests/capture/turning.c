/* SPDX-License-Identifier: Apache-2.0 */
/* turning.c - threads that push and pop while another opens and closes windows:
 *
 *     turning THREADS STEPS [capture]
 *
 * Each thread nests ranges to varying depths, in domains whose ranges cross, and in
 * between starts and ends ranges, makes marks, registers heaps and submits events. With
 * "capture", ranges named `turn`, which all threads push, open the windows. A thread
 * ends all its ranges. Exits 1 if a call returned a wrong depth.
 */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rangeline/control.h"

enum { N_DOMAINS = 6, DEEPEST = 400, N_IDS = 8 };
enum { FEWEST_WINDOWS = 64, EVERY_LONG_WINDOW = 16, STEPS_OF_LONG_WINDOW = 256 };

static nvtxDomainHandle_t domains[N_DOMAINS];
static long n_steps;
static int captures, n_wrong, n_opened, is_over;
static long n_taken; /* steps of all threads together */

struct turner {
    uint32_t random;
    int depth[N_DOMAINS];
    nvtxRangeId_t ids[N_IDS];
};

static uint32_t below(struct turner *t, uint32_t n)
{
    t->random = t->random * 1664525u + 1013904223u;
    return (t->random >> 8) % n;
}

static void expect(int found, int expected)
{
    if (found != expected)
        (void)__atomic_fetch_add(&n_wrong, 1, __ATOMIC_RELAXED);
}

static void push(struct turner *t, uint32_t d)
{
    nvtxEventAttributes_t a = {.version = NVTX_VERSION,
                               .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                               .messageType = NVTX_MESSAGE_TYPE_ASCII};

    a.message.ascii = captures && below(t, 16) == 0 ? "turn" : "range";
    if (below(t, 8) == 0) {
        a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
        a.payload.ullValue = 1;
    }
    expect(nvtxDomainRangePushEx(domains[d], &a), t->depth[d]++);
}

static void pop(struct turner *t, uint32_t d)
{
    expect(nvtxDomainRangePop(domains[d]), --t->depth[d]);
}

static void say_else(struct turner *t, uint32_t d)
{
    const uint32_t at = below(t, N_IDS);
    uint64_t word = 1;
    const nvtxPayloadData_t data = {NVTX_PAYLOAD_ENTRY_TYPE_UINT64, sizeof(word),
                                    &word};

    switch (below(t, 8)) {
    case 0:
        nvtxEventSubmit(domains[d], &data, 1);
        break;
    case 1:
        nvtxMemHeapReset(domains[d], NULL);
        break;
    case 2:
        nvtxRangeEnd(t->ids[at]);
        t->ids[at] = nvtxDomainRangeStartEx(domains[d], NULL);
        break;
    default:
        nvtxMarkA("mark");
    }
}

/* On a busy machine, the thread that opens windows may begin late. However few STEPS
 * are, threads go on until some windows have opened and closed. Steps beyond STEPS are
 * slow, to leave time for that thread, and room on the disk. */
static int goes_on(long step)
{
    (void)__atomic_add_fetch(&n_taken, 1, __ATOMIC_RELAXED);
    if (step < n_steps)
        return 1;
    if (captures || __atomic_load_n(&n_opened, __ATOMIC_RELAXED) >= FEWEST_WINDOWS)
        return 0;
    (void)usleep(100);
    return 1;
}

static void *turn(void *number)
{
    struct turner t = {.random = (uint32_t)(size_t)number};

    for (int i = 0; i < N_IDS; i++)
        t.ids[i] = nvtxRangeStartA("id");
    for (long i = 0; goes_on(i); i++) {
        const uint32_t d = below(&t, N_DOMAINS), goal = below(&t, 64) ? 4 : DEEPEST;

        if (below(&t, 3) == 0)
            say_else(&t, d);
        while (goal == DEEPEST && t.depth[d] < DEEPEST && below(&t, 512))
            push(&t, d);
        if (t.depth[d] < 4 && below(&t, 2))
            push(&t, d);
        else if (t.depth[d] > 0)
            pop(&t, d);
        while (t.depth[d] > 8)
            pop(&t, d);
    }
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        while (t.depth[d] > 0)
            pop(&t, d);
    for (int i = 0; i < N_IDS; i++)
        nvtxRangeEnd(t.ids[i]);
    return NULL;
}

/* Most windows are as short as possible; some last while the threads work. */
static void stay_open(void)
{
    const long enough =
        __atomic_load_n(&n_taken, __ATOMIC_RELAXED) + STEPS_OF_LONG_WINDOW;

    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED) &&
           __atomic_load_n(&n_taken, __ATOMIC_RELAXED) < enough)
        (void)sched_yield();
}

static void *open_and_close(void *nothing)
{
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        (void)!rln_stop();
        (void)sched_yield();
        (void)!rln_start();
        if (__atomic_add_fetch(&n_opened, 1, __ATOMIC_RELAXED) % EVERY_LONG_WINDOW == 0)
            stay_open();
        (void)sched_yield();
    }
    return nothing;
}

int main(int argc, char **argv)
{
    const long n_threads = argc > 2 ? atol(argv[1]) : 0;
    pthread_t threads[64], turner;

    if (n_threads < 1 || n_threads > 64)
        return 2;
    n_steps = atol(argv[2]);
    captures = argc > 3 && strcmp(argv[3], "capture") == 0;
    for (int d = 1; d < N_DOMAINS; d++)
        domains[d] = nvtxDomainCreateA((char[]){(char)('a' + d), '\0'});
    if (!captures && pthread_create(&turner, NULL, open_and_close, NULL))
        return 2;
    for (long i = 0; i < n_threads; i++)
        if (pthread_create(&threads[i], NULL, turn, (void *)(size_t)(i + 1)))
            return 2;
    for (long i = 0; i < n_threads; i++)
        (void)pthread_join(threads[i], NULL);
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    if (!captures)
        (void)pthread_join(turner, NULL);
    if (n_wrong)
        (void)fprintf(stderr, "turning: %d depths were wrong\n", n_wrong);
    return n_wrong != 0;
}
