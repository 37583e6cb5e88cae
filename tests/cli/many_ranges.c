/* SPDX-License-Identifier: Apache-2.0 */
/* many_ranges.c N - makes N push/pop ranges, one of which encloses the others, and N/8
 * start/end ranges that overlap. */
#include <nvtx3/nvToolsExt.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long n = argc > 1 ? atol(argv[1]) : 1;
    nvtxRangeId_t last = nvtxRangeStartA("first");

    nvtxRangePushA("run");
    for (long i = 1; i < n; i += 2) {
        nvtxRangePushA("step");
        nvtxRangePushA(i % 3 ? "load" : "solve");
        nvtxRangePop();
        nvtxRangePop();
        if (i / 2 == n / 4)
            nvtxRangePop();
        if (i % 16 == 1) {
            const nvtxRangeId_t next = nvtxRangeStartA("next");

            nvtxRangeEnd(last);
            last = next;
        }
    }
    nvtxRangeEnd(last);
    return 0;
}
