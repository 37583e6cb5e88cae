/* SPDX-License-Identifier: Apache-2.0 */
/* newest_program.c - a program that is recorded into a ring buffer, and publishes its
 * progress:
 *
 *     newest SCORE THREADS SECONDS steady|churn|fork
 *
 * Each thread pushes `work` once, and then makes steps: a push of `step` whose payload
 * is the step's number, in it a mark, and periodically a range that a later step ends.
 * Every fourth steady thread is slow. With `churn`, threads end after a few thousand
 * steps and others replace them; with `fork`, processes do. newest_check.c describes
 * what a reader of the trace may find; SCORE has the progress of steady threads. The
 * program ends when SECONDS are over and the trace was read often enough, however slow
 * the machine is.
 */
#include <nvtx3/nvToolsExt.h>

#include "newest_score.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct newest_score *score;
static long n_threads;
static double seconds;
static int churns, forks;

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int is_over(double end)
{
    const double t = now();

    return t >= end &&
           (t >= end + NEWEST_PATIENCE_S ||
            __atomic_load_n(&score->n_reads, __ATOMIC_ACQUIRE) >= NEWEST_READS);
}

static nvtxEventAttributes_t numbered(const char *message, uint64_t n)
{
    nvtxEventAttributes_t a = {.version = NVTX_VERSION,
                               .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                               .payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
                               .messageType = NVTX_MESSAGE_TYPE_ASCII};

    a.payload.ullValue = n;
    a.message.ascii = message;
    return a;
}

static void step(uint64_t n, nvtxRangeId_t *open)
{
    const nvtxEventAttributes_t a = numbered("step", n);

    (void)nvtxRangePushEx(&a);
    if (n % 64 == 0) {
        const nvtxEventAttributes_t s = numbered("across", n);

        if (*open)
            nvtxRangeEnd(*open);
        *open = nvtxRangeStartEx(&s);
    } else {
        nvtxMarkA("mark");
    }
    (void)nvtxRangePop();
}

static void *work(void *number)
{
    struct newest_thread *own = &score->threads[(size_t)number];
    const uint64_t n_steps = churns ? 3000 : UINT64_MAX;
    const int is_slow = !churns && (size_t)number % 4 == 3;
    const double end = now() + seconds;
    nvtxRangeId_t open = 0;

    (void)nvtxRangePushA("work");
    if (!churns)
        __atomic_store_n(&own->tid, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
    for (uint64_t n = 1; n <= n_steps; n++) {
        step(n, &open);
        if (!churns)
            __atomic_store_n(&own->step, n, __ATOMIC_RELEASE);
        if (is_slow)
            (void)usleep(1000);
        if ((is_slow || n % 1024 == 0) && is_over(end))
            break;
    }
    if (open)
        nvtxRangeEnd(open);
    (void)nvtxRangePop();
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[NEWEST_THREADS];

    for (long i = 0; i < n_threads; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)(size_t)i))
            exit(2);
    for (long i = 0; i < n_threads; i++)
        (void)pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    const int fd = argc > 4 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
    double end;

    n_threads = argc > 4 ? atol(argv[2]) : 0;
    if (n_threads < 1 || n_threads > NEWEST_THREADS || fd < 0 ||
        ftruncate(fd, sizeof(*score)) < 0)
        return 2;
    score = mmap(NULL, sizeof(*score), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (score == MAP_FAILED)
        return 2;
    seconds = atof(argv[3]);
    forks = strcmp(argv[4], "fork") == 0;
    churns = forks || strcmp(argv[4], "churn") == 0;
    end = now() + seconds;
    (void)nvtxRangePushA("main");
    do {
        const pid_t child = forks ? fork() : -1;

        if (child <= 0)
            run_threads();
        if (child == 0)
            _exit(0);
        if (child > 0)
            (void)waitpid(child, NULL, 0);
    } while (churns && !is_over(end));
    (void)nvtxRangePop();
    return 0;
}
