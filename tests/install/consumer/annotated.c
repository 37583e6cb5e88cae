/* SPDX-License-Identifier: Apache-2.0 */
/* annotated.c - a program of somebody who installed Rangeline; C and C++ alike. */
#include <nvtx3/nvToolsExt.h>

int main(void)
{
    nvtxRangePushA("installed");
    nvtxRangePop();
    return 0;
}
