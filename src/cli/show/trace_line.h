/* SPDX-License-Identifier: Apache-2.0 */
/* trace_line.h - what traces are, in a line above what is found in them. */
#ifndef RLN_CLI_SHOW_TRACE_LINE_H
#define RLN_CLI_SHOW_TRACE_LINE_H

#include "cli/inputs/input_traces.h"
#include "reports/summary/stats.h"

/* "run.rln: 1.2 s, 3 processes, 9 threads, 24,573 events" */
void rln__trace_line(const struct rln__input_traces *inputs,
                     const struct rln__stats *stats, struct rln__buf *out);

#endif
