/* SPDX-License-Identifier: Apache-2.0 */
/* chunk_scan.c - how long does it take to read each word of a file that is in memory?
 *
 * bench_chunk_scan FILE prints the time of the fastest of 5 runs, in seconds. No reader
 * of a trace can be faster; bench/run compares reports with it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

enum { TIMES = 5 };

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    const int file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    const uint64_t *words;
    uint64_t sum = 0;
    double quickest = 1e9;
    struct stat st;

    if (file < 0 || fstat(file, &st) < 0 || st.st_size <= 0)
        return 1;
    words =
        mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (words == MAP_FAILED)
        return 1;
    for (int i = 0; i < TIMES; i++) {
        const double begin = now();
        uint64_t all = 0;
        double took;

        for (size_t k = 0; k < (size_t)st.st_size / sizeof(*words); k++)
            all += words[k];
        sum += all;
        took = now() - begin;
        quickest = took < quickest ? took : quickest;
    }
    printf("%.6f\n", quickest);
    return sum == 0 ? 1 : 0; /* uses the sum, so that the compiler computes it */
}
