/* SPDX-License-Identifier: Apache-2.0 */
/* live_open.h - the ranges that are open on each thread at the end of a refresh. */
#ifndef RLN_LIVE_LIVE_OPEN_H
#define RLN_LIVE_LIVE_OPEN_H

#include "live/live_state.h"

/* Notes which threads have ended. Call before the reader is refreshed, so that all they
 * did is read afterwards. */
void rln__live_note_gone(rln_live *live);

/* Adds open ranges, and lists the threads. 0, or -1: no memory. */
int rln__live_add_open(rln_live *live);

/* Whether the run is in another container or on another machine, so that its pids are
 * not those of processes here. */
int rln__live_has_foreign_pids(const rln_live *live);

#endif
