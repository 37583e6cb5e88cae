/* SPDX-License-Identifier: Apache-2.0 */
/* child_pids.h - the processes that a process has started. */
#ifndef RLN_RECORD_START_CHILD_PIDS_H
#define RLN_RECORD_START_CHILD_PIDS_H

#include <stddef.h>
#include <sys/types.h>

struct rln__pids {
    pid_t *items; /* owned: freed by the caller */
    size_t n, capacity;
};

/* Left out if there is no memory. */
void rln__pids_add(struct rln__pids *pids, pid_t pid);

/* The kernel lists the children of a thread; those of a process are those of its
 * threads. Without CONFIG_PROC_CHILDREN none is found. */
void rln__pids_add_children(struct rln__pids *pids, pid_t pid);

#endif
