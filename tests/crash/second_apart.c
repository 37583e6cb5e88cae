/* SPDX-License-Identifier: Apache-2.0 */
/* second_apart.c - three marks, each a second after the other, then SIGKILL. */
#include <nvtx3/nvToolsExt.h>

#include <signal.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec due;

    nvtxMarkA("attach"); /* the first call takes its time */
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (int i = 0; i < 3; i++) {
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        /* The sleep may last longer, the wait in the end does not. */
        for (struct timespec now = {0, 0};
             now.tv_sec < due.tv_sec ||
             (now.tv_sec == due.tv_sec && now.tv_nsec < due.tv_nsec);)
            clock_gettime(CLOCK_MONOTONIC, &now);
        nvtxMarkA("mark");
        due.tv_sec++;
    }
    return kill(getpid(), SIGKILL);
}
