/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/memory_room.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/whole_io.h"

#define LEAST_LEFT (256ull << 20)

/* The files of a cgroup, in both versions. */
struct version {
    const char *mount; /* where systemd and containers have it */
    const char *limits[2];
    const char *usage;
    const char *cached[2]; /* in memory.stat: files that the kernel can drop */
};

static const struct version version_1 = {
    .mount = "/sys/fs/cgroup/memory",
    .limits = {"memory.limit_in_bytes"},
    .usage = "memory.usage_in_bytes",
    .cached = {"total_inactive_file ", "total_active_file "},
};

/* Beyond memory.high the kernel does not kill, but slows the program down. */
static const struct version version_2 = {
    .mount = "/sys/fs/cgroup",
    .limits = {"memory.max", "memory.high"},
    .usage = "memory.current",
    .cached = {"inactive_file ", "active_file "},
};

static bool read_text(const char *path, char *out, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t n = 0;

    out[0] = '\0';
    if (fd < 0)
        return false;
    (void)rln__read_at(fd, 0, out, size - 1, &n);
    (void)close(fd);
    out[n] = '\0';
    return n > 0;
}

static bool read_in(const char *folder, const char *name, char *out, size_t size)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

    out[0] = '\0';
    return n > 0 && (size_t)n < sizeof(path) && read_text(path, out, size);
}

bool rln__memory_groups(const char *root, pid_t pid, char *out, size_t size)
{
    char name[64];

    (void)snprintf(name, sizeof(name), "proc/%d/cgroup", (int)pid);
    return read_in(root, name, out, size);
}

/* The number after `key` at the begin of a line, or 0. */
static uint64_t number_after(const char *text, const char *key)
{
    const size_t length = strlen(key);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0)
            return strtoull(line + length, NULL, 10);
    }
    return 0;
}

/* UINT64_MAX if the file is missing or has "max". */
static uint64_t number_in(const char *folder, const char *name)
{
    char text[64];
    char *end;
    uint64_t number;

    if (!read_in(folder, name, text, sizeof(text)))
        return UINT64_MAX;
    number = strtoull(text, &end, 10);
    return end == text ? UINT64_MAX : number;
}

static uint64_t cached_in(const char *folder, const struct version *v)
{
    char text[8192];
    uint64_t sum = 0;

    (void)read_in(folder, "memory.stat", text, sizeof(text));
    for (size_t i = 0; i < RLN_COUNT(v->cached); i++)
        sum += number_after(text, v->cached[i]);
    return sum;
}

static uint64_t room_beside(uint64_t limit, uint64_t used)
{
    uint64_t left = limit / 50 > LEAST_LEFT ? limit / 50 : LEAST_LEFT;

    if (left > limit / 2)
        left = limit / 2;
    return limit > used && limit - used > left ? limit - used - left : 0;
}

static uint64_t room_in(const char *folder, const struct version *v)
{
    uint64_t limit = UINT64_MAX, used, cached;

    for (size_t i = 0; i < RLN_COUNT(v->limits) && v->limits[i]; i++) {
        const uint64_t other = number_in(folder, v->limits[i]);

        limit = other < limit ? other : limit;
    }
    if (limit >= INT64_MAX / 2) /* version 1 has a number close to 2^63 for "max" */
        return UINT64_MAX;
    used = number_in(folder, v->usage);
    if (used == UINT64_MAX)
        return UINT64_MAX;
    cached = cached_in(folder, v);
    return room_beside(limit, used > cached ? used - cached : 0);
}

/* The smallest of a group and of all above. In a container the path may be that outside
 * of it, of which only the beginning is missing: the last folder that exists counts. */
static uint64_t room_up(const char *root, const char *path, size_t n_path,
                        const struct version *v)
{
    char folder[PATH_MAX];
    uint64_t least = UINT64_MAX;
    size_t n_mount;
    const int n =
        snprintf(folder, sizeof(folder), "%s%s%.*s", root, v->mount, (int)n_path, path);

    if (n < 0 || (size_t)n >= sizeof(folder))
        return least;
    n_mount = strlen(root) + strlen(v->mount);
    for (;;) {
        const uint64_t room = room_in(folder, v);
        char *slash = strrchr(folder, '/');

        least = room < least ? room : least;
        if (strlen(folder) <= n_mount)
            return least;
        *slash = '\0';
    }
}

/* Whether a comma-separated list of `n` bytes has "memory". */
static bool has_memory(const char *list, size_t n)
{
    static const char name[] = "memory";
    const size_t length = sizeof(name) - 1;

    for (size_t at = 0; at + length <= n; at++)
        if (strncmp(list + at, name, length) == 0 && (at == 0 || list[at - 1] == ',') &&
            (at + length == n || list[at + length] == ','))
            return true;
    return false;
}

/* Lines are "4:memory:/path" in version 1, and "0::/path" in version 2. */
uint64_t rln__memory_room_of(const char *root, const char *groups)
{
    uint64_t least = UINT64_MAX;

    while (*groups) {
        const size_t n_line = strcspn(groups, "\n");
        const char *list = memchr(groups, ':', n_line);
        const char *path = list ? strchr(list + 1, ':') : NULL;
        const struct version *v = NULL;
        uint64_t room;

        if (path && path < groups + n_line) {
            const size_t n_list = (size_t)(path - list) - 1;

            v = n_list == 0                    ? &version_2
                : has_memory(list + 1, n_list) ? &version_1
                                               : NULL;
            path++;
        }
        if (v) {
            room = room_up(root, path, (size_t)(groups + n_line - path), v);
            least = room < least ? room : least;
        }
        groups += n_line + (groups[n_line] == '\n');
    }
    return least;
}

/* A tmpfs is swapped out, too. */
uint64_t rln__memory_room_here(const char *root)
{
    char text[8192];
    uint64_t total, left;

    if (!read_in(root, "proc/meminfo", text, sizeof(text)))
        return UINT64_MAX;
    total = number_after(text, "MemTotal:") + number_after(text, "SwapTotal:");
    left = number_after(text, "MemAvailable:") + number_after(text, "SwapFree:");
    if (!total || left > total)
        return UINT64_MAX;
    return room_beside(total * 1024, (total - left) * 1024);
}
