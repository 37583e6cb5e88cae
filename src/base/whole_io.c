/* SPDX-License-Identifier: Apache-2.0 */
#include "base/whole_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rln__read_at(int fd, uint64_t at, void *to, size_t n_bytes, size_t *n_read)
{
    size_t done = 0;
    int result = 0;

    while (done < n_bytes) {
        const ssize_t n =
            pread(fd, (char *)to + done, n_bytes - done, (off_t)(at + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            result = -errno;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    memset((char *)to + done, 0, n_bytes - done);
    if (n_read)
        *n_read = done;
    return result;
}

int rln__write_at(int fd, uint64_t at, const void *from, size_t n_bytes)
{
    size_t n_written = 0;

    while (n_written < n_bytes) {
        const ssize_t n = pwrite(fd, (const char *)from + n_written,
                                 n_bytes - n_written, (off_t)(at + n_written));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : -ENOSPC;
        n_written += (size_t)n;
    }
    return 0;
}

uint64_t rln__next_data(int fd, uint64_t at, uint64_t end)
{
#ifdef SEEK_DATA
    const off_t data = lseek(fd, (off_t)at, SEEK_DATA);

    if (data < 0)
        return errno == ENXIO ? end : at;
    return (uint64_t)data < end ? (uint64_t)data : end;
#else
    (void)fd;
    (void)end;
    return at;
#endif
}

enum { PAGE_BYTES = 4096 };

static int is_zero(const uint64_t *words, size_t n_words)
{
    uint64_t any = 0;

    for (size_t i = 0; i < n_words; i++)
        any |= words[i];
    return any == 0;
}

/* The end of the run of pages from `begin` that are all zeros, or all are not. */
static size_t run_end(const uint64_t *words, size_t begin, size_t n_bytes, int is_hole)
{
    size_t end = begin;

    while (end < n_bytes) {
        const size_t n = n_bytes - end < PAGE_BYTES ? n_bytes - end : PAGE_BYTES;

        if (is_zero(words + end / 8, n / 8) != is_hole)
            break;
        end += n;
    }
    return end;
}

int rln__write_sparse(int fd, uint64_t at, const uint64_t *words, size_t n_bytes)
{
    size_t begin = 0, end;
    int result = 0;

    while (result == 0 && (begin = run_end(words, begin, n_bytes, 1)) < n_bytes) {
        end = run_end(words, begin, n_bytes, 0);
        result = rln__write_at(fd, at + begin, words + begin / 8, end - begin);
        begin = end;
    }
    return result;
}

static int unnamed_file_in(const char *folder, int length)
{
    char path[4096];
    int fd;

    if (snprintf(path, sizeof(path), "%.*s/rangeline-XXXXXX", length, folder) >=
        (int)sizeof(path))
        return -ENAMETOOLONG;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return -errno;
    (void)unlink(path);
    return fd;
}

int rln__unnamed_file(void)
{
    const char *folder = getenv("TMPDIR");

    return unnamed_file_in(folder && *folder ? folder : "/tmp", -1);
}

int rln__unnamed_file_beside(const char *path)
{
    const char *slash = strrchr(path, '/');

    return unnamed_file_in(slash ? path : ".", slash ? (int)(slash - path) : -1);
}

int rln__give_name(const char *part, const char *name, int may_replace)
{
    if (!may_replace && link(part, name) == 0) {
        (void)unlink(part);
        return 0;
    }
    /* A folder, or a file system without hard links. */
    if (!may_replace && (errno == EEXIST || access(name, F_OK) == 0))
        return -EEXIST;
    return rename(part, name) < 0 ? -errno : 0;
}
