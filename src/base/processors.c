/* SPDX-License-Identifier: Apache-2.0 */
#include "base/processors.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#define MOST_NUMBERS 64

static unsigned allowed(void)
{
    cpu_set_t set;
    long n;

    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    n = sysconf(_SC_NPROCESSORS_ONLN); /* more than the set can hold */
    return n > 0 && n < INT_MAX ? (unsigned)n : 1;
}

/* How many processors' time a control group may use, rounded up. A folder of version 2
 * has both numbers in a file. */
static uint64_t quota_in(const char *folder)
{
    char line[MOST_NUMBERS];
    long long quota = 0, period = 0;

    if (rln__group_line(folder, "cpu.max", line, sizeof(line))) {
        if (sscanf(line, "%lld %lld", &quota, &period) != 2)
            return 0; /* "max" */
    } else if (!rln__group_line(folder, "cpu.cfs_quota_us", line, sizeof(line)) ||
               sscanf(line, "%lld", &quota) != 1 ||
               !rln__group_line(folder, "cpu.cfs_period_us", line, sizeof(line)) ||
               sscanf(line, "%lld", &period) != 1) {
        return 0;
    }
    if (quota <= 0 || period <= 0 || quota / period >= INT_MAX)
        return 0;
    return (uint64_t)((quota + period - 1) / period);
}

unsigned rln__processors_of(unsigned n, const struct rln__control_groups *groups)
{
    static const char *const controllers[] = {"cpu", "cpu,cpuacct", NULL};
    const uint64_t quota = rln__control_groups_limit(groups, controllers, quota_in);

    if (quota && quota < n)
        n = (unsigned)quota;
    return n ? n : 1;
}

unsigned rln__processors(void)
{
    return rln__processors_of(allowed(), &rln__own_control_groups);
}
