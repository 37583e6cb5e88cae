/* SPDX-License-Identifier: Apache-2.0 */
/* payload_ends.c - payloads that exceed the limit or the readable memory are marked as
 * truncated in the trace; complete ones are not. */
#include <nvtx3/nvToolsExtPayload.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define TYPE(name) NVTX_PAYLOAD_ENTRY_TYPE_##name

static nvtxDomainHandle_t domain;

static void say(const char *what, uint64_t type, const void *payload, size_t size)
{
    const nvtxPayloadData_t data = {type, size, payload};

    nvtxDomainMarkEx(domain, &(nvtxEventAttributes_t){
                                 .version = NVTX_VERSION,
                                 .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                 .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                 .message.ascii = what,
                                 .payloadType = NVTX_PAYLOAD_TYPE_EXT,
                                 .reserved0 = 1,
                                 .payload.ullValue = (uintptr_t)&data,
                             });
}

int main(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    nvtxPayloadData_t *last;
    char *edge;

    CHECK(setenv("RANGELINE_PAYLOAD_BYTES", "64", 1) == 0);
    edge = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                0);
    CHECK(edge != MAP_FAILED && mprotect(edge + page, page, PROT_NONE) == 0);
    edge += page;
    memset(edge - page, 'x', page);
    domain = nvtxDomainCreateA("ends");

    say("whole", TYPE(CSTRING), "whole", SIZE_MAX);
    say("empty", TYPE(CSTRING), "", SIZE_MAX);
    say("as long as is kept", TYPE(CSTRING), edge - 64, 64);
    say("longer", TYPE(CSTRING), edge - 65, 65);
    say("longer, of unknown length", TYPE(CSTRING), edge - 200, SIZE_MAX);
    say("longer, wide", TYPE(CSTRING_UTF32), edge - 200, SIZE_MAX);
    say("no end", TYPE(CSTRING), edge - 6, SIZE_MAX);
    say("no end, UTF-8", TYPE(CSTRING_UTF8), edge - 6, SIZE_MAX);
    say("no end, UTF-16", TYPE(CSTRING_UTF16), edge - 6, SIZE_MAX);
    say("nowhere", TYPE(CSTRING), edge, SIZE_MAX);
    say("a number nowhere", TYPE(INT32), edge, 4);
    say("a number", TYPE(INT32), edge - 4, SIZE_MAX);

    last = (nvtxPayloadData_t *)(void *)(edge - sizeof *last);
    *last = (nvtxPayloadData_t){TYPE(CSTRING), 3, "one"};
    nvtxMarkPayload(domain, last, 1);
    nvtxMarkPayload(domain, last, 2);
    nvtxMarkPayload(domain, last, SIZE_MAX);
    nvtxMarkPayload(domain, last + 1, 1);
    return 0;
}
