/* SPDX-License-Identifier: Apache-2.0 */
/* time_origin.h - what a trace's moment 0 is in formats whose clocks know nothing
 * before 0. */
#ifndef RLN_EXPORT_TIME_ORIGIN_H
#define RLN_EXPORT_TIME_ORIGIN_H

#include "rangeline/reader.h"

/* What CLOCK_MONOTONIC said then. More, if events are from before that clock began: of
 * a trace of an earlier boot, or one that was made without a clock. The first is at 0
 * then. */
rln_status rln__export_time_origin(rln_reader *reader, uint64_t *zero_ns,
                                   rln_error *err);

#endif
