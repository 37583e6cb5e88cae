/* SPDX-License-Identifier: Apache-2.0 */
/* client.c - a library that annotates, and may be loaded and unloaded. It is a separate
 * client, which attaches to the collector by itself. */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

void client_mark(void);
void client_give_clock(void);

void client_mark(void)
{
    nvtxMarkA("kept");
}

static int64_t now(void)
{
    static int64_t n;

    return n++;
}

/* Gives the tool a clock function of this library. */
void client_give_clock(void)
{
    const nvtxTimeDomainAttr_t attributes = {0};
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("client");

    nvtxTimerSource(domain, nvtxTimeDomainRegister(domain, &attributes), 0, now);
}
