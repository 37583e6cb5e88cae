/* SPDX-License-Identifier: Apache-2.0 */
/* size.c - how many bytes does a pair take on disk, and how many does a thread?
 *
 * bench_size PAIRS THREADS: each thread records PAIRS pairs, in groups of 8 threads
 * that run one after the other. bench/run runs it under `rangeline profile` and checks
 * the file.
 */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdlib.h>

enum { GROUP = 8 };

static long n_pairs;

static void *record(void *unused)
{
    for (long i = 0; i < n_pairs; i++) {
        nvtxRangePushA("step");
        nvtxRangePop();
    }
    return unused;
}

int main(int argc, char **argv)
{
    const long n_threads = argc > 2 ? atol(argv[2]) : 1;

    n_pairs = argc > 1 ? atol(argv[1]) : 1000;
    for (long begun = 0; begun < n_threads; begun += GROUP) {
        const long n = n_threads - begun < GROUP ? n_threads - begun : GROUP;
        pthread_t threads[GROUP];

        for (long i = 0; i < n; i++) {
            if (pthread_create(&threads[i], NULL, record, NULL) != 0)
                return 1;
        }
        for (long i = 0; i < n; i++)
            pthread_join(threads[i], NULL);
    }
    return 0;
}
