/* SPDX-License-Identifier: Apache-2.0 */
/* die.c - the only file that prints errors and exits because of them. */
#include "console/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "console/line.h"

static void say(const char *prefix, const char *format, va_list list)
{
    (void)rln__flush_output();
    rln__print_line_after(prefix, stderr, format, list);
}

void rln__complain(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    say("rangeline: ", format, list);
    va_end(list);
}

void rln__note(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    say("note: ", format, list);
    va_end(list);
}

void rln__hint(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    say("hint: ", format, list);
    va_end(list);
}

void rln__die(enum rln__exit status, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    say("rangeline: ", format, list);
    va_end(list);
    exit((int)status);
}
