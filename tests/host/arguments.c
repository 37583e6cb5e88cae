/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.c - passes invalid arguments, which the process must survive.
 * tests/collect/odd_arguments.c compares the records of some. */
#include "host.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

static char *edge; /* memory from here on is not readable */

static void make_edge(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0);

    CHECK(at != MAP_FAILED && mprotect(at + 2 * page, page, PROT_NONE) == 0);
    edge = at + 2 * page;
}

/* --- ends of pages ---------------------------------------------------------------- */

static void pass_text(const char *text)
{
    const nvtxDomainHandle_t domain = nvtxDomainCreateA(text);
    const nvtxStringHandle_t registered = nvtxDomainRegisterStringA(domain, text);
    nvtxEventAttributes_t event = {0};

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = text;
    for (int i = 0; i < 3; i++) { /* unknown, known, guessed */
        nvtxMarkA(text);
        CHECK(nvtxRangePushA(text) == 0);
        nvtxRangeEnd(nvtxRangeStartA(text));
        nvtxDomainMarkEx(domain, &event);
        CHECK(nvtxRangePop() == 0);
    }
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = registered;
    nvtxDomainMarkEx(domain, &event);
    nvtxNameCategoryA(1, text);
    nvtxDomainNameCategoryA(domain, 1, text);
    nvtxNameOsThreadA(1, text);
    mark();
}

static int texts_at_edges(void)
{
    make_edge();
    for (size_t length = 0; length <= 80; length++) {
        char *text = edge - length - 1;

        memset(text, 'a' + (int)(length % 26), length);
        text[length] = 0;
        pass_text(text);
        if (length)
            text[length / 2] = 'X'; /* the same address, a different text */
        pass_text(text);
    }
    return 0;
}

static int wide_texts_at_edges(void)
{
    make_edge();
    for (size_t length = 0; length <= 40; length++) {
        wchar_t *text = (wchar_t *)(void *)edge - length - 1;
        nvtxDomainHandle_t domain;

        for (size_t i = 0; i < length; i++)
            text[i] = (wchar_t)(0x10ffff - i);
        text[length] = 0;
        domain = nvtxDomainCreateW(text);
        for (int i = 0; i < 2; i++) {
            nvtxMarkW(text);
            CHECK(nvtxRangePushW(text) == 0 && nvtxRangePop() == 0);
            nvtxRangeEnd(nvtxRangeStartW(text));
            (void)nvtxDomainRegisterStringW(domain, text);
            nvtxNameCategoryW(2, text);
            nvtxNameOsThreadW(2, text);
        }
        mark();
    }
    return 0;
}

/* A structure is read up to its size, and not a byte further. */
static int structures_at_edges(void)
{
    nvtxEventAttributes_t whole = {0};

    make_edge();
    whole.version = NVTX_VERSION;
    whole.colorType = NVTX_COLOR_ARGB;
    whole.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    whole.messageType = NVTX_MESSAGE_TYPE_ASCII;
    whole.message.ascii = "kept";
    for (uint16_t size = 4; size <= sizeof whole; size++) {
        char *at = edge - size;

        if (HAS_ASAN && size % sizeof(void *) != 0)
            continue; /* UBSan, built with it, ends the process because of alignment */
        whole.size = size;
        memcpy(at, &whole, size);
        for (int i = 0; i < 3; i++) {
            const nvtxEventAttributes_t *given = (const void *)at;

            nvtxMarkEx(given);
            nvtxDomainMarkEx(NULL, given);
            count_marks(size == sizeof whole ? 2 : 0);
        }
    }
    return 0;
}

/* --- sizes and encodings ---------------------------------------------------------- */

static int long_texts(void)
{
    enum { MIB = 1 << 20 };
    char *text = malloc(4 * MIB);

    CHECK(text != NULL);
    for (size_t length = MIB - 5; length <= MIB + 5; length++) {
        memset(text, 'x', 4 * MIB);
        memcpy(text + MIB - 2, "\xe2\x82\xac", 3); /* a euro sign across the bound */
        text[length] = 0;
        pass_text(text);
    }
    memset(text, 'y', 4 * MIB - 1);
    text[4 * MIB - 1] = 0;
    pass_text(text);
    free(text);
    return 0;
}

static int invalid_utf8(void)
{
    for (unsigned n = 1; n < 65536; n += 7) {
        char text[8] = {(char)(n & 0xff), (char)(n >> 8), (char)0xf0, (char)(n * 31),
                        0};

        nvtxMarkA(text);
    }
    mark();
    return 0;
}

/* Two forged handles that are consistent with each other. */
static int forged_handles(void)
{
    nvtxEventAttributes_t event = {0};

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    mark();
    for (uint64_t domain = 1; domain < 1 << 20; domain = domain * 2 + 1) {
        const uintptr_t tag = (uintptr_t)0xd1a1 << 48,
                        string_tag = (uintptr_t)0xd2b2 << 48;
        const nvtxDomainHandle_t forged = (nvtxDomainHandle_t)(tag | domain);

        event.message.registered = (nvtxStringHandle_t)(string_tag | domain << 28 | 32);
        (void)nvtxDomainRangePushEx(forged, &event);
        (void)nvtxDomainRangePop(forged);
        nvtxDomainMarkEx(forged, &event);
    }
    mark();
    return 0;
}

/* --- anything --------------------------------------------------------------------- */

static uint64_t seed = 1;

static uint64_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* A valid handle or an invalid one. */
static void *any_handle(void *const *given, size_t n)
{
    const uint64_t dice = any();
    uintptr_t value = (uintptr_t)given[any() % n];

    if (dice % 4 == 0)
        value = (uintptr_t)any() >> (any() % 64);
    else if (dice % 4 == 1)
        value ^= (uintptr_t)1 << (any() % 64);
    return (void *)value;
}

/* Any call with any handles, types, ids and sizes; only the texts are valid. */
static int anything(void)
{
    void *domains[8] = {0}, *strings[8] = {0};
    nvtxRangeId_t ids[8] = {0};

    for (int i = 0; i < 500000; i++) {
        const nvtxDomainHandle_t domain = any_handle(domains, 8);
        const nvtxStringHandle_t string = any_handle(strings, 8);
        const nvtxRangeId_t id = any() % 3 ? ids[any() % 8] : any() >> (any() % 64);
        nvtxEventAttributes_t event;
        char text[24];

        (void)snprintf(text, sizeof text, "%d", (int)(any() % 1000));
        for (size_t at = 0; at < sizeof event; at += 8) {
            const uint64_t value = any() % 5 ? any() % 8 : any();

            memcpy((char *)&event + at, &value, 8);
        }
        event.size = (uint16_t)(any() % (sizeof event + 1));
        if (event.messageType == NVTX_MESSAGE_TYPE_REGISTERED)
            event.message.registered = string;
        else
            event.message.ascii = any() % 4 ? text : NULL;
        if (event.messageType == NVTX_MESSAGE_TYPE_UNICODE)
            event.message.unicode = any() % 4 ? L"wide" : NULL;
        switch (any() % 16) {
        case 0:
            domains[any() % 8] = nvtxDomainCreateA(any() % 8 ? text : NULL);
            break;
        case 1:
            nvtxDomainDestroy(domain);
            break;
        case 2:
            strings[any() % 8] =
                nvtxDomainRegisterStringA(domain, any() % 8 ? text : NULL);
            break;
        case 3:
            nvtxDomainNameCategoryA(domain, (uint32_t)any(), any() % 8 ? text : NULL);
            break;
        case 4:
            ids[any() % 8] = nvtxDomainRangeStartEx(domain, &event);
            break;
        case 5:
            nvtxDomainRangeEnd(domain, id);
            break;
        case 6:
            nvtxRangeEnd(id);
            break;
        case 7:
            ids[any() % 8] = nvtxRangeStartEx(any() % 8 ? &event : NULL);
            break;
        case 8:
            nvtxNameOsThreadA((uint32_t)any(), any() % 8 ? text : NULL);
            break;
        case 9:
            (void)nvtxDomainResourceCreate(domain, NULL);
            break;
        case 10:
        case 11:
            (void)nvtxDomainRangePushEx(domain, any() % 8 ? &event : NULL);
            break;
        case 12:
        case 13:
            (void)nvtxDomainRangePop(domain);
            break;
        case 14:
            nvtxDomainResourceDestroy(any_handle(strings, 8));
            break;
        default:
            nvtxDomainMarkEx(domain, any() % 8 ? &event : NULL);
            break;
        }
    }
    mark();
    return 0;
}

/* --- texts that change ------------------------------------------------------------ */

enum { N_CHANGING = 250 };

static volatile wchar_t changing[N_CHANGING + 1];
static int has_ended; /* atomic */

/* Between characters of one byte in UTF-8, and of four. */
static void *change(void *unused)
{
    while (!__atomic_load_n(&has_ended, __ATOMIC_RELAXED)) {
        for (size_t i = 0; i < N_CHANGING; i++)
            changing[i] = L'a';
        for (size_t i = 0; i < N_CHANGING; i++)
            changing[i] = 0x1f600;
    }
    return unused;
}

/* A text may be torn, but nothing else. */
static int wide_text_that_changes(void)
{
    pthread_t other;

    for (size_t i = 0; i < N_CHANGING; i++)
        changing[i] = L'a';
    CHECK(pthread_create(&other, NULL, change, NULL) == 0);
    for (int i = 0; i < 100000; i++) {
        nvtxRangePushW((const wchar_t *)changing);
        nvtxRangePop();
    }
    __atomic_store_n(&has_ended, 1, __ATOMIC_RELAXED);
    CHECK(pthread_join(other, NULL) == 0);
    mark();
    return 0;
}

const struct host_case host_cases[] = {
    {"texts_at_edges", texts_at_edges},
    {"wide_texts_at_edges", wide_texts_at_edges},
    {"structures_at_edges", structures_at_edges},
    {"long_texts", long_texts},
    {"invalid_utf8", invalid_utf8},
    {"forged_handles", forged_handles},
    {"anything", anything},
    {"wide_text_that_changes", wide_text_that_changes},
    {0},
};
