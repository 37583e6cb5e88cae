/* SPDX-License-Identifier: Apache-2.0 */
#include "base/processors.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
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

/* The first line of a file; 0 if there is none. */
static int read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    int is_read;

    if (!file)
        return 0;
    is_read = fgets(line, size, file) != NULL;
    (void)fclose(file);
    return is_read;
}

/* How many processors' time a control group may use, rounded up; 0: any. `folder` is one
 * of version 2, which has both numbers in a file, or of version 1. */
static unsigned quota_in(const char *folder)
{
    char path[PATH_MAX + 32], line[MOST_NUMBERS];
    long long quota = 0, period = 0;

    (void)snprintf(path, sizeof(path), "%s/cpu.max", folder);
    if (read_line(path, line, sizeof(line))) {
        if (sscanf(line, "%lld %lld", &quota, &period) != 2)
            return 0; /* "max" */
    } else {
        (void)snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", folder);
        if (!read_line(path, line, sizeof(line)) || sscanf(line, "%lld", &quota) != 1)
            return 0;
        (void)snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", folder);
        if (!read_line(path, line, sizeof(line)) || sscanf(line, "%lld", &period) != 1)
            return 0;
    }
    if (quota <= 0 || period <= 0 || quota / period >= INT_MAX)
        return 0;
    return (unsigned)((quota + period - 1) / period);
}

static unsigned least(unsigned n, unsigned quota)
{
    return quota && quota < n ? quota : n;
}

/* The quotas of a group and of all around it. */
static unsigned within(unsigned n, const char *mount, const char *group)
{
    char folder[PATH_MAX];
    const int length = snprintf(folder, sizeof(folder), "%s%s", mount, group);

    if (length < 0 || (size_t)length >= sizeof(folder))
        return n;
    while (strlen(folder) >= strlen(mount)) {
        char *slash;

        n = least(n, quota_in(folder));
        slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    return n;
}

/* A line is NUMBER:CONTROLLERS:GROUP; version 2 has no controllers. In a container, a
 * group may have the name that the host knows: then only the mount has its files. */
static unsigned within_line(unsigned n, const char *mount, char *line)
{
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    char folder[PATH_MAX];

    if (!group)
        return n;
    *group++ = '\0';
    controllers++;
    group[strcspn(group, "\n")] = '\0';
    if (!*controllers)
        return within(n, mount, group);
    if (strcmp(controllers, "cpu") != 0 && strcmp(controllers, "cpu,cpuacct") != 0)
        return n;
    (void)snprintf(folder, sizeof(folder), "%s/%s", mount, controllers);
    return within(n, folder, group);
}

unsigned rln__processors_of(unsigned n, const char *groups, const char *mount)
{
    FILE *file = fopen(groups, "re");
    char line[PATH_MAX + 64];

    while (file && fgets(line, sizeof(line), file))
        n = within_line(n, mount, line);
    if (file)
        (void)fclose(file);
    return n ? n : 1;
}

unsigned rln__processors(void)
{
    return rln__processors_of(allowed(), "/proc/self/cgroup", "/sys/fs/cgroup");
}
