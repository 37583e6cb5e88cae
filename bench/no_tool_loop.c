/* SPDX-License-Identifier: Apache-2.0 */
/* no_tool_loop.c - the loop of no_tool.c; LOOP is its name. */
#include <stddef.h>

#include <nvtx3/nvToolsExt.h>

void LOOP(size_t n);

void LOOP(size_t n)
{
    /* Four pairs a turn: the question is not what a loop costs. */
    for (size_t i = 0; i < n; i += 4) {
        nvtxRangePushA("step");
        nvtxRangePop();
        nvtxRangePushA("step");
        nvtxRangePop();
        nvtxRangePushA("step");
        nvtxRangePop();
        nvtxRangePushA("step");
        nvtxRangePop();
    }
}
