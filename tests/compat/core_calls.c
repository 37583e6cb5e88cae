/* SPDX-License-Identifier: Apache-2.0 */
/* core_calls.c - every call of NVTX core, in all its forms, in a fixed order.
 *
 * C90 and C++98, for any copy of the NVTX 3 headers. Prints what each call returned,
 * handles only as set or NULL. It prints no addresses, times or thread numbers, so that
 * output and recorded trace are the same whichever headers it was built with.
 */
#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <string.h>

static void say_int(const char *call, long value)
{
    printf("%s = %ld\n", call, value);
}

static void say_set(const char *call, int is_set)
{
    printf("%s = %s\n", call, is_set ? "set" : "NULL");
}

static nvtxEventAttributes_t event(const char *message)
{
    nvtxEventAttributes_t a;

    memset(&a, 0, sizeof(a));
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    if (message) {
        a.messageType = NVTX_MESSAGE_TYPE_ASCII;
        a.message.ascii = message;
    }
    return a;
}

static void default_domain(void)
{
    const nvtxEventAttributes_t a = event("default");
    nvtxRangeId_t ids[3];

    printf("# default domain\n");
    nvtxMarkEx(&a);
    nvtxMarkA("mark A");
    nvtxMarkW(L"mark W \xe9");
    nvtxMark("mark");

    ids[0] = nvtxRangeStartEx(&a);
    ids[1] = nvtxRangeStartA("start A");
    ids[2] = nvtxRangeStartW(L"start W");
    say_int("nvtxRangeStartEx", (long)ids[0]);
    say_int("nvtxRangeStartA", (long)ids[1]);
    say_int("nvtxRangeStartW", (long)ids[2]);
    nvtxRangeEnd(ids[1]);
    nvtxRangeEnd(ids[0]);
    nvtxRangeEnd(ids[2]);
    ids[0] = nvtxRangeStart("start");
    say_int("nvtxRangeStart", (long)ids[0]);
    nvtxRangeEnd(ids[0]);
    nvtxRangeEnd(0);

    say_int("nvtxRangePushEx", nvtxRangePushEx(&a));
    say_int("nvtxRangePushA", nvtxRangePushA("push A"));
    say_int("nvtxRangePushW", nvtxRangePushW(L"push W"));
    say_int("nvtxRangePush", nvtxRangePush("push"));
    say_int("nvtxRangePop", nvtxRangePop());
    say_int("nvtxRangePop", nvtxRangePop());
    say_int("nvtxRangePop", nvtxRangePop());
    say_int("nvtxRangePop", nvtxRangePop());
    say_int("nvtxRangePop (none open)", nvtxRangePop());

    nvtxNameCategoryA(1, "category A");
    nvtxNameCategoryW(2, L"category W");
    nvtxNameCategory(3, "category");
    nvtxNameOsThreadA(4242, "thread A");
    nvtxNameOsThreadW(4243, L"thread W");
    nvtxNameOsThread(4244, "thread");
}

static void messages(nvtxDomainHandle_t domain, nvtxStringHandle_t text,
                     nvtxStringHandle_t wide)
{
    nvtxEventAttributes_t a = event(NULL);

    printf("# messages\n");
    nvtxDomainMarkEx(domain, &a);
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "";
    nvtxDomainMarkEx(domain, &a);
    a.message.ascii = "na\xc3\xafve \xff bytes";
    nvtxDomainMarkEx(domain, &a);
    a.message.ascii = NULL;
    nvtxDomainMarkEx(domain, &a);
    a.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    a.message.unicode = L"wide \x20ac";
    nvtxDomainMarkEx(domain, &a);
    a.message.unicode = NULL;
    nvtxDomainMarkEx(domain, &a);
    a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    a.message.registered = text;
    nvtxDomainMarkEx(domain, &a);
    a.message.registered = wide;
    nvtxDomainMarkEx(domain, &a);
    a.message.registered = NULL;
    nvtxDomainMarkEx(domain, &a);
    a.messageType = 77;
    nvtxDomainMarkEx(domain, &a);
}

static void payloads(nvtxDomainHandle_t domain)
{
    nvtxEventAttributes_t a = event("payload");

    printf("# payloads, colors, categories\n");
    a.payload.ullValue = (((uint64_t)0xfedcba98u) << 32) | 0x76543210u;
    a.payloadType = NVTX_PAYLOAD_UNKNOWN;
    nvtxDomainMarkEx(domain, &a);
    a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    nvtxDomainMarkEx(domain, &a);
    a.payloadType = NVTX_PAYLOAD_TYPE_INT64;
    a.payload.llValue = -(((int64_t)5) << 30);
    nvtxDomainMarkEx(domain, &a);
    a.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    a.payload.dValue = 0.1;
    nvtxDomainMarkEx(domain, &a);
    a.payload.ullValue = 0;
    a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32;
    a.payload.uiValue = 4000000000u;
    nvtxDomainMarkEx(domain, &a);
    a.payload.ullValue = 0;
    a.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    a.payload.iValue = -7;
    nvtxDomainMarkEx(domain, &a);
    a.payload.ullValue = 0;
    a.payloadType = NVTX_PAYLOAD_TYPE_FLOAT;
    a.payload.fValue = -0.5f;
    nvtxDomainMarkEx(domain, &a);
    a.payloadType = 99;
    nvtxDomainMarkEx(domain, &a);

    a = event("color");
    a.colorType = NVTX_COLOR_ARGB;
    a.color = 0xff8040c0u;
    a.category = 1;
    nvtxDomainMarkEx(domain, &a);
    a.colorType = NVTX_COLOR_UNKNOWN;
    a.category = 0xffffffffu;
    nvtxDomainMarkEx(domain, &a);
    a.colorType = 9;
    a.reserved0 = 3;
    nvtxDomainMarkEx(domain, &a);
}

static void versions(nvtxDomainHandle_t domain)
{
    nvtxEventAttributes_t a = event("version");
    uint16_t version;

    printf("# attribute versions, NULL attributes\n");
    for (version = 1; version <= 3; version++) {
        a.version = version;
        say_int("nvtxDomainRangePushEx", nvtxDomainRangePushEx(domain, &a));
    }
    for (version = 1; version <= 3; version++)
        say_int("nvtxDomainRangePop", nvtxDomainRangePop(domain));
    say_int("nvtxDomainRangePop (none open)", nvtxDomainRangePop(domain));

    nvtxMarkEx(NULL);
    nvtxMarkA(NULL);
    nvtxMarkW(NULL);
    nvtxDomainMarkEx(domain, NULL);
    say_int("nvtxRangePushA(NULL)", nvtxRangePushA(NULL));
    say_int("nvtxDomainRangePushEx(NULL)", nvtxDomainRangePushEx(domain, NULL));
    say_int("nvtxDomainRangePop", nvtxDomainRangePop(domain));
    say_int("nvtxRangePop", nvtxRangePop());
    nvtxRangeEnd(nvtxRangeStartEx(NULL));
}

static void domain_ranges(nvtxDomainHandle_t domain, nvtxDomainHandle_t other)
{
    const nvtxEventAttributes_t a = event("domain range");
    nvtxRangeId_t one, two, three;

    printf("# domain ranges\n");
    one = nvtxDomainRangeStartEx(domain, &a);
    two = nvtxDomainRangeStartEx(other, &a);
    three = nvtxDomainRangeStartEx(NULL, &a);
    say_int("nvtxDomainRangeStartEx", (long)one);
    say_int("nvtxDomainRangeStartEx (other)", (long)two);
    say_int("nvtxDomainRangeStartEx (NULL)", (long)three);
    nvtxDomainRangeEnd(domain, one);
    nvtxRangeEnd(two);
    nvtxDomainRangeEnd(NULL, three);

    say_int("nvtxDomainRangePushEx", nvtxDomainRangePushEx(domain, &a));
    say_int("nvtxDomainRangePushEx (other)", nvtxDomainRangePushEx(other, &a));
    say_int("nvtxDomainRangePushEx (NULL)", nvtxDomainRangePushEx(NULL, &a));
    say_int("nvtxDomainRangePop", nvtxDomainRangePop(domain));
    say_int("nvtxDomainRangePop (other)", nvtxDomainRangePop(other));
    say_int("nvtxDomainRangePop (NULL)", nvtxDomainRangePop(NULL));
}

static void resources(nvtxDomainHandle_t domain)
{
    static const int32_t types[] = {
        NVTX_RESOURCE_TYPE_UNKNOWN,
        (int32_t)NVTX_RESOURCE_TYPE_GENERIC_POINTER,
        (int32_t)NVTX_RESOURCE_TYPE_GENERIC_HANDLE,
        (int32_t)NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE,
        (int32_t)NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX,
    };
    nvtxResourceAttributes_t r;
    nvtxResourceHandle_t handle;
    size_t i;

    printf("# resources\n");
    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        memset(&r, 0, sizeof(r));
        r.version = NVTX_VERSION;
        r.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
        r.identifierType = types[i];
        r.identifier.ullValue = 0x1000u + i;
        r.messageType = NVTX_MESSAGE_TYPE_ASCII;
        r.message.ascii = "resource";
        handle = nvtxDomainResourceCreate(domain, &r);
        say_set("nvtxDomainResourceCreate", handle != NULL);
        nvtxDomainResourceDestroy(handle);
    }
    handle = nvtxDomainResourceCreate(NULL, NULL);
    say_set("nvtxDomainResourceCreate(NULL)", handle != NULL);
    nvtxDomainResourceDestroy(NULL);
}

int main(void)
{
    nvtxDomainHandle_t domain, same, wide;
    nvtxStringHandle_t text, again, wide_text;

    nvtxInitialize(NULL);
    default_domain();

    printf("# domains, strings\n");
    domain = nvtxDomainCreateA("domain");
    same = nvtxDomainCreate("domain");
    wide = nvtxDomainCreateW(L"wide domain");
    say_set("nvtxDomainCreateA", domain != NULL);
    say_set("nvtxDomainCreate", same != NULL);
    say_set("nvtxDomainCreateW", wide != NULL);
    say_int("same name, same handle", domain == same);
    say_set("nvtxDomainCreateA(NULL)", nvtxDomainCreateA(NULL) != NULL);
    text = nvtxDomainRegisterStringA(domain, "registered");
    again = nvtxDomainRegisterString(domain, "registered");
    wide_text = nvtxDomainRegisterStringW(domain, L"registered W");
    say_set("nvtxDomainRegisterStringA", text != NULL);
    say_set("nvtxDomainRegisterString", again != NULL);
    say_set("nvtxDomainRegisterStringW", wide_text != NULL);
    say_int("same text, same handle", text == again);
    say_set("nvtxDomainRegisterStringA (NULL domain)",
            nvtxDomainRegisterStringA(NULL, "default") != NULL);
    nvtxDomainNameCategoryA(domain, 1, "domain category A");
    nvtxDomainNameCategoryW(domain, 2, L"domain category W");
    nvtxDomainNameCategory(NULL, 3, "default category");

    messages(domain, text, wide_text);
    payloads(domain);
    versions(domain);
    domain_ranges(domain, wide);
    resources(domain);

    nvtxDomainDestroy(wide);
    nvtxDomainDestroy(domain);
    nvtxDomainDestroy(NULL);
    nvtxMarkA("last");
    printf("# done\n");
    return 0;
}
