/* SPDX-License-Identifier: Apache-2.0 */
#include "base/control_groups.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const struct rln__control_groups rln__own_control_groups = {"/proc/self/cgroup",
                                                            "/sys/fs/cgroup"};

int rln__group_line(const char *folder, const char *name, char *line, size_t size)
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

static uint64_t least(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* The limits of a group and of all around it. */
static uint64_t limit_of(const char *mount, const char *group,
                         rln__group_limit *limit_in)
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
                              const char *const *controllers,
                              rln__group_limit *limit_in)
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

uint64_t rln__control_groups_limit(const struct rln__control_groups *groups,
                                   const char *const *controllers,
                                   rln__group_limit *limit_in)
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
