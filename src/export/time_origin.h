/* SPDX-License-Identifier: Apache-2.0 */
/* time_origin.h - time 0 of a trace in formats whose clocks have no negative times. */
#ifndef RLN_EXPORT_TIME_ORIGIN_H
#define RLN_EXPORT_TIME_ORIGIN_H

#include "rangeline/reader.h"

/* CLOCK_MONOTONIC at the trace's time 0. More, if events are older than that clock, in
 * a trace of an earlier boot or without a clock: then the first event is at 0. */
rln_status rln__export_time_origin(rln_reader *reader, uint64_t *zero_ns,
                                   rln_error *err);

#endif
