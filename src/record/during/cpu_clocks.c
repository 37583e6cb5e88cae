/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/cpu_clocks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/during/switch_ring.h"

bool rln__cpu_clocks_are_there(void)
{
    const uint32_t own = (uint32_t)getpid();
    struct rln__cpu_reading reading;
    struct rln__cpu_clocks clocks;
    char target[32];
    const ssize_t n = readlink("/proc/self", target, sizeof(target) - 1);
    bool are_there;

    target[n < 0 ? 0 : n] = 0;
    if (strtoul(target, NULL, 10) != own || rln__cpu_clocks_open(&clocks, own, own))
        return false;
    are_there = rln__cpu_clocks_read(&clocks, &reading) && reading.on_ns;
    rln__cpu_clocks_close(&clocks);
    return are_there;
}

int rln__cpu_clocks_open(struct rln__cpu_clocks *clocks, uint32_t pid, uint32_t tid)
{
    char path[64];

    (void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/schedstat",
                   pid, tid);
    *clocks = (struct rln__cpu_clocks){.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (clocks->fd >= 0)
        return 0;
    return errno == ENOENT ? -ESRCH : -errno;
}

void rln__cpu_clocks_close(struct rln__cpu_clocks *clocks)
{
    if (clocks->fd >= 0)
        (void)close(clocks->fd);
    clocks->fd = -1;
}

bool rln__cpu_clocks_read(struct rln__cpu_clocks *clocks,
                          struct rln__cpu_reading *reading)
{
    char text[96];
    ssize_t n;

    reading->time_ns = rln__ring_now();
    n = pread(clocks->fd, text, sizeof(text) - 1, 0);
    text[n < 0 ? 0 : n] = 0;
    return sscanf(text, "%" SCNu64 " %" SCNu64, &reading->on_ns, &reading->waited_ns) ==
           2;
}
