/* SPDX-License-Identifier: Apache-2.0 */
/* windows.h - opens and closes the gate of a run and its capture windows
 * (docs/reference/FORMAT.md 2).
 *
 *     gate    {reasons not to record:32, windows so far:32}, one atomic word
 *     open -> closed   the first reason is set: the window ends
 *     closed -> open   the last reason is cleared: a window begins
 *
 * Any process that has the trace mapped may do either: a process of the run, the
 * launcher, a command. The collector's rules apply: no libc, no locks.
 */
#ifndef RLN_FORMAT_WINDOWS_H
#define RLN_FORMAT_WINDOWS_H

#include "format/layout.h"

/* The gate's bits; other threads and processes change them at any time. */
uint32_t rln__gate_of(const struct rln__superblock *super);

/* Whether a window has opened, according to `gate`. If the gate was open from the
 * beginning, the run is in its first window. */
static inline int rln__gate_had_window(uint64_t gate)
{
    return gate >> 32 || !(gate & RLN__GATE_CLOSED);
}

/* The ticks at which the run's first window opened; 0: none has, or the gate was open
 * from the beginning. */
uint64_t rln__first_window_opened(const struct rln__superblock *super);

/* Sets the gate to `bits`, with no windows so far, before anything is recorded. */
void rln__gate_begin(struct rln__superblock *super, uint32_t bits);

/* Sets and clears bits of the gate, at `ticks`, which may be slightly in the past.
 * Returns the previous bits. */
uint32_t rln__gate_change(struct rln__superblock *super, uint32_t set, uint32_t clear,
                          enum rln__window_cause cause, uint64_t ticks);

/* Sets the gate to `bits` if it still is `*seen`; otherwise returns 0 and the current
 * gate in `*seen`. For changes that depend on more than the gate. */
int rln__gate_swap(struct rln__superblock *super, uint64_t *seen, uint32_t bits,
                   enum rln__window_cause cause, uint64_t ticks);

#endif
