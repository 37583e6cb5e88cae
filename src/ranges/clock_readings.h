/* SPDX-License-Identifier: Apache-2.0 */
/* clock_readings.h - what a thread's time was made of between readings of its clocks.
 *
 *   reading, ms          0        10         20        30
 *   on a processor       0         4          4        12
 *   waited for one       0         0          0        11     counted when it has one
 *   between, on              4          0          8
 *            waited          0          9          2          11 of which 2 fit
 *            blocked         6          1          0
 *   perhaps before, waited              6          2          in the place of blocked
 */
#ifndef RLN_RANGES_CLOCK_READINGS_H
#define RLN_RANGES_CLOCK_READINGS_H

#include <stddef.h>
#include <stdint.h>

#define RLN__CLOCKS_UNKNOWN UINT64_MAX

struct rln__clock_reading {
    int64_t t_ns;
    uint64_t on_ns, waited_ns;
    /* Settled: so much of it may have been before, in the place of as much time that the
     * thread counts as blocked. */
    uint64_t late_ns;
};

/* Makes the times of each reading, of one thread and by time, those between it and the
 * next; of the last one, and where the clocks went back, `on_ns` is RLN__CLOCKS_UNKNOWN,
 * and nothing is late after it. Time on a processor is right to within a tick of the
 * kernel's clock, mostly 1 or 4 ms, at which it is counted. */
void rln__clock_readings_settle(struct rln__clock_reading *readings, size_t n);

#endif
