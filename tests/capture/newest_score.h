/* SPDX-License-Identifier: Apache-2.0 */
/* newest_score.h - the progress that newest_program.c publishes for newest_check.c. */
#ifndef RLN_TESTS_NEWEST_SCORE_H
#define RLN_TESTS_NEWEST_SCORE_H

#include <stdint.h>

enum {
    NEWEST_THREADS = 64,
    NEWEST_READS = 3, /* readings before which the program does not end */
    NEWEST_PATIENCE_S = 300,
};

struct newest_score {
    uint64_t n_reads; /* readings so far; the largest number: no more follow */
    struct newest_thread {
        uint64_t step; /* the last one whose calls have all returned */
        uint32_t tid;
    } threads[NEWEST_THREADS];
};

#endif
