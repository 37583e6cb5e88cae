/* SPDX-License-Identifier: Apache-2.0 */
/* idler.c - makes a mark, and is idle until it reads something from a fifo.
 *   idler FIFO
 */
#include <nvtx3/nvToolsExt.h>

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char byte;

    if (argc != 2)
        return 2;
    nvtxMarkA("before");
    if (open("done", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0)
        return 3;
    return read(open(argv[1], O_RDONLY | O_CLOEXEC), &byte, 1) == 1 ? 42 : 4;
}
