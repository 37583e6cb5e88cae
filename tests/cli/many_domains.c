/* SPDX-License-Identifier: Apache-2.0 */
/* Uses more domains than a process may have, and the last one that it may have again. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

static void mark(int number)
{
    char name[32];
    nvtxEventAttributes_t a = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = "x",
    };

    (void)snprintf(name, sizeof(name), "d%d", number);
    nvtxDomainMarkEx(nvtxDomainCreateA(name), &a);
}

int main(void)
{
    for (int i = 1; i <= 4100; i++)
        mark(i);
    mark(4095);
    return 0;
}
