/* SPDX-License-Identifier: Apache-2.0 */
/* memory_room.h - how much a file in memory may grow before the kernel kills a process.
 *
 * A trace on a tmpfs counts as memory of the processes that record into it, and a
 * process that has no memory left is killed: by the limit of its cgroup, of one above,
 * or of the machine. Recording leaves free the larger of 256 MiB and 2 % of each limit,
 * as on a disk, but at most a half: the program's own memory may grow, too.
 */
#ifndef RLN_RECORD_DURING_MEMORY_ROOM_H
#define RLN_RECORD_DURING_MEMORY_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The text of /proc/PID/cgroup; false if there is none. `root` is in front of all
 * paths:
 * "", or the folder of a test. */
bool rln__memory_groups(const char *root, pid_t pid, char *out, size_t size);

/* What the groups in such a text leave, in either version of cgroups; UINT64_MAX: any
 * amount. */
uint64_t rln__memory_room_of(const char *root, const char *groups);

/* What the machine leaves. */
uint64_t rln__memory_room_here(const char *root);

#endif
