/* SPDX-License-Identifier: Apache-2.0 */
/* start_end.c - how long does a request take that another thread answers? A started
 * range has an id, with which another thread or a forked child can end it. Unlike
 * pushed ranges, such ranges may overlap.
 *
 *   cc -O2 -Iinclude examples/start_end.c -o build/examples/start_end -ldl -pthread
 *   build/bin/rangeline profile --stats true build/examples/start_end
 */
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N_REQUESTS = 3 };

static nvtxRangeId_t requests[N_REQUESTS];

static void busy_for(long milliseconds)
{
    nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL);
}

static void *answer_requests(void *unused)
{
    for (int i = 0; i < N_REQUESTS; i++) {
        nvtxRangePush("answer");
        busy_for(20);
        nvtxRangePop();
        nvtxRangeEnd(requests[i]);
    }
    return unused;
}

static void hand_to_thread(void)
{
    pthread_t thread;

    for (int i = 0; i < N_REQUESTS; i++) {
        requests[i] = nvtxRangeStart("request");
        busy_for(5);
    }
    pthread_create(&thread, NULL, answer_requests, NULL);
    pthread_join(thread, NULL);
}

static void hand_to_child(void)
{
    const nvtxRangeId_t report = nvtxRangeStart("report");
    const pid_t child = fork();

    if (child == 0) {
        nvtxRangePush("write report");
        busy_for(40);
        nvtxRangePop();
        nvtxRangeEnd(report);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    hand_to_thread();
    hand_to_child();
    puts("three requests were answered by a thread, one report written by a child");
    return 0;
}
