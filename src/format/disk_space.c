/* SPDX-License-Identifier: Apache-2.0 */
#include "format/disk_space.h"

#include "base/sys.h"

/* Disk space that recording leaves free: the larger of 256 MiB and 2 % of the file
 * system, but on small ones (a tmpfs in a container) at most an eighth. */
#define FLOOR_BYTES (256ull << 20)

int rln__disk_is_nearly_full(int fd, uint64_t n_bytes)
{
    struct statfs fs;
    uint64_t total, available, floor;

    if (rln__sys_fstatfs(fd, &fs) < 0 || fs.f_blocks == 0)
        return 0; /* unknown; allocating may fail */
    total = (uint64_t)fs.f_blocks * (uint64_t)fs.f_bsize;
    available = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
    floor = total / 50 > FLOOR_BYTES ? total / 50 : FLOOR_BYTES;
    if (floor > total / 8)
        floor = total / 8;
    return available < floor + n_bytes;
}

/* The caller blocks signals, so only a broken file system interrupts a call more than
 * once. */
enum { TRIES = 16 };

/* Allocates by writing, for file systems without fallocate. */
static int write_zeros(int fd, uint64_t at, uint64_t n_bytes)
{
    static const char zeros[4096];
    int n_tries = 0;

    while (n_bytes) {
        const size_t n = n_bytes < sizeof zeros ? (size_t)n_bytes : sizeof zeros;
        const long written = rln__sys_pwrite(fd, zeros, n, at);

        if (written == -EINTR && ++n_tries < TRIES)
            continue;
        if (written <= 0)
            return written ? (int)written : -ENOSPC;
        at += (uint64_t)written;
        n_bytes -= (uint64_t)written;
    }
    return 0;
}

/* The kernel sends SIGXFSZ, which ends a program, to a thread that exceeds its
 * file-size limit. The collector exceeded it, not the program: it consumes the signal,
 * unless one was pending before. */
int rln__disk_reserve(int fd, uint64_t at, uint64_t n_bytes)
{
    const rln__sigmask xfsz = 1ull << (SIGXFSZ - 1);
    const struct timespec at_once = {0, 0};
    rln__sigmask pending = 0;
    int result, n_tries = 0;

    rln__sys3(SYS_rt_sigpending, (long)&pending, sizeof pending, 0);
    do
        result = rln__sys_fallocate(fd, 0, at, n_bytes);
    while (result == -EINTR && ++n_tries < TRIES);
    if (result == -EOPNOTSUPP || result == -ENOSYS)
        result = write_zeros(fd, at, n_bytes);
    if (result == -EFBIG && !(pending & xfsz))
        rln__sys6(SYS_rt_sigtimedwait, (long)&xfsz, 0, (long)&at_once, sizeof xfsz, 0,
                  0);
    return result;
}
