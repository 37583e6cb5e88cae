/* SPDX-License-Identifier: Apache-2.0 */
/* fake_libcuda.c - a stand-in for the CUDA driver: queues host functions, and runs them
 * on its own thread when fake_run() is called.
 *
 * It refuses stream 13, as the driver refuses an unknown one. It also has the functions
 * with which a program keeps a GPU busy: a fill takes a millisecond.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define MAX_QUEUED 64

static struct {
    void (*function)(void *);
    void *data;
} queue[MAX_QUEUED];
static int n_queued;

int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data);
int cuInit(unsigned flags);
int cuDeviceGet(int *device, int number);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuStreamCreate(void **stream, unsigned flags);
int cuMemAlloc_v2(uint64_t *address, size_t n_bytes);
int cuMemsetD8Async(uint64_t address, unsigned char byte, size_t n_bytes, void *stream);
int cuStreamSynchronize(void *stream);
int fake_run(void);

int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data)
{
    if (stream == (void *)13 || n_queued == MAX_QUEUED)
        return 400; /* CUDA_ERROR_INVALID_HANDLE */
    queue[n_queued].function = function;
    queue[n_queued++].data = data;
    return 0;
}

static void *run_all(void *unused)
{
    for (int i = 0; i < n_queued; i++)
        queue[i].function(queue[i].data);
    return unused;
}

/* Runs what is queued, and returns how much it was. */
int fake_run(void)
{
    const int n = n_queued;
    pthread_t thread;

    if (pthread_create(&thread, NULL, run_all, NULL))
        return -1;
    pthread_join(thread, NULL);
    n_queued = 0;
    return n;
}

int cuInit(unsigned flags)
{
    return (int)flags;
}

int cuDeviceGet(int *device, int number)
{
    *device = number;
    return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = NULL;
    return device;
}

int cuCtxSetCurrent(void *context)
{
    return context != NULL;
}

int cuStreamCreate(void **stream, unsigned flags)
{
    *stream = NULL;
    return (int)flags;
}

int cuMemAlloc_v2(uint64_t *address, size_t n_bytes)
{
    *address = n_bytes;
    return 0;
}

static void fill(void *unused)
{
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

int cuMemsetD8Async(uint64_t address, unsigned char byte, size_t n_bytes, void *stream)
{
    (void)address, (void)byte, (void)n_bytes;
    return cuLaunchHostFunc(stream, fill, NULL);
}

int cuStreamSynchronize(void *stream)
{
    (void)stream;
    return fake_run() < 0;
}
