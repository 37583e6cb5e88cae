/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - several threads make the program's first call at once; none is lost. */
#define _GNU_SOURCE /* barriers, under -std=c11 */
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdio.h>

enum { N_THREADS = 8 };

static pthread_barrier_t together;
static int depth[N_THREADS];

static void *first_call(void *arg)
{
    int *const result = (int *)arg;

    pthread_barrier_wait(&together);
    *result = nvtxRangePushA("first");
    nvtxRangePop();
    return NULL;
}

int main(void)
{
    pthread_t thread[N_THREADS];
    int i, n_good = 0;

    pthread_barrier_init(&together, NULL, N_THREADS);
    for (i = 0; i < N_THREADS; i++)
        pthread_create(&thread[i], NULL, first_call, &depth[i]);
    for (i = 0; i < N_THREADS; i++) {
        pthread_join(thread[i], NULL);
        n_good += depth[i] == 0;
    }
    printf("%d of %d threads recorded\n", n_good, N_THREADS);
    return 0;
}
