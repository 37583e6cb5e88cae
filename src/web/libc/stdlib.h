/* SPDX-License-Identifier: Apache-2.0 */
/* stdlib.h - there are no temporary files: what is large stays in memory. */
#include_next <stdlib.h>

#ifndef RLN_WEB_LIBC_STDLIB_H
#define RLN_WEB_LIBC_STDLIB_H

#include <errno.h>

static inline int mkostemp(char *path, int flags)
{
    (void)path;
    (void)flags;
    errno = ENOSYS;
    return -1;
}

#endif
