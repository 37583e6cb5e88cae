/* SPDX-License-Identifier: Apache-2.0 */
/* split_trace.h - `profile --split`: writes each window of a trace as a file of its
 * own, NAME.1.rln, NAME.2.rln, ... beside NAME.rln, as nsys names those of repeated
 * ranges.
 */
#ifndef RLN_RECORD_FINISH_SPLIT_TRACE_H
#define RLN_RECORD_FINISH_SPLIT_TRACE_H

#include <stdbool.h>

/* Writes them, and prints their names. Files of these names are replaced if
 * `overwrites`; else an error is printed, and the other windows are written. Returns
 * the exit status. */
int rln__split_trace(const char *trace, bool overwrites);

#endif
