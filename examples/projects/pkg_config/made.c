/* SPDX-License-Identifier: Apache-2.0 */
/* made.c - records two nested ranges, the inner one with a payload. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

int main(void)
{
    nvtxEventAttributes_t step = {0};

    step.version = NVTX_VERSION;
    step.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    step.messageType = NVTX_MESSAGE_TYPE_ASCII;
    step.message.ascii = "step";
    step.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    step.payload.iValue = 55;
    nvtxRangePushA("whole");
    nvtxRangePushEx(&step);
    puts("55");
    nvtxRangePop();
    nvtxRangePop();
    return 0;
}
