/* SPDX-License-Identifier: Apache-2.0 */
/* stdout_error.h - standard output, and why it could not be written: the first reason,
 * because later attempts do not report it. A reader that has gone is no failure. */
#ifndef RLN_CONSOLE_STDOUT_ERROR_H
#define RLN_CONSOLE_STDOUT_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"

/* Call before anything is printed: makes room, so that output is written only here. */
void rln__begin_output(void);

/* Prints a line, in which file names and texts of traces are made safe for a terminal.
 * Needs no memory. */
__attribute__((format(printf, 2, 3))) void rln__print_line(FILE *out,
                                                           const char *format, ...);

/* The same behind `prefix`. */
void rln__print_line_after(const char *prefix, FILE *out, const char *format,
                           va_list list);

/* Writes the output so far. False: that failed, and rln__end_output() reports it. */
bool rln__flush_output(void);

/* Whether standard output can still be read by another program. */
bool rln__has_reader(void);

/* Writes and empties `buf`, in a pager if there is one. False: the reader has gone, so
 * stop. Other errors, such as a full disk, exit 1 with a message. */
bool rln__write_out(struct rln__buf *buf);

/* The exit status at the end: whether everything could be written. */
int rln__end_output(void);

#endif
