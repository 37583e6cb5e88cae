/* SPDX-License-Identifier: Apache-2.0 */
/* trace_spool.h - a trace that is recorded in another folder than its final one, and
 * moved when the run has ended: `profile --spool`.
 *
 *     NAME.rln -> FOLDER/NAME-1a2b3c4d.rln    while it is recorded
 *     NAME.rln                                when it has been moved
 *
 * The link takes the name before the program starts, leads commands to the trace while
 * it runs, and shows where the trace is if the launcher was killed or could not move
 * it.
 */
#ifndef RLN_RECORD_START_TRACE_SPOOL_H
#define RLN_RECORD_START_TRACE_SPOOL_H

#include <limits.h>

struct rln__trace_spool {
    char folder[PATH_MAX]; /* absolute; "": none, and then the rest is unused */
    char path[PATH_MAX];   /* where the trace is recorded */
};

/* Finds the folder; exits 2 with a message if it does not exist. */
void rln__trace_spool_open(struct rln__trace_spool *out, const char *folder);

/* Creates the link `name`, and chooses `out->path`, which `run` makes unique. The link
 * stays open, so that others find the name of the trace that they see mapped. 0, or a
 * negative errno: -EEXIST if the name is taken. */
int rln__trace_spool_link(struct rln__trace_spool *out, const char *name,
                          const char *run);

/* Removes the link, if it is still there. */
void rln__trace_spool_unlink(const struct rln__trace_spool *spool, const char *name);

/* Moves the trace to `name`, also to another file system. 0; or a negative errno, with
 * the trace and `name` unchanged: -ESTALE if `name` is no longer the link. */
int rln__trace_spool_move(const struct rln__trace_spool *spool, const char *name);

#endif
