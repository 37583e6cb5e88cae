/* SPDX-License-Identifier: Apache-2.0 */
/* empty_run.h - why a run left no trace, and what to do about it. */
#ifndef RLN_RECORD_FINISH_EMPTY_RUN_H
#define RLN_RECORD_FINISH_EMPTY_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct rln__empty_run {
    const char *path;  /* of the trace, which has the names of unrecorded events */
    const char *range; /* to be captured, or NULL */
    const char *nth;   /* which occurrences of it, or NULL */
    const char *filter, *filtered; /* an option that excludes events, and its value;
                                      or NULL */
    uint64_t gate;                 /* at the end: format/layout.h */
    uint32_t occurrences;          /* of the range */
    uint64_t n_held;               /* of those that could open nothing */
    bool has_loaded;               /* the program made an NVTX call */
    const char *program;           /* its file */
    /* A command that records more of a program in Python, and what; or NULL. */
    const char *python_command, *python_gain;
    bool is_python, records_python; /* functions were to be recorded */
    bool python_is_mine;            /* only the program's own */
    bool reported_python;           /* why they were not */
    int exit_code, signal;          /* how it ended; signal 0: by itself */
    bool records_gpu;               /* it was asked for */
    bool records_gil;               /* so were waits for Python's GIL */
    bool records_mpi;               /* and calls of MPI */
    bool has_reports; /* processes could not join the trace, which was printed */
};

/* Explains it, and names ranges that resemble the one that was to be captured. */
void rln__empty_run_explain(const struct rln__empty_run *run);

#endif
