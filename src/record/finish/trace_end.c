/* SPDX-License-Identifier: Apache-2.0 */
/* trace_end.c - finishes a trace, unless an unknown process is still writing it.
 *
 * Truncating a file that a process has mapped would kill that process with SIGBUS at
 * its next event. All descendants have ended by now, but another process may have got
 * the trace's name (a container, a batch system). The kernel knows: lease.h.
 */
#include "record/finish/trace_end.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/lease.h"
#include "format/trim.h"
#include "record/start/launch_signals.h"

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
    if (rln__is_open_for_writing(reading_fd) !=
        1) { /* some file systems do not report it */
        fd = open_again(reading_fd, O_RDWR);
        if (fd >= 0) {
            (void)!pwrite(fd, &finished, sizeof(finished),
                          offsetof(struct rln__superblock, finished));
            (void)rln__trim(fd, rln__launch_is_interrupted, &trimmed);
            (void)close(fd);
        }
    }
    (void)close(reading_fd);
}
