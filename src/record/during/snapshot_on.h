/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot_on.h - snapshots that the launcher takes by itself: `profile --snapshot-on`.
 *
 *     crash          a process that the launcher waits for, the program or one that it
 *                    left behind, is ended by a signal that indicates a fault
 *     signal[=SIG]   the launcher gets that signal, SIGUSR2 if none is named; there can
 *                    be several
 *     range=RANGE    such a range of the program ends: the collector counts them in the
 *                    superblock, which the launcher polls every 10 ms; at most one
 *                    snapshot per second, of all ranges that ended meanwhile
 *
 * Each is a separate file, NAME.1.rln, NAME.2.rln, ... beside the trace (at its final
 * place). The program waits for none of them, and is unaffected if the launcher is
 * gone.
 */
#ifndef RLN_RECORD_DURING_SNAPSHOT_ON_H
#define RLN_RECORD_DURING_SNAPSHOT_ON_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/superblock.h"
#include "record/during/switch_recorder.h"

struct rln__snapshot_on {
    bool at_crash;
    sigset_t signals;   /* made empty by the caller */
    const char *range;  /* borrowed from argv; NULL: none */
    const char *trace;  /* borrowed; set before the program starts, as the next */
    const char *beside; /* the trace's final name, which may differ */
    const struct rln__superblock *super;
    struct rln__switch_recorder *switches; /* borrowed; to be in each of them */

    /* Private. */
    uint64_t n_taken;       /* of those requested by ranges */
    uint64_t not_before_ns; /* of CLOCK_MONOTONIC: earliest time of the next of these */
};

/* Adds a trigger from one value of the option; exits 2 if it is invalid. */
void rln__snapshot_on_parse(const char *text, struct rln__snapshot_on *out);

/* A process that the launcher waits for was ended by `signal`. */
void rln__snapshot_on_death(const struct rln__snapshot_on *on, pid_t pid, int signal);

/* Checks whether a range has ended or, `at_end`, takes the postponed snapshot. Returns
 * the ms until the next check; LONG_MAX: never. */
long rln__snapshot_on_poll(struct rln__snapshot_on *on, bool at_end);

/* Notes, of a run that has ended, that no range has requested a snapshot. */
void rln__snapshot_on_explain(const struct rln__snapshot_on *on);

/* The launcher got one of the signals. */
void rln__snapshot_on_signal(const struct rln__snapshot_on *on, int signal);

#endif
