/* SPDX-License-Identifier: Apache-2.0 */
/* found_run.h - a run that another command records, found by a pid or its trace.
 *
 *     PID  --> /proc/PID/maps: the trace that the process has mapped
 *          --> /proc/PID/environ: the one that it would join at its first NVTX call
 *          --> /proc/.../fd: the link that a launcher with --spool keeps open
 *     FILE --> the trace
 *
 * Its superblock is mapped, shared with all processes of the run: they see a change at
 * their next event. No process is signalled, stopped or connected to.
 */
#ifndef RLN_RECORD_START_FOUND_RUN_H
#define RLN_RECORD_START_FOUND_RUN_H

#include <limits.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "console/args.h"
#include "format/layout.h"

struct rln__found_run {
    char path[PATH_MAX];
    char name[PATH_MAX]; /* the same, or its final name if it is recorded elsewhere */
    struct rln__superblock *super; /* owned mapping */
    struct stat file;
};

/* Finds the run that the command's operand names. Exits 2 unless there is one operand,
 * 1 with a message if there is no such run. */
void rln__found_run_open(struct rln__found_run *out, const struct rln__args *args,
                         bool to_change);
/* Exits 1 with a message if the trace was truncated meanwhile: what its superblock said
 * is not to be believed. */
void rln__found_run_close(struct rln__found_run *run);

/* Whether a process has the trace open: a killed run has none, but is not marked as
 * ended. Also true where that cannot be seen, as for processes of others. */
bool rln__found_run_has_process(const struct rln__found_run *run);

/* The process that has the file mapped to record into it, other than this one; 0: none;
 * -1: the kernel says that a process writes to it, but not which. */
pid_t rln__run_writer(const char *path);

/* Returns whether the run is being recorded; if not, `out` has the reason: "was stopped
 * by a command, waits for a capture range". */
bool rln__run_state(const struct rln__superblock *super, char *out, size_t size);

#endif
