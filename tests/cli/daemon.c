/* SPDX-License-Identifier: Apache-2.0 */
/* daemon.c - programs that manage their descriptors: daemon close|take|detach.
 *
 * close: closes all descriptors that it did not open. take: replaces each by its own
 * file. detach: forks twice, leaves the session and the folder, closes all descriptors,
 * and ends later than the process that was started. Each makes 100,001 marks, most of
 * them afterwards.
 */
#include <nvtx3/nvToolsExt.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 1024 };

static void close_all(void)
{
    for (int fd = 3; fd < MOST_DESCRIPTORS; fd++)
        close(fd);
}

static void take_all(void)
{
    const int own = open("own", O_RDWR | O_CREAT | O_TRUNC, 0600);

    for (int fd = 3; fd < MOST_DESCRIPTORS; fd++)
        dup2(own, fd);
}

static void detach(void)
{
    if (fork() != 0)
        _exit(0);
    if (setsid() < 0 || fork() != 0)
        _exit(0);
    if (chdir("/") != 0)
        _exit(1);
    for (int fd = 0; fd < MOST_DESCRIPTORS; fd++)
        close(fd);
    usleep(100000); /* until all others have ended */
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";

    nvtxMarkA("before");
    if (strcmp(way, "close") == 0)
        close_all();
    else if (strcmp(way, "take") == 0)
        take_all();
    else if (strcmp(way, "detach") == 0)
        detach();
    else
        return 2;
    for (int i = 0; i < 100000; i++)
        nvtxMarkA("after");
    return 0;
}
