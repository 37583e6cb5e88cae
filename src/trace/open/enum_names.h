/* SPDX-License-Identifier: Apache-2.0 */
/* enum_names.h - what docs/reference/JSON.md calls things, for everything that writes
 * them. */
#ifndef RLN_TRACE_OPEN_ENUM_NAMES_H
#define RLN_TRACE_OPEN_ENUM_NAMES_H

#include "rangeline/model.h"

/* Gives the name of a reason why a sample has no value: "zero", "unchanged",
 * "unavailable". */
const char *rln__no_value_cause_name(uint8_t no_value);

/* Gives the name of a style in JSON: "push_pop", "start_end", "wait", "hold". NULL if
 * there is no such style. */
const char *rln__range_style_name(rln_range_style style);

#endif
