/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_clocks.h - what the kernel counts for each thread: its time on a processor, and the
 * time that it could have been on one but was not (/proc/PID/task/TID/schedstat).
 *
 * Everybody may read them, at any time. They say how much, not when.
 */
#ifndef RLN_RECORD_DURING_CPU_CLOCKS_H
#define RLN_RECORD_DURING_CPU_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct rln__cpu_reading {
    uint64_t time_ns; /* when: rln__ring_now() */
    uint64_t on_ns, waited_ns;
};

/* Of one thread. */
struct rln__cpu_clocks {
    int fd; /* owned; -1: not open */
    struct rln__cpu_reading newest;
    struct rln__cpu_reading written; /* the last that was; zeroed: none */
};

/* Whether the kernel counts, and /proc has the processes of our PID namespace: else it has
 * other ones by their numbers. */
bool rln__cpu_clocks_are_there(void);

/* 0 or -errno: -ESRCH if there is no such thread. */
int rln__cpu_clocks_open(struct rln__cpu_clocks *clocks, uint32_t pid, uint32_t tid);
void rln__cpu_clocks_close(struct rln__cpu_clocks *clocks);

/* False: the thread has ended. */
bool rln__cpu_clocks_read(struct rln__cpu_clocks *clocks,
                          struct rln__cpu_reading *reading);

#endif
