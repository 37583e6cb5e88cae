/* SPDX-License-Identifier: Apache-2.0 */
/* memory_limit.h - keeps a trace in memory (--spool /dev/shm) so small that the kernel
 * kills no process of the run for lack of memory.
 *
 *     every 100 ms: room of all cgroups of the run --> superblock.growth_limit
 *     the collector reserves no block that would end beyond it: as on a full disk, it
 *     drops and counts events, and goes on when the limit has grown
 *
 * The launcher does this because it may open files: in the program, an open descriptor
 * would be seen.
 */
#ifndef RLN_RECORD_DURING_MEMORY_LIMIT_H
#define RLN_RECORD_DURING_MEMORY_LIMIT_H

#include <stdbool.h>
#include <sys/types.h>

#include "format/superblock.h"

#define RLN__MOST_GROUPS 8u

struct rln__memory_limit {
    const struct rln__file *file; /* borrowed */
    bool is_in_memory;            /* the trace: otherwise there is no limit */
    pid_t program;
    char *groups[RLN__MOST_GROUPS]; /* owned: /proc/PID/cgroup of its processes, once */
    size_t n_groups;
    unsigned n_polls;
    bool was_reached; /* blocks were refused, or would have been */
};

/* Sets the first limit if the trace is in memory, before the program runs. */
void rln__memory_limit_begin(struct rln__memory_limit *m, const struct rln__file *file,
                             pid_t program);

/* Sets the limit again. Returns after how many ms to do so again; LONG_MAX: never. */
long rln__memory_limit_poll(struct rln__memory_limit *m);

void rln__memory_limit_clear(struct rln__memory_limit *m);

#endif
