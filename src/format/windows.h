/* SPDX-License-Identifier: Apache-2.0 */
/* windows.h - when a run is recorded: its gate and its windows, docs/FORMAT.md 2.
 *
 *     gate    {reasons not to record:32, windows so far:32}, one atomic word
 *     open -> closed   the first reason: the window that was open ends
 *     closed -> open   the last reason goes: a window begins
 *
 * Any process that has the trace mapped may do either: one of the run, the launcher, a
 * command. The collector's rules apply: no libc, no locks.
 */
#ifndef RLN_FORMAT_WINDOWS_H
#define RLN_FORMAT_WINDOWS_H

#include "format/layout.h"

/* The gate's bits; other threads and processes change them at any time. */
uint32_t rln__gate_of(const struct rln__superblock *super);

/* Whether there has been a window, by this gate. A run that began open is in its first
 * one. */
static inline int rln__gate_had_window(uint64_t gate)
{
    return gate >> 32 || !(gate & RLN__GATE_CLOSED);
}

/* The ticks at which the run's first window opened; 0: none has, or the run began
 * open. */
uint64_t rln__first_window_opened(const struct rln__superblock *super);

/* Sets the gate before anything is recorded: `bits` hold, and no window has been
 * open. */
void rln__gate_begin(struct rln__superblock *super, uint32_t bits);

/* Sets and clears bits of the gate, at `ticks`, which may be a little while ago.
 * Returns the bits as they were. */
uint32_t rln__gate_change(struct rln__superblock *super, uint32_t set, uint32_t clear,
                          enum rln__window_cause cause, uint64_t ticks);

/* Sets the gate to `bits` if it still is `*seen`; otherwise returns 0, and the gate in
 * `*seen`. For bits that depend on more than the gate. */
int rln__gate_swap(struct rln__superblock *super, uint64_t *seen, uint32_t bits,
                   enum rln__window_cause cause, uint64_t ticks);

#endif
