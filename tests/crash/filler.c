/* SPDX-License-Identifier: Apache-2.0 */
/* filler.c - fills a disk: filler CALLS [PAUSE_AT FILE].
 *
 * Makes CALLS marks, prints their number, and exits with 7. At mark PAUSE_AT it removes
 * FILE, which may be what fills the disk, and waits until recording is retried. The
 * thousand marks before that, and the last one, have a new name.
 */
#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const long n = argc > 1 ? atol(argv[1]) : 1000;
    const long pause_at = argc > 3 ? atol(argv[2]) : -1;

    for (long i = 0; i < n; i++) {
        if (i == pause_at) {
            if (unlink(argv[3]) != 0)
                return 1;
            usleep(300000);
        }
        nvtxMarkA((i >= pause_at - 1000 && i < pause_at) || (pause_at > 0 && i == n - 1)
                      ? "met while full"
                      : "mark");
    }
    printf("%ld marks\n", n);
    return 7;
}
