/* SPDX-License-Identifier: Apache-2.0 */
/* trace_spool.h - a trace that is recorded in another folder than it is meant for, and
 * moved when the run has ended: `profile --spool`.
 *
 *     NAME.rln -> FOLDER/NAME-1a2b3c4d.rln    while it is recorded
 *     NAME.rln                                when it has been moved
 *
 * The link takes the name before the program starts, leads commands to the trace while
 * it runs, and says where it is when the launcher was killed or could not move it.
 */
#ifndef RLN_CLI_TRACE_SPOOL_H
#define RLN_CLI_TRACE_SPOOL_H

#include <limits.h>

struct rln__spool {
    char folder[PATH_MAX]; /* absolute; "": none, and then the rest is unused */
    char path[PATH_MAX];   /* where the trace is recorded */
};

/* Finds the folder; exits 2 with a message if there is none of that name. */
void rln__spool_open(struct rln__spool *out, const char *folder);

/* Makes `name` the link, and chooses `out->path`. `run` tells runs apart. The link
 * stays open, so that others find the name of what they see mapped. 0, or a negative
 * errno, -EEXIST if there is something of that name. */
int rln__spool_link(struct rln__spool *out, const char *name, const char *run);

/* Removes the link, if it still is that. */
void rln__spool_unlink(const struct rln__spool *spool, const char *name);

/* Moves the trace to `name`, whichever file system that is on. 0; or a negative errno,
 * and then the trace is where it was, and `name` as it was: -ESTALE if it is the link
 * no more. */
int rln__spool_move(const struct rln__spool *spool, const char *name);

#endif
