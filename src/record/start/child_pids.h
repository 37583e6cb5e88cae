/* SPDX-License-Identifier: Apache-2.0 */
/* child_pids.h - the processes of a run. */
#ifndef RLN_RECORD_START_CHILD_PIDS_H
#define RLN_RECORD_START_CHILD_PIDS_H

#include <stddef.h>
#include <sys/types.h>

struct rln__pids {
    pid_t *items; /* owned: freed by the caller */
    size_t n, capacity;
};

/* The program, and what it and this process started and adopted: at most `most`,
 * parents before their children. Without CONFIG_PROC_CHILDREN only the program is
 * found; what there is no memory for is left out. */
struct rln__pids rln__pids_of_run(pid_t program, size_t most);

#endif
