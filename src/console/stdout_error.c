/* SPDX-License-Identifier: Apache-2.0 */
#include "console/stdout_error.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "console/die.h"
#include "console/pager.h"

/* printf() and others would write by themselves, and the reason of a failure would be
 * lost; all output without rln__write_out() fits. */
static char room[1 << 16];
static int failure; /* errno of the first failure; 0: none */

/* Notes whether a block was written: after the first failure the output is incomplete.
 */
static bool keep(bool is_written)
{
    if (!failure && !is_written)
        failure = errno ? errno : EIO;
    return !failure;
}

void rln__begin_output(void)
{
    if (!isatty(STDOUT_FILENO))
        (void)setvbuf(stdout, room, _IOFBF, sizeof(room));
}

/* In one write, so that output of another program cannot split the line. */
void rln__print_line_after(const char *prefix, FILE *out, const char *format,
                           va_list list)
{
    enum { MOST = 4096, PER_BYTE = 4 }; /* \xNN */
    char text[MOST], line[MOST * PER_BYTE + 1], escape[RLN__ESCAPE_BYTES];
    static const char hint[] = "\nhint: "; /* the second line of a library's error */
    size_t length = 0, n;

    (void)vsnprintf(text, sizeof(text), format, list);
    for (size_t at = 0, end = strlen(text); at < end; at += n) {
        n = rln__printable(text + at, end - at, escape);
        if (strncmp(text + at, hint, strlen(hint)) == 0)
            escape[0] = 0;
        length += (size_t)snprintf(line + length, sizeof(line) - length, "%.*s",
                                   escape[0] ? RLN__ESCAPE_BYTES : (int)n,
                                   escape[0] ? escape : text + at);
    }
    (void)fprintf(out, "%s%.*s\n", prefix, (int)length, line);
}

void rln__print_line(FILE *out, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    rln__print_line_after("", out, format, list);
    va_end(list);
}

bool rln__flush_output(void)
{
    errno = 0;
    return keep(fflush(stdout) == 0 && !ferror(stdout));
}

/* False if the reader has gone. */
static bool refuse_failure(void)
{
    if (failure && failure != EPIPE)
        rln__die(RLN__EXIT_FAILED, "cannot write output: %s", strerror(failure));
    return !failure;
}

bool rln__has_reader(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = 0};

    return poll(&out, 1, 0) <= 0 || !(out.revents & (POLLERR | POLLHUP));
}

bool rln__write_out(struct rln__buf *buf)
{
    if (buf->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__pager_begin();
    errno = 0;
    if (!buf->length || keep(fwrite(buf->bytes, 1, buf->length, stdout) == buf->length))
        (void)rln__flush_output();
    buf->length = 0;
    return refuse_failure();
}

int rln__end_output(void)
{
    (void)rln__flush_output();
    (void)refuse_failure();
    return RLN__EXIT_OK;
}
