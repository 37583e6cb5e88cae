/* SPDX-License-Identifier: Apache-2.0 */
/* late.c - makes events after a pause of 30 seconds: too long for the 36 bits of time
 * in a short record, which last 27 seconds at 2.5 GHz, so these have long records. */
#include <nvtx3/nvToolsExt.h>

#include <unistd.h>

#include "check.h"

int main(void)
{
    nvtxEventAttributes_t a = {0};
    nvtxRangeId_t before, after;

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "with a payload";
    a.payloadType = NVTX_PAYLOAD_TYPE_INT64;
    a.payload.llValue = -5;
    CHECK(nvtxRangePushA("around the pause") == 0);
    before = nvtxRangeStartA("started before");
    sleep(30);
    nvtxMarkA("late");
    nvtxMarkEx(&a);
    CHECK(nvtxRangePushEx(&a) == 1);
    after = nvtxRangeStartEx(&a);
    CHECK(after != 0 && after != before);
    nvtxRangeEnd(before);
    nvtxRangeEnd(after);
    CHECK(nvtxRangePop() == 1);
    CHECK(nvtxRangePop() == 0);
    CHECK(nvtxRangePop() == -1);
    return 0;
}
