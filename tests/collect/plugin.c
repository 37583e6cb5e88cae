/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c - a library that annotates: the second client of clients.c. */
#include <nvtx3/nvToolsExt.h>

int plugin_call(void);
nvtxRangeId_t plugin_start(void);

int plugin_call(void)
{
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("shared");

    nvtxMarkA("plugin");
    nvtxDomainNameCategoryA(domain, 3, "from the plugin");
    return nvtxRangePushA("pushed by the plugin");
}

nvtxRangeId_t plugin_start(void)
{
    return nvtxRangeStartA("started by the plugin");
}
