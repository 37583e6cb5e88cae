/* SPDX-License-Identifier: Apache-2.0 */
/* vendored.c - records a start/end range, which could end on another thread. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

int main(void)
{
    const nvtxRangeId_t id = nvtxRangeStartA("greeting");

    puts("55");
    nvtxRangeEnd(id);
    return 0;
}
