/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.h - how many processors and how much memory this process may use: the
 * machine's, or less as its affinity, `ulimit` and the control groups of its container
 * say. */
#ifndef RLN_BASE_ALLOWANCE_H
#define RLN_BASE_ALLOWANCE_H

#include <stddef.h>
#include <stdint.h>

/* Where the control groups of a process are, of version 1 or 2. */
struct rln__control_groups {
    const char *list;  /* as /proc/self/cgroup */
    const char *mount; /* where their files are */
};

/* How many processors it can use at once: those it may run on, but no more than its
 * container may use time of. 1 or more. */
unsigned rln__processors(void);

/* How many of them take part in work of `n_tasks`: as many as were asked for; or, if
 * `n_asked` is 0, as many as there are, are worth it, and `most`. 1 or more. */
size_t rln__jobs_for(unsigned n_asked, size_t n_tasks, size_t n_worth, size_t most);

/* Of so many, those that control groups leave. */
unsigned rln__processors_of(unsigned n, const struct rln__control_groups *groups);

/* How much memory it takes before it uses a file, in bytes: an eighth of what it may
 * have. Reads files. */
size_t rln__memory_share(void);

/* An eighth of `n_bytes`, or of the less that control groups leave. */
size_t rln__memory_share_of(uint64_t n_bytes, const struct rln__control_groups *groups);

#endif
