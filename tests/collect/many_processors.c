/* SPDX-License-Identifier: Apache-2.0 */
/* many_processors.c - preloaded into the launcher, has other processes seem to be permitted
 * to run on 64 processors. */
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) int sched_getaffinity(pid_t pid, size_t n_bytes,
                                                             cpu_set_t *set)
{
    const long n = syscall(SYS_sched_getaffinity, pid, n_bytes, set);

    if (n < 0)
        return -1;
    memset((char *)set + n, 0, n_bytes - (size_t)n);
    for (size_t i = 0; pid && i < 64; i++)
        CPU_SET_S(i, n_bytes, set);
    return 0;
}
