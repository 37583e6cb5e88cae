/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory_share.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_DIGITS 32

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* `result` is that of getrlimit(). */
static uint64_t limited(uint64_t n_bytes, int result, const struct rlimit *limit)
{
    return result != 0 || limit->rlim_cur == RLIM_INFINITY
               ? n_bytes
               : least(n_bytes, limit->rlim_cur);
}

/* The file of version 2, or that of version 1. "max" is no limit. */
static uint64_t limit_in(const char *folder)
{
    char line[MOST_DIGITS];
    unsigned long long n_bytes;

    if (!rln__group_line(folder, "memory.max", line, sizeof(line)) &&
        !rln__group_line(folder, "memory.limit_in_bytes", line, sizeof(line)))
        return 0;
    return sscanf(line, "%llu", &n_bytes) == 1 ? n_bytes : 0;
}

size_t rln__memory_share_of(uint64_t n_bytes, const struct rln__control_groups *groups)
{
    static const char *const controllers[] = {"memory", NULL};
    const uint64_t limit = rln__control_groups_limit(groups, controllers, limit_in);

    return (size_t)((limit ? least(n_bytes, limit) : n_bytes) / 8);
}

size_t rln__memory_share(void)
{
    const long n_pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t n_bytes = n_pages > 0 && page > 0 ? (uint64_t)n_pages * (uint64_t)page : 0;
    struct rlimit limit;

    n_bytes = limited(n_bytes, getrlimit(RLIMIT_AS, &limit), &limit);
    n_bytes = limited(n_bytes, getrlimit(RLIMIT_DATA, &limit), &limit);
    return rln__memory_share_of(n_bytes, &rln__own_control_groups);
}
