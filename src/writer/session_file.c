/* SPDX-License-Identifier: Apache-2.0 */
/* session_file.c - implements session_file.h. */
#define NVTXW_NO_IMPL /* of the loader: this is what it loads */
#include "writer/session_file.h"
#include "format/trace_path.h"

#include <nvtxw3/nvtxw3_loader.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* If the file exists, the collector appends a process id. */
#define MOST_NAME ((size_t)NAME_MAX - sizeof("-4294967295" RLN__TRACE_SUFFIX) + 1)

static int copy_output(void *copy, const char *key, const char *key_end,
                       const char *value, const char *value_end)
{
    if (key_end - key != 6 || strncmp(key, "output", 6) != 0)
        return 0;
    *(char **)copy = strndup(value, (size_t)(value_end - value));
    return 1;
}

/* The session's name, cut before a character that does not fit, as a file name in the
 * working directory; or NULL. */
static char *file_of(const char *name)
{
    size_t n = name ? strlen(name) : 0;
    char *const path = n ? malloc(2 * n + 1) : NULL;
    char *to = path;

    if (n > MOST_NAME) {
        for (n = MOST_NAME; n && ((unsigned char)name[n] & 0xc0) == 0x80;)
            n--;
    }
    for (size_t i = 0; path && i < n; i++) {
        *to++ = name[i] == '/' ? '_' : name[i];
        if (name[i] == '%') /* which the collector would expand, as in %p */
            *to++ = '%';
    }
    if (path)
        *to = '\0';
    return path;
}

/* Whether the path has a folder where files can be created. Patterns are the
 * collector's to expand. */
static int may_work(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char *folder;
    int result;

    if (strchr(path, '%'))
        return 1;
    if (strlen(slash ? slash + 1 : path) > NAME_MAX)
        return 0;
    folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    result = folder && access(folder, W_OK | X_OK) == 0;
    free(folder);
    return result;
}

/* Whether a tool outside this library records, into a file of its own. */
static int is_injected(void)
{
    const char *const path = getenv("NVTX_INJECTION64_PATH");

    return path && *path;
}

int session_file_open(const nvtxwSessionAttributes_t *attributes, int64_t *now)
{
    static int is_open; /* the writer's lock protects it */
    const char *const set = getenv("RANGELINE_OUTPUT");
    char *const before = set ? strdup(set) : NULL;
    char *path = NULL;

    nvtxwConsumeConfigString(attributes->configString, copy_output, &path);
    if (!path)
        path = before && *before ? strdup(before) : file_of(attributes->name);
    *now = 0;
    if (is_open || !path || is_injected() || may_work(path)) {
        /* The path is passed in the environment, which is then restored. */
        if (path)
            setenv("RANGELINE_OUTPUT", path, 1);
        nvtxInitialize(NULL);
        if (path && before)
            setenv("RANGELINE_OUTPUT", before, 1);
        else if (path)
            unsetenv("RANGELINE_OUTPUT");
        *now = nvtxTimestampGet(); /* 0 without a tool that takes deferred events */
    }
    is_open = *now != 0;
    free(path);
    free(before);
    return is_open;
}
