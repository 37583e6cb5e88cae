/* SPDX-License-Identifier: Apache-2.0 */
#include "console/find_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_executable(const char *path)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    return access(path, X_OK) == 0 ? 0 : errno;
}

/* Remembers a file that is there but not executable: that is a better reason than "not
 * found". */
static int search_path(const char *name, char out[PATH_MAX])
{
    const char *at = getenv("PATH");
    int error = ENOENT;

    if (!at)
        at = "/usr/local/bin:/usr/bin:/bin";
    for (;;) {
        const size_t n = strcspn(at, ":");
        int result;

        (void)snprintf(out, PATH_MAX, "%.*s%s%s", (int)n, at, n ? "/" : "./", name);
        result = check_executable(out);
        if (result == 0)
            return 0;
        if (result == EACCES)
            error = EACCES;
        if (!at[n])
            return error;
        at += n + 1;
    }
}

int rln__find_program(const char *name, char out[PATH_MAX])
{
    if (!strchr(name, '/'))
        return *name ? search_path(name, out) : ENOENT;
    if (strlen(name) >= PATH_MAX)
        return ENAMETOOLONG;
    (void)strcpy(out, name);
    return check_executable(out);
}
