/* SPDX-License-Identifier: Apache-2.0 */
/* control_groups.h - what a container leaves to this process: limits of its control
 * groups, of version 1 or 2. */
#ifndef RLN_BASE_CONTROL_GROUPS_H
#define RLN_BASE_CONTROL_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/* A limit that the files in a group's folder set; 0: none. */
typedef uint64_t rln__group_limit(const char *folder);

/* Where the groups of a process are. */
struct rln__control_groups {
    const char *list;  /* as /proc/self/cgroup */
    const char *mount; /* where their files are */
};

/* Those of this process. */
extern const struct rln__control_groups rln__own_control_groups;

/* The smallest limit of the process's groups and of all around them; 0: none.
 * `controllers` are the names that a group of version 1 may have, up to a NULL. */
uint64_t rln__control_groups_limit(const struct rln__control_groups *groups,
                                   const char *const *controllers,
                                   rln__group_limit *limit_in);

/* Reads the first line of a file in a folder; 0 if there is none. */
int rln__group_line(const char *folder, const char *file, char *line, size_t size);

#endif
