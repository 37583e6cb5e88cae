/* SPDX-License-Identifier: Apache-2.0 */
/* no_tool_loop.c - the loops of no_tool.c; LOOP and EXT_LOOP are their names. */
#include <stddef.h>

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>

void LOOP(size_t n);
void EXT_LOOP(size_t n);

void LOOP(size_t n)
{
    /* Four pairs per iteration, to hide the cost of the loop itself. */
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

void EXT_LOOP(size_t n)
{
    for (size_t i = 0; i < n; i += 4) {
        nvtxMarkPayload(NULL, NULL, 0);
        nvtxCounterSampleInt64(NULL, 1, 2);
        nvtxMarkPayload(NULL, NULL, 0);
        nvtxCounterSampleInt64(NULL, 1, 2);
        nvtxMarkPayload(NULL, NULL, 0);
        nvtxCounterSampleInt64(NULL, 1, 2);
        nvtxMarkPayload(NULL, NULL, 0);
        nvtxCounterSampleInt64(NULL, 1, 2);
    }
}
