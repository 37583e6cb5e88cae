/* SPDX-License-Identifier: Apache-2.0 */
/* opened.h - the traces that a reading command was given, and its standard output. */
#ifndef RLN_CLI_OPENED_H
#define RLN_CLI_OPENED_H

#include "base/buf.h"
#include "cli/args.h"
#include "rangeline/reader.h"

struct rln__opened {
    rln_reader *reader; /* owned */
    char *found;        /* owned: the name of the trace that nobody gave, or NULL */
    const char *name;   /* borrowed: what to call the traces in a message */
};

/* Opens the operands or, without any, the newest trace of the working directory, and
 * says so. Exits 1 with a message if that fails. */
void rln__opened_open(struct rln__opened *opened, const struct rln__args *args);
/* Tells of what could not be read so far, on standard error. */
void rln__opened_note_damage(const struct rln__opened *opened);

void rln__opened_close(struct rln__opened *opened);

/* Writes and empties `buf`. False: nobody reads what we write, so stop; a full disk and
 * the like exit 1 with a message. */
bool rln__write_out(struct rln__buf *buf);

/* Exits 1 with the error's message if `status` is a failure. */
void rln__die_if(rln_status status, const rln_error *err);

#endif
