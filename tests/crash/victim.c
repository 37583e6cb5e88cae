/* SPDX-License-Identifier: Apache-2.0 */
/* victim.c - records at a steady rate until something ends it.
 *
 * victim SCORE_FD threads|forks|_exit|abort|overflow [MILLISECONDS]
 *
 * Four threads (or forked processes) make 100,000 calls per second each. They note each
 * call that has returned in the memory of SCORE_FD. The last three ways end the process
 * after a number of milliseconds, from one thread while the others continue.
 */
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

enum { BATCH = 10 };

static struct score *score;
static nvtxDomainHandle_t domain;
static nvtxStringHandle_t string;

static void one_call(enum call call, uint64_t payload, nvtxRangeId_t *id)
{
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    a.payload.ullValue = payload;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "call";
    switch (call) {
    case CALL_PUSH:
        a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        a.message.registered = string;
        nvtxDomainRangePushEx(domain, &a);
        break;
    case CALL_MARK:
        nvtxMarkEx(&a);
        break;
    case CALL_START:
        *id = nvtxDomainRangeStartEx(domain, &a);
        break;
    case CALL_END:
        nvtxDomainRangeEnd(domain, *id);
        break;
    default:
        nvtxDomainRangePop(domain);
    }
}

static void *work(void *number)
{
    const unsigned worker = (unsigned)(uintptr_t)number;
    struct timespec due;
    nvtxRangeId_t id = 0;

    clock_gettime(CLOCK_MONOTONIC, &due);
    for (uint64_t serial = 0;; serial++) {
        one_call(serial % CALLS, payload_of(worker, serial), &id);
        __atomic_store_n(&score->returned[worker], serial + 1, __ATOMIC_RELEASE);
        if (serial % BATCH != BATCH - 1)
            continue;
        due.tv_nsec += 1000000000L / EVENTS_PER_S * BATCH;
        if (due.tv_nsec >= 1000000000L) {
            due.tv_nsec -= 1000000000L;
            due.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    }
    return NULL;
}

/* Recurses until the stack overflows, long before `depth` is 0. */
static int overflow(unsigned depth)
{
    volatile char here[4096];

    here[0] = (char)depth;
    return depth ? overflow(depth - 1) + here[0] : 0;
}

static void fork_workers(void)
{
    for (uintptr_t i = 0; i < WORKERS; i++) {
        if (fork() == 0)
            work((void *)i);
    }
    while (wait(NULL) > 0)
        ;
}

int main(int argc, char **argv)
{
    const char *way = argc > 2 ? argv[2] : "threads";
    pthread_t thread;

    score = mmap(NULL, sizeof *score, PROT_READ | PROT_WRITE, MAP_SHARED,
                 argc > 1 ? atoi(argv[1]) : -1, 0);
    if (score == MAP_FAILED)
        return 1;
    __atomic_store_n(&score->pid, (uint32_t)getpid(), __ATOMIC_RELEASE);
    domain = nvtxDomainCreateA("victim");
    string = nvtxDomainRegisterStringA(domain, "registered");
    if (strcmp(way, "forks") == 0)
        fork_workers();
    for (uintptr_t i = 0; i < WORKERS; i++)
        pthread_create(&thread, NULL, work, (void *)i);
    usleep(argc > 3 ? (useconds_t)atoi(argv[3]) * 1000 : 60000000);
    if (strcmp(way, "_exit") == 0)
        _exit(3);
    if (strcmp(way, "abort") == 0)
        abort();
    return overflow(1u << 30);
}
