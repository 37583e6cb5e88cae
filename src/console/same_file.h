/* SPDX-License-Identifier: Apache-2.0 */
/* same_file.h - compares files, which may have several names. */
#ifndef RLN_CONSOLE_SAME_FILE_H
#define RLN_CONSOLE_SAME_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whether a path leads to the file that `wanted` describes. */
static inline bool rln__leads_to(const char *path, const struct stat *wanted)
{
    struct stat st;

    return stat(path, &st) == 0 && st.st_dev == wanted->st_dev &&
           st.st_ino == wanted->st_ino;
}

#endif
