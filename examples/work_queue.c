/* SPDX-License-Identifier: Apache-2.0 */
/* work_queue.c - which thread does what? Threads have names, and each has a separate
 * stack of ranges; a payload says which job a range was for.
 *
 *   cc -O2 -Iinclude examples/work_queue.c -o build/examples/work_queue -ldl -pthread
 *   build/bin/rangeline profile --stats true build/examples/work_queue
 */
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_WORKERS = 3, N_JOBS = 12, N_NUMBERS = 100000 };

/* The queue is just the number of the next job. */
static atomic_uint next_job, n_primes;

static unsigned count_primes(unsigned first, unsigned last)
{
    unsigned n = 0;

    for (unsigned i = first; i < last; i++) {
        unsigned divisor = 2;

        while (divisor * divisor <= i && i % divisor != 0)
            divisor++;
        n += i > 1 && divisor * divisor > i;
    }
    return n;
}

static void run_job(unsigned job)
{
    nvtxEventAttributes_t range = {0};

    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.messageType = NVTX_MESSAGE_TYPE_ASCII;
    range.message.ascii = "count primes";
    range.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32;
    range.payload.uiValue = job;

    nvtxRangePushEx(&range);
    n_primes += count_primes(job * N_NUMBERS, (job + 1) * N_NUMBERS);
    nvtxRangePop();
}

static void *work(void *name)
{
    unsigned job;

    nvtxNameOsThread((uint32_t)syscall(SYS_gettid), name);
    while ((job = atomic_fetch_add(&next_job, 1)) < N_JOBS)
        run_job(job);
    return NULL;
}

int main(void)
{
    static char names[N_WORKERS][16] = {"worker 1", "worker 2", "worker 3"};
    pthread_t workers[N_WORKERS];

    for (int i = 0; i < N_WORKERS; i++)
        pthread_create(&workers[i], NULL, work, names[i]);
    for (int i = 0; i < N_WORKERS; i++)
        pthread_join(workers[i], NULL);
    printf("%u primes below %u\n", n_primes, N_JOBS * N_NUMBERS);
    return 0;
}
