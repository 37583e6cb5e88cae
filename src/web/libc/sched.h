/* SPDX-License-Identifier: Apache-2.0 */
/* sched.h - there is one processor, which sysconf() says. */
#ifndef RLN_WEB_LIBC_SCHED_H
#define RLN_WEB_LIBC_SCHED_H

#include <stddef.h>

typedef struct {
    char unused;
} cpu_set_t;

#define CPU_COUNT(set) ((void)(set), 1)

static inline int sched_getaffinity(int process, size_t size, cpu_set_t *set)
{
    (void)process;
    (void)size;
    (void)set;
    return -1;
}

#endif
