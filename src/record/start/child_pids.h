/* SPDX-License-Identifier: Apache-2.0 */
/* child_pids.h - the processes of a run. */
#ifndef RLN_RECORD_START_CHILD_PIDS_H
#define RLN_RECORD_START_CHILD_PIDS_H

#include <stdbool.h>
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

/* From now on a child of the launcher is none of the run's, until another is, or 0. False
 * if the kernel does not list children, so that it cannot be told from the others. */
bool rln__pids_leave_out(pid_t helper);
bool rln__pid_is_left_out(pid_t pid);
/* Whether the launcher, which has children, has one of the run's. */
bool rln__pids_any_child_of_run(void);

#endif
