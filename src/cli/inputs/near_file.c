/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/near_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file_name.h"
#include "console/die.h"
#include "console/ends_with.h"
#include "console/nearest.h"

#define MOST_NAMES 256 /* of a folder; further ones are not suggested */

static bool is_older(struct timespec a, struct timespec b)
{
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec <= b.tv_nsec);
}

char *rln__newest_trace(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    struct timespec newest = {0, 0};
    char *found = NULL;

    while (dir && (entry = readdir(dir))) {
        struct stat st;

        if (!rln__ends_with(entry->d_name, ".rln") ||
            fstatat(dirfd(dir), entry->d_name, &st, 0) || !S_ISREG(st.st_mode) ||
            (found && is_older(st.st_mtim, newest)))
            continue;
        free(found);
        found = strdup(entry->d_name);
        newest = st.st_mtim;
    }
    if (dir)
        (void)closedir(dir);
    return found;
}

/* Owned by the caller, as each name is; how many. */
static size_t list_readable(const char *folder, char *names[MOST_NAMES])
{
    static const char *const endings[] = {".rln", ".sqlite", ".rlsum"};
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    size_t n = 0;

    while (dir && n < MOST_NAMES && (entry = readdir(dir))) {
        bool is_readable = false;

        for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
            is_readable |= rln__ends_with(entry->d_name, endings[i]);
        names[n] = is_readable ? strdup(entry->d_name) : NULL;
        n += names[n] != NULL;
    }
    if (dir)
        (void)closedir(dir);
    return n;
}

bool rln__hint_near_file(const char *path)
{
    const char *name = rln__file_name(path);
    const int length = (int)(name - path); /* of the folder, with its slash */
    char *folder = NULL, *names[MOST_NAMES], *newest, *found = NULL;
    const char *nearest;
    bool has_any;
    size_t n;

    if (asprintf(&folder, "%.*s.", length, path) < 0)
        return false;
    n = list_readable(folder, names);
    nearest = rln__nearest(name, (const char *const *)names, n);
    newest = nearest ? NULL : rln__newest_trace(folder);
    if ((nearest || newest) &&
        asprintf(&found, "%.*s%s", length, path, nearest ? nearest : newest) < 0)
        found = NULL;
    if (found)
        rln__hint(nearest ? "did you mean `%s`?" : "the newest trace there is `%s`",
                  found);
    free(newest);
    free(folder);
    while (n)
        free(names[--n]);
    has_any = found != NULL;
    free(found);
    return has_any;
}
