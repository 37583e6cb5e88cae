/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - several threads make the program's first call at the same time, and then
 * the first call of an extension; no call is lost. */
#define _GNU_SOURCE /* barriers, under -std=c11 */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <pthread.h>
#include <stdio.h>

enum { N_THREADS = 8 };

static pthread_barrier_t together;
static int depth[N_THREADS], is_enabled[N_THREADS];

static void *first_calls(void *arg)
{
    const int i = (int)((int *)arg - depth);

    pthread_barrier_wait(&together);
    depth[i] = nvtxRangePushA("first");
    nvtxRangePop();
    pthread_barrier_wait(&together);
    is_enabled[i] = nvtxDomainIsEnabled(NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread[N_THREADS];
    int i, n_good = 0;

    pthread_barrier_init(&together, NULL, N_THREADS);
    for (i = 0; i < N_THREADS; i++)
        pthread_create(&thread[i], NULL, first_calls, &depth[i]);
    for (i = 0; i < N_THREADS; i++) {
        pthread_join(thread[i], NULL);
        n_good += depth[i] == 0 && is_enabled[i] == 7;
    }
    printf("%d of %d threads recorded\n", n_good, N_THREADS);
    return 0;
}
