/* SPDX-License-Identifier: Apache-2.0 */
/* daemon.c - a daemon of the old school that annotates before and after. */
#include <nvtx3/nvToolsExt.h>

#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    nvtxMarkA("before");
    if (fork())
        _exit(3);
    (void)setsid();
    if (fork())
        _exit(0);
    for (int fd = 0; fd < 1024; fd++)
        (void)close(fd);
    for (int fd = 0; fd < 3; fd++)
        (void)open("/dev/null", O_RDWR);
    if (chdir("/") != 0)
        return 1;
    (void)usleep(100000);
    nvtxMarkA("from the daemon");
    return 0;
}
