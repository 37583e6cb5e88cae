/* SPDX-License-Identifier: Apache-2.0 */
/* mman.h - no file can be mapped. */
#ifndef RLN_WEB_LIBC_SYS_MMAN_H
#define RLN_WEB_LIBC_SYS_MMAN_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

#define MAP_FAILED ((void *)-1)

enum { PROT_READ, PROT_WRITE, MAP_SHARED, MREMAP_MAYMOVE, MADV_DONTNEED, MFD_CLOEXEC };

static inline void *mmap(void *at, size_t n_bytes, int prot, int flags, int fd,
                         off_t from)
{
    (void)at;
    (void)n_bytes;
    (void)prot;
    (void)flags;
    (void)fd;
    (void)from;
    errno = ENOMEM;
    return MAP_FAILED;
}

static inline void *mremap(void *at, size_t n_before, size_t n_bytes, int flags)
{
    (void)at;
    (void)n_before;
    (void)n_bytes;
    (void)flags;
    errno = ENOMEM;
    return MAP_FAILED;
}

static inline int munmap(void *at, size_t n_bytes)
{
    (void)at;
    (void)n_bytes;
    return 0;
}

static inline int madvise(void *at, size_t n_bytes, int advice)
{
    (void)at;
    (void)n_bytes;
    (void)advice;
    return 0;
}

static inline int memfd_create(const char *name, unsigned flags)
{
    (void)name;
    (void)flags;
    errno = ENOMEM;
    return -1;
}

#endif
