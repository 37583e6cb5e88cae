/* SPDX-License-Identifier: Apache-2.0 */
/* file_name.h - a path without its folders. */
#ifndef RLN_BASE_FILE_NAME_H
#define RLN_BASE_FILE_NAME_H

#include <string.h>

/* What is behind the last slash; a part of `path`. */
static inline const char *rln__file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

#endif
