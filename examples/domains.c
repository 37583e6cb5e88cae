/* SPDX-License-Identifier: Apache-2.0 */
/* domains.c - annotate a library so that its users can tell your ranges from theirs.
 * A domain keeps them apart, categories group them, colors and payloads say more, and
 * registered strings make each event cheaper.
 *
 *   cc -O2 -Iinclude examples/domains.c -o build/examples/domains -ldl
 *   build/bin/rangeline profile -o domains build/examples/domains
 *   build/bin/rangeline print --tree domains.rln
 */
#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <string.h>

enum { READS = 1, WRITES = 2 }; /* the library's categories */

static nvtxDomainHandle_t domain;
static nvtxEventAttributes_t get, put, lost;
static char store[1000][16];

static nvtxEventAttributes_t attributes(const char *name, uint32_t category,
                                        uint32_t argb)
{
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    a.message.registered = nvtxDomainRegisterString(domain, name);
    a.category = category;
    a.colorType = NVTX_COLOR_ARGB;
    a.color = argb;
    return a;
}

static void store_open(void)
{
    domain = nvtxDomainCreate("org.example.store");
    nvtxDomainNameCategory(domain, READS, "reads");
    nvtxDomainNameCategory(domain, WRITES, "writes");
    get = attributes("get", READS, 0xff2e7d32);
    put = attributes("put", WRITES, 0xffc62828);
    lost = attributes("not found", READS, 0xfff9a825);
}

static void store_put(unsigned key, const char *text)
{
    put.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32; /* the range shows which key */
    put.payload.uiValue = key;
    nvtxDomainRangePushEx(domain, &put);
    strncpy(store[key], text, sizeof(store[key]) - 1);
    nvtxDomainRangePop(domain);
}

static const char *store_get(unsigned key)
{
    nvtxDomainRangePushEx(domain, &get);
    if (!store[key][0])
        nvtxDomainMarkEx(domain, &lost);
    nvtxDomainRangePop(domain);
    return store[key];
}

int main(void)
{
    store_open();
    nvtxRangePush("the user's own range"); /* in the default domain */
    store_put(7, "seven");
    printf("7 is '%s'\n", store_get(7));
    printf("8 is '%s'\n", store_get(8));
    nvtxRangePop();
    nvtxDomainDestroy(domain);
    return 0;
}
