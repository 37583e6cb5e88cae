/* SPDX-License-Identifier: Apache-2.0 */
/* long_texts.c - its first calls have texts of 2 MiB, "1" and many U+00E9, "2" and so
 * on, of one kind: a capital letter is wchar_t.
 *   long_texts KIND TIMES
 */
#include <nvtx3/nvToolsExt.h>

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

enum { LENGTH = 1 << 20 };

static char *narrow(char first)
{
    char *text = malloc(1 + 2 * LENGTH + 1);

    for (size_t i = 0; i < LENGTH; i++)
        memcpy(text + 1 + 2 * i, "\xc3\xa9", 2);
    text[0] = first;
    text[1 + 2 * LENGTH] = 0;
    return text;
}

static wchar_t *wide(char first)
{
    wchar_t *text = malloc((1 + LENGTH + 1) * sizeof(*text));

    wmemset(text, L'\u00e9', 1 + LENGTH);
    text[0] = (wchar_t)first;
    text[1 + LENGTH] = 0;
    return text;
}

static nvtxEventAttributes_t attributes(const char *text, const wchar_t *wide_text)
{
    nvtxEventAttributes_t a = {.version = NVTX_VERSION,
                               .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};

    a.messageType = text ? NVTX_MESSAGE_TYPE_ASCII : NVTX_MESSAGE_TYPE_UNICODE;
    if (text)
        a.message.ascii = text;
    else
        a.message.unicode = wide_text;
    return a;
}

static void call(char kind, char first)
{
    char *a = narrow(first);
    wchar_t *w = wide(first);
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);
    const nvtxEventAttributes_t narrow_mark = attributes(a, NULL);
    const nvtxEventAttributes_t wide_mark = attributes(NULL, w);

    switch (kind) {
    case 'p':
        nvtxRangePushA(a);
        break;
    case 'P':
        nvtxRangePushW(w);
        break;
    case 'm':
        nvtxMarkA(a);
        break;
    case 'M':
        nvtxMarkW(w);
        break;
    case 'e':
        nvtxMarkEx(&narrow_mark);
        break;
    case 'E':
        nvtxMarkEx(&wide_mark);
        break;
    case 'd':
        (void)nvtxDomainCreateA(a);
        break;
    case 'D':
        (void)nvtxDomainCreateW(w);
        break;
    case 'c':
        nvtxNameCategoryA((uint32_t)first, a);
        break;
    case 'C':
        nvtxNameCategoryW((uint32_t)first, w);
        break;
    case 't':
        nvtxNameOsThreadA(tid, a);
        break;
    case 'T':
        nvtxNameOsThreadW(tid, w);
        break;
    case 's':
        (void)nvtxDomainRegisterStringA(NULL, a);
        break;
    case 'S':
        (void)nvtxDomainRegisterStringW(NULL, w);
        break;
    default:
        exit(2);
    }
    free(a);
    free(w);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    for (int i = 0; i < atoi(argv[2]); i++)
        call(argv[1][0], (char)('1' + i));
    nvtxMarkA("end");
    return 0;
}
