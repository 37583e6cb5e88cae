/* SPDX-License-Identifier: Apache-2.0 */
/* odd_arguments.c - passes arguments that are invalid but occur: the collector records
 * what it can, without a fault. errno does not change. */
#include <nvtx3/nvToolsExt.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static nvtxEventAttributes_t named(const char *message)
{
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = message;
    return a;
}

static void pass_nothing(void)
{
    nvtxMarkA(NULL);
    nvtxMarkW(NULL);
    nvtxMarkEx(NULL);
    CHECK(nvtxRangePushEx(NULL) == 0);
    CHECK(nvtxRangePop() == 0);
    nvtxRangeEnd(nvtxRangeStartEx(NULL));
    nvtxRangeEnd(0);
    nvtxRangeEnd(~0ull);
}

/* A field is used if `size` includes its end. */
static void pass_sizes(void)
{
    nvtxEventAttributes_t a = named("all of it");

    a.category = 5;
    a.colorType = NVTX_COLOR_ARGB;
    a.color = 0xff112233;
    a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    a.payload.ullValue = 99;
    for (unsigned size = 0; size <= sizeof a; size++) {
        a.size = (uint16_t)size;
        nvtxMarkEx(&a);
    }
    a.size = UINT16_MAX;
    nvtxMarkEx(&a);
}

static void pass_unknown_types(void)
{
    for (int type = -1; type < 9; type += 2) {
        nvtxEventAttributes_t a = named("version");

        a.version = (uint16_t)type;
        nvtxMarkEx(&a);
        a = named("payload type");
        a.payloadType = type;
        a.payload.ullValue = 7;
        nvtxMarkEx(&a);
        a = named("color type");
        a.colorType = type;
        a.color = 1;
        nvtxMarkEx(&a);
    }
    for (int type = 4; type < 6; type++) {
        nvtxEventAttributes_t a = named("message type");

        a.messageType = type;
        nvtxMarkEx(&a);
    }
}

static void pass_foreign_handles(void)
{
    const nvtxDomainHandle_t one = nvtxDomainCreateA("one");
    const nvtxDomainHandle_t other = nvtxDomainCreateA("other");
    nvtxEventAttributes_t a = named(NULL);

    a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    a.message.registered = nvtxDomainRegisterStringA(one, "string of one");
    nvtxDomainMarkEx(other, &a);
    nvtxMarkEx(&a);
    a.message.registered = (nvtxStringHandle_t)(uintptr_t)0x1234;
    nvtxDomainMarkEx(one, &a);
    a = named("in a domain that is none");
    nvtxDomainMarkEx((nvtxDomainHandle_t)(uintptr_t)0xdeadbeef, &a);
    nvtxDomainDestroy(other);
    nvtxDomainMarkEx(other, &a);
    nvtxDomainDestroy((nvtxDomainHandle_t)(uintptr_t)99);
    CHECK(nvtxDomainRegisterStringA(one, NULL) == NULL);
    CHECK(nvtxDomainCreateA(NULL) == NULL);
}

/* Handles of resources hold numbers from 1 to UINT32_MAX; others are invalid. */
static void destroy_resources(void)
{
    nvtxResourceAttributes_t a = {0};
    uintptr_t first;

    a.version = NVTX_VERSION;
    a.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
    first = (uintptr_t)nvtxDomainResourceCreate(nvtxDomainCreateA("one"), &a);
    nvtxDomainResourceDestroy(NULL);
    nvtxDomainResourceDestroy((nvtxResourceHandle_t)(first - 1));
    nvtxDomainResourceDestroy((nvtxResourceHandle_t)(first + UINT32_MAX));
    nvtxDomainResourceDestroy((nvtxResourceHandle_t)first);
}

/* Texts that end where readable memory ends. */
static void pass_edges(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(pages != MAP_FAILED);
    CHECK(mprotect(pages + page, page, PROT_NONE) == 0);
    for (size_t length = 0; length < 36; length += 7) {
        char *text = pages + page - length - 1;

        memset(text, 'e', length);
        text[length] = 0;
        nvtxMarkA(text);
        nvtxMarkA(text);
    }
    nvtxMarkA("bad \xff utf-8 \xc3");
}

int main(void)
{
    errno = 4711;
    pass_nothing();
    pass_sizes();
    pass_unknown_types();
    pass_foreign_handles();
    destroy_resources();
    CHECK(errno == 4711);
    pass_edges();
    return 0;
}
