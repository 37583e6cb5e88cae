/* SPDX-License-Identifier: Apache-2.0 */
/* hands_over.c [SECONDS] - two threads wake each other all the time, in ranges `turns` of
 * the first one, while a third waits in a range `waits`, until so much time has passed. At
 * its end, the first one sends SIGUSR2 to the launcher and waits a moment, in a range
 * `asks`. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

static int there[2], back[2], end[2];

static void *answer(void *unused)
{
    char byte;

    (void)unused;
    while (read(there[0], &byte, 1) == 1)
        if (write(back[1], &byte, 1) != 1)
            abort();
    return NULL;
}

static void *wait_long(void *unused)
{
    char byte;

    (void)unused;
    nvtxRangePushA("waits");
    if (read(end[0], &byte, 1) != 0)
        abort();
    nvtxRangePop();
    return NULL;
}

static void take_turns(void)
{
    char byte = 0;

    nvtxRangePushA("turns");
    for (int i = 0; i < 200; i++)
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
            abort();
    nvtxRangePop();
}

static double now_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    const double until_s = now_s() + (argc > 1 ? atof(argv[1]) : 1);
    pthread_t answers, waits;

    if (pipe(there) || pipe(back) || pipe(end) ||
        pthread_create(&answers, NULL, answer, NULL) ||
        pthread_create(&waits, NULL, wait_long, NULL))
        return 1;
    while (now_s() < until_s) {
        take_turns();
        (void)usleep(5000); /* the launcher shall lose none beside other tests */
    }
    nvtxRangePushA("asks");
    (void)kill(getppid(), SIGUSR2);
    (void)usleep(200000);
    nvtxRangePop();
    (void)close(end[1]);
    (void)close(there[1]);
    (void)pthread_join(waits, NULL);
    (void)pthread_join(answers, NULL);
    return 0;
}
