/* SPDX-License-Identifier: Apache-2.0 */
/* stdout_error.h - writes answers to standard output, and ends the command if that
 * fails. A reader that has gone is no failure. */
#ifndef RLN_CONSOLE_STDOUT_ERROR_H
#define RLN_CONSOLE_STDOUT_ERROR_H

#include <stdbool.h>

#include "base/buf.h"
#include "console/line.h"

/* Whether standard output can still be read by another program. */
bool rln__has_reader(void);

/* Writes and empties `buf`, in a pager if there is one. False: the reader has gone, so
 * stop. Other errors, such as a full disk, exit 1 with a message. */
bool rln__write_out(struct rln__buf *buf);

/* The exit status at the end: whether everything could be written. */
int rln__end_output(void);

#endif
