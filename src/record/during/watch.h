/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - the launcher changes the gate of a run (format/windows.h) while the program
 * runs: delay, duration, size, and the end requested by a capture range.
 *
 *     begins with --delay ... the delay is over
 *     first window opens  ... --duration later: over
 *     the trace has --max-size: over         a -shutdown mode: over
 *                                   |
 *                                   v
 *                     recording is over: --kill, or the program goes on
 *
 * It polls every 100 ms, so durations and sizes are exact to that; a delay is exact. A
 * run without these options is not polled.
 */
#ifndef RLN_RECORD_DURING_WATCH_H
#define RLN_RECORD_DURING_WATCH_H

#include <stdbool.h>

#include "format/superblock.h"

struct rln__watch {
    /* Filled in by the caller. */
    uint64_t delay_ns;
    uint64_t duration_ns; /* 0: no end */
    uint64_t max_bytes;   /* 0: any */
    bool starts_later;    /* not before `rangeline start` */
    bool shuts_down;      /* when the last capture range has closed */
    uint32_t first_gate;  /* other reasons not to record yet: enum rln__gate */

    /* Private. */
    const struct rln__file *file;  /* borrowed */
    struct rln__superblock *super; /* its own */
    uint64_t delay_until_ns;       /* of CLOCK_MONOTONIC, as the next */
    uint64_t record_until_ns;      /* 0: no window was open yet */
    bool is_over;
};

/* Why recording ended before the program. */
enum rln__watch_end {
    RLN__WATCH_GOES_ON,
    RLN__WATCH_DURATION,
    RLN__WATCH_SIZE,
    RLN__WATCH_CAPTURED,
};

/* Sets the gate of a new trace, before the program starts. */
void rln__watch_begin(struct rln__watch *watch, const struct rln__file *file);

/* Whether there is anything to check. */
bool rln__watch_is_needed(const struct rln__watch *watch);

/* Takes the steps that are due. Any result but RLN__WATCH_GOES_ON comes only once. */
enum rln__watch_end rln__watch_poll(struct rln__watch *watch);

/* After how many ms to check again; LONG_MAX: never. */
long rln__watch_next_ms(const struct rln__watch *watch);

#endif
