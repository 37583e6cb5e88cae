/* SPDX-License-Identifier: Apache-2.0 */
/* program_clock.h - the clock that the program made CUPTI use, as torch.profiler does
 * with the processor's counter. All records have its times from then on, ours too, and
 * CUPTI has no way back to its own.
 *
 *     CLOCK_REALTIME   --+----------------+--------+-->
 *                        |                |        |     both are read at once:
 *     the program's    --+----------------+--------+-->  when it registers its clock,
 *                      early            late       t     and when CUPTI hands over
 * records
 *
 * One thread at a time.
 */
#ifndef RLN_GPU_PROGRAM_CLOCK_H
#define RLN_GPU_PROGRAM_CLOCK_H

#include "gpu/cupti.h"

/* From now on, CUPTI's times may be this clock's; NULL: its own. */
void rln__program_clock_set(rln__cupti_clock *now);

/* Reads both clocks, if there is one. Times that are converted next lie before that. */
void rln__program_clock_tie(void);

/* The CLOCK_REALTIME of a record's time, which may have been taken before the clock was
 * set; 0 if it is the time of an unknown clock. */
uint64_t rln__program_clock_ns(uint64_t t);

#endif
