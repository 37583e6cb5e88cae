/* SPDX-License-Identifier: Apache-2.0 */
/* near_name.h - suggests another name for a filter that matches nothing. */
#ifndef RLN_CLI_INPUTS_NEAR_NAME_H
#define RLN_CLI_INPUTS_NEAR_NAME_H

#include "cli/inputs/input_traces.h"

/* Hints at the range, domain, category, thread or process whose name is nearest to the one
 * that an option selects. Prints nothing if there is none, if the name exists, or if it
 * is a pattern. */
void rln__hint_near_name(const struct rln__input_traces *inputs);

#endif
