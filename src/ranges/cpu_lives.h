/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_lives.h - what all that is known of threads was made of, in ranges or not: their time
 * in windows of the run, and in that of the reader. Some of the switches outside windows are
 * in the trace: what the rings had when one opened and closed.
 *
 *   thread of the kernel    born  on---|...|on--| executes |on-----|..... ended
 *   that of process 1       [---------------------------------)
 *   that of process 2, of the same number                     [-----------]
 */
#ifndef RLN_RANGES_CPU_LIVES_H
#define RLN_RANGES_CPU_LIVES_H

#include "ranges/cpu_times.h"

/* By thread that the reader had when the times were loaded: owned by the caller; NULL: no
 * memory. A process that executes a program becomes another one where that begins. */
struct rln__cpu_split *rln__cpu_lives(const struct rln__cpu_times *times);

/* The sum of all, or all 0 without switches, or if there are so many that reading them takes
 * longer than a moment: for what is worth no wait. `*has_readings`: some
 * are of readings of clocks. */
rln_status rln__cpu_lives_sum(rln_reader *reader, struct rln__cpu_split *out,
                              int *has_readings, rln_error *err);

#endif
