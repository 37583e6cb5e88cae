/* SPDX-License-Identifier: Apache-2.0 */
/* line.h - prints lines, and remembers why standard output could not be written: the
 * first reason, because later attempts do not report it. */
#ifndef RLN_CONSOLE_LINE_H
#define RLN_CONSOLE_LINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Call before anything is printed: makes room, so that output is written only on
 * request. */
void rln__begin_output(void);

/* Prints a line, in which file names and texts of traces are made safe for a terminal.
 * Needs no memory except for words to be typed. The format is one of message.h. */
__attribute__((format(printf, 2, 3))) void rln__print_line(FILE *out,
                                                           const char *format, ...);

/* The same behind `prefix`. */
void rln__print_line_after(const char *prefix, FILE *out, const char *format,
                           va_list list);

/* Writes the output so far. False: that failed, and rln__end_output() reports it. */
bool rln__flush_output(void);

/* Notes whether a block was written, with its errno. False after the first failure: the
 * output is incomplete. */
bool rln__keep_output(bool is_written);

/* The errno of the first failure; 0: none. */
int rln__output_failure(void);

#endif
