/* SPDX-License-Identifier: Apache-2.0 */
#include "console/line.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "console/message.h"

/* printf() and others would write by themselves, and the reason of a failure would be
 * lost; all output without rln__write_out() fits. */
static char room[1 << 16];
static int failure; /* errno of the first failure; 0: none */

bool rln__keep_output(bool is_written)
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

    rln__format_message(text, sizeof(text), format, list);
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

int rln__output_failure(void)
{
    return failure;
}

bool rln__flush_output(void)
{
    errno = 0;
    return rln__keep_output(fflush(stdout) == 0 && !ferror(stdout));
}
