/* SPDX-License-Identifier: Apache-2.0 */
/* trace_words.h - the words of -t, nsys's for what to record. */
#ifndef RLN_RECORD_START_TRACE_WORDS_H
#define RLN_RECORD_START_TRACE_WORDS_H

#include <stdbool.h>

#include "console/args.h"

struct rln__traced {
    bool gpu;        /* GPU work */
    bool python_gil; /* waits of threads for Python's GIL */
    bool mpi;        /* calls of MPI */
};

/* Reads the lists of an option. Prints one note about what has no effect. Dies with exit
 * 2 if a word is not one of nsys's. */
struct rln__traced rln__trace_words(const struct rln__args *args, unsigned row);

#endif
