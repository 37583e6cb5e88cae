/* SPDX-License-Identifier: Apache-2.0 */
/* info_sums.h - what a file of `rangeline reduce` is of: its traces, numbered as the
 * reports number them.
 */
#ifndef RLN_CLI_COMMANDS_INFO_SUMS_H
#define RLN_CLI_COMMANDS_INFO_SUMS_H

#include "base/buf.h"
#include "cli/inputs/input_traces.h"

/* Appends a table, or an array of JSON objects. `inputs` are sums. */
void rln__info_sums(struct rln__buf *buf, const struct rln__input_traces *inputs,
                    bool is_json);

#endif
