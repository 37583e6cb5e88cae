/* SPDX-License-Identifier: Apache-2.0 */
/* toy_text.c - the toy tool's log, and its form of strings. */
#define NVTX_NO_IMPL
#include "toy_tool.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void toy_say(const char *format, ...)
{
    char line[1024];
    const char *path = getenv("TOY_LOG");
    va_list args;
    int fd, n;

    va_start(args, format);
    n = vsnprintf(line, sizeof(line) - 1, format, args);
    va_end(args);
    line[n++] = '\n';
    fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (fd < 0 || write(fd, line, (size_t)n) != n) {
        fprintf(stderr, "toy_tool: cannot write log: TOY_LOG=%s\n", path ? path : "");
        exit(99);
    }
    close(fd);
}

struct text toy_narrow(const char *p)
{
    struct text t;
    size_t n = 0;

    if (!p) {
        strcpy(t.s, "NULL");
        return t;
    }
    t.s[n++] = '"';
    for (; *p && n < MAX_TEXT - 8; p++)
        n += (size_t)sprintf(t.s + n, *p >= ' ' && *p < 127 ? "%c" : "\\x%02x",
                             (unsigned char)*p);
    strcpy(t.s + n, "\"");
    return t;
}

struct text toy_wide(const wchar_t *p)
{
    struct text t;
    size_t n = 0;

    if (!p) {
        strcpy(t.s, "NULL");
        return t;
    }
    n += (size_t)sprintf(t.s, "L\"");
    for (; *p && n < MAX_TEXT - 16; p++)
        n += (size_t)sprintf(t.s + n, *p >= ' ' && *p < 127 ? "%c" : "\\u%04x",
                             (unsigned)*p);
    strcpy(t.s + n, "\"");
    return t;
}

struct text toy_message(int32_t type, nvtxMessageValue_t value)
{
    struct text t;

    if (type == NVTX_MESSAGE_TYPE_ASCII)
        return toy_narrow(value.ascii);
    if (type == NVTX_MESSAGE_TYPE_UNICODE)
        return toy_wide(value.unicode);
    if (type == NVTX_MESSAGE_TYPE_REGISTERED)
        sprintf(t.s, "string %lu", (unsigned long)(uintptr_t)value.registered);
    else
        sprintf(t.s, "type %d", (int)type);
    return t;
}
