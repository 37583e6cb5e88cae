/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot_on.h - snapshots that the launcher takes by itself: `profile --snapshot-on`.
 *
 *     crash          a process that the launcher waits for, the program or one that it
 *                    left behind, is ended by a signal that stands for a fault
 *     signal[=SIG]   the launcher gets that signal, SIGUSR2 if none is named; there can
 *                    be several
 *     range=RANGE    such a range of the program ends: the collector counts them in the
 *                    superblock, where the launcher looks a hundred times a second; no
 *                    more than one snapshot a second, which is of all that ended
 *
 * Each is a file of its own, NAME.1.rln, NAME.2.rln, ... beside the trace (where it
 * belongs). The program waits for none of them, and nothing happens to it where the
 * launcher is gone.
 */
#ifndef RLN_CLI_SNAPSHOT_ON_H
#define RLN_CLI_SNAPSHOT_ON_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/superblock.h"

struct rln__snapshot_on {
    bool at_crash;
    sigset_t signals;   /* made empty by the caller */
    const char *range;  /* borrowed from argv; NULL: none */
    const char *trace;  /* borrowed; set before the program starts, as the next */
    const char *beside; /* the trace's own name, which may be another */
    const struct rln__superblock *super;

    /* Private. */
    uint64_t n_taken;       /* of what ranges asked for */
    uint64_t not_before_ns; /* of CLOCK_MONOTONIC: the next one of these */
};

/* Adds what one value of the option asks for; exits 2 if that is none. */
void rln__snapshot_on_parse(const char *text, struct rln__snapshot_on *out);

/* A process that the launcher waits for was ended by `signal`. */
void rln__snapshot_on_death(const struct rln__snapshot_on *on, pid_t pid, int signal);

/* Looks whether a range has ended, or, `at_end`, takes what was put off. Returns in how
 * many ms to look again; LONG_MAX: never. */
long rln__snapshot_on_look(struct rln__snapshot_on *on, bool at_end);

/* Says so where no range has asked for a snapshot, of a run that has ended. */
void rln__snapshot_on_explain(const struct rln__snapshot_on *on);

/* The launcher got one of the signals. */
void rln__snapshot_on_signal(const struct rln__snapshot_on *on, int signal);

#endif
