/* SPDX-License-Identifier: Apache-2.0 */
/* analyze_time.h - where the time is: the answer before what rules find. */
#ifndef RLN_CLI_FINDINGS_ANALYZE_TIME_H
#define RLN_CLI_FINDINGS_ANALYZE_TIME_H

#include "cli/inputs/input_traces.h"

/* Appends what the traces are, and the names with the most self time. */
void rln__analyze_time(const struct rln__input_traces *inputs, bool has_color,
                       struct rln__buf *out);

#endif
