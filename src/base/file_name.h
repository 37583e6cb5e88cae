/* SPDX-License-Identifier: Apache-2.0 */
/* file_name.h - finds the file name in a path. */
#ifndef RLN_BASE_FILE_NAME_H
#define RLN_BASE_FILE_NAME_H

#include <string.h>

/* The part of `path` after the last slash. */
static inline const char *rln__file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

#endif
