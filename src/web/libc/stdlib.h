/* SPDX-License-Identifier: Apache-2.0 */
/* stdlib.h - temporary files have no names: whatever is created is one. */
#include_next <stdlib.h>

#ifndef RLN_WEB_LIBC_STDLIB_H
#define RLN_WEB_LIBC_STDLIB_H

#include <fcntl.h>

static inline int mkostemp(char *path, int flags)
{
    (void)path;
    return open("temporary", flags | O_RDWR | O_CREAT | O_EXCL);
}

#endif
