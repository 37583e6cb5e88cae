/* SPDX-License-Identifier: Apache-2.0 */
/* message.h - formats messages, in which what is to be typed is between backquotes.
 *
 *     "`rangeline info %s`", "a b.rln"  -->  `rangeline info 'a b.rln'`
 *
 * People paste it into a shell, and names come from files that others made. So a %s
 * between backquotes is one word of a shell, quoted where it needs it; %.*s is text of
 * a command that is already quoted.
 */
#ifndef RLN_CONSOLE_MESSAGE_H
#define RLN_CONSOLE_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

/* Cuts what does not fit. Conversions: %d %u %x %c %s %f %g and %%, with l, z and a
 * precision. */
__attribute__((format(printf, 3, 0))) void
rln__format_message(char *out, size_t size, const char *format, va_list list);

#endif
