/* SPDX-License-Identifier: Apache-2.0 */
/* second_apart.c - makes three marks a second apart, then ends itself by SIGKILL. Their
 * payloads are the clock just before: a busy machine wakes the program late. */
#include <nvtx3/nvToolsExt.h>

#include <signal.h>
#include <time.h>
#include <unistd.h>

static void mark_now(void)
{
    struct timespec now;
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "mark";
    a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    clock_gettime(CLOCK_MONOTONIC, &now);
    a.payload.ullValue = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    nvtxMarkEx(&a);
}

int main(void)
{
    struct timespec due;

    nvtxMarkA("attach"); /* the first call takes its time */
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (int i = 0; i < 3; i++) {
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        mark_now();
        due.tv_sec++;
    }
    return kill(getpid(), SIGKILL);
}
