/* SPDX-License-Identifier: Apache-2.0 */
/* trace_end.c - finishes a trace, unless an unknown process is still writing it.
 *
 * Truncating a file that a process has mapped would kill that process with SIGBUS at
 * its next event. All descendants have ended by now, but the trace's name may have
 * travelled further (a container, a batch system). The kernel knows: it grants a read
 * lease only if nobody has the file open for writing, mappings included.
 */
#include "cli/trace_end.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "format/trim.h"

/* False only if the kernel says so: some file systems have no leases. */
static bool is_ours_alone(int reading_fd)
{
    if (fcntl(reading_fd, F_SETLEASE, F_RDLCK) < 0)
        return errno != EAGAIN;
    (void)fcntl(reading_fd, F_SETLEASE, F_UNLCK);
    return true;
}

static int open_again(int fd, int flags)
{
    char path[64];

    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return open(path, flags | O_CLOEXEC);
}

void rln__trace_finish(struct rln__file *file)
{
    const int reading_fd = open_again(file->fd, O_RDONLY);
    int fd;
    struct rln__trim trimmed;
    const uint64_t finished = 1;

    rln__file_close(file); /* our own mapping is a writable one */
    if (reading_fd < 0)
        return;
    if (is_ours_alone(reading_fd)) {
        fd = open_again(reading_fd, O_RDWR);
        if (fd >= 0) {
            (void)!pwrite(fd, &finished, sizeof(finished),
                          offsetof(struct rln__superblock, finished));
            (void)rln__trim(fd, &trimmed);
            (void)close(fd);
        }
    }
    (void)close(reading_fd);
}
