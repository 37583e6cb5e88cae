/* SPDX-License-Identifier: Apache-2.0 */
/* lease.h - finds out whether any process has a file open for writing, or mapped. */
#ifndef RLN_BASE_LEASE_H
#define RLN_BASE_LEASE_H

#include <errno.h>
#include <fcntl.h>

/* `fd` is open for reading. 1: yes; 0: no; -1: unknown, because of the file system, or
 * because another user owns the file. The kernel grants a read lease only if no process
 * has the file open for writing. */
static inline int rln__is_open_for_writing(int fd)
{
#ifdef F_SETLEASE
    if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
        return errno == EAGAIN ? 1 : -1;
    (void)fcntl(fd, F_SETLEASE, F_UNLCK);
#else
    (void)fd; /* a browser's file is what it was when it was chosen */
#endif
    return 0;
}

#endif
