/* SPDX-License-Identifier: Apache-2.0 */
/* left_open.c SHAPE N - leaves ranges open, with others and marks inside:
 *
 *     pushes   N push/pop ranges inside each other, of one name
 *     names    the same, each with a name of its own
 *     starts   N start/end ranges, each with a name of its own
 *     queue    N start/end ranges, which end in the order of their beginnings
 */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long n = argc > 2 ? atol(argv[2]) : 0;
    const char shape = argc > 2 ? argv[1][0] : 0;
    nvtxRangeId_t *ids = calloc((size_t)n + 1, sizeof(*ids));

    for (long i = 0; ids && i < n; i++) {
        char name[48];

        (void)snprintf(name, sizeof(name), "level %ld of them",
                       shape == 'n' || shape == 's' ? i : 0);
        if (shape == 'p' || shape == 'n')
            nvtxRangePushA(name);
        else
            ids[i] = nvtxRangeStartA(name);
        nvtxRangePushA("step");
        nvtxMarkA("inside");
        nvtxRangePop();
    }
    for (long i = 0; ids && shape == 'q' && i < n; i++)
        nvtxRangeEnd(ids[i]);
    free(ids);
    return 0;
}
