/* SPDX-License-Identifier: Apache-2.0 */
/* written.h - standard output, and why it could not be written: the first reason, for
 * later attempts say nothing of it. A reader that has gone is no failure. */
#ifndef RLN_CLI_WRITTEN_H
#define RLN_CLI_WRITTEN_H

#include <stdbool.h>

#include "base/buf.h"

/* Before anything is printed: makes room, so that nothing is written but here. */
void rln__begin_output(void);

/* Writes what has been printed so far. False: that failed; rln__end_output() says so.
 */
bool rln__flush_output(void);

/* Writes and empties `buf`, in a pager where there is one. False: nobody reads what we
 * write, so stop; a full disk and the like exit 1 with a message. */
bool rln__write_out(struct rln__buf *buf);

/* The exit status when all has been said: whether all could be written. */
int rln__end_output(void);

#endif
