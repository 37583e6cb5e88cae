/* SPDX-License-Identifier: Apache-2.0 */
/* Says where functions are in a source, as rangeline.nvtx does for `profile --python`:
 * of the first range at one location, of the second at two, of the third at none. */
#include <nvtx3/nvToolsExt.h>

static nvtxDomainHandle_t domain;

static void locate(nvtxStringHandle_t name, const char *location)
{
    nvtxResourceAttributes_t attributes = {
        .version = NVTX_VERSION,
        .size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE,
        .identifierType = 0x524c0001,
        .identifier.pValue = name,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = location,
    };

    (void)nvtxDomainResourceCreate(domain, &attributes);
}

static void run(const char *name, const char *location, const char *other)
{
    nvtxStringHandle_t string = nvtxDomainRegisterStringA(domain, name);
    nvtxEventAttributes_t attributes = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .messageType = NVTX_MESSAGE_TYPE_REGISTERED,
        .message.registered = string,
    };

    if (location)
        locate(string, location);
    if (other)
        locate(string, other);
    nvtxDomainRangePushEx(domain, &attributes);
    nvtxDomainRangePop(domain);
}

int main(void)
{
    domain = nvtxDomainCreateA("d");
    run("pkg.one", "/src/a:b.py:12", NULL);
    run("pkg.two", "/src/b.py:3", "/src/c.py:3");
    run("pkg.none", NULL, NULL);
    return 0;
}
