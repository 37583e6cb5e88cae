/* SPDX-License-Identifier: Apache-2.0 */
#include "base/allowance.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_NUMBERS 64

/* --- Control groups --------------------------------------------------------------- */

/* A limit that the files in a group's folder set; 0: none. */
typedef uint64_t group_limit(const char *folder);

static const struct rln__control_groups own_groups = {"/proc/self/cgroup",
                                                      "/sys/fs/cgroup"};

/* The first line of a file in a folder; 0 if there is none. */
static int read_line(const char *folder, const char *name, char *line, size_t size)
{
    char path[PATH_MAX + 32];
    FILE *file;
    int is_read;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "re");
    if (!file)
        return 0;
    is_read = fgets(line, (int)size, file) != NULL;
    (void)fclose(file);
    return is_read;
}

/* Of two limits, of which 0 is none. */
static uint64_t least(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* The limits of a group and of all around it. */
static uint64_t limit_of(const char *mount, const char *group, group_limit *limit_in)
{
    char folder[PATH_MAX];
    const int length = snprintf(folder, sizeof(folder), "%s%s", mount, group);
    uint64_t limit = 0;

    if (length < 0 || (size_t)length >= sizeof(folder))
        return 0;
    while (strlen(folder) >= strlen(mount)) {
        char *slash;

        limit = least(limit, limit_in(folder));
        slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    return limit;
}

/* A line is NUMBER:CONTROLLERS:GROUP; version 2 has no controllers. In a container, a
 * group may have the name that the host knows: then only the mount has its files. */
static uint64_t limit_of_line(const char *mount, char *line,
                              const char *const *controllers, group_limit *limit_in)
{
    char *names = strchr(line, ':');
    char *group = names ? strchr(names + 1, ':') : NULL;
    char folder[PATH_MAX];

    if (!group)
        return 0;
    *group++ = '\0';
    names++;
    group[strcspn(group, "\n")] = '\0';
    if (!*names)
        return limit_of(mount, group, limit_in);
    while (*controllers && strcmp(names, *controllers) != 0)
        controllers++;
    if (!*controllers)
        return 0;
    (void)snprintf(folder, sizeof(folder), "%s/%s", mount, names);
    return limit_of(folder, group, limit_in);
}

/* The smallest limit of the process's groups and of all around them; 0: none.
 * `controllers` are the names that a group of version 1 may have, up to a NULL. */
static uint64_t limit_of_all(const struct rln__control_groups *groups,
                             const char *const *controllers, group_limit *limit_in)
{
    FILE *file = fopen(groups->list, "re");
    char line[PATH_MAX + 64];
    uint64_t limit = 0;

    while (file && fgets(line, sizeof(line), file))
        limit = least(limit, limit_of_line(groups->mount, line, controllers, limit_in));
    if (file)
        (void)fclose(file);
    return limit;
}

/* --- Processors ------------------------------------------------------------------- */

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

    if (read_line(folder, "cpu.max", line, sizeof(line))) {
        if (sscanf(line, "%lld %lld", &quota, &period) != 2)
            return 0; /* "max" */
    } else if (!read_line(folder, "cpu.cfs_quota_us", line, sizeof(line)) ||
               sscanf(line, "%lld", &quota) != 1 ||
               !read_line(folder, "cpu.cfs_period_us", line, sizeof(line)) ||
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
    const uint64_t quota = limit_of_all(groups, controllers, quota_in);

    if (quota && quota < n)
        n = (unsigned)quota;
    return n ? n : 1;
}

unsigned rln__processors(void)
{
    return rln__processors_of(allowed(), &own_groups);
}

size_t rln__jobs_for(unsigned n_asked, size_t n_tasks, size_t n_worth, size_t most)
{
    size_t n = n_asked;

    if (!n_asked) {
        n = rln__processors();
        n = n < n_worth ? n : n_worth;
        n = n < most ? n : most;
    }
    n = n < n_tasks ? n : n_tasks;
    return n ? n : 1;
}

/* --- Memory ----------------------------------------------------------------------- */

/* `result` is that of getrlimit(). */
static uint64_t limited(uint64_t n_bytes, int result, const struct rlimit *limit)
{
    return result != 0 || limit->rlim_cur == RLIM_INFINITY
               ? n_bytes
               : least(n_bytes, limit->rlim_cur);
}

/* The file of version 2, or that of version 1. "max" is no limit. */
static uint64_t memory_in(const char *folder)
{
    char line[MOST_NUMBERS];
    unsigned long long n_bytes;

    if (!read_line(folder, "memory.max", line, sizeof(line)) &&
        !read_line(folder, "memory.limit_in_bytes", line, sizeof(line)))
        return 0;
    return sscanf(line, "%llu", &n_bytes) == 1 ? n_bytes : 0;
}

size_t rln__memory_share_of(uint64_t n_bytes, const struct rln__control_groups *groups)
{
    static const char *const controllers[] = {"memory", NULL};
    const uint64_t limit = limit_of_all(groups, controllers, memory_in);

    return (size_t)(least(n_bytes, limit) / 8);
}

size_t rln__memory_share(void)
{
    const long n_pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t n_bytes = n_pages > 0 && page > 0 ? (uint64_t)n_pages * (uint64_t)page : 0;
    struct rlimit limit;

    n_bytes = limited(n_bytes, getrlimit(RLIMIT_AS, &limit), &limit);
    n_bytes = limited(n_bytes, getrlimit(RLIMIT_DATA, &limit), &limit);
    return rln__memory_share_of(n_bytes, &own_groups);
}
